"""The keys of a bibliography that has mistakes: works that there are not are told, those that there are never."""

from __future__ import annotations

from pathlib import Path

import pytest

from report import bibkeys
from tests.report.test_bibentry import GOOD

OTHER = GOOD.replace("pope2026", "kung1986")


def keys(folder: Path, text: str) -> bibkeys.Keys | None:
    file = folder / "r.bib"
    file.write_text(text, encoding="utf-8")
    return bibkeys.read(file)


@pytest.mark.parametrize(
    "change",
    [
        ("@article", "article"),
        ("@article{", "@article "),
        ("@article{", "@article"),
        ("@article{", "% @article{"),
        ("@article{", "some{"),
        ("pope2026,", "pope2026"),
        ("pope2026", "pope 2026"),
        ("pope2026,", "pope 2026"),
        ("  year", "@article{pope2026,\n  year"),
        ("seen}\n}", "seen}"),
        ("{Reiner Pope}", "{Reiner Pope"),
        ("@article{pope2026,", "<<<<<<< a\n@article{pope,\n=======\n@article{pope2026,\n>>>>>>> b"),
    ],
)
def test_a_key_is_known_whatever_is_wrong_with_its_entry(tmp_path: Path, change: tuple[str, str]) -> None:
    assert change[0] in GOOD
    found = keys(tmp_path, GOOD.replace(*change, 1) + OTHER)
    assert found is not None
    assert {"pope2026", "kung1986"} <= {key for key in ("pope2026", "kung1986", "hong1981") if key in found}
    assert "hong1981" not in found


def test_where_an_entry_has_no_key_any_may_be_its_own(tmp_path: Path) -> None:
    assert keys(tmp_path, GOOD.replace("pope2026", "") + OTHER) is None


def test_of_what_is_no_text_nothing_is_known(tmp_path: Path) -> None:
    (tmp_path / "odd.bib").write_bytes(b"@misc{a,\xff}")
    assert bibkeys.read(tmp_path / "odd.bib") is None
    assert bibkeys.read(tmp_path / "none.bib") is None
