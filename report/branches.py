"""Every branch of a text is read, whichever is taken: an author meets the mistakes of the others later.

    {% if bta > 1 %}{{ bad_one }}{% else %}{{ bad_two }}{% endif %}

A branch that is not taken, and the body of a loop over nothing, stand a second time behind their tag, where they are
run for their mistakes alone (report/aside.py). Leaves out: which branch is taken (report/environment.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from itertools import count

from jinja2 import nodes
from jinja2.visitor import NodeTransformer

from report import marks

BROKEN = "_broken"  # the name of what cannot be read


def asked(what: str, *given: nodes.Node) -> nodes.Call:
    """Return a call of the environment."""
    return nodes.Call(nodes.EnvironmentAttribute(what), list(given), [], None, None)


def watched(template: nodes.Template) -> nodes.Template:
    """Return a template in which each branch is read, taken or not."""
    _Watcher().visit(template)
    return template


class _Watcher(NodeTransformer):
    """Numbers the choices of a text, and lays what reads the other branches behind each."""

    def __init__(self) -> None:
        self._numbers = count()

    def visit_If(self, node: nodes.If) -> list[nodes.Node]:  # noqa: N802  # Jinja calls it so
        """Return a choice of two; what follows elif is a choice within the second."""
        n = nodes.Const(next(self._numbers))
        rest = _rest(node)
        looks = [_look(n, True, node.body), _look(n, False, rest)]
        body = [_does("doubted", n), *self._all(node.body), _does("sure", n)]
        chosen = nodes.If(asked("chosen", n, node.test), body, [], self._all(rest))
        return [one.set_lineno(node.lineno) for one in (_begins(n), chosen, *looks)]

    def visit_For(self, node: nodes.For) -> list[nodes.Node]:  # noqa: N802
        """Return a loop that notes whether it was run through, and keeps what its filter can't judge."""
        n = nodes.Const(next(self._numbers))
        looks = [_look(n, True, [node]), _look(n, False, node.else_)]
        test = node.test and asked("kept", node.test)
        body = [_does("ran", n), *self._all(node.body)]
        loop = nodes.For(node.target, node.iter, body, self._all(node.else_), test, node.recursive)
        return [one.set_lineno(node.lineno) for one in (_begins(n), loop, *looks)]

    def _all(self, body: Iterable[nodes.Node]) -> list[nodes.Node]:
        found: list[nodes.Node] = []
        for node in body:
            new = self.visit(node)
            found += new if isinstance(new, list) else [new]
        return found


class _Flat(NodeTransformer):
    """Lays all branches one behind the other, and goes through each loop once, with what stands for a mistake."""

    def visit_If(self, node: nodes.If) -> list[nodes.Node]:  # noqa: N802
        """Return the condition and all branches."""
        test = nodes.ExprStmt(node.test).set_lineno(node.lineno)
        return [test, *_both(_flat(node.body), _flat(_rest(node)), node.lineno)]

    def visit_For(self, node: nodes.For) -> list[nodes.Node]:  # noqa: N802
        """Return a loop of one round, without its filter, and what stands under else."""
        tests = [nodes.ExprStmt(node.test)] if node.test else []
        once = nodes.For(node.target, nodes.Name(BROKEN, "load"), [*tests, *_flat(node.body)], [], None, False)
        return _both([once.set_lineno(node.lineno)], _flat(node.else_), node.lineno)


def _both(first: list[nodes.Node], second: list[nodes.Node], line: int) -> list[nodes.Node]:
    """Return two parts, one behind the other, that can be told apart in what they print."""
    before, between, behind = (_text(mark).set_lineno(line) for mark in (marks.FIRST, marks.SECOND, marks.BOTH))
    return [before, *first, between, *second, behind]


def _begins(n: nodes.Const) -> nodes.Node:
    return nodes.Output([asked("begins", n)])


def _text(text: str) -> nodes.Node:
    return nodes.Output([nodes.TemplateData(text)])


def _flat(body: Iterable[nodes.Node]) -> list[nodes.Node]:
    found: list[nodes.Node] = []
    for node in body:
        new = _Flat().visit(node)
        found += new if isinstance(new, list) else [new]
    return found


def _rest(node: nodes.If) -> list[nodes.Node]:
    """Return what is taken where a condition does not hold."""
    if not node.elif_:
        return list(node.else_)
    first, *others = node.elif_
    return [nodes.If(first.test, first.body, others, node.else_).set_lineno(first.lineno)]


def _look(n: nodes.Const, part: bool, body: Iterable[nodes.Node]) -> nodes.Node:
    """Return what reads a part of a choice for its mistakes if it was not taken."""
    read = _flat(deepcopy(list(body)))
    return nodes.CallBlock(asked("looked", n, nodes.Const(part), nodes.Const(_last(read))), [], [], read)


def _last(body: Iterable[nodes.Node]) -> int:
    """Return the line on which the text of a branch ends, 0 for one without text."""
    texts = (text for node in body for text in node.find_all(nodes.TemplateData) if text.data[:1] not in marks.PARTS)
    return max((text.lineno + text.data.count("\n") for text in texts), default=0)


def _does(what: str, n: nodes.Const) -> nodes.Node:
    return nodes.ExprStmt(asked(what, n))
