"""What an author is told of each mistake in a row: the place, the row, what is wrong, what was meant."""

from pathlib import Path

import pytest

from report.catalogue import load
from tests.report.catalogues import BANDWIDTH, MACHINES, edit, lay_out, told


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return lay_out(tmp_path)


def test_the_toy_machine_is_read(folder: Path) -> None:
    machine = load(folder).machines["toy-1"]
    assert (machine.bandwidth.value, machine.bandwidth.unit, machine.bandwidth.text) == (1e12, "B/s", "1 TB/s")
    assert machine.bandwidth.range == (0.99e12, 1.01e12)
    assert set(machine.sources) == {"maker", "s1"}


# (what is replaced, by what, the place, what is said). The place counts lines and columns from 1.
MISTAKES = {
    "unknown key": (
        "bandwidth:",
        "bandwith:",
        "14:5",
        "machine 'toy-1': unknown key 'bandwith'; did you mean 'bandwidth'?",
    ),
    "missing key": ("    vendor: Toys\n", "", "4:5", "machine 'toy-1': the key 'vendor' is missing"),
    "missing unit": ("1 TB/s", "1.5", "14:24", "'1.5' has no unit; it is measured in B/s"),
    "unknown unit": ("1 TB/s", "1 TBs", "14:26", "unknown unit 'TBs'; did you mean 'TB/s'?"),
    "wrong dimension": ("1 TB/s", "1 TFLOP/s", "14:24", "'1 TFLOP/s' is in FLOP/s, but B/s is wanted"),
    "bits for bytes": ("80 GB", "80 Gb", "15:23", "'80 Gb' counts bits"),
    "bits for a memory's rate": (
        "1 TB/s",
        "1 Tb/s",
        "14:24",
        "'1 Tb/s' counts bits, and is 0.125 TB/s; a memory is read in bytes: did you mean '1 TB/s'?",
    ),
    "unknown status": (
        "status: verified, from: [s1]",
        "status: verifed, from: [s1]",
        "15:38",
        "unknown word 'verifed'; did you mean 'verified'?",
    ),
    "unknown source": ("from: [s1]", "from: [s2]", "15:55", "unknown source 's2'; one of maker, s1"),
    "source misspelt": (
        "from: [maker]}\n    cap",
        "from: [makr]}\n    cap",
        "14:57",
        "unknown source 'makr'; did you mean 'maker'?",
    ),
    "negative": ("1 TB/s", "-1 TB/s", "14:24", "'-1 TB/s' is not a quantity"),
    "zero": ("1 TB/s", "0 TB/s", "14:24", "'0 TB/s' is not more than zero; leave the key out"),
    "not a number": ("1 TB/s", ".nan", "14:24", "'.nan' is not a quantity"),
    "infinite": ("1 TB/s", "1e400 TB/s", "14:24", "'1e400 TB/s' is out of range"),
    "huge": (
        "1 TB/s",
        "1e9 TB/s",
        "14:24",
        "'1e9 TB/s' is out of all reason; the most is 100 PB/s; check the",
    ),
    "tiny": ("1 TB/s", "1 B/s", "14:24", "'1 B/s' is out of all reason; the least is 100 kB/s"),
    "sparse peak": (
        "sparsity: dense",
        "sparsity: sparse",
        "13:77",
        "'sparse' is refused; a sparse peak counts products",
    ),
    "sparsity left out": (", sparsity: dense", "", "13:13", "the key 'sparsity' is missing"),
    "not half of sparse": (
        "sparsity: dense",
        "sparsity: dense, sparse: 100 TFLOP/s",
        "13:7",
        "its bf16 peak 100 TFLOP/s is not half of the sparse rate",
    ),
    "text for a number": ("year: 2022", "year: two thousand", "8:11", "'two thousand' is not a plain number"),
    "quoted number": ("year: 2022", "year: '2022'", "8:11", "'2022' is not a plain number"),
    "broken number": (
        "year: 2022",
        "year: 2022.5",
        "8:11",
        "'2022.5' is not a whole number; the nearest are 2022",
    ),
    "octal number": ("year: 2022", "year: 02022", "8:11", "'02022' is not a plain number"),
    "year out of reason": ("year: 2022", "year: 20222", "8:11", "'20222' is out of all reason; the most is 2035"),
    "number for text": (
        "vendor: Toys",
        "vendor: 3",
        "7:13",
        "'vendor': '3' is a number, but text is wanted; put it in quotes",
    ),
    "yes or no for text": (
        "vendor: Toys",
        "vendor: no",
        "7:13",
        "'no' is yes or no, but text is wanted; put it in quotes",
    ),
    "date for text": ("vendor: Toys", "vendor: 2022-09-01", "7:13", "'2022-09-01' is a date, but text is wanted"),
    "nothing for text": ("vendor: Toys", "vendor:", "7:12", "'vendor' is empty; write what belongs there"),
    "empty text": ("vendor: Toys", "vendor: ''", "7:13", "the text is empty; leave the key out"),
    "guessed truth": ("trains: true", "trains: yes", "10:13", "'yes' where true or false is wanted"),
    "unknown word": ("kind: gpu", "kind: gpus", "9:11", "unknown word 'gpus'; did you mean 'gpu'?"),
    "unknown format": ("      bf16: {", "      bf61: {", "13:7", "'peak': unknown key 'bf61'; did you mean 'bf16'?"),
    "format without peak": (
        "balance_format: bf16",
        "balance_format: fp8",
        "11:21",
        "balance_format 'fp8' is not among its peaks",
    ),
    "unlikely balance": ("100 TFLOP/s", "100 kFLOP/s", "13:7", "a balance of 1e-07 FLOP/B at bf16; check"),
    "list for a mapping": (BANDWIDTH, "[1 TB/s]", "14:16", "a list where a mapping is wanted"),
    "text for a mapping": (BANDWIDTH, "1 TB/s", "14:16", "text where a mapping is wanted"),
    "text for a list": (
        "from: [s1]",
        "from: s1",
        "15:54",
        "'from' is text, but a list is wanted; write it as [s1]",
    ),
    "mapping for a quantity": (
        "value: 1 TB/s",
        "value: {a: b}",
        "14:24",
        "a mapping where a quantity with its unit is wanted",
    ),
    "no source": (", from: [s1]", "", "15:15", "a verified number needs 'from'"),
    "value out of range": (
        "80 GB, status: verified",
        "80 GB, low: 90 GB, status: verified",
        "15:35",
        "its value 80 GB is outside low to high: 'low' is above it",
    ),
    "candidates without reason": (
        "from: [s1]}",
        "from: [s1], candidates: [{value: 81 GB, why: else}]}",
        "15:72",
        "it has candidates; say under 'chosen' why",
    ),
    "address of a source": (
        "{title: The box, rank",
        "{title: The box, url: 'htps://x.org/', rank",
        "18:33",
        "'url': 'htps://x.org/' is no address; write https://...",
    ),
    "quotation marks of prose": (
        "short: Toy",
        "short: “Toy”",
        "6:12",
        "“Toy” stands in quotation marks of prose; YAML",
    ),
    "a conflict of git": (
        "    vendor: Toys",
        "<<<<<<< HEAD\n    vendor: Toys",
        "7:1",
        "git has left a conflict here; keep",
    ),
    "odd id": ("id: toy-1", "id: Toy_1", "4:9", "machine: 'Toy_1' is no id; ids are lower case with hyphens"),
    "no id": (
        "  - id: toy-1\n    name",
        "  - name",
        "4:5",
        "a machine without id begins here, with 'name'; if it belongs to the row above, delete the '-'; else begin",
    ),
    "no id, and an odd key": (
        "  - id: toy-1\n    nam",
        "  - na",
        "4:5",
        "machine without id: the key 'id' is missing",
    ),
    "a dash too many": ("    kind: gpu", "  - kind: gpu", "9:5", "a machine without id begins here, with 'kind'; if"),
    "a dash too few": (
        "    vendor: Toys",
        "    id: toy-2\n    vendor: Toys",
        "7:5",
        "the key 'id' stands twice, first in line 4; a new row begins with '- id:'",
    ),
    "no blank after a colon in brackets": (
        "{value: 1 TB/s",
        "{value:1 TB/s",
        "14:17",
        "'value:1 TB/s' has no blank after the colon; write 'value: 1 TB/s'",
    ),
    "doubled key": (
        "    year: 2022\n",
        "    year: 2022\n    year: 2023\n",
        "9:5",
        "the key 'year' stands twice, first in line 8",
    ),
    "doubled key below": ("value: 1 TB/s,", "value: 1 TB/s, value: 2 TB/s,", "14:32", "the key 'value' stands twice"),
    "list as key": ("note: a machine", "[a]: a machine", "16:5", "a key that is not a plain word"),
    "merge key": ("    note:", "    <<: {a: b}\n    note:", "16:5", "a key that is not a plain word"),
    "alias": (
        f"bandwidth: {BANDWIDTH}",
        f"bandwidth: &one {BANDWIDTH}\n    power: *one",
        "14:16",
        "an anchor (&) that an alias (*) repeats; write the value out at each place",
    ),
    "tab": ("    vendor: Toys", "\tvendor: Toys", "7:1", "a tab; YAML is indented with spaces"),
    "syntax": ("[maker]}", "[maker", "14:56", "'[' is never closed; write ']' before the next key, in line 15"),
    "unknown key at the top": (
        "rows:",
        "row: []\nrows:",
        "3:1",
        "unknown key 'row' at the top; there is 'rows' already; delete one of them",
    ),
    "source without title": ("title: The box, ", "", "18:11", "the key 'title' is missing"),
    "sources that are a list": (
        "  maker: {title: The data sheet, rank: primary, seen: true}",
        "  - maker",
        "2:3",
        "'sources' is a list, but a mapping is wanted",
    ),
    "misspelt sources": ("    sources:", "    source:", "17:5", "unknown key 'source'; did you mean 'sources'?"),
    "misspelt sources at the top": ("sources:\n  m", "source:\n  m", "1:1", "unknown key 'source' at the top; did you"),
    "misspelt rows": ("rows:", "rwos:", "3:1", "unknown key 'rwos' at the top; did you mean 'rows'?"),
    "misspelt key of a number": ("{value: 80", "{valeu: 80", "15:16", "unknown key 'valeu'; did you mean 'value'?"),
    "misspelt and right": (
        "    bandwidth",
        "    bandwith: {}\n    bandwidth",
        "14:5",
        "unknown key 'bandwith'; there is 'bandwidth' already; delete one of them",
    ),
    "key of another kind": (
        "    note:",
        "    mfu: 40 %\n    note:",
        "16:5",
        "unknown key 'mfu'; 'mfu' is a key of runs",
    ),
    "key of a number in the row": (
        "    note:",
        "    status: verified\n    note:",
        "16:5",
        "unknown key 'status'; 'status' belongs to one of the row's numbers, as in {value: ..., status: ...}",
    ),
    "key of the row in a number": (
        "[s1]}",
        "[s1], vendor: Toys}",
        "15:60",
        "unknown key 'vendor'; 'vendor' is a key of the row itself: is it indented too deep, or does a brace close",
    ),
    "a number alone": (
        BANDWIDTH,
        "1 TB/s",
        "14:16",
        "text where a mapping is wanted; write {value: 1 TB/s, status: ..., from: [...]}",
    ),
    "a quantity in a list": (
        "1 TB/s",
        "[1 TB/s]",
        "14:24",
        "a list where a quantity with its unit is wanted; write 1 TB/s,",
    ),
    "a text in a list": (
        "vendor: Toys",
        "vendor: [Toys]",
        "7:13",
        "it is a list, but text is wanted; write Toys, without",
    ),
    "a number in a list": (
        "year: 2022",
        "year: [2022]",
        "8:11",
        "a list where a plain number is wanted; write 2022, with",
    ),
    "a truth in a list": (
        "trains: true",
        "trains: [true]",
        "10:13",
        "a list where true or false is wanted; write true, wi",
    ),
    "no truth": ("trains: true", "trains: perhaps", "10:13", "'perhaps' where true or false is wanted"),
    "a quoted truth": (
        "trains: true",
        "trains: 'true'",
        "10:13",
        "'true' where true or false is wanted; write true, without",
    ),
    "an empty optional key": (
        "note: a machine for tests",
        "note: ~",
        "16:11",
        "'note' is empty; write what belongs there, or",
    ),
    "a key without a blank": ("value: 1 TB/s", "value:", "14:17", "'value:' has no value"),
    "a decimal comma": (
        "1 TB/s",
        "1,5 TB/s",
        "14:24",
        "'1,5 TB/s': a decimal point is a point, not a comma; write '1.5",
    ),
    "a comma in thousands": (
        "100 TFLOP/s",
        "1,979,000 GFLOP/s",
        "13:21",
        "thousands have no mark here; write '1979000 GF",
    ),
    "a comma in a text": (
        "[s1]}",
        "[s1], note: one, two, three}",
        "15:71",
        "'two' has no value; write 'two: ...', or put the text in quotes: 'one, two, three'",
    ),
    "a key without value": ("{value: 80 GB, ", "{value, ", "15:16", "'value' has no value; write 'value: ...'"),
    "curly quotes with a comma": (
        "[s1]}",
        "[s1], note: ‘one, two’}",
        "15:66",
        "‘one stands in quotation marks of prose; YAML knows",
    ),
    "a part of a list": ("from: [s1]", "from: [s1 maker]", "15:55", "unknown source 's1 maker'"),
    "an id in capitals": (
        "id: toy-1",
        "id: Toy 1",
        "4:9",
        "'Toy 1' is no id; ids are lower case with hyphens: 'toy-1'",
    ),
    "an alias to itself": ("vendor: Toys", "vendor: &a [*a]", "7:13", "an anchor (&) that an alias (*) repeats"),
    "unit in the middle": ("80 GB", "80 GBB", "15:26", "unknown unit 'GBB'; did you mean 'GB'?"),
    "unit glued to its number": ("80 GB", "80GBB", "15:25", "unknown unit 'GBB'; did you mean 'GB'?"),
    "unit in quotes": ("80 GB", "'80 GBB'", "15:27", "unknown unit 'GBB'; did you mean 'GB'?"),
    "value above high": (
        "80 GB, status: verified",
        "80 GB, high: 70 GB, status: verified",
        "15:36",
        "its value 80 GB is outside low to high: 'high' is below it",
    ),
    "an empty list of sources": ("from: [s1]}", "from: []}", "15:54", "a verified number needs 'from', the keys of"),
    "another word for from": ("from: [s1]}", "source: [s1]}", "15:48", "unknown key 'source'; did you mean 'from'?"),
    "a unit by itself": ("[s1]}", "[s1], unit: GB}", "15:60", "unknown key 'unit'; the unit stands behind the number"),
    "a truth for a word": ("kind: gpu", "kind: true", "9:11", "unknown word 'true'; one of cpu, gpu, mini, other, pc"),
    "a mapping for a list": (
        "from: [s1]}",
        "from: {s1: x}}",
        "15:54",
        "a list is wanted; put the mapping between [ and ]",
    ),
    "a number's parts beside it": (
        "capacity: {value: 80 GB, status: verified, from: [s1]}",
        "capacity:\n    value: 80 GB\n    status: verified\n    from: [s1]",
        "15:5",
        "'capacity' is empty, and what belongs to it stands beside it; indent value, status, from deeper",
    ),
    "a blank in an address": (
        "{title: The box, rank",
        "{title: The box, url: 'https://x.org/a b', rank",
        "18:33",
        "'https://x.org/a b' is no address; an address holds no blanks",
    ),
    "a value without key": ("{value: 80 GB,", "{80 GB,", "15:16", "'80 GB' has no key; write 'value: 80 GB'"),
    "a key without colon": (
        "{value: 80 GB,",
        "{value 80 GB,",
        "15:16",
        "'value 80 GB' has no value; write 'value: 80 GB'",
    ),
    "watts": (
        "    note:",
        "    power: {value: 0.7, status: verified, from: [s1]}\n    note:",
        "16:20",
        "'0.7' has no unit; it is measured in W",
    ),
    "a format that is not half of sparse": (
        "    bandwidth",
        "      fp8: {value: 3 GFLOP/s, status: estimate, sparsity: dense, sparse: 3 GFLOP/s}\n    bandwidth",
        "14:7",
        "its fp8 peak 3 GFLOP/s is not half of the sparse rate",
    ),
    "a source that several cite": (
        "  maker: {title",
        "  mker: {title",
        "13:59",
        "unknown source 'maker' here and once more, next in line 14; did you mean 'mker'?",
    ),
    "two keys missing": ("    vendor: Toys\n    year: 2022\n", "", "4:5", "the keys 'vendor' and 'year' are missing"),
    "a row without its first line": (
        "    note: a",
        "    name: Toy 2\n    short: Toy\n    vendor: Toys\n    note: a",
        "16:5",
        "the key 'name' stands twice, first in line 5, and so do 2 more; is a line there twice, or is the first line",
    ),
    "a hash in a text": (
        "note: a machine for",
        "note: a machine #1 for",
        "16:21",
        "the text ends before ' #', which begins a comment: 'a machine'; put the whole text in quotes",
    ),
    "a hash behind one blank": ("vendor: Toys", "vendor: Toys # and more", "7:18", "the text ends before ' #'"),
    "unknown part of a row": ("[s1]}", "[s1], rank: 1}", "15:60", "unknown key 'rank'; its keys are"),
}


