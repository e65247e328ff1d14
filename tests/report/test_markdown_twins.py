"""The Markdown twin of a page says what the page says: every word, number and formula, in the same order."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from pathlib import Path
from typing import Any

import html5lib
import pykatex
import pytest
from markdown_it import MarkdownIt

from report.twins import pages
from report.twins.markdown import Writer
from report.twins.nodes import Node, parse
from report.twins.pairs import both, joined
from report.twins.tex import tex
from tests.rendering import parsed

ROOT = Path(__file__).resolve().parents[2]
# What the page shows to the eye or the hand alone.
UNREAD = {"svg", "script", "style", "button", "select", "input", "label", "output", "img", "math"}
DRAWN = {"drawing", "controls", "needs-script", "table-hint", "back", "equation-number", "claim-link"}


@pytest.fixture(scope="module")
def twins(tree: dict[str, bytes]) -> dict[str, str]:
    """Return the twins of the pages of text, by path."""
    return {path: data.decode() for path, data in tree.items() if path.endswith(".md")}


def read(element: Any) -> str:
    """Return what is read in an element, but for the heads of tables, whose two lines are one in Markdown."""
    hidden = element.get("hidden") is not None or element.get("aria-hidden") == "true"
    drawn = set((element.get("class") or "").split()) & DRAWN or element.get("id") in ("cite-this", "card")
    if str(element.tag).rpartition("}")[2] in UNREAD or hidden or drawn:
        return " " + (element.tail or "")
    inside = "" if element.tag == "thead" else read_content(element)
    return f" {inside} " + (element.tail or "") if element.tag != "sup" else inside + (element.tail or "")


def read_content(element: Any) -> str:
    return (element.text or "") + "".join(map(read, element))


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)


def formulas_out(markdown: str) -> tuple[str, list[str]]:
    """Return Markdown without its formulas, and the formulas."""
    found = re.findall(r"\$\$\n(.*?)\n\$\$|(?<![\\$])\$((?:[^$\\]|\\.)+)\$", markdown)
    rest = re.sub(r"\$\$\n(.*?)\n\$\$|(?<![\\$])\$((?:[^$\\]|\\.)+)\$", " ", markdown)
    return rest, [re.sub(r" \\tag\{\d+\}$", "", block or inline) for block, inline in found]


def main_of(page: bytes) -> Any:
    (main,) = parsed(page).iter("main")
    return main


def test_every_page_of_text_has_a_twin_that_it_names(tree: dict[str, bytes], twins: dict[str, str]) -> None:
    pages = {path for path in tree if path.endswith("index.html") and not path.startswith("numbers/")}
    assert {path.replace(".html", ".md") for path in pages} == set(twins)
    for path in pages:
        assert b'<link rel="alternate" type="text/markdown" href="index.md"' in tree[path]


def test_every_word_of_a_page_stands_in_its_twin_in_order(tree: dict[str, bytes], twins: dict[str, str]) -> None:
    for path, text in twins.items():
        main = main_of(tree[path.replace(".md", ".html")])
        plain, _ = formulas_out(text)
        plain = re.sub(r"^What it shows: .*$", "", plain, flags=re.MULTILINE).replace("(Note: ", "(")
        plain = re.sub(r"^> This is the text of .*$", "", plain, flags=re.MULTILINE)
        html = MarkdownIt("commonmark").enable("table").render(plain)
        twin = html5lib.parseFragment(html, namespaceHTMLElements=False)
        ours, theirs = words(read_content(twin)), words(read_content(main))
        assert len(theirs) > 100
        apart = next((i for i, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), None)
        where = "" if apart is None else f"{ours[apart - 5 : apart + 9]} / {theirs[apart - 5 : apart + 9]}"
        assert ours == theirs, f"{path}: {where or (ours[-9:], theirs[-9:])}"
        assert heads(twin) == heads(main), path


def heads(element: Any) -> Counter[str]:
    return Counter(word for head in element.iter("thead") for word in words(read_content(head)))


def test_every_figure_is_told_in_words_with_its_files(tree: dict[str, bytes], twins: dict[str, str]) -> None:
    told = 0
    for path, text in twins.items():
        for figure in main_of(tree[path.replace(".md", ".html")]).iter("figure"):
            alt = re.sub(r"([\\`*_\[\]<>$|])", r"\\\1", figure.get("data-alt"))
            assert f"What it shows: {alt}" in text
            name = figure.get("id").removeprefix("fig-")
            assert f"/{name}.csv)" in text or f"({name}.csv)" in text or f"data/{name}.csv)" in text
            told += 1
    assert told >= 6


def opening(html: str) -> str:
    """Return markup without the variants of claims that are hidden: a twin says what the page opens with."""
    while (start := re.search(r'<span class="variant" data-when="[^"]*" hidden>', html)) is not None:
        depth, end = 1, start.end()
        while depth:
            tag = re.compile(r"<(/?)span\b[^<>]*>").search(html, end)
            assert tag
            depth, end = depth + (-1 if tag[1] else 1), tag.end()
        html = html[: start.start()] + html[end:]
    return html


def test_every_formula_is_the_pages_own(tree: dict[str, bytes], twins: dict[str, str]) -> None:
    """KaTeX makes of the twin's TeX what stands on the page, but for how numbers of the model are marked there."""
    count = 0
    for path, text in twins.items():
        page = tree[path.replace(".md", ".html")].decode()
        main = opening(page[page.index("<main") : page.index("</main>")])
        on_page = [bare(found) for found in re.findall(r"<math[ >].*?</math>", main, re.DOTALL)]
        _, sources = formulas_out(text)
        assert len(sources) == len(on_page), path
        for source, shown in zip(sources, on_page, strict=True):
            made = pykatex.renderToString(source.replace(r"\|", "|"), output="mathml", strict="error")
            assert bare(made) == shown, source
            count += 1
    assert count > 100


