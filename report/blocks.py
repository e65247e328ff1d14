"""The tags that place a figure, a table or the board in the text, with a caption that is prose like any other.

    {% figure "roofline", "Title." %}What to see, with {{ live.T_min | sig(3) }}.{% endfigure %}
    {% table "modern-machines" %}What the columns are.{% endtable %}
    {% board "claim" %}{% endboard %}

The part itself comes from `Setting.blocks`, which puts the part's own numbers down at the page's desk; here it is laid
around the caption. Leaves out: what the parts are.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Sequence
from typing import Any

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from markupsafe import Markup

from report import spots
from report.asking import AuthorError
from report.conditions import Bad
from report.described import resolved
from report.desk import Block, Desk, Html
from report.environment import PageEnvironment

CAPTION = "\ue001"  # where a part's template leaves room for its caption


class BlockTag(Extension):
    """Parses {% figure name, title %} caption {% endfigure %}, and the same for a table."""

    tags = {"figure", "table", "board"}  # noqa: RUF012  # Jinja declares it so
    environment: PageEnvironment

    def parse(self, parser: Parser) -> nodes.Node:
        """Return the node that lays the part around its caption."""
        token = next(parser.stream)
        arguments = [parser.parse_expression()]
        while parser.stream.skip_if("comma"):
            arguments.append(parser.parse_expression())
        body = parser.parse_statements((f"name:end{token.value}",), drop_needle=True)
        call = self.call_method("_place", [nodes.Const(token.value), nodes.Const(spots.line(token.lineno)), *arguments])
        return nodes.CallBlock(call, [], [], body).set_lineno(token.lineno)

    def _line(self, line: int) -> str:
        """Return a line of the text."""
        loader, path = self.environment.loader, self.environment.desk.place()[0]
        source = loader.get_source(self.environment, path)[0] if loader else ""
        return source.split("\n")[line - 1]

    def _place(self, kind: str, line: int, *arguments: object, caller: Callable[[], Any]) -> str:
        desk = self.environment.desk
        caption = str(caller())
        found = [resolved(argument) for argument in arguments]
        if any(isinstance(argument, Bad) for argument in found):  # said already
            desk.unread.append(self._line(line))
            return Markup(caption)
        texts = [str(argument) for argument in found]
        try:
            part = _part(desk, kind, texts)
            desk.texts += [(line, text) for text in texts[1:]]
            before, _, after = part(desk, *texts).partition(CAPTION)
        except AuthorError as error:
            desk.unread += [f'{kind} "{name}"' for name in re.findall(r"'([^']+)'", error.hint)]
            desk.fail(error.message, error.hint, line)
            return Markup(caption)
        desk.blocks.append(Block(kind, texts[0], line, desk.stands()[2]))
        opened = desk.put(Html(before, block=True, edge="open"))
        return Markup(opened + caption.strip(" \n") + desk.put(Html(after, block=True, edge="close")))


def _part(desk: Desk, kind: str, texts: Sequence[str]) -> Callable[..., str]:
    """Return what makes a part; raise AuthorError where there is none, or where it wants other texts."""
    if kind not in desk.setting.blocks:
        raise AuthorError(f"there is no part '{kind}'")
    part = desk.setting.blocks[kind]
    wanted = list(inspect.signature(part).parameters.values())[1:]
    least = sum(one.default is one.empty for one in wanted)
    if not least <= len(texts) <= len(wanted):
        names = ", ".join(f'"{one.name}"' for one in wanted)
        raise AuthorError(f"{{% {kind} %}} takes {_ORDINAL[len(wanted)]}", f"write {{% {kind} {names} %}}")
    return part


_ORDINAL = ("nothing", "a name", "a name and a title")
