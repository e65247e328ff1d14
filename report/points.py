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
# Of the first 400 seeds, one with which the first dozen inputs are as good as uncorrelated.
DRAWS, SEED = 256, 56
_BITS = 8
# scipy.stats.qmc.Sobol(48, scramble=True, seed=SEED).random(DRAWS), the first 8 bits
_NET = (
    "9ec145261f0a070301 b88de0a5db81eaabd2 64c4bf5cd49165c8b9 efccb33e6f9457f0df c0a7662793fdde58b9 "
    "53bd60423bd1257de8 3293e3a3f36e8728d0 aea2488b58aa2e1227 2aa87e8c602dcd5145 5ea859c58fb2bda340 "
    "cde455c61d0978f520 6bb1722034689ba22c 11f3a0c54980f9942f 3fc0b857d939be7bed 32c94733a1f65cdbdf "
    "53d2b63caba3b362d6 a7d26f2b8f3e1e8b41 dfd19937bc727b2377 1b8866bb799ac7b0ab bcd8bb8dfff12db362 "
    "609fdaedc57e21915b 3cc37f5ea037cf4c43 19c0a9f8da0a5759cb bca7ee38f040a9f42e 438cfb2b65e0c7379a "
    "afb7629186ac945cc6 efb0cc8c2d1e28bcaa 9fff67af820b6902d6 b98af0d16a56734dc6 ed957e4484e4536c02 "
    "a5e1a3cabadd0561ff a8d79fbc3660b3202a 2d9fc337223ad091e8 a89e57b84fa99913b5 a38d7cc6510ad8da84 "
    "5efd5d80e873917ebd dbe49d5c64148e7b3c 92c7833ea6a82079a2 5385f5b3d5dfce5f47 34f0a033d04d38ef8f "
    "c4c4ab3ce7bdf4ca08 c0e9539d87c02dcc2c 098ef3c921ff548c76 7f94fb3f138e3307f6 ffad6697b5bb792ebd "
    "f8a6e4d0830ca1818e 5ef181583e452fe974 a694c1e1a2698ded1e"
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
