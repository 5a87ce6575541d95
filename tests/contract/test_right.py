"""Nobody who is right is accused: true sentences, tables and reports beside the logs they are of.

`tests/data/right/curves.csv` holds the curves of made-up labs, one a row, `true.yaml` by lab what
is true of them: what a text says is computed by NumPy from these curves. What stands there as
`known` is accused all the same; it has to leave that key as soon as it is not. `told.yaml` holds
what is wrong by one number, and has to be told by that very number.
"""

import csv
import json
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from fakes.event_file import write_scalars
from fakes.rows import rows_of

from reportgen.app import check

DATA = Path(__file__).resolve().parents[1] / "data" / "right"
ALL_TRUE, ALL_TOLD = (rows_of(DATA / name) for name in ("true.yaml", "told.yaml"))
TRUE = [
    (lab, {"text": row} if isinstance(row, str) else row)
    for lab, rows in ALL_TRUE.items()
    for row in rows
]
TOLD = [(row["lab"], row) for row in ALL_TOLD]
ADAPTER = {"peft_type": "LORA", "r": 64, "lora_alpha": 128, "target_modules": ["q_proj"]}


@pytest.fixture(scope="module")
def labs(tmp_path_factory):
    """A folder with the logs of each lab, and an adapter beside those that have one."""
    home = tmp_path_factory.mktemp("labs")
    runs: dict[Path, dict[str, list[tuple[int, float]]]] = defaultdict(dict)
    with (DATA / "curves.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            values = [float(value) for value in row["values"].split()]
            points = zip(steps_of(row["steps"], len(values)), values, strict=True)
            runs[home / row["lab"] / row["run"]][row["tag"]] = list(points)
    for folder, tags in runs.items():
        write_scalars(folder, tags)
    (home / "adapter_config.json").write_text(json.dumps(ADAPTER), encoding="utf-8")
    return home


def steps_of(written: str, count: int) -> list[int]:
    """Read steps: each of them, or the first and the distance."""
    first, _, each = written.partition("+")
    if each:
        return [int(first) + int(each) * number for number in range(count)]
    return [int(step) for step in written.split()]


def texts_of(row: dict) -> list[tuple[str, str]]:
    """Return what is checked of a row, with the ending of its file: as it is, and changed."""
    ending = Path(row.get("report", "sentence.md")).suffix
    text = row["text"] if "text" in row else (DATA / row["report"]).read_text("utf-8")
    if "old" not in row:
        return [(ending, text)]
    assert text.count(row["old"]) == 1
    return [(ending, text), (ending, text.replace(row["old"], row["new"]))]


@pytest.fixture(scope="module")
def accused(labs):
    """What is told of a text beside the logs of a lab: (printed number, message), if it is loud.

    All texts of a lab are one class, whose evidence is read once.
    """

    @cache
    def of(lab: str) -> dict[tuple[str, str], list[tuple[str, str]]]:
        rows = [row for name, row in (*TRUE, *TOLD) if name == lab]
        texts = list(dict.fromkeys(text for row in rows for text in texts_of(row)))
        folder = labs / "texts" / lab
        folder.mkdir(parents=True)
        for number, (ending, text) in enumerate(texts):
            (folder / f"text{number}{ending}").write_text(text, encoding="utf-8")
        given = {"runs": labs / lab} if (labs / lab).is_dir() else {}
        if lab == "adapters":
            given["adapter"] = labs / "adapter_config.json"
        found = {one.submission.name: one.review for one in check(reports=(folder,), **given)}
        assert not any(review.fault for review in found.values())
        return {text: loud(found[f"text{number}"]) for number, text in enumerate(texts)}

    return lambda lab, text: of(lab)[text]


def loud(review) -> list[tuple[str, str]]:
    return [
        (one.number.printed.text if one.number else "", one.message)
        for one in review.verdicts
        if one.level in {"error", "warning"}
    ]


def names_of(rows):
    return [f"{lab}: {(row.get('new') or row.get('text') or lab)[:60]}" for lab, row in rows]


@pytest.mark.parametrize(("lab", "row"), TRUE, ids=names_of(TRUE))
def test_who_is_right_is_accused_of_nothing(lab, row, accused):
    (text,) = texts_of(row)
    told = accused(lab, text)
    if row.get("known"):
        assert told, "it is accused no more: take its `known` away"
    else:
        assert told == []


@pytest.mark.parametrize(("lab", "row"), TOLD, ids=names_of(TOLD))
def test_a_wrong_number_is_told_and_no_other(lab, row, accused):
    *right, wrong = texts_of(row)
    before = [one for text in right for one in accused(lab, text)]
    told = accused(lab, wrong)
    assert [one[0] for one in told if one not in before] == [row["number"]]
