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
from bibtexparser.model import Entry, ParsingFailedBlock

from report.errors import BuildError, Problem, nearest

# What is wrong with an entry is said in our words, with file and line; the library would print its own as well.
logging.getLogger("bibtexparser").setLevel(logging.CRITICAL)
_VENUE = ("journal", "booktitle", "publisher", "school", "institution", "howpublished")
_KNOWN = frozenset({"author", "title", "year", "doi", "url", "eprint", "eprinttype", "annotation", *_VENUE})
_RUN_ON = re.compile(r"\n\s*\w+\s*=")  # a field that swallowed the next one
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


_LATEX = re.compile(r"[\\{}$~%&#^_\n]|--|``|''")


class _Decoding(LatexDecodingMiddleware):
    """Reads LaTeX where there is any: an entry without its marks is itself, at no cost."""

    def transform_entry(self, entry: Entry, library: Library) -> Any:
        """Return the entry with the text that LaTeX would set."""
        marked = any(_LATEX.search(str(field.value)) for field in entry.fields)
        return super().transform_entry(entry, library) if marked else entry


def load(path: Path, shown: str) -> Mapping[str, Reference]:
    """Return the works of a BibTeX file by key; raise BuildError with every mistake in it."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        gone = "the file is missing" if isinstance(error, FileNotFoundError) else "the file cannot be read"
        reason = gone if isinstance(error, OSError) else "not a text file: its bytes are not UTF-8"
        raise BuildError([Problem(shown, 0, 0, reason)]) from None
    layers = [RemoveEnclosingMiddleware(), _Decoding(), SeparateCoAuthors()]
    library = parse_string(text, parse_stack=layers)
    problems = [_failed(block, shown) for block in library.failed_blocks]
    problems += [problem for entry in library.entries for problem in _check(entry, shown)]
    if problems:
        raise BuildError(problems)
    return MappingProxyType({entry.key: _reference(entry) for entry in library.entries})


def _line(start: int | None) -> int:
    return 0 if start is None else start + 1


def _failed(block: ParsingFailedBlock, shown: str) -> Problem:
    """Return what is wrong with an entry that could not be read: a doubled key, or braces that do not pair."""
    at = _line(block.start_line)
    key = getattr(block.ignore_error_block, "key", None)
    if key:
        return Problem(shown, at, 0, f"the key '{key}' stands twice, or a field of it does")
    lines = (block.raw or "").splitlines()
    for number, line in enumerate(lines[1:], 1):
        if line.count("{") != line.count("}") and line.strip() != "}":
            wrong = "opened and never closed" if line.count("{") > line.count("}") else "closed that was never opened"
            return Problem(shown, at + number, 0, f"a brace is {wrong}", "each field reads name = {text},")
    return Problem(shown, at, 0, "this entry is not BibTeX", "an entry reads @article{key, name = {text}, ...}")


def _check(entry: Entry, shown: str) -> list[Problem]:
    at = _line(entry.start_line)
    found = []
    if entry.entry_type not in _TYPES:
        message = f"reference '{entry.key}': there is no kind of work '{entry.entry_type}'"
        found.append(Problem(shown, at, 0, message, nearest(entry.entry_type, _TYPES)))
    for field in entry.fields:
        if field.key not in _KNOWN:
            message = f"reference '{entry.key}': unknown field '{field.key}'"
            found.append(Problem(shown, _line(field.start_line), 0, message, nearest(field.key, _KNOWN)))
        if _RUN_ON.search(str(field.value)):
            message = f"reference '{entry.key}': a comma is missing after '{field.key}'"
            return [*found, Problem(shown, _line(field.start_line), 0, message, "each field ends in a comma")]
    url = entry.fields_dict.get("url")
    if url is not None and not re.match(r"https?://[^/\s]+\.[^/\s]+", str(url.value)):
        message = f"reference '{entry.key}': '{url.value}' is no address"
        found.append(Problem(shown, _line(url.start_line), 0, message, "https://..."))
    year = entry.fields_dict.get("year")
    if year is not None and not re.fullmatch(r"(1[89]|20)\d\d", str(year.value)):
        message = f"reference '{entry.key}': '{year.value}' is no year"
        found.append(Problem(shown, _line(year.start_line), 0, message))
    for key in _NEEDED:
        if key not in entry.fields_dict:
            found.append(Problem(shown, at, 0, f"reference '{entry.key}' has no {key}"))
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
