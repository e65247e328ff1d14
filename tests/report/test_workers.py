"""The worker changes when things are made, never what is made."""

from __future__ import annotations

import multiprocessing
import os
import signal
from concurrent.futures import wait
from pathlib import Path

import pytest

from report import workers

NAME = "os:getpid"
SUM = "operator:add"
DEATH = "signal:raise_signal", signal.SIGKILL


def test_without_a_worker_things_are_made_here() -> None:
    workers.ahead(NAME)
    assert workers.begun(NAME) is None
    assert workers.made(NAME) == os.getpid()


def test_on_one_core_there_is_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 1)
    with workers.beside():
        workers.ahead(NAME)
        assert workers.made(NAME) == os.getpid()


def test_a_worker_makes_what_it_was_asked_for_and_mistakes_are_made_again_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 2)
    with workers.beside():
        workers.ahead("pathlib:Path.cwd_is_no_function_of_a_module")
        workers.ahead(NAME)
        workers.ahead(SUM, 1, 2)
        assert workers.begun("pathlib:Path.cwd_is_no_function_of_a_module") is None
        assert workers.made(NAME) != os.getpid()
        assert workers.made(NAME) == os.getpid(), "it was taken once"
        assert workers.made(SUM, 1, 2) == 3
    assert workers.begun(SUM, 1, 2) is None


def test_the_worker_ends_with_the_block(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 2)
    before = multiprocessing.active_children()
    with workers.beside():
        for number in range(20):
            workers.ahead("os:mkdir", str(tmp_path / str(number)))
    assert multiprocessing.active_children() == before


def test_what_a_worker_does_not_live_to_make_is_made_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers.os, "cpu_count", lambda: 2)
    with workers.beside():
        workers.ahead(*DEATH)
        workers.ahead(SUM, 1, 2)
        wait(workers._BESIDE.values())
        assert workers.begun(*DEATH) is None
        assert workers.made(SUM, 1, 2) == 3
        workers.ahead(NAME)
        assert workers.made(NAME) == os.getpid()
