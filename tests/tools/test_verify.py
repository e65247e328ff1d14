"""`make verify`: it finds a file that differs, and runs its builds under conditions that are unlike."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import verify


def test_the_conditions_are_unlike() -> None:
    folders, environments, flags = zip(*verify.BUILDS, strict=True)
    assert len(set(folders)) > 1
    for name in ("PYTHONHASHSEED", "TZ", "LC_ALL"):
        assert len({environment[name] for environment in environments}) == len(environments)
    assert flags[0] == ("--no-cache",)
    assert flags[1] == flags[2] == (), "the second fills the cache, the third is from it"
    assert folders[1] == folders[2]


def test_files_that_differ_or_are_missing_are_named() -> None:
    first = {"a": b"1", "b": b"2", "c": b"3"}
    assert verify.differences(first, dict(first)) == []
    assert verify.differences(first, {"a": b"1", "b": b"x", "d": b"4"}) == ["b", "c", "d"]
    assert verify.digest(first) == verify.digest(dict(reversed(first.items())))
    assert len({verify.digest(files) for files in (first, {"a": b"1"}, {"a": b"12", "b": b""}, {})}) == 4


@pytest.mark.parametrize("other", [b"same", b"another"])
def test_it_ends_with_1_when_a_build_differs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], other: bytes
) -> None:
    sites = iter([b"same", b"same", other])
    copied: list[Path] = []
    monkeypatch.setattr(verify, "copy_tree", copied.append)
    monkeypatch.setattr(verify, "site", lambda *_: {"index.html": next(sites)})
    good = other == b"same"
    assert verify.main() == (0 if good else 1)
    assert len(copied) == 2, "the cache of the second build is there for the third"
    said = capsys.readouterr().out
    assert ("differs: index.html\nnot reproducible" in said) == (not good)
