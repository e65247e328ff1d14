"""Where in their ranges the inputs of an answer are taken together: 256 joint draws that fill all ranges evenly.

A range is read as holding its number nineteen times in twenty: its ends lie two standard deviations from the value,
each side with its own. A draw takes every input somewhere in its range at once, so that what rests on one input twice
moves with it. The draws are a scrambled Sobol net. A net is linear over bits, so a dimension is told by nine bytes:
draw 0, and what each bit of a draw's number adds. templates/static/ranges.js lays out the same draws, from the same
bytes; a test makes the bytes anew with scipy.stats.qmc, whose import would take longer than all that is done here.
"""

from __future__ import annotations

from functools import cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
DRAWS, SEED = 256, 1986
_BITS = 8
# scipy.stats.qmc.Sobol(48, scramble=True, seed=SEED).random(DRAWS), the first 8 bits
_NET = (
    "68a24a231908070201 e1c292f4b2ca9efebd 33d3a253c98864dfa4 a9f2a124459966d5e6 04a1652f9ef6dd54b9 "
    "11dc6c5625ba3f749c b2f8bdd9a157e2369e 00ae7d9366a0391836 369145a35e3bc87d6d 299e7dc2ad868a9767 "
    "87f257de1a0977e62f 2df87c3a236fcfe532 ff94d0a952f398ee29 dbd0977bca2e9345ef feaa6934e1977bb7b0 "
    "aa99d532c1ccd04a9d 36d0402ea03f18a46b 07bfcf3de443482c47 c3b354824da2c88f90 fdbad9e69f9628d662 "
    "cfe7bd85ac6a27ec4a 8bcc5a768e3ec2636f d8acef9eb00d767fa0 bcfe993e866bf5822c 3fd29b275987a93cc6 "
    "1df05bdbc9efde6dbd 9baee484371631a6bf a1c76598bb0c6e02e2 d7acc7f57a57634de0 7ebc407daef06a5102 "
    "2e9fdba7c0b7077280 52acd9fb3959f3212e 50fa8137293a98f4a0 a7ec65c271dfe91ecc 99825bfc660ee1e38f "
    "2ba640c4b66fd160fd e6c8ab56711cb36021 24d39f20a9a3326eac 25c6bfe1838e904f5f 34bee92381452baed9 "
    "c9f69c26ce88defa0b 748945e2f4aa27a526 f7e2b98a21b772e151 75cf823414d53f0788 2ca3589fbeb6412bb3 "
    "95d0b087f608d7f4ff e1ee9f4f245f3af876 279ec3f3b77c8bfc13"
)
NET = tuple(_NET.split())
TAIL = NormalDist().cdf(-2)  # the share of draws that lies below a range, and above it


def heights() -> list[float]:
    """Return the 256 places of a net on a normal distribution, in units from a value to an end of its range."""
    normal = NormalDist()
    return [round(normal.inv_cdf((place + 0.5) / DRAWS) / 2, 6) for place in range(DRAWS)]


@cache
def along(dimension: int) -> Floats:
    """Return for each draw how far an input goes: -1 at the low end of its range, 0 at its value, 1 at the high end.

    Beyond the net's dimensions they come again, each draw's number turned around: no answer rests on so many.
    """
    start, *steps = bytes.fromhex(NET[dimension % len(NET)])
    places = [start] * DRAWS
    for draw in range(DRAWS):
        for bit in range(_BITS):
            places[draw] ^= steps[bit] if draw >> bit & 1 else 0
    found = np.array(heights())[places]
    return found if dimension < len(NET) else found[::-1]


def drawn(value: float, low: float, high: float, heights: Floats) -> Floats:
    """Return an input's values at some heights: by factors where its range is positive, else by differences."""
    if low > 0:
        return np.where(heights > 0, value * (high / value) ** heights, value * (low / value) ** -heights)
    return np.where(heights > 0, value + (high - value) * heights, value - (low - value) * heights)
