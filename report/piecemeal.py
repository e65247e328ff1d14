"""What is wrong with the texts of a content folder whose inputs have mistakes of their own.

Rows, vocabulary, works, settings and research pages are read apart, and what is in order is used, word by word. Without
rows nothing is asked of the model; what hangs on an input that can't be read is not judged. Nothing is made of such
texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from model.book import QUANTITIES
from report import addresses, dangling, prose
from report.asking import AuthorError, World
from report.blocks import CAPTION
from report.catalogue import KINDS
from report.conditions import BAD
from report.content import Content, Gathered, Settings
from report.desk import Desk, Setting
from report.draft import Draft
from report.errors import Problem, nearest
from report.figures.book import FIGURES
from report.outline import TEXT, Entry
from report.page import Sketch
from report.prose import Drafts, Wanted
from report.research import files
from report.twins.names import of_pages

_CALLED = re.compile(r"(?:^|[{,\s])(?:name|short): *(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^,}\n]+))", re.MULTILINE)

_ID = re.compile(r"^ *(?:- +)?(?:\{ *)?id: *[\"']?([\w-]+)", re.MULTILINE)


class _Every(dict[str, Any]):
    """A mapping that could not be read: it may hold any key."""

    def __contains__(self, key: object) -> bool:
        return True


@dataclass(frozen=True)
class _Names:
    """What the rows of a catalogue are called, and their ids by kind, whatever else is wrong with them."""

    rows: Mapping[str, Any]
    ids: Mapping[str, Mapping[str, None]]

    def __getattr__(self, kind: str) -> Mapping[str, None]:
        return self.ids.get(kind, {})


def problems(found: Gathered, sighted: Callable[[Content], Setting] | None = None) -> list[Problem]:
    """Return what is wrong with the texts; sighted returns the setting of content whose rows and words are in order.

    Without it nothing is asked of the rows.
    """
    seen = sighted if found.rows is not None else None
    base = _blind(found) if seen is None else _sighted(found, seen)
    whole, rest = files.texts(found.folder)
    texts = whole | rest
    blocks: dict[str, Callable[..., str]] = {"figure": _figure, "table": _table, "board": _board}
    setting = replace(base, texts=texts, blocks=blocks, parts=None, partial=True)
    name = found.folder.name
    entries = [(entry.address, f"{name}/{entry.text}", entry.called) for entry in _pages(found)]
    wanted = [Wanted(path, address, called, setting) for address, path, called in entries]
    wanted += [Wanted(path, path, "", setting) for path in texts]
    drafts = _with_unread(prose.drafts(wanted, found.folder.parent), found.folder, setting, whole)
    unjudged = dangling.missed(found.folder, found.keys) if found.rows is None else []
    return [*unjudged, *drafts.told(), *_astray(found, drafts)]


def _with_unread(drafts: Drafts, folder: Path, setting: Setting, whole: Collection[str]) -> Drafts:
    """Return the drafts with the research pages that are not in order: what may stand there is not missed."""
    wanted, texts = list(drafts.wanted), list(drafts.files)
    for file in sorted(folder.glob(f"{files.FOLDER}/*.yaml")):
        path = f"{folder.name}/{files.FOLDER}/{file.name}"
        if path in whole:
            continue
        source, paths = _text(file), [one.path for one in wanted]
        marks = "\n".join(f"{{#{name}}}" for name in _ID.findall(source))
        unread = Draft(None, (), Sketch(path, unread=f"{source}\n{marks}"))
        if path in paths:
            texts[paths.index(path)] = [*texts[paths.index(path)], unread]
        else:
            wanted.append(Wanted(path, path, "", setting))
            texts.append([unread])
    return replace(drafts, wanted=wanted, files=texts)


def _sighted(found: Gathered, sighted: Callable[[Content], Setting]) -> Setting:
    """Return a setting in which all can be asked but what hangs on an input that could not be read."""
    assert found.rows is not None
    content = Content(
        folder=found.folder,
        catalogue=found.rows,
        vocabulary=found.words,
        references=_Every() if found.keys is None else found.keys,
        settings=found.site or Settings(title="", address="", original="", pages=()),
        dossiers=found.dossiers or (),
    )
    setting = sighted(content)
    muted = {} if found.site else {"preset": _nothing}
    muted |= {} if found.dossiers is not None else {"dossiers": partial(_listed, found.folder)}
    return replace(setting, extras={**setting.extras, **muted})


def _blind(found: Gathered) -> Setting:
    """Return a setting in which nothing can be asked, but every name has to be one."""
    return Setting(
        world=World(QUANTITIES, lambda _: {}),
        catalogue=_named(found.folder / "catalogue"),
        vocabulary=found.words,
        references=_Every() if found.keys is None else found.keys,
        extras={**dict.fromkeys(EXTRAS, _nothing), "dossiers": partial(_listed, found.folder)},
        blind=True,
    )


# What other parts give prose to call (report/written.py).
EXTRAS = (
    *("preset", "fit", "crossed", "dossiers", "runs", "measured", "explained", "evidence"),
    *("moves", "likely"),
)


def _listed(folder: Path, *names: str) -> object:
    """Return what stands for the list of research pages; raise AuthorError for a name that no file has."""
    known = [file.stem for file in folder.glob(f"{files.FOLDER}/*.yaml")]
    for name in names:
        if name not in known:
            raise AuthorError(f"there is no research page '{name}'", nearest(name, known))
    return BAD


def _nothing(*_: object, **__: object) -> object:
    return BAD


def _named(folder: Path) -> _Names:
    """Return the names and ids in all files of a catalogue, read as plain text."""
    texts = {kind: _text(folder / f"{kind}.yaml") for kind in KINDS}
    names = {"".join(one).strip() for text in texts.values() for one in _CALLED.findall(text)} - {""}
    ids = {kind: dict.fromkeys(_ID.findall(text)) for kind, text in texts.items()}
    return _Names({name: SimpleNamespace(name=name) for name in names}, ids)


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""


def _figure(_desk: Desk, name: str, title: str) -> str:
    if name not in FIGURES:
        raise AuthorError(f"there is no figure '{name}'", nearest(name, FIGURES))
    return f'<figure id="fig-{name}">{CAPTION}</figure>'


def _table(_desk: Desk, name: str) -> str:
    return f'<div class="table" id="{name}">{CAPTION}</div>'


def _board(_desk: Desk, name: str) -> str:
    return f"<div>{CAPTION}</div>"


def _pages(found: Gathered) -> list[Entry]:
    """Return the pages that the settings list, else those that there are."""
    if found.site is not None:
        return list(found.site.pages)
    folders = sorted(file.parent.name for file in found.folder.glob(f"*/{TEXT}"))
    return [Entry(name, "", f"the {name}", f"{name}/index.html", f"{name}/{TEXT}") for name in folders]


def _astray(found: Gathered, drafts: Drafts) -> Iterator[Problem]:
    """Yield the links that lead nowhere; what lies below data/ is made of what could not be read."""
    if found.site is None:
        return
    research = [files.placed(file.stem) for file in found.folder.glob(f"{files.FOLDER}/*.yaml")]
    known = of_pages([*found.site.pages, *research])
    for entry, parts in zip(found.site.pages, drafts.sketches, strict=False):
        for part in parts:
            leads = [lead for lead in addresses.of(part.html) if not re.match(r"(\.\./)*(data|assets)/", lead)]
            text = part.path.removeprefix(f"{found.folder.name}/")
            yield from addresses.check(leads, entry.address, known, found.folder, text)
