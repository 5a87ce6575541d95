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
TABLE = "| group | seed | mean of the last ten rewards | first loss |\n|---|---|---|---|\n"
LAST = {run: points[-1][1] for run, points in CURVES.items()}
END = sum(value for _, value in CURVES["sac", 1][-10:]) / 10
GAP = (LAST["ppo", 0] + LAST["ppo", 1] - LAST["sac", 0] - LAST["sac", 1]) / 2


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Two groups of two seeds that logged a reward and a loss."""
    home = tmp_path_factory.mktemp("ends")
    for (group, seed), points in CURVES.items():
        tags = {"reward": points, "loss": [(step, 1 / (1 + step)) for step, _ in points]}
        write_scalars(home / "logs" / f"{group}_seed{seed}", tags)
    return home


def checked(logs, sentence):
    text = f"# Results\n\nWe trained ppo and sac with two seeds each.\n\n{sentence}\n"
    (logs / "note.md").write_text(text, encoding="utf-8")
    return reportgen("check", "note.md", "--runs", "logs", cwd=logs).out


RIGHT = ROWS["right"]


def test_who_is_right_is_not_accused(logs):
    told = checked(logs, "\n\n".join(RIGHT))
    assert " error " not in told, told
    assert " warning " not in told, told
