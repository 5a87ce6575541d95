"""Ranked findings: when each candidate is said, when it is not, and which one comes first."""

import dataclasses
from pathlib import Path

import pytest
from fakes.row_facts import facts_of_row
from fakes.rows import rows_of

from reportgen.app.analysis import analyse
from reportgen.app.options import BuildOptions
from reportgen.records.document import inlines
from reportgen.report.findings import CANDIDATES, MOST, find_all, rank_findings

HERE = Path(__file__).parent
ROWS = rows_of(HERE / "candidates.yaml")
ORDER = rows_of(HERE / "order.yaml")


def sentences(made, finding):
    return " ".join(made.words(text) for text in (finding.head, *finding.sentences))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['candidate']}-{row.get('why', '')}")
def test_a_candidate_is_said_where_it_holds_and_only_there(made, row):
    found = [f for f in find_all(facts_of_row(row)) if f.id == row["candidate"]]
    said = " ".join(sentences(made, finding) for finding in found)
    assert bool(found) == row.get("said", True), said
    assert row.get("says", "") in said


def test_every_candidate_has_data_that_says_it_and_data_that_does_not():
    for said in (True, False):
        told = {row["candidate"] for row in ROWS if row.get("said", True) is said}
        assert told == {candidate.name for candidate in CANDIDATES}, f"rows with said: {said}"


@pytest.mark.parametrize("row", ORDER, ids=lambda row: row["lab"])
def test_the_order_is_the_one_a_person_gave(project, row):
    inside, shared = project / row["lab"], project.parent / "shared" / row["lab"]
    lab = inside if inside.exists() else shared
    if not lab.exists():
        pytest.skip(f"{lab} is not there")
    options = {"study": lab} if lab.suffix == ".toml" else {"runs": lab}
    findings = rank_findings(analyse(BuildOptions(out=Path("report.md"), **options)))
    assert [finding.subject for finding in findings] == row["subjects"]
    assert [f.score for f in findings] == sorted((f.score for f in findings), reverse=True)


def test_findings_of_one_subject_are_one(made):
    findings = rank_findings(made.facts(split_sizes={"validation": 200, "test": 2000}))
    subjects = [finding.subject for finding in findings]
    assert len(set(subjects)) == len(subjects) <= MOST
    end = next(finding for finding in findings if finding.subject == "end")
    assert end.id == "gap"
    assert len(end.sentences) == 2
    assert "random improved by 4.2 points in the last epoch" in sentences(made, end)


def test_a_short_name_stands_for_a_group(made):
    plan = made.study()
    groups = tuple(dataclasses.replace(one, short=one.name.upper()) for one in plan.groups)
    (first, *_) = rank_findings(made.facts(groups=groups))
    assert made.words(first.head) == "PRETRAINED beats RANDOM by 7.0 points."


def test_numbers_have_ids_of_their_own_and_evidence(made):
    findings = rank_findings(made.facts(split_sizes={"validation": 200, "test": 2000}))
    texts = [text for f in findings for text in (f.head, *f.sentences)]
    numbers = [n for text in texts for n in inlines(text) if hasattr(n, "quantity")]
    assert len({number.id for number in numbers}) == len(numbers) > 10
    assert all(number.quantity.sources for number in numbers)


def test_no_runs_say_nothing(made):
    assert rank_findings(made.facts({})) == ()


def test_no_number_stands_more_often_than_it_is_read(made):
    findings = rank_findings(made.facts(split_sizes={"validation": 200, "test": 2000}))
    told = " ".join(sentences(made, finding) for finding in findings)
    assert told.count("7.0 points") == 1
    assert len(told.split()) < 260
