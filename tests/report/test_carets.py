"""Every mistake is told at its line and column, with a caret under the words that it is about.

In each text below ⟦ and ⟧ stand around the words that must be under a caret: these, and no others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from report import carets, catalogue, excerpts, prose, references
from report.asking import AuthorError
from report.desk import Setting
from report.errors import BuildError, Near, Problem
from tests.report import test_maths, test_references
from tests.report.catalogues import MACHINES, lay_out
from tests.report.toy import FRONT, SETTING, Writer

Caret = tuple[int, int, str]  # line, column, the words under it


def unmarked(text: str) -> tuple[str, set[Caret]]:
    """Return a text without its marks, and the carets that it wants."""
    wanted = set()
    while "⟦" in text:
        before, _, rest = text.partition("⟦")
        words, _, after = rest.partition("⟧")
        wanted.add((before.count("\n") + 1, len(before) - before.rfind("\n"), words))
        text = before + words + after
    return text, wanted


def told(problems: Iterable[Problem], file: Path) -> dict[Caret, str]:
    """Return the carets under which mistakes of a file are told, with what is said; each is drawn as it is placed."""
    found = {}
    for problem in problems:
        place = excerpts.placed(replace(problem, path=f"{file.parent.name}/{file.name}"), file.parent)
        words = place.text[place.start - 1 : place.end - 1]
        lines = excerpts.shown(place)
        assert f":{place.problem.line}:{place.start}: " in lines[0], lines
        assert set(lines[2].partition("|")[2].strip()) == {"^"}, lines
        found[place.problem.line, place.start, words] = str(problem)
    return found


def part(desk: object, name: str, title: str = "") -> str:
    if name != "known":
        raise AuthorError(f"there is no figure '{name}'")
    return "<figure>\ue001</figure>"


@dataclass
class Range:
    low: int = 1


EXTRAS = {**SETTING.extras, "record": lambda _: Range()}
PROSE = {
    "a quantity twice": ("{{ live.⟦Tx⟧ | sig(3) }} or {{ live.⟦Tx⟧ | sig(3) }}", "no quantity 'Tx'"),
    "a work twice": ('{{ cite("⟦x⟧") }} or {{ cite("⟦x⟧") }}', "no reference 'x'"),
    "a filter where its like stands before": (
        '{{ beta(machine="h100") | sig(3) }} or {{ ⟦beta⟧(machine="h100") }} or {{ beta(machine="h100") | qty(3) }}',
        "without a filter",
    ),
    "a claim without a name behind another": (
        '{% claim "c", live.T > 1 %}x{% endclaim %} {% ⟦claim⟧ d, live.T > 1 %}y{% endclaim %}',
        "has no name",
    ),
    "a state twice": (
        '{% claim "c", live.T_min > 1 %}x{% otherwise %}y{% otherwise "no-batch" %}z{% ⟦otherwise⟧ "no-batch" %}z'
        "{% endclaim %}",
        "two variants",
    ),
    "a state twice in each of two claims": (
        '{% claim "c", live.T_min > 1 %}x\n{% otherwise "no-batch" %}y{% ⟦otherwise⟧ "no-batch" %}z{% endclaim %} '
        '{% claim "d", live.T_min > 1 %}x{% otherwise "no-batch" %}y\n{% ⟦otherwise⟧ "no-batch" %}z{% endclaim %}',
        "has two variants for 'no-batch', the first in line 6; delete one",
    ),
    "a state that can't be in each of two claims": (
        '{% claim "c", live.T_min > 1 %}x{% otherwise "no-batch" %}y{% otherwise "no-shape" %}z{% endclaim %} '
        '{% claim "d", live.beta > 1 %}x{% otherwise "⟦no-batch⟧" %}y{% endclaim %} '
        '{% claim "e", live.beta > 1 %}x{% otherwise "⟦no-batch⟧" %}y{% endclaim %}',
        "can be in the state 'no-batch'",
    ),
    "a claim without words for a state": (
        '{% claim "⟦c⟧", live.T_min > 1 %}x{% endclaim %} {% claim "d", live.T > 1 %}x{% endclaim %}',
        'has no value on network=secret (no-shape), and no words for that; write {% otherwise "no-shape" %}...',
    ),
    "a numeral in a word": ("{{ live.T | sig(2) }} of x⟦2⟧, they say", "numeral '2'"),
    "comparisons in a line": ('{% if ⟦1 < "a"⟧ %}x{% endif %} {% if ⟦2 in 3⟧ %}x{% endif %} {{ ⟦bta⟧ }}', ""),
    "loops in a line": ("{% for x in ⟦5⟧ %}x{% endfor %} {% for a, b in [⟦6⟧] %}x{% endfor %} {{ ⟦bta⟧ }}", ""),
    "slices in a line": ('{{ [1][:"⟦a⟧"] }} {{ ⟦4⟧[1:] }} {{ ⟦bta⟧ }}', ""),
    "behind what Jinja prints as it stands": ("⟦{% raw %}⟧ {{ ⟦bta⟧ }} {% endraw %} {{ ⟦bta⟧ }}", ""),
    "behind brackets in quotes": ('{{ "}}" ~ ⟦bta⟧ }} {% if "%}" ~ ⟦bta⟧ %}x{% endif %} {{ ⟦bta⟧ }}', "unknown name"),
    "behind a mapping of mappings": ('{{ {"⟦a⟧": {"b": 1}} }} {{ ⟦bta⟧ }}', ""),
    "a text that is none": ("{{ cite(⟦[]⟧) }} {{ ⟦bta⟧ }}", ""),
    "a name twice in a tag": ("{{ ⟦nme⟧ }} {{ ⟦nme⟧ + nme }}", "unknown name 'nme'"),
    "keys that there are not": ("{% set keys = {} %}{{ live.T(**⟦kes⟧) | sig(3) }}", "did you mean 'keys'?"),
    "parts twice": ('{% figure "⟦other⟧" %}{% endfigure %} {% figure "⟦other⟧" %}{% endfigure %}', "no figure 'other'"),
    "a tag behind one that was put right": (
        '{{ live.T | ⟦sgi⟧(3) }} {% claim "c", live ⟦T⟧>1 %}{% endclaim %} {{ live.T | ⟦qty⟧ }} {{ live.⟦Tx⟧ | qty }}',
        "'",
    ),
    "a sum in a line with formulas": ("$x$ {{ ⟦1 / 0⟧ }} or $y$ {%# 1 / 0 #%} `{{ 1 / 0 }}`", "division"),
    "a dollar": ("It costs ⟦$⟧so much.", "opens no formula"),
    "two dollars": ("It costs ⟦$⟧so and ⟦$⟧so.", "opens no formula"),
    "a formula with blanks": ("So ⟦$⟧ x $ it is.", "opens no formula"),
    "a display": ("See $$x$$ and ⟦$$⟧ y it is.", "never closed"),
    "a display of two ends": (
        "See [x](#eq-x)\n\n⟦$$⟧\\beta = 2. {#eq-x}\n\nTwo {{ live.T | ⟦exct⟧ }} and $$x$$ {#eq-y}\n\nSo ⟦42⟧",
        "",
    ),
    "a display without its end, and a tag in it": (
        "⟦$$⟧ x = {{ live.T | ⟦exct⟧ }} y {#eq-a}\n\n⟦$$⟧\nx = {{ live.T | exact }}\ny {#eq-b}\n\n"
        "Two ⟦42⟧ [a](#eq-a) [b](#eq-b)",
        "",
    ),
    "a display without its beginning": (
        "x = {{ live.T | exact }} y ⟦$$⟧ {#eq-a}\n\nx =\n⟦$$⟧\n\nx =\n⟦$$⟧ {#eq-b}",
        "'$$' closes a formula that was never opened; write $$ at its beginning too",
    ),
    "a display with one sign at its beginning": (
        "It is\n\n$x = \\formula{beta}.$⟦$⟧ {#eq-a}\n\nSo ⟦42⟧ [a](#eq-a)",
        "",
    ),
    "an id below its display": (
        "$$x$$\n⟦{#⟧eq-a}\n\n$$x$$, ⟦{#⟧eq-b} [a](#eq-a)",
        "or a display, as in ## Title {#name}",
    ),
    "a display of several lines": ("⟦$$⟧\n\\beta = 2\n$ {#eq-x}\n\nTwo ⟦42⟧\n\n$$x$$", ""),
    "a formula without its end": (r"So ⟦$⟧\beta_w and \gamma_{2} of" + "\nso ⟦42⟧", ""),
    "brackets": (r"So ⟦\(⟧x\) and ⟦\[⟧y\] it is.", "are not read"),
    "a bracket": (r"So x⟦\)⟧ it is.", "are not read"),
    "a hash": ("A {%# fine #%} and ⟦{#⟧ not.", "'{#' belongs"),
    "an id in a text": ("Here ⟦{#x}⟧", "'{#' belongs"),
    "a conflict": ("One\n⟦<<<<<<< HEAD⟧\ntwo", "conflict"),
    "a whole conflict": ("One\n⟦<<<<<<< HEAD⟧\ntwo\n=======\nthree\n>>>>>>> mine\n\nSo ⟦42⟧", ""),
    "half a conflict": ("One\ntwo\n⟦=======⟧\nthree\n>>>>>>> mine\nfour", "conflict"),
    "the end of a conflict": ("One\n⟦>>>>>>> mine⟧\nfour", "conflict"),
    "the beginning of a conflict": ("One {{ ⟦bta⟧ }}\n\n⟦<<<<<<<⟧\nfour", ""),
    "the middle of conflicts": ("One\n⟦=======⟧\n\ntwo\n\n⟦=======⟧\n\nthree and ⟦42⟧", ""),
    "conflicts with the same on both sides": (
        'x {{ ⟦bta⟧ }}\n⟦<<<<<<< a⟧\n{% claim "c", live.T > 1 %}x{% endclaim %} ⟦42⟧\n\n## A {#a}\n'
        '||||||| c\n{% claim "c", live.T > 0 %}x{% endclaim %}\n=======\n{% claim "c", live.T > 2 %}x{% endclaim %}\n\n'
        "## A {#a}\n\n## B {#b}\n\n>>>>>>> f\n\n[a](#a) [b](#b) {{ ⟦bta⟧ }}\n\n⟦<<<<<<< a⟧\n=======\n42\n"
        ">>>>>>> f\n\nSo ⟦42⟧",
        "",
    ),
    "a control character": ("One ⟦\x07⟧ two", "U+0007"),
    "a blank without width": ("One la⟦\u200b⟧tency", "U+200B (zero width space) has no place"),
    "a soft hyphen": ("One la⟦\xad⟧tency", "U+00AD (soft hyphen) has no place"),
    "a mark that turns a line": ("One ⟦\u2028⟧two ⟦\u202e⟧la", ""),
    "a letter of ours": ("One ⟦\ue000⟧ two", "U+E000"),
    "a tag of HTML": ("An *a* ⟦<div>⟧b</div> and ⟦<div>⟧", "HTML tag"),
    "a tag with a text": ('⟦<div class="a">⟧b</div>', "HTML tag"),
    "a tag with a quote amiss": ('⟦<div class="a>⟧b</div>', "HTML tag"),
    "a tag of a letter": ("⟦<a href=x hidden>⟧b</a> ⟦<i>⟧c</i> x<y and y>x", "HTML tag"),
    "letters that may be compared": ("So a⟦<b>⟧c", "as text; prose is Markdown; signs that compare have blanks"),
    "a script": ("⟦<script>⟧alert()</script>", "HTML tag"),
    "the end of a tag": ("So it ⟦</span>⟧ is", "the HTML tag </span> would be printed"),
    "a tag with quotes": ('So ⟦<a href="#zip">⟧it is', 'the HTML tag <a href="#zip"> would'),
    "a comment of HTML": ("One ⟦<!⟧-- to do: more -->", "a comment of HTML would be printed"),
    "an entity": ("Smith &amp; Sons &mdash; and ⟦&foo;⟧, AT&T; too", "'&foo;' would be printed"),
    "a brace": ("One ⟦{⟧ live.beta ⟦}⟧ two", "would be printed as it stands"),
    "the end of a template's tag": ("One ⟦}}⟧ and ⟦%}⟧ two `}} %}`", "would be printed as it stands"),
    "emphasis without end": (r"**Bold** and ⟦**⟧bold \* and *so*, \*\*so", "'**' would be printed"),
    "code without end": ("So `x` and ⟦`⟧y", "'`' would be printed"),
    "code that never ends": (
        "> ⟦```⟧ yaml\n> a: 41\n> ## One {#one}\n\n## Two {#two}\n\nIt is ⟦42⟧ [one](#one) [two](#two) {{ ⟦bta⟧ }}",
        "",
    ),
    "code that never ends before other code": (
        "⟦```⟧\na: 41\n\n``` python\nb = 42\n```\n\nIt is ⟦43⟧ ⟦$⟧x",
        "",
    ),
    "code of which one end is missing": (
        "```\na\n\nb\n\n```\nc\n⟦```⟧",
        "never ends; write ``` below it, or below the code that line 5 opens",
    ),
    "code that ends with other ticks": ("~~~\na: 41\n\nb\n⟦```⟧\n\nSo ⟦42⟧", ""),
    "code that ends with too few ticks": ("````\na: {\n⟦```⟧\n", "ends with '```', other ticks; write ```` alone"),
    "code that opens with too few ticks": ("``\na: 41\n``\n\n⟦``⟧\na: 41\n```\n\nSo ⟦42⟧\n\n```\n``\n```", ""),
    "code that ends with a word": ("```\na: 41\n⟦``` yaml⟧\n", "ends with '``` yaml', a line that holds more"),
    "code in one line, and more ticks around code": (
        "```a: 41```\nis ⟦42⟧\n\n````\n```\na: 43\n\n## A {#a}\n```\n````\n\n~~~\n``\n{{ a }}\n~~~\n\n⟦{⟧ so",
        "",
    ),
    "a link with a blank": ("See [a](https://a.org/x) and [z⟦](https://exa mple.org/a b)⟧.", "a blank in its address"),
    "a link without its last bracket": (
        "See [*so* it](#x) and [*w*⟦](#note-42⟧ or so",
        "a link's address is never closed",
    ),
    "a link in two": ("See [q⟦] (http://y.org/42)⟧ or [sic] (so)", "a blank stands between"),
    "a link by name": ("See [ref⟦][foo]⟧.", "a link by name is not read"),
    "a link without its second bracket": ("See ⟦[⟧w(http://x.org/42) and", "a link's text is never closed"),
    "a link without its first bracket": ("See [a](#x) w⟦](http://x.org/42)⟧ and", "a link's text is never opened"),
    "a link without its third bracket": ("See [w⟦]#eq-42)⟧ and", "a link's address is never opened"),
    "a bracket opened": ("See ⟦[⟧w and", "'[' is never closed"),
    "a bracket closed": ("See w⟦]⟧ and [sic] or", "']' is never opened"),
    "an item without a blank": ("- One\n⟦-⟧Two", "a blank is missing behind '-'"),
    "a heading without a blank": ("One\n\n⟦###⟧Two", "a blank is missing behind '###'"),
    "a table without its head": ("⟦|⟧ a | b |\n|---|\n| c | d |", "lines with | are no table"),
    "a cell too many": (
        "| a | b |\n|---|---|\n| c\\|d | `e` |\n⟦| x | y | z |⟧",
        "3 cells stands in a table of 2 columns",
    ),
    "a cell too few": ("> a | b\n> ---|---\n> c | {{ ref('x') }}\n> ⟦x⟧", "1 cell stands in a table of 2 columns"),
    "a link without an address": ("See [x](#x)\nor [y⟦]()⟧ or ![z⟦]()⟧.", "a link leads nowhere"),
    "a title in a text": ("# ⟦Two⟧\n\n## Three {#three}", "is of the level of the page's title"),
    "a level left out": (
        "## One {#one}\n\n##### ⟦Two⟧ {#two}\n\n### Three {#three}",
        "leaves out a level; write ### before",
    ),
    "a fact that is a number": ('{{ live.T | exact }} {{ ⟦fact⟧(20, "pope2026") }}', "takes words in quotes, not"),
    "a fact of nothing": ('{{ live.T | exact }} {{ ⟦fact⟧(" ", "pope2026") }}', "not an empty text"),
    "a command": (r"One ⟦\foo⟧ and ⟦\foo⟧.", "TeX command"),
    "a range": ("So ⟦20–30⟧ or ⟦1 000–2 000⟧ of them", "numeral '"),
    "a numeral twice": ("⟦2048⟧ or {{ live.T(T=2048) | exact }} or ⟦2048⟧", "numeral '2048'"),
    "a numeral in emphasis": ("It is **⟦42⟧** or `42` or $4$ or [so ⟦42⟧](#fig-42)", "numeral '42'"),
    "a numeral below": ("One\ntwo and\n⟦42⟧ of them", "numeral '42'"),
    "a numeral in a cell": (
        '| a | b |\n|---|---|\n| {{ beta(machine="h100", format="bf16") | sig(1) }} | ⟦42⟧ |',
        "numeral",
    ),
    "a numeral in quotes": ('"So" -- it\'s "⟦42⟧"...', "numeral '42'"),
    "a number word": ("So ⟦thirty⟧ or ⟦thirty⟧, not sixthirty", "number word"),
    "a printed numeral": ('It is {{ "⟦42⟧" }}', "numeral in it"),
    "a numeral in a title": ('[x](https://e.org/42 "the ⟦42⟧")', "numeral '42'"),
    "a numeral in a picture": ("![the ⟦42⟧](42.png)", "numeral '42'"),
    "a caption": ('x\n\n{{ figure("roofline",\n  "The ⟦42⟧ points.") }}', "numeral '42'"),
    "a comparative": ("Faster? The H100 SXM5 80 GB is ⟦faster⟧ or faster.", "'faster' compares"),
    "an id twice": ("## x {#x}\n\n## x x {#⟦x⟧}", "is taken in line"),
    "an id with a capital": ("See [it](#reuse-it)\n\n## It ⟦{#Reuse it}⟧", "write {#reuse-it}"),
    "an id without its hash": (
        "## A ⟦{two-ids}⟧\n\n$$x$$ ⟦{eq-a}⟧\n\n[a](#two-ids) [b](#eq-a)\n\n## B ⟦{# b}⟧\n\nSo ⟦{⟧x⟦}⟧",
        "",
    ),
    "a number for which a bracket is missing": (
        "{{ live.T | sig ⟦3⟧ }} {{ about ⟦300⟧, live.T }}",
        "or a bracket, as in",
    ),
    "a text for which a bracket is missing": ('{{ cite ⟦"pope2026"⟧ }}', 'has ended; write cite("pope2026")'),
    "an id that is not closed": ("See [it](#note-eq-2)\n\n## It ⟦{#note-eq-2⟧", "never closed; write {#note-eq-2}"),
    "a label that is not closed": ("$$x$$ ⟦{#eq-pole2⟧", "never closed; write {#eq-pole2}"),
    "a label with a capital": ("$$x$$ ⟦{#eq-Pole}⟧", "'eq-Pole' is no id"),
    "a comment of two lines": ("So ⟦{#⟧ to do 42\nmore #} and ⟦42⟧", ""),
    "a heading with an id and no blank": ("## One {#one}\n\n⟦##⟧Two {#two}\n\nSee [it](#two)", "a blank is missing"),
    "no id": ("## ⟦A title⟧", "has no id"),
    "no id and no title": ("⟦#⟧#", "a heading has no words"),
    "no id beside marks": ("## ⟦A *short* `title`: b⟧", "has no id"),
    "a heading that follows": ('## At {{ ⟦live.T⟧ | count("token") }} {#x}', "follows the reader"),
    "no condition": ('So claim. {% claim "⟦so⟧" %}So.{% endclaim %}', "has no condition"),
    "no name": ("So {% ⟦claim⟧ live.T > 1 %}claim.{% endclaim %}", "has no name"),
    "a name twice": (
        '{% claim "c", live.T > 1 %}c{% endclaim %}\n{% claim "⟦c⟧", live.T > 1 %}c{% endclaim %}',
        "taken",
    ),
    "emphasis": ('*c {% claim "⟦c⟧", live.T > 1 %}c* c{% endclaim %}', "cuts through"),
    "a state": ('{% claim "c", live.T > 1 %}b\n{% otherwise "⟦nobatch⟧" %}b{% endclaim %}', "unknown state"),
    "a state that can't be": (
        '{% claim "c", live.T_min > 1 %}b{% otherwise "no-batch" %}b{% otherwise "no-shape" %}b'
        '{% otherwise "unknown" %}b'
        '{% otherwise "⟦no-price⟧" %}b{% endclaim %}\n\n{% claim "d", live.beta > 1 %}b{% otherwise "no-format" %}c\n'
        '{% otherwise "⟦no-batch⟧" %}d{% endclaim %}',
        "none of its numbers can be in the state",
    ),
    "two variants": (
        '{% claim "c", live.T > 1 %}b{% otherwise %}b\n{% ⟦otherwise⟧ %}b{% endclaim %}',
        "two variants for 'false'",
    ),
    "a false claim": ('It is\n{% claim\n  "⟦c⟧",\n live.T < 1 %}c{% endclaim %}', "is false"),
    "false words in a claim": (
        '{% claim "c" %}{{ about(735, live.T_min) }} or {{ ⟦about⟧(600, live.T_min) }} is'
        " {{ ⟦half⟧(live.beta, live.T) }} or\n{{ about(300, live.beta) }} {{ ⟦about⟧(9, live.T_min) }}"
        " it.{% endclaim %}",
        "claim 'c' is false: its words '",
    ),
    "a false claim with false words": (
        '{% claim "⟦c⟧", live.T < 1 %}It is {{ ⟦about⟧(600, live.T_min) }}.{% endclaim %}',
        "claim 'c' is false: ",
    ),
    "a claim in a claim": (
        '{% claim "c", live.T > 1 %}{% claim "⟦d⟧", live.T > 1 %}d{% endclaim %}{% endclaim %}',
        "inside",
    ),
    "an unknown part": ('{% figure "⟦knwon⟧", "A known title." %}x{% endfigure %}', "no figure 'knwon'"),
    "a bare number": ('{{ "a" }} {{ ⟦42⟧ }}', "bare number"),
    "a dot at the end": ('{{ live.T | exact }} {{ cite("pope2026")⟦.⟧ }} {{ live⟦..⟧T }}', "missing behind a dot"),
    "a number too large": ("{{ live.T | exact }} {{ live.T | sig(⟦1e999⟧) }}", "a number beyond all numbers"),
    "a number far too large": ("{{ live.T | exact }} {{ live.T | sig(⟦" + "9" * 400 + "⟧) }}", "beyond all numbers"),
    "a quotation mark that an apostrophe below closes": (
        "As {{ cite(⟦'⟧pope2026\") }} and {{ ⟦bta⟧ }} or\n\nthe team's run {{ live.T | exact }} is ⟦42⟧",
        "",
    ),
    "texts side by side": (
        '{{ fact("no" ⟦"pope2026"⟧) }} {{ fact("no", "pope2026") }} {{ cite("pope2026"⟦"p. 3"⟧) }} '
        '{% figure "known" ⟦"T"⟧ %}{% endfigure %}{% claim "c" ⟦"d"⟧, live.T > 1 %}x{% endclaim %}',
        "two texts stand side by side; ",
    ),
    "an argument twice": (
        'A {{ fact("no, x=1, x=2", "pope2026") }} {{ T_min(machine="h100", network="wide",\n'
        '⟦machine⟧="a100", ⟦network⟧="thin", form="l2") | sig(1) }}',
        "stands twice; delete one of them",
    ),
    "live alone": ("{{ live.T | exact }} {{ ⟦live⟧ }}", "live cannot be printed"),
    "live as a condition": ('{% claim "⟦so⟧", live %}So.{% endclaim %}', "live is not a condition"),
    "a state of no name": ('{% claim "c", live.T > 1 %}b{% otherwise ⟦nobatch⟧ %}b{% endclaim %}', "unknown name"),
    "a dollar beside a tag that can't be read": ("So ⟦$⟧x {{ live.T | ⟦exct⟧ }} it.", ""),
    "keys of a set": (
        '{% set here = {"machine": "h100"} %}{{ live.beta(**here) | exact }} {{ ⟦T_min⟧(**here) | exact }}',
        "does not name network",
    ),
    "a ratio that is missing": (
        "So {{ (⟦live.T_min / live.T⟧) | sig(1) }}, {{ (live.T_min / live.T) | sig(1) }}",
        "has no value",
    ),
    "a set above": (
        '{% set here = {"machine": "⟦h10⟧"} %}\nIt\n\n{{ beta(**here) | sig(1) }} and {{ live.beta | sig(1) }}',
        "unknown machine 'h10'",
    ),
    "a name like a word": ("Is {{ live.T | exact }} in the {{ ⟦the⟧ | sig(1) }}?", "unknown name 'the'"),
    "a value that is missing": (
        "Of live.T_min {{ ⟦live.T_min⟧ | sig(1) }}, {{ live.T_min | sig(1) }}",
        "has no value on",
    ),
    "a row and more": ('{{ live.T | exact }} {{ ⟦machine⟧("h100", form="l2").name }}', "takes the name of one row"),
    "a number that is called": ('{{ live.T | exact }} {{ ⟦beta⟧(machine="h100")(2) | sig(1) }}', "is no function"),
    "a word for a digit": ("{{ live.T | sig(⟦three⟧) }}", "unknown name 'three'; write 3"),
    "a division by zero": ('{{ (⟦beta⟧(machine="h100") / 0) | sig(2) }}', "is divided by 0"),
    "a filter of the last part": (
        '{{ 2 * ⟦weights⟧(network="wide") | sig(2) }}',
        "a filter takes what stands next to it: write (a + b) | sig(...)",
    ),
    "a sum with its filter inside": (
        '{{ beta(machine="h100") + ⟦live.beta⟧ | sig(2) }}',
        "a filter takes what stands next to it: write (a + b) | sig(2)",
    ),
    "a tag for a name": ("{{ ⟦note⟧ }}x", "a tag stands between {% and %}: {% note %}"),
    "a table's backslash": ("{{ live.T ⟦\\⟧| sig(3) }}", "write | alone, in a table too"),
    "digits forgotten": ("{{ live.T | sig(1) }} {{ live.T | ⟦sig⟧() }}", "'n' is missing; write sig(3)"),
    "an operator": ("{{ live.T | exact }} {{ (live.T | sig(3)) ⟦-⟧ 1 }}", "is not for"),
    "an empty name": ('{{ live.T | exact }} {{ machine(⟦""⟧).name }}', "unknown machine ''"),
    "no number": ('So {{ ⟦ref("x") | sig(1)⟧ }}', "'Figure 3' is not a number"),
    "no brackets": (
        "So {{ ⟦ref⟧ | sig(1) }} or {{ ⟦cite⟧ }}, {{ ⟦machine⟧.name }}",
        "stands without its brackets; write ",
    ),
    "no brackets of words": (
        "So {{ live.T * ⟦about⟧ }}, {{ 'x' ~ ⟦about⟧ }}",
        "without its brackets; write about(n, x)",
    ),
    "no brackets in a condition": (
        '{% for x in ⟦ref⟧ %}{{ x }}{% endfor %}{% claim "c", ⟦half⟧ and live.T > 1 %}c{% endclaim %}{% if ⟦cite⟧ %}'
        "x{% endif %}",
        "without its brackets",
    ),
    "a bare quantity": (
        '{% claim "c", ⟦beta⟧ > 1 %}c{% endclaim %} {{ live.T / ⟦beta⟧ | sig(1) }} {{ about(2, ⟦beta⟧) }}'
        " {{ ⟦T⟧ | sig(1) }}",
        "is a name, not a number; write ",
    ),
    "a claim that opens in an address": (
        '[x](a{% claim "⟦c⟧", live.T > 1 %}) b{% endclaim %}',
        "cuts through emphasis, a link",
    ),
    "a zero byte in a formula": ("So $x⟦\0⟧y$ it is.", "U+0000"),
    "nothing": ("{{ ⟦none⟧ }}", "nothing is printed"),
    "no filter": ("{{ live.T | exact }} and {{ ⟦live.T⟧ }}", "without a filter"),
    "no value": ("It takes {{ ⟦live.T_min⟧ | sig(3) }}.", "has no value"),
    "a name of digits": (
        '{{ beta(machine="h100") | sig(1) }}, {{ ⟦"the " ~ machine("h100").name⟧ }}',
        "is printed with a numeral",
    ),
    "a name for a number": ("{{ live.T | exact }} {{ ⟦T_min⟧ }}", "is a name, not a number"),
    "keys": ('{% set beta = beta %}{{ live.T | exact }} {{ ⟦beta⟧("h100") | sig(3) }}', "takes keys only"),
    "typed numbers": (
        "{{ ⟦3 | sig(2)⟧ }} {{ live.T | exact }} {{ ⟦(3 * 2) | exact⟧ }} {% set x = 7 %}{{ ⟦x | count('token')⟧ }} "
        "{{ 300 | exact }} {{ live.beta(T=300) | exact }} {{ 512 | exact }} {{ ⟦beeta⟧(T=512) | sig(1) }} "
        "{{ ⟦409 | exact⟧ }} {{ 4096 | exact }} {% claim 'c', live.T < 4096 %}So.{% endclaim %}",
        "",
    ),
    "words about typed numbers": (
        '{{ live.T | exact }} {{ ⟦about⟧(300) }} {% claim "c", live.T > 1 %}{{ ⟦half⟧(1, 2) }} {{ about(live.T) }}'
        "{% endclaim %}",
        "are about typed numbers alone; a number comes from",
    ),
    "a unit twice": (
        '{{ live.beta | qty(3) }} ⟦FLOP/B⟧, {{ live.T | count("token") }} ⟦tokens⟧, {{ live.T | exact }} tokens\n'
        '{{ (live.T / live.T) | percent(2) }} ⟦%⟧ {{ machine("h100").bandwidth }} ⟦TB/s⟧. {{ live.beta | qty(3) }} of',
        "stands twice; the number is printed with it",
    ),
    "a word twice": (
        "So the ⟦the⟧ cat, of\n⟦of⟧ what that that still still is in in-lining",
        "stands twice; delete one of them",
    ),
    "a claim's name with a blank": (
        '{% claim "⟦a b⟧", live.T > 1 %}x{% endclaim %} {% claim "⟦?⟧", live.T > 1 %}x{% endclaim %}',
        "is no name of a claim; write {% claim",
    ),
    "a claim that says nothing": ('{% claim "⟦c⟧", live.T > 1 %} {% endclaim %}', "says nothing; write its sentence"),
    "a note over a paragraph": (
        "{% ⟦note⟧ %}x\n\ny{% endnote %} {% note %}z{% endnote %}",
        "a note runs over a paragraph",
    ),
    "an empty note": ("{% note %}z{% endnote %} x {% ⟦note⟧ %} {% endnote %}", "a note says nothing"),
    "a heading without words": ("## ⟦{#x}⟧\n\n## A {#a}\n\n⟦#⟧#", "a heading has no words"),
    "a heading that goes on behind its id": (
        "## A {#a}⟦.⟧\n\n[a](#a)\n\n- ### B {#b}\n\n    ### C {#c}",
        "ends with its id",
    ),
    "an id that begins with a digit": ("## A ⟦{#1a}⟧", "it is lower-case letters, digits and hyphens; write {#n1a}"),
    "an address alone": (
        "See ⟦http://a.org/x42⟧, ⟦www.a.org⟧. <https://b.org/3>",
        "stands alone is no link; write [text]",
    ),
    "a percent sign": (
        "{{ live.T | exact }}⟦%⟧ {{ (live.T / live.T) | percent(2) }} or {{ live.T | exact }} ⟦%⟧ of",
        "stands behind a number; write | percent",
    ),
    "a word beside a number": (
        "{{ live.T | exact }}⟦tokens⟧ or ⟦so⟧{{ live.T | exact }}, {{ live.T | exact }}-bit, {{ live.T | exact }}B",
        "a blank is missing be",
    ),
    "a part of a text": ('{{ live.T | exact }} {{ "some".⟦some⟧ }}', "'some' has no 'some'"),
    "a part of a record": (
        '{{ live.T | exact }} {{ record("a").⟦lo⟧ }}',
        "what stands here has no 'lo'; did you mean 'low'?",
    ),
    "a sum without a filter": ("{{ live.T | exact }} {{ ⟦live.T / 2⟧ }}", "without a filter"),
    "a division": ("A {{ ⟦1 / 0⟧ }}", "division by zero"),
    "equals": ('{% claim "a", live.T ⟦==⟧ 3 %}So.{% endclaim %}', "not compared with =="),
    "a key in the next line": ('{{ fact("x",\n  "⟦pope2025⟧") }}', "no reference 'pope2025'"),
    "a long heading": ("⟦A title⟧\nof two lines\n---", "has no id"),
    "a live alternative": ("![{{ ⟦live.T⟧ | exact }}](x.png)", "alternative text"),
}


@pytest.mark.parametrize("name", PROSE)
def test_a_mistake_of_prose_has_its_caret(tmp_path: Path, name: str) -> None:
    marked, message = PROSE[name]
    text, wanted = unmarked(FRONT + marked + "\n")
    _, problems = Writer(tmp_path).attempt(text, front="", blocks={"figure": part}, extras=EXTRAS)
    found = told(problems, tmp_path / "page.md")
    assert set(found) == wanted, found
    assert all(message in said for said in found.values()), found


@pytest.mark.parametrize(
    ("marked", "message"),
    [
        ("⟦x⟧", "the page has no"),
        ("⟦---⟧\ntitle: a\n---\nx", "the page has no description"),
        ("⟦--⟧\ntitle: a\ndescription: b\n---\nx", "opens with '--'; write three hyphens in line 1"),
        ("⟦----⟧\ntitle: a\ndescription: b\n----\nx", "opens with '----'; write three hyphens in line 1"),
        ("⟦—⟧\ntitle: a\ndescription: b\n---\nx", "opens with '—'; write three hyphens in line 1"),
        ("⟦title⟧: a\ndescription: b\n---\nx", "no line of --- stands above"),
        ("\n⟦---⟧\ntitle: a\ndescription: b\n---\nx", "does not begin in line 1"),
        ("---\ntitle: a\ndescription: b\n⟦--⟧\nx", "closes with '--'"),
        ("⟦---⟧\ntitle: a\ndescription: b\n\nx", "is never closed"),
        ("⟦---⟧\ntitle: a\ndescription: b\n\nOne.\n\n---\n\nTwo.", "is never closed"),
        ("---⟦title⟧: a\ndescription: b\n---\nx", "share their line with a key"),
        ("---\n⟦<<<<<<< a⟧\ntitle: a\n=======\ntitle: b\n>>>>>>> b\n⟦descripton⟧: b\n---\nx", ""),
        ("---\ntitle: a\n⟦descripton⟧: b\n---\nx", "unknown key 'descripton'"),
        ("---\ntitle: a\n⟦title⟧: a\ndescription: title\n---\nx", "'title' stands twice"),
        ("---\n⟦- title⟧\n---\nx", "is not a mapping"),
        ("---\ntitle: ⟦[⟧x\n---\nx", "'[' is never closed"),
        ("---\ntitle: The H100 ⟦# of all⟧\ndescription: 'b #a'  # fine\n---\nx", "the text ends before ' #'"),
        ("---\ntitle: a⟦\u200b⟧b\ndescription: c⟦\xad⟧d\n---\nx", "has no place in a text"),
        ("---\ntitle: a⟦\x07⟧b\ndescription: b\n---\nx", "U+0007"),
        ("---\n⟦title⟧: [a]\ndescription: b\n---\nx", "title is a list, not a text"),
        ("---\ntitle: a\n⟦description⟧:\n---\nx", "has no description; write it behind 'description:'"),
        ("---\ntitle: a\ndescription: The ⟦42⟧ of a\n---\nx", "numeral '42'"),
        ("---\ntitle: a\ndescription: b\n⟦lead⟧: c\n---\nx", "it stands below the front matter"),
        ("---\ntitle: a\ndescription: b\n---\n\n{% lead %}The ⟦42⟧ of a{% endlead %}\nx", "numeral '42'"),
        (
            "---\ntitle: a\ndescription: b\n---\n{% lead %}{{ live.T | sig(1) }} so\nof {{ ⟦betta⟧ }}{% endlead %}\nx",
            "unknown name",
        ),
        ("---\ntitle: a\ndescription: b\n---\nx\n\nTo {% ⟦lead⟧ %}be{% endlead %}", "stands first on its page"),
        ("---\ntitle: a\ndescription: So ⟦{{ cite(x) }}⟧ of a\n---\nx", "words alone, no {{ }}"),
    ],
)
def test_a_mistake_of_front_matter_has_its_caret(tmp_path: Path, marked: str, message: str) -> None:
    text, wanted = unmarked(marked + "\n")
    _, problems = Writer(tmp_path).attempt(text, front="")
    found = told(problems, tmp_path / "page.md")
    assert set(found) == wanted, found
    assert all(message in said for said in found.values()), found


def test_a_list_of_sections_that_is_none_is_told_at_its_key(tmp_path: Path) -> None:
    text, wanted = unmarked("---\ntitle: a\ndescription: b\n⟦sections⟧: c\n---\nx\n")
    (tmp_path / "page.md").write_text(text)
    with pytest.raises(BuildError) as caught:
        prose.page("page.md", tmp_path, SETTING)
    assert set(told(caught.value.problems, tmp_path / "page.md")) == wanted


def test_a_mark_before_the_first_letter_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(f"{FRONT}x\n", encoding="utf-8-sig")
    assert prose.page("page.md", tmp_path, SETTING).title == "A page"


MATHS = {
    r"a + ⟦\nosuch⟧{x}": r"there is no command '\nosuch'",
    r"⟦\?⟧": r"there is no command '\?'",
    r"⟦\mbox⟧{x}": r"\text{...}",
    r"x ⟦\label⟧{x}": "stands behind it",
    r"\text{a ⟦\alpha⟧}": "has no place in a text",
    r"\text{a ⟦\frac⟧{1}{2}}": "has no place in a text",
    r"\frac{a}⟦{⟧": "a brace is opened and never closed",
    r"\frac⟦{⟧a{b}": "a brace is opened and never closed",
    r"x_⟦{⟧a": "a brace is opened and never closed",
    r"\left( \frac{a}⟦{⟧b \right)": "a brace is opened and never closed",
    r"x_⟦{⟧a \right)": "a brace is opened and never closed",
    r"{a}⟦}⟧": "closed that was never opened",
    r"1 + ⟦\frac⟧{a}": r"'\frac' lacks an argument; write \frac{...}{...}",
    r"⟦\frac⟧\alpha": r"'\frac' lacks an argument",
    r"x_{⟦\frac⟧{\alpha}}": r"'\frac' lacks an argument",
    r"⟦\text⟧": r"'\text' lacks an argument; write \text{...}",
    r"a + ⟦\sqrt⟧": r"'\sqrt' lacks an argument; write \sqrt{...}",
    r"\left( x ⟦\right⟧": "or another bracket",
    r"\sqrt⟦[⟧3": "'[' is opened and never closed",
    r"x^2⟦^⟧3": "a second superscript",
    r"x_a⟦_⟧b": "a second subscript",
    r"x⟦^⟧": "nothing stands behind '^'",
    r"x⟦_⟧_2": "nothing stands behind '_'",
    r"x^⟦\sqrt⟧2": "stand in no braces",
    r"⟦\left⟧( x": r"'\left' has no '\right'",
    r"\begin{aligned} ⟦\left⟧( a & b \right) \end{aligned}": r"before the '&'",
    r"x ⟦\right⟧)": r"'\right' has no '\left'",
    r"\left ⟦x⟧": "'x' is no bracket",
    r"\middle⟦|⟧": "stands between no",
    r"\begin{⟦alined⟧}x\end{alined}": "there is no environment 'alined'; did you mean 'aligned'?",
    r"\begin ⟦a⟧ligned": "stands in no braces",
    r"a ⟦\begin{aligned}⟧x": r"'\begin{aligned}' is never closed; write \end{aligned}",
    r"\begin{aligned}x⟦\end{align}⟧": r"'\begin{aligned}' is closed by '\end{align}'",
    r"x ⟦\end⟧{aligned}": r"'\end' closes what no '\begin' has opened",
    r"a ⟦&⟧ b": "'&' stands outside an array",
    r"\text{a⟦_⟧b}": "'_' has no place in a text",
    r"a ⟦#⟧": r"write \# for the sign",
    r"a ⟦%⟧ b": r"'%' begins a comment of TeX; write \% for the sign",
    r"a ⟦–⟧ b": "the character '–' does not work in a formula; write -",
    r"\text{⟦β⟧}": "the character 'β' does not work in a formula; write its TeX command",
    "a ⟦\U0001d6fd⟧": "does not work in a formula",
    r"\begin{array}{⟦q⟧}x\end{array}": "there is no alignment 'q'",
    r"⟦\begin{array}⟧{c}a & b\end{array}": "more columns than the array",
    r"x ⟦\hline⟧": r"'\hline' stands outside an array",
    r"x⟦\limits⟧": "behind no operator",
    r"\hspace{⟦3q⟧}": "'3q' is no length",
    r"a\over b⟦\over ⟧c": "two fractions in one",
    r"⟦\tag{1}\tag{2}⟧": r"formula: Multiple \tag",
    r"\color⟦{#12}⟧x": "Invalid color",
    r"⟦\color{red}x⟧": "asks for mathcolor",
    r"T_⟦\min⟧": r"\min does not work here",
    r"⟦\mathbf⟧{x}": "has no effect",
    r"d + ⟦0.5⟧ d": "the numeral 0.5 is typed",
    r"\val{live.T}{3} = ⟦2{,}048⟧": "the numeral 2,048 is typed",
    r"\val{live.T}{3} + ⟦\nosuch⟧ + \formula{beta}": r"'\nosuch'",
    r"\formula{beta} + \val{live.T}{3} + ⟦\nosuch⟧": r"'\nosuch'",
    r"\formula{⟦bta⟧}": "there is no quantity 'bta'",
    r"\formula{T_min}[⟦l3⟧]": "has no form 'l3'",
    r"1 + ⟦\val{T_min}{3}⟧": "does not say on what",
    r"\val{T_min(⟦h100⟧)}{3}": "'h100' in",
    r"\val{live.d}{3} + \val{beta(machine=⟦h10⟧)}{3}": "unknown machine 'h10'; did you mean h100?",
    r"\val{live.d}{3} + ⟦\val{T_min(machine=h100, network=wide, form=odd)}{3}⟧": "wants form to be one of",
    r"\val{live.d}{3} + ⟦\val{beta(machine=h100, T=3)}{3}⟧": "names T, which changes nothing",
    r"\val{live.⟦foo⟧}{3}": "there is no quantity 'foo'",
    r"\val{live.d}{3} \text{⟦\val{live.T}{3}⟧}": "has no place for a number",
}


@pytest.mark.parametrize("marked", MATHS)
@pytest.mark.parametrize("edge", ["$", "$$"])
def test_a_mistake_of_a_formula_has_its_caret(tmp_path: Path, marked: str, edge: str) -> None:
    text, wanted = unmarked(f"{FRONT}So $x$ or {edge}{marked}{edge} it is.\n")
    _, problems = Writer(tmp_path).attempt(text, front="")
    found = told(problems, tmp_path / "page.md")
    assert set(found) == wanted, found
    (said,) = found.values()
    assert MATHS[marked] in said
    assert "position" not in said
    assert "EOF" not in said


def test_a_mistake_in_a_long_formula_is_told_in_its_own_line(tmp_path: Path) -> None:
    text, wanted = unmarked(
        FRONT + "x\n\n$$\n\\begin{aligned}\nx &= \\val{live.T}{3} \\\\\ny &= ⟦\\nosuch⟧{x}\n\\end{aligned}\n$$\n"
    )
    _, problems = Writer(tmp_path).attempt(text, front="")
    assert set(told(problems, tmp_path / "page.md")) == wanted
    text, wanted = unmarked(FRONT + "x $a +\n⟦\\nosuch⟧$ and ⟦2048⟧\n")
    _, problems = Writer(tmp_path).attempt(text, front="")
    assert set(told(problems, tmp_path / "page.md")) == wanted


def test_what_replaces_a_part_of_a_formula_does_not_move_the_caret() -> None:
    """A mistake in what the model put in is told at the author's own words."""
    with pytest.raises(AuthorError) as caught:
        test_maths.render(r"x + x^2^\formula{beta}")
    assert caught.value.at == (7, 8)


