"""Code between two lines of ticks, and code whose last line of ticks is missing, or is none.

Markdown reads on to the end of a file where code never ends, and prints all of it. So code that holds the heading of a
section, or the first line of other code, is taken for code that was never closed: it ends with its paragraph.
"""

from __future__ import annotations

import re

_EDGE = r"^[ \t>]*"
_OPENING = r"`{3,}(?=[^\n`]*\n)|~{3,}"
# What three ticks do not hold; more of them do.
_SECTION = r"^[ \t>]*\#{2,6}[ \t][^\n]*\{\#[a-z][a-z0-9-]*\}[ \t]*$"
_OTHER = r"(?<=\n\n)[ \t>]*(?:```|~~~)[ \t]*[^\s`~][^\n`]*$"
_INNER = rf"(?:(?!{_SECTION}|{_OTHER}).)"
CLOSED = (
    rf"(?P<fence>{_EDGE}(?:(?P<three>```(?=[^\n`]*\n)|~~~(?!~))[^\n]*\n{_INNER}*?{_EDGE}(?P=three)"
    rf"|(?P<ticks>`{{4,}}(?=[^\n`]*\n)|~{{4,}})[^\n]*\n.*?{_EDGE}(?P=ticks))[`~]*[ \t]*$)"
)
UNCLOSED = (
    rf"(?P<unclosed>{_EDGE}(?P<few>``?)[ \t]*\n(?:(?![ \t>]*(?:\n|`))[^\n]*\n)+?[ \t>]*(?P<enough>`{{3,}})[ \t]*$"
    rf"|{_EDGE}(?P<run>{_OPENING})[^\n]*\n"
    rf"(?:{_INNER}*?{_EDGE}(?P<odd>[`~]{{2,}})[ \t]*$"
    rf"|(?:(?![ \t>]*\n)[^\n]*\n)*?(?:[ \t>]*(?P<more>[`~]{{2,}}[^\n`~]*)$|(?=[ \t>]*\n|\Z))))"
)


def amiss(found: re.Match[str]) -> tuple[str, str, str]:
    """Return which group of code that is not closed is wrong, what is said of it, and a hint."""
    ticks = found["run"]
    if found["few"]:
        return "few", f"'{found['few']}' alone in its line opens no code", f"write {found['enough']}, as below it"
    for end in ("odd", "more"):
        if found[end]:
            what = "other ticks" if end == "odd" else "a line that holds more"
            return end, f"code that opens with '{ticks}' ends with '{found[end]}', {what}", f"write {ticks} alone"
    return "run", f"the code that '{ticks}' opens never ends", f"write {ticks} below it"
