"""CONTRIBUTING.md: the rows that it tells people to paste are rows that the catalogue takes."""

import re
import shutil
from pathlib import Path

import pytest

from report import catalogue, content, site
from report.accuracy.readings import reading
from report.errors import BuildError

BLOCK = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(root: Path) -> list[str]:
    return BLOCK.findall((root / "CONTRIBUTING.md").read_text())


@pytest.mark.parametrize(("place", "name", "key"), [(0, "machines", "example-1"), (1, "networks", "example-7b")])
def test_a_pasted_row_is_read(root: Path, tmp_path: Path, place: int, name: str, key: str) -> None:
    folder = shutil.copytree(root / "content" / "catalogue", tmp_path / "content" / "catalogue")
    with (folder / f"{name}.yaml").open("a") as file:
        file.write("\n" + blocks(root)[place])
    assert key in getattr(catalogue.load(folder), name)


def test_a_pasted_run_is_set_beside_its_ceiling(root: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(root / "content" / "catalogue", tmp_path / "content" / "catalogue")
    for name, block in zip(("machines", "networks", "runs"), blocks(root), strict=False):
        with (folder / f"{name}.yaml").open("a") as file:
            file.write("\n" + block)
    rows = catalogue.load(folder)
    found = reading(rows.runs["example-7b-64x"], rows)
    assert found.own
    assert found.own.values["T"] == 2 * 8192
    assert 0 < found.own.ratio() < 1


def test_the_message_that_is_shown_is_the_message_that_is_printed(root: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(root / "content" / "catalogue", tmp_path / "content" / "catalogue")
    row = blocks(root)[0].replace("bandwidth:", "bandwith:")
    (folder / "machines.yaml").write_text("rows:\n" + row)
    shown = re.search(r"machine 'example-1': unknown key .*", (root / "CONTRIBUTING.md").read_text())
    assert shown
    with pytest.raises(BuildError) as refused:
        catalogue.load(folder)
    assert [str(problem) for problem in refused.value.problems if str(problem).endswith(shown.group())]


def test_a_pasted_entry_is_read(root: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(root / "content", tmp_path / "content")
    file = folder / "research" / "heuristics.yaml"
    (entry,) = (block for block in blocks(root) if "says: |" in block)
    file.write_text(file.read_text(encoding="utf-8").replace("\nlog:\n", f"\n{entry}\nlog:\n"), encoding="utf-8")
    (page,) = (one for one in content.read(folder).dossiers if one.slug == "heuristics")
    assert page.dossier.entries[-1].id == "an-example"


PART = re.compile(r"\{% (figure|table) (\"[a-z-]+\").*?\{% end\1 %\}", re.DOTALL)


def rows(root: Path) -> list[str]:
    """Return what the list of CONTRIBUTING.md says may be written, each as it stands there."""
    text = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    listed = text.partition("In prose you may write")[2].partition("`sig(3)` prints")[0]
    return re.findall(r"`([^`]*[{$][^`]*)`", listed)


def test_what_prose_may_say_can_be_pasted(root: Path, tmp_path: Path) -> None:
    """Each example of both documents builds as it stands, in a text that has its claim, figure or table not yet."""
    readme = (root / "README.md").read_text(encoding="utf-8")
    spans = [*rows(root), *re.findall(r"`(\{\{ .+? \}\})`", readme)]
    assert len(spans) > 22
    claims = [
        found
        for name in ("README.md", "CONTRIBUTING.md")
        for found in re.findall(
            r"^ {4}(\{% claim .+?endclaim %\})$", (root / name).read_text(), re.MULTILINE | re.DOTALL
        )
    ]
    assert claims
    folder = shutil.copytree(root / "content", tmp_path / "content")
    for part in filter(None, map(PART.fullmatch, spans)):
        _taken_out(folder, part)
    named = [re.sub(r'(?<=claim )"\w+"', f'"an-example-{n}"', span) for n, span in enumerate([*spans, *claims])]
    with (folder / "note" / "own.md").open("a", encoding="utf-8") as file:
        file.write("".join(f"\n{_placed(span)}\n" for span in dict.fromkeys(named) if not span.startswith("{% lead")))
    lead = next(span for span in named if span.startswith("{% lead"))
    first = folder / "note" / "index.md"
    text = first.read_text(encoding="utf-8")
    first.write_text(re.sub(r"\{% lead %\}.*?\{% endlead %\}", lambda _: lead, text, flags=re.DOTALL), encoding="utf-8")
    assert len(site.written(folder).made) > 5


def _taken_out(folder: Path, part: re.Match[str]) -> None:
    """Take a figure or a table out of the text where it stands."""
    for file in folder.rglob("*.md"):
        text = file.read_text(encoding="utf-8")
        for found in PART.finditer(text):
            if found.groups() == part.groups():
                file.write_text(text.replace(found[0], ""), encoding="utf-8")
                return
    pytest.fail(f"no text has {part[0]}")


def _placed(span: str) -> str:
    """Return an example as a text has it: in a sentence, unless it is a paragraph of its own, or a link's target."""
    span = f"[a link]({span})" if "preset(" in span else span
    return span if span.startswith(("{% figure", "{% table", "$$")) else f"This is {span}."
