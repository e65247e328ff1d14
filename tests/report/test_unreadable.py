"""Inputs that may not be read, or are no text, and disks that take no more, are one line for the author each."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from report import citing, prose
from report.errors import BuildError, readable
from report.tree import plain_words

NOBODY = 65534


@contextmanager
def unprivileged() -> Iterator[None]:
    """Be somebody whom permissions bind; root is not."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def test_a_text_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    file = tmp_path / "content" / "report" / "pole.md"
    file.parent.mkdir(parents=True)
    file.write_text("words")
    file.chmod(0)
    read = prose.reader(tmp_path, {})
    with pytest.raises(BuildError) as caught, unprivileged(), readable(tmp_path / "content"):
        read("content/report/pole.md")
    assert str(caught.value) == "content/report/pole.md: can't be read: Permission denied"


def test_what_cannot_be_read_elsewhere_is_a_fault_of_ours(tmp_path: Path) -> None:
    for error in (PermissionError(13, "Permission denied", str(tmp_path / "other")), OSError("odd")):
        with pytest.raises(OSError, match=r"odd|denied"), readable(tmp_path / "content"):
            raise error


def test_a_text_that_is_no_text_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_bytes(b"one\ntwo\n\xff\n")
    with pytest.raises(BuildError, match=r"page\.md:3:1: not a text file: the byte 0xff is not UTF-8"):
        prose.reader(tmp_path, {})("page.md")


@pytest.mark.parametrize(
    ("number", "hint"),
    [(errno.ENOSPC, "needs room beside the old one"), (errno.EACCES, "that you may write to"), (errno.EROFS, "--out")],
)
def test_what_helps_is_said_beside_what_the_system_refuses(number: int, hint: str) -> None:
    with pytest.raises(BuildError) as caught, plain_words(Path("site")):
        raise OSError(number, os.strerror(number))
    assert str(caught.value).startswith(f"site: can't be written: {os.strerror(number)}; ")
    assert hint in str(caught.value)


def test_what_nothing_helps_against_is_said_as_it_is() -> None:
    with pytest.raises(BuildError, match=r"^site: can't be written: File too large$"), plain_words(Path("site")):
        raise OSError(errno.EFBIG, "File too large")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title: [x\n", "CITATION.cff:1:8: '[' is never closed"),
        ("title: x\nreferences: [{}]\n", "CITATION.cff: has no 'authors'"),
        ("- x\n", "CITATION.cff: is no citation with authors and one reference"),
        ("title: x\nreferences: []\n", "CITATION.cff: is no citation with authors and one reference"),
    ],
)
def test_a_citation_that_is_none_is_named(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "CITATION.cff"
    file.write_text(text)
    with pytest.raises(BuildError) as caught:
        citing.load(file)
    assert str(caught.value).startswith(said)
