r"""What is wrong with a formula, in an author's words, and where in it; KaTeX's own speak of groups and of EOF.

KaTeX says where it gave up; the slip is often before that: a brace, an environment or a \left that is never closed is
told where it was opened. Leaves out: what KaTeX takes and a browser does not (report/maths.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from report.errors import nearest

Span = tuple[int, int]  # from where to where in the TeX, counted from 0
Words = tuple[str, str, Span]  # what is wrong, a hint, where

# Commands that slips are compared with: letters, and what the report's formulas are made of.
_COMMANDS = frozenset(
    """
alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega Delta Gamma Omega
Sigma frac sqrt sum prod int log exp min max text mathrm mathbf left right cdot times div pm approx equiv le leq ge geq
ne neq ll gg sim propto infty partial nabla to rightarrow qquad quad begin end cdots ldots lceil rceil lfloor rfloor
underbrace overline hat bar tilde formula val
""".split()  # noqa: SIM905  # a column of words each would be a page long
)
_ENVIRONMENTS = ("aligned", "array", "bmatrix", "cases", "gathered", "matrix", "pmatrix", "smallmatrix", "split")
# What other TeX has and the report writes otherwise.
_INSTEAD = {
    "label": "the name of a display stands behind it: $$...$$ {#eq-name}",
    "ref": '{{ ref("eq-name") }} stands in the text',
    "eqref": '{{ ref("eq-name") }} stands in the text',
    "mbox": r"write \text{...}",
}
_TWO = frozenset({"frac", "dfrac", "tfrac", "cfrac", "binom", "dbinom", "tbinom", "overset", "underset", "stackrel"})
_SIGNS = {"–": "write -", "—": "write -", "′": "write '", "√": r"write \sqrt{...}", "½": r"write \frac{1}{2}"}
_TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|[{}]", re.DOTALL)
_AT = re.compile(r" at (?:position (\d+)|end of input): (.*)$", re.DOTALL)
_UNDER = "[\u0332\u0333]"  # KaTeX underlines what it speaks of


@dataclass(frozen=True, slots=True)
class _Slip:
    """A formula, and from where to where the parser speaks of it: at its end where it read it all."""

    tex: str
    start: int
    end: int

    def here(self, message: str, hint: str = "") -> Words:
        return f"formula: {message}", hint, (self.start, self.end)

    def at(self, place: int, length: int, message: str, hint: str = "") -> Words:
        return f"formula: {message}", hint, (place, place + length)

    def open(self) -> Iterator[tuple[str, int]]:
        r"""Yield the braces, \left and \begin before the place that nothing has closed, with where they stand."""
        stack: list[tuple[str, int]] = []
        for token in _TOKEN.finditer(self.tex, 0, self.start):
            closes = {"}": "{", r"\right": r"\left", r"\end": r"\begin"}.get(token[0])
            if token[0] in ("{", r"\left", r"\begin"):
                stack.append((token[0], token.start()))
            elif closes in [mark for mark, _ in stack]:
                while (inner := stack.pop())[0] != closes:
                    yield inner
        yield from stack

    def last(self, mark: str) -> int | None:
        """Return where the last of the marks that are open stands."""
        return next((at for name, at in reversed(list(self.open())) if name == mark), None)


def explain(tex: str, said: str) -> Words:
    """Return what is wrong with a formula of which KaTeX has said something."""
    found = _AT.search(said)
    start = int(found[1]) - 1 if found and found[1] else len(tex)
    length = len(re.findall(_UNDER, found[2])) if found else 0
    message = " ".join(re.sub(_UNDER, "", said[: found.start()] if found else said).split())
    slip = _Slip(tex, start, max(start + length, min(start + 1, len(tex))))
    for pattern, say in _SAYS:
        if match := re.search(pattern, message):
            return say(slip, match)
    return f"formula: {message}", "", (slip.start, slip.end) if slip.start < len(tex) else (0, len(tex))


def _command(slip: _Slip, match: re.Match[str]) -> Words:
    name = match[1]
    if name in _COMMANDS:  # KaTeX knows no command of mathematics inside a text
        return slip.at(slip.start, len(name) + 1, f"'\\{name}' has no place in a text", "close the text before it")
    near = nearest(name, _COMMANDS).replace("'", "'\\", 1)
    hint = _INSTEAD.get(name) or near or r"letters in a row are written \text{...}"
    return slip.at(slip.start, len(name) + 1, f"there is no command '\\{name}'", hint)


def _environment(slip: _Slip, match: re.Match[str]) -> Words:
    at = slip.tex.find(match[1], slip.start)
    if slip.tex[slip.start] != "{":
        return slip.here(r"the name behind '\begin' stands in no braces", r"write \begin{aligned}")
    hint = nearest(match[1], _ENVIRONMENTS) or f"there are {', '.join(_ENVIRONMENTS)}"
    return slip.at(at, len(match[1]), f"there is no environment '{match[1]}'", hint)


def _unclosed(slip: _Slip, _: re.Match[str]) -> Words:
    """Say what stays open: a brace, or else that a command has too few arguments."""
    at = slip.last("{")
    if at is None:
        return _lacking(slip, _)
    return slip.at(at, 1, "a brace is opened and never closed", "write as many } as {")


def _lacking(slip: _Slip, _: re.Match[str]) -> Words:
    """Say that the last command before the place, outside braces of its own, lacks what it is about."""
    depth, outer = 0, []
    for token in reversed(list(_TOKEN.finditer(slip.tex, 0, slip.start))):
        depth += {"}": 1, "{": -1}.get(token[0], 0)
        if not depth and token[0][1:].isalpha():
            outer.append(token)
    if not outer:
        return slip.here("something is missing at its end")
    # In \frac\alpha the last command is itself an argument.
    inner = len(outer) > 1 and slip.tex.endswith(outer[0][0]) and outer[1][0][1:] in _TWO
    command, at = outer[inner][0], outer[inner].start()
    groups = "{...}{...}" if command[1:] in _TWO else "{...}"
    return slip.at(at, len(command), f"'{command}' lacks an argument", f"write {command}{groups}")


def _argument(slip: _Slip, match: re.Match[str]) -> Words:
    at = slip.tex.rfind(match[1])
    return slip.at(at, len(match[1]), f"'{match[1]}' lacks an argument", f"write {match[1]}" + _behind(match[1]))


def _behind(command: str) -> str:
    return "( or another bracket" if re.fullmatch(r"\\(left|right|middle|[Bb]igg?[lrm]?)", command) else "{...}"


def _bracket(slip: _Slip, _: re.Match[str]) -> Words:
    return slip.at(slip.tex.rfind("["), 1, "'[' is opened and never closed", "write ] behind it")


def _twice(slip: _Slip, match: re.Match[str]) -> Words:
    mark = "^" if match[1] == "superscript" else "_"
    hint = f"braces keep together what belongs together, as in x{mark}{{a{mark}b}}"
    return slip.here(f"a second {match[1]} on one sign", hint)


def _behind_mark(slip: _Slip, match: re.Match[str]) -> Words:
    at = slip.start if slip.tex[slip.start : slip.start + 1] == match[1] else slip.tex.rfind(match[1], 0, slip.end)
    return slip.at(at, 1, f"nothing stands behind '{match[1]}'", f"write x{match[1]}{{...}}, or delete it")


def _left(slip: _Slip, match: re.Match[str]) -> Words:
    at = slip.last(r"\left")
    hint = r"write \right) behind it, or \right. for none"
    if match[1] in ("&", r"\\", r"\cr"):
        hint = rf"close it with \right. before the '{match[1]}', and go on with \left."
    return slip.at(at or 0, 5, r"'\left' has no '\right'", hint)


def _stray(slip: _Slip, match: re.Match[str]) -> Words:
    """Say what is wrong with a sign that stands where nothing like it can."""
    mark = match[1]
    if mark == "}":
        return slip.at(slip.start, 1, "a brace is closed that was never opened", "write as many { as }")
    if mark == r"\right":
        return slip.here(r"'\right' has no '\left'", r"write \left( before it, or \left. for none")
    if mark == r"\end":
        return slip.here(r"'\end' closes what no '\begin' has opened", r"write \begin{...} before it")
    if mark == "&":
        return slip.here(r"'&' stands outside an array", r"\begin{aligned} ... \end{aligned} aligns; the sign is \&")
    if mark in "_^":
        return slip.here(
            f"'{mark}' has no place in a text", rf"close the text before it, or write \{mark} for the sign"
        )
    return slip.here(f"'{mark}' has no place here", rf"write \{mark} for the sign" if mark in "#%$" else "")


def _begun(slip: _Slip, _: re.Match[str]) -> Words:
    at = slip.last(r"\begin")
    opened = re.compile(r"\\begin\s*\{(\w*)\}?").match(slip.tex, at or 0)
    name, length = (opened[1], len(opened[0])) if opened else ("...", 1)
    return slip.at(at or 0, length, rf"'\begin{{{name}}}' is never closed", rf"write \end{{{name}}}")


def _mismatched(slip: _Slip, match: re.Match[str]) -> Words:
    return slip.at(slip.start, len(match[2]), f"'{match[1]}' is closed by '{match[2]}'", "write the same name in both")


def _character(slip: _Slip, match: re.Match[str]) -> Words:
    hint = _SIGNS.get(match[1], "write its TeX command")
    at = slip.start if slip.start < len(slip.tex) else slip.tex.find(match[1])
    return slip.at(max(at, 0), 1, f"the character '{match[1]}' does not work in a formula", hint)


def _columns(slip: _Slip, _: re.Match[str]) -> Words:
    at = slip.tex.rfind(r"\begin{array}")
    return slip.at(at, 13, "a line has more columns than the array", "name one letter for each, as in {lcr}")


def _outside(slip: _Slip, match: re.Match[str]) -> Words:
    return slip.at(slip.tex.find(match[1]), len(match[1]), f"'{match[1]}' stands outside an array")


def _said(message: str, hint: str = "") -> Callable[[_Slip, re.Match[str]], Words]:
    r"""Return what says a message of its own; \g<1> in it is what KaTeX named."""
    return lambda slip, match: slip.here(re.sub(r"\\g<1>", lambda _: match[1], message), hint)


_SAYS: tuple[tuple[str, Callable[[_Slip, re.Match[str]], Words]], ...] = (
    (r"Undefined control sequence: \\(.[A-Za-z]*)", _command),
    (r"No such environment: (.+)", _environment),
    (r"macro argument, expected '\]'", _bracket),
    (r"macro argument, expected '\}'|Expected '\}', got", _unclosed),
    (r"^Extra \}", _lacking),
    (r"Expected group as argument to '(.+)'", _argument),
    (r"Double (superscript|subscript)", _twice),
    (r"Expected group after '(.)'", _behind_mark),
    (r"Expected '\\right', got '(.+)'", _left),
    (r"Expected 'EOF', got '(.+)'", _stray),
    (r"Expected & or ", _begun),
    (r"Mismatch: (.+) matched by (.+)", _mismatched),
    (r"(?:Unrecognized Unicode|Accented Unicode text) character \"(.)\"", _character),
    (r"Unknown column alignment: (.)", _said(r"there is no alignment '\g<1>'", "a column of an array is l, c or r")),
    (r"Limit controls", _said("limits stand behind no operator", r"they follow \sum, \prod or \max")),
    (r"Invalid (?:size|unit): '(.+)'", _said(r"'\g<1>' is no length", "as in 2em or 10pt")),
    (r"Invalid delimiter '(.+)' after '\\(.+)'", _said(r"'\g<1>' is no bracket", "write ( [ | or . for none")),
    (r"Got function '(.+)' with", _said(r"'\g<1>' and what it is about stand in no braces", "as in x^{...}")),
    (r"\\middle without", _said(r"'\middle' stands between no '\left' and '\right'")),
    (r"(\\h(?:dash)?line) valid only", _outside),
    (r"only one infix", _said("two fractions in one", r"write \frac{...}{...}")),
    (r"Can't use function '(.+)' in text", _said(r"'\g<1>' has no place in a text", "close the text before it")),
    (r"Unexpected character: '\\'", _said("a backslash without a command", "delete it, or write its command")),
    (r"Too few columns", _columns),
)
