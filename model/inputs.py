"""What every formula may be asked about: the inputs, each with its symbol, unit and meaning, declared once.

Their values come from the catalogue rows of a machine and a network, from the constants, or from the reader's hand.
Devices, stages and tiles are counts, and so are widths: they carry no unit of their own.
"""

from __future__ import annotations

from model.formula import Coefficient, Quantity
from model.units import ONE, unit


def _input(key: str, latex: str, measured: str, says: str) -> Quantity:
    return Quantity(key, latex, unit(measured), says)


# --- the machine
peak = _input("peak", r"\text{peak}", "FLOP/s", "dense peak rate of arithmetic at the format")
bandwidth = _input("bandwidth", r"\text{bandwidth}", "B/s", "bandwidth of the main memory")
capacity = _input("capacity", r"\text{capacity}", "B", "capacity of the main memory")
cache = _input("cache", r"C_{\text{L2}}", "B", "last level of memory on the chip, as the vendor prints it")
keep = _input(
    "keep", r"C_{\text{keep}}", "B", "cache that can hold the weights of a small network; 0 where there is none"
)
fabric = _input("fabric", r"\text{fabric}", "B/s", "bandwidth between devices, one direction")
e_B = _input("e_B", r"e_B", "J/B", "energy of moving a byte from main memory, all-in")
e_F = _input("e_F", r"e_F", "J/FLOP", "energy of one operation, all-in")
static_power = _input("static_power", r"P_{\text{static}}", "W", "power that flows while a step runs, whatever it does")

# --- the number format
b_w = _input("b_w", r"b_w", "B/param", "weight-side bytes per parameter and micro-batch")
weight_bytes = _input("weight_bytes", r"b_{\text{weight}}", "B/param", "bytes of one stored weight")
element_bytes = _input("element_bytes", r"b_{\text{element}}", "B", "bytes of one operand of a matrix product")

# --- constants of the ledger
f = _input("f", "f", "FLOP/(param token)", "operations per weight and token: forward 2, backward 4")
a = _input("a", "a", "B/(layer token)", "activation traffic between kernels per token and layer, in units of d")
c = _input("c", "c", "B/(layer token)", "saved activations per token and layer, in units of d")
c_input = _input("c_input", r"c_{\text{input}}", "B/(layer token)", "the layer input alone, saved, in units of d")
c_scores = _input("c_scores", r"c_{\text{scores}}", "B/(layer token^2)", "attention scores saved in full, per head")
o = _input("o", "o", "B/param", "optimizer traffic per step")
g = _input("g", "g", "B/param", "gradient all-reduce per step, before (N−1)/N")
z = _input("z", "z", "B/param", "traffic of fully sharded data parallelism per micro-batch")
state_bytes_per_param = _input("state_bytes_per_param", "S", "B/param", "training state")
gradient_bytes = _input("gradient_bytes", r"S_{\text{gradient}}", "B/param", "gradients, within the training state")
attention_flops = _input(
    "attention_flops", r"f_{\text{att}}", "FLOP/(layer token^2)", "attention: forward 4, backward 8"
)
tp_traffic = _input("tp_traffic", r"b_{\text{tp}}", "B/(layer token)", "tensor-parallel traffic, in units of d")
pp_traffic = _input("pp_traffic", r"b_{\text{pp}}", "B/token", "pipeline traffic per boundary, in units of d")
B_star = _input("B_star", r"B_{*}", "token", "scale of the critical batch")
alpha_B = _input("alpha_B", r"\alpha_B", "1", "exponent of the critical batch")

# --- prices of a spatial machine
e_add = _input("e_add", r"e_{\text{add}}", "J", "an 8-bit integer add, the unit of account")
e_wire = _input("e_wire", r"e_{\text{wire}}", "J/(B m)", "on-chip wire, per byte and metre")
e_sram = _input("e_sram", r"e_{\text{SRAM}}", "J/B", "reading a byte from a tile's own memory")
e_L2 = _input("e_L2", r"e_{\text{L2}}", "J/B", "reading a byte from the last cache on the chip")
e_interface = _input("e_interface", r"e_{\text{interface}}", "J/B", "a byte of main memory, at its interface alone")
e_datapath = _input("e_datapath", r"e_{\text{datapath}}", "J/FLOP", "one operation, in the datapath alone")
span = _input("span", r"\ell_{\text{chip}}", "m", "length of a wire across the chip")
hop_length = _input("hop_length", r"\ell_{\text{hop}}", "m", "distance between neighbouring tiles")

