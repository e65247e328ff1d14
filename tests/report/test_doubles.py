"""What may stand once is told where it stands again, with the place where it stands first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from report import prose
from report.errors import BuildError
from tests.report.test_carets import told, unmarked
from tests.report.toy import FRONT, SETTING, sized

CLAIM = '{% claim "c", live.T > 1 %}So.{% endclaim %}\n'
AGAIN = CLAIM.replace('c"', '⟦c⟧"')
TABLE = '{% table "t" %}So.{% endtable %}\n'
FIGURE = '{% figure "f", "T." %}So.{% endfigure %}\n'
BOARD = '{% board "b" %}So.{% endboard %}\n'
BLOCKS = {
    "figure": lambda _, name, title: sized(name, title).markup.replace("<figure", '<figure class="figure"') + "\ue001",
    "table": lambda _, name: f'<div class="table" id="{name}">\ue001</div>',
    "board": lambda _, name: f'<table class="board" id="board-{name}">\ue001</table>',
}


def again(first: str, second: str, folder: Path) -> list[str]:
    """Return what is told of two pages, the carets of which are marked in their texts."""
    found: list[str] = []
    texts, carets = zip(unmarked(FRONT + first), unmarked(FRONT + second), strict=True)
    for name, text in zip("ab", texts, strict=True):
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    setting = replace(SETTING, blocks=BLOCKS, extras={k: v for k, v in SETTING.extras.items() if k != "ref"})
    wanted = [prose.Wanted(f"{name}.md", f"{name}.html", name, setting) for name in "ab"]
    try:
        prose.pages(wanted, folder)
    except BuildError as error:
        for name, marked in zip("ab", carets, strict=True):
            said = told([one for one in error.problems if one.path == f"{name}.md"], folder / f"{name}.md")
            assert set(said) == marked, said
            found += said.values()
    else:
        assert not carets[0] | carets[1]
    return found


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        (TABLE, TABLE.replace('t"', '⟦t⟧"'), "b.md:5: table 't' stands in a.md:5 already; it stands once on the site"),
        (f"{FIGURE}\nx\n", FIGURE.replace("f", "⟦f⟧", 2).replace("⟦f⟧", "f", 1), "figure 'f' stands in a.md:5 already"),
        (BOARD, BOARD.replace('"b"', '"⟦b⟧"'), "board 'b' stands in a.md:5 already"),
        (f"x\n\n{TABLE}\n" + TABLE.replace('t"', '⟦t⟧"'), "x\n", "a.md:9: table 't' stands in line 7 already"),
        (f"{CLAIM}\n{TABLE}{AGAIN}", "x\n", "claim 'c' is taken in line 5"),
        (
            CLAIM,
            f"x\n\n{AGAIN}",
            "b.md:7: claim 'c' stands in a.md:5 already; give it another",
        ),
        ("$$x$$ {#eq-a}\n\n$$y$$ {#⟦eq-a⟧}\n", "x\n", "a.md:7:9: the id 'eq-a' stands in line 5 already; give it"),
        ("$$x$$ {#a}\n\n## A {#⟦a⟧}\n", "x\n", "the id 'a' stands in line 5 already"),
        (f"{FIGURE}\n## A {{#⟦fig-f⟧}}\n", "x\n", "the id 'fig-f' stands in line 5 already"),
        (f"## A {{#⟦t⟧}}\n\n{TABLE}", "x\n", "the id 't' stands in line 7 already"),
        ("x\n", "## A {#⟦main⟧}\n", "b.md:5:8: the id 'main' is one that the frame of each page has; give it another"),
        ("$$x$$ {#a}\n\n## A {#⟦a⟧}\n\n## B {#⟦a⟧}\n", "x\n", "the id 'a' "),
    ],
)
def test_what_may_stand_once_is_told_with_its_first_place(tmp_path: Path, first: str, second: str, says: str) -> None:
    found = again(first, second, tmp_path)
    assert found
    assert all(says in one for one in found), found


def test_what_stands_twice_in_one_line_is_told_at_the_second(tmp_path: Path) -> None:
    (said,) = again('{% table "t" %}A.{% endtable %}{% table "⟦t⟧" %}B.{% endtable %}\n', "x\n", tmp_path)
    assert "stands in line 5 already" in said


def test_a_file_that_holds_nothing_of_its_own_is_told_once_and_the_copy_is_blamed(tmp_path: Path) -> None:
    text = FRONT + CLAIM + "\n" + CLAIM.replace('"c"', '"d"')
    for name in ("b-copy", "b"):
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    wanted = [prose.Wanted(f"{name}.md", f"{name}.html", name, SETTING) for name in ("b-copy", "b")]
    with pytest.raises(BuildError) as caught:
        prose.pages(wanted, tmp_path)
    assert [str(one) for one in caught.value.problems] == [
        "b-copy.md: all 2 claims and parts of this file stand in b.md already; is it a copy? delete it, or give them "
        "other names"
    ]


def test_what_a_copy_holds_beside_its_own_is_told_in_it(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text(FRONT + CLAIM, encoding="utf-8")
    (tmp_path / "b (1).md").write_text(FRONT + CLAIM + "\n" + CLAIM.replace('"c"', '"d"'), encoding="utf-8")
    wanted = [prose.Wanted(f"{name}.md", f"{name}.html", name, SETTING) for name in ("b (1)", "b")]
    with pytest.raises(BuildError) as caught:
        prose.pages(wanted, tmp_path)
    assert [str(one).split(";")[0] for one in caught.value.problems] == [
        "b (1).md:5: claim 'c' stands in b.md:5 already"
    ]


def test_an_id_may_stand_on_each_page(tmp_path: Path) -> None:
    assert not again("## A {#a}\n\n$$x$$ {#eq-a}\n", "## A {#a}\n\n$$x$$ {#eq-a}\n", tmp_path)
