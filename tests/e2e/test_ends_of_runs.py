"""Sentences on the last steps, the ends and the beginnings of runs that no validation split has."""

import math

import pytest
from fakes.command import reportgen
from fakes.event_file import write_scalars
from fakes.rows import rows_beside

ROWS = rows_beside(__file__)


def curve(top: float, seed: int) -> list[tuple[int, float]]:
    return [(10 * i, top * (1 - math.exp(-i / 20)) + 5 * math.sin(3 * i + seed)) for i in range(99)]


TOPS = {"ppo": 200.0, "sac": 150.0}
CURVES = {(group, seed): curve(TOPS[group], seed) for group in TOPS for seed in (0, 1)}


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Two groups of two seeds that logged a reward and a loss."""
    home = tmp_path_factory.mktemp("ends")
    for (group, seed), points in CURVES.items():
        tags = {"reward": points, "loss": [(step, 1 / (1 + step)) for step, _ in points]}
        write_scalars(home / "logs" / f"{group}_seed{seed}", tags)
    return home


def test_who_is_right_is_not_accused(logs):
    text = "\n\n".join(("# Results", "We trained ppo and sac with two seeds each.", *ROWS["right"]))
    (logs / "note.md").write_text(f"{text}\n", encoding="utf-8")
    told = reportgen("check", "note.md", "--runs", "logs", cwd=logs).out
    assert " error " not in told, told
    assert " warning " not in told, told
