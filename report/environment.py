"""The Jinja environment of a page: it knows the page, and what an expression cannot do is a mistake of the page."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context

from report.described import describe
from report.errors import NOWHERE, Near
from report.numbers import Num

if TYPE_CHECKING:
    from report.desk import Desk

MOST = 1e300  # a number that leaves room to reckon with
BEYOND = "a number beyond all numbers"
_JINJA = frozenset({"for", "if", "set", "with", "macro", "call", "filter", "include", "import", "from", "raw"})
_CALLED = 2  # frames down to what Python itself refuses: of this environment and of Jinja's context
_POWER = 1000  # exponents above it take for ever
_OPERATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
}


_SIGNS: Mapping[str, Callable[[Any], Any]] = {"-": operator.neg, "+": operator.pos}


class _Generator(CodeGenerator):
    def visit_Const(self, node: nodes.Const, frame: Frame) -> None:  # noqa: N802  # Jinja calls it so
        # Python has no literal for an infinite one.
        if isinstance(node.value, int | float) and abs(node.value) > MOST:
            self.fail(BEYOND, node.lineno)
        super().visit_Const(node, frame)


class PageEnvironment(Environment):
    """A Jinja environment that knows the page it is for.

    As in Jinja's sandbox, arithmetic and calls pass through here: one that can't be done is noted, and all goes on.
    """

    desk: Desk
    code_generator_class = _Generator
    sandboxed = True
    intercepted_binops = frozenset(_OPERATIONS)
    intercepted_unops = frozenset(_SIGNS)

    def tags(self) -> frozenset[str]:
        """Return the tags that a page may use: Jinja's own and those of the page's extensions."""
        return _JINJA.union(*(one.tags for one in self.extensions.values()))

    def call_binop(self, _context: Context, sign: str, left: object, right: object) -> object:
        """Return what an operator gives; what cannot be worked out is a mistake of the page."""
        if sign == "**" and isinstance(right, int | float) and abs(right) > _POWER:
            return self.desk.fail(f"a power of {right} is out of all reason")
        try:
            return _OPERATIONS[sign](left, right)
        except Exception as error:
            if _depth(error) > 1:
                raise  # a fault of ours, in what the operator does
            return self._undone(error, sign, left, right)

    def call_unop(self, _context: Context, sign: str, value: Any) -> object:
        """Return what a sign gives; what has none is a mistake of the page."""
        try:
            return _SIGNS[sign](value)
        except Exception as error:
            if _depth(error) > 1:
                raise
            return self.desk.fail(str(error))

    def call(self, context: Context, called: Any, /, *arguments: object, **given: object) -> object:
        """Return what a call gives; a name that cannot be called is a mistake of the page."""
        if not callable(called):
            return self.desk.fail(f"{describe(called)} is no function", "nothing in brackets belongs behind it")
        try:
            return context.call(called, *arguments, **given)
        except Exception as error:
            if _depth(error) > _CALLED:
                raise  # a fault of ours, in what is called
            return self.desk.fail(str(error))

    def _undone(self, error: Exception, sign: str, left: object, right: object) -> object:
        path, line = self.desk.place()
        source = self.loader.get_source(self, path)[0] if self.loader else ""
        operation = rf"{re.escape(repr(left))}\s*{re.escape(sign)}\s*{re.escape(repr(right))}"
        found = re.search(operation.replace("'", "[\"']"), source.split("\n")[line - 1])
        if isinstance(left, Num) and isinstance(right, int | float):
            return self.desk.fail(f"'{sign}' is not for numbers of the model", "those take +, -, * and /")
        return self.desk.fail(str(error), near=Near.whole(found[0]) if found else NOWHERE)


def _depth(error: Exception) -> int:
    """Return through how many frames an error came."""
    found, frame = 0, error.__traceback__
    while frame is not None:
        found, frame = found + 1, frame.tb_next
    return found
