"""Right reports of many labs and courses: none is accused, and each single wrong change is seen.

Every report has its own voice and conventions, and is computed by NumPy from the curves that are
written as its logs.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fakes.right import control, fairseq, mixed, sequences, trainer, vision
from fakes.right._right import Change, Right

from reportgen.api._old_judgement import judgement_of as judge
from reportgen.api.evidence import EvidencePaths
from reportgen.api.submissions import Submission
from reportgen.records.finding import Finding, Judgement

REPORTS = tuple(
    right
    for maker in (control, fairseq, mixed, sequences, trainer, vision)
    for right in maker.REPORTS
)
CHANGES = tuple((right, change) for right in REPORTS for change in right.changes)
LOUD = frozenset({"error", "warning"})


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Where the logs of each report lie."""
    folder = tmp_path_factory.mktemp("right")
    for right in REPORTS:
        right.write(folder / right.name)
    return folder


def judged(right: Right, text: str, logs: Path) -> Judgement:
    path = logs / f"{right.name}.{right.form}"
    path.write_text(text, encoding="utf-8")
    evidence = EvidencePaths(runs=logs / right.name)
    return judge(Submission(name="report", report=path, evidence=evidence))


def loud(judgement: Judgement) -> list[Finding]:
    return [finding for finding in judgement.findings if finding.level in LOUD]


def lines_of(right: Right, change: Change) -> set[tuple[str, int]]:
    """Where a change stands: (cell of a notebook or nothing, line)."""
    texts = {"": right.text}
    if right.form == "ipynb":
        cells = json.loads(right.text)["cells"]
        texts = {f"cell {n}": cell["source"] for n, cell in enumerate(cells, 1)}
    ((file, text),) = ((f, t) for f, t in texts.items() if change.old in t)
    first = text.count("\n", 0, text.index(change.old)) + 1
    return {(file, first + more) for more in range(change.old.count("\n") + 1)}


def is_of(finding: Finding, right: Right, change: Change) -> bool:
    """Say whether a finding is on a changed number or on the sentence that has it."""
    claim = finding.claim
    sentence = claim.printed is None and " ".join(change.new.split()) in claim.quote
    return sentence or (claim.place.file, claim.place.line) in lines_of(right, change)


@pytest.mark.parametrize("right", REPORTS, ids=lambda right: right.name)
def test_a_right_report_is_accused_of_nothing(right, logs):
    judgement = judged(right, right.text, logs)
    assert [finding.message for finding in loud(judgement)] == []
    claimed = [f for f in judgement.decisive() if f.claim.printed is not None]
    checked = [f for f in claimed if f.verdict != "not checkable"]
    assert len(checked) >= right.share * len(claimed)


@pytest.mark.parametrize(
    ("right", "change"), CHANGES, ids=[f"{right.name}-{change.new}" for right, change in CHANGES]
)
def test_a_wrong_change_is_seen_where_it_is_and_nowhere_else(right, change, logs):
    assert right.text.count(change.old) == 1
    found = loud(judged(right, right.text.replace(change.old, change.new), logs))
    here = [finding for finding in found if is_of(finding, right, change)]
    assert {finding.rule for finding in here} & change.rules
    assert [f.message for f in found if f.level == "error" and f not in here] == []
