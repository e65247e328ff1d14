"""What of Markdown, HTML or a template is left over in a text, and would be printed as it stands.

    [z](https://a b.org), [z] (https://a.org), **never closed, <!-- a comment -->, }}, -no blank, | no table |

Leaves out: numerals and comparatives (report/checks.py), rows of tables and empty links (report/markdown.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from report.markdown import Block

Fault = tuple[int, str, str, str]  # where in a block, which words, what is wrong with them, a hint
_ADDRESS = r"(?:https?:|mailto:|[#/.?]|[\w./-]+\.(?:html|md|png|svg)\b)"
_LINK_HINT = "write [text](address)"
# Each with what is missing, the most telling first; what is found is read as nothing else.
_LINKS = re.compile(
    r"!?\[[^\[\]]*(?P<blank>\]\([^()\s]*[ \n][^()]*\))"
    r"|!?\[[^\[\]]*(?P<round>\]\([^()\s]*(?=\s|$))"
    rf"|!?\[[^\[\]]*(?P<apart>\]\s\({_ADDRESS}[^()]*\))"
    r"|!?\[[^\[\]]*(?P<named>\]\[[^\[\]]*\])"
    rf"|!?\[[^\[\]]*(?P<inner>\]{_ADDRESS}[^\s()]*\))"
    rf"|(?P<square>!?\[)[^\[\]()]*\({_ADDRESS}[^()]*\)"
    r"|(?P<tagged>\{\{[^{}]*\}\}|\{%[^{}]*%\})"
    r"|(?P<bare>\b(?:https?://|www\.)[^\s()\[\]<>]*[^\s()\[\]<>.,;:!?])"
    r"|(?P<left>\]\([^()\s]*\))"
    r"|\[[^\[\]]*\]"
    r"|(?P<opened>\[)|(?P<closed>\])"
)
_FRONT_HINT = "front matter holds words alone, no {{ }} and no marks of Markdown"
_TORN = {
    "tagged": ("what stands in {{ }} or {% %} would be printed as it stands", _FRONT_HINT),
    "blank": ("a blank in its address keeps a link from being read", "write %20 for the blank, or delete it"),
    "round": ("a link's address is never closed", "write ) behind it"),
    "apart": ("a blank stands between a link's text and its address", "delete it"),
    "named": ("a link by name is not read", _LINK_HINT),
    "inner": ("a link's address is never opened", "write ( before it"),
    "square": ("a link's text is never closed", "write ] behind it"),
    "bare": ("an address that stands alone is no link", _LINK_HINT),
    "left": ("a link's text is never opened", "write [ before it"),
    "opened": ("'[' is never closed and would be printed", f"{_LINK_HINT}, or delete it"),
    "closed": ("']' is never opened and would be printed", f"{_LINK_HINT}, or delete it"),
}
# Elements that no prose takes for a quantity, so that whatever stands in their tags was meant as HTML.
_ELEMENTS = (
    r"(?:abbr|article|aside|audio|blockquote|body|br|button|caption|cite|col|details|div|dl|dt|em|embed|figcaption"
    r"|figure|footer|h[1-6]|header|hr|html|iframe|img|input|kbd|li|meta|nav|ol|picture|pre|samp|script|section|span"
    r"|strong|style|sub|summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|tr|ul|video|wbr)"
)
# What follows another name: values, and the few words that have none. Other words are of prose: x<y and y>x.
_VALUE = r"""[A-Za-z_:][\w:.-]*\s*=\s*(?:["“”][^"“”<>]*["“”]|['‘’][^'‘’<>]*['‘’]|[^\s"'=<>`]+)"""
_ALONE = r"(?:hidden|open|disabled|checked|selected|readonly|required|multiple|reversed|controls|loop|async|defer)"
_TAGS = re.compile(
    rf"(?P<comment><!)|(?P<tag></(?P<closes>\w+)[^<>]*>|<{_ELEMENTS}\b[^<>]*>"
    rf"|<[A-Za-z][A-Za-z\d-]*(?:\s+(?:{_VALUE}|{_ALONE}))*\s*/?>)"
    r"|(?P<entity>&(?:#\w+|[a-z]\w+|[A-Z][a-z]\w*);)"
)
_SIGNS = re.compile(
    r"(?P<brace>\{[{%#]?|[%#}]?\})|(?P<mark>\*+|`+|~~)"
    r"|^(?P<heading>#{1,6})(?=[^\s#])|^(?P<item>[-+])(?=[^\s\d+-])|\A(?P<row>\|)(?=.*\|)",
    re.MULTILINE,
)
_HINTS = {
    "brace": "numbers and claims stand in {{ }} and {% %}, formulas in $ $, code in ` `",
    "mark": r"write it on both sides of the words, or \ before it",
}
_LETTER = len("<b>")
_STRAIGHT = str.maketrans("“”‘’", "\"\"''")


def links(block: Block) -> Iterator[tuple[Fault, tuple[int, int]]]:
    """Yield each link that is none because a bracket is amiss, and each tag that nothing runs, with its whole span."""
    for found in _LINKS.finditer(block.text):
        if kind := found.lastgroup:
            yield (found.start(kind), found[kind].partition("\n")[0], *_TORN[kind]), found.span()


def signs(block: Block) -> Iterator[Fault]:
    """Yield each tag of HTML, each sign of Markdown or of a template that the reader would see."""
    for found in _TAGS.finditer(block.text):
        if not (found["closes"] and f"<{found['closes']}" in block.text[: found.start()]):  # said where it opens
            yield found.start(), found[0], *_html(found)
    for found in _SIGNS.finditer(block.text):
        yield found.start(), found[0], *_sign(found, front=block.kind == "front")


def _html(found: re.Match[str]) -> tuple[str, str]:
    if found["comment"]:
        return "a comment of HTML would be printed as text", "a comment is written {%# ... #%}"
    if found["entity"]:
        return f"'{found[0]}' would be printed as it stands", "write the character itself"
    compares = re.search(rf"[\w)]{re.escape(found[0])}(?![^\n]*</)", found.string) if len(found[0]) == _LETTER else None
    hint = "; signs that compare have blanks on both sides" if compares else ""
    return f"the HTML tag {found[0].translate(_STRAIGHT)} would be printed as text", f"prose is Markdown{hint}"


def _sign(found: re.Match[str], *, front: bool) -> tuple[str, str]:
    kind = found.lastgroup
    if kind in ("heading", "item"):
        what = "heading" if kind == "heading" else "item of a list"
        return f"a blank is missing behind '{found[0]}'", f"without it, this is no {what}"
    if kind == "row":
        return "lines with | are no table", "below the head of a table stands |---| with as many columns"
    return f"'{found[0]}' would be printed as it stands", _FRONT_HINT if front else _HINTS[str(kind)]
