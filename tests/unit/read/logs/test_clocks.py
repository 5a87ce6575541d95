"""CSV logs whose steps are called otherwise: what counts is the step, what lists things is none."""

import numpy as np
import pytest

from reportgen.read.logs import load_tree
from reportgen.read.logs.rows import load_metrics_csv
from reportgen.records.study import Study, TablePlan
from reportgen.runs import assemble

SB3 = "time/fps,time/iterations,time/total_timesteps,rollout/ep_rew_mean,eval/mean_reward\n"
STEPS = np.arange(1, 6) * 2048


def _load(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return load_metrics_csv(path, path.name)


def test_timesteps_of_stable_baselines_are_steps(tmp_path):
    rows = "".join(f"987,{n},{step},{n / 2},{n / 4}\n" for n, step in enumerate(STEPS))
    (log,) = _load(tmp_path / "progress.csv", SB3 + rows)
    assert log.series["eval/mean_reward"].steps.tolist() == STEPS.tolist()
    assert log.series["eval/mean_reward"].values.tolist() == [n / 4 for n in range(5)]
    assert "time/total_timesteps" not in log.series
    assert log.counted == TablePlan(step="time/total_timesteps")


@pytest.mark.parametrize(
    "name",
    [
        "timesteps",
        "total_timesteps",
        "env_steps",
        "num_timesteps",
        "kimg",
        "Frames",
        "frame",
        "server_round",
        "Generation",
    ],
)
def test_what_counts_is_the_step(name, tmp_path):
    (log,) = _load(tmp_path / "history.csv", f"{name},fid\n0,9.5\n50,8.5\n100,7.5\n")
    assert list(log.series["fid"].points()) == [(0, 9.5), (50, 8.5), (100, 7.5)]


@pytest.mark.parametrize("name", ["step", "epoch", "iter"])
def test_a_step_by_name_goes_before_it(name, tmp_path):
    (log,) = _load(tmp_path / "history.csv", f"frames,{name},fid\n4,1,9.5\n8,2,8.5\n")
    assert log.series["fid"].steps.tolist() == [1, 2]
    assert log.counted is None


def test_a_round_counts_where_something_is_measured(tmp_path):
    assert _load(tmp_path / "cup.csv", "round,points,rank\n1,25,1\n2,18,2\n3,25,1\n") == ()
    (log,) = _load(tmp_path / "server.csv", "round,test_acc\n1,0.5\n2,0.6\n")
    assert list(log.series["test_acc"].points()) == [(1, 0.5), (2, 0.6)]


def test_rounds_of_matches_are_no_steps(tmp_path):
    rows = [f"{n // 4},home {n},away {n},{n % 3}" for n in range(40)]
    text = "\n".join(["round,home_team,away_team,score", *rows, ""])
    assert _load(tmp_path / "matches.csv", text) == ()


@pytest.mark.parametrize("cells", ["300 20 500 9 700", "5 5 5 5", "0.5 1.5 2.5"])
def test_what_does_not_count_is_no_step(cells, tmp_path):
    rows = "".join(f"{cell},0.5\n" for cell in cells.split())
    assert _load(tmp_path / "films.csv", "frames,score\n" + rows) == ()


def test_each_frame_of_a_film_is_no_step(tmp_path):
    rows = "".join(f"{n // 2},0.5\n" for n in range(8))
    assert _load(tmp_path / "tracks.csv", "frame,score\n" + rows) == ()


def _decided(folder):
    tree = load_tree(folder)
    _, study = assemble(tree.logs, tree.files, Study(), "lab")
    return next(one for one in study.decisions if one.key == "logs.tables")


def test_it_stands_among_what_was_inferred(tmp_path):
    text = "kimg,fid\n0,9.5\n50,8.5\n"
    for run in ("a", "b"):
        _load(tmp_path / run / "history.csv", text)
    decision = _decided(tmp_path)
    assert decision.value == '{match = "*/history.csv", step = "kimg"}'
    assert "1 more files: kimg is taken for the step" in decision.reason


def test_a_pattern_takes_in_no_file_that_has_a_step(tmp_path):
    for run in ("a", "b"):
        _load(tmp_path / run / "log.csv", f"kimg,fid\n0,9.5\n{50 + ord(run)},8.5\n")
    _load(tmp_path / "c" / "log.csv", "step,fid\n0,9.5\n7,8.5\n")
    assert _decided(tmp_path).value.count("match") == 2