ENTRY = test_references.GOOD
BIB = {
    "brace": ("year = {2026},", "year = ⟦{⟧2026,", "a brace is opened and never closed"),
    "inner brace": ("{The {Math} of", "⟦{⟧The {Math of", "a brace is opened and never closed"),
    "quotation mark": ("year = {2026},", 'year = ⟦"⟧2026,', "a quotation mark is opened and never closed"),
    "two braces": ("{2026},", "{2026}⟦}⟧,", "a brace is closed that was never opened"),
    "no brace": ("{2026},", "2026⟦}⟧,", "a brace is closed that was never opened"),
    "comma": ("{2026},", "{2026⟦}⟧", "reference 'pope2026': a comma is missing after 'year'"),
    "comma far below": ('of "serving" \\& more},', 'of\n  "serving" \\& more⟦}⟧', "a comma is missing after 'title'"),
    "equals": ("year =", "⟦year⟧", "an equals sign is missing after 'year'"),
    "colon": ("year =", "year⟦:⟧", "a colon where an equals sign belongs"),
    "value": ("{2026},", "⟦,⟧", "a value is missing here"),
    "name": ("  year =", "  ⟦=⟧", "'=' stands where a field begins"),
    "field": ("journal", "⟦jornal⟧", "unknown field 'jornal'; did you mean 'journal'?"),
    "field twice": ("  doi =", "  ⟦year⟧ = {2026},\n  doi =", "the field 'year' stands twice"),
    "kind": ("article", "⟦articel⟧", "no kind of work 'articel'"),
    "no key": ("@article{pope2026", "@⟦article⟧{", "the entry has no key"),
    "key without comma": ("pope2026,", "⟦pope2026⟧", "a comma is missing after 'pope2026'"),
    "no brace of the entry": ("@article{pope2026", "@⟦article⟧ pope2026", "a brace is missing behind '@article'"),
    "no at": ("@article{pope2026,", "⟦article{pope2026,⟧", "this belongs to no entry"),
    "not closed": ("pope2026", "⟦pope2026⟧", "the entry 'pope2026' is never closed"),
    "missing": ("  year = {2026},\n", "", "has no year"),
    "no year": ("year = {2026}", "⟦year⟧ = {}", "'' is no year"),
    "year": ("{2026}", "{⟦20266⟧}", "'20266' is no year"),
    "address": ("doi = {10.1/x}", "url = {⟦htps://x.org⟧}", "'htps://x.org' is no address"),
    "key twice": ("pope2026", "⟦kung1986⟧", "the key 'kung1986' stands twice"),
    "a line outside": ("@article", "⟦So far so good.⟧\n\n@article", "this belongs to no entry"),
    "a conflict": ("  doi", "⟦<<<<<<< HEAD⟧\n  doi", "conflict"),
    "the middle of a conflict": ("  doi", "⟦=======⟧\n  doi", "conflict"),
    "conflicts and more": (
        "  year = {2026},",
        "⟦<<<<<<< HEAD⟧\n  year = {2026},\n=======\n  year = {2025},\n>>>>>>> mine\n⟦=======⟧\n  ⟦jornal⟧ = {x},",
        "",
    ),
    "control character": ("Lectures", "Lec⟦\x07⟧tures", "U+0007"),
    "a mark that nobody sees": ("Lectures", "Lec⟦\u202e⟧tures", "U+202E (right-to-left override)"),
    "a DOI with its address": ("{10.1/x}", "{⟦https://doi.org/10.1/x⟧}", "is no DOI; write 10.1/x"),
    "no DOI": ("{10.1/x}", "{⟦pope2026⟧}", "is no DOI; write 10."),
    "arXiv": ("doi = {10.1/x}", "eprint = {⟦arXiv:2001.08361v2⟧}", "no number of arXiv; write 2001.08361v2"),
    "a per cent": ('"serving"', r"10 \% and 50⟦%⟧ of it", r"its line would be lost; write \%"),
    "an ampersand": (r"\& more", r"\& even ⟦&⟧ more", r"write \&"),
    "a dollar": ("{Lectures}", r"{$x$ for 5 ⟦$⟧ a year}", r"write \$"),
    "a command": ("{Math}", r"{\'e \emph{x} ⟦\alhpa⟧}", r"'\alhpa' is not known here, and would be lost; did you mean"),
    "a command below": ("{Math} of", "{Math}\n of ⟦\\zzzzz⟧", "write the character itself"),
}