TWICE = ("  - id: toy-1\n    nam",)  # two slips in one


@pytest.mark.parametrize(("old", "new", "where", "message"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_told_with_its_place(folder: Path, old: str, new: str, where: str, message: str) -> None:
    lines = edit(folder, old, new)
    start = f"content/catalogue/machines.yaml:{where}"
    assert any(line.startswith(start) and message in line for line in lines), "\n".join(lines)
    assert len(lines) == (2 if old in TWICE else 1), "\n".join(lines)


def test_a_mistake_in_a_row_names_the_row(folder: Path) -> None:
    assert edit(folder, "1 TB/s", "1.5")[0].split(": ", 1)[1].startswith("machine 'toy-1': 'value': ")


def test_a_comment_that_is_set_apart_is_one(folder: Path) -> None:
    path = folder / "machines.yaml"
    text = path.read_text(encoding="utf-8")
    for plain, commented in {
        "vendor: Toys": "vendor: Toys  # who sells it",
        "trains: true": "trains: true # not 'false'",
        "short: Toy": "short: 'Toy #1' #one",
        "capacity:": "capacity: # how much it holds\n     ",
    }.items():
        text = text.replace(plain, commented, 1)
    path.write_text(text, encoding="utf-8")
    row = load(folder).machines["toy-1"]
    assert (row.vendor, row.short) == ("Toys", "Toy #1")


def test_all_mistakes_of_all_files_are_told_at_once(folder: Path) -> None:
    text = MACHINES.replace("bandwidth:", "bandwith:").replace("80 GB", "80").replace("kind: gpu", "kind: gpus")
    (folder / "machines.yaml").write_text(text, encoding="utf-8")
    (folder / "runs.yaml").write_text("row: []\n", encoding="utf-8")
    lines = told(folder)
    assert [line.split(": ")[0] for line in lines] == [
        "content/catalogue/machines.yaml:9:11",
        "content/catalogue/machines.yaml:14:5",
        "content/catalogue/machines.yaml:15:23",
        "content/catalogue/runs.yaml:1:1",
    ]


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ("heads: 7, kv_heads: 7", "7 heads do not divide d, 4096; the nearest are 4 and 8"),
        ("heads: 7, kv_heads: 7, head_dim: 64", None),
        ("heads: 32, kv_heads: 64, head_dim: 64", "64 kv_heads do not divide heads, 32; the nearest is 32"),
    ],
)
def test_heads_of_a_network_share_out_its_width(folder: Path, shape: str, message: str | None) -> None:
    text = (
        "rows:\n  - {id: toy-net, name: Toy, short: Toy, year: 2020, kind: dense, status: estimate, from: [s1],\n"
        f"     d: 4096, L: 2, d_ff: 9, vocab: 9, {shape},\n"
        "     sources: {s1: {title: A count, rank: derived, seen: true}}}\n"
    )
    (folder / "networks.yaml").write_text(text, encoding="utf-8")
    if message is None:
        load(folder)
    else:
        *others, line = told(folder)
        assert ["'head_dim' is missing" in one for one in others] == [True] * ("head_dim" not in shape)
        assert line.startswith("content/catalogue/networks.yaml:3:")
        assert line.endswith(f": network 'toy-net': {message}")


