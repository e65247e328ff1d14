"""What a slip of the hand can do: inputs cut, doubled, swapped and stuffed never end in anything but plain words.

Seconds in `make test`; `make fuzz` goes on for minutes. All in this process, on small inputs that hold one of each.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from model.book import QUANTITIES
from model.formula import ask
from model.records import Catalogue
from model.scenario import ScenarioError, base, settable
from report import between, excerpts, prose, references, slips, wordlist
from report.catalogue import KINDS, load
from report.content import read
from report.errors import BuildError, Problem
from report.yamlgrammar import composed
from report.yamlpieces import Piece, lines, pieces
from tests.report.catalogues import lay_out
from tests.report.toy import FRONT, SETTING, Writer

SLOW = settings(
    max_examples=settings().max_examples * 3 // 10,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
TOKEN = re.compile(r"\w+|\s+|[^\w\s]+")
# What breaks readers: marks of YAML, Jinja, Markdown, TeX and HTML, odd letters, words that YAML guesses at.
STUFF = (
    *(
        "{{",
        "}}",
        "{%",
        "%}",
        "{#",
        "#}",
        "|",
        "$",
        "$$",
        "\\",
        "\\val",
        "\\formula{beta}",
        "_",
        "^",
        "`",
        "```",
        "***",
    ),
    *("[", "]", "{", "}", ": ", "- ", "#", "&a ", "*a", "!!python/none ", "!", "<<: ", "'", '"', ">", "|-\n", "---\n"),
    *("...", "\t", "\n", "\r", "\n\n", " ", "\u00a0", "\u200b", "\u202e", "é", "𝑇", "\0", "\x1b", "\ufeff", "\ue000"),
    *("null", "~", "yes", "NaN", ".inf", "-1", "0", "1e999", "9" * 400, "1_000", "0x10", "2026-11-29", "12:30", "٣"),
    *("<script>", "</p>", "&amp;", "{{ live }}", "{{ live.T_min }}", "{{ 1/0 }}", "{{ [] | sig }}", "{% claim %}"),
    *("{{ live.T_min ** live.T_min | sig(3) }}", "{% otherwise %}", "{% endclaim %}", "[^1]", "{#x}", "TB/s", "FLOP/B"),
)


@st.composite
def spoilt(draw: st.DrawFn, text: str) -> str:
    """Return a text with one to three slips: a part left out, doubled, put elsewhere, replaced, stuffed, cut off."""
    for _ in range(draw(st.integers(1, 3))):
        parts = TOKEN.findall(text) or [""]
        at, other = (draw(st.integers(0, len(parts) - 1)) for _ in range(2))
        slips: dict[str, Callable[[], list[str]]] = {
            "left out": lambda at=at, parts=parts: parts[:at] + parts[at + 1 :],
            "doubled": lambda at=at, parts=parts: parts[: at + 1] + parts[at:],
            "from elsewhere": lambda at=at, parts=parts, other=other: [*parts[:at], parts[other], *parts[at + 1 :]],
            "stuffed": lambda at=at, parts=parts: [*parts[:at], draw(st.sampled_from(STUFF)), *parts[at:]],
            "replaced": lambda at=at, parts=parts: [*parts[:at], draw(st.sampled_from(STUFF)), *parts[at + 1 :]],
            "cut off": lambda at=at, parts=parts: parts[:at],
            "a span left out": lambda at=at, parts=parts, other=other: (
                parts[: min(at, other)] + parts[max(at, other) :]
            ),
        }
        text = "".join(slips[draw(st.sampled_from(sorted(slips)))]())
    return text


# --- catalogues, vocabulary, bibliography, settings


def rows_of(root: Path, name: str) -> str:
    """Return the first three rows of a file of the catalogue, with what all its rows share."""
    text = (root / "content" / "catalogue" / f"{name}.yaml").read_text(encoding="utf-8")
    starts = [found.start() for found in re.finditer(r"^ *- id:", text, re.MULTILINE)]
    return text[: starts[3]] if len(starts) > 3 else text


@pytest.mark.parametrize("name", KINDS)
def test_a_spoilt_catalogue_is_read_or_refused_in_plain_words(root: Path, tmp_path: Path, name: str) -> None:
    folder = lay_out(tmp_path)
    good = rows_of(root, name)

    @SLOW
    @given(spoilt(good))
    def check(text: str) -> None:
        (folder / f"{name}.yaml").write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            assert isinstance(load(folder), Catalogue)
        except BuildError as error:
            told(error.problems, "content/catalogue/")

    check()


def told(problems: tuple[Problem, ...], start: str) -> None:
    """Assert that each problem names its file and says something on one line."""
    assert problems
    for problem in problems:
        assert problem.path.startswith(start)
        assert problem.message.strip()
        assert "\n" not in str(problem)
        assert "Traceback" not in str(problem)


READERS: dict[str, Callable[[Path, str], object]] = {
    "vocabulary.yaml": wordlist.load,
    "references.bib": references.load,
}


@pytest.mark.parametrize("name", READERS)
def test_spoilt_words_and_works_are_read_or_refused_in_plain_words(root: Path, tmp_path: Path, name: str) -> None:
    every = (root / "content" / name).read_text(encoding="utf-8").splitlines(keepends=True)
    lines = [line for n, line in enumerate(every) if "{phrase" not in line or n % 9 == 0]  # a few of the words
    good = "".join(lines) if name.endswith(".yaml") else "".join(every)[:4000]
    file = tmp_path / name

    @SLOW
    @given(spoilt(good))
    def check(text: str) -> None:
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            assert READERS[name](file, f"content/{name}") is not None
        except BuildError as error:
            told(error.problems, f"content/{name}")

    check()


FILES = [file for folder in ("", "catalogue/", "research/") for file in sorted(Path("content").glob(f"{folder}*.yaml"))]


def values(text: str, whole: Piece | None = None) -> list[int]:
    """Return the lines of a YAML file that are a key and its whole value."""
    found = []
    for piece in pieces(text, whole):
        line = text.split("\n")[piece.start]
        if re.fullmatch(r" *(- )?[\w-]+: [\w{[].*", line) and not lines(text, piece).strip().count("\n"):
            found.append(piece.start)
        elif line.endswith(":") or (line.lstrip().startswith("- ") and "{" not in line):
            found += values(text, piece)
    return found


def moves(text: str) -> list[tuple[int, str]]:
    """Return lines of a YAML file that are a key and its value, and how each may be that fits nowhere."""
    every, found = text.split("\n"), list[tuple[int, str]]()
    for row in values(text):
        line, above = every[row], next((one for one in reversed(every[:row]) if one.strip()), "")
        beside = re.match(r" *(- )?[\w-]+: [\w{[]", above) and slips.content(above) == slips.content(line)
        found += [(row, line[1:])] if line.startswith(" ") else []
        found += [(row, f" {line}")] if beside else []
        found += [(row, line.replace("- ", "", 1)), (row, line.replace("- ", "  ", 1))] if "- id: " in line else []
    return found


def slipping(text: str) -> st.SearchStrategy[tuple[int, str]]:
    """Return lines of a YAML file that are a key and its value, with what may stand for the first colon."""
    return st.tuples(
        st.sampled_from(values(text)), st.sampled_from([": '", ": [", ": {", ": @", " ", ": x: ", ":\t- "])
    )


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_slip_of_a_key_hides_another(file: Path) -> None:
    text = file.read_text(encoding="utf-8")

    @settings(max_examples=max(2, settings().max_examples // 50))
    @given(st.lists(slipping(text), min_size=2, max_size=3, unique_by=lambda spot: spot[0]))
    def told(slipped: list[tuple[int, str]]) -> None:
        assume([slip for _, slip in slipped].count(" ") < 2)  # an entry without any key would be a text
        every = text.split("\n")
        for row, slip in slipped:
            every[row] = every[row].replace(": ", slip, 1)
        found = composed("\n".join(every), file.name).problems
        assert all(problem.column for problem in found)
        assert {problem.line for problem in found} >= {row + 1 for row, _ in slipped}, found

    told()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_slip_of_grammar_hides_another(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    spots, shifts = slipping(text), st.sampled_from(moves(text))

    @settings(max_examples=max(2, settings().max_examples // 50))
    @given(st.lists(spots, min_size=1, max_size=2), st.lists(shifts, min_size=1, max_size=2))
    def told(slipped: list[tuple[int, str]], moved: list[tuple[int, str]]) -> None:
        rows = sorted(row for row, _ in (*slipped, *moved))
        assume(all(other - row > 1 for row, other in pairwise(rows)))  # what is below a line may go on with it
        every = text.split("\n")
        for row, line in moved:
            every[row] = line
        for row, slip in slipped:
            every[row] = every[row].replace(": ", slip, 1)
        found = composed("\n".join(every), file.name).problems
        assert all(problem.column for problem in found)
        assert {problem.line for problem in found} >= {row + 1 for row in rows}, found

    told()


def test_no_folder_of_content_is_too_odd(tmp_path: Path) -> None:
    (tmp_path / "content" / "catalogue" / "machines.yaml").mkdir(parents=True)
    with pytest.raises(BuildError) as caught:
        read(tmp_path / "content")
    told(caught.value.problems, "content/")


def test_checks_between_rows_take_a_catalogue_without_rows() -> None:
    assert [list(check({name: {} for name in KINDS})) for check in between.CHECKS] == [[]] * len(between.CHECKS)


# --- prose

FLOOR = 'T_min(machine="h100", network="wide")'
PAGE = f"""\
## The {{{{ machine("h100").name }}}} {{#here}}

