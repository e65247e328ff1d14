"""What a page's Jinja is translated to: a smaller language than Jinja's, in which nothing that is wrong stops a page.

Where Jinja would hand an operation to Python as it is, the environment is asked instead (report/environment.py), so
that one that cannot be done is noted and all goes on. What is left out of the language has no use on a page, or could
fail where no place is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jinja2 import nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.parser import Parser

from report.branches import asked as _asked
from report.branches import watched

MOST = 1e300  # a number that leaves room to reckon with
BEYOND = "a number beyond all numbers"
TAGS = frozenset({"for", "if", "set", "include"})
Shape = tuple[Any, ...] | None  # how names take a value apart: a shape for each, None for a name by itself
_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "lteq": "<=", "gt": ">", "gteq": ">=", "in": "in", "notin": "not in"}


class PageParser(Parser):
    """Reads the tags that a page may use, and none of Jinja's others."""

    def parse(self) -> nodes.Template:
        """Return a whole text, with all its branches read."""
        found = watched(nodes.Template(self.subparse(), lineno=1))
        found.set_environment(self.environment)
        return found

    def parse_statement(self) -> nodes.Node | list[nodes.Node]:
        """Return what a tag comes to; raise TemplateSyntaxError for one that pages do not have."""
        token = self.stream.current
        if token.type == "name" and token.value not in TAGS and token.value not in self.extensions:
            self.fail_unknown_tag(token.value, token.lineno)
        return super().parse_statement()


