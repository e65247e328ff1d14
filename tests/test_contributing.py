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


def test_what_prose_may_say_can_be_pasted(root: Path, tmp_path: Path) -> None:
    """Of the examples in both documents those that stand for themselves: on its own page each name is free."""
    told = "".join((root / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md"))
    spans = [span.replace("\\|", "|") for span in re.findall(r"`(\{\{ .+? \}\}|\{% claim .+? endclaim %\})`", told)]
    spans += re.findall(r"^    (\{% claim .+? endclaim %\})$", told, re.MULTILINE)
    assert len(spans) > 15
    folder = shutil.copytree(root / "content", tmp_path / "content")
    fixed = [span for span in dict.fromkeys(spans) if "live." not in span]  # that needs a claim around it
    claimed = [re.sub(r'(?<=claim )"\w+"', f'"an-example-{n}"', span) for n, span in enumerate(fixed)]
    with (folder / "note" / "own.md").open("a", encoding="utf-8") as file:
        file.write("".join(f"\nThis is {_placed(span)}.\n" for span in claimed))
    assert len(site.written(folder).made) > 5


def _placed(span: str) -> str:
    """Return an example as a sentence has it: the target of a link within one."""
    return f"[a link]({span})" if "preset(" in span else span
