"""How long a group was trained is that of its own runs."""

from __future__ import annotations

import pytest
from fakes.judged import accusing, findings_of
from fakes.right._right import write_epochs

from reportgen.api.evidence import EvidencePaths

EPOCHS = {"unet": 4, "fpn": 2}


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lengths")
    write_epochs(folder / "lab", {g: [0.6, 0.7, 0.8, 0.9][:n] for g, n in EPOCHS.items()})
    return folder


@pytest.mark.parametrize(
    "sentence", ["{} was trained for {} epochs.", "{} stopped after {} epochs."]
)
@pytest.mark.parametrize("group", EPOCHS)
@pytest.mark.parametrize("count", sorted(EPOCHS.values()))
def test_a_length_agrees_where_the_group_has_it(sentence, group, count, logs):
    evidence = EvidencePaths(runs=logs / "lab")
    found = findings_of(sentence.format(group, count), logs / "report.md", evidence)
    agrees = any(f.rule == "hyperparameter" and f.verdict == "agrees" for f in found)
    assert (agrees, accusing(found)) == (EPOCHS[group] == count, [])