def bare(html: str) -> str:
    """Return MathML without attributes and empty or needless groups: what is read of it."""
    text = re.sub(r"<annotation.*?</annotation>|</?(semantics|span|mrow|math)[^>]*>", "", html, flags=re.DOTALL)
    text = re.sub(r"<(\w+)[^>]*?(/?)>", r"<\1\2>", text).replace("\u00a0", " ")
    return re.sub(r"</?(mn|mtext)>", "", text)


def test_every_link_of_a_twin_leads_somewhere(tree: dict[str, bytes], twins: dict[str, str]) -> None:
    ids = {
        path: {one.get("id") for one in main_of(data).iter() if one.get("id")}
        for path, data in tree.items()
        if path.endswith(".html")
    }
    for path, text in {**twins, "llms.txt": tree["llms.txt"].decode()}.items():
        links = re.findall(r"(?<!\\)\]\(([^()\s]+)\)", text)
        assert links
        for link in links:
            if link.startswith(("https://", "http://")):
                continue
            target, _, place = link.partition("#")
            file = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
            assert file in tree, f"{path}: {link}"
            assert not place or place.startswith("v=") or place in ids[file], f"{path}: {link}"


def test_llms_txt_is_as_its_readers_want_it(tree: dict[str, bytes], twins: dict[str, str]) -> None:
    """One title, a summary quoted, then sections that are lists of links with what they hold."""
    lines = tree["llms.txt"].decode().splitlines()
    assert lines[0].startswith("# ")
    assert lines[2].startswith("> ")
    assert [line for line in lines if line.startswith("# ")] == lines[:1]
    listed = [line for line in lines if line.startswith("- ")]
    assert all(re.fullmatch(r"- \[[^\]]+\]\([^)]+\)(, \[[^\]]+\]\([^)]+\))*: .+", line) for line in listed)
    for path in twins:
        assert f"]({path})" in tree["llms.txt"].decode()


def test_headings_lead_to_themselves_on_the_page_and_are_plain_in_its_twin(
    tree: dict[str, bytes], twins: dict[str, str]
) -> None:
    pattern = re.compile(r'<h[23] id="([^"]*)"><a href="#\1">')
    for path, text in twins.items():
        page = tree[path.removesuffix(".md") + ".html"].decode()
        names = pattern.findall(page)
        assert names or path == "research/index.md", path
        assert not re.findall(r"^#+ .*\]\(index\.html#", text, re.MULTILINE), path


# --- the writer itself


