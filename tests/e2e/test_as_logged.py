"""Logs of the plainest program there is: a report of them, and what makes it choose a step."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from fakes.command import reportgen
from fakes.event_file import write_scalars


def curve(top: float, seed: int, points: int) -> list[tuple[int, float]]:
    """A return that grows and is never twice the same."""
    return [
        (100 * i, top * (1 - math.exp(-i / 9)) + 7 * math.sin(3 * i + seed)) for i in range(points)
    ]


def write_rewards(root: Path) -> None:
    """Two groups of three seeds, of different lengths; one run ends in NaN."""
    for index, (group, top) in enumerate((("dqn", 150.0), ("ppo", 200.0))):
        for seed in range(3):
            points = curve(top, seed, 30 + 2 * seed)
            if (index, seed) == (0, 2):
                points[-1] = (points[-1][0], math.nan)
            tags = {"reward": points, "loss": [(s, 1 / (1 + s)) for s, _ in points]}
            write_scalars(root / f"{group}_seed{seed}", tags)


@pytest.fixture(scope="module")
def rewards(tmp_path_factory):
    """A folder with these logs."""
    home = tmp_path_factory.mktemp("rewards")
    write_rewards(home / "logs")
    return home


@pytest.fixture(scope="module")
def built(rewards):
    """Their report in every format, without a study file."""
    done = reportgen("build", "--runs", "logs", "--out", "out/", cwd=rewards)
    assert done.code == 0, done.err
    return rewards / "out", done


def test_every_format_is_written_and_names_the_key(built):
    folder, done = built
    assert {path.suffix for path in folder.iterdir() if path.is_file()} >= {
        *(".pdf", ".tex", ".md", ".html", ".json")
    }
    line = "splits.tags.reward = 'validation'"
    assert line in done.out
    assert "missing: dqn_seed2 logged nan for reward at step 3300" in done.err
    assert "never logged reward on validation" not in done.err


def test_values_are_those_that_were_written(built):
    folder, _ = built
    report = json.loads((folder / "report.json").read_bytes())
    reward = report["as_logged"]["metrics"][0]
    assert (reward["name"], reward["split"], reward["direction"]) == ("reward", "", "higher")
    ppo = next(group for group in reward["groups"] if group["name"] == "ppo")
    for seed, run in enumerate(ppo["runs"]):
        values = [value for _, value in curve(200.0, seed, 30 + 2 * seed)]
        assert run["last_value"] == pytest.approx(values[-1], rel=1e-6)
        assert run["highest_value"] == pytest.approx(max(values), rel=1e-6)
        assert run["highest_step"] == 100 * values.index(max(values))
    (group,) = (group for group in report["groups"] if group["name"] == "ppo")
    assert group["last"]["n"] == group["n"] == 3
    assert group["mean"] == group["last"]["mean"]


def test_a_report_that_quotes_last_values_is_held_against_them(rewards):
    last = curve(200.0, 0, 30)[-1][1]
    others = [curve(200.0, seed, 30 + 2 * seed)[-1][1] for seed in (1, 2)]
    rows = "".join(f"| ppo | {seed} | {value:.1f} |\n" for seed, value in enumerate(others, 1))
    head = "# Results\n\n| Group | Seed | Last reward |\n|---|---|---|\n"
    for value, code in ((last, 0), (last + 10, 1)):
        (rewards / "note.md").write_text(
            f"{head}| ppo | 0 | {value:.1f} |\n{rows}", encoding="utf-8"
        )
        done = reportgen("check", "note.md", "--runs", "logs", cwd=rewards)
        assert done.code == code, done.out
        assert f"the evidence has {last:.1f}" in done.out or not code


def inspected(root: Path) -> list[dict[str, Any]]:
    """Return what is inferred of a folder without a study file."""
    done = reportgen("inspect", root, "--json", cwd=root.parent)
    assert done.code == 0, done.err
    found: list[dict[str, Any]] = json.loads(done.out)["decisions"]
    return found


LOGS = {
    "unsplit": {"reward": curve(200.0, 0, 8)},
    "namespace": {"charts/episodic_return": curve(9.0, 0, 8), "losses/loss": curve(1.0, 0, 8)},
    "odd name": {'it\'s "my" reward, [€]': curve(200.0, 0, 8)},
    "training": {"train/acc": [(i, i / 10) for i in range(8)]},
}


@pytest.mark.parametrize("kind", LOGS)
def test_a_printed_line_makes_a_step_be_chosen_when_it_is_pasted(tmp_path, kind):
    write_scalars(tmp_path / "logs" / "run_seed0", LOGS[kind])
    open_ones = [d for d in inspected(tmp_path / "logs") if d["asks"]]
    asked = [d for d in open_ones if d["key"] != "metric.direction"]
    lines = [line for d in asked for line in d["answers"]]
    (tmp_path / "study.toml").write_text(lines[0] + "\n", encoding="utf-8")
    done = reportgen("build", "study.toml", "--runs", "logs", "--out", "r.json", cwd=tmp_path)
    assert done.code == 0, done.err
    report = json.loads((tmp_path / "r.json").read_bytes())
    assert report["groups"][0]["runs"][0]["best_step"] is not None
    assert not {d["key"] for d in asked} & {d["key"] for d in report["decisions"]}
    assert "as_logged" not in report


def test_init_writes_a_study_of_which_the_same_report_is_made(rewards, built):
    done = reportgen("init", "--runs", "logs", "--out", "study.toml", cwd=rewards)
    assert done.code == 0, done.err
    written = (rewards / "study.toml").read_text("utf-8")
    assert '# reward = "validation"' in written
    assert '# select_on = "validation"' in written
    done = reportgen("build", "study.toml", "--out", "again.json", cwd=rewards)
    assert done.code == 0, done.err
    before = json.loads((built[0] / "report.json").read_bytes())
    after = json.loads((rewards / "again.json").read_bytes())
    assert after["as_logged"]["metrics"] == before["as_logged"]["metrics"]
