"""The model on the command line: one question, its answer, and everything that the answer rests on."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from model.book import QUANTITIES, ask, quantity
from model.bounds import BOUNDS, written
from model.figure import Source
from model.formula import LIMITS, STATES, Answer, Base, Formula, Given
from model.scenario import CHOICES, DEFAULT, QUIET, ScenarioError, base, settable
from model.units import Unit
from report import rounding
from report.catalogue import load
from report.errors import BuildError

_DIGITS = 6
CONTENT = Path(__file__).parent.parent / "content" / "catalogue"
USAGE = "usage: python -m model [QUANTITY [KEY=VALUE ...] [--sensitivity] [--json]]"
MEASURE = "       python -m model measure [--help]    measures the machine at hand"
FLAGS = ("--json", "--sensitivity", "--help", "-h")


def main(words: Sequence[str]) -> int:
    """Answer the question in the words of a command line; return 0, or 2 where the question is wrong."""
    flags = [word for word in words if word.startswith("-")]
    rest = [word for word in words if not word.startswith("-")]
    try:
        if unknown := [flag for flag in flags if flag not in FLAGS]:
            raise ScenarioError("", f"unknown option '{unknown[0]}'; {USAGE}")
        if not rest or "--help" in flags or "-h" in flags:
            say(listing())
            return 0
        answer, inputs = asked(rest[0], rest[1:])
    except (ScenarioError, BuildError) as error:
        print(f"model: {error}", file=sys.stderr)
        return 2
    say(told(answer, inputs if "--sensitivity" in flags else None, "--json" in flags))
    return 0


def told(answer: Answer, inputs: Base | None, as_data: bool) -> str:
    """Return what is printed: the answer, and with its inputs given what it is sensitive to; text or JSON."""
    if inputs is None:
        return json.dumps(as_json(answer), indent=2, ensure_ascii=False) if as_data else as_text(answer)
    from report import sensitivity  # SymPy's derivatives take a while to load

    if as_data:
        found = as_json(answer) | sensitivity.as_json(answer.quantity, inputs)
        return json.dumps(found, indent=2, ensure_ascii=False)
    lines = [f"{answer.quantity.key} = {said(answer)}", f"  {answer.quantity.says}"]
    return "\n".join(lines + sensitivity.as_lines(answer.quantity, inputs, said, _amount))


def say(text: str) -> None:
    """Print a text; a reader such as `head` may have closed the pipe before its end."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def put(key: str, pairs: Sequence[str]) -> Answer:
    """Put one question; raise ScenarioError for a wrong name, key or value."""
    return asked(key, pairs)[0]


def asked(key: str, pairs: Sequence[str]) -> tuple[Answer, Base]:
    """Return the answer to one question, and the inputs it was asked on."""
    try:
        quantity(key)
    except KeyError as error:
        raise ScenarioError("", str(error.args[0])) from None
    settings: dict[str, str | float] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not value:
            raise ScenarioError(name, f"'{pair}' is not KEY=VALUE")
        if name in settings:
            raise ScenarioError(name, f"{name} is given twice")
        settings[name] = value
    inputs = base(load(CONTENT), settings)
    return ask(key, inputs), inputs


def as_json(answer: Answer) -> dict[str, Any]:
    """Return the answer as one JSON object; value is null where there is a state."""
    return {
        "quantity": answer.quantity.key,
        "value": _word(answer) or answer.value,
        "unit": str(answer.quantity.unit),
        "state": answer.state,
        "says": answer.quantity.says,
        "latex": _latex(answer),
        "inputs": [_input(key, given) for key, given in answer.leaves().items()],
    }


def _word(answer: Answer) -> str:
    """Return what was chosen, where the question is about a choice."""
    return answer.given.value if answer.given and isinstance(answer.given.value, str) else ""


def _latex(answer: Answer) -> str:
    right = f" = {answer.formula.tex}" if answer.formula else ""
    return f"{answer.quantity.latex}{right}"


def _input(key: str, given: Given) -> dict[str, Any]:
    return {
        "key": key,
        "value": given.value,
        "unit": str(QUANTITIES[key].unit),
        "state": given.state,
        "status": given.status,
        "default": given.default,
        "low": given.low,
        "high": given.high,
        "row": given.row,
        "note": given.note,
        "sources": [_source(source) for source in given.sources],
    }


def _source(source: Source) -> dict[str, Any]:
    return {"title": source.title, "publisher": source.publisher, "year": source.year, "url": source.url}


