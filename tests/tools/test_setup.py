"""`make`'s first step: it is done once for each state of a lock, and says in one line what a machine lacks."""

from pathlib import Path

import pytest

from tools import setup


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the log of a pretended machine: an empty folder with two locks, and no pip."""
    log: list[str] = []
    locks = {group: tmp_path / f"{group}.lock" for group in ("run", "dev")}
    for lock in locks.values():
        lock.write_text("first")

    def make_venv() -> None:
        log.append("venv")
        (tmp_path / ".venv" / "bin").mkdir(parents=True)
        (tmp_path / ".venv" / "bin" / "python").touch()
        (tmp_path / ".venv" / "pyvenv.cfg").write_text("home = somewhere\nversion = 3.12.1\n")

    monkeypatch.setattr(setup, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(setup, "LOCKS", locks)
    monkeypatch.setattr(setup, "make_venv", make_venv)
    monkeypatch.setattr(setup, "install", lambda lock: log.append(lock.stem))
    return log


def test_a_second_run_does_nothing(machine: list[str]) -> None:
    setup.main("run")
    setup.main("run")
    assert machine == ["venv", "run"]


def test_a_changed_lock_is_installed_again(machine: list[str]) -> None:
    setup.main("run")
    setup.LOCKS["run"].write_text("second")
    setup.main("run")
    assert machine == ["venv", "run", "run"]


def test_what_the_tests_need_serves_a_build_too(machine: list[str]) -> None:
    setup.main("dev")
    setup.main("run")
    assert machine == ["venv", "dev"]


def test_a_build_does_not_install_what_the_tests_need(machine: list[str]) -> None:
    setup.main("run")
    assert not setup.stamped("dev")


def test_a_failed_install_leaves_no_stamp(machine: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(lock: Path) -> None:
        setup.stop(f"pip could not install {lock.name}")

    monkeypatch.setattr(setup, "install", fail)
    with pytest.raises(SystemExit, match=r"pip could not install run\.lock"):
        setup.main("run")
    assert not setup.stamped("run")


@pytest.mark.parametrize("version", ["3.10.13", "3.14.0", "2.7.18"])
def test_an_environment_of_an_unsupported_python_does_not_fit(machine: list[str], version: str) -> None:
    setup.main("run")
    assert setup.venv_fits()
    (setup.VENV / "pyvenv.cfg").write_text(f"version = {version}\n")
    assert not setup.venv_fits()


def test_an_environment_whose_python_is_gone_does_not_fit(machine: list[str]) -> None:
    setup.main("run")
    setup.python().unlink()
    assert not setup.venv_fits()


@pytest.mark.parametrize(
    ("version", "good"), [((3, 10), False), ((3, 11), True), ((3, 12), True), ((3, 13), True), ((3, 14), False)]
)
def test_the_supported_versions_are_those_of_pyproject(root: Path, version: tuple[int, int], good: bool) -> None:
    assert 'requires-python = ">=3.11,<3.14"' in (root / "pyproject.toml").read_text()
    assert setup.supported(version) == good


def test_an_unsupported_python_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup.sys, "version_info", (3, 10, 13, "final", 0))
    with pytest.raises(SystemExit) as refusal:
        setup.make_venv()
    assert "Python 3.11 to 3.13 is needed" in str(refusal.value)
    assert "3.10.13" in str(refusal.value)
    assert "\n" not in str(refusal.value)
