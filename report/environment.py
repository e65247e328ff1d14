"""The Jinja environment of a page: it knows the page, and what an expression cannot do is a mistake of the page.

Leaves out: which operations are asked for here (report/generator.py).
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import pairwise
from typing import Any

from jinja2 import nodes
from jinja2.runtime import Context, LoopContext, markup_join

from report.choices import Choices
from report.conditions import BAD, Bad
from report.described import describe, resolved
from report.desk import Formula, Html, Plain
from report.errors import NOWHERE, Near
from report.generator import BEYOND, MOST, TAGS, PageGenerator, PageParser, Shape
from report.numbers import Num
from report.shown import Shown, Words

_POWER = 1000  # exponents above it take for ever
_MODEL = "+-*/"  # what numbers of the model take
_OPERATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
}
WHOLE = (str, int, float, list, tuple, Plain, Html, Formula, Shown, Words)  # what a page takes as it is
_SIGNS: Mapping[str, Callable[[Any], Any]] = {"-": operator.neg, "+": operator.pos}
_COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right,
}


class PageEnvironment(Choices):
    """A Jinja environment that knows the page it is for.

    As in Jinja's sandbox, arithmetic and calls pass through here, and so does all else that Python may refuse: what
    can't be done is noted, and all goes on.
    """

    code_generator_class = PageGenerator
    sandboxed = True
    intercepted_binops = frozenset(_OPERATIONS)
    intercepted_unops = frozenset(_SIGNS)

    def tags(self) -> frozenset[str]:
        """Return the tags that a page may use: Jinja's own and those of the page's extensions."""
        return TAGS.union(*(one.tags for one in self.extensions.values()))

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        return PageParser(self, source, name, filename).parse()

    def call_binop(self, _context: Context, sign: str, left: object, right: object) -> object:
        """Return what an operator gives; what cannot be worked out is a mistake of the page."""
        if sign == "**" and isinstance(right, int | float) and abs(right) > _POWER:
            return self._undone(f"a power of {describe(right)} is out of all reason", left, sign, right)
        if isinstance(left, Num) and isinstance(right, int | float) and sign not in _MODEL:
            said = f"'{sign}' is not for numbers of the model"
            return self._undone(said, left, sign, right, hint="those take +, -, * and /")
        if (sign == "*" and _repeats(left, right)) or (sign == "%" and isinstance(left, str)):
            return self._undone(_unfit(sign, left, right), left, sign, right)
        try:
            value = _OPERATIONS[sign](left, right)
        except Exception as error:
            _raise_ours(error)
            said = str(error) if isinstance(error, ArithmeticError) else _unfit(sign, left, right)
            return self._undone(said, left, sign, right)
        beyond = isinstance(value, int | float) and abs(value) > MOST
        return self._undone(BEYOND, left, sign, right) if beyond else value

    def call_unop(self, _context: Context, sign: str, value: Any) -> object:
        """Return what a sign gives; what has none is a mistake of the page."""
        try:
            return _SIGNS[sign](value)
        except Exception as error:
            _raise_ours(error)
            return self.desk.fail(f"{describe(value)} takes no sign")

    def call(self, context: Context, called: Any, /, *arguments: object, **given: object) -> object:
        """Return what a call gives; a name that cannot be called is a mistake of the page."""
        if not callable(called) or isinstance(called, LoopContext):
            name = "loop" if callable(called) else describe(called)
            return self.desk.fail(f"{name} is no function", "nothing in brackets belongs behind it")
        try:
            return context.call(called, *arguments, **given)
        except Exception as error:
            _raise_ours(error)
            return self.desk.fail(str(error) or f"what {describe(called)} would give is out of all reason")

    def compared(self, signs: tuple[str, ...], *sides: object) -> object:
        """Return what a comparison gives, or the first of a chain that is not true."""
        *first, last = zip(signs, pairwise(sides), strict=True)
        for sign, (left, right) in first:
            if not (value := self._compared(left, sign, right)):
                return value
        return self._compared(last[1][0], last[0], last[1][1])

    def _compared(self, left: Any, sign: str, right: Any) -> object:
        try:
            return _COMPARISONS[sign](left, right)
        except Exception as error:
            _raise_ours(error)
            return self._undone(_unfit(sign, left, right), left, sign, right)

    def getattr(self, obj: Any, attribute: str) -> Any:
        """Return what belongs to a row, a number or a mapping by name; texts and lists have nothing of the kind."""
        return self.undefined(obj=obj, name=attribute) if isinstance(obj, WHOLE) else super().getattr(obj, attribute)

    def getitem(self, obj: Any, argument: Any) -> Any:
        """Return a part by its key or place; what stands for a mistake is a key of nothing."""
        key = resolved(argument)
        return BAD if isinstance(key, Bad) else super().getitem(obj, key)

    def cut(self, whole: Any, *ends: Any) -> object:
        """Return a slice of a list or text."""
        try:
            return whole[slice(*ends)]
        except Exception as error:
            _raise_ours(error)
            asked = ":".join("" if end is None else describe(end) for end in ends).removesuffix(":")
            return self.desk.fail(f"{describe(whole)} has no part [{asked}]")

    def joined(self, *parts: object) -> object:
        """Return the text that ~ makes of texts; what is none would be printed as Python writes it."""
        found = [resolved(part) for part in parts]
        if any(isinstance(part, Bad) for part in found):
            return BAD
        for part in found:
            if not isinstance(part, str | Plain):
                return self.desk.fail(f"'~' joins texts, and {describe(part)} is none", "print it by itself")
        return markup_join(found)

    def mapping(self, *pairs: tuple[Any, object]) -> dict[Any, object]:
        """Return a mapping of keys to values, without those that are no keys."""
        found = {}
        for key, value in pairs:
            if isinstance(resolved(key), str | int | float):
                found[key] = resolved(value)
            elif not isinstance(resolved(key), Bad):
                self.desk.fail(f"{describe(key)} is no key", 'a key is a text in quotes, as in {"layers": 2}')
        return found

    def items(self, value: object, shape: Shape) -> list[object]:
        """Return what a loop goes through, each as its names take it apart; something, so that its body is read too."""
        whole = resolved(value)
        if not isinstance(whole, Iterable):
            whole = self.desk.fail(f"{describe(whole)} is no list", "a list is written [...]")
        return [self.parts(one, shape) for one in ([BAD] if isinstance(whole, Bad) else whole)]

    def parts(self, value: object, shape: Shape) -> object:
        """Return a value as names take it apart: one for each; what does not come apart is a mistake of the page."""
        if shape is None:
            return value
        whole = resolved(value)
        if isinstance(whole, list | tuple) and len(whole) == len(shape):
            return [self.parts(one, each) for one, each in zip(whole, shape, strict=True)]
        if not isinstance(whole, Bad):
            self.desk.fail(f"{describe(whole)} is not {len(shape)} values, one for each name")
        return [self.parts(BAD, each) for each in shape]

    def keys(self, value: Any, taken: Collection[str]) -> Mapping[str, object]:
        """Return the keys and values that a call takes from a mapping, without those that are written out beside it."""
        whole = resolved(value)
        if not isinstance(whole, Mapping | Bad):
            whole = self.desk.fail(f"{describe(whole)} gives no arguments", 'a mapping does, as in {"layers": 2}')
        if isinstance(whole, Bad):
            return dict.fromkeys(whole.keys(), BAD)
        for key in [key for key in whole if key in taken]:
            self.desk.fail(f"the argument '{key}' stands twice", "delete one of them")
        for key in [key for key in whole if not isinstance(key, str) or key.startswith("_")]:
            self.desk.fail(f"no argument is called {describe(key)}")
        return {key: one for key, one in whole.items() if isinstance(key, str) and key[:1] != "_" and key not in taken}

    def _undone(self, message: str, left: object, sign: str, right: object, hint: str = "") -> Bad:
        """Note an operation that can't be done, under its own words if they are found in its line."""
        path, line = self.desk.place()
        source = self.loader.get_source(self, path)[0] if self.loader else ""
        operation = rf"{re.escape(repr(left))}\s*{re.escape(sign)}\s*{re.escape(repr(right))}"
        found = re.search(operation.replace("'", "[\"']"), source.split("\n")[line - 1])
        return self.desk.fail(message, hint, near=Near.whole(found[0]) if found else NOWHERE)


def _repeats(left: object, right: object) -> bool:
    """Tell whether a product would repeat a text or list."""
    return any(
        isinstance(one, str | list | tuple) and isinstance(other, int) for one, other in ((left, right), (right, left))
    )


def _unfit(sign: str, left: object, right: object) -> str:
    match sign:
        case "in" | "not in":
            return f"{describe(left)} cannot be looked for in {describe(right)}"
        case "<" | "<=" | ">" | ">=":
            return f"'{sign}' does not compare {describe(left)} with {describe(right)}"
        case _:
            return f"'{sign}' is not for {describe(left)} and {describe(right)}"


def _raise_ours(error: Exception) -> None:
    """Raise an error that arose in the project's own code, and not where a page asks Python or Jinja for something."""
    frame, module = error.__traceback__, ""
    while frame is not None:
        module, frame = frame.tb_frame.f_globals.get("__name__", ""), frame.tb_next
    if module != __name__ and module.partition(".")[0] != "jinja2":
        raise error
