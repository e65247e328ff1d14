"""The works that the pages cite, read from a BibTeX file, and how each is written in a list of references."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bibtexparser.entrypoint import parse_string
from bibtexparser.library import Library
from bibtexparser.middlewares import LatexDecodingMiddleware, RemoveEnclosingMiddleware, SeparateCoAuthors
from bibtexparser.model import Entry, ExplicitComment, ImplicitComment, ParsingFailedBlock

from report import bibtexts, bibwords
from report.conflicts import one_side
from report.errors import BuildError, Near, Problem, nearest, not_utf8
from report.keys import judged
from report.lines import line_of
from report.yamlwords import UNSEEN

# What is wrong with an entry is said in our words, with file and line; the library would print its own as well.
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
_VENUE = ("journal", "booktitle", "publisher", "school", "institution", "howpublished")
_KNOWN = frozenset({"author", "title", "year", "doi", "url", "eprint", "eprinttype", "annotation", *_VENUE})
_RUN_ON = re.compile(r"(?:^|\n)\s*\w+\s*=")  # a field that swallowed the next one
_TYPES = frozenset(
    {"article", "book", "inbook", "incollection", "inproceedings", "manual", "misc", "phdthesis", "proceedings"}
    | {"mastersthesis", "online", "techreport", "unpublished"}
)
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
    layers = [RemoveEnclosingMiddleware(), _Decoding(), SeparateCoAuthors()]
    read = UNSEEN.sub("x", one_side(text))
    library = parse_string(read, parse_stack=layers)
    problems = [*(slip.problem(text, shown) for slip in bibwords.unseen(text)), *_wrong(library, read, shown)]
    if problems:
        raise BuildError(problems)
    return MappingProxyType({entry.key: _reference(entry) for entry in library.entries})


def _wrong(library: Library, text: str, shown: str) -> list[Problem]:
    """Return every mistake of a file; of an entry that is no BibTeX, only that."""
    broken: dict[int, Problem] = {}
    if library.failed_blocks or any(map(_stray, library.comments)) or not all(map(_sound, library.entries)):
        for start, slip in bibwords.slips(text):
            broken[line_of(text, start) - 1] = slip.problem(text, shown)
    said = [_failed(block, shown) for block in library.failed_blocks if block.start_line not in broken]
    entries = [entry for entry in library.entries if entry.start_line not in broken]
    return [*broken.values(), *said, *(problem for entry in entries for problem in _check(entry, shown))]


def _stray(comment: ExplicitComment | ImplicitComment) -> bool:
    """Say whether the reader took for a comment what is none."""
    return any(line.strip() and not line.lstrip().startswith("%") for line in comment.comment.splitlines())


def _sound(entry: Entry) -> bool:
    """Say whether an entry has a key of one word, and fields with names and values that swallowed no other."""
    whole = (field.key.isidentifier() and field.value for field in entry.fields)
    keyed = bool(entry.key) and not re.search(r"\s", entry.key)
    return keyed and all(whole) and not any(_RUN_ON.search(str(field.value)) for field in entry.fields)


def _line(start: int | None) -> int:
    return 0 if start is None else start + 1


def _failed(block: ParsingFailedBlock, shown: str) -> Problem:
    """Return what is wrong with an entry that is BibTeX and was not taken: its key is another's."""
    key = getattr(block.ignore_error_block, "key", None)
    if key:
        return Problem(shown, _line(block.start_line), 0, f"the key '{key}' stands twice", near=_key(key))
    return Problem(shown, _line(block.start_line), 1, "this entry is not BibTeX", bibwords.ENTRY)


def _key(key: str) -> Near:
    return Near(f"{{{key}", 1, 1 + len(key))


def _check(entry: Entry, shown: str) -> list[Problem]:
    """Return what is wrong with the fields of an entry."""
    found: list[Problem] = []

    def say(start: int | None, near: str | Near, message: str, hint: str = "") -> None:
        said = f"reference '{entry.key}'{message}"
        words = Near.whole(near.strip().partition("\n")[0]) if isinstance(near, str) else near
        found.append(Problem(shown, _line(start), 0, said, hint, near=words))

    if entry.entry_type not in _TYPES:
        hint = nearest(entry.entry_type, _TYPES)
        say(entry.start_line, entry.entry_type, f": there is no kind of work '{entry.entry_type}'", hint)
    keys = judged(list(entry.fields_dict), _KNOWN, _NEEDED)
    for key, hint in keys.unknown.items():
        say(entry.fields_dict[key].start_line, key, f": unknown field '{key}'", hint)
    url, year = entry.fields_dict.get("url"), entry.fields_dict.get("year")
    if url is not None and not re.match(r"https?://[^/\s]+\.[^/\s]+", str(url.value)):
        say(url.start_line, str(url.value).strip() or "url", f": '{url.value}' is no address", "https://...")
    if year is not None and not re.fullmatch(r"(1[89]|20)\d\d", str(year.value)):
        say(year.start_line, str(year.value).strip() or "year", f": '{year.value}' is no year")
    lost = [(field, odd) for field in entry.fields if (odd := bibtexts.amiss(field.key, str(field.value)))]
    for field, (words, message, hint) in [*lost, *entry.parser_metadata.get(_LOST, ())]:
        say(field.start_line, words, f": {message}", hint)
    for key in keys.missing:
        say(entry.start_line, entry.key, f" has no {key}")
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
        venue=_bare(next((fields[key] for key in _VENUE if key in fields), "")),
        url=url,
        annotation=_bare(fields["annotation"]),
    )


def _bare(text: str) -> str:
    return text.replace("{", "").replace("}", "").replace("\\&", "&").strip()