def as_text(answer: Answer) -> str:
    """Return the answer as lines to read: value, formula with values put in, inputs with status and source."""
    name = answer.quantity.key
    lines = [f"{name} = {said(answer)}", f"  {answer.quantity.says}"]
    for step in _steps(answer):
        lines += ["", *_worked(step)]
    lines += ["", "inputs"]
    return "\n".join(lines + [_line(key, given) for key, given in answer.leaves().items()])


def said(answer: Answer) -> str:
    """Return a value with its unit, or the words of its state."""
    if answer.state:
        return f"{STATES[answer.state]} ({answer.state})"
    return _word(answer) or _amount(answer.value or 0.0, answer.quantity.unit)


def _amount(value: float, unit: Unit) -> str:
    """Return a value with its unit, with a prefix where the unit takes one: 989.4 TFLOP/s."""
    label = rounding.label(unit)
    if label.low or label.high:
        return rounding.qty(value, 4, label).replace(rounding.NBSP, " ")
    return f"{value:.{_DIGITS}g}" + (f" {unit}" if str(unit) != "1" else "")


def _steps(answer: Answer) -> Iterable[Answer]:
    """Yield the answers that have a formula, the question first, each once."""
    seen: set[str] = set()
    stack = [answer]
    while stack:
        found = stack.pop(0)
        if found.formula is not None and found.quantity.key not in seen:
            seen.add(found.quantity.key)
            yield found
            stack += list(found.inputs)


def _worked(answer: Answer) -> list[str]:
    formula = answer.formula
    assert isinstance(formula, Formula)
    values = {part.quantity.key: _short(part) for part in answer.inputs}
    first = f"{answer.quantity.key} = {formula.python}"
    missing = [part.quantity.key for part in answer.inputs if part.state and part.state not in LIMITS]
    why = f", for want of {', '.join(missing)}" if missing else ""
    return [f"  {first}", f"  {' ' * len(answer.quantity.key)} = {_put_in(formula, values)} = {said(answer)}{why}"]


def _put_in(formula: Formula, values: Mapping[str, str]) -> str:
    return re.sub(r"\b[A-Za-z_]\w*\b", lambda found: values.get(found.group(), found.group()), formula.python)


def _short(answer: Answer) -> str:
    """Return a value as it is put into a formula: ? where there is none, as on the cards of the pages."""
    if answer.state:
        return "inf" if answer.state in LIMITS else "?"
    return f"{answer.value:.6g}" if answer.value is not None else "?"


def _line(key: str, given: Given) -> str:
    unit = QUANTITIES[key].unit
    amount = _amount(given.value, unit) if isinstance(given.value, float) else given.value or STATES[given.state or ""]
    marks = [given.status] + (["default"] if given.default and given.status != "default" else [])
    rests = "; ".join(_title(source) for source in given.sources) or given.row or given.note
    return f"  {key:22} {amount:28} {', '.join(marks):22} {rests}".rstrip()


def _title(source: Source) -> str:
    made = ", ".join(str(part) for part in (source.publisher, source.year) if part)
    return f"{source.title} ({made})" if made else source.title


def listing() -> str:
    """Return what can be asked, and the keys that a question can set."""
    lines = [USAGE, MEASURE, "", "quantities"]
    derived = [entry for entry in QUANTITIES.values() if type(entry).__name__ != "Quantity"]
    lines += [f"  {entry.key:22} {entry.unit!s:18} {entry.says}" for entry in derived]
    lines += ["", "keys"]
    lines += [f"  {key:22} {_meaning(key)}{_default(key)}" for key in settable()]
    return "\n".join(lines)


def _default(key: str) -> str:
    default = DEFAULT.get(key, QUIET.get(key))
    return (
        "" if default is None else f" (default {default:g})" if isinstance(default, float) else f" (default {default})"
    )


def _meaning(key: str) -> str:
    """Return what a key means, in which unit, and what it lies between."""
    if key in CHOICES:
        return "one of " + ", ".join(CHOICES[key])
    words = {
        "machine": "an id of content/catalogue/machines.yaml, or own",
        "network": "an id of content/catalogue/networks.yaml, or own",
        "fabric": "nic, scale_up, or a rate per direction",
        "gated": "1 for a gated feed-forward block, with network=own",
        "tied": "1 for tied embeddings, with network=own",
    }
    if key in words:
        return words[key]
    entry = QUANTITIES[key]
    low, high = (written(end, entry.unit) for end in (BOUNDS[key].low, BOUNDS[key].high))
    unit = "" if str(entry.unit) == "1" else f", in {entry.unit}"
    return f"{entry.says}{unit}, {low} to {high}{', whole' if BOUNDS[key].whole else ''}"
