"""README.md and CONTRIBUTING.md: what they name is there."""

import re
from pathlib import Path

import pytest

from report.command import FLAGS, WORDS

PAGES = ("README.md", "CONTRIBUTING.md")


@pytest.mark.parametrize("page", PAGES)
def test_every_relative_link_leads_somewhere(root: Path, page: str) -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)\)", (root / page).read_text())
    assert [target for target in targets if not (root / target).exists()] == []


@pytest.mark.parametrize("page", PAGES)
def test_every_make_target_that_is_named_exists(root: Path, page: str) -> None:
    named = set(re.findall(r"(?:^    |`)make ([a-z]+)", (root / page).read_text(), re.MULTILINE))
    targets = set(re.findall(r"^([a-z]+):", (root / "Makefile").read_text(), re.MULTILINE))
    assert named
    assert named - targets == set()


@pytest.mark.parametrize("page", PAGES)
def test_every_file_that_is_named_exists(root: Path, page: str) -> None:
    named = re.findall(r"`((?:content|model|report|templates|tests|\.github)/[\w./-]*)`", (root / page).read_text())
    assert named
    assert [path for path in named if not (root / path).exists()] == []


def test_every_word_and_flag_of_the_command_is_explained(root: Path) -> None:
    text = (root / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `build\.py(?:`, `build\.py)? (\w+)", text, re.MULTILINE)
    assert sorted(rows) == sorted(WORDS)
    assert set(re.findall(r"`(--[a-z-]+)", text)) >= set(FLAGS) - {"--help"}


def test_help_lists_every_target_for_people(root: Path) -> None:
    makefile = (root / "Makefile").read_text()
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE)) - {"run", "dev", "browser"}
    assert set(re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE)) == targets