@pytest.mark.parametrize("name", BIB)
def test_a_mistake_of_the_bibliography_has_its_caret(tmp_path: Path, name: str) -> None:
    old, new, message = BIB[name]
    marked = ENTRY.replace(old, new, 1)
    assert marked != ENTRY
    marked = marked.rstrip().rstrip("}") if name == "not closed" else marked
    marked = marked.replace("pope2026", "⟦pope2026⟧") if name == "missing" else marked
    text, wanted = unmarked(f'@string{{a = "b"}}\n% A comment.\n\n{ENTRY.replace("pope2026", "kung1986")}\n{marked}')
    file = tmp_path / "works.bib"
    file.write_text(text)
    with pytest.raises(BuildError) as caught:
        references.load(file, "works.bib")
    found = told(caught.value.problems, file)
    assert set(found) == wanted, found
    assert message in next(iter(found.values()))


def test_a_bibliography_without_entries_is_told_at_its_first_line(tmp_path: Path) -> None:
    text, wanted = unmarked("\n% fine\n⟦Works, one day.⟧\nMore.\n")
    (tmp_path / "works.bib").write_text(text)
    with pytest.raises(BuildError) as caught:
        references.load(tmp_path / "works.bib", "works.bib")
    assert set(told(caught.value.problems, tmp_path / "works.bib")) == wanted


