"""What other dialects of Markdown know: each sign of theirs is told where it stands, with what is written here."""

from pathlib import Path

import pytest

from tests.report.test_carets import told, unmarked
from tests.report.toy import FRONT, Writer

TABLE = "⟦| a | b |⟧\n|---|---|\n| c | d |"
FOREIGN = {
    "footnote": ("So.⟦[^a]⟧\n\n⟦[^a]:⟧ As it is.", "a note is written {% note %}...{% endnote %}"),
    "footnote of a word": ("So.⟦[^a]⟧\n\n[^a]: Why.", "in its place"),
    "footnote of a number": ("So.⟦[^1]⟧\n\n⟦[^1]:⟧ As it is.", "a footnote of Markdown would be printed"),
    "note in place": ("So.⟦^[And why.]⟧", "a footnote of Markdown would be printed"),
    "box": ("⟦:::note⟧\nhey\n⟦:::⟧", "there are no boxes"),
    "box with a title": ("⟦!!! note⟧\n    hey", "there are no boxes"),
    "alert": ("> ⟦[!NOTE]⟧\n> so", "there are no boxes"),
    "tasks": ("- ⟦[ ]⟧ one\n- ⟦[x]⟧ other", "a box to tick would be printed"),
    "terms": ("Term\n⟦:⟧ what it is", "write - **term**: what it means"),
    "highlight": ("so ⟦==hi==⟧, ⟦++ho++⟧", "write *words* or **words**"),
    "struck out": ("⟦~~gone~~⟧ and ⟦||hidden||⟧", "nothing is struck out or hidden here; delete it"),
    "index": ("H⟦~2~⟧O and x⟦^2^⟧", "a formula stands in $ $"),
    "smile": ("⟦:smile:⟧ so ⟦:+1:⟧", "say it in words"),
    "wiki": ("⟦[[page]]⟧", "is no link here; write [text](address)"),
    "class": ("A [page](b.html)⟦{.wide}⟧", "classes are not set in a text"),
    "cited": ("As ⟦[@kaplan2020]⟧ has it", 'a work is cited with {{ cite("kaplan2020") }}'),
    "pointed at": ("As ⟦@fig:roofline⟧ has it", 'a part is pointed at with {{ ref("fig-roofline") }}'),
    "contents": ("⟦[TOC]⟧", "contents are made of the headings"),
    "left over": ("So [⟦TODO⟧]: ⟦FIXME⟧", "would be published"),
    "TeX": (r"See ⟦\ref{fig-a}⟧, ⟦\frac{1}{2}⟧ or ⟦\beta⟧", 'outside a formula; write {{ ref("fig-a") }}'),
    "TeX for words": (r"⟦\textbf{b}⟧ and ⟦\emph{c}⟧", "outside a formula; write **b**"),
    "an item": ("1. a\n⟦2)⟧b", "a blank is missing behind '2)'; without it, this is no item of a list"),
    "table below an item": (f"- one\n- two\n{TABLE}", "leave an empty line above it"),
    "table below a numbered item": (f"1. one\n{TABLE}", "leave an empty line above it"),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_sign_of_another_dialect_is_told_where_it_stands(tmp_path: Path, name: str) -> None:
    marked, message = FOREIGN[name]
    text, wanted = unmarked(FRONT + marked + "\n")
    _, problems = Writer(tmp_path).attempt(text, front="")
    found = told(problems, tmp_path / "page.md")
    assert set(found) == wanted, found
    assert any(message in said for said in found.values()), found


FINE = (
    *(
        r"so \=\=b\=\=",
        "`:::` and `[^a]: so`",
        "So: one: two",
        "a::b and x ~ y or c ^ d",
        "- one\n\n|a|b|\n|-|-|\n|c|d|",
    ),
    *("So x<y and y>x, p<q, q>r, T <time and time> t.", "a < b > c"),
    *("In [a](#a) it is.\n\n## A {#a}", "todo, Todo", "one : two", "a == b == c", "me@fig.org"),
)


@pytest.mark.parametrize("text", FINE)
def test_what_only_looks_like_it_is_a_text(tmp_path: Path, text: str) -> None:
    _, problems = Writer(tmp_path).attempt(text)
    assert not problems
