"""Sentences of real reports, where they lie beside the checkout: found, and as loud as labelled."""

from __future__ import annotations

import pytest
from fakes import made_claims, made_runs
from fakes.written import read_labels

from reportgen.checks import contradiction, ordering, superlative, trend
from reportgen.checks import range as ranges
from reportgen.claims._collect import collect
from reportgen.claims.resolve import resolve
from reportgen.read.documents import read_document
from reportgen.records.finding import LEVELS, Case

KINDS = {
    *("comparison", "superlative", "trend", "range", "figure_claim", "claim_of_optimality"),
    *("speculation", "provenance"),
}
INCONSISTENT = ("arch_claim", "internally_inconsistent")


@pytest.fixture(scope="module")
def reports(project):
    folder = project.parent / "shared" / "reports"
    if not folder.is_dir():
        pytest.skip("no shared/reports beside the checkout")
    return folder


@pytest.fixture(scope="module")
def labels(reports, project):
    every = read_labels(reports, project / "tests" / "data" / "written" / "labels.csv")
    return [x for x in every if x.kind in KINDS or (x.kind, x.verdict) == INCONSISTENT]


def findings_of(path, facts):
    manuscript = read_document(path)
    claims, _ = collect(manuscript)
    given = frozenset({"logs"} if facts else ())
    case = resolve(Case(manuscript=manuscript, claims=claims, facts=facts, given=given))
    checks = (ordering, superlative, trend, ranges, contradiction)
    return case, [finding for module in checks for finding in module.check(case)]


def loudest(findings, line):
    here = [LEVELS.index(f.level) for f in findings if f.claim.place.line == line]
    return LEVELS[min(here, default=LEVELS.index("none"))]


@pytest.mark.parametrize("evidence", ["report_only", "with_logs"])
def test_labelled_sentences_are_as_loud_as_they_may_be(reports, labels, evidence):
    facts = made_runs.facts(made_claims.PUBLISHED, groups=()) if evidence == "with_logs" else None
    read = {name: findings_of(reports / name, facts) for name in {label.report for label in labels}}
    assert labels
    for label in labels:
        _, findings = read[label.report]
        if label.expected and evidence not in label.expected:
            continue
        wanted = label.expected.get(evidence, "none")
        assert loudest(findings, label.line) == wanted, label.where


def test_labelled_sentences_are_found(reports, labels):
    missed = []
    for label in labels:
        case, _ = findings_of(reports / label.report, None)
        kinds = {claim.kind for claim in case.claims if claim.place.line == label.line}
        if label.kind not in kinds and not (KINDS & kinds):
            missed.append(label.where)
    # A symbol that is much smaller than another, and results that agree with those elsewhere.
    assert len(missed) <= 2, missed
