"""One judgement as plain values: one row a finding, fingerprints that outlive an edit."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.judgements import every_verdict, finding, judged, unreadable

from reportgen.checking.projections._record import make_record, make_records, relative
from reportgen.checking.projections._rendering import Rendering
from reportgen.records.claim import Meaning
from reportgen.records.finding import Finding, Judgement
from reportgen.records.manuscript import Manuscript, Place


def moved(judgement: Judgement, by: int) -> Judgement:
    """The same findings with every line further down."""

    def down(one: Finding) -> Finding:
        place = replace(one.claim.place, line=one.claim.place.line + by)
        return replace(one, claim=replace(one.claim, place=place))

    return replace(judgement, findings=tuple(map(down, judgement.findings)))


def test_fingerprints_stay_when_lines_move():
    before, after = make_record(every_verdict()), make_record(moved(every_verdict(), 40))
    assert [row.spot.line + 40 for row in before.rows] == [row.spot.line for row in after.rows]
    assert [row.fingerprint for row in before.rows] == [row.fingerprint for row in after.rows]


def test_fingerprints_are_unique_in_a_report_and_the_first_of_two_keeps_its_own():
    once, twice, other = finding(1), finding(1), finding(2)
    twice = replace(twice, claim=replace(twice.claim, id="c9", place=Place(line=90)))
    rows = make_record(judged([once, twice, other])).rows
    alone = make_record(judged([once])).rows
    assert len({row.fingerprint for row in rows}) == 3
    assert rows[0].fingerprint == alone[0].fingerprint
    assert rows[1].fingerprint == f"{alone[0].fingerprint}-2"


@pytest.mark.parametrize(
    ("change", "alike"),
    [
        ({"quote": "81.5   |  80"}, True),
        ({"quote": "81.5 | 80 % "}, False),
        ({"confidence": 0.3}, True),
        ({"id": "c77", "start": 9, "end": 12, "block": 4}, True),
        ({"kind": "best_step"}, False),
        ({"content": Meaning(metric="accuracy", seed=2)}, False),
        ({"content": Meaning(metric="accuracy", seed=1, run_group="a", run_seed=0)}, True),
    ],
)
def test_a_fingerprint_is_of_the_check_the_meaning_and_the_words(change, alike):
    one = finding(1)
    base = replace(
        one.claim, quote="81.5 | 80", content=Meaning(metric="accuracy", seed=1), printed=None
    )
    marks = {
        make_record(judged([replace(one, claim=claim)])).rows[0].fingerprint
        for claim in (base, replace(base, **change))
    }
    assert len(marks) == (1 if alike else 2)


def test_the_first_finding_of_a_claim_decides_and_the_totals_are_the_judgements():
    record = make_record(every_verdict())
    assert [row.id for row in record.rows if not row.decisive] == ["f6"]
    assert record.totals == every_verdict().totals()
    assert record.totals == {
        "numbers": 24, "claims": 10, "checked": 7,
        "agrees": 3, "borderline": 1, "disagrees": 3, "not_checkable": 3,
    }  # fmt: skip


def test_reasons_are_counted_the_most_frequent_first():
    open_ones = [
        replace(finding(i, level="none", verdict="not checkable"), reason=reason)
        for i, reason in enumerate(("b", "a", "c", "a"))
    ]
    assert make_record(judged([*open_ones, finding(9)])).reasons == (("a", 2), ("b", 1), ("c", 1))


def test_evidence_names_the_tags_that_verdicts_rest_on():
    assert [tags for *_, tags in make_record(every_verdict()).evidence] == [
        ("test/accuracy",), ("hidden_size",),
    ]  # fmt: skip


def test_sections_are_the_nearest_headings():
    sections = {row.claim["id"]: row.section for row in make_record(every_verdict()).rows}
    assert sections["c1"] == "Parameters"
    assert sections["c5"] == "Results"


@pytest.mark.parametrize(
    ("form", "place", "shown", "opens"),
    [
        ("markdown", Place(line=3, column=7), "lab/r.md:3:7", True),
        ("latex", Place(line=3, column=7, file="parts/a.tex"), "lab/parts/a.tex:3:7", True),
        ("notebook", Place(line=3, column=7, file="cell 4"), "lab/r.md, cell 4, line 3", False),
        ("pdf", Place(line=3, column=7, page=2), "lab/r.md, page 2, line 3", False),
    ],
)
def test_a_place_opens_only_where_lines_are_those_of_the_file(form, place, shown, opens):
    one = finding(1)
    report = Manuscript(path="lab/r.md", format=form, sha256="", blocks=())
    one = replace(one, claim=replace(one.claim, place=place))
    spot = make_record(judged([one], manuscript=report)).rows[0].spot
    assert str(spot) == shown
    assert spot.opens is opens


def test_names_are_those_given_else_of_the_files_else_the_paths():
    pair = (unreadable("ana/report.pdf"), unreadable("ben/report.pdf"))
    assert [one.name for one in make_records(pair, Rendering())] == [
        "ana/report.pdf", "ben/report.pdf",
    ]  # fmt: skip
    assert [one.name for one in make_records(pair[:1], Rendering())] == ["report"]
    named = make_records(pair, Rendering(names=("Ana", "Ben\x07")))
    assert [one.name for one in named] == ["Ana", "Ben\\x07"]


def test_paths_outside_the_root_stay():
    assert relative("/elsewhere/r.md", "/class") == "/elsewhere/r.md"
    assert relative("/classes/r.md", "/class") == "/classes/r.md"
    assert relative("r.md", "") == "r.md"
