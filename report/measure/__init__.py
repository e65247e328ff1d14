"""`python -m model measure`: how fast the machine at hand computes and reads its memory, and what a byte costs it.

Two kernels are timed until their times hold still: a large matrix product and a plain copy that no cache can hold.
Out come peak, bandwidth and balance, a row for the catalogue, and a link that opens the report on this machine.
Where the platform counts its energy, the same two kernels give the joules of a byte and of an operation.
"""

from report.measure.command import main

__all__ = ["main"]
