r"""MathML of our own pages back to TeX, for readers of plain text: KaTeX makes the same MathML of it again.

Knows what our pages use, and raises ValueError for anything else: a formula is never passed on by halves.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from report.twins.nodes import Node

_SIGNS: Mapping[str, str] = {
    "−": "-",
    "∗": "*",
    "≤": r"\le",
    "≥": r"\ge",
    "≈": r"\approx",
    "≠": r"\ne",
    "≪": r"\ll",
    "≫": r"\gg",
    "∝": r"\propto",
    "⋅": r"\cdot",
    "×": r"\times",
    "±": r"\pm",
    "→": r"\to",
    "∑": r"\sum",
    "∏": r"\prod",
    "∇": r"\nabla",
    "∂": r"\partial",
    "∞": r"\infty",
    "⊤": r"\top",
    "ℓ": r"\ell",
    "…": r"\ldots",
    "⋯": r"\cdots",
    "⌈": r"\lceil",
    "⌉": r"\rceil",
    "⌊": r"\lfloor",
    "⌋": r"\rfloor",
    "{": r"\{",
    "}": r"\}",
    "%": r"\%",
    "\u2061": "",  # the function that was applied has its own command
}
_GREEK = re.compile(r"GREEK (SMALL|CAPITAL) LETTER (\w+)")
_LOOKS: Mapping[str, str] = {"ϕ": r"\phi", "φ": r"\varphi", "ϵ": r"\epsilon", "ε": r"\varepsilon", "ϑ": r"\vartheta"}
_WORDS = frozenset({"max", "min", "log", "ln", "exp", "sup", "inf", "lim", "det"})
_SPACES: Mapping[str, str] = {"2em": r"\qquad", "1em": r"\quad"}
_THIN = "\u2009"
_GROUPED = ("mrow", "math", "mstyle", "")
_SCRIPTS: Mapping[str, str] = {"msub": "_", "msup": "^"}


def tex(node: Node) -> str:
    """Return a formula as TeX; raise ValueError for what has none here."""
    return re.sub(r"\s+", " ", _tex(node)).strip()


def _tex(node: Node) -> str:
    if node.tag in _GROUPED:
        return " ".join(map(_tex, node.elements))
    if node.tag in _SCRIPTS:
        base, script = node.elements
        return f"{_group(base)}{_SCRIPTS[node.tag]}{{{_tex(script)}}}"
    if node.tag == "msubsup":
        base, low, high = node.elements
        return f"{_group(base)}_{{{_tex(low)}}}^{{{_tex(high)}}}"
    if node.tag == "mfrac":
        top, low = node.elements
        return rf"\frac{{{_tex(top)}}}{{{_tex(low)}}}"
    if node.tag == "msqrt":
        return rf"\sqrt{{{' '.join(map(_tex, node.elements))}}}"
    return _leaf(node)


def _group(base: Node) -> str:
    """Return what carries a script; a fraction or a sum in front of it is kept together."""
    return _tex(base) if base.tag in ("mi", "mo") else f"{{{_tex(base)}}}"


def _leaf(node: Node) -> str:
    text = node.text()
    if node.tag == "mi":
        return _letter(text)
    if node.tag == "mo":
        return _sign(text)
    if node.tag == "mn":
        return _number(text)
    if node.tag == "mtext":
        return r"\," if text == _THIN else rf"\text{{{_plain(text)}}}"
    if node.tag == "mspace" and node.attributes.get("width") in _SPACES:
        return _SPACES[node.attributes["width"]]
    raise ValueError(f"no TeX is known for <{node.tag}> with {text!r}")


def _letter(text: str) -> str:
    if text in _WORDS:
        return rf"\{text}"
    if text in _LOOKS:
        return _LOOKS[text]
    if len(text) == 1 and (found := _GREEK.fullmatch(unicodedata.name(text, ""))):
        name = found[2].lower()
        return rf"\{name.capitalize() if found[1] == 'CAPITAL' else name}"
    if text.isascii() and text.isalpha() and len(text) > 1:
        return rf"\operatorname{{{text}}}"
    return _sign(text)


def _sign(text: str) -> str:
    if text in _SIGNS:
        return _SIGNS[text]
    if text.isascii() and len(text) == 1:
        return text
    raise ValueError(f"no TeX is known for the sign {text!r}")


def _number(text: str) -> str:
    """Return a number as it is printed, with its unit where it has one."""
    if re.fullmatch(r"[\d,.]+", text):
        return text.replace(",", "{,}")
    return rf"\text{{{_plain(text)}}}"


def _plain(text: str) -> str:
    return re.sub(r"([%#&_{}$])", r"\\\1", text.replace("\u00a0", " "))
