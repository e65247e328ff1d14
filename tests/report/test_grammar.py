"""What Jinja cannot read is said in the author's terms, at the line where it can be mended."""

from pathlib import Path

import pytest
from jinja2 import TemplateSyntaxError

from report import grammar
from tests.report.toy import FRONT, Writer

TOP = FRONT.count("\n")
CLAIM = '{% claim "c", live.T > 1 %}'


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("a\n\n{%# b\n", 3, "{%# is never closed; write #%}"),
        (f"a\n{CLAIM}x\n\ny\n", 2, "{% claim %} is never closed; write {% endclaim %} after it"),
        (f"{CLAIM}x{{% endclaim %}}\n{CLAIM}y\n\nz\n", 2, "{% claim %} is never closed; write {% endclaim %} after it"),
        ('{% if 1 %}\n{% set x = 2 %}a\n{% figure "f", "T." %}\n\nb\n', 3, "{% figure %} is never closed; write"),
        ("```\n{% claim %}\n```\n{% note %}a", 4, "{% note %} is never closed; write {% endnote %} after it"),
        ("{% set x %}a\n", 1, "{% set %} is never closed; write {% endset %} after it"),
        ('{% clam "c" %}x{% endclam %}', 1, "there is no tag 'clam'; did you mean 'claim'?"),
        (f"{CLAIM}x{{% otherwize %}}{{% endclaim %}}", 1, "there is no tag 'otherwize'; did you mean 'otherwise'?"),
        ("x\n{% endclaim %}", 2, "{% endclaim %} belongs to a claim, and none is open"),
        ("{% otherwise %}", 1, "{% otherwise %} belongs to a claim, and none is open"),
        (
            f"{CLAIM}x\n{{% if 1 %}}a\n{{% endclaim %}}",
            3,
            "{% endclaim %} comes too early: {% if %} of line 6 is still",
        ),
        (
            "{% if 1 %}a\n{% endfor %}",
            2,
            "{% endfor %} comes too early: {% if %} of line 5 is still open; write {% endi",
        ),
        ("{{ live.T | }}", 1, "something is missing before }}; a name belongs there"),
        ("{{ }}", 1, "something is missing before }}; an expression belongs there"),
        ('{% claim "c", live.T > %}x{% endclaim %}', 1, "something is missing before %}"),
        ('{% claim "c" live.T > 1 %}x{% endclaim %}', 1, "'live' stands where it cannot; %} was expected"),
        (
            "{{ live.T | sig 3 }}",
            1,
            "a number stands where the expression in {{ }} has ended; is }} missing",
        ),
        ("{{ live.T | sig(3 }}", 1, "'}' stands where it cannot; ')' was expected"),
        ("{{ live.T", 1, "{{ or {% is never closed; write }} or %}"),
        ('{{ beta(machine="h100) }}', 1, 'a quotation mark without its other half; write " at both ends'),
        ("{{ live.T ! 2 }}", 1, "the character '!' has no place in {{ }} or {% %}"),
        ("{{ live.T | sigg(3) }}", 1, "No filter named 'sigg'; did you mean 'sig'?"),
        ("{% %}", 1, "tag name expected"),
    ],
)
def test_a_page_that_cannot_be_read(tmp_path: Path, text: str, line: int, says: str) -> None:
    _, problems = Writer(tmp_path).attempt(text)
    assert [str(problem) for problem in problems if str(problem).startswith(f"page.md:{TOP + line}: {says}")], problems


def test_a_word_of_jinja_that_is_not_known_here_is_passed_on() -> None:
    assert grammar.said(TemplateSyntaxError("something  new.", 3), "", (), ()) == grammar.Said("something new")
    whole = "Unexpected end of template. Jinja was looking for: 'x'. The innermost block that needs to be closed is 'x'"
    assert grammar.said(TemplateSyntaxError(whole, 3), "", (), ()).message == "a tag is never closed"