@pytest.mark.parametrize(
    ("data", "caret", "hint"),
    [
        ("one\ntwo é".encode("cp1252"), (2, 5), "not as Windows-1252, where this byte is 'é'"),
        ("äöü ".encode() + b"\x81", (1, 5), "save it as UTF-8"),
        ("one".encode("utf-16"), (1, 1), "not as UTF-16"),
        (b"\x89PNG\r\n\x1a\n", (1, 1), "a picture or a program"),
        (b"one\r\ntwo\rthree \xff", (3, 7), "not UTF-8"),
    ],
)
def test_the_first_byte_that_is_no_text_has_its_caret(
    tmp_path: Path, data: bytes, caret: tuple[int, int], hint: str
) -> None:
    readers = {
        "page.md": lambda: prose.page("page.md", tmp_path, SETTING),
        "works.bib": lambda: references.load(tmp_path / "works.bib", "works.bib"),
    }
    for name, read in readers.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(BuildError) as caught:
            read()
        first = [one for one in caught.value.problems if "not a text file" in one.message]
        (((line, column, _), said),) = told(first, tmp_path / name).items()
        assert (line, column) == caret
        assert hint in said


def test_the_same_is_said_of_the_catalogue(tmp_path: Path) -> None:
    folder = lay_out(tmp_path)
    for data, column in ((b"rows:\n  - id: \xe9\n", 9), (b"rows:\n  - id: \x07\n", 9)):
        (folder / "machines.yaml").write_bytes(data)
        with pytest.raises(BuildError) as caught:
            catalogue.load(folder)
        problems = [one for one in caught.value.problems if one.path.endswith("machines.yaml")]
        assert {(line, at) for line, at, _ in told(problems, folder / "machines.yaml")} == {(2, column)}


