"""Links of the text lead to files of the site or to addresses of the web; else the build names the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from report import addresses

FILES = {"index.html", "note/index.html", "data/numbers.json", "numbers/index.html", "research/tricks/index.html"}
# an address, the page on which it stands, what is said of it ('' for nothing)
CASES = [
    ("https://example.org/a?b=c#d", "index.html", ""),
    ("http://example.org", "index.html", ""),
    ("mailto:someone@example.org", "index.html", ""),
    ("data/numbers.json", "index.html", ""),
    ("../data/numbers.json", "note/index.html", ""),
    ("numbers/index.html#words", "index.html", ""),
    ("note/", "index.html", ""),
    ("../", "note/index.html", ""),
    ("../research/tricks/", "note/index.html", ""),
    (".", "note/index.html", ""),
    ("note/?x=1", "index.html", ""),
    ("htp://example.org", "index.html", "'htp:' begins no address of the web; did you mean 'http'?"),
    ("www.example.com/a", "index.html", "'www.example.com/a' has no https:// before it, and would be looked for on"),
    ("example.org", "note/index.html", "looked for on this site; write https://example.org"),
    ("ftp://example.org", "index.html", "'ftp:' begins no address of the web; write https://..."),
    ("https:/example.org", "index.html", "'https:/example.org' is no address; write https://example.org/..."),
    ("https://example", "index.html", "'https://example' is no address; write"),
    ("https://exa mple.org", "index.html", "'https://exa mple.org' is no address; write"),
    ("nots/", "index.html", "leads to 'nots/', and the site has no 'nots/index.html'; did you mean 'note/index.html'?"),
    ("data/numbers.json", "note/index.html", "the site has no 'note/data/numbers.json'; did you mean"),
    ("pole.md", "index.html", "and the site has no 'pole.md'; {{ ref(\"name\") }} leads to a section"),
    ("x.png", "index.html", "a link leads to 'x.png', and the site has no 'x.png'"),
]


@pytest.mark.parametrize(("address", "page", "said"), CASES)
def test_an_address_is_followed(tmp_path: Path, address: str, page: str, said: str) -> None:
    told = [
        str(problem) for problem in addresses.check([address], page, FILES, tmp_path / "content", "report/index.md")
    ]
    assert [said in line for line in told] == ([True] if said else []), told


def test_the_place_is_where_the_address_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "content" / "report"
    folder.mkdir(parents=True)
    (folder / "index.md").write_text("one\n")
    (folder / "pole.md").write_text("one\n\n[there](nots/) and on\n")
    told = addresses.check(["nots/", "lost/"], "index.html", FILES, tmp_path / "content", "report/index.md")
    assert [(problem.path, problem.line) for problem in told] == [
        ("content/report/pole.md", 3),
        ("content/report/index.md", 0),
    ]


def test_links_and_pictures_of_the_text_are_found_and_those_of_numbers_are_not() -> None:
    html = (
        '<a class="n-link" href="numbers/index.html#n1">1</a><a class="claim-link" href="x"></a><a href="#pole">p</a>'
        '<p><a href="note/?a=1&amp;b=2" title="t">n</a> <img src="x.png" alt=""></p><a class="ref" href="note/">n</a>'
    )
    assert addresses.of(html) == ("note/?a=1&b=2", "x.png", "note/")
