"""From an Altair chart to what a page ships: a Vega spec, that as a script, and its data as CSV and JSON.

The same Vega spec gives the picture in the HTML (report/figures/images.py) and the live one. Equal charts give equal
bytes: digits are cut. Leaves out: what any figure shows, and who writes the files.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from report import cache as kept
from report import workers

SPELLED: Mapping[float, str] = {math.inf: "1/0", -math.inf: "-1/0"}
_DIGITS = 10  # the last digits of a float differ between processors


def vega(chart: Any) -> dict[str, Any]:
    """Compile an Altair chart (or a Vega-Lite dictionary) to a Vega spec without long digits."""
    import vl_convert

    spec = _sized(vl_convert.vegalite_to_vega(strict(lite(chart))))
    signals = {"signals": [_settable(one) for one in spec["signals"]]} if "signals" in spec else {}
    return {key: _shortened(part) for key, part in (spec | signals).items() if key != "$schema"}


def _settable(signal: Mapping[str, Any]) -> dict[str, Any]:
    """Return a signal that can be set: an expression without others is where it starts, not what it goes back to."""
    if signal.get("update") in ("NaN", *SPELLED.values()):
        return {**{key: part for key, part in signal.items() if key != "update"}, "init": signal["update"]}
    return dict(signal)


def lite(chart: Any) -> dict[str, Any]:
    """Return a chart's Vega-Lite spec; layers keep their names where Altair numbers those of panels."""
    if isinstance(chart, dict):
        return chart
    from altair.utils import schemapi

    spec: dict[str, Any] = chart.to_dict(validate=schemapi.DEBUG_MODE)
    _unnumbered(spec)
    return spec


@contextmanager
def unchecked() -> Iterator[None]:
    """Let Altair skip what takes most of its time: its checks against the schema, and copies of all that a chart holds.

    Charts are code, and tests check them; nothing here changes a part once a chart holds it, so copies may share it.
    """
    from altair.utils import schemapi

    ours = {"copy": _sharing, "validate_property": classmethod(_believed)}
    thorough = {name: vars(schemapi.SchemaBase)[name] for name in ours}
    with schemapi.debug_mode(False):
        for name, method in ours.items():
            setattr(schemapi.SchemaBase, name, method)
        try:
            yield
        finally:
            for name, method in thorough.items():
                setattr(schemapi.SchemaBase, name, method)


def _believed(_of: type, _name: str, _value: Any) -> None:
    """Check nothing."""


def _sharing(part: Any, deep: bool | Iterable[str] = True, ignore: object = None) -> Any:
    """Return a copy of a part of a chart that has lists and dictionaries of its own, and shares what they hold."""
    found = object.__new__(type(part))
    object.__setattr__(found, "_args", part._args)
    mine = {name: value.copy() if isinstance(value, list | dict) else value for name, value in part._kwds.items()}
    object.__setattr__(found, "_kwds", mine)
    return found


def _unnumbered(spec: dict[str, Any]) -> None:
    for kind in ("hconcat", "vconcat", "layer"):
        for i, panel in enumerate(spec.get(kind, ())):
            for layer in panel.get("layer", ()):
                layer["name"] = layer["name"].removesuffix(f"_{i}")
            _unnumbered(panel)


def _sized(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return a Vega spec whose panels follow the width and height of the whole: Vega-Lite fixes them (P06).

    A chart of several panels says in usermeta how large the whole is, and each panel's size as an expression of it:
    {"width": 700, "height": 500, "sizes": {"drift_a_width": "0.7 * width"}}.
    """
    told = spec.get("usermeta") or {}
    if "sizes" not in told:
        return dict(spec)
    named, whole = told["sizes"], {key: told[key] for key in ("width", "height")}
    if lost := set(named) - {one["name"] for one in spec["signals"]}:
        raise ValueError(f"the spec has no panel sized by {', '.join(sorted(lost))}")
    kept = [one for one in spec["signals"] if one["name"] not in whole]
    signals = [{"name": one["name"], "update": named[one["name"]]} if one["name"] in named else one for one in kept]
    return {**{key: part for key, part in spec.items() if key != "usermeta"}, **whole, "signals": signals}


def vega_lite(chart: Any) -> str:
    """Return the chart's Vega-Lite spec as JSON, for download."""
    return json.dumps(_shortened(lite(chart)), ensure_ascii=False, allow_nan=False, indent=1, sort_keys=True) + "\n"


def strict(value: object) -> str:
    """Return JSON without NaN and Infinity, which no browser reads; raise ValueError for them."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _shortened(value: Any) -> Any:
    """Cut floats to ten digits and write whole ones without a point."""
    if isinstance(value, dict):
        return {key: _shortened(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_shortened(part) for part in value]
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    short = float(f"{value:.{_DIGITS}g}")
    return int(short) if short.is_integer() and abs(short) < 2**53 else short


def told(spec: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a Vega spec whose signals have other values; NaN and infinities become expressions, for JSON's sake."""
    unknown = set(values) - {signal["name"] for signal in spec["signals"]} - {"width", "height"}
    if unknown:
        raise ValueError(f"the spec has no signal {', '.join(sorted(unknown))}")
    signals = [_signal(signal, values) for signal in spec["signals"]]
    return {**spec, **{key: values[key] for key in ("width", "height") if key in values}, "signals": signals}


def _signal(signal: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    name = signal["name"]
    return {"name": name, **spelled(values[name])} if name in values else dict(signal)


def spelled(value: Any, expression: str = "update") -> dict[str, Any]:
    """Return how a signal is given a value: as JSON, or as an expression where JSON has no word for it."""
    if isinstance(value, float) and not math.isfinite(value):
        return {expression: SPELLED.get(value, "NaN")}
    return {"value": value}


# --- what the live picture needs


@cache
def bundle() -> str:
    """Return Vega and vega-embed as one classic script that leaves nothing but `vegaEmbed` behind."""
    return kept.all_kept("bundle", {"vega": (BUNDLE,)})["vega"].decode("utf-8")


BUNDLE = "report.figures.export:bundled"


def bundled() -> bytes:
    """Make the bundle anew."""
    import vl_convert

    text: str = vl_convert.javascript_bundle("globalThis.vegaEmbed = vegaEmbed;")
    workers.trim()  # a hundred megabytes are free again
    return f"(() => {{\n{text}\n}})();\n".encode()


def script(
    figure: str,
    layout: str,
    spec: Mapping[str, Any],
    signals: Mapping[str, Any],
    offers: Mapping[str, Sequence[Mapping[str, str]]] | None = None,
) -> str:
    """Return the spec of one layout as a classic script: fetch does not work from a file.

    offers holds the options, by the id of their control, that the page leaves out until the figure is live.
    """
    parts = {"layout": layout, "spec": spec, "signals": signals, **({"offers": offers} if offers else {})}
    content = _safe(strict(parts))
    return f"(globalThis.specs ??= {{}})[{_safe(strict(f'{figure}-{layout}'))}] = {content};\n"


def _safe(text: str) -> str:
    """Return JSON that may stand in a script: no closing tag, no comment opener, no line separator."""
    for mark in ("<", ">", "&", "\u2028", "\u2029"):
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text


def csv_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as CSV; an absent value is an empty cell."""
    listed = list(rows)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(listed[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: "" if _absent(value) else _shortened(value) for key, value in row.items()} for row in listed)
    return out.getvalue()


def json_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return rows as JSON; an absent value is null."""
    plain = [{key: None if _absent(value) else _shortened(value) for key, value in row.items()} for row in rows]
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _absent(value: Any) -> bool:
    return value is None or (isinstance(value, float) and not math.isfinite(value))