SHAPE = "d: 4096, L: 2, heads: 2, kv_heads: 2, head_dim: 9, d_ff: 9, vocab: 9"


@pytest.mark.parametrize(
    ("shape", "missing"),
    [
        (SHAPE, []),
        ("total: 7e9 param", []),
        (SHAPE.replace("heads: 2, ", "", 1), ["heads"]),
        (SHAPE.replace("d: 4096, L: 2, ", ""), ["d", "L"]),
        (SHAPE.replace(", d_ff: 9", ", experts: 8, top_k: 2"), ["expert_d_ff"]),
        (f"{SHAPE}, top_k: 2, expert_d_ff: 9", ["experts"]),
    ],
)
def test_a_transformer_has_its_whole_shape(folder: Path, shape: str, missing: list[str]) -> None:
    given = "" if shape.startswith("total") else f"{shape}, "
    text = (
        "rows:\n  - {id: toy-net, name: Toy, short: Toy, year: 2020, kind: dense, status: estimate, from: [s1],\n"
        f"     {given}sources: {{s1: {{title: A count, rank: derived, seen: true}}}}}}\n"
    )
    (folder / "networks.yaml").write_text(text, encoding="utf-8")
    if not missing:
        assert load(folder).networks
        return
    words = [
        one.partition("'toy-net': the key ")[2].partition(" is missing; a transformer that")[0] for one in told(folder)
    ]
    assert words == sorted(f"'{key}'" for key in missing)


