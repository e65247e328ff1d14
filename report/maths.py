r"""TeX to MathML: KaTeX in Python, its output cleaned and checked; \val{...}{3} and \formula{...} come from the model.

A value is put through KaTeX as a sentinel number that comes back as one <mn>, and becomes the slot of a printed
number. The output has no class, style, link or colour, and none of KaTeX's second copy in TeX: it needs no style
sheet. Leaves out: where formulas stand in a text (report/prose.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from html import escape
from xml.etree import ElementTree as ET

from model.formula import Fork, Formula, Quantity
from report.asking import AuthorError
from report.errors import nearest

_SENTINEL = 9000000000000000
_SLOT = rf"(?:<mrow></mrow>)?<mn>({str(_SENTINEL)[:10]}\d{{6}})</mn>(?:<mrow></mrow>)?"
# A group in braces that may hold one more level of braces.
_GROUP = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
_VAL = re.compile(r"\\val(?![A-Za-z])(?:" + _GROUP + _GROUP + ")?")
_FORMULA = re.compile(r"\\formula(?![A-Za-z])(?:" + _GROUP + r"(?:\[(\w+)\])?)?")
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
    numerals: tuple[str, ...] = (),
) -> str:
    """Return a formula as MathML; slot turns a value of the model into the element that stands for it.

    Raises AuthorError for TeX that KaTeX or a browser does not take, an unknown name, and a numeral typed by hand.
    """
    slots: list[str] = []

    def value(found: re.Match[str]) -> str:
        slots.append(slot(_value(found)))
        return f"{{{{}}{_SENTINEL + len(slots) - 1}{{}}}}"  # KaTeX joins neighbouring numerals: empty groups part them

    _refuse(tex)
    _numerals(_FORMULA.sub("", _VAL.sub("", tex)), numerals)
    text = _FORMULA.sub(lambda found: _formula(found, quantities), _VAL.sub(value, tex))
    html = _katex(text, display)
    found = re.findall(_SLOT, html)
    if len(found) != len(slots):
        raise AuthorError("a \\val stands where the formula has no place for a number")
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


def _refuse(tex: str) -> None:
    for pattern, hint in _MISREAD:
        found = pattern.search(tex)
        if found:
            raise AuthorError(f"\\{found[1]} does not work here", hint)
    astral = next((mark for mark in tex if ord(mark) > 0xFFFF), None)
    if astral:
        raise AuthorError(f"the character {astral!r} does not work in a formula", "write its TeX command")


def _numerals(typed: str, allowed: tuple[str, ...]) -> None:
    """Refuse a numeral above 12 that is typed by hand; exponents, and lengths in square brackets, are not values."""
    bare = re.sub(r"\^\s*(\{[^{}]*\}|\d)|\\\\\[[^\]]*\]|\\[a-z]*space\{[^{}]*\}", " ", typed)
    for found in re.findall(r"\d[\d,]*(?:\.\d+)?", bare.replace("{,}", ",")):
        number = found.replace(",", "")
        if number not in allowed and not ("." not in number and int(number) <= 12):
            raise AuthorError(f"the numeral {found} is typed into a formula", r"write \val{...}{3} or \formula{...}")


def _value(found: re.Match[str]) -> Value:
    r"""Return what \val{T_min(machine=h100-sxm5)}{3} asks for: key, live, given, filter, digits."""
    call = _CALL.fullmatch((found[1] or "").strip())
    way = _WAY.fullmatch((found[2] or "").strip())
    if not call or not way:
        raise AuthorError(f"{found[0]} is not understood", r"write \val{T_min(machine=h100-sxm5)}{3} or {qty 3}")
    given: dict[str, str | float] = {}
    for part in filter(None, ((call[3] or "").split(","))):
        key, equals, word = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not word:
            raise AuthorError(f"'{part.strip()}' in {found[0]} is not understood", "write key=value")
        given[key] = _number(word)
    if not call[1] and call[3] is None:
        raise AuthorError(f"{found[0]} does not say on what", f"write {call[2]}(machine=...) or live.{call[2]}")
    return call[2], bool(call[1]), given, way[1] or ("sig" if way[2] else "exact"), int(way[2]) if way[2] else None


def _number(word: str) -> str | float:
    return float(word) if re.fullmatch(r"\d+(\.\d+)?([eE][+-]?\d+)?", word) else word


def _formula(found: re.Match[str], quantities: Mapping[str, Quantity]) -> str:
    r"""Return the TeX of the right-hand side of \formula{T_min}, or of one branch: \formula{T_min}[l2]."""
    key = (found[1] or "").strip()
    quantity = quantities.get(key)
    if isinstance(quantity, Fork):
        branch = found[2] or next(iter(quantity.branches))
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
        raise AuthorError(*_said(_one_line(str(error)))) from error
    found = re.search(r"<math[ >].*</math>", html, re.DOTALL)
    assert found, "KaTeX was asked for MathML"
    refused = _REFUSED.search(re.sub(r"<annotation.*?</annotation>", "", found[0], flags=re.DOTALL))
    if refused:
        raise AuthorError(f"formula: '{_one_line(tex)}' asks for {refused[1]}", "only plain formulas are set")
    text = re.sub(r"<annotation.*?</annotation>|</?semantics>", "", found[0], flags=re.DOTALL)
    return text.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")


# Commands that slips are compared with: letters, and what the report's formulas are made of.
_COMMANDS = """
alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega Delta Gamma Omega
Sigma frac sqrt sum prod int log exp min max text mathrm mathbf left right cdot times div pm approx equiv le leq ge geq
ne neq ll gg sim propto infty partial nabla to rightarrow qquad quad begin end cdots ldots lceil rceil lfloor rfloor
underbrace overline hat bar tilde formula val
"""


def _said(message: str) -> tuple[str, str]:
    """Return what KaTeX says of a formula in an author's words, and a hint."""
    if found := re.search(r"Undefined control sequence: \\([A-Za-z]+)", message):
        near = nearest(found[1], _COMMANDS.split()).replace("'", "'\\", 1)
        return f"formula: there is no command '\\{found[1]}'", near or "letters in a row are written \\text{...}"
    if "Expected '}', got 'EOF'" in message:
        return "formula: a brace is opened and never closed", "write as many } as {"
    if "Expected 'EOF', got '}'" in message:
        return "formula: a brace is closed that was never opened", "write as many { as }"
    return f"formula: {message}", ""


def _one_line(text: str) -> str:
    """Return a message without KaTeX's combining underlines and without line ends."""
    return " ".join(re.sub("[\u0332\u0333]", "", text).split())


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
