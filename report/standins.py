"""What can be read in the place of a tag that cannot, and leaves alone what goes with it.

Leaves out: which tags cannot be read, and what is wrong with them (report/mending.py).
"""

from __future__ import annotations

import re

from report.branches import BROKEN
from report.tags import ALONE, OWNER, TEXTS, Tag, open_tags, tags

TITLED = ("figure", "table", "board")
_OPENERS = {"if": "{% if 1 %}", "for": "{% for a in [] %}", "claim": '{% claim "a" %}', "set": "{% set a %}"}
_CONDITION = re.compile(r"(\{%[-+]?\s*if\b)(.*?)([-+]?%\})", re.DOTALL)
_UNFIT = re.compile(r"\b(?:\d\w*|loop|[nN]one|[tT]rue|[fF]alse)\b")  # no names to give
_NAMES = {
    "macro": r"[^\W\d]\w*(?=\s*[(,)=])",
    "with": r"[^\W\d]\w*(?=\s*=)",
    "import": r"(?<=\bas )[^\W\d]\w*",
    "from": r"[^\W\d]\w*(?=\s*[,%-])",
}


def stand_in(tag: Tag) -> str | None:
    """Return what can be read in the place of a tag that cannot, and leaves alone what goes with it."""
    word = tag.word
    if tag.text.startswith("{{"):
        return f"{{{{ {BROKEN} }}}}"
    if word == "claim":
        name = tag.name if re.fullmatch(r"[\w.-]+", tag.name) else f"broken-{tag.start}"
        return f'{{% claim "{name}", {BROKEN} %}}'
    if word in (*TITLED, "otherwise"):
        return f"{{% {word} {BROKEN} %}}"
    if word in ("if", "elif"):
        return f"{{% {word} {BROKEN} %}}"
    if word in ("else", "note", "lead") or word.startswith("end"):
        return f"{{% {word} %}}"
    if word in ("for", "set"):
        return _bound(tag)
    return "" if word in ALONE or not word else None


def _bound(tag: Tag) -> str:
    """Return the stand-in of a tag that gives names to what it goes through."""
    found = re.match(r"\{%[-+]?\s*(?:set|for)\s+(\w+(?:\s*,\s*\w+)*)", tag.text)
    names = _UNFIT.sub("_", found[1]) if found else "_"
    each = ", ".join([BROKEN] * (names.count(",") + 1))
    if tag.word == "for":
        return f"{{% for {names} in [({each})] %}}"
    return f"{{% set {names} %}}" if tag.opens else f"{{% set {names} = {each} %}}"


def unbound(tag: Tag) -> str:
    """Return what stands for a tag of Jinja's that pages do not have: its names, so that they are no unknown ones."""
    names = re.findall(_NAMES.get(tag.word, r"(?!)"), TEXTS.sub("_", tag.text))
    return "".join(f"{{% set {name} = {BROKEN} %}}" for name in names if not _UNFIT.fullmatch(name))


def opened(text: str) -> str:
    """Return a text that begins with a tag without an end so that what the tag holds is read in any case."""
    first, *others = tags(text)
    branches = [one for one in others if one.word in ("else", "elif") and open_tags(text, one.start) == [first]]
    for other in reversed(branches):
        text = text[: other.start] + "\n" * other.text.count("\n") + text[other.end :]
    if first.word == "if":
        return _CONDITION.sub(r"\1(\2) or true\3", text, count=1)
    if first.word == "for":
        return _bound(first) + "\n" * first.text.count("\n") + text[first.end :]
    return text


def alone(tag: Tag) -> str:
    """Return a text in which a tag stands as it should, to see whether the tag itself can be read."""
    word = tag.word
    opener = word.removeprefix("end") if word.startswith("end") else OWNER.get(word, "")
    if opener:
        before = _OPENERS.get(opener, f'{{% {opener} "a" %}}' if opener in TITLED else f"{{% {opener} %}}")
        return before + tag.text + ("" if word.startswith("end") else f"{{% end{opener} %}}")
    return tag.text + (f"{{% end{word} %}}" if tag.opens else "")
