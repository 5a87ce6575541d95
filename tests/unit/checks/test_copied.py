"""Test values that are those of validation."""

from __future__ import annotations

from fakes import made_claims as make

from reportgen.checks.copied import check


def row(seed, valid, test, group="pretrained", step=None, **more):
    more = {"selection": "best", "step": step, **more}
    return [
        make.value(valid, group, seed, "validation", place=(seed, 2, 15), **more),
        make.value(test, group, seed, place=(seed, 3, 15), **more),
    ]


def levels(case):
    return [(f.claim.printed.text, f.level) for f in check(case)]


COPIED = (
    *row(0, "81.5", "79.9", step=1125),
    *row(1, "80", "80", step=675),
    *row(2, "83.5", "83.5", step=900),
)


def test_two_copied_rows_with_logs():
    findings = list(check(make.case(*COPIED)))
    # Both values are errors of their own; the column is named once.
    assert [(f.claim.printed.text, f.level) for f in findings] == [("80", "warning")]
    assert "it is the value at pretrained/seed 1, validation accuracy, step 675, as in 2 rows" in (
        findings[0].message
    )


def test_a_rounded_number_is_a_copy_beside_a_sure_one():
    # 80 alone might be the 79.5 of the last step, rounded.
    rounded = make.value("80%", "pretrained", 1, place=(1, 2, 15))
    sure = make.value("83.5%", "pretrained", 2, place=(1, 3, 15))
    others = [make.value(t, "random", s, place=(2, 2, 15)) for s, t in ((0, "67.5%"), (1, "68.1%"))]
    assert levels(make.case(rounded, sure, *others)) == [("80%", "error"), ("83.5%", "warning")]
    assert levels(make.case(rounded, *others)) == []


def test_one_row_is_no_column():
    assert levels(make.case(*row(2, "83.5", "83.5", step=900))) == []


def test_equal_logs_are_no_copy():
    table = {("a", s): ([60.0, 80.0], [50.0, 80.0]) for s in range(3)}
    claims = [c for s in range(3) for c in row(s, "80.0", "80.0", "a")]
    assert levels(make.case(*claims, table=table)) == []


def test_a_report_alone_needs_a_contradiction():
    assert levels(make.alone(*COPIED)) == []
    again = make.value("80.1", "pretrained", 2, selection="best", step=900)
    assert levels(make.alone(*COPIED, again)) == [("83.5", "warning")]


def test_a_mean_and_a_spread_may_contradict():
    means = [
        make.mean("79.2", epoch=4.0, place=(4, 1, 22)),
        make.std("0.61", epoch=4.0, place=(4, 2, 22), hints={"column": "std"}),
        make.mean("79.9", epoch=5.0, place=(5, 1, 22)),
        make.std("0.37", epoch=5.0, place=(5, 2, 22), hints={"column": "std"}),
    ]
    assert levels(make.alone(*COPIED, *means)) == [("83.5", "warning")]
