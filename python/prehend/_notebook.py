"""How results show themselves: plain values, one line, a table for notebooks."""

from __future__ import annotations

import html as _html
import json
import math
from typing import Any

import numpy as np

_LONGEST_LIST = 12  # rows of a nested table; the rest is counted


def to_dict(result: Any) -> dict[str, Any]:
    """The JSON form where the library has one, otherwise the public fields; unbounded numbers become None.

    A result that has a status says it first.
    """
    if hasattr(result, "to_json"):
        document: dict[str, Any] = json.loads(result.to_json())
        if "status" not in document and isinstance(getattr(result, "status", None), str):
            document = {"status": result.status, **document}
        return document
    return {name: _plain(getattr(result, name)) for name in _fields(result)}


def short(result: Any) -> str:
    report = result.brief_report().strip().splitlines() if hasattr(result, "brief_report") else []
    return f"<{type(result).__name__}: {report[0]}>" if report else f"<{type(result).__name__}>"


def html(result: Any) -> str:
    """A heading and a table; every text is escaped."""
    return f"<div><b>{_html.escape(type(result).__name__)}</b>{_table(to_dict(result))}</div>"


def _fields(value: Any) -> list[str]:
    names = []
    for kind in reversed(type(value).__mro__):
        names += [name for name, member in vars(kind).items()
                  if not name.startswith("_") and hasattr(member, "__get__") and not callable(member)]
    return names


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    kind = type(value).__name__
    if kind == "Pose":
        return {"p": value.p.tolist(), "q": value.q.tolist()}
    if kind == "TriangleMesh":
        return {"vertices": len(value.vertices), "triangles": len(value.triangles)}
    if kind == "Scene":
        return {"name": value.name, "bodies": [{"name": body.name, "X_WB": _plain(body.X_WB)} for body in value.bodies]}
    return to_dict(value)


def _table(values: dict[str, Any]) -> str:
    rows = "".join(f"<tr><th style='text-align:left'>{_html.escape(str(name))}</th><td style='text-align:left'>{_cell(value)}</td></tr>"
                   for name, value in values.items())
    return f"<table>{rows}</table>"


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        return _table(value)
    if isinstance(value, list) and value and isinstance(value[0], dict):
        rest = f"<p>and {len(value) - _LONGEST_LIST} more</p>" if len(value) > _LONGEST_LIST else ""
        return "".join(_table(item) for item in value[:_LONGEST_LIST]) + rest
    if isinstance(value, list):
        rest = f" and {len(value) - _LONGEST_LIST} more" if len(value) > _LONGEST_LIST else ""
        inside = ", ".join(_cell(item) for item in value[:_LONGEST_LIST])
        return f"[{inside}]{rest}"
    if isinstance(value, float):
        return f"{value:.6g}"
    return _html.escape(str(value))
