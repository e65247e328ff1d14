"""Both axes of the roofline say what they show, and a pointer is told the bandwidth behind a slope."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from model.records import Catalogue
from model.scenario import base
from report.catalogue import load
from report.figures import roofline
from tests.report import pictures
from tests.report.pictures import ROOT, picture, words


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load(ROOT / "content" / "catalogue")


@pytest.fixture(scope="module")
def specs(catalogue: Catalogue) -> Mapping[str, dict[str, Any]]:
    return pictures.specs(roofline, catalogue)


def drawn(spec: Mapping[str, Any], catalogue: Catalogue, machine: str, **views: Any) -> ET.Element:
    settings = {"machine": machine, "T": 1.0}
    return picture(spec, roofline.params(settings, base(catalogue, settings)) | views)


def test_both_axes_say_what_they_show(specs: Any, catalogue: Catalogue) -> None:
    shown = " ".join(words(drawn(specs["wide"], catalogue, "h100-sxm5")))
    assert "attainable rate, FLOP" in shown
    assert "operational intensity, FLOP" in shown


def test_a_pointer_is_told_the_bandwidth_too(specs: Any) -> None:
    assert "of memory bandwidth" in str(specs["wide"]["signals"] + specs["wide"]["marks"] + specs["wide"]["data"])