def test_behind_a_conflict_the_catalogue_is_read_on(tmp_path: Path) -> None:
    folder = lay_out(tmp_path)
    marked = MACHINES.replace("    vendor: Toys", "⟦<<<<<<< a⟧\n    vendor: Toys\n=======\n    vendor: T\n>>>>>>> b", 1)
    marked = marked.replace("    trains:", "⟦=======⟧\n    ⟦trans⟧:", 1)
    text, wanted = unmarked(marked)
    (folder / "machines.yaml").write_text(text)
    with pytest.raises(BuildError) as caught:
        catalogue.load(folder)
    problems = [one for one in caught.value.problems if one.path.endswith("machines.yaml")]
    assert wanted <= set(told(problems, folder / "machines.yaml"))
    assert len(problems) <= len(wanted) + 1  # the key that is now missing


def test_a_text_that_was_made_is_told_in_the_file_that_it_was_made_from(tmp_path: Path) -> None:
    text, wanted = unmarked(
        "# comment\n- says: |\n    It is ⟦2048⟧ or\n    {{ ⟦7 | sig(1)⟧ }} ⟦$⟧x or ⟦2048⟧ or $⟦\\nosuch⟧$\n"
    )
    (tmp_path / "made.yaml").write_text(text)
    made = "\n".join(line.removeprefix("    ") if line.startswith("    ") else "" for line in text.split("\n"))
    setting = Setting(
        **{name: getattr(SETTING, name) for name in SETTING.__dataclass_fields__ if name != "texts"},
        texts={"made.yaml": made},
    )
    problems = prose.attempt("made.yaml", tmp_path, setting, whole=False).problems
    assert set(told(problems, tmp_path / "made.yaml")) == wanted


