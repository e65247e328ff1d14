"""What LaTeX would not set, or not as meant, in a text of a BibTeX file; and what is no DOI and no number of arXiv.

Its reader drops all of this without a word: what stands behind a %, an & between words, a command that it does not
know. Leaves out: braces and commas (report/bibwords.py), and which fields there are (report/references.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from pylatexenc.latex2text import get_default_latex_context_db

from report.errors import Near, nearest

Odd = tuple[Near, str, str]  # the words, what is wrong with them, a hint
LITERAL = frozenset({"url", "doi", "eprint"})  # read as they stand: a ~ or a % is a sign of theirs
_SIGNS = re.compile(r"\\(?P<command>[A-Za-z]+|.)|(?P<comment>%)|(?P<column>&)|(?P<maths>\$[^$]*\$)|(?P<dollar>\$)")
_SHORT = 4  # up to as many signs, each word is like some other
_DOI = re.compile(r"10\.[\d.]+/\S+")
_EPRINT = re.compile(r"\d{4}\.\d{4,5}(v\d+)?|[a-z-]+(\.[A-Z]{2})?/\d{7}")
_SAID = {
    "comment": ("'%' begins a comment in BibTeX, and the rest of its line would be lost", r"write \%"),
    "column": ("'&' parts the columns of a table in TeX, and would be lost", r"write \&"),
    "dollar": ("'$' opens a formula in TeX that nothing closes", r"write \$"),
}


def odd(text: str) -> Iterator[Odd]:
    """Yield what of a text would be lost if it were set."""
    for found in _SIGNS.finditer(text):
        kind = str(found.lastgroup)
        if kind in _SAID:
            message, hint = _SAID[kind]
            yield _near(found), message, hint
        elif kind == "command" and found["command"].isalpha() and found["command"] not in _commands():
            message = f"the TeX command '{found[0]}' is not known here, and would be lost"
            near = nearest(found[0], {f"\\{name}" for name in _commands()}) if len(found[0]) > _SHORT else ""
            yield _near(found), message, near or "write the character itself"


def amiss(key: str, value: str) -> Odd | None:
    """Return what is wrong with a DOI or a number of arXiv, which stand without the address that they lead to."""
    form, called = {"doi": (_DOI, "DOI"), "eprint": (_EPRINT, "number of arXiv")}.get(key, (None, ""))
    if form is None or form.fullmatch(value):
        return None
    held = form.search(value)
    hint = f"write {held[0]}" if held else {"doi": "write 10.1038/323533a0", "eprint": "write 1706.03762"}[key]
    return Near.whole(value.strip() or key), f"'{value}' is no {called}", hint


def _near(found: re.Match[str]) -> Near:
    """Return some words with the line in which they stand."""
    start = found.string.rfind("\n", 0, found.start()) + 1
    return Near(found.string[start:].partition("\n")[0], found.start() - start, found.end() - start)


@cache
def _commands() -> frozenset[str]:
    """Return the commands that are set as a text."""
    known = get_default_latex_context_db()
    return frozenset(spec.macroname for spec in known.iter_macro_specs() if spec.macroname.isalpha())