class PageGenerator(CodeGenerator):
    """Writes the Python of a page, with the environment asked for what may fail; Jinja gives its methods' names."""

    def visit_Const(self, node: nodes.Const, frame: Frame) -> None:  # noqa: N802
        """Write a number or text; Python has no literal for an infinite one."""
        if isinstance(node.value, int | float) and abs(node.value) > MOST:
            self.fail(BEYOND, node.lineno)
        super().visit_Const(node, frame)

    def visit_Compare(self, node: nodes.Compare, frame: Frame) -> None:  # noqa: N802
        """Write a comparison, or a chain of them."""
        signs = nodes.Const(tuple(_SIGNS[one.op] for one in node.ops))
        self.visit(_asked("compared", signs, node.expr, *(one.expr for one in node.ops)), frame)

    def visit_Getitem(self, node: nodes.Getitem, frame: Frame) -> None:  # noqa: N802
        """Write a part of a list or mapping."""
        if isinstance(node.arg, nodes.Slice):
            ends = (node.arg.start, node.arg.stop, node.arg.step)
            self.visit(_asked("cut", node.node, *(end or nodes.Const(None) for end in ends)), frame)
        else:
            super().visit_Getitem(node, frame)

    def visit_Concat(self, node: nodes.Concat, frame: Frame) -> None:  # noqa: N802
        """Write what ~ joins."""
        self.visit(_asked("joined", *node.nodes), frame)

    def visit_Dict(self, node: nodes.Dict, frame: Frame) -> None:  # noqa: N802
        """Write a mapping, whose keys may be no keys."""
        pairs = [nodes.Tuple([pair.key, pair.value], "load") for pair in node.items]
        self.visit(_asked("mapping", *pairs), frame)

    def visit_Filter(self, node: nodes.Filter, frame: Frame) -> None:  # noqa: N802
        """Write a filter; raise TemplateSyntaxError where there is none of its name, behind an `if` too."""
        if node.name not in self.environment.filters:
            self.fail(f"No filter named {node.name!r}.", node.lineno)
        super().visit_Filter(node, frame)

    def visit_Test(self, node: nodes.Test, frame: Frame) -> None:  # noqa: N802
        """Write a test; raise TemplateSyntaxError where there is none of its name, or it is given more."""
        if node.name not in self.environment.tests:
            self.fail(f"No test named {node.name!r}.", node.lineno)
        if node.args or node.kwargs or node.dyn_args or node.dyn_kwargs:
            self.fail(f"the test '{node.name}' takes nothing behind it", node.lineno)
        super().visit_Test(node, frame)

    def visit_CondExpr(self, node: nodes.CondExpr, frame: Frame) -> None:  # noqa: N802
        """Write one value or another; without another it is an empty text."""
        self._later("picked", frame, node.test, node.expr1, node.expr2 or nodes.Const(""))

    def visit_And(self, node: nodes.BinExpr, frame: Frame) -> None:  # noqa: N802
        """Write the first value if it is false, else the second."""
        self._later("both", frame, node.left, node.right)

    def visit_Or(self, node: nodes.BinExpr, frame: Frame) -> None:  # noqa: N802
        """Write the first value if it is true, else the second."""
        self._later("either", frame, node.left, node.right)

    def visit_Not(self, node: nodes.UnaryExpr, frame: Frame) -> None:  # noqa: N802
        """Write whether a value is false."""
        self.visit(_asked("negated", node.node), frame)

    def _later(self, what: str, frame: Frame, first: nodes.Expr, *others: nodes.Expr) -> None:
        """Write a call of the environment that is given one value, and others to work out when they are called for."""
        self.write(f"environment.{what}(")
        self.visit(first, frame)
        for one in others:
            self.write(", lambda: ")
            self.visit(one, frame)
        self.write(")")

    def visit_For(self, node: nodes.For, frame: Frame) -> None:  # noqa: N802
        """Write a loop; raise TemplateSyntaxError for one that calls itself."""
        self._named(node.target)
        if node.recursive:
            self.fail("a loop does not call itself", node.lineno)
        node.iter = _asked("items", node.iter, nodes.Const(_shape(node.target)))
        super().visit_For(node, frame)

    def visit_Assign(self, node: nodes.Assign, frame: Frame) -> None:  # noqa: N802
        """Write what a name is set to; raise TemplateSyntaxError for a name with a dot."""
        self._named(node.target)
        if isinstance(node.target, nodes.Tuple):
            node.node = _asked("parts", node.node, nodes.Const(_shape(node.target)))
        super().visit_Assign(node, frame)

    def visit_AssignBlock(self, node: nodes.AssignBlock, frame: Frame) -> None:  # noqa: N802
        """Write the text that a name is set to; raise TemplateSyntaxError for more names than one, or a filter."""
        self._named(node.target)
        if isinstance(node.target, nodes.Tuple) or node.filter:
            self.fail("a text is set to one name, as it is", node.lineno)
        super().visit_AssignBlock(node, frame)

    def signature(
        self,
        node: nodes.Call | nodes.Filter | nodes.Test,
        frame: Frame,
        extra_kwargs: Mapping[str, Any] | None = None,
    ) -> None:
        """Write what a call is given; raise TemplateSyntaxError for a name that only Jinja itself gives."""
        named = tuple(one.key for one in node.kwargs)
        if hidden := [name for name in named if str(name).startswith("_")]:
            self.fail(f"no argument is called '{hidden[0]}'", node.lineno)
        if node.dyn_args:
            node.dyn_args = _asked("items", node.dyn_args, nodes.Const(None))
        if node.dyn_kwargs:
            node.dyn_kwargs = _asked("keys", node.dyn_kwargs, nodes.Const(named))
        super().signature(node, frame, extra_kwargs)

    def _named(self, target: nodes.Node) -> None:
        """Raise TemplateSyntaxError for a name that cannot be given."""
        names = target.items if isinstance(target, nodes.Tuple) else [target]
        for name in names:
            if isinstance(name, nodes.Tuple):
                self._named(name)
            elif isinstance(name, nodes.NSRef):
                self.fail("a name that is set holds no dot", target.lineno)
            elif isinstance(name, nodes.Name) and name.name == "loop":
                self.fail("the name 'loop' is taken: a loop calls itself so", target.lineno)


def _shape(target: nodes.Node) -> Shape:
    return tuple(map(_shape, target.items)) if isinstance(target, nodes.Tuple) else None
