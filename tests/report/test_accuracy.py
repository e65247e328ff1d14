"""Published runs against the model: what is asked, how a share is read, verdict, fit, and what pairs of runs tell."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from statistics import median

import pytest

from model.book import ask
from model.records import Catalogue, Run
from model.scenario import base
from report.accuracy import effects, fit, memory, readings, scenarios, verdict
from report.accuracy.book import Accuracy
from report.accuracy.readings import WAYS, Against, Reading
from report.catalogue import load


@pytest.fixture(scope="module")
def catalogue(root: Path) -> Catalogue:
    return load(root / "content" / "catalogue")


@pytest.fixture(scope="module")
def accuracy(catalogue: Catalogue) -> Accuracy:
    return Accuracy(catalogue)


@pytest.fixture(scope="module")
def known(accuracy: Accuracy) -> dict[str, Reading]:
    return {one.run.id: one for one in accuracy.readings}


def own(known: dict[str, Reading], name: str) -> Against:
    found = known[name].own
    assert found
    return found


def changed(catalogue: Catalogue, name: str, **fields: object) -> Run:
    return dataclasses.replace(catalogue.runs[name], **fields)  # type: ignore[arg-type]


# --- the question


def test_every_run_has_a_ceiling_or_a_reason(accuracy: Accuracy, catalogue: Catalogue) -> None:
    assert len(accuracy.readings) == len(catalogue.runs) >= 307
    for one in accuracy.readings:
        assert (one.own is not None) == (not one.missing and not one.run.excluded), one.run.id
        assert set(one.missing) <= {*scenarios.NEEDED, "peak"}
    assert accuracy.measured.n >= 268


@pytest.mark.parametrize(
    ("field", "lacks"), [("micro_batch", "micro_batch"), ("s", "s"), ("d", "shape"), ("L", "shape")], ids=str
)
def test_a_row_without_a_field_says_which(catalogue: Catalogue, field: str, lacks: str) -> None:
    run = changed(catalogue, "nanochat-d20-8xa100", **{field: None})
    assert readings.reading(run, catalogue).missing == (lacks,)


def test_a_row_without_any_rate_lacks_its_share(catalogue: Catalogue) -> None:
    run = changed(catalogue, "nanochat-d20-8xa100", mfu=None, tokens=None)
    assert readings.reading(run, catalogue).missing == ("share",)


def test_a_format_that_the_machine_lacks_is_told(catalogue: Catalogue) -> None:
    run = changed(catalogue, "llmc-124m-8xa100", peak_format="fp8")
    assert readings.reading(run, catalogue).missing == ("peak",)


def test_tokens_per_visit_are_sequences_divided_over_context_parallelism(known: dict[str, Reading]) -> None:
    for one in known.values():
        if one.own:
            run = one.run
            assert run.micro_batch
            assert run.s
            assert one.own.values["T"] == run.micro_batch * run.s / (run.cp or 1)
    assert own(known, "torchtitan-8b-cp8-fp8").values["T"] == 262144 / 8


def test_a_network_outside_the_catalogue_is_a_gpt_of_its_width_depth_and_parameters(known: dict[str, Reading]) -> None:
    outside = [one for one in known.values() if one.own and one.run.network is None]
    assert len(outside) > 150
    for one in outside:
        found = one.own
        assert found
        assert one.run.d
        assert one.run.L
        if one.run.d_ff is None:
            assert found.values["P_a"] == pytest.approx(12 * one.run.d**2 * one.run.L)
        # A gated or grouped network is not GPT's, and comes out a little larger or smaller.
        assert found.values["params"] == pytest.approx(one.run.params, rel=0.16), one.run.id


def test_the_ceiling_is_the_report_s_own(known: dict[str, Reading]) -> None:
    found = own(known, "nanochat-d20-8xa100")
    beta, tax = 312e12 / 2.039e12, 200 * 312e12 / 2.039e12 / (72 * 1280)
    assert found.values["beta"] == pytest.approx(beta, rel=1e-3)
    assert found.ceiling == pytest.approx(1 / (1 + tax), rel=1e-3)


def test_experts_are_pooled_as_the_run_pooled_them(catalogue: Catalogue) -> None:
    name = "mbridge-26-06-deepseek-v3-gb200-256-mxfp8-gbs4096"
    pooled = readings.reading(catalogue.runs[name], catalogue).own
    alone = readings.reading(changed(catalogue, name, ep=1), catalogue).own
    assert pooled
    assert alone
    assert pooled.ratio() < 1 < alone.ratio()
    assert (pooled.binds, alone.binds) == ("arithmetic", "weights")


# --- how a share is read


def test_a_full_recompute_takes_a_third_more_operations(known: dict[str, Reading]) -> None:
    found = own(known, "maxtext-v5e-32b-2x256")
    assert found.kind == "MFU"
    assert found.executed == pytest.approx(found.useful * 4 / 3)
    assert found.useful_ceiling == pytest.approx(found.ceiling * 3 / 4)
    assert found.ratio("executed") == pytest.approx(found.ratio("useful"))


def test_hfu_and_mfu_are_told_apart(known: dict[str, Reading]) -> None:
    found = own(known, "mosaic-13b-a100-80-8x-s1024-b960")
    run = known["mosaic-13b-a100-80-8x-s1024-b960"].run
    assert found.kind == "HFU"
    assert run.mfu
    assert run.hfu
    assert found.printed == run.hfu
    assert found.useful / found.executed == pytest.approx(run.mfu / run.hfu)


def test_attention_in_full_is_halved_as_the_model_counts_it(known: dict[str, Reading]) -> None:
    both = [one for one in known.values() if one.own and one.run.mfu_causal]
    assert len(both) >= 7
    for one in both:
        assert one.own
        assert one.own.useful == pytest.approx(one.run.mfu_causal, rel=0.003), one.run.id


def test_a_halved_count_is_left_alone(known: dict[str, Reading]) -> None:
    halved = [one for one in known.values() if one.own and one.run.attention == "halved"]
    assert halved
    assert all(one.own and one.own.values["causal_share"] == pytest.approx(1) for one in halved)


def test_no_attention_counted_is_added(known: dict[str, Reading]) -> None:
    found = own(known, "bloom-176b-production")
    assert (found.values["causal_share"] or 0) > 1
    assert found.executed > found.printed


def test_a_rate_of_tokens_gives_a_share(known: dict[str, Reading], catalogue: Catalogue) -> None:
    found = own(known, "torchtitan-8b-128-fsdp")
    assert found.derived
    tokens, flops = 5605, (6 * 8.03e9 + 12 * 32 * 4096 * 8192)
    peak = catalogue.machines["h100-hbm2e-96gb"].peak["bf16"].value
    assert found.printed == pytest.approx(tokens * flops / peak)


def test_a_row_s_share_and_its_tokens_agree(known: dict[str, Reading], catalogue: Catalogue) -> None:
    """What a run counts can be told from its tokens; some leave the embedding out, the largest of them 13 percent."""
    checked = 0
    for one in known.values():
        if one.own and one.run.mfu and one.run.tokens:
            flops = ask("counted_flops", base(catalogue, one.own.scenario)).value
            peak = one.own.values["peak"]
            assert flops
            assert peak
            assert one.run.tokens * flops / peak / one.run.mfu == pytest.approx(1.05, abs=0.1), one.run.id
            checked += 1
    assert checked > 180


def test_an_fp8_run_is_held_against_both_peaks(known: dict[str, Reading]) -> None:
    eight = [one for one in known.values() if one.own and one.run.precision in ("fp8", "mxfp8")]
    assert len(eight) >= 19
    for one in eight:
        assert one.own
        assert one.other
        assert {one.own.format, one.other.format} == {"fp8", "bf16"}
        high, low = sorted((one.own, one.other), key=lambda found: found.executed, reverse=True)
        assert (high.format, low.format) == ("bf16", "fp8")
    assert all(one.other is None for one in known.values() if one.run.precision == "bf16")


def test_a_share_of_another_peak_is_converted(catalogue: Catalogue) -> None:
    peak = catalogue.machines["a100-sxm4-80gb"].peak["bf16"].value
    plain = readings.reading(catalogue.runs["llmc-124m-8xa100"], catalogue).own
    half = readings.reading(changed(catalogue, "llmc-124m-8xa100", peak=peak / 2), catalogue).own
    assert plain
    assert half
    assert half.printed == pytest.approx(plain.printed / 2)


# --- the verdict


@pytest.mark.parametrize("way", WAYS)
def test_no_run_beats_its_ceiling(accuracy: Accuracy, way: str) -> None:
    beaten = [(one.run.id, one.own.ratio(way)) for one in accuracy.measured.readings if one.own]
    assert [name for name, ratio in beaten if ratio > 1] == []
    assert accuracy.measured.held(way) == accuracy.measured.n


@pytest.mark.parametrize("trait", verdict.TRAITS)
def test_classes_are_a_partition(accuracy: Accuracy, trait: str) -> None:
    found = accuracy.classes(trait)
    assert sum(group.n for group in found) == accuracy.measured.n
    assert len({group.name for group in found}) == len(found) > 1
    for group in found:
        low, high = group.quartiles()
        assert low <= group.median() <= high <= max(group.ratios())
        assert group.best().own
        assert group.best().own.ratio() == max(group.ratios())


def test_a_new_row_extends_the_verdict_by_itself(catalogue: Catalogue) -> None:
    fast = changed(catalogue, "nanochat-d20-8xa100", id="too-fast", mfu=0.95)
    more = dataclasses.replace(catalogue, runs={**catalogue.runs, "too-fast": fast})
    before, after = Accuracy(catalogue).measured, Accuracy(more).measured
    assert after.n == before.n + 1
    assert after.held() == before.held()
    assert after.best().run.id == "too-fast"


# --- the fit


def test_a_fit_finds_what_made_the_points(accuracy: Accuracy) -> None:
    made = [_remade(one, 0.8, 150.0) for one in accuracy.measured.readings]
    found = fit.fit(made)
    assert found
    assert found.eta[0] == pytest.approx(0.8, rel=1e-4)
    assert found.a[0] == pytest.approx(150, rel=1e-3)
    assert found.scatter == pytest.approx(1, abs=1e-6)


def _remade(one: Reading, eta: float, a: float) -> Reading:
    assert one.own
    x = (one.own.values["elementwise_tax"] or 0.0) / (one.own.values["a"] or 1.0)
    stall = max(1.0, one.own.values["weight_stall"] or 1.0)
    share = 1 / (stall / eta + a * x)
    return dataclasses.replace(one, own=dataclasses.replace(one.own, executed=share, printed=share))


def test_the_fit_s_interval_counts_sources_and_not_runs(accuracy: Accuracy) -> None:
    found = fit.fit(accuracy.readings)
    assert found
    assert found.sources < 30 < found.n
    assert found.eta[1] < found.eta[0] < found.eta[2] <= 1
    assert found.a[1] < found.a[0] < found.a[2]
    assert found.scatter > 1.2, "two constants do not explain hundreds of runs"


def test_too_few_runs_bear_no_fit(accuracy: Accuracy) -> None:
    assert fit.fit(accuracy.readings[:10]) is None
    assert {one.key for one in accuracy.fits} <= set(fit.POPULATIONS)


@pytest.mark.parametrize("way", ["executed", "printed"])
def test_the_largest_a_is_where_the_first_run_meets_the_bound(accuracy: Accuracy, way: str) -> None:
    largest, first = fit.largest_a(accuracy.readings, way)
    assert largest > 200, "the assumed value is contradicted by no run"
    ratios = []
    for one in accuracy.measured.readings:
        assert one.own
        x = (one.own.values["elementwise_tax"] or 0.0) / (one.own.values["a"] or 1.0)
        bound = 1 / (max(1.0, one.own.values["weight_stall"] or 1.0) + largest * x)
        ratios.append((getattr(one.own, way) / bound, one.run.id))
    assert max(ratios) == (pytest.approx(1), first.run.id)


# --- what the ceiling leaves out


def test_pairs_differ_in_their_devices_alone(accuracy: Accuracy) -> None:
    assert len(accuracy.pairs) > 20
    for pair in accuracy.pairs:
        few, many = pair.few.run, pair.many.run
        assert (few.model, few.machine, few.s, few.micro_batch) == (many.model, many.machine, many.s, many.micro_batch)
        assert pair.more > 1
        assert 0.5 < pair.kept < 1.2


def test_an_emptier_pipeline_costs_what_the_bubble_says(accuracy: Accuracy) -> None:
    found = effects.bubbles(accuracy.pairs)
    assert len(found) >= 2
    for pair in found:
        assert pair.told == pytest.approx(pair.kept, rel=0.02), pair.few.run.id
    tested = next(pair for pair in found if pair.few.run.id == "narayanan-t2-ptd-174b-384")
    assert tested.told == pytest.approx((1 + 11 / 384) / (1 + 11 / 96))


def test_more_devices_leave_less_each(accuracy: Accuracy) -> None:
    found = effects.scaling(accuracy.pairs)
    assert all(pair.told is None for pair in found)
    assert median(pair.kept for pair in found) < 1


def test_what_the_data_hardly_test_is_counted(accuracy: Accuracy) -> None:
    found = effects.bearing(accuracy.readings)
    assert found["all"] == accuracy.measured.n
    assert found["floor"] == 0, "published runs keep far above the weight-reuse floor"
    assert 0 < found["pole"] < 10
    assert found["experts"] < 10
    assert sum(count for count, _, _ in effects.widths(accuracy.readings).values()) == found["all"]


# --- memory


def test_no_run_needs_more_memory_than_it_had(accuracy: Accuracy) -> None:
    assert [(one.run.id, one.share) for one in accuracy.needs if one.verdict == "not"] == []
    assert sum(one.verdict == "fits" for one in accuracy.needs) > 150
    for one in accuracy.needs:
        assert one.share is None or 0 < one.share <= 1, one.run.id


def test_a_run_that_could_not_be_is_found(catalogue: Catalogue) -> None:
    heavy = changed(catalogue, "korthikanti-530b-selective", tp=1, pp=1, dp=280, sharding="data parallel")
    assert memory.need(heavy, catalogue).verdict == "not"


def test_memory_as_measured_lies_between_the_least_and_the_capacity(accuracy: Accuracy) -> None:
    found = [one for one in accuracy.needs if one.run.peak_memory]
    assert len(found) >= 12
    for one in found:
        assert one.state
        assert one.tape
        assert one.capacity
        assert one.run.peak_memory
        assert one.state + one.tape < one.run.peak_memory < one.capacity


def test_state_is_shared_as_measured(catalogue: Catalogue) -> None:
    """The same run on 8 and on 128 devices: what is gone from each is the state that the others now hold."""
    runs = catalogue.runs
    for kind in ("fsdp", "fsdp-compile", "fsdp-compile-fp8"):
        few, many = runs[f"torchtitan-8b-{kind}"], runs[f"torchtitan-8b-128-{kind}"]
        assert few.peak_memory
        assert many.peak_memory
        gone = (few.peak_memory - many.peak_memory) / (few.params * (1 / 8 - 1 / 128))
        assert gone == pytest.approx(16, rel=0.1)


@pytest.mark.parametrize(
    ("size", "chunks"), [("22b", 1), ("175b", 3), ("530b", 3), ("1t", 1)], ids=["22B", "175B", "530B", "1T"]
)
def test_the_published_activation_figures_are_the_formula_itself(catalogue: Catalogue, size: str, chunks: int) -> None:
    """A unit test and no evidence: the paper computes them. Interleaved stages keep 1 + (p - 1)/(p m) as much."""
    run = catalogue.runs[f"korthikanti-{size}-selective"]
    need = memory.need(run, catalogue)
    assert run.tape_bytes_selective
    assert need.tape
    assert run.pp
    interleaved = 1 + (run.pp - 1) / (run.pp * chunks) if chunks > 1 else 1.0
    assert need.tape * interleaved == pytest.approx(run.tape_bytes_selective, rel=1e-6)
