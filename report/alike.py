"""What makes two questions, numbers or conditions of the pages the same one: a key to remember things by."""

from __future__ import annotations

from collections.abc import Hashable

from report.conditions import Compare, Cond, Join, Not
from report.memory import Same
from report.numbers import Const, Num, Op
from report.questions import Asked
from report.shown import Cell


def identity(tree: Num | Cond) -> Hashable:
    """Return a key that is equal for trees which ask the same of one model, in the same words."""
    match tree:
        case Asked():
            return ("asked", tree.key, tree.given, tree.live)
        case Const():
            return ("typed", tree.number, str(tree.unit), tree.text)
        case Cell():
            return ("cell", tree.path, tree.text, repr((tree.number, tree.unit, tree.says, tree.given, tree.figure)))
        case Op() | Compare():
            return (tree.op, identity(tree.left), identity(tree.right))
        case Join():
            return (tree.op, *map(identity, tree.parts))
        case Not():
            return ("not", identity(tree.part))
    return Same(tree)
