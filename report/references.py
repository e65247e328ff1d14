"""The works that the pages cite, read from a BibTeX file, and how each is written in a list of references."""

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from bibtexparser.entrypoint import parse_string
from bibtexparser.library import Library
from bibtexparser.middlewares import LatexDecodingMiddleware, RemoveEnclosingMiddleware, SeparateCoAuthors
from bibtexparser.model import Entry, ExplicitComment, Field, ImplicitComment, ParsingFailedBlock

from report import bibtexts, bibwords
from report.bibwords import FIELDS, KINDS, VENUES
from report.conflicts import one_side
from report.errors import BuildError, Near, Problem, nearest, not_utf8
from report.keys import judged
from report.lines import line_and_column, line_of
from report.yamlwords import UNSEEN

if TYPE_CHECKING:
    from report.bibdraft import Entry as Written

# What is wrong with an entry is said in our words, with file and line; the library would print its own as well.
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
_RUN_ON = re.compile(r"(?:^|\n)\s*\w+\s*=")  # a field that swallowed the next one
_NEEDED = ("author", "title", "year", "annotation")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One work. annotation says how far the entry was checked; confirmed sums that up."""

    key: str
    authors: tuple[str, ...]
    title: str
    year: str
    venue: str
    url: str
    annotation: str

    @property
    def confirmed(self) -> bool:
        """Say whether the work was found and seen, and not only remembered."""
        return self.annotation.startswith("confirmed")

    @property
    def html(self) -> str:
        """Return the entry as the list of references prints it."""
        names = [name for name in self.authors if name != "others"]
        written = ", ".join(names[:6]) + (" and others" if len(self.authors) > min(len(names), 6) else "")
        title = f"<cite>{escape(self.title)}</cite>"
        linked = f'<a href="{escape(self.url)}">{title}</a>' if self.url else title
        venue = escape(self.venue) + (", " if self.venue and self.year not in self.venue else "")
        year = "" if self.year in self.venue else escape(self.year)
        mark = "" if self.confirmed else " <small>Not confirmed from a source at hand.</small>"
        return f"{escape(written)}, {linked}. {venue}{year}.{mark}"


_LOST = "lost"
_LATEX = re.compile(r"[\\{}$~%&#^_\n]|--|``|''")


class _Decoding(LatexDecodingMiddleware):
    """Reads LaTeX where there is any: an entry without its marks is itself, at no cost."""

    def transform_entry(self, entry: Entry, library: Library) -> Any:
        """Return the entry with the text that LaTeX would set; its metadata keep what of it would be lost."""
        marked = [field for field in entry.fields if field.key not in bibtexts.LITERAL and _LATEX.search(field.value)]
        if not marked:
            return entry
        entry.parser_metadata[_LOST] = [(one, odd) for one in marked for odd in bibtexts.odd(str(one.value))]
        literal = {field.key: field.value for field in entry.fields if field.key in bibtexts.LITERAL}
        read = super().transform_entry(entry, library)
        for key, value in literal.items():
            entry.fields_dict[key].value = value
        return read


def load(path: Path, shown: str) -> Mapping[str, Reference]:
    """Return the works of a BibTeX file by key; raise BuildError with every mistake in it."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors put a mark before the first letter
    except OSError as error:
        gone = "the file is missing" if isinstance(error, FileNotFoundError) else "the file cannot be read"
        raise BuildError([Problem(shown, 0, 0, gone)]) from None
    except UnicodeDecodeError as error:
        raise BuildError([not_utf8(error, shown)]) from None
    if not text.strip():
        raise BuildError([Problem(shown, 0, 0, "the file is empty", "it holds the works that are cited")])
    read = UNSEEN.sub("x", one_side(text))
    library = _parsed(read)
    problems = [*(slip.problem(text, shown) for slip in bibwords.unseen(text)), *_wrong(library, read, shown)]
    if problems:
        raise BuildError(problems)
    return MappingProxyType({entry.key: _reference(entry) for entry in library.entries})


def _parsed(text: str) -> Library:
    return parse_string(text, parse_stack=[RemoveEnclosingMiddleware(), _Decoding(), SeparateCoAuthors()])


def _wrong(library: Library, text: str, shown: str) -> list[Problem]:
    """Return every mistake of a file, which is gone through once more if its reader did not take it as a whole."""
    if library.failed_blocks or any(map(_stray, library.comments)) or not all(map(_sound, library.entries)):
        return _apart(library, text, shown)
    return [problem for entry in library.entries for problem in _check(entry, shown)]


def _apart(library: Library, text: str, shown: str) -> list[Problem]:
    """Return every mistake of a file, each entry with a slip read by itself as far as it can be."""
    from report import bibpieces  # a good file does without

    written, strays = bibpieces.read(text)
    taken = {entry.start_line for entry in library.entries}
    spans = [(line_of(text, one.start) - 1, line_of(text, one.end) - 1) for one in written]
    starts = [start for start, _ in spans]
    again = {start for start, one in zip(starts, written, strict=True) if one.slips or start not in taken}
    inner = {line for start, end in spans if start in again for line in range(start + 1, end + 1)} - set(starts)
    said = [slip.problem(text, shown) for slip in [*strays, *(slip for one in written for slip in one.slips)]]
    for start, one in zip(starts, written, strict=True):
        said += _alone(one, text, shown) if start in again else ()
    blocks = [block for block in library.blocks if block.start_line not in again | inner]
    lost = [block.start_line for block in blocks if isinstance(block, ParsingFailedBlock)]
    for entry in blocks:
        if isinstance(entry, Entry) and (entry.start_line in starts or _sound(entry)):
            said += _check(entry, shown)
        elif isinstance(entry, Entry):  # behind a %, which is none to the reader
            lost.append(entry.start_line)
    return [*said, *_doubled(written, text, shown), *_unread(lost, shown)]