It takes {{{{ {FLOOR} | sig(3) }}}} tokens.
{{% claim "yours", live.T_min > 1 %}}Yours takes {{{{ live.T_min | sig(3) }}}}.
{{% otherwise "no-batch" %}}Yours takes none.{{% otherwise "no-shape" %}}{{% otherwise "no-format" %}}{{% endclaim %}}
{{% if 1 %}}See {{{{ cite("pope2026") }}}}, {{{{ ref("there") }}}} and {{{{ ref("eq-floor") }}}}.{{% endif %}}

{{% claim "floor", {FLOOR} > 500 and live.beta > 1 %}}An H100 wants more than {{{{ 500 | exact }}}}.
{{% otherwise "false" %}}Yours does not.{{% endclaim %}} A [link](#here), *words* and `code`.
{{% note %}}A note.{{% endnote %}}

| machine | balance |
|---|--:|
| {{{{ machine("a100").name }}}} | {{{{ beta(machine="a100") | sig(2) }}}} |

$$T_{{\\text{{min}}}} = \\formula{{T_min}}[l2] = \\val{{T_min(machine=h100,network=wide,form=l2)}}{{3}}$$ {{#eq-floor}}

- one $\\beta$
- two $x^2$
"""


OTHER = "## There {#there}\n\nBack to [here](#here), and to {{ ref('eq-floor') }}.\n"


def test_spoilt_prose_is_set_or_refused_in_plain_words(tmp_path: Path) -> None:
    writer = Writer(tmp_path)
    assert writer.page(PAGE)

    @SLOW
    @given(spoilt(FRONT + PAGE))
    @example(FRONT + PAGE)
    @example(FRONT + "A note {%# that nobody ends.")
    @example(FRONT + '{% claim "", live.T_min > 1 %}')
    @example("")
    def check(text: str) -> None:
        found, problems = writer.attempt(text.encode("utf-8", "replace").decode(), front="")
        assert found or problems
        if problems:
            told(problems, "page.md")
        for problem in problems:
            place = excerpts.placed(replace(problem, path=f"{tmp_path.name}/page.md"), tmp_path)
            assert place.start <= len(place.text) + 1, problem
            assert place.start < place.end or not place.start

    check()


def test_spoilt_prose_hides_nothing_that_points_nowhere(tmp_path: Path) -> None:
    setting = replace(SETTING, extras={})
    (tmp_path / "other.md").write_text(OTHER, encoding="utf-8")

    def site(text: str) -> tuple[Problem, ...]:
        (tmp_path / "page.md").write_bytes(text.encode("utf-8", "replace"))
        wanted = [prose.Wanted(f"{name}.md", f"{name}.html", name, setting) for name in ("page", "more")]
        try:
            prose.pages(wanted, tmp_path)
        except BuildError as error:
            return error.problems
        return ()

    front = FRONT.replace("---\n", "---\nsections: [other.md]\n", 1)
    (tmp_path / "more.md").write_text(FRONT + "{{ ref('here') }} {{ ref('lost') }} [x](#nope)\n", encoding="utf-8")
    lost = {("more.md", 5, "there is no figure, table, equation or section 'lost'"), ("more.md", 5, "a link leads to")}

    @SLOW
    @given(spoilt(front + PAGE))
    @example(front + PAGE)
    def check(text: str) -> None:
        problems = site(text)
        told(problems, "")
        found = {(one.path, one.line, one.message.partition(" '#")[0]) for one in problems}
        empty = any(one.message == "the file is empty" for one in problems)
        assert empty is not bool(text.strip())
        assert empty or lost <= found  # what an empty file held may be all that is missed

    check()


def test_the_page_that_is_spoilt_is_without_fault(tmp_path: Path) -> None:
    assert Writer(tmp_path).page(PAGE)


# --- expressions

ATOMS = (
    *("1", "0", "-1", "2.5", "1e200", "9" * 40, '"a"', "'40 ms'", '"%d{}"', "[]", "[1, 2]", "(1, 2)", "{}", "none"),
    *("true", "false", "live.T", "live.T_min", "live", "beta", "T_min", "x", "y", "cite", "sig", "loop", "gama", "_x"),
    *('machine("h100")', 'beta(machine="h100")', FLOOR, "live.T | sig(3)", 'cite("pope2026")', "about(live.T)"),
)
SIGNS = ("+", "-", "*", "/", "//", "%", "**", "~", "<", "<=", ">", "==", "!=", "in", "not in", "and", "or", ", ")


def _deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return what can be made of expressions: sums, comparisons, parts, calls, filters, tests, lists and choices."""
    words = st.sampled_from(("T", "machine", "name", "append", "x", "format", "_x", "values", "items", "sig", "qty"))
    shapes = (
        *("{} {s} {}", "({} {s} {} {s} {})", "not {}", "-{}", "({})", "[{}, {}]", "{{{}: {}}}", "{}[{}]", "{}[{}:{}]"),
        *("{}.{w}", "{}({})", "{}({w}={})", "{}(*{})", "{}(**{})", "{}({w}={}, **{})", "{} | {w}", "{} | {w}({})"),
        *("{} if {} else {}", "{} if {}", "{} is {w}", "{} is defined", "{} is string({})", "{}[::{}]"),
    )
    return st.builds(
        lambda shape, parts, sign, word: shape.format(*parts, s=sign, w=word),
        st.sampled_from(shapes),
        st.tuples(inner, inner, inner),
        st.sampled_from(SIGNS),
        words,
    )


EXPRESSIONS = st.recursive(st.sampled_from(ATOMS), _deeper, max_leaves=6)
TAGS = (
    *("{{{{ {} }}}}", "{{% if {} %}}a{{% elif {} %}}b{{% endif %}}", "{{% set x = {} %}}{{{{ x }}}}"),
    *("{{% for x in {} %}}{{{{ {} }}}}{{% endfor %}}", "{{% for x, y in {} if {} %}}{{{{ {} }}}}{{% endfor %}}"),
    *("{{% set x, y = {} %}}{{{{ x }}}}", "{{% set x.y = {} %}}", '{{% claim "c", {} %}}{{{{ {} }}}}{{% endclaim %}}'),
    *("{{% set {} = {} %}}", "{{% for {} in {} %}}{{{{ {} }}}}{{% endfor %}}", "{{% set {} %}}a{{% endset %}}"),
    *('{{% figure "f", {} %}}Words.{{% endfigure %}}', "{{% include {} %}}", "{{{{ ref({}) }}}} {{{{ cite({}) }}}}"),
    *(
        "{{% for x in {} recursive %}}{{{{ loop({}) }}}}{{% endfor %}}",
        "{{% macro x({}) %}}a{{% endmacro %}}",
    ),
)


def test_no_expression_hides_what_stands_below_it(tmp_path: Path) -> None:
    writer = Writer(tmp_path)

    @SLOW
    @given(st.lists(st.tuples(st.sampled_from(TAGS), EXPRESSIONS, EXPRESSIONS, EXPRESSIONS), min_size=1, max_size=2))
    def check(made: list[tuple[str, str, str, str]]) -> None:
        text = " ".join(tag.format(*parts) for tag, *parts in made)
        _, problems = writer.attempt(f"It is {text} so.\n\n{{{{ bta }}}} 42\n")
        told(problems, "page.md")
        found = {(one.line - FRONT.count("\n"), one.message) for one in problems}
        assert {(3, "unknown name 'bta'"), (3, "the numeral '42' is typed into the text")} <= found
        for problem in problems:
            place = excerpts.placed(replace(problem, path=f"{tmp_path.name}/page.md"), tmp_path)
            assert 0 < place.start < place.end <= len(place.text) + 1, problem

    check()


# --- what a link or a command line asks for

WORDS = st.one_of(st.text(max_size=12), st.sampled_from(STUFF), st.sampled_from(["h100-sxm5", "1e3", "2 TB/s", "bf16"]))
VALUES = st.one_of(WORDS, st.floats(), st.integers(-5, 10**9).map(float))


@pytest.fixture(scope="module")
def rows(root: Path) -> Catalogue:
    return load(root / "content" / "catalogue")


def test_any_scenario_is_answered_or_refused_in_plain_words(rows: Catalogue) -> None:
    keys = st.one_of(st.sampled_from(sorted(settable())), st.text(max_size=6))

    @SLOW
    @given(st.dictionaries(keys, VALUES, max_size=4), st.sampled_from(sorted(QUANTITIES)))
    def check(scenario: dict[str, str | float], key: str) -> None:
        try:
            given_ = base(rows, scenario)
        except ScenarioError:
            return
        answer = ask(QUANTITIES[key], given_) if key in QUANTITIES else None
        assert answer is None or answer.value is not None or answer.state or answer.given

    check()
