"""Real written reports, labelled by hand: what is found, bound, and how loud it is said.

The reports lie beside the checkout on some machines only, and are no part of the project.
"""

from __future__ import annotations

import pytest
from fakes.written import RIGHT, match_labels, read_labels, write_published_logs

from reportgen.api._old_judgement import judgement_of
from reportgen.api.evidence import EvidencePaths
from reportgen.api.submissions import Submission

MODES = ("report_only", "with_logs", "with_model")

# A finding that differs from its label for a reason: (mode, report, line, kind).
ARGUED = {
    # The definition of a spread stays unsaid, whatever the logs have: a note costs nothing.
    ("with_logs", "report-c.md", 58, "aggregate_std"),
    ("with_logs", "report-c.md", 62, "aggregate_std"),
    # As does a column whose numbers of decimals differ.
    ("with_logs", "report-c.md", 65, "aggregate_std"),
}


@pytest.fixture(scope="module")
def reports(project):
    folder = project.parent / "shared" / "reports"
    if not folder.is_dir():
        pytest.skip("no shared/reports beside the checkout")
    return folder


@pytest.fixture(scope="module")
def matches(reports, project, tmp_path_factory):
    labels = read_labels(reports, project / "tests" / "data" / "written" / "labels.csv")
    lab = project / "inputs" / "roberta-small-fr"
    evidence = {
        "report_only": {},
        "with_logs": {"runs": write_published_logs(tmp_path_factory.mktemp("logs"))},
        "with_model": {"checkpoint": lab / "model", "adapter": lab / "lora"},
    }
    found = {}
    for mode in MODES:
        found[mode] = []
        for name in sorted({label.report for label in labels}):
            given = EvidencePaths(**evidence[mode])
            judgement = judgement_of(Submission(name=name, report=reports / name, evidence=given))
            own = [label for label in labels if label.report == name]
            found[mode] += match_labels(own, judgement)
    return found


@pytest.mark.parametrize("mode", MODES)
def test_numbers_are_found_and_bound(matches, mode):
    numeric = [m for m in matches[mode] if m.label.values]
    assert len(numeric) > 140
    assert sum(m.found for m in numeric) / len(numeric) >= 0.97
    assert sum(m.bound for m in numeric) / len(numeric) >= 0.95


@pytest.mark.parametrize("mode", MODES)
def test_each_expected_level_comes_out(matches, mode):
    wrong = [
        (m.label.where, m.level, m.label.expected[mode])
        for m in matches[mode]
        if m.label.expected.get(mode, m.level) != m.level
        and (mode, m.label.report, m.label.line, m.label.kind) not in ARGUED
    ]
    assert wrong == []


@pytest.mark.parametrize("mode", MODES)
def test_nobody_who_is_right_is_accused(matches, mode):
    accused = [
        m.label.where
        for m in matches[mode]
        if m.level == "error" and m.label.verdict in RIGHT and m.label.expected.get(mode) != "error"
    ]
    assert accused == []
