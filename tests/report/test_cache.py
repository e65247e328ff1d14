"""The cache cannot lie: keys follow contents, damage counts as absence, and a store that fails changes nothing."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from report import cache

Maker = Callable[[], bytes]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a small project in the place of this one."""
    root = tmp_path / "project"
    for name in cache.CODE[1:]:
        (root / name).mkdir(parents=True)
    (root / "build.py").write_text("1")
    (root / "model" / "units.py").write_text("old")
    monkeypatch.setattr(cache, "ROOT", root)
    return root


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "kept"


def counted(data: bytes = b"data") -> tuple[Maker, list[int]]:
    calls: list[int] = []

    def make() -> bytes:
        calls.append(1)
        return data

    return make, calls


def ask(folder: Path | None, make: Maker, inputs: str = "inputs", kind: str = "kind") -> bytes:
    with cache.using(folder):
        return cache.kept(kind, inputs, make)


def test_what_was_made_once_is_not_made_again(project: Path, folder: Path) -> None:
    make, calls = counted()
    assert [ask(folder, make) for _ in range(3)] == [b"data"] * 3
    assert len(calls) == 1


def test_without_a_folder_everything_is_made(project: Path) -> None:
    make, calls = counted()
    assert [ask(None, make), cache.kept("kind", "inputs", make)] == [b"data"] * 2
    assert len(calls) == 2


@pytest.mark.parametrize("change", ["inputs", "kind", "code", "template", "new file", "removed file", "renamed file"])
def test_any_change_of_what_it_depends_on_makes_it_anew(project: Path, folder: Path, change: str) -> None:
    ask(folder, counted(b"old")[0])
    code = project / "model" / "units.py"
    edits: dict[str, Callable[[], object]] = {
        "code": lambda: code.write_text("new"),
        "template": lambda: (project / "templates" / "page.html").write_text("<p>"),
        "new file": (project / "report" / "new.py").touch,
        "removed file": code.unlink,
        "renamed file": lambda: code.rename(code.with_name("unit.py")),
    }
    edits.get(change, lambda: None)()
    inputs, kind = ("other" if change == name else name for name in ("inputs", "kind"))
    assert ask(folder, counted(b"new")[0], inputs, kind) == b"new"


def test_an_edit_that_is_taken_back_finds_the_old_result(project: Path, folder: Path) -> None:
    code = project / "model" / "units.py"
    for text in ("old", "new", "old"):
        code.write_text(text)
        assert ask(folder, counted(text.encode())[0]) == text.encode()
    assert ask(folder, counted(b"never made")[0]) == b"old"


def test_another_library_makes_it_anew(project: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = project.parent / "libraries"
    (library / "altair-6.3.0.dist-info").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(library))
    ask(folder, counted(b"old")[0])
    (library / "altair-6.3.0.dist-info").rename(library / "altair-6.4.0.dist-info")
    assert ask(folder, counted(b"new")[0]) == b"new"


def test_code_that_is_edited_during_a_build_leaves_nothing_behind(project: Path, folder: Path) -> None:
    with cache.using(folder):
        cache.kept("kind", "inputs", counted(b"made by who knows which code")[0])
        (project / "model" / "units.py").write_text("new")
    assert not folder.exists()


def test_code_that_is_edited_there_and_back_during_a_build_leaves_nothing_behind(project: Path, folder: Path) -> None:
    code = project / "model" / "units.py"
    with cache.using(folder):
        cache.kept("kind", "inputs", counted()[0])
        code.write_text("old")
        os.utime(code, ns=(1, 1))
    assert not folder.exists()


@pytest.mark.parametrize("spoil", [b"", b"x", b"y" * 64], ids=["empty", "short", "other"])
def test_a_damaged_entry_counts_as_absent_and_is_mended(project: Path, folder: Path, spoil: bytes) -> None:
    ask(folder, counted()[0])
    [entry] = folder.iterdir()
    entry.write_bytes(spoil)
    make, calls = counted()
    assert [ask(folder, make), ask(folder, make)] == [b"data"] * 2
    assert len(calls) == 1


def test_the_folder_can_go_at_any_time(project: Path, folder: Path) -> None:
    ask(folder, counted()[0])
    with cache.using(folder):
        shutil.rmtree(folder)
        assert cache.kept("kind", "inputs", counted(b"data")[0]) == b"data"
    assert ask(folder, counted(b"not asked")[0]) == b"data"


@pytest.mark.parametrize("where", ["file in the way", "file above"])
def test_a_folder_that_cannot_be_written_changes_nothing(project: Path, folder: Path, where: str) -> None:
    folder.write_text("mine")
    make, calls = counted()
    place = folder if where == "file in the way" else folder / "below"
    assert [ask(place, make), ask(place, make)] == [b"data"] * 2
    assert len(calls) == 2
    assert folder.read_text() == "mine"


def test_a_disk_that_fills_up_leaves_no_half_entry(
    project: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(cache.os, "replace", full)
        assert ask(folder, counted()[0]) == b"data"
    assert list(folder.iterdir()) == []


def test_what_a_killed_build_left_half_written_is_cleared_away(project: Path, folder: Path) -> None:
    folder.mkdir()
    old, new = folder / ".new-old", folder / ".new-new"
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (0, 0))
    ask(folder, counted()[0])
    assert not old.exists()
    assert new.exists(), "another build may be at it"