# --- the scenario
T = _input("T", "T", "token", "tokens per weight visit, on one device")
s = _input("s", "s", "token", "length of a sequence")
micro_batches = _input("micro_batches", "n", "1", "micro-batches per step")
devices = _input("devices", "N", "1", "devices that share the batch")
tp = _input("tp", r"t", "1", "tensor-parallel width")
pp = _input("pp", r"p", "1", "pipeline stages")
ep = _input("ep", r"e_p", "1", "expert-parallel width")
cp = _input("cp", r"c_p", "1", "context-parallel width: devices that share each sequence")
sequences = _input("sequences", r"n_{\text{seq}}", "1", "sequences of one micro-batch on one data-parallel rank")
attention_counted = _input(
    "attention_counted", r"\kappa_{\text{att}}", "1", "share of attention's operations that a run counts: 1, 1/2 or 0"
)
tiles = _input("tiles", r"n_{\text{tile}}", "1", "tiles that hold one layer of a spatial machine")
T_tau = _input("T_tau", r"T_{\tau}", "token/layer", "tokens admitted to a spatial pipeline per layer latency")
tile_m = _input("tile_m", r"\mu", "1", "rows of an output tile of a matrix product")
tile_n = _input("tile_n", r"\nu", "1", "columns of an output tile of a matrix product")
image_side = _input("image_side", r"\ell_{\text{image}}", "1", "side of an image, in positions of a convolution")
train_tokens = _input("train_tokens", "D", "token", "tokens of a whole training run")
device_time = _input("device_time", r"N t_{\text{run}}", "device s", "devices times the time of a whole training run")
loss = _input("loss", r"\text{loss}", "1", "training loss, nats per token")

# --- choices: which formula holds
form = _input("form", r"\text{form}", "1", "plain, or l2 with the traffic of blocked matrix products")
fixed = _input("fixed", r"\text{fixed}", "1", "what is paid once per step: all, or the allreduce alone")
zero = _input("zero", r"\text{ZeRO}", "1", "how much of the training state is sharded over data parallelism: 0 to 3")
axis = _input("axis", r"\text{axis}", "1", "which way of splitting a network meets the fabric: tp, pp or dp")
policy = _input("policy", r"\text{policy}", "1", "what the tape keeps: selective, store-all, sqrt, inputs, reversible")
family = _input("family", r"\text{family}", "1", "how weights are counted: dense, experts, or counted in a paper")
attention = _input("attention", r"\text{attention}", "1", "grouped, relative (with position weights), or latent")
ring = _input("ring", r"\text{ring}", "1", "none on a single device, else ring")

# --- the shape of a network
d = _input("d", "d", "1", "width of a layer")
L = _input("L", "L", "layer", "number of layers")
heads = _input("heads", "h", "1", "attention heads")
kv_heads = _input("kv_heads", r"h_{\text{kv}}", "1", "key-value heads")
head_dim = _input("head_dim", r"d_h", "1", "width of a head")
d_ff = _input("d_ff", r"d_{\text{ff}}", "1", "inner width of the feed-forward block")
mlp_matrices = _input("mlp_matrices", "m", "param/layer", "matrices of the feed-forward block: 2, or 3 when gated")
vocab = _input("vocab", "V", "1", "rows of the embedding table")
embeddings = _input("embeddings", r"n_V", "param", "embedding tables: 1 when input and output are tied, else 2")
position_rows = _input("position_rows", r"n_{\text{pos}}", "param", "learned rows beside the vocabulary")
q_rank = _input("q_rank", r"r_q", "1", "rank of the compressed query")
kv_rank = _input("kv_rank", r"r_{\text{kv}}", "1", "rank of the compressed keys and values")
qk_nope_dim = _input("qk_nope_dim", r"d_n", "1", "width of a query head without position")
qk_rope_dim = _input("qk_rope_dim", r"d_r", "1", "width of a query head with position")
v_dim = _input("v_dim", r"d_v", "1", "width of a value head")
experts = _input("experts", "E", "1", "routed experts in a layer")
top_k = _input("top_k", "k_E", "1", "experts that a token uses")
shared_experts = _input("shared_experts", r"E_s", "1", "experts that every token uses")
expert_d_ff = _input("expert_d_ff", r"d_E", "1", "inner width of an expert")
dense_layers = _input("dense_layers", r"L_d", "layer", "layers without experts")
connections = _input("connections", "C", "param", "uses of a weight in one forward pass of one example")
parameters = _input("parameters", r"P_{\text{counted}}", "param", "trainable numbers, as the paper counts them")

# --- numbers that carry a unit
ONE_PER_LAYER = Coefficient(1, unit("param/layer"), "a square matrix of width d")
TWO_PER_LAYER = Coefficient(2, unit("param/layer"), "a matrix each way")
TWELVE_PER_LAYER = Coefficient(12, unit("param/layer"), "weights of a GPT layer in units of d squared: 4 + 8")
TWENTY_FOUR = Coefficient(24, unit("FLOP/(layer token)"), "forward operations of a GPT layer, in units of d squared")
SIX_FLOP = Coefficient(6, unit("FLOP/(param token)"), "forward 2, backward 4")
TWO_FLOP = Coefficient(2, unit("FLOP/(param token)"), "a multiply and an add")
ONE_LAYER = Coefficient(1, unit("layer"), "one layer")
TWO_WAYS = Coefficient(2, ONE, "there and back")
FOUR_BYTES = Coefficient(4, unit("B/token"), "a number of 32 bits")
