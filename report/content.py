"""Everything that authors wrote, read at once: catalogues, vocabulary, bibliography, the site's own settings.

All mistakes of all files are found in one go. Leaves out: the prose, which needs all of this (report/prose.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import yaml

from model.records import Catalogue
from report import catalogue, memory, named, outline, references, values, wordlist, yamlgrammar, yamlnodes
from report.accuracy import band
from report.accuracy.band import Band
from report.errors import BuildError, Problem
from report.followed import followed
from report.keys import judged
from report.named import Named
from report.outline import Entry
from report.references import Reference
from report.research import files
from report.research.files import Written
from report.vocabulary import Vocabulary
from report.yamlpieces import unfounded

_ADDRESS = re.compile(r"https?://[A-Za-z0-9.-]+(:\d{1,5})?(/[A-Za-z0-9._~%-]+)*/?")
_TEXTS = ("title", "original")
_LISTS = ("pages",)
_KEYS = (*_TEXTS, "address", "pages", "tables", "presets", "accuracy")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the whole site shares: title, address ('' when nowhere), its pages, rows of tables, named scenarios."""

    title: str
    address: str
    original: str
    pages: tuple[Entry, ...]
    tables: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    presets: Mapping[str, Named] = field(default_factory=dict)
    band: Band | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """All inputs of a build but the prose."""

    folder: Path
    catalogue: Catalogue
    vocabulary: Vocabulary
    references: Mapping[str, Reference]
    settings: Settings
    dossiers: tuple[Written, ...] = ()

    @property
    def name(self) -> str:
        """Return what messages call the folder."""
        return self.folder.name

    @property
    def pages(self) -> tuple[Entry, ...]:
        """Return every page of the site, the research pages after the one that lists them."""
        found: list[Entry] = []
        for entry in self.settings.pages:
            found += [entry, *(one.entry for one in self.dossiers if entry.folder == files.FOLDER)]
        return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """The inputs of a build as far as they could be read, and every mistake of every file."""

    folder: Path
    rows: Catalogue | None
    words: Vocabulary  # as far as they could be read
    works: Mapping[str, Reference] | None
    site: Settings | None
    dossiers: tuple[Written, ...] | None
    problems: tuple[Problem, ...]
    keys: Mapping[str, Any] | None  # of the works, as far as they could be read

    @property
    def whole(self) -> Content | None:
        """Return all inputs; None where something is wrong with one of them."""
        rows, words, works, site, dossiers = self.rows, self.words, self.works, self.site, self.dossiers
        if rows is None or works is None or site is None or dossiers is None or self.problems:
            return None
        return Content(
            folder=self.folder, catalogue=rows, vocabulary=words, references=works, settings=site, dossiers=dossiers
        )


Read = TypeVar("Read")


def read(folder: Path) -> Content:
    """Read a content folder; raise BuildError with every mistake of every file."""
    found = gather(folder)
    if found.whole is None:
        raise BuildError(found.problems)
    return found.whole


def gather(folder: Path) -> Gathered:
    """Read a content folder as far as it can be read."""
    problems: list[Problem] = []

    def tried(run: Callable[[], Read]) -> Read | None:
        try:
            return run()
        except BuildError as error:
            problems.extend(error.problems)
            return None

    rows = tried(lambda: followed(catalogue.load(folder / "catalogue")))
    words, amiss = _once(wordlist.read, folder, "vocabulary.yaml")
    problems.extend(amiss)
    works = tried(lambda: _once(references.load, folder, "references.bib"))
    keys = _keys(folder / "references.bib") if works is None else works
    site = tried(lambda: _settings(folder / "site.yaml", f"{folder.name}/site.yaml", rows))
    listed = None if site is None else [entry.folder for entry in site.pages]
    dossiers = tried(lambda: files.load(folder, works, rows, listed, keys))
    return Gathered(
        folder=folder,
        rows=rows,
        words=words,
        works=works,
        site=site,
        dossiers=dossiers,
        problems=tuple(problems),
        keys=keys,
    )


def _once(load: Callable[[Path, str], Read], folder: Path, name: str) -> Read:
    """Return what a file holds, as read now or when it last held the same bytes."""
    file, shown = folder / name, f"{folder.name}/{name}"
    held = file.read_bytes() if memory.active() and file.is_file() else None
    return memory.recalled("file", (str(file), held), lambda: load(file, shown))


def _keys(file: Path) -> Mapping[str, Any] | None:
    from report import bibkeys  # a good bibliography does without

    return bibkeys.read(file)


def _is_text(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and bool(node.value)


def _textless(key: str, node: yaml.Node, path: str) -> Problem:
    what = "empty" if isinstance(node, yaml.ScalarNode) else yamlnodes.kind(node)
    return yamlnodes.place(path, node).problem(f"'{key}' is {what}, but text is wanted")


def _settings(file: Path, path: str, rows: Catalogue | None) -> Settings:
    top, problems, lost, _ = yamlgrammar.read(file, path, _KEYS, _LISTS)
    if top is None:
        raise BuildError(problems)
    found = yamlnodes.entries(top)
    keys = judged(found, _KEYS, (*_TEXTS, "pages", "accuracy"))
    for key, hint in keys.unknown.items():
        at = yamlnodes.place(path, found[key][0])
        problems.append(at.problem(f"unknown key '{key}'", hint or values.one_of(_KEYS)))
    hints = {"accuracy": band.WANTED}
    problems += [Problem(path, 1, 1, f"the key '{key}' is missing", hints.get(key, "")) for key in keys.missing]
    found |= {word: found[key] for word, key in keys.meant.items()}  # so that one mistake is told once
    problems += [_textless(key, found[key][1], path) for key in _TEXTS if key in found and not _is_text(found[key][1])]
    address = found["address"][1] if "address" in found else None
    original = [found["original"][1]] if "original" in found and _is_text(found["original"][1]) else []
    for node in [address, *original]:
        if node is not None and node.value and not _ADDRESS.fullmatch(str(node.value)):
            problems.append(yamlnodes.place(path, node).problem(f"'{node.value}' is no address", "write https://..."))
    presets, wrong = named.presets(found["presets"][1] if "presets" in found else None, path, rows)
    tables, more = named.tables(found["tables"][1], path, rows, presets) if "tables" in found else ({}, [])
    pages, faults = outline.read(found["pages"][1], path, file.parent) if "pages" in found else ((), [])
    stated, unstated = band.read(found["accuracy"][1], path) if "accuracy" in found else (None, [])
    problems += [*wrong, *more, *faults, *unstated]
    if problems:
        raise BuildError(unfounded(problems, lost))
    texts = {key: str(found[key][1].value) for key in _TEXTS}
    where = str(address.value) if address else ""
    return Settings(**texts, address=where, pages=pages, tables=tables, presets=presets, band=stated)
