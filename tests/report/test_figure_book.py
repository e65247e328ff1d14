"""A figure is the same whether it was drawn here, by the worker, or came from the cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from report import cache, catalogue, command, workers
from report.figures import book


def test_the_worker_is_asked_for_the_figures_that_there_are(root: Path) -> None:
    assert sorted(command.AHEAD) == sorted(book.FIGURES)


def test_the_worker_counts_only_where_it_has_read_the_same_rows(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = root / "content" / "catalogue"
    rows = catalogue.load(folder)
    here = book.figures(rows, folder)["capacity"]()
    seen, data = book.drawn(str(folder), "capacity", "")
    monkeypatch.setattr(book, "draw", lambda *_: pytest.fail("drawn again"))
    monkeypatch.setattr(workers, "begun", lambda *_: (seen, data))
    with cache.using(tmp_path):
        assert book.figures(rows, folder)["capacity"]() == here
    monkeypatch.setattr(workers, "begun", lambda *_: ("other rows", b"{}"))
    with cache.using(tmp_path):
        assert book.figures(rows, folder)["capacity"]() == here, "from the cache"
    with pytest.raises(pytest.fail.Exception, match="drawn again"):
        book.figures(rows, folder)["capacity"]()
