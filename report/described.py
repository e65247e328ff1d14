"""A value that an expression of an author gives, whatever it is: resolved, and named in a message."""

from __future__ import annotations

from report.asking import AuthorError

_SHOWN = 60  # letters of a value that a message repeats


def real(value: float) -> float:
    """Return what an author wrote as the model takes it; raise AuthorError where it is too large."""
    try:
        return float(value)
    except OverflowError:
        raise AuthorError(f"a number of {len(str(abs(int(value))))} digits is out of all reason") from None


def resolved(value: object) -> object:
    """Return a value; an undefined name is reported here and stands as a mistake from then on."""
    resolve = getattr(type(value), "resolve", None)
    return resolve(value) if resolve else value


def describe(value: object) -> str:
    """Return how to name a value in a message."""
    said = getattr(value, "say", None)
    if callable(said):
        return str(said())
    if isinstance(value, str | int | float | None):
        return _short(repr(value))
    if isinstance(value, list | tuple):
        held = ", ".join(map(describe, value[:_SHOWN]))
        return _short(f"[{held}]" if isinstance(value, list) else f"({held})")
    if isinstance(value, dict):
        return _short("{" + ", ".join(f"{describe(key)}: {describe(one)}" for key, one in value.items()) + "}")
    return "a name without its brackets" if callable(value) else "what stands here"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