@pytest.mark.parametrize(
    ("marked", "before"),
    [
        ("    A {{ ⟦bta⟧ | sig(2) }} or {{ ⟦bta⟧ | sig(2) }}.", ""),
        ('    {{ (beta(machine="⟦h101⟧") / beta(machine="h101")) | sig(2) }}', ""),
        ("    A {{ ⟦T_min⟧ | sig(2) }} and\n    {{ ⟦T_min⟧ }} and {{ ⟦T_min⟧ + T_min }}", ""),
        ("    {{ ⟦bta⟧ | sig(2) }} to {{ ⟦bta⟧ | sig(2) }}", "{% lead %}"),
        ('  - result: "{{ ⟦bta⟧ | sig(2) }} to {{ ⟦bta⟧ | sig(2) }}"', "- "),
        ("  title: {{ ⟦bta⟧ | sig(2) }} to {{ ⟦bta⟧ | sig(2) }}", "## "),
        ('    {{ live.T | sig("x", ⟦bta⟧) }} {{ live.T | sig("x", ⟦bta⟧) }}', ""),
        ("    A {{ live.T | ⟦exat⟧ }} or {{ live.T | ⟦exat⟧ }}", ""),
        ("    A {% ⟦endclam⟧ %}", "{% lead %}"),
    ],
)
def test_a_tag_of_a_text_that_was_made_is_told_where_its_like_stands_beside_it(
    tmp_path: Path, marked: str, before: str
) -> None:
    text, wanted = unmarked(f"says: |\n{marked}\n")
    (tmp_path / "made.yaml").write_text(text)
    made = "\n" + before + re.sub(r"(?m)^ *(- )?(\w+: \"?)?", "", text.partition("\n")[2])
    setting = replace(SETTING, texts={"made.yaml": made})
    problems = prose.attempt("made.yaml", tmp_path, setting, whole=False).problems
    others = [one for one in problems if not one.message.startswith("heading")]
    assert wanted <= set(told(others, tmp_path / "made.yaml"))


@pytest.mark.parametrize(
    ("near", "line"),
    [(Near.whole("absent"), "present"), (Near.whole("\uf000"), "a {{ b }} {{ c }}"), (Near("aXb", 0, 3), "a or c")],
)
def test_words_that_are_not_in_the_line_get_no_caret(near: Near, line: str) -> None:
    assert carets.found(Problem("x", 1, 0, "odd", near=near), [line, "", "absent"]) == (1, 0, 0)


def test_a_file_beside_the_catalogue_is_not_passed_over(tmp_path: Path) -> None:
    folder = lay_out(tmp_path)
    for name in ("machines (1).yaml", "prices.yml", ".#machines.yaml", "notes.txt"):
        (folder / name).write_text("rows: []\n")
    with pytest.raises(BuildError) as caught:
        catalogue.load(folder)
    assert [str(one).split(", and")[0] for one in caught.value.problems] == [
        "content/catalogue/machines (1).yaml: the catalogue has no file 'machines (1).yaml'",
        "content/catalogue/prices.yml: the catalogue has no file 'prices.yml'",
    ]
