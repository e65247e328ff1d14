"""How the machines of the 1980s were rated, how today's rate by the same count, and what one visit of a weight serves.

A connection is one use of a weight for one example. Its update is f operations; its bytes are shared by the T
examples of a visit, of which there was one. A rating in connections a second takes the slower of the two for granted.
The checks at the end hold what a paper told about its own run against the machine's measured rate and its bus.
"""

from __future__ import annotations

from model.formula import Fork, Formula, Quantity, smallest
from model.inputs import TWO_FLOP, T, b_w, bandwidth, f, family, o, peak, train_tokens, weight_bytes
from model.ledger import flops_per_token, reached_params, tokens_per_expert, weight_reuse
from model.roofline import I_w, beta
from model.units import ONE, unit

_INTENSITY, _TOKEN, _SECOND, _RATE = unit("FLOP/B"), unit("token"), unit("s"), unit("FLOP/s")
_CONNECTIONS = unit("connection/s")
# A connection is a parameter at work for one token (an example).
_READ = unit("connection") / unit("param token")
_RATED = "report, interconnections per second"
_CHECKED = "report, breakdowns"

linpack = Quantity("linpack", r"\text{LINPACK}", _RATE, "rate on LINPACK, 100 x 100: what programs sustained")
example_rate = Quantity("example_rate", "r", unit("token/s"), "examples a second from which a run learned")

beta_sustained = Formula(
    "beta_sustained",
    r"\beta_{\text{LINPACK}}",
    _INTENSITY,
    "machine balance on the rate that programs sustained",
    expr=lambda: linpack / bandwidth,
    source="definition, with the LINPACK rate for the peak",
)

example_intensity = Formula(
    "example_intensity",
    r"f/b_w",
    _INTENSITY,
    "operations that one example alone offers for each byte of weight traffic",
    expr=lambda: f / b_w,
    source="ledger term (a), one token",
    reads_as=_TOKEN,
)

forward_rate = Formula(
    "forward_rate",
    r"\text{CPS}",
    _CONNECTIONS,
    "connections a second in the forward pass, T examples to a visit of the weights",
    expr=lambda: smallest(peak / TWO_FLOP, bandwidth * T / weight_bytes),
    source=_RATED,
    reads_as=_READ,
)

update_rate = Formula(
    "update_rate",
    r"\text{CUPS}",
    _CONNECTIONS,
    "connections updated a second, T examples to a visit of the weights",
    expr=lambda: smallest(peak / f, bandwidth * T / b_w),
    source=_RATED,
    reads_as=_READ,
)

update_share = Formula(
    "update_share",
    r"f\,\text{CUPS}/\text{peak}",
    ONE,
    "share of peak at which a machine updates connections at that rate",
    expr=lambda: f * update_rate / peak,
    source=_RATED,
    reads_as=ONE / _READ,
)

update_arithmetic_time = Formula(
    "update_arithmetic_time",
    r"f/\text{peak}",
    _SECOND,
    "arithmetic of one connection's update, at peak",
    expr=lambda: f / peak,
    source=_RATED,
    reads_as=unit("param token"),
)

update_memory_time = Formula(
    "update_memory_time",
    r"b_w/\text{bandwidth}",
    _SECOND,
    "weight traffic of one connection's update",
    expr=lambda: b_w / bandwidth,
    source=_RATED,
    reads_as=unit("param"),
)

_serves = ("visit_tokens", r"T_{\text{visit}}", _TOKEN, "uses of a weight that one visit of it serves")
visit_tokens = Fork(
    family,
    {
        "dense": Formula(*_serves, expr=lambda: T, source="every token uses every weight"),
        "experts": Formula(*_serves, expr=lambda: tokens_per_expert, source="tokens spread evenly over experts"),
        "counted": Formula(*_serves, expr=lambda: T * weight_reuse, source="positions of a shared kernel are uses too"),
    },
)

weight_stall = Formula(
    "weight_stall",
    r"\beta/I_w",
    ONE,
    "time of the weight traffic over that of the matrix products at peak",
    expr=lambda: beta / I_w,
    source="report, utilization ceiling",
)

update_intensity = Formula(
    "update_intensity",
    r"f T/(b_w + o)",
    _INTENSITY,
    "operations per byte when the weights are updated after every visit, and nothing else moves",
    expr=lambda: f * T / (b_w + o),
    source="report, single-token row",
)

update_ceiling = Formula(
    "update_ceiling",
    r"u_{\text{update}}",
    ONE,
    "highest share of peak when the weights are updated after every visit, and nothing else moves",
    expr=lambda: smallest(1, update_intensity / beta),
    source="report, single-token row",
)

run_flops = Formula(
    "run_flops",
    r"r F",
    _RATE,
    "arithmetic of a run at the rate at which it learned",
    expr=lambda: example_rate * flops_per_token,
    source=_CHECKED,
)

run_linpack_share = Formula(
    "run_linpack_share",
    r"r F/\text{LINPACK}",
    ONE,
    "arithmetic of a run over the rate that programs sustained",
    expr=lambda: run_flops / linpack,
    source=_CHECKED,
)

run_bandwidth = Formula(
    "run_bandwidth",
    r"r\,b_w P_r/T",
    unit("B/s"),
    "weight traffic of a run at the rate at which it learned",
    expr=lambda: example_rate * b_w * reached_params / T,
    source=_CHECKED,
)

run_bus_share = Formula(
    "run_bus_share",
    r"r\,b_w P_r/(T\,\text{bandwidth})",
    ONE,
    "weight traffic of a run over what the memory's bus carries",
    expr=lambda: run_bandwidth / bandwidth,
    source=_CHECKED,
)

run_time = Formula(
    "run_time",
    r"D/r",
    _SECOND,
    "time of a whole run at the rate at which it learned",
    expr=lambda: train_tokens / example_rate,
    source=_CHECKED,
)

linpack_time = Formula(
    "linpack_time",
    r"D F/\text{LINPACK}",
    _SECOND,
    "time of a whole run's arithmetic at the rate that programs sustained",
    expr=lambda: train_tokens * flops_per_token / linpack,
    source=_CHECKED,
)
