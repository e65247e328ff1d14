"""A heading without an id and what points at it are one mistake: told once where that can be known."""

from __future__ import annotations

from pathlib import Path

import pytest

from report import nameless, prose
from report.errors import Problem
from report.telling import telling
from tests.report.toy import FRONT, SETTING


def told(folder: Path, text: str, site: str = "") -> list[str]:
    """Return what is told of the only page of a site, with the last good one."""
    content = folder / "words"
    content.mkdir()
    (content / "page.md").write_text(FRONT + text, encoding="utf-8")
    if site:
        (folder / "site").mkdir()
        (folder / "site" / "index.html").write_text(site, encoding="utf-8")
    setting = prose.Setting(SETTING.world, SETTING.catalogue, SETTING.vocabulary)
    found = prose.drafts([prose.Wanted("words/page.md", "index.html", "", setting)], folder).told()
    places = [place for group in telling(found, content, folder / "site").groups for place in group.places]
    return [place.problem.message for place in places]


POINTING = '{{ ref("pole-of-width") }} [so](#width-of-poles)\n\n'
HEADING = "heading 'The poles stand' has no id"
LOST = "there is no figure, table, equation or section '{}'"
LINK = "a link leads to '#{}', which is nowhere"


def test_a_heading_that_shares_words_with_a_name_is_told_alone(tmp_path: Path) -> None:
    assert told(tmp_path, '{{ ref("pole-of-width") }}\n\n## The poles stand') == [HEADING]


def test_so_is_one_to_which_a_link_leads(tmp_path: Path) -> None:
    assert told(tmp_path, "[so](#pole-of-width)\n\n## The poles stand") == [HEADING]


def test_the_last_good_site_knows_better(tmp_path: Path) -> None:
    site = '<h2 id="floor">The floor</h2>'
    said = told(tmp_path, f'{POINTING}{{{{ ref("floor") }}}}\n\n## The poles stand', site)
    assert said == [LOST.format("pole-of-width"), LINK.format("width-of-poles"), HEADING]


@pytest.mark.parametrize("title", ["The floor stands", "Of a thing with no pol", "A"])
def test_a_heading_that_shares_none_is_told_beside_it(tmp_path: Path, title: str) -> None:
    said = told(tmp_path, f"{POINTING}## {title}")
    assert said == [LOST.format("pole-of-width"), LINK.format("width-of-poles"), f"heading '{title}' has no id"]


def test_a_heading_has_lost_one_name_only(tmp_path: Path) -> None:
    said = told(tmp_path, '{{ ref("poles-stand") }} {{ ref("pole-of-width") }}\n\n## The poles stand')
    assert said == [LOST.format("pole-of-width"), HEADING]


def test_a_name_close_to_a_known_one_was_misspelt(tmp_path: Path) -> None:
    said = told(tmp_path, '{{ ref("the-pole") }}\n\n## A {#the-poles}\n\n## The pole stands')
    assert said == [LOST.format("the-pole"), "heading 'The pole stands' has no id"]


def test_without_a_heading_that_has_none_all_names_are_told(tmp_path: Path) -> None:
    every = [Problem("a.md", 1, 1, LOST.format("pole"), nameless="pole"), Problem("a.md", 2, 1, "odd")]
    assert nameless.left(every, tmp_path / "none") == every
