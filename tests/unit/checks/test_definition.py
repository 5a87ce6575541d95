"""Spreads without their definition."""

from __future__ import annotations

import pytest
from fakes import made_claims as make

from reportgen.checks.definition import check


def stds(*texts, group="pretrained", **more):
    return [
        make.std(text, group, epoch=float(n), place=(n, 2, 22), **more)
        for n, text in enumerate(texts, 1)
    ]


def messages(case):
    found = list(check(case))
    assert {(f.level, f.verdict) for f in found} <= {("note", "not checkable")}
    return [f.message.partition("; ")[2] for f in found]


BOTH = "it is not said which standard deviation it is, nor over how many runs it was taken"


def test_the_first_and_the_last_of_a_group_are_noted():
    found = list(check(make.alone(*stds("1.92", "1.08", "0.46"))))
    assert [f.claim.printed.text for f in found] == ["1.92", "0.46"]
    two_groups = [*stds("1.92", "1.08", "0.46"), *stds("1.67", "4.2", "1.48", group="random")]
    assert len(list(check(make.alone(*two_groups)))) == 4


def test_the_logs_tell_which_it_is():
    told = messages(make.case(*stds("1.92", "1.08", "0.46", "0.61", "0.37")))
    assert told == [f"{BOTH}; the logs give it as the population standard deviation (ddof 0)"] * 2
    sample = make.std("0.87", selection="best")
    assert messages(make.case(sample)) == [
        f"{BOTH}; the logs give it as the sample standard deviation (ddof 1)"
    ]
    assert messages(make.case(make.std("5.55", selection="best"))) == [BOTH]
    # Rounded so far, both definitions give it.
    assert messages(make.case(make.std("1", selection="best"))) == [BOTH]


@pytest.mark.parametrize(
    ("text", "unsaid"),
    [
        ("mean ± sample standard deviation over 3 seeds", None),
        ("population std over three random seeds", None),
        ("écart-type corrigé sur trois graines", None),
        ("écart type d'échantillon sur 3 graines", None),
        ("We use ddof = 1.", "over how many runs it was taken"),
        ("averaged over 3 seeds", "which standard deviation it is"),
        ("moyenne sur trois graines", "which standard deviation it is"),
        ("three models are compared", BOTH.removeprefix("it is not said ")),
    ],
)
def test_what_is_said_anywhere_counts(text, unsaid):
    found = messages(make.alone(make.std("1.92"), text=text))
    assert found == ([] if unsaid is None else [f"it is not said {unsaid}"])


def test_what_the_claim_itself_says_counts():
    assert messages(make.alone(make.std("1.92", ddof=0, n=3))) == []
    assert messages(make.alone(make.std("1.92", n=3))) == [
        "it is not said which standard deviation it is"
    ]


def test_other_spreads_say_what_they_are():
    assert messages(make.alone(make.std("1.92", aggregate="se"))) == []
    assert messages(make.alone(make.mean("70.4"))) == []
