"""A site of several pages: numbers count on, names are unique, what stands on another page is named and linked."""

from dataclasses import replace
from pathlib import Path

import pytest

from report import prose
from report.asking import AuthorError
from report.desk import Desk
from report.errors import BuildError
from report.telling import telling
from tests.report import toy

SETTING = prose.Setting(toy.SETTING.world, toy.SETTING.catalogue, toy.SETTING.vocabulary)
FRONT = "---\ntitle: A page\ndescription: What it says.\n---\n"
NUMBER = 'It takes {{ T_min(machine="h100", network="wide") | sig(3) }}.\n'
CLAIM = '{% claim "c", T_min(machine="h100", network="wide") > 1 %}Many.{% endclaim %}\n'


def made(folder: Path, **texts: str) -> tuple[prose.Page, ...]:
    """Write a folder for each page, the first at the top, and read them all."""
    for name, text in texts.items():
        (folder / name).mkdir()
        (folder / name / "index.md").write_text(FRONT + text, encoding="utf-8")
    return read(folder, *texts)


def read(folder: Path, first: str, *names: str) -> tuple[prose.Page, ...]:
    """Read the pages of folders, the first at the top."""
    addresses = {first: "index.html", **{name: f"{name}/index.html" for name in names}}
    wanted = [prose.Wanted(f"{name}/index.md", address, f"the {name}", SETTING) for name, address in addresses.items()]
    return prose.pages(wanted, folder)


def test_numbers_count_on_from_page_to_page(tmp_path: Path) -> None:
    first, second = made(tmp_path, report=NUMBER, note=NUMBER)
    assert [number.n for page in (first, second) for number in page.numbers] == [1, 2]
    assert (first.address, second.address) == ("index.html", "note/index.html")
    assert {number.key for number in first.numbers}.isdisjoint(number.key for number in second.numbers)


def test_what_stands_on_another_page_is_named_with_it(tmp_path: Path) -> None:
    equation = "## A wall {#wall}\n\n$$a$$ {#eq-one}\n"
    report, note = made(tmp_path, report=equation, note='See {{ ref("eq-one") }}.\n\n{{ ref("wall") }} tells.\n')
    assert 'See <a class="ref" href="../index.html#eq-one">equation\u00a01 of the report</a>.' in note.html
    assert '<a class="ref" href="../index.html#wall">“A wall” of the report</a> tells.' in note.html
    assert "equation-number" in report.html


def test_the_way_leads_down_as_well_as_up(tmp_path: Path) -> None:
    report, _ = made(tmp_path, report='{{ ref("wall") }} tells.\n', note="## A wall {#wall}\n")
    assert '<a class="ref" href="note/index.html#wall">“A wall” of the note</a>' in report.html


def test_of_two_targets_with_one_name_the_nearer_is_meant(tmp_path: Path) -> None:
    wall = "## A {} wall {{#wall}}\n\n"
    _, note, _ = made(
        tmp_path, report=wall.format("high"), note=wall.format("low") + '{{ ref("wall") }} tells.\n', more="Text.\n"
    )
    assert '<a class="ref" href="#wall">“A low wall”</a>' in note.html


def test_of_two_targets_elsewhere_the_earlier_page_is_meant(tmp_path: Path) -> None:
    wall = "## A {} wall {{#wall}}\n"
    *_, more = made(tmp_path, report=wall.format("high"), note=wall.format("low"), more='{{ ref("wall") }} tells.\n')
    assert "“A high wall” of the report" in more.html


def test_a_claim_is_unique_over_the_site_a_heading_over_its_page(tmp_path: Path) -> None:
    text = f"## Same {{#same}}\n\n{CLAIM}"
    with pytest.raises(BuildError) as caught:
        made(tmp_path, report=text, note=text)
    assert [str(problem) for problem in caught.value.problems] == [
        "note/index.md:7: claim 'c' stands in report/index.md:7 already; give it another name"
    ]


def test_the_mistakes_of_all_pages_are_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(BuildError) as caught:
        made(tmp_path, report="It is 7.\n", note="It is 8.\n")
    assert {problem.path for problem in caught.value.problems} == {"report/index.md", "note/index.md"}


def test_what_is_wrong_with_texts_hides_nothing_of_what_they_point_at(tmp_path: Path) -> None:
    with pytest.raises(BuildError) as caught:
        made(
            tmp_path,
            report="## A wall {#wall}\n\n{{ bta }} [x](#wal) and [y](#wall)\n",
            note='It is 7. {{ ref("wal") }} {{ ref("wall") }} {{ ref("lost") }}.\n',
            more='{{ ref("wall") }} 8\n\n## Lost {#lost}\n\n{{ [1][:"a"] }}\n',
        )
    assert [(one.path, one.line - 4, one.column, one.message.split(",")[0]) for one in caught.value.problems] == [
        ("more/index.md", 1, 0, "the numeral '8' is typed into the text"),
        ("more/index.md", 5, 0, "[1] has no part [:'a']"),
        ("note/index.md", 1, 0, "the numeral '7' is typed into the text"),
        ("note/index.md", 1, 18, "there is no figure"),
        ("report/index.md", 3, 0, "unknown name 'bta'"),
        ("report/index.md", 3, 15, "a link leads to '#wal'"),
    ]