def test_a_doubled_id_names_both_lines(folder: Path) -> None:
    row = MACHINES[MACHINES.index("  - id") :]
    (folder / "machines.yaml").write_text(MACHINES + row, encoding="utf-8")
    assert told(folder) == ["content/catalogue/machines.yaml:19:9: machine 'toy-1' stands twice, first in line 4"]


RUN = """\
rows:
  - {id: run-1, model: Toy, machine: toy-1, params: 7e9 param, precision: bf16, utilization: printed, mfu: 41.5 %,
     weaker: {mfu: {status: estimate}}, status: verified, from: [s1],
     sources: {s1: {title: A log, rank: primary, seen: true}}}
"""


def test_a_run_is_read(folder: Path) -> None:
    (folder / "runs.yaml").write_text(RUN, encoding="utf-8")
    run = load(folder).runs["run-1"]
    assert (run.mfu, run.params, run.weaker["mfu"].status) == (pytest.approx(0.415), 7e9, "estimate")


RUN_MISTAKES = {
    "dangling machine": ("toy-1", "toy-2", "run 'run-1': there is no machine 'toy-2'; did you mean 'toy-1'?"),
    "above a hundred percent": ("41.5 %", "141.5 %", "'141.5 %' is out of all reason; the most is 100 %"),
    "a bare share": ("41.5 %", "0.415", "'0.415' is not a percentage; write it as '41.5 %'"),
    "weaker key unknown": ("weaker: {mfu:", "weaker: {mfo:", "'weaker': unknown key 'mfo'; did you mean"),
    "weaker key not held": ("weaker: {mfu:", "weaker: {hfu:", "'weaker' names 'hfu', which the row does not hold"),
}


