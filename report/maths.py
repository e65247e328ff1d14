r"""TeX to MathML: KaTeX in Python, its output cleaned and checked; \val{...}{3} and \formula{...} come from the model.

A value is put through KaTeX as a sentinel number that comes back as one <mn>, and becomes the slot of a printed
number. The output has no class, style, link or colour, and none of KaTeX's second copy in TeX: it needs no style
sheet. Leaves out: where formulas stand in a text (report/prose.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from xml.etree import ElementTree as ET

from model.formula import Fork, Formula, Quantity
from report import texwords
from report.asking import AuthorError
from report.errors import nearest

_SENTINEL = 9000000000000000
_SLOT = rf"(?:<mrow></mrow>)?<mn>({str(_SENTINEL)[:10]}\d{{6}})</mn>(?:<mrow></mrow>)?"
# A group in braces that may hold one more level of braces.
_GROUP = r"\{{(?P<{}>(?:[^{{}}]|\{{[^{{}}]*\}})*)\}}"
_CALLS = re.compile(
    rf"\\(?P<val>val)(?![A-Za-z])(?:{_GROUP.format('given')}{_GROUP.format('way')})?"
    rf"|\\formula(?![A-Za-z])(?:{_GROUP.format('key')}(?:\[(?P<branch>\w+)\])?)?"
)
_CALL = re.compile(r"(live\.)?(\w+)(?:\(([^()]*)\))?")
_WAY = re.compile(r"(?:(sig|qty|percent) )?(\d+)|exact")
_REFUSED = re.compile(r"""\s(href|class|style|mathcolor|mathbackground|src|id)=["']""")
# Constructs that KaTeX accepts and a browser shows wrongly or not at all: (pattern, what to write).
_MISREAD = (
    (re.compile(r"[_^]\s*\{?\s*\\(min|max|log|lim|sup|inf|exp)(?![A-Za-z])"), r"write it as \text{...} in a subscript"),
    (re.compile(r"\\(mathbf|mathbb|boldsymbol|bm)(?![A-Za-z])"), "it has no effect in MathML"),
    (re.compile(r"\\(href|url|includegraphics|html[A-Z][a-z]*)(?![A-Za-z])"), "it is not for formulas"),
)

Value = tuple[str, bool, Mapping[str, str | float], str, int | None]


def mathml(
    tex: str,
    display: bool,
    quantities: Mapping[str, Quantity],
    slot: Callable[[Value], str],
    numerals: tuple[str, ...] | None = (),
) -> str:
    """Return a formula as MathML; slot turns a value of the model into the element that stands for it.

    numerals are those that may be typed by hand; None: any.

    Raises AuthorError for TeX that KaTeX or a browser does not take, an unknown name, and a numeral typed by hand.
    """
    slots: list[str] = []
    pieces: list[_Piece] = []

    def put(found: re.Match[str]) -> str:
        try:
            if found["val"]:
                slots.append(slot(_value(found["given"], found["way"], found[0])))
                # KaTeX joins neighbouring numerals: empty groups part them.
                text = f"{{{{}}{_SENTINEL + len(slots) - 1}{{}}}}"
            else:
                text = _formula(found["key"], found["branch"], quantities)
        except AuthorError as error:
            raise AuthorError(error.message, error.hint, _quoted(error.message, found)) from error
        pieces.append(_Piece(*found.span(), len(text), bool(found["val"])))
        return text

    _refuse(tex)
    if numerals is not None:
        _numerals(_CALLS.sub(_blank, tex), numerals)
    text = _CALLS.sub(put, tex)
    try:
        html = _katex(text, display)
    except AuthorError as error:
        raise AuthorError(error.message, error.hint, _origin(error.at, pieces)) from error
    found = [int(mark) - _SENTINEL for mark in re.findall(_SLOT, html)]
    if len(found) != len(slots):
        lost = [piece for piece in pieces if piece.val][min({*range(len(slots))} - {*found}, default=0)]
        message = "a \\val stands where the formula has no place for a number"
        raise AuthorError(message, "", (lost.start, lost.end))
    return re.sub(_SLOT, lambda mark: slots[int(mark[1]) - _SENTINEL], html)


