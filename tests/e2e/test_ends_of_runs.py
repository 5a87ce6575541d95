"""Sentences on the last steps, the ends and the beginnings of runs that no validation split has."""

import math

import pytest
from fakes.command import reportgen
from fakes.event_file import write_scalars


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


RIGHT = [
    f"PPO seed 0 reaches a reward of {LAST['ppo', 0]:.2f} at its last step, 980.",
    f"PPO seed 0 reaches a reward of {LAST['ppo', 0]:.2f} at its last step (980).",
    f"At its last step, 980, ppo seed 0 has a reward of {LAST['ppo', 0]:.2f}.",
    f"The mean of the last ten rewards of sac seed 1 is about {END:.0f}.",
    f"Averaged over the last 10 points, the reward of sac seed 1 is {END:.2f}.",
    "The mean reward of sac seed 1 over its last 250 episodes is 123.4.",
    "The first loss of ppo seed 0 is 1.0.",
    "ppo and sac were trained for 980, 980 and 980 steps.",
    f"The difference of the mean final reward of ppo and sac is {GAP:.2f}.",
    f"{TABLE}| sac | 1 | {END:.2f} | 1.0 |\n",
]


def test_who_is_right_is_not_accused(logs):
    told = checked(logs, "\n\n".join(RIGHT))
    assert " error " not in told, told
    assert " warning " not in told, told
