"""A mistake in one input hides nothing in the texts, and what hangs on it is not told."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from report import cache, piecemeal
from report.errors import BuildError
from report.written import written
from tests.one_page import copied

INPUTS = {
    "references.bib": ("year = {2026},", "year = {2026}"),
    "vocabulary.yaml": ("x / n", "x / m"),
    "site.yaml": ("- tpu-v4", "- tpuv4"),
    "catalogue/prices.yaml": ("seen: true", "sen: true"),
    "catalogue/machines.yaml": ("    vendor: ", "    vender: "),
    "catalogue/networks.yaml": ("rows:", "rows: ["),
}
SLIPS = (
    '\n{{ live.betta | sig(3) }} {{ T_mni() }} {{ beta(machine="h100") | sig(3) }} {{ network("llama3-405").d }}'
    ' {{ cite("hong1982") }} {{ ref("poole") }} {{ live.T | sgi(3) }} 4,711 $\\foo$ [x](#nonsense) [y](nope/)'
    " {{ 1/0 }} {{ fact('one', 'hong1981') }} {{ runs('all').n | exact }} [z](data/machines.csv)"
    " $\\val{live.betta}{3} \\val{beta(machine=h100-sxm5)}{3}$"
    ' {% figure "rooflin", "T." %}A figure.{% endfigure %}\n'
)
ALL = {
    "no quantity 'betta'",
    "unknown name 'T_mni'",
    "unknown network 'llama3-405'",
    "unknown machine 'h100'",
    "no reference 'hong1982'",
    "equation or section 'poole'",
    "no filter 'sgi'",
    "numeral '4,711'",
    "no command '\\foo'",
    "leads to '#nonsense'",
    "leads to 'nope/'",
    "division by zero",
    "no figure 'rooflin'",
}
# What can't be told without each of them.
LOST = {
    "site.yaml": {"leads to 'nope/'"},
}


def told(content: Path) -> dict[str, set[str]]:
    """Return what is told of a folder, by the file."""
    with pytest.raises(BuildError) as caught, cache.using(cache.FOLDER):
        written(content)
    found: dict[str, set[str]] = {}
    for one in caught.value.problems:
        found.setdefault(one.path.removeprefix("content/"), set()).add(one.message)
    return found


@pytest.fixture(scope="module")
def one_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the content with the report as its only page, less what refers to other pages."""
    content = copied(tmp_path_factory.mktemp("one") / "content")
    index = content / "report" / "index.md"
    text = index.read_text(encoding="utf-8")
    for name in ("appendix.md", "objections.md"):
        (content / "report" / name).unlink()
        text = re.sub(rf",? *{re.escape(name)}", "", text)
    index.write_text(text, encoding="utf-8")
    return content


