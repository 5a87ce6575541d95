"""Our own reports of five small studies, held against their logs: nothing right is accused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reportgen.api._old_judgement import judgement_of as judge
from reportgen.api.building import build
from reportgen.api.evidence import EvidencePaths
from reportgen.api.options import BuildOptions
from reportgen.api.submissions import Submission

EPOCHS = 6
STUDIES = {
    "one run": ({"small": 1}, "accuracy"),
    "two runs": ({"small": 2, "large": 2}, "accuracy"),
    "lower is better": ({"small": 3, "large": 3}, "wer"),
    "three groups": ({"small": 3, "large": 3, "huge": 3}, "accuracy"),
    "several metrics": ({"small": 4, "large": 3}, "accuracy"),
}


def write_logs(home: Path, name: str) -> Path:
    """Write a CSV log for each run, as Lightning does; the study's name is the random seed."""
    groups, metric = STUDIES[name]
    random = np.random.default_rng(sum(map(ord, name)))
    others = ("loss", "f1", "perplexity") if name == "several metrics" else ("loss",)
    for index, (group, size) in enumerate(groups.items()):
        for seed in range(size):
            folder = home / f"{group}_seed{seed}"
            folder.mkdir(parents=True)
            heads = [f"{split}_{one}" for one in (metric, *others) for split in ("val", "test")]
            lines = [",".join(["epoch", "step", *heads])]
            for epoch in range(EPOCHS):
                level = 0.6 + 0.04 * index + 0.03 * epoch - 0.004 * epoch * epoch
                values = []
                for one in (metric, *others):
                    for _ in ("val", "test"):
                        good = level + random.normal(0, 0.01)
                        value = good if one in {"accuracy", "f1"} else 1.2 - good
                        values.append(f"{10 * value if one == 'perplexity' else value:.4f}")
                lines.append(",".join([str(epoch), str(100 * (epoch + 1)), *values]))
            (folder / "metrics.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return home


CASES = [(name, form) for name in STUDIES for form in ("md", "tex", "pdf")]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Build a study when it is first asked for, and return its folder."""
    homes = {}

    def of(name: str) -> Path:
        if name not in homes:
            homes[name] = home = tmp_path_factory.mktemp("study")
            logs = write_logs(home / "logs", name)
            build(BuildOptions(out=home / "report.pdf", engine="typst", cache=None, runs=logs))
        return homes[name]

    return of


@pytest.mark.slow
@pytest.mark.parametrize(("name", "form"), CASES)
def test_a_study_of_our_own_is_not_accused(built, name, form):
    home = built(name)
    given = EvidencePaths(runs=home / "logs")
    judgement = judge(Submission(name="r", report=home / f"report.{form}", evidence=given))
    assert any(f.verdict.startswith("agrees") for f in judgement.decisive())
    assert [f.message for f in judgement.findings if f.level in {"error", "warning"}] == []
