"""What a report says of its own numbers, held against tables of short reports."""

import csv
from pathlib import Path

import pytest

from reportgen.checking.context import numbers_of
from reportgen.checking.itself import check_itself
from reportgen.read.documents import read_document
from reportgen.records.verdict import Verdict

_HERE = Path(__file__).parent


def _rows(name: str) -> list[dict[str, str]]:
    with (_HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def _verdicts(text: str, folder: Path, ending: str = "md") -> tuple[Verdict, ...]:
    path = folder / f"report.{ending}"
    path.write_text(f"Title\n\n{text}\n", encoding="utf-8")
    report = read_document(path)
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


@pytest.mark.parametrize("name", ["tables.csv", "sentences.csv"])
def test_tables_and_sentences(name: str, tmp_path: Path) -> None:
    wrong = []
    for row in _rows(name):
        said = list(filter(None, row["said"].split("; ")))
        found = _said(_verdicts(row["text"], tmp_path))
        if found != said:
            wrong.append((row["text"], found, said))
    assert wrong == []


def test_a_cell_told_is_told_where_a_sentence_repeats_it(tmp_path: Path) -> None:
    text = next(row["text"] for row in _rows("tables.csv") if "Walker" in row["text"])
    *_, last = _verdicts(f"{text}\n\nOn Walker it reaches 1.71 % only.", tmp_path)
    assert (last.rule, last.level, last.expected) == ("twice", "warning", "1.11")
    *_, last = _verdicts(f"{text}\n\nOn Ant it reaches 99.52 %.", tmp_path)
    assert last.rule == "twice"
    assert last.traces[0].what == "table, row Ant, column Percent of expert"


@pytest.mark.parametrize("said", ["std with n - 1", "sample standard deviation"])
def test_a_report_that_says_its_definition_is_held_to_it(said: str, tmp_path: Path) -> None:
    text = next(row["text"] for row in _rows("tables.csv") if "0.83" in row["text"])
    told = [one for one in _verdicts(f"{text}\n\nMean and {said}.", tmp_path) if one.expected]
    assert [(one.number.printed.text, one.expected) for one in told if one.number] == [
        ("0.83", "1.01")
    ]