@pytest.fixture
def spoilt(one_page: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """Return the content with a slip in one input, which is taken back afterwards."""
    file = one_page / request.param
    before = file.read_text(encoding="utf-8")
    assert INPUTS[request.param][0] in before
    file.write_text(before.replace(*INPUTS[request.param], 1), encoding="utf-8")
    yield one_page
    file.write_text(before, encoding="utf-8")


@pytest.mark.parametrize(("spoilt", "name"), [(name, name) for name in INPUTS], indirect=["spoilt"])
def test_texts_without_fault_tell_nothing_beside_a_broken_input(spoilt: Path, name: str) -> None:
    assert list(told(spoilt)) == [name]


@pytest.mark.parametrize(("spoilt", "name"), [(name, name) for name in INPUTS], indirect=["spoilt"])
def test_a_broken_input_hides_no_slip_of_a_text(spoilt: Path, name: str) -> None:
    text = spoilt / "report" / "tape.md"
    before = text.read_text(encoding="utf-8")
    text.write_text(before + SLIPS, encoding="utf-8")
    try:
        found = told(spoilt)
    finally:
        text.write_text(before, encoding="utf-8")
    assert set(found) == {name, "report/tape.md"}
    said = {words for words in ALL if any(words in message for message in found["report/tape.md"])}
    assert said == ALL - LOST.get(name, set())
    others = [one for one in found["report/tape.md"] if not any(words in one for words in ALL)]
    assert not others


def test_a_row_that_lost_its_dash_is_not_missed(one_page: Path) -> None:
    file = one_page / "catalogue" / "machines.yaml"
    before = file.read_text(encoding="utf-8")
    assert "  - id: vax-11-780-fpa" in before
    file.write_text(before.replace("  - id: vax-11-780-fpa", "    id: vax-11-780-fpa", 1), encoding="utf-8")
    try:
        assert list(told(one_page)) == ["catalogue/machines.yaml"]
    finally:
        file.write_text(before, encoding="utf-8")


def test_what_prose_may_call_is_known_without_rows() -> None:
    source = (Path(piecemeal.__file__).parent / "written.py").read_text(encoding="utf-8")
    extras = re.findall(r'^ {12}"(\w+)": ', source.partition("extras={")[2].partition("},")[0], re.MULTILINE)
    assert set(piecemeal.EXTRAS) == set(extras)


def test_what_stands_on_a_research_page_that_could_not_be_read_is_not_missed(tmp_path: Path) -> None:
    content = Path(shutil.copytree(Path(piecemeal.__file__).parents[1] / "content", tmp_path / "content"))
    page = content / "research" / "heuristics.yaml"
    before = page.read_text(encoding="utf-8")
    assert "id: production-batches" in before
    page.write_text(before.replace("  says: |", "  says:", 1), encoding="utf-8")
    assert list(told(content)) == ["research/heuristics.yaml"]


def test_a_row_that_cannot_be_read_hides_nothing_of_its_file_or_of_others(tmp_path: Path) -> None:
    content = Path(shutil.copytree(Path(piecemeal.__file__).parents[1] / "content", tmp_path / "content"))
    for name, old, new in (
        ("catalogue/machines.yaml", "    short: Cray-1\n", "    short Cray-1\n"),
        ("catalogue/machines.yaml", "id: vax-8800\n", "id: vax-8800\n    yeer: 3\n"),
        ("catalogue/machines.yaml", "value: 3.35 TB/s", "value: 3,35 TB/s"),
        ("site.yaml", "    - tpu-v4\n", "    - tpuv4\n"),
        ("site.yaml", "nav: Note", "nva: Note"),
        ("research/tricks.yaml", "says: |", "says:"),
        ("research/tricks.yaml", "pay for the weights", "pay {{ T_mni() }}"),
        ("research/tricks.yaml", "divides the optimizer", '{{ cite("hong1982") }}'),
        ("research/index.md", '"heuristics"', '"heuristic"'),
        ("vocabulary.yaml", "words:\n", "words:\n  odd: {x\n"),
        ("vocabulary.yaml", "comparatives: [", "comparatives: [[], "),
    ):
        text = (content / name).read_text(encoding="utf-8")
        assert old in text
        (content / name).write_text(text.replace(old, new, 1), encoding="utf-8")
    found = {name: {message.partition(";")[0] for message in said} for name, said in told(content).items()}
    assert found == {
        "catalogue/machines.yaml": {
            "a line that is no 'key: value'",
            "machine 'vax-8800': unknown key 'yeer'",
            "'3,35 TB/s': a decimal point is a point, not a comma",
        },
        "site.yaml": {"there is no machine 'tpuv4'", "page: unknown key 'nva'"},
        "research/tricks.yaml": {
            "a text of several lines, one of them with a colon",
            "unknown name 'T_mni'",
            "there is no reference 'hong1982'",
        },
        "research/index.md": {"there is no research page 'heuristic'"},
        "vocabulary.yaml": {"'{' is never closed", "'comparatives' holds a list, but texts are wanted"},
    }


HEADS = (
    *(
        ("@", ""),
        ("{", " "),
        (",", ""),
        ("{", "{the "),
        ("{", "\n{"),
        ("@", "% @"),
        ("= {", "= "),
        ("= {", "{"),
        ("\n}", ""),
    ),
    *((" =", ":"), ("\n  ", "\n  odd\n  "), ("},\n", "}\n"), ("},\n", ",\n"), ("},\n", "}},\n"), ("title", "titel")),
)


def test_works_whose_entries_cannot_be_read_are_nowhere_missed(tmp_path: Path) -> None:
    content = Path(shutil.copytree(Path(piecemeal.__file__).parents[1] / "content", tmp_path / "content"))
    bib = content / "references.bib"
    head, *entries = re.split(r"^(?=@)", bib.read_text(encoding="utf-8"), flags=re.MULTILINE)
    broken = [entry.replace(*HEADS[number % len(HEADS)], 1) for number, entry in enumerate(entries)]
    assert all(one != other for one, other in zip(entries, broken, strict=True))
    bib.write_text("".join([head, *broken]), encoding="utf-8")
    found = told(content)
    assert list(found) == ["references.bib"]
    page = content / "research" / "tricks.yaml"
    page.write_text(page.read_text(encoding="utf-8").replace("sources: [", "sources: [hong1982, ", 1), encoding="utf-8")
    assert [message.partition(";")[0] for message in told(content)["research/tricks.yaml"]] == [
        "there is no source 'hong1982'"
    ]
