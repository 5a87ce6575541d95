"""Warnings of a build: those of one kind share lines."""

from __future__ import annotations

from reportgen.console import warning_lines


def test_a_wall_of_equal_warnings_is_folded():
    told = [f"version_{i}/metrics.csv: 4 runs share one folder: version_{i}" for i in range(12)]
    lines = list(warning_lines(["a.csv: empty", *told, "b.csv: empty"]))
    assert lines[:2] == ["warning: a.csv: empty", "warning: b.csv: empty"]
    assert lines[2:5] == [f"warning: {one}" for one in told[:3]]
    assert lines[5:] == ["  and 9 more of this kind, which the report and --json list"]


def test_four_are_no_wall_and_others_stay_apart():
    told = [f"{name}.csv: line 3 is cut off" for name in "abcd"]
    assert list(warning_lines(told, "note")) == [f"note: {one}" for one in told]
    assert len(list(warning_lines([f"no {name}" for name in "abcdefg"]))) == 7