@pytest.mark.parametrize(
    ("tag", "said"),
    [
        ('figure "wal", "T."', "there is no figure 'wal'"),
        ('figure "wall" T', "'T' stands where it cannot"),
        ("figure wall, 7", "unknown name 'wall'"),
    ],
)
def test_what_a_broken_tag_would_have_placed_is_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tag: str, said: str
) -> None:
    def figure(_desk: Desk, name: str, _title: str) -> str:
        raise AuthorError(f"there is no figure '{name}'", "did you mean 'wall'?")

    monkeypatch.setattr(f"{__name__}.SETTING", replace(SETTING, blocks={"figure": figure}))
    refs = '{{ ref("fig-wall") }} {{ ref("fig-lost") }}\n'
    with pytest.raises(BuildError) as caught:
        made(tmp_path, report=f"{{% {tag} %}}x{{% endfigure %}}\n", note=refs)
    lost = "there is no figure, table, equation or section 'fig-lost'"
    assert [one.message for one in caught.value.problems] == [lost, said]


@pytest.mark.parametrize(
    "heading",
    [
        "## The wall",
        "## The wall {#the wall}",
        "## The wall {wall}",
        "## The wall {#Wall}",
        "## The wall {#other}\n\n## Other {#other}",
        "## The wall\n{#wall}",
        "##The wall {#wall}",
        "$$x = \\formula{no_such}$$ {#wall}",
        "$$x = y {#wall}",
        "$$x = y$$ {#The wall}",
    ],
)
def test_what_points_at_a_broken_id_is_not_told_beside_it(tmp_path: Path, heading: str) -> None:
    refs = 'See {{ ref("wall") }} and {{ ref("lost") }}.\n'
    with pytest.raises(BuildError) as caught:
        made(tmp_path, report=f"[The wall](#wall).\n\n{heading}\n", note=refs)
    site = tmp_path / "site"
    (site / "note").mkdir(parents=True)
    (site / "note" / "index.html").write_text('<h2 class="x" id="wall">The wall</h2><p id="lost">', encoding="utf-8")
    (group,) = telling(caught.value.problems, tmp_path / "content", site).groups
    assert [(place.problem.path, "'lost'" in place.problem.message) for place in group.places] == [
        ("note/index.md", True),
        ("report/index.md", False),
    ]


@pytest.mark.parametrize(("name", "told"), [("wall", ["report"]), ("tower", ["note", "report"])])
def test_without_a_site_a_name_that_shares_words_with_a_heading_without_an_id_is_not_missed(
    tmp_path: Path, name: str, told: list[str]
) -> None:
    with pytest.raises(BuildError) as caught:
        made(tmp_path, report="## The wall\n", note=f'See {{{{ ref("{name}") }}}}.\n')
    found = telling(caught.value.problems, tmp_path / "content", tmp_path / "site").groups
    assert sorted(place.problem.path for group in found for place in group.places) == [
        f"{one}/index.md" for one in told
    ]


def test_what_is_made_of_broken_settings_is_not_told(tmp_path: Path) -> None:
    text = '{% set all = "machine": "h100"} %}{{ T_min(**all) | sig(3) }} {{ cite(**all) }}\n'
    with pytest.raises(BuildError) as caught:
        made(tmp_path, report=text)
    assert len(caught.value.problems) == 1


def test_a_reference_that_leads_nowhere_is_named_with_the_nearest_on_any_page(tmp_path: Path) -> None:
    with pytest.raises(BuildError) as caught:
        made(tmp_path, report="## A wall {#wall}\n", note='{{ ref("wal") }} tells.\n')
    assert "did you mean 'wall'?" in str(caught.value.problems[0])


def test_a_text_can_be_made_and_its_mistakes_keep_their_lines(tmp_path: Path) -> None:
    setting = replace(SETTING, texts={"made/rows.yaml": FRONT + "Fine.\n\n{{ T_mni() }}\n"})
    with pytest.raises(BuildError) as caught:
        prose.pages([prose.Wanted("made/rows.yaml", "index.html", "", setting)], tmp_path)
    assert str(caught.value.problems[0]).startswith("made/rows.yaml:7")


ENCODED = {
    "Windows-1252": ("Caf\xe9 {{ bta }} 42\n", "cp1252", "the byte 0xe9 is not UTF-8"),
    "UTF-16": ("Words {{ bta }} 42\n", "utf-16", "the byte 0xff is not UTF-8"),
    "UTF-16 without its mark": ("Words {{ bta }} 42\n", "utf-16-le", "it is full of zeros"),
}


@pytest.mark.parametrize(("text", "encoding", "said"), ENCODED.values(), ids=ENCODED)
def test_a_text_of_another_encoding_is_read_on(tmp_path: Path, text: str, encoding: str, said: str) -> None:
    made(tmp_path, report="## A wall {#wall}\n\n", note='{{ ref("wall") }} tells.\n')
    page = tmp_path / "report" / "index.md"
    page.write_bytes((page.read_text(encoding="utf-8") + text).encode(encoding))
    with pytest.raises(BuildError) as caught:
        read(tmp_path, "report", "note")
    assert sorted(one.message for one in caught.value.problems) == [
        f"not a text file: {said}",
        "the numeral '42' is typed into the text",
        "unknown name 'bta'",
    ]


def test_a_picture_in_place_of_a_text_is_told_alone(tmp_path: Path) -> None:
    made(tmp_path, report="Words.\n", note="Words.\n")
    (tmp_path / "note" / "index.md").write_bytes(bytes(range(256)) * 9)
    with pytest.raises(BuildError, match="not a text file") as caught:
        read(tmp_path, "report", "note")
    assert len(caught.value.problems) == 1
