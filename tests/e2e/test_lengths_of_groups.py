"""How long a group was trained is that of its own runs."""

from __future__ import annotations

import pytest
from fakes.judged import accusing, findings_of

from reportgen.api.evidence import EvidencePaths

EPOCHS = {"unet": 4, "fpn": 2}


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lengths")
    for group, count in EPOCHS.items():
        for seed in range(2):
            path = folder / "lab" / group / f"seed{seed}.csv"
            path.parent.mkdir(parents=True, exist_ok=True)
            rows = (f"{epoch},{0.5 + epoch / 10}" for epoch in range(1, count + 1))
            path.write_text("epoch,val/accuracy\n" + "\n".join(rows) + "\n", encoding="utf-8")
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
