"""The lead of a page: the sentence or two in large type under its title, prose like any other.

    {% lead %}It asks for {{ live.beta | sig(3) }} operations of each byte.{% endlead %}

It stands first in the text, right below the front matter, and is one paragraph. Leaves out: how it looks.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from markupsafe import Markup

from report import spots
from report.constructs import opens
from report.desk import Html
from report.environment import PageEnvironment
from report.marks import ended, unmark

EDGE = "lead"  # marks the paragraph that is one
_LEAD = re.compile(r'\A<p class="lead">(.*?)</p>\n?', re.DOTALL)


class LeadTag(Extension):
    """Parses {% lead %}...{% endlead %}."""

    tags = {"lead"}  # noqa: RUF012  # Jinja declares it so
    environment: PageEnvironment

    def parse(self, parser: Parser) -> nodes.Node:
        """Return the node that makes its text a paragraph of its own."""
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endlead",))
        last = nodes.Const(spots.line(next(parser.stream).lineno))
        return nodes.CallBlock(self.call_method("_lead", [last]), [], [], body).set_lineno(line)

    def _lead(self, last: int, caller: Callable[[], str]) -> str:
        desk, loader = self.environment.desk, self.environment.loader
        path, line = desk.place()
        if not opens(loader.get_source(self.environment, path)[0] if loader else "", line):
            desk.fail("a lead stands first on its page", "move it right below the front matter")
        text = str(caller()).strip(" \n")
        if re.search(r"\n[ \t]*\n", unmark(text)[0].strip()):
            desk.fail("a lead is one paragraph", "close it before the blank line")
        # The blank keeps Markdown from reading the mark as the beginning of the first word.
        return Markup(f"{ended(line)}\n{desk.put(Html('', edge=EDGE))} {text}{ended(last)}\n")


def parted(html: str) -> tuple[str, str]:
    """Return the markup of a page's lead, empty where it has none, and what follows it."""
    found = _LEAD.match(html)
    return (found[1], html[found.end() :]) if found else ("", html)