def written(html: str) -> str:
    return "\n\n".join(Writer("index.html").blocks(parse(html).content))


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>2 * 3_4 [x] &lt;b&gt; a|b $5</p>", r"2 \* 3\_4 \[x\] \<b\> a\|b \$5"),
        ("<p>1. not a list</p>", r"1\. not a list"),
        ("<p># no <em>heading </em>here</p>", r"\# no *heading* here"),
        ('<h2 id="a">T <math><mi>T</mi></math></h2>', "## T $T$"),
        ('<h2 id="a"><a href="#a">T <em>x</em></a></h2>', "## T *x*"),
        ('<h2 id="a"><a href="#b">T</a></h2>', "## [T](index.html#b)"),
        ('<p><a href="#a">there</a> <a href="x.html">x</a></p>', "[there](index.html#a) [x](x.html)"),
        ("<ul><li>one</li><li><p>two</p><p>more</p></li></ul>", "- one\n- two\n\n  more"),
        ("<ol><li>one</li></ol>", "1. one"),
        ("<blockquote><p>said</p></blockquote>", "> said"),
        ("<pre><code>a *b*\n</code></pre>", "```\na *b*\n```"),
        ("<p><code>a`b</code></p>", "``a`b``"),
        ('<p>seen<span hidden> unseen</span><span aria-hidden="true"> nor this</span></p>', "seen"),
        ('<p>text<span class="note">aside</span></p>', "text (Note: aside)"),
        ("<dl><dt>a</dt><dd>b</dd><dd>c</dd></dl>", "- **a**: b c"),
        (
            "<table><caption>C</caption><thead><tr><th>a</th><th>b</th></tr><tr><td></td><th>s</th></tr></thead>"
            "<tbody><tr><th>1</th><td>2|3<br>4</td></tr></tbody></table>",
            "C\n\n| a | b s |\n| --- | --- |\n| 1 | 2\\|3 4 |",
        ),
        ("<details><summary>More</summary>text</details>", "**More**\n\ntext"),
    ],
)
def test_markup_becomes_markdown(html: str, markdown: str) -> None:
    assert written(html) == markdown


@pytest.mark.parametrize(
    ("mathml", "found"),
    [
        ("<mfrac><mi>a</mi><mi>b</mi></mfrac>", r"\frac{a}{b}"),
        ("<msub><mi>T</mi><mtext>min</mtext></msub>", r"T_{\text{min}}"),
        ("<msubsup><mi>x</mi><mn>1</mn><mn>2</mn></msubsup>", "x_{1}^{2}"),
        ("<msup><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></msup>", "{a + b}^{2}"),
        ("<msqrt><mi>Δ</mi></msqrt>", r"\sqrt{\Delta}"),
        ('<mn>1,024</mn><mspace width="2em"/><mn>989 TFLOP/s</mn>', r"1{,}024 \qquad \text{989 TFLOP/s}"),
        ("<mi>max</mi><mo>\u2061</mo><mi>ϕ</mi><mi>erf</mi><mtext>\u2009</mtext>", r"\max \phi \operatorname{erf} \,"),
    ],
)
def test_mathml_becomes_tex(mathml: str, found: str) -> None:
    assert tex(parse(f"<math>{mathml}</math>")) == found


@pytest.mark.parametrize("mathml", ["<mtable></mtable>", "<mo>☃</mo>", '<mspace width="3em"/>'])
def test_a_formula_is_not_passed_on_by_halves(mathml: str) -> None:
    with pytest.raises(ValueError, match="no TeX is known"):
        tex(parse(f"<math>{mathml}</math>"))


def test_markup_that_does_not_close_is_an_error() -> None:
    with pytest.raises(ValueError, match="<b> is closed by </p>"):
        parse("<p><b></p>")


def test_a_page_is_written_section_by_section_as_it_would_be_as_a_whole() -> None:
    html = "<h1>One</h1><p>First.</p>and more\n<h2 id='a'>Two</h2><ul><li>x</li></ul><h2>Three</h2><p>Last.</p>"
    assert pages.written(html, "index.html").decode() == written(html) + "\n"


def test_a_tree_is_without_comments_and_pictures_and_closes_what_it_opens() -> None:
    (node,) = parse('<p title="a &lt; b" hidden>one<!-- <b> --> &amp; <svg><path d="M0"/></svg><br>two</p>').content
    assert isinstance(node, Node)
    assert node.attributes == {"title": "a < b", "hidden": ""}
    assert node.text() == "one & two"
    with pytest.raises(ValueError, match="closed by"):
        parse("<p><b>one</p>")


def test_tables_that_follow_each_other_are_one() -> None:
    rows = {name: {"text": f"{name}, said", "value": n} for n, name in enumerate("abc")}

    def table(*names: str) -> dict[str, bytes]:
        some = {name: rows[name] for name in names}
        return both("numbers", {"numbers": some}, [{"key": name, **row} for name, row in some.items()])

    assert joined("numbers", [table("a"), table("b", "c")]) == table("a", "b", "c")
    assert joined("numbers", []) == table()
