"""What a step costs on a machine that is laid out in space: weights stay on their tiles, activations travel.

A layer of d inputs and k outputs is held by a square of tiles. Hops are counted per operation; in-flight storage is
what backpropagation adds, since a token comes back to a layer only after it has passed all later ones.
"""

from __future__ import annotations

from model.formula import Formula, root
from model.inputs import (
    ONE_LAYER,
    TWO_WAYS,
    L,
    T,
    T_tau,
    c,
    d,
    e_add,
    e_B,
    e_datapath,
    e_F,
    e_interface,
    e_L2,
    e_sram,
    e_wire,
    element_bytes,
    hop_length,
    pp,
    span,
    tiles,
)
from model.units import ONE, unit

_NOTE = "note, section 6"
_BYTE = unit("B")

k = Formula(
    "k", "k", ONE, "output width of a layer", expr=lambda: 4 * d, source="first matrix of a GPT feed-forward block"
)

rank_redundancy = Formula(
    "rank_redundancy",
    r"d k/(T (d + k))",
    ONE,
    "bytes of a weight matrix moved, over the bytes of what T tokens can tell it",
    expr=lambda: d * k / (T * (d + k)),
    source="note, heuristic 4: the gradient of T tokens has rank T",
    reads_as=unit("token"),
)

byte_hops = Formula(
    "byte_hops",
    r"h_F",
    unit("B hop/FLOP"),
    "byte-hops per operation of a weight-stationary layer, whatever the batch",
    expr=lambda: (d + k) * root(tiles) / (d * k),
    source=_NOTE,
    reads_as=unit("B hop/FLOP"),
)

hop_energy = Formula(
    "hop_energy",
    r"e_{\text{hop}}",
    unit("J/(B hop)"),
    "energy of moving a byte to the next tile",
    expr=lambda: e_wire * hop_length,
    source=_NOTE,
    reads_as=ONE / unit("hop"),
)

travel_energy = Formula(
    "travel_energy",
    r"e_{\text{travel}}",
    unit("J/FLOP"),
    "energy of travel per operation on a spatial machine",
    expr=lambda: byte_hops * hop_energy,
    source=_NOTE,
)

tile_bytes = Formula(
    "tile_bytes",
    r"M_{\text{tile}}",
    _BYTE,
    "weights that one tile holds",
    expr=lambda: d * k * element_bytes / tiles,
    source=_NOTE,
)

rebroadcast_hops = Formula(
    "rebroadcast_hops",
    r"2 d \sqrt{n}",
    unit("B hop/token"),
    "byte-hops per token to send a layer's input out once more for the backward pass",
    expr=lambda: 2 * d * root(tiles),
    source=_NOTE,
    reads_as=unit("B hop/token"),
)

grid_depth = Formula(
    "grid_depth",
    r"2 L \sqrt{n}",
    unit("hop"),
    "longest chain of hops of a forward and a backward pass",
    expr=lambda: TWO_WAYS * L * root(tiles),
    source=_NOTE,
    reads_as=unit("hop/layer"),
)

local_reuse = Formula(
    "local_reuse",
    r"T_{\text{local}}",
    ONE,
    "inputs that a weight must serve once it is read from a tile's memory",
    expr=lambda: e_sram / e_datapath,
    source=_NOTE,
    reads_as=unit("B/FLOP"),
)

in_flight_bytes = Formula(
    "in_flight_bytes",
    r"M_{\text{flight}}",
    _BYTE,
    "activations in flight on a fully spatial machine: layer l waits 2 (L - l) layer latencies",
    expr=lambda: L * (L - ONE_LAYER) * T_tau * c * d,
    source="sum over layers, exact",
)

in_flight_leading = Formula(
    "in_flight_leading",
    r"L^2 T_\tau c\,d",
    _BYTE,
    "activations in flight, leading term for a deep network",
    expr=lambda: L**2 * T_tau * c * d,
    source=_NOTE,
)

pipeline_in_flight = Formula(
    "pipeline_in_flight",
    r"L p T_\tau c\,d/2",
    _BYTE,
    "activations in flight on a pipeline of p devices",
    expr=lambda: L * pp * T_tau * c * d / 2,
    source=_NOTE,
    reads_as=unit("layer"),
)

_ADDS = "note, the unit: 8-bit adds"

byte_in_adds = Formula(
    "byte_in_adds",
    r"e_B/e_{\text{add}}",
    ONE,
    "a byte from main memory, in 8-bit adds",
    expr=lambda: e_B / e_add,
    source=_ADDS,
    reads_as=_BYTE,
)

flop_in_adds = Formula(
    "flop_in_adds",
    r"e_F/e_{\text{add}}",
    ONE,
    "an operation, all-in, in 8-bit adds",
    expr=lambda: e_F / e_add,
    source=_ADDS,
    reads_as=unit("FLOP"),
)

interface_in_adds = Formula(
    "interface_in_adds",
    r"e_{\text{interface}}/e_{\text{add}}",
    ONE,
    "a byte from main memory, at its interface alone, in 8-bit adds",
    expr=lambda: e_interface / e_add,
    source=_ADDS,
    reads_as=_BYTE,
)

L2_in_adds = Formula(
    "L2_in_adds",
    r"e_{\text{L2}}/e_{\text{add}}",
    ONE,
    "a byte from the last cache on the chip, in 8-bit adds",
    expr=lambda: e_L2 / e_add,
    source=_ADDS,
    reads_as=_BYTE,
)

sram_in_adds = Formula(
    "sram_in_adds",
    r"e_{\text{SRAM}}/e_{\text{add}}",
    ONE,
    "a byte from a tile's own memory, in 8-bit adds",
    expr=lambda: e_sram / e_add,
    source=_ADDS,
    reads_as=_BYTE,
)

datapath_in_adds = Formula(
    "datapath_in_adds",
    r"e_{\text{datapath}}/e_{\text{add}}",
    ONE,
    "an operation, in the datapath alone, in 8-bit adds",
    expr=lambda: e_datapath / e_add,
    source=_ADDS,
    reads_as=unit("FLOP"),
)

span_in_adds = Formula(
    "span_in_adds",
    r"e_{\text{wire}} \ell_{\text{chip}}/e_{\text{add}}",
    ONE,
    "a byte across the chip, in 8-bit adds; as many as a bit in 1-bit adds",
    expr=lambda: e_wire * span / e_add,
    source=_ADDS,
    reads_as=_BYTE,
)

add_in_wire = Formula(
    "add_in_wire",
    r"e_{\text{add}}/e_{\text{wire}}",
    unit("m"),
    "length of wire that costs a byte as much as an 8-bit add",
    expr=lambda: e_add / e_wire,
    source=_ADDS,
    reads_as=ONE / _BYTE,
)
