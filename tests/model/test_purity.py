"""The model is arithmetic: it reads no file, asks no clock, draws no chance, prints nothing, knows no page."""

from __future__ import annotations

import ast
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

MODEL = Path(__file__).parent.parent.parent / "model"
# One edge to the report: the command line. Exactly this file.
EXEMPT = {"__main__.py"}
MODULES = sorted(path for path in MODEL.glob("**/*.py") if path.name not in EXEMPT)
# What arithmetic and records need. A new import is a decision, taken here.
ALLOWED = {
    "__future__",
    "collections",
    "dataclasses",
    "difflib",
    "fractions",
    "functools",
    "math",
    "model",
    "re",
    "sympy",
    "types",
    "typing",
}
CALLS = {"open", "print", "input", "exec", "compile", "__import__", "breakpoint", "globals", "setattr", "id", "hash"}


def impure(source: str) -> Iterator[str]:
    """Yield what a pure module would not have."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] not in ALLOWED)
        elif isinstance(node, ast.ImportFrom):
            if node.level or (node.module or "").split(".")[0] not in ALLOWED:
                yield f"from {node.module}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS:
            yield f"{node.func.id}()"
        elif isinstance(node, ast.Global | ast.Nonlocal):
            yield f"global {', '.join(node.names)}"


@pytest.mark.parametrize("path", MODULES, ids=[path.name for path in MODULES])
def test_a_module_of_the_model_is_pure(path: Path) -> None:
    assert list(impure(path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("path", MODULES, ids=[path.name for path in MODULES])
def test_eval_stands_where_the_formulas_are_compiled_and_nowhere_else(path: Path) -> None:
    calls = [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "eval"
    ]
    assert len(calls) == (2 if path.name == "formula.py" else 0)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("import os", "os"),
        ("import os.path as p", "os.path"),
        ("from pathlib import Path", "from pathlib"),
        ("from report.ask import main", "from report.ask"),
        ("from . import book", "from None"),
        ("import model.book, time", "time"),
        ("from random import random", "from random"),
        ("import logging", "logging"),
        ("x = open('a')", "open()"),
        ("def f():\n    print(1)", "print()"),
        ("def f():\n    global x\n    x = 1", "global x"),
    ],
)
def test_what_is_not_pure_is_found(source: str, found: str) -> None:
    assert list(impure(source)) == [found]


def test_the_command_is_the_only_exempt_module_and_short() -> None:
    text = (MODEL / "__main__.py").read_text(encoding="utf-8")
    assert {path.name for path in MODEL.glob("**/*.py")} - {path.name for path in MODULES} == EXEMPT
    assert set(impure(text)) <= {"sys", "from report.ask", "from report.measure"}
    assert len(text.splitlines()) <= 20


def test_the_command_hands_its_words_to_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["model", "betta"])
    with pytest.raises(SystemExit) as done:
        runpy.run_module("model", run_name="__main__")
    assert done.value.code == 2
    assert "main" in runpy.run_path(str(MODEL / "__main__.py"), run_name="elsewhere")


def test_there_is_a_test_of_every_module() -> None:
    assert len(MODULES) >= 18