def test_two_builds_at_once_share_a_folder(project: Path, folder: Path) -> None:
    code = cache.snapshot(project, cache.CODE)
    stores = [cache.Store(folder, code, cache.installed()) for _ in range(8)]
    for number, store in enumerate(stores):
        store.put(store.key("shared"), [b"same"] * 100_000)
        store.put(store.key("own", str(number).encode()), [str(number).encode()])
    threads = [threading.Thread(target=store.close) for store in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [store.get(store.key("shared")) for store in stores] == [b"same" * 100_000] * 8
    assert [store.get(store.key("own", str(n).encode())) for n, store in enumerate(stores)] == [
        str(n).encode() for n in range(8)
    ]
    assert len(list(folder.iterdir())) == 9


def test_what_was_not_used_for_longest_goes_first(project: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MOST", 3 * (100 + 32))
    for number in range(3):
        ask(folder, counted(bytes(100))[0], str(number))
    for age, entry in enumerate(sorted(folder.iterdir())):
        os.utime(entry, ns=(age + 1, age + 1))
    oldest, second, _ = sorted(folder.iterdir())
    with cache.using(folder) as store:
        assert store is not None
        assert store.get(oldest.name) is not None  # that makes it the youngest
    ask(folder, counted(bytes(100))[0], "3")
    assert oldest.exists()
    assert not second.exists()
    assert len(list(folder.iterdir())) == 3


def spelled(*words: str) -> bytes:
    """Return what a job of the next test makes."""
    return "-".join(words).encode()


def test_several_things_are_made_by_name_and_kept(project: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = {"one": (f"{__name__}:spelled", "a", "b"), "two": (f"{__name__}:spelled", "ab")}
    asked: list[tuple[str, ...]] = []
    monkeypatch.setattr(cache.workers, "ahead", lambda *job: asked.append(job))
    monkeypatch.setattr(cache.workers, "begun", lambda *_: None)
    monkeypatch.setattr(cache.workers, "_run", lambda _, *words: spelled(*words))
    for _ in range(2):
        with cache.using(folder):
            assert cache.all_kept("font", jobs) == {"one": b"a-b", "two": b"ab"}
    assert asked == [jobs["two"], jobs["one"]], "the worker begins at the other end, with what is missing"


def test_it_is_noted_which_files_all_was_made_from(project: Path, folder: Path) -> None:
    assert not cache.holds("drawn", project)
    for expected in (False, True):
        with cache.using(folder):
            assert cache.holds("drawn", project / "model") == expected
    (project / "model" / "new.py").touch()
    with cache.using(folder):
        assert not cache.holds("drawn", project / "model")
        assert not cache.holds("drawn", project / "nowhere")


def test_compiled_files_are_no_code(project: Path) -> None:
    before = cache.snapshot(project, cache.CODE)
    (project / "model" / "__pycache__").mkdir()
    (project / "model" / "__pycache__" / "units.cpython-313.pyc").write_bytes(b"\0")
    assert cache.snapshot(project, cache.CODE) == before


# --- whole sites


@pytest.fixture
def content(tmp_path: Path) -> Path:
    made = tmp_path / "content"
    made.mkdir()
    (made / "index.md").write_text("first")
    return made


def site(folder: Path, content: Path, text: str, base_url: str | None = None) -> dict[str, bytes]:
    with cache.using(folder):
        return cache.whole(content, base_url, lambda: {"index.html": text.encode(), "empty": b""})


def test_a_site_is_rendered_once_for_the_same_inputs(project: Path, folder: Path, content: Path) -> None:
    first = site(folder, content, "first")
    assert site(folder, content, "never asked for") == first
    assert site(folder, content, "elsewhere", "https://example.org/") == {"index.html": b"elsewhere", "empty": b""}
    (content / "index.md").write_text("second")
    assert site(folder, content, "second")["index.html"] == b"second"
    (content / "index.md").write_text("first")
    assert site(folder, content, "never asked for") == first


def test_a_site_of_inputs_that_were_edited_meanwhile_is_not_kept(project: Path, folder: Path, content: Path) -> None:
    def edited() -> dict[str, bytes]:
        (content / "index.md").write_text("second")
        return {"index.html": b"half of each"}

    with cache.using(folder):
        cache.whole(content, None, edited)
    (content / "index.md").write_text("first")
    assert site(folder, content, "first")["index.html"] == b"first"


def test_an_unreadable_input_is_left_to_the_build(project: Path, folder: Path, content: Path) -> None:
    (content / "gone.md").symlink_to(content / "nowhere.md")
    assert site(folder, content, "built")["index.html"] == b"built"
    assert site(folder, content, "built again")["index.html"] == b"built again"


def test_a_failed_build_keeps_no_site_but_what_it_had_drawn(project: Path, folder: Path, content: Path) -> None:
    make, calls = counted()

    def fails() -> dict[str, bytes]:
        cache.kept("figure", "rows", make)
        raise ValueError("false claim")

    for _ in range(2):
        with pytest.raises(ValueError, match="false claim"), cache.using(folder):
            cache.whole(content, None, fails)
    assert len(calls) == 1


@given(st.dictionaries(st.text(max_size=8), st.binary(max_size=64), max_size=5))
def test_files_are_packed_and_unpacked_as_they_were(files: dict[str, bytes]) -> None:
    try:
        packed = b"".join(cache.packed(files))
    except UnicodeEncodeError:
        return
    assert list(cache.unpacked(packed).items()) == list(files.items())


@given(st.lists(st.binary(max_size=4), max_size=4), st.lists(st.binary(max_size=4), max_size=4))
def test_a_hash_tells_where_a_part_ends(one: list[bytes], other: list[bytes]) -> None:
    assert (cache.digest(*one) == cache.digest(*other)) == (one == other)
