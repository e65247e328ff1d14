"""A warm builder beside a fresh one: what it remembers never shows in what it builds. Whole sites are built here."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from report import cache, memory, site
from report.builder import Builder
from report.tree import complete
from report.wish import Answer, Wish


@pytest.fixture(scope="module", autouse=True)
def unseen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what is drawn in a folder of these tests alone: no earlier run has drawn what is late here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cache, "FOLDER", tmp_path_factory.mktemp("cache"))
        yield


@pytest.fixture(scope="module")
def used(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Builder:
    """Return a builder, with a copy of the content of its own, that has built once."""
    folder = tmp_path_factory.mktemp("warm")
    shutil.copytree(root / "content", folder / "content")
    warm = Builder(Wish(content=str(folder / "content"), out=str(folder / "site"), colour=True))
    assert [(answer.good, answer.late) for answer in warm.build()] == [(True, [])]
    return warm


@pytest.fixture
def warm(root: Path, used: Builder) -> Iterator[Builder]:
    """Return that builder after a build of the content as it is; what a test edits is taken back after it."""
    yield used
    for file in sorted((root / "content").rglob("*")):
        copy = Path(used.wish.content, file.relative_to(root / "content"))
        if file.is_file() and copy.read_bytes() != file.read_bytes():
            shutil.copyfile(file, copy)
    assert list(used.build())[-1].good


@pytest.fixture
def content(warm: Builder) -> Path:
    return Path(warm.wish.content)


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text, "the edit no longer fits the content"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def on_disk(out: Path) -> dict[str, bytes]:
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


FRESH: dict[bytes, dict[str, bytes]] = {}  # by the hash of all content


def afresh(content: Path) -> dict[str, bytes]:
    """Return the site as a process builds it that remembers nothing; once for the same content."""
    assert not memory.active()
    key = cache.snapshot(content).digest
    if key not in FRESH:
        with cache.using(cache.FOLDER):
            FRESH[key] = complete(site.render(content, None))
    return FRESH[key]


def test_every_edit_gives_the_bytes_of_a_fresh_build(warm: Builder, content: Path) -> None:
    out = content.parent / "site"
    report, rows = content / "report", content / "catalogue" / "machines.yaml"

    def built() -> list[Answer]:
        answers = list(warm.build())
        assert [answer.wrong for answer in answers if not answer.good] == []
        assert on_disk(out) == afresh(content), "the warm builder and a fresh one part"
        return answers

    assert built()[0].late == []
    edit(report / "floors.md", "memory", "memory traffic")
    (answer,) = built()
    assert any(re.fullmatch(r"  made anew, texts: report/floors\.md \(\d\d kept\)", line) for line in answer.says)
    assert built()[0].changed is False

    edit(rows, "rows:\n", "# a remark\nrows:\n")
    edit(content / "vocabulary.yaml", "words:\n", "# a remark\nwords:\n")
    (answer,) = built()
    assert not answer.late, "the rows that are drawn are the same"

    edit(rows, "short: A100 40 GB", "short: A100/40")
    first, last = built()
    assert {"roofline", "capacity"} <= set(first.late)
    assert last.late == []
    assert last.says[-1] == f"  new pictures: {', '.join(first.late)}"

    edit(rows, "short: A100/40", "short: A100 40 GB")
    edit(report / "floors.md", "memory traffic", "memory")
    built()


# An edit to each kind of row; some of them make claims false, so that builds fail between good ones.
EDITS = (
    ("machines", "value: 3.35 TB/s", "value: 3.351 TB/s"),
    ("networks", "value: 25557032 param", "value: 25557033 param"),
    ("constants", "{what: write the fp32 gradient accumulator, value: 4}", "{what: write the gradients, value: 4}"),
    ("prices", "node not stated", "node unknown"),
    ("runs", "mfu: 62.3 %", "mfu: 62.2 %"),
    ("rates", "value: 2.3 Gconnection/s", "value: 2.31 Gconnection/s"),
    ("trends", "growth: 1.27", "growth: 1.271"),
    ("tricks", "Liger kernels: 20 percent", "Liger kernels, by their makers: 20 percent"),
    ("memory_levels", "value: 19.49 TB/s", "value: 19.48 TB/s"),
    ("machines", "- id: vax-11-780", "- id: vax-780"),  # a row that others name, gone
    ("machines", "value: 13.33 MB/s", "value: 1.333 MB/s"),
)


def test_edits_to_rows_of_every_kind_leave_nothing_stale(warm: Builder, content: Path) -> None:
    out, rows = content.parent / "site", content / "catalogue"
    before = on_disk(out)

    good = []
    for name, old, new in EDITS:
        edit(rows / f"{name}.yaml", old, new)
        good.append(list(warm.build())[-1].good)
        if not good[-1]:
            edit(rows / f"{name}.yaml", new, old)
    assert good.count(True) > len(EDITS) // 2
    assert good[-2] is False
    if not good[-1]:  # a build must end well for what is on disk to be the last one
        assert list(warm.build())[-1].good
    edited = on_disk(out)
    assert edited != before
    assert edited == afresh(content), "the warm builder and a fresh one part"

    for (name, old, new), was_good in zip(EDITS, good, strict=True):
        if was_good:
            edit(rows / f"{name}.yaml", new, old)
            list(warm.build())
    assert on_disk(out) == before, "an edit that was taken back has left something"


def test_an_edit_to_a_row_leaves_texts_that_name_others(warm: Builder, content: Path) -> None:
    asked = len(warm.memory.things)
    edit(content / "catalogue" / "machines.yaml", "value: 13.33 MB/s", "value: 13.34 MB/s")
    answers = warm.build()
    assert next(answers).late
    made, kept = warm.memory.made["text"], warm.memory.kept["text"].difference(warm.memory.made["text"])
    assert 0 < len(made) < len(kept)
    assert [answer.good for answer in answers] == [True]
    assert "text" not in warm.memory.made, "new pictures leave every text alone"
    assert len(warm.memory.things) < 1.2 * asked, "what no page has use for any more is forgotten"


def test_a_mistake_keeps_the_site_and_is_told_for_terminal_and_page(warm: Builder, content: Path) -> None:
    out = content.parent / "site"
    before = on_disk(out)
    edit(content / "report" / "floors.md", '{% claim "pole"', '{% clam "pole"')
    (answer,) = warm.build()
    assert not answer.good
    assert "there is no tag 'clam'; did you mean 'claim'?" in answer.wrong[0]
    assert "\x1b[" in answer.says[0]
    assert "\x1b[" not in "".join(answer.wrong)
    assert on_disk(out) == before
    edit(content / "report" / "floors.md", '{% clam "pole"', '{% claim "pole"')
    (answer,) = warm.build()
    assert (answer.good, answer.changed) == (True, False)
    edit(content / "catalogue" / "machines.yaml", "value: 3.35 TB/s", "value: 3.3 TB/s")
    first, *_ = warm.build()
    moved = [line for line in (*first.says, *first.wrong) if " -> " in line]
    assert moved, "which numbers moved is said, whether the claims hold or not"