@pytest.mark.parametrize(("old", "new", "message"), RUN_MISTAKES.values(), ids=RUN_MISTAKES)
def test_a_mistake_in_a_run(folder: Path, old: str, new: str, message: str) -> None:
    (folder / "runs.yaml").write_text(RUN, encoding="utf-8")
    assert any(message in line for line in edit(folder, old, new, "runs"))


def test_a_layer_without_its_sizes(folder: Path) -> None:
    text = (
        "rows:\n  - {id: toy-net, name: Toy, short: Toy, year: 1986, kind: mlp, status: estimate, from: [s1],\n"
        "     layers: [{kind: convolution, maps: 2}], sources: {s1: {title: A count, rank: derived, seen: true}}}\n"
    )
    (folder / "networks.yaml").write_text(text, encoding="utf-8")
    assert told(folder) == [
        "content/catalogue/networks.yaml:2:10: network 'toy-net': a convolution layer needs kernel, in, maps, positions"
    ]


TREND = """\
rows:
  - {id: toy-growth, kind: compute, quantity: peak, growth: 1.5, years: 1, doubling: 1.7, start: 1990, end: 2000,
     claim: it grows, status: secondary, from: [s1], sources: {s1: {title: A page, rank: secondary, seen: true}}}
"""
TREND_MISTAKES = {
    "a doubling time in months": ("doubling: 1.7", "doubling: 21", "'doubling' says that it doubles in 21 years"),
    "a doubling time too short": ("doubling: 1.7", "doubling: 0.17", "doubles in 0.17 years, out of all reason"),
    "a growth in percent": ("growth: 1.5", "growth: 50", "'growth' and 'years' say that it doubles in 0.177 years"),
    "a growth of next to nothing": ("growth: 1.5", "growth: 1.015", "doubles in 46.6 years, out of all reason"),
    "a growth below one": ("growth: 1.5", "growth: 0.5", "a growth of 0.5 times is none"),
    "years the wrong way round": ("start: 1990", "start: 2009", "it starts in 2009, after its end in 2000"),
    "stated and implied": ("doubling: 1.7", "doubling: 3", "says 3 years, but 'growth' and 'years' come to 1.71"),
}