def plain(tex: str) -> str:
    """Return TeX of the model's own as MathML, without the element around it."""
    return _inner(_katex(tex, False))


@lru_cache(maxsize=1024)
def slotted(formula: Formula) -> str:
    """Return a formula's right side as MathML with <mn data-k="key"></mn> for each input, for `filled`."""
    keys = [part.key for part in formula.inputs]
    texts = {key: f"{{{{}}{_SENTINEL + place}{{}}}}" for place, key in enumerate(keys)}
    html = _inner(_katex(formula.tex_with(texts), True))
    return re.sub(_SLOT, lambda mark: f'<mn data-k="{keys[int(mark[1]) - _SENTINEL]}"></mn>', html)


def filled(slots: str, texts: Mapping[str, str]) -> str:
    """Return MathML with texts in its slots."""
    return re.sub(r'<mn data-k="([^"]*)"></mn>', lambda slot: f"<mn>{escape(texts[slot[1]])}</mn>", slots)


def _inner(html: str) -> str:
    return re.sub(r"^<math[^>]*>|</math>$", "", html)


@dataclass(frozen=True, slots=True)
class _Piece:
    r"""A \val or \formula: from where to where it stands in the TeX, and how long what KaTeX got instead is."""

    start: int
    end: int
    length: int
    val: bool


def _origin(at: tuple[int, int] | None, pieces: Iterable[_Piece]) -> tuple[int, int] | None:
    """Return where in the TeX that an author wrote a place in KaTeX's stands."""
    if at is None:
        return None
    shift = 0  # how much longer KaTeX's is than the author's, up to here
    for piece in pieces:
        if at[0] < piece.start + shift:
            break
        if at[0] < piece.start + shift + piece.length:
            return piece.start, piece.end
        shift += piece.length - (piece.end - piece.start)
    return at[0] - shift, at[1] - shift


def _quoted(message: str, found: re.Match[str]) -> tuple[int, int]:
    r"""Return where the word stands that a message about a \val or \formula quotes, or all of it."""
    words = [word for word in re.findall(r"'([^']+)'", message) if word in found[0]]
    if not words:
        return found.span()
    start = found.start() + found[0].rfind(words[-1])
    return start, start + len(words[-1])


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _refuse(tex: str) -> None:
    for pattern, hint in _MISREAD:
        found = pattern.search(tex)
        if found:
            raise AuthorError(f"\\{found[1]} does not work here", hint, (found.start(1) - 1, found.end(1)))
    comment = re.search(r"(?<!\\)%", tex)
    if comment:
        raise AuthorError("'%' begins a comment of TeX", r"write \% for the sign", comment.span())
    astral = next((at for at, mark in enumerate(tex) if ord(mark) > 0xFFFF), None)
    if astral is not None:
        message = f"the character {tex[astral]!r} does not work in a formula"
        raise AuthorError(message, "write its TeX command", (astral, astral + 1))


def _numerals(typed: str, allowed: tuple[str, ...]) -> None:
    """Refuse a numeral above 12 that is typed by hand; exponents, and lengths in square brackets, are not values."""
    bare = re.sub(r"\^\s*(\{[^{}]*\}|\d)|\\\\\[[^\]]*\]|\\[a-z]*space\{[^{}]*\}", _blank, typed)
    for found in re.finditer(r"\d(?:[\d,]|\{,\})*(?:\.\d+)?", bare):
        said = found[0].replace("{,}", ",")
        number = said.replace(",", "")
        if number not in allowed and not ("." not in number and int(number) <= 12):
            hint = r"write \val{...}{3} or \formula{...}"
            raise AuthorError(f"the numeral {said} is typed into a formula", hint, found.span())


