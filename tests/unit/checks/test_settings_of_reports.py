"""Settings and counts of real reports, where they lie beside the checkout: found, and as loud."""

from __future__ import annotations

import pytest
from fakes.stated import claims_of, evidence, lab_adapter, lab_model
from fakes.written import read_labels

from reportgen.checks import (
    counted,
    hyperparameter,
    lora_config,
    lora_meaning,
    parameter_count,
    shape,
    steps,
)
from reportgen.read.documents import read_document
from reportgen.records.finding import LEVELS, Case

CHECKS = (counted, hyperparameter, lora_config, lora_meaning, parameter_count, shape, steps)
KINDS = {
    *("hyperparameter", "lora_config", "lora_semantics", "param_count", "arch_count", "arch_shape"),
    "count",
}
FOUND_AS = {"arch_count": {"arch_count", "hyperparameter"}}
PER_HEAD = "parameters for each attention head"


@pytest.fixture(scope="module")
def reports(project):
    folder = project.parent / "shared" / "reports"
    if not folder.is_dir():
        pytest.skip("no shared/reports beside the checkout")
    return folder


@pytest.fixture(scope="module")
def labels(reports, project):
    every = read_labels(reports, project / "tests" / "data" / "written" / "labels.csv")
    return [x for x in every if x.kind in KINDS or PER_HEAD in x.quote]


def read(path, mode):
    """What the finders read in a report and what every check says of it."""
    manuscript = read_document(path)
    claims = claims_of(manuscript)
    facts = evidence(model=lab_model(), adapters=[lab_adapter()]) if mode == "with_model" else None
    given = frozenset({"model", "adapter"} if facts else ())
    case = Case(manuscript=manuscript, claims=claims, facts=facts, given=given)
    loudest: dict[str, str] = {}
    for module in CHECKS:
        for finding in module.check(case):
            known = loudest.get(finding.claim.id, "none")
            loudest[finding.claim.id] = min(known, finding.level, key=LEVELS.index)
    return manuscript, claims, loudest


def matching(label, manuscript, claims):
    """The claims that say what a label says, in its lines."""
    found = []
    for claim in claims:
        lines = [line.number for line in manuscript.blocks[claim.block].lines]
        near = min(lines) <= label.line <= max(lines)
        kinds = FOUND_AS.get(label.kind, {label.kind})
        same = not label.values or (
            claim.printed is not None
            and claim.printed.value * (100 if claim.printed.unit == "" else 1)
            in {value * scale for value in label.values for scale in (1, 100)}
        )
        if near and claim.kind in kinds and same:
            found.append(claim)
    return found


def test_labelled_settings_and_counts_are_found(reports, labels):
    assert len(labels) > 70
    missed = []
    for name in sorted({label.report for label in labels}):
        manuscript, claims, _ = read(reports / name, "report_only")
        own = [label for label in labels if label.report == name]
        missed += [x.where for x in own if not matching(x, manuscript, claims)]
    assert missed == []


@pytest.mark.parametrize("mode", ["report_only", "with_model"])
def test_they_are_as_loud_as_labelled(reports, labels, mode):
    wanted = {name: {} for name in {label.report for label in labels}}
    for label in labels:
        default = "none" if mode == "report_only" else label.expected.get("report_only", "none")
        wanted[label.report][label.line] = min(
            label.expected.get(mode, default),
            wanted[label.report].get(label.line, "none"),
            key=LEVELS.index,
        )
    for name, lines in wanted.items():
        manuscript, claims, loudest = read(reports / name, mode)
        for label in (label for label in labels if label.report == name):
            levels = [loudest.get(c.id, "none") for c in matching(label, manuscript, claims)]
            found = min(levels, default="none", key=LEVELS.index)
            assert LEVELS.index(found) >= LEVELS.index(lines[label.line]), label.where
            if label.expected.get(mode, "none") != "none":
                assert found == label.expected[mode], label.where


@pytest.mark.parametrize("mode", ["report_only", "with_model"])
def test_nothing_else_in_them_is_an_error(reports, labels, mode):
    expected = {
        (label.report, label.line)
        for label in labels
        if label.expected.get(mode) == "error" or label.expected.get("with_model") == "error"
    }
    for name in sorted({label.report for label in labels}):
        manuscript, claims, loudest = read(reports / name, mode)
        places = set()
        for claim in (c for c in claims if loudest.get(c.id) == "error"):
            lines = [line.number for line in manuscript.blocks[claim.block].lines]
            places |= {(name, line) for line in lines} & expected or {(name, claim.place.line)}
        assert places <= expected
