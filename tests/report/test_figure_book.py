"""A figure is the same whether it was drawn here, by the worker, or came from the cache."""

from __future__ import annotations

from pathlib import Path

import pytest

from report import ahead, cache, catalogue, workers
from report.figures import book
from report.figures.slot import hung


def test_the_worker_is_asked_for_the_figures_that_there_are(root: Path) -> None:
    assert sorted(ahead.FIGURES) == sorted(book.FIGURES)


def test_the_worker_counts_only_where_it_has_read_the_same_rows(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = root / "content" / "catalogue"
    rows = catalogue.load(folder)
    here = book.drawings(rows, folder)["capacity"]()
    seen, data = book.drawn(str(folder), "capacity", "")
    monkeypatch.setattr(book, "draw", lambda *_: pytest.fail("drawn again"))
    monkeypatch.setattr(workers, "begun", lambda *_: (seen, data))
    with cache.using(tmp_path):
        assert book.drawings(rows, folder)["capacity"]() == here
    monkeypatch.setattr(workers, "begun", lambda *_: ("other rows", b"{}"))
    with cache.using(tmp_path):
        assert book.drawings(rows, folder)["capacity"]() == here, "from the cache"
    with pytest.raises(pytest.fail.Exception, match="drawn again"):
        book.drawings(rows, folder)["capacity"]()


def test_pictures_are_put_into_a_page_that_was_made_without_them(root: Path) -> None:
    folder = root / "content" / "catalogue"
    rows = catalogue.load(folder)
    place, drawing = book.slots(rows)["roofline"](), book.drawings(rows, folder)["roofline"]()
    rooms = place.context("../", apart=False)
    page = hung(f"<p>{rooms['svg']}|{rooms['svg_phone']}</p><!-- of an author -->", {"roofline": drawing})
    assert page == f"<p>{drawing.pictures['wide']}|{drawing.apart('phone', '../')}</p><!-- of an author -->"
    assert hung(place.context("", apart=True)["svg"], {"roofline": drawing}) == drawing.apart("wide", "")


def test_a_figure_is_drawn_once_however_often_it_is_shown(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = root / "content" / "catalogue"
    rows = catalogue.load(folder)
    read, drawn = [], []
    inputs, draw = book.inputs, book.draw
    monkeypatch.setattr(book, "inputs", lambda *given: read.append(1) or inputs(*given))  # type: ignore[func-returns-value]
    monkeypatch.setattr(book, "draw", lambda *given: drawn.append(1) or draw(*given))  # type: ignore[func-returns-value]
    pictures = book.drawings(rows, folder)
    book.slots(rows)["capacity"]()
    assert pictures["capacity"]() is pictures["capacity"]()
    assert (len(read), len(drawn)) == (1, 1)
