"""What is said of a filter or function of prose that is called with too little, too much, or about the wrong thing."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from report.tags import flat

# As one writes them: of most, an argument says nothing by its name.
_EXAMPLES = {
    **{"sig": "sig(3)", "qty": "qty(3)", "percent": "percent(2)", "count": 'count("token")'},
    **{"cite": 'cite("pope2026")', "fact": 'fact("the words of the source", "pope2026")', "ref": 'ref("fig-roofline")'},
}
_BOUND = r"[\w)_]\s*[-+*/]\s*[\w.]+_*\s*\|\s*"


def misfit(name: str, signature: inspect.Signature, error: str) -> tuple[str, str]:
    """Return what is said of arguments that do not fit, of which Python says an error."""
    if found := re.search(r"missing a required (?:keyword-only )?argument: '(\w+)'", error):
        example = _EXAMPLES.get(name)
        return f"{name}: '{found[1]}' is missing", f"write {example}" if example else _all(signature)
    return f"{name}: {error}", _all(signature)


def _all(signature: inspect.Signature) -> str:
    return f"it takes {', '.join(takes(signature))}"


def takes(signature: inspect.Signature) -> Iterator[str]:
    """Yield the arguments of a callable by name; what may be left out stands in brackets."""
    for part in signature.parameters.values():
        name = f"{part.name}=..." if part.kind is part.VAR_KEYWORD or part.kind is part.KEYWORD_ONLY else part.name
        yield name if part.default is part.empty else f"[{name}]"


def binds(tag: str, name: str) -> str:
    """Return the hint for a filter that takes only the last part of a sum or product in its tag; '' for others."""
    if not re.search(_BOUND + rf"{name}(?![a-z])", flat(tag)):
        return ""
    return f"a filter takes what stands next to it: write (a + b) | {name}(...)"