def _value(asked: str | None, wanted: str | None, whole: str) -> Value:
    r"""Return what \val{T_min(machine=h100-sxm5)}{3} asks for: key, live, given, filter, digits."""
    call = _CALL.fullmatch((asked or "").strip())
    way = _WAY.fullmatch((wanted or "").strip())
    if not call or not way:
        raise AuthorError(f"{whole} is not understood", r"write \val{beta(machine=h100-sxm5)}{3} or {qty 3}")
    given: dict[str, str | float] = {}
    for part in filter(None, ((call[3] or "").split(","))):
        key, equals, word = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not word:
            raise AuthorError(f"'{part.strip()}' in {whole} is not understood", "write key=value")
        given[key] = _number(word)
    if not call[1] and call[3] is None:
        raise AuthorError(f"{whole} does not say on what", f"write {call[2]}(machine=...) or live.{call[2]}")
    return call[2], bool(call[1]), given, way[1] or ("sig" if way[2] else "exact"), int(way[2]) if way[2] else None


def _number(word: str) -> str | float:
    return float(word) if re.fullmatch(r"\d+(\.\d+)?([eE][+-]?\d+)?", word) else word


def _formula(asked: str | None, branch: str | None, quantities: Mapping[str, Quantity]) -> str:
    r"""Return the TeX of the right-hand side of \formula{T_min}, or of one branch: \formula{T_min}[l2]."""
    key = (asked or "").strip()
    quantity = quantities.get(key)
    if isinstance(quantity, Fork):
        branch = branch or next(iter(quantity.branches))
        if branch not in quantity.branches:
            raise AuthorError(f"'{key}' has no form '{branch}'", nearest(branch, quantity.branches))
        quantity = quantity.branches[branch]
    if quantity is None:
        raise AuthorError(f"\\formula: there is no quantity '{key}'", nearest(key, quantities))
    if not isinstance(quantity, Formula):
        raise AuthorError(f"\\formula: '{key}' is an input and has no formula")
    return f"{{{quantity.tex}}}"


@lru_cache(maxsize=4096)
def _katex(tex: str, display: bool) -> str:
    """Return KaTeX's MathML, checked and without what a browser does not need."""
    import pykatex

    try:
        html: str = pykatex.renderToString(tex, output="mathml", displayMode=display, strict="error")
    except pykatex.ParseError as error:
        raise AuthorError(*texwords.explain(tex, str(error))) from error
    found = re.search(r"<math[ >].*</math>", html, re.DOTALL)
    assert found, "KaTeX was asked for MathML"
    refused = _REFUSED.search(re.sub(r"<annotation.*?</annotation>", "", found[0], flags=re.DOTALL))
    if refused:
        message = f"formula: '{_one_line(tex)}' asks for {refused[1]}"
        raise AuthorError(message, "only plain formulas are set", (0, len(tex)))
    text = re.sub(r"<annotation.*?</annotation>|</?semantics>", "", found[0], flags=re.DOTALL)
    return text.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")


def _one_line(text: str) -> str:
    """Return TeX without line ends."""
    return " ".join(text.split())


_JOINED: Mapping[str, str] = {"mfrac": "/", "msub": "_", "msup": "^", "munder": "_"}


def in_line(markup: str) -> str:
    """Return a formula as a line of text, for messages and data: T_min, 2√L, (a + b)/c."""
    return " ".join(_line(ET.fromstring(markup)).split())


def _line(part: ET.Element) -> str:
    name, inner = part.tag.rpartition("}")[2], [_line(child) for child in part]
    if name == "msqrt":
        return f"√{_fenced(''.join(inner))}"
    if name in _JOINED and len(inner) == 2:
        return _JOINED[name].join(map(_fenced, inner))
    text = (part.text or "") + "".join(inner)
    return f" {text} " if name == "mo" and text in _SPACED else text


_SPACED = frozenset("=+−-<>≤≥≈×·")


def _fenced(text: str) -> str:
    return text if re.fullmatch(r"[\w.,\u00a0]*", text.strip()) else f"({text.strip()})"
