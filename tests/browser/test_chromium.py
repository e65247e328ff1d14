"""Which browser the tests drive, and what is said where there is none."""

import stat
from pathlib import Path

import pytest

from tests.browser import chromium


def program(path: Path) -> Path:
    path.write_text("#!/bin/sh\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder on the PATH of a machine without any browser."""
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(chromium, "ELSEWHERE", ())
    return tmp_path


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome"])
def test_a_browser_on_the_path_is_found(bare: Path, name: str) -> None:
    browser = program(bare / name)
    assert chromium.find() == str(browser)


def test_the_variable_wins_over_the_path(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(bare / "chromium")
    mine = program(bare / "mine")
    monkeypatch.setenv("CHROMIUM", str(mine))
    assert chromium.find() == str(mine)


def test_a_variable_that_names_no_program_is_an_error(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(bare / "chromium")
    monkeypatch.setenv("CHROMIUM", str(bare / "absent"))
    with pytest.raises(chromium.NoChromium, match="absent, which is not a program"):
        chromium.find()


def test_without_a_browser_one_line_says_what_to_install(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "driver_starts", lambda: True)
    with pytest.raises(SystemExit) as ended:
        chromium.main()  # no apt-get on this PATH either
    assert str(ended.value) == chromium.MISSING


def test_a_driver_that_does_not_start_is_told_too(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(bare / "chromium")
    monkeypatch.setattr(chromium, "driver_starts", lambda: False)
    with pytest.raises(SystemExit, match="libatomic1"):
        chromium.main()


def test_where_it_may_be_installed_only_what_lacks_is(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def install(packages: list[str]) -> None:
        asked.extend(packages)
        program(bare / packages[0])

    monkeypatch.setattr(chromium, "driver_starts", lambda: True)
    monkeypatch.setattr(chromium, "can_install", lambda: True)
    monkeypatch.setattr(chromium, "install", install)
    chromium.main()
    chromium.main()
    assert asked == ["chromium", "firefox-esr"]


def test_a_named_browser_is_never_replaced_by_an_installed_one(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(bare / "apt-get")
    monkeypatch.setattr(chromium.os, "geteuid", lambda: 0)
    assert chromium.can_install()
    monkeypatch.setenv("CHROMIUM", "absent")
    assert not chromium.can_install()
