"""Say where a printed number comes from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from reportgen.errors import EvidenceError, UnknownNameError


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
        numbers = json.loads(report.read_bytes())["numbers"]
    except FileNotFoundError:
        raise EvidenceError(
            f"no {report}", remedy="build the report first, or name its JSON with --report"
        ) from None
    except (OSError, ValueError, KeyError, TypeError):
        raise EvidenceError(
            f"{report} is not a report.json", remedy="name the JSON that `build` wrote"
        ) from None
    wanted = {_plain(part) for part in number.split("±")}
    found = [n for n in numbers if n["id"] == number or _plain(n["printed"]) in wanted]
    if not found:
        raise UnknownNameError(
            f"{report} prints no number {number!r}",
            remedy="give it as printed, or an id from the `numbers` of report.json",
        )
    return found


def _plain(printed: str) -> str:
    """Undo typography: minus, grouping, percent sign."""
    for sign, spelling in (("−", "-"), (",", ""), ("\u202f", ""), ("%", "")):
        printed = printed.replace(sign, spelling)
    return printed.strip()
