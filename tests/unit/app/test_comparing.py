"""Two reports side by side: what counts as a change, and how large it is."""

import json
import math

import pytest
from fakes.rows import rows_beside

from reportgen.app.comparing import diff
from reportgen.cli.console import change_lines
from reportgen.records.errors import EvidenceError

ROWS = rows_beside(__file__)


def entry(identifier, printed, value, unit="fraction", **more):
    return {
        "id": identifier,
        "printed": printed,
        "value": value,
        "unit": unit,
        "evidence": [],
        **more,
    }


def report(*numbers, **more):
    return {
        "schema": "reportgen-report/1",
        "generated_by": "reportgen 0.1.0",
        "title": "T",
        "numbers": list(numbers),
        **more,
    }


@pytest.fixture
def compared(tmp_path):
    def compare(old, new):
        for name, content in (("old.json", old), ("new.json", new)):
            text = content if isinstance(content, str) else json.dumps(content)
            (tmp_path / name).write_text(text, encoding="utf-8")
        return diff(tmp_path / "old.json", tmp_path / "new.json")

    return compare


@pytest.mark.parametrize(
    ("old", "new", "kind", "shown"), ROWS["a_change_is_told_in_the_unit_shown"]
)
def test_a_change_is_told_in_the_unit_shown(compared, old, new, kind, shown):
    found = compared(report(entry("a", *old)), report(entry("a", *new)))

    [one] = found["numbers"]
    assert (one["old"], one["new"], one["kind"]) == (old[0], new[0], kind)
    assert one["difference_printed"] == shown


def side(numbers, metric="accuracy", **more):
    entries = [
        entry(*number[:4], evidence=[{"path": "e", "tag": tag, "step": 1} for tag in number[4:]])
        for number in numbers
    ]
    return report(*entries, groups=[{"name": "a", "metric": metric, "n": 1}], **more)


@pytest.mark.parametrize("row", ROWS["what_is_told_of_numbers"], ids=lambda row: row["why"])
def test_what_is_told_of_numbers(compared, row):
    found = compared(side(**row["old"]), side(**row["new"]))
    told = [{key: one[key] for key in row["told"][0]} for one in found["numbers"]]
    assert told == [one for one in row["told"] if one]
    assert found["totals"].items() >= row.get("totals", {}).items()
    for one in found["numbers"]:
        (line,) = [line for line in change_lines(found) if one["id"] in line]
        assert line.endswith(one["reason"])


@pytest.mark.parametrize(
    ("english", "french", "value", "unit"), ROWS["the_marks_of_a_language_are_no_change"]
)
def test_the_marks_of_a_language_are_no_change(compared, english, french, value, unit):
    ours = report(entry("a", english, value, unit))
    theirs = report(entry("a", french, value, unit), lang="fr")
    assert compared(ours, theirs)["totals"]["unchanged"] == 1
    assert compared(theirs, ours)["numbers"] == []


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), -float("inf"), 10**400, 1e308, "80", 1e27, -(10**39)]
)
@pytest.mark.parametrize("printed", ["80.64", "0." + "0" * 3000 + "1"])
def test_a_value_that_nobody_counts_is_told_without_an_error(compared, value, printed):
    found = compared(report(entry("a", "80.63", 80.625)), report(entry("a", printed, value)))
    [one] = found["numbers"]
    assert (one["old"], one["new"], one["kind"]) == ("80.63", printed, "value")
    assert one["difference"] is None or math.isfinite(one["difference"])


def test_numbers_files_runs_groups_settings_and_problems_come_and_go(compared):
    def lab(n, digest, seeds, level):
        return {
            "files": [{"path": "a/events", "sha256": digest}, {"path": f"only-{n}", "sha256": "0"}],
            "groups": [
                {
                    "name": "g",
                    "n": len(seeds),
                    "runs": [{"seed": s, "run": f"g/{s}"} for s in seeds],
                }
            ],
            "decisions": [{"key": "metric.name", "value": f"m{n}"}],
            "problems": [{"level": level, "path": "p", "message": "m"}],
        }

    found = compared(
        report(entry("a", "1", 1), entry("b", "2", 2), **lab(1, "x", [0, 1], "note")),
        report(entry("b", "2", 2), entry("c", "3", 3), **lab(2, "y", [0, 2], "warning")),
    )

    assert [one["id"] for one in found["added"]] == ["c"]
    assert [one["id"] for one in found["removed"]] == ["a"]

    def told(key):
        return {(one["name"], one["change"]) for one in found[key]}

    assert told("files") == {("a/events", "changed"), ("only-1", "removed"), ("only-2", "added")}
    assert told("runs") == {("g, seed 1", "removed"), ("g, seed 2", "added")}
    assert told("groups") == set()
    assert told("settings") == {("metric.name", "changed")}
    assert told("problems") == {("note: p: m", "removed"), ("warning: p: m", "added")}


def test_lists_that_an_older_version_does_not_have_are_empty(compared):
    found = compared(
        report(entry("a", "1", 1)), report(entry("a", "1", 1), schema="reportgen-report/2")
    )
    assert found["numbers"] == []
    assert found["new"]["schema"] == "reportgen-report/2"


GOOD = json.dumps(report(entry("a", "1", 1)), indent=1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        (GOOD[: len(GOOD) // 2], "is cut off"),
        (GOOD[:-2], "is cut off"),
        ("[1, 2]", "is not a report.json"),
        ('{"schema": "findings/1", "numbers": []}', "its schema is 'findings/1'"),
        (json.dumps(report({"id": 3})), "`numbers[0].id` is no text"),
        (json.dumps(report(numbers=3)), "`numbers` is no list"),
        ("this is: not JSON", "not a report.json: expecting value"),
        ("[" * 100_000, "too deep"),
    ],
)
def test_what_cannot_be_read_is_a_letter_with_its_remedy(compared, text, message):
    with pytest.raises(EvidenceError, match=message.replace("[", r"\[")) as caught:
        compared(GOOD, text)
    assert caught.value.remedy
    assert caught.value.exit_code == 3


@pytest.mark.slow
def test_thousands_of_numbers_are_no_trouble(compared):
    many = [entry(f"n{i}", f"{i}.00", float(i), "") for i in range(20_000)]
    found = compared(report(*many), report(*many[:-1], entry("n19999", "7.00", 7.0, "")))
    assert [one["id"] for one in found["numbers"]] == ["n19999"]


@pytest.mark.parametrize(("damage", "told"), ROWS["parts_of_another_form_are_damage"])
def test_parts_of_another_form_are_damage(compared, damage, told):
    with pytest.raises(EvidenceError, match=told):
        compared(report(entry("a", "1", 1)), {**report(entry("a", "1", 1)), **damage})
