"""What is wrong in one {{ }} or {% %} beside another mistake: all of it is told in one run, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report.toy import Writer

_FILTER = "there is no filter 'sgi'; did you mean 'sig'?"
_NAME = "unknown name 'bta'; did you mean 'beta'?"


@pytest.fixture
def writer(tmp_path: Path) -> Writer:
    return Writer(tmp_path)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ("{{ live.T_mn | sgi(2) }}", ["live.T_mn: there is no quantity 'T_mn'", f"1:16: {_FILTER}"]),
        ("{{ live.T | sgi(bta) }}", [f"1:13: {_FILTER}", _NAME]),
        ("{{ live.T | sgi(2) | sgi }}", [f"1:13: {_FILTER}", f"1:22: {_FILTER}"]),
        ("{{ beta | sgi(2) }}", [_FILTER, "beta is a name, not a number"]),
        ('{{ "|sgi|" | sgi }}', [f"1:14: {_FILTER}"]),
        ("{{ live.T | sgi.on(2) }}", ["1:13: there is no filter 'sgi.on'"]),
        ('{{ live.T | sgi ~ "a" }}', [_FILTER]),
        ("{% for a in bta | sgi %}{{ a | sig(2) }}{% endfor %}", [_FILTER, _NAME]),
        ("{% set x = live.T | sgi %}{{ x | sig(2) }}", [_FILTER]),
        ('{% claim "c", live.T | sgi > 1 and bta > 2 %}x{% endclaim %}', [_FILTER, _NAME]),
    ],
)
def test_what_an_unknown_filter_is_applied_to_is_judged(writer: Writer, text: str, messages: list[str]) -> None:
    _told(writer, text, messages)


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        ('{{ beta(machin="a", network="b") }}', ["unknown key 'machin'", "unknown network 'b'"]),
        ('{{ live.beta(machine="a", network="b") }}', ["unknown machine 'a'", "unknown network 'b'"]),
        ("{{ beta(machine=bta, network=gama) }}", [_NAME, "unknown name 'gama'"]),
        ('{{ beta(machine=bta, network="b") }}', [_NAME, "unknown network 'b'"]),
        ('{{ beta(machine=[1], network="b") }}', ["beta: machine is", "unknown network 'b'"]),
        ('{{ beta("h100", network="b") }}', ["beta takes keys only", "unknown network 'b'"]),
        ('{{ live.beta("h100", network=bta) }}', ["live.beta takes keys only", _NAME]),
        ('{{ beta(machin="h100") | sig(2) }}', ["unknown key 'machin'"]),
        ("{{ beta(machine=bta) | sig(2) }}", [_NAME]),
    ],
)
def test_all_keys_of_a_question_are_judged(writer: Writer, text: str, messages: list[str]) -> None:
    _told(writer, text, messages)


def _told(writer: Writer, text: str, messages: list[str]) -> None:
    told = writer.told(text + "\n")
    assert len(told) == len(messages), told
    for message in messages:
        assert any(message in one for one in told), (message, told)
