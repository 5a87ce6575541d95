"""Numbers that bound a value: they agree only where it lies on their side."""

from __future__ import annotations

import pytest
from fakes.judged import RISING, accusing, findings_of
from fakes.right._right import write_tags

from reportgen.api.evidence import EvidencePaths

# The last values of vgg11 have a mean of 68 to 69 %, and seeds on both sides of it.
TRUE = (
    "The mean validation accuracy of vgg11 is below 70 %.",
    "The mean validation accuracy of vgg11 is above 68 %.",
    "L'exactitude moyenne de validation de vgg11 est inférieure à 70 %.",
    "vgg11 has a validation accuracy of at least 60 %.",
)
UNSURE = (
    "vgg11 has a validation accuracy of less than 67.3 %.",
    "Each seed of vgg11 has a validation accuracy under 67.3 %.",
    "vgg11 a une exactitude de validation inférieure à 67,3 %.",
)
FALSE = (
    "The mean validation accuracy of vgg11 is above 69 %.",
    "L'exactitude moyenne de validation de vgg11 est supérieure à 69 %.",
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labs")
    write_tags(folder, {"val/acc": dict(zip(("vgg11", "densenet40"), RISING, strict=True))}, 50)
    return folder


def numbers_of(sentence, logs):
    found = findings_of(sentence, logs / "r.md", EvidencePaths(runs=logs))
    return [f for f in found if f.rule in {"value", "aggregate"}]


@pytest.mark.parametrize("sentence", TRUE)
def test_a_bound_on_its_side_agrees(sentence, logs):
    found = numbers_of(sentence, logs)
    assert accusing(found) == []
    assert [f.verdict for f in found] == ["agrees within rounding"]


@pytest.mark.parametrize("sentence", [*FALSE, *UNSURE])
def test_a_bound_that_is_not_kept_never_agrees(sentence, logs):
    found = numbers_of(sentence, logs)
    assert found
    assert not [f for f in found if f.verdict.startswith("agrees")]


@pytest.mark.parametrize("sentence", UNSURE)
def test_a_bound_that_some_runs_keep_is_left_alone(sentence, logs):
    (finding,) = numbers_of(sentence, logs)
    assert (finding.level, finding.verdict) == ("none", "not checkable")
    assert "some runs keep" in finding.message