def _doubled(written: Iterable[Written], text: str, shown: str) -> list[Problem]:
    """Return the keys that another entry has already."""
    seen: set[str] = set()
    found = []
    for one in written:
        if one.key in seen:
            message = f"the key '{one.key}' stands twice"
            found.append(Problem(shown, *line_and_column(text, one.at), message, near=Near.whole(one.key)))
        seen |= {one.key} - {""}
    return found


def _alone(written: Written, text: str, shown: str) -> list[Problem]:
    """Return what is wrong with the fields of an entry that can be read."""
    line = line_of(text, written.start) - 1
    library = _parsed("\n" * line + written.text)
    if len(library.entries) == 1:
        named = {name: line_of(text, at) - 1 for name, at in written.named.items()}
        return _check(library.entries[0], shown, named, written.words)
    return [] if written.slips else _unread([line], shown)


def _unread(lines: Iterable[int | None], shown: str) -> list[Problem]:
    return [Problem(shown, _line(line), 1, "this entry is not BibTeX", bibwords.ENTRY) for line in lines]


def _stray(comment: ExplicitComment | ImplicitComment) -> bool:
    """Say whether the reader took for a comment what is none."""
    return any(line.strip() and not line.lstrip().startswith("%") for line in comment.comment.splitlines())


def _sound(entry: Entry) -> bool:
    """Say whether an entry has a key of one word, and fields with names and values that swallowed no other."""
    keyed = bool(entry.key) and not re.search(r"\s", entry.key)
    closed = entry.parser_metadata.get(RemoveEnclosingMiddleware.metadata_key(), {})
    return keyed and all(_whole(field, closed.get(field.key)) for field in entry.fields)


def _whole(field: Field, closed: str | None) -> bool:
    """Say whether a field is one, closed in braces, in quotation marks, or a number."""
    value = "\n".join(field.value) if isinstance(field.value, list) else str(field.value)  # a list of authors
    bare = closed == "no-enclosing" and not value.isdecimal()
    return field.key.isidentifier() and bool(value) and not bare and not _RUN_ON.search(value)


def _line(start: int | None) -> int:
    return 0 if start is None else start + 1


def _check(
    entry: Entry, shown: str, named: Mapping[str, int] = MappingProxyType({}), others: Collection[str] = ()
) -> list[Problem]:
    """Return what is wrong with the fields of an entry.

    named are fields whose values could not be read, with the lines in which they begin; others are what else may be
    the name of one, and '' is a field without name: neither is missed.
    """
    called = f"reference '{entry.key}'" if entry.key else "a reference without key"
    lines = {**{key: field.start_line for key, field in entry.fields_dict.items()}, **named}
    found: list[Problem] = []

    def say(start: int | None, near: str | Near, message: str, hint: str = "") -> None:
        said = f"{called}{message}"
        words = Near.whole(near.strip().partition("\n")[0]) if isinstance(near, str) else near
        found.append(Problem(shown, _line(start), 0, said, hint, near=words))

    if entry.entry_type not in KINDS:
        hint = nearest(entry.entry_type, KINDS)
        say(entry.start_line, entry.entry_type, f": there is no kind of work '{entry.entry_type}'", hint)
    keys = judged([*lines, *(word for word in others if word not in lines)], FIELDS, _NEEDED)
    for key, hint in keys.unknown.items():
        if key in lines:
            say(lines[key], key, f": unknown field '{key}'", hint)
    url, year = entry.fields_dict.get("url"), entry.fields_dict.get("year")
    if url is not None and not re.match(r"https?://[^/\s]+\.[^/\s]+", str(url.value)):
        say(url.start_line, str(url.value).strip() or "url", f": '{url.value}' is no address", "https://...")
    if year is not None and not re.fullmatch(r"(1[89]|20)\d\d", str(year.value)):
        say(year.start_line, str(year.value).strip() or "year", f": '{year.value}' is no year")
    lost = [(field, odd) for field in entry.fields if (odd := bibtexts.amiss(field.key, str(field.value)))]
    for field, (words, message, hint) in [*lost, *entry.parser_metadata.get(_LOST, ())]:
        say(field.start_line, words, f": {message}", hint)
    for key in keys.missing if "" not in others else ():
        say(entry.start_line, entry.key or entry.entry_type, f" has no {key}")
    return found


def _reference(entry: Entry) -> Reference:
    fields = {key: field.value for key, field in entry.fields_dict.items()}
    doi, eprint = fields.get("doi"), fields.get("eprint")
    url = fields.get("url") or (
        f"https://doi.org/{doi}" if doi else f"https://arxiv.org/abs/{eprint}" if eprint else ""
    )
    return Reference(
        key=entry.key,
        authors=tuple(_bare(name) for name in fields["author"]),
        title=_bare(fields["title"]),
        year=str(fields["year"]),
        venue=_bare(next((fields[key] for key in VENUES if key in fields), "")),
        url=url,
        annotation=_bare(fields["annotation"]),
    )


def _bare(text: str) -> str:
    return text.replace("{", "").replace("}", "").replace("\\&", "&").strip()
