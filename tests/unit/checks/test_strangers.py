"""Reports whose logs may be of other runs, and slips in reports whose logs are theirs."""

from __future__ import annotations

from dataclasses import replace

from fakes import made_claims as make

from reportgen.checks._run import run_checks
from reportgen.records.manuscript import Block, Line, Place


def levels(*claims, case=None):
    """Verdict and level of the decisive finding of each claim, in order."""
    found, problems = run_checks(case or make.case(*claims))
    assert problems == ()
    first = {}
    for finding in found:
        first.setdefault(finding.claim.id, finding)
    return [(first[c.id].verdict, first[c.id].level) for c in claims]


def last(text, seed, **more):
    return make.value(text, seed=seed, selection="last", **more)


def test_one_slip_among_values_that_agree_is_an_error():
    claims = [last("79.9", 0), last("79.5", 1), last("80.4", 2), make.value("63.2", epoch=1)]
    assert levels(*claims)[-1] == ("disagrees", "error")


def test_a_passage_that_is_mostly_not_in_the_logs_is_of_other_runs_for_all_we_know():
    claims = [last(text, seed) for text, seed in (("61.3", 0), ("62.2", 1), ("63.7", 2))]
    claims += [make.value("64.4", epoch=1), last("80.4", 2)]
    found = levels(*claims)
    assert found[0] == ("disagrees", "warning")
    assert found[1:4] == [("not checkable", "none")] * 3
    assert found[4] == ("agrees", "none")


def test_another_group_of_the_same_table_is_judged_by_itself():
    odd = ("91.3", "92.1", "93.7", "94.9")
    strange = [make.value(v, group="random", epoch=n) for n, v in enumerate(odd, 1)]
    own = [last("79.9", 0), last("79.5", 1), last("80.4", 2), make.value("63.2", seed=1, epoch=2)]
    found = levels(*strange, *own)
    assert [level for _, level in found] == ["warning", *["none"] * 6, "error"]


def test_a_report_of_which_the_logs_have_nothing_is_not_accused():
    claims = [last("61.3", 0), last("62.2", 1), last("63.7", 2)]
    apart = [replace(claim, block=n) for n, claim in enumerate(claims)]
    assert levels(*apart) == [("disagrees", "warning")] * 3
    assert levels(*apart[:2]) == [("disagrees", "error")] * 2


def test_a_column_with_a_known_slip_stays_an_error_in_every_row():
    tests = [
        make.value(str(v), seed=n, step=225, place=(n, 2, 0)) for n, v in enumerate((62, 63, 64))
    ]
    others = [make.value(v, seed=n, place=(n, 1, 0)) for n, v in enumerate(("79.9", "79.5"))]
    assert {level for _, level in levels(*tests, *others)[:3]} == {"error"}


def test_what_a_program_printed_is_only_noted():
    claim = last("61.3", 0)
    printed = replace(claim, place=Place(line=1, file="cell 3, output"))
    assert levels(printed, last("79.5", 1)) == [("disagrees", "note"), ("agrees", "none")]
    case = make.case(claim)
    listing = (Block(type="output", lines=(Line(text="acc 61.3", number=1),)),)
    case = replace(case, manuscript=replace(case.manuscript, blocks=listing))
    assert levels(claim, case=case) == [("disagrees", "note")]


def test_what_is_said_under_a_condition_is_not_held_against_it():
    hints = {"condition": "the dark pictures"}
    claims = [last("61.3", 0, hints=hints), last("79.5", 1, hints=hints), last("80.4", 2)]
    found, _ = run_checks(make.case(*claims))
    assert levels(*claims) == [("not checkable", "none"), ("agrees", "none"), ("agrees", "none")]
    assert "the dark pictures" in next(f for f in found if f.claim is claims[0]).reason
