"""What a report says of its own numbers, held against tables of short reports."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from reportgen.checking.context import numbers_of
from reportgen.checking.itself import check_itself
from reportgen.read.documents._read import read_manuscript
from reportgen.records.verdict import Verdict

_HERE = Path(__file__).parent


def _rows(name: str) -> list[dict[str, str]]:
    with (_HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _verdicts(text: str, folder: Path, ending: str = "md") -> tuple[Verdict, ...]:
    path = folder / f"report.{ending}"
    path.write_text(f"Title\n\n{text}\n", encoding="utf-8")
    report = read_manuscript(path)
    return check_itself(report, numbers_of(report))


def _said(verdicts: tuple[Verdict, ...]) -> list[str]:
    """Return `printed traced` and `printed level expected` of each verdict but repeats."""
    found = []
    for one in verdicts:
        printed = one.number.printed.text if one.number else ""
        if one.outcome == "contradicted":
            found.append(f"{printed} {one.level} {one.expected}")
        elif one.rule != "twice":
            found.append(f"{printed} traced")
    return found


@pytest.mark.parametrize("row", _rows("calculations.csv"), ids=lambda row: row["text"][:60])
def test_printed_calculations(row: dict[str, str], tmp_path: Path) -> None:
    said = sorted(filter(None, row["said"].split("; ")))
    assert sorted(_said(_verdicts(row["text"], tmp_path, row["format"]))) == said
