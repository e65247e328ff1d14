"""The tags that place a figure, a table or the board in the text, with a caption that is prose like any other.

    {% figure "roofline", "Title." %}What to see, with {{ live.T_min | sig(3) }}.{% endfigure %}
    {% table "modern-machines" %}What the columns are.{% endtable %}
    {% board "claim" %}{% endboard %}

The part itself comes from `Setting.blocks`, which puts the part's own numbers down at the page's desk; here it is laid
around the caption. Leaves out: what the parts are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from markupsafe import Markup

from report.asking import AuthorError
from report.desk import Html
from report.numbers import resolved
from report.preprocess import PageEnvironment

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
        call = self.call_method("_place", [nodes.Const(token.value), nodes.Const(token.lineno), *arguments])
        return nodes.CallBlock(call, [], [], body).set_lineno(token.lineno)

    def _place(self, kind: str, line: int, *arguments: object, caller: Callable[[], Any]) -> str:
        desk = self.environment.desk
        caption = str(caller())
        try:
            if kind not in desk.setting.blocks:
                raise AuthorError(f"there is no part '{kind}'")
            texts = [str(resolved(argument)) for argument in arguments]
            desk.texts += [(line, text) for text in texts[1:]]
            before, _, after = desk.setting.blocks[kind](desk, *texts).partition(CAPTION)
        except AuthorError as error:
            desk.fail(error.message, error.hint, line)
            return Markup(caption)
        opened = desk.put(Html(before, block=True, edge="open"))
        return Markup(opened + caption.strip(" \n") + desk.put(Html(after, block=True, edge="close")))
