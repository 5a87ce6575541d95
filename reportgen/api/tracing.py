"""Say where a printed number comes from."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from reportgen.errors import EvidenceError, UnknownNameError

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE×][^ ]*)?")


def explain(number: str, report: Path) -> list[dict[str, Any]]:
    """Return every printed number that has this id or is printed so.

    Args:
        number: An id (`best_step.pretrained.0.report_value`) or a number as printed
            (`80.63`).
        report: The report.json of the report it was read in.

    Raises:
        EvidenceError: There is no such report.json.
        UnknownNameError: The report prints no such number.
    """
    try:
        content = json.loads(report.read_bytes())
        numbers = [*content["numbers"], *map(_of_equation, content["equations"])]
    except FileNotFoundError:
        raise EvidenceError(
            f"no {report}", remedy="build the report first, or name its JSON with --report"
        ) from None
    except (OSError, ValueError, KeyError, TypeError):
        raise EvidenceError(
            f"{report} is not a report.json", remedy="name the JSON that `build` wrote"
        ) from None
    exact = [n for n in numbers if n["id"] == number]
    wanted = {_plain(part) for part in number.split("±")}
    found = exact or [n for n in numbers if _plain(n["printed"]) in wanted]
    if not found:
        raise UnknownNameError(
            f"{report} prints no number {number!r}",
            remedy="give it as printed, or an id from the `numbers` of report.json",
        )
    return found


def _of_equation(equation: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a displayed equation in the form of a printed number."""
    values = equation["values"].items()
    return {
        "id": equation["id"],
        "printed": equation["printed"],
        "value": equation["result"],
        "unit": equation["unit"],
        "method": f"equation {equation['number']}",
        "formula": equation["formula"],
        "evidence": [{"path": "equation", "tag": key, "value": value} for key, value in values],
    }


def _plain(printed: str) -> str:
    """Undo typography: minus, grouping, unit; a leading plus says nothing more."""
    found = _NUMBER.search(printed.replace("−", "-").replace("\u202f", "").replace(",", ""))
    return found[0].lstrip("+") if found else printed.strip()
