"""Real written reports, labelled by hand: their numbers are found, and who is right is not accused.

The reports lie beside the checkout on some machines only, and are no part of the project.
"""

import pytest
from fakes.pinned import shared
from fakes.written import read_labels, write_published_logs

from reportgen.app import check

MODES = ("report_only", "with_logs", "with_model")
RIGHT = frozenset({"supported", "arithmetic_true", "feasible", "borderline", "unverifiable"})
LEAST = 0.97
"""Share of the labelled numbers that are found where they stand."""


@pytest.fixture(scope="module")
def labels(project):
    own = project / "tests" / "data" / "written" / "labels.csv"
    return [label for label in read_labels(shared("reports"), own) if label.values]


@pytest.fixture(scope="module", params=MODES)
def told(request, labels, lab, tmp_path_factory):
    """Each label, and the verdicts on its number."""
    given = {
        "report_only": dict,
        "with_logs": lambda: {"runs": write_published_logs(tmp_path_factory.mktemp("logs"))},
        "with_model": lambda: {"checkpoint": lab / "model", "adapter": lab / "lora"},
    }[request.param]()
    names = {label.report for label in labels}
    verdicts = {}
    for name in names:
        (checked,) = check(reports=(shared("reports") / name,), **given)
        verdicts[name] = [one for one in checked.review.verdicts if one.number]
    return [(label, [v for v in verdicts[label.report] if is_of(v, label)]) for label in labels]


def is_of(verdict, label) -> bool:
    """Say whether a verdict is on the number of a label; formulas go over several lines."""
    lines = range(label.line - 3, label.line + label.quote.count("\n") + 2)
    return verdict.place.line in lines and abs(verdict.number.printed.value) in label.values


def test_numbers_are_found(told):
    assert len(told) > 140
    assert sum(bool(verdicts) for _, verdicts in told) >= LEAST * len(told)


def test_nobody_who_is_right_is_accused(told):
    wrong = {
        (label.report, value)
        for label, _ in told
        if label.verdict not in RIGHT
        for value in label.values
    }
    accused = [
        (label.where, verdict.message)
        for label, verdicts in told
        if label.verdict in RIGHT and not wrong & {(label.report, value) for value in label.values}
        for verdict in verdicts
        if verdict.level == "error"
    ]
    assert accused == []
