"""The least that a build of this kind can cost: import the libraries, and export one small chart to SVG.

bench/run.py times this as a whole process and gives the build a multiple of it, so that the limit means the same on a
slow machine as on a fast one.
"""

from __future__ import annotations

import altair
import fontTools.subset  # noqa: F401
import jinja2  # noqa: F401
import markdown_it  # noqa: F401
import pykatex  # noqa: F401
import sympy  # noqa: F401
import vl_convert
import yaml  # noqa: F401

POINTS = 60


def main() -> None:
    """Export one line on two logarithmic axes, as the report's own figures are."""
    rows = [{"x": 2.0**step, "y": 3.0**step} for step in range(1, POINTS)]
    logarithmic = altair.Scale(type="log")
    chart = (
        altair.Chart(altair.Data(values=rows))
        .mark_line()
        .encode(x=altair.X("x:Q", scale=logarithmic), y=altair.Y("y:Q", scale=logarithmic))
    )
    vl_convert.vegalite_to_svg(chart.to_dict())


if __name__ == "__main__":
    main()
