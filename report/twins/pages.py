"""Every page of text as Markdown beside it, and llms.txt, which tells machine readers what there is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape

from report import cache, memory
from report.twins.files import FOLDER, Group
from report.twins.index import ADDRESS
from report.twins.markdown import Writer
from report.twins.nodes import parse

WRITTEN = "report.twins.pages:written"
LLMS = "llms.txt"
_SECTION = re.compile(r"(?=<h2\b)")  # a page's headings stand in no other element
_ABOUT = (
    "One cost model is behind every number: the pages print what it answers, and each claim was checked when they were "
    "built. Numbers that follow the reader's own machine stand here for the scenario that a page opens with. Every "
    "quantity can be asked on the command line of the project, as in `python -m model T_min machine=h100-sxm5`."
)


@dataclass(frozen=True, slots=True)
class Source:
    """A page as its twin is made of it: where it stands, title, description, lead and body in HTML, works it cites."""

    address: str
    title: str
    description: str
    lead: str
    html: str
    works: Sequence[str] = ()

    @property
    def twin(self) -> str:
        """Return the path of the twin."""
        return twin(self.address)


def twin(address: str) -> str:
    """Return the path of a page's twin."""
    return address.removesuffix(".html") + ".md"


def twins(sources: Iterable[Source]) -> dict[str, bytes]:
    """Return the Markdown of each page, by path; the worker takes a share."""
    listed = {source.twin: source for source in sources}
    jobs = {path: (WRITTEN, _whole(source), _home(source.address)) for path, source in listed.items()}
    return cache.all_kept("markdown", jobs)


def _home(address: str) -> str:
    return address.rpartition("/")[2]


def _whole(source: Source) -> str:
    """Return the page as one run of HTML, as it is read."""
    up = "../" * source.address.count("/")
    lead = f"<p><em>{source.lead}</em></p>" if source.lead else ""
    about = (
        f'<blockquote><p>This is the text of <a href="{_home(source.address)}">the page</a> for readers of plain text. '
        "Numbers that follow the reader are those that the page opens with. "
        f'All data of the site: <a href="{up}{ADDRESS}">index</a>.</p></blockquote>'
    )
    cited = "".join(f"<li>{work}</li>" for work in source.works)
    works = f"<h2>References</h2><ol>{cited}</ol>" if cited else ""
    return f"<h1>{escape(source.title)}</h1>{lead}{about}{source.html}{works}"


def written(html: str, home: str) -> bytes:
    """Return HTML as a file of Markdown, section by section; home is the page's own file."""
    parts = (memory.recalled("section", (part, home), partial(_section, part, home)) for part in _SECTION.split(html))
    return ("\n\n".join(block for part in parts for block in part) + "\n").encode("utf-8")


def _section(html: str, home: str) -> list[str]:
    return Writer(home).blocks(parse(html).content)


def llms(title: str, description: str, sources: Sequence[Source], groups: Sequence[Group]) -> bytes:
    """Return llms.txt (llmstxt.org): what the site is, its pages as Markdown, its data, each with a line."""
    lines = [f"# {title}", "", f"> {description}", "", _ABOUT, "", "## Pages", ""]
    lines += [f"- [{source.title}]({source.twin}): {source.description}" for source in sources]
    for group in groups:
        lines += ["", f"## {group.title}", ""]
        for item in group.items:
            files = ", ".join(f"[{_name(path)}]({path})" for path in item.files)
            lines.append(f"- {files}: {item.says}")
    return ("\n".join(lines) + "\n").encode("utf-8")


def _name(path: str) -> str:
    return path.removeprefix(FOLDER)