@pytest.mark.parametrize(("old", "new", "message"), TREND_MISTAKES.values(), ids=TREND_MISTAKES)
def test_a_trend_out_of_all_reason_is_questioned(folder: Path, old: str, new: str, message: str) -> None:
    (folder / "trends.yaml").write_text(TREND, encoding="utf-8")
    assert load(folder).trends["toy-growth"].doubling == 1.7
    key = new.partition(":")[0]
    column = TREND.splitlines()[1].index(f"{key}: ") + len(f"{key}: ") + 1
    place = f"content/catalogue/trends.yaml:2:{column}: trend 'toy-growth': "
    assert any(said.startswith(place) and message in said for said in edit(folder, old, new, "trends"))


@pytest.mark.parametrize(
    ("old", "there", "lacking"), [("years: 1, ", "growth", "years"), ("growth: 1.5, ", "years", "growth")]
)
def test_growth_and_its_years_stand_together(folder: Path, old: str, there: str, lacking: str) -> None:
    (folder / "trends.yaml").write_text(TREND, encoding="utf-8")
    (line,) = edit(folder, old, "", "trends")
    assert line.endswith(f"trend 'toy-growth': '{there}' stands without '{lacking}', and either alone says nothing")


def test_a_decimal_comma_is_told_for_what_it_is(folder: Path) -> None:
    lines = edit(folder, "value: 1 TB/s", "value: 3,35 TB/s")
    said = "'3,35 TB/s': a decimal point is a point, not a comma; write '3.35 TB/s'"
    assert lines == [f"content/catalogue/machines.yaml:14:24: {said}"]


def test_a_file_that_was_renamed_is_found(folder: Path) -> None:
    (folder / "trends.yaml").rename(folder / "trend.yaml")
    assert told(folder) == ["content/catalogue/trends.yaml: the file is missing; was it renamed to 'trend.yaml'?"]


def test_balances_that_are_all_out_of_reason_are_told_once_at_the_bandwidth(folder: Path) -> None:
    path = folder / "machines.yaml"
    second = "      fp16: {value: 90 TFLOP/s, status: verified, from: [maker], sparsity: dense}\n"
    text = path.read_text(encoding="utf-8").replace("    bandwidth", f"{second}    bandwidth")
    path.write_text(text, encoding="utf-8")
    (line,) = edit(folder, "value: 1 TB/s", "value: 1 MB/s")
    said = "a balance of 1e+08 FLOP/B at bf16, and at 1 more format; check peak and bandwidth, and their prefixes"
    assert line == f"content/catalogue/machines.yaml:15:16: machine 'toy-1': {said}"
