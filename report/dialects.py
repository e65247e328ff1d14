r"""What other dialects of Markdown know and this one does not, so that a reader would see its signs.

    [^a], ^[a], :::note, !!! note, > [!NOTE], - [ ] to do, Term / : meaning, ==a==, ++a++, ~~a~~, ||a||, H~2~O, :smile:,
    [[page]], {.class}, [@key], @fig:a, [TOC], TODO, 2)a, \emph{a}, and a table with no empty line above it in a list

Leaves out: marks and brackets that are this dialect's own and stand amiss (report/leftovers.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from report.leftovers import Fault
from report.markdown import Block

_NOTE = "a note is written {% note %}...{% endnote %}"
_STRONG = "write *words* or **words**"
# In the words of a mistake, <> is what was found, and in its hint what stands within.
_SIGNS = re.compile(
    r"(?P<tex>\\(?P<command>[A-Za-z]+)\*?(?:\[[^\[\]\n]*\])?(?P<inner>(?:\{[^{}\n]*\})+))"
    r"|(?P<item>^\d{1,2}[.)](?=[A-Za-z*`\[]))"
    r"|(?P<footnote>^\[\^[^\[\]\s]+\]:)|(?P<noted>\[\^[^\[\]\s]+\]|\^\[[^\[\]]+\])"
    r"|(?P<box>^:{3,}[^\n]*|^!{3}[ ]\w[^\n]*|\A\[!\w+\])"
    r"|(?P<task>\A\[[ xX]\](?=\s))"
    r"|(?P<term>(?<=\n):(?=[ \t]+\S))"
    r"|(?P<strong>(?P<pair>==|\+\+)(?=[^\s=+])[^\n]*?(?<=[^\s=+])(?P=pair))"
    r"|(?P<struck>~~(?=[^\s~])[^\n]*?(?<=[^\s~])~~|\|\|(?=[^\s|])[^\n|]*?(?<=[^\s|])\|\|)"
    r"|(?P<index>(?<=\w)[~^][^\s~^]{1,9}[~^])"
    r"|(?P<smile>(?<![\w:]):(?:[a-z][a-z0-9_+-]*|[+-]1):(?![\w:]))"
    r"|(?P<wiki>\[\[[^\[\]\n]+\]\])"
    r"|(?P<style>\{:?[ ]?\.[^{}\n]+\})"
    r"|(?P<cited>\[@[\w:-]+\])|(?P<pointed>(?<![\w.@])@(?:fig|tbl|tab|eq|sec):[\w-]+)"
    r"|(?P<contents>\[(?:TOC|toc)\])"
    r"|(?P<left>\b(?:TODO|FIXME|TBD|XXX)\b)"
    r"|(?P<table>(?<=\n)\|[^\n]*\|)(?=[ \t]*\n\|[ \t:|—–-]+\|)",
    re.MULTILINE,
)
_TEX = {
    **dict.fromkeys(("ref", "cref", "Cref", "eqref", "autoref", "pageref"), 'write {{ ref("<>") }}'),
    **dict.fromkeys(("cite", "citep", "citet", "parencite", "textcite"), 'write {{ cite("<>") }}'),
    **dict.fromkeys(("emph", "textit", "textsl"), "write *<>*"),
    **dict.fromkeys(("section", "subsection", "subsubsection", "chapter"), "write ## <> {#name} in a line"),
    **{"textbf": "write **<>**", "texttt": "write `<>`", "footnote": _NOTE, "label": "an id stands behind its heading"},
    **{"url": "write [text](<>)", "href": "write [text](address)", "begin": "write $$...$$"},
}
_SAID = {
    "tex": ("the TeX command <> stands outside a formula", ""),
    "item": ("a blank is missing behind '<>'", "without it, this is no item of a list"),
    "footnote": ("a footnote of Markdown would be printed as it stands", f"{_NOTE}, where its number would stand"),
    "noted": ("a footnote of Markdown would be printed as it stands", f"{_NOTE} in its place"),
    "box": ("a box would be printed as it stands", f"there are no boxes; {_NOTE}"),
    "task": ("a box to tick would be printed as it stands", "delete it; the list's '-' is enough"),
    "term": ("a list of terms would be printed as it stands", "write - **term**: what it means"),
    "strong": ("'<>' would be printed as it stands", _STRONG),
    "struck": ("'<>' would be printed as it stands; nothing is struck out or hidden here", "delete it"),
    "index": ("'<>' would be printed as it stands", "a formula stands in $ $, as in $x^2$"),
    "smile": ("'<>' would be printed as it stands", "say it in words, or write the character itself"),
    "wiki": ("'<>' is no link here", "write [text](address)"),
    "style": ("'<>' would be printed as it stands; classes are not set in a text", "delete it"),
    "cited": ("'<>' would be printed as it stands", 'a work is cited with {{ cite("<>") }}'),
    "pointed": ("'<>' would be printed as it stands", 'a part is pointed at with {{ ref("<>") }}'),
    "contents": ("'<>' would be printed as it stands", "delete it; contents are made of the headings"),
    "left": ("'<>' would be published", "write what is to be done, or put it in a comment: {%# ... #%}"),
    "table": ("a table would be printed as it stands, line by line", "leave an empty line above it"),
}


def foreign(block: Block) -> Iterator[tuple[Fault, tuple[int, int]]]:
    """Yield each sign of another dialect in a block, with its whole span."""
    for found in _SIGNS.finditer(block.text) if block.kind != "front" else ():
        kind = next(name for name in _SAID if found[name] is not None)
        message, hint = _SAID[kind]
        name, inner = found[0], found[0].strip("[]@").replace(":", "-")
        if kind == "tex":
            name, inner = f"\\{found['command']}", found["inner"].strip("{}")
            hint = _TEX.get(found["command"], "write $...$ around it")
        yield (found.start(), found[0], message.replace("<>", name), hint.replace("<>", inner)), found.span()
