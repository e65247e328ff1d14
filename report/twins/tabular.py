"""CSV that opens right in a spreadsheet by a double click, and in every program that reads CSV.

UTF-8 with a byte order mark: without one Excel reads the text in the computer's own code page, and names such as
Nøkland or × are spoilt; programs that read CSV know the mark and skip it. Lines end with CR LF (RFC 4180). A text that
a spreadsheet would take for a formula gets an apostrophe before it, so that no cell computes anything.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence

MARK = b"\xef\xbb\xbf"
# What makes spreadsheets compute; a plain negative number is none of it.
_FORMULA = re.compile(r"^\s*[=+\-@\t\r]")
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")

Plain = str | float | int | bool | None


def fit(data: bytes) -> bytes:
    """Return a CSV file (UTF-8) as a spreadsheet wants it; whatever it holds stays in its cells."""
    return lines(csv.reader(io.StringIO(data.decode("utf-8"), newline="")))


def table(records: Sequence[Mapping[str, Plain]]) -> bytes:
    """Return records as CSV: the columns are those of all records, in the order of their first appearance."""
    heads = list(dict.fromkeys(key for record in records for key in record))
    return lines([heads, *([text(record.get(key)) for key in heads] for record in records)])


def lines(rows: Iterable[Sequence[str]]) -> bytes:
    """Return rows of texts as CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([harmless(cell) for cell in row] for row in rows)
    return MARK + out.getvalue().encode("utf-8")


def text(value: Plain) -> str:
    """Return a value as the text of a cell: nothing for None, a whole number without a point."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value)


def harmless(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell
