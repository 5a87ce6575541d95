"""Published logs, which lie beside the checkout on some machines only, and their known answers.

The answers were found by their authors, or by hand; `tests/golden/labs` pins everything else.
"""

import pytest

import reportgen

BEST = [
    # logs, part of a run's name, metric, split, better, best value as told, steps that have it
    ("hf-trainer-agnews-lora", "run4", "accuracy", "validation", max, "0.91358", (800, 900, 1200)),
    ("hf-card-last-not-best", "", "wer", "validation", min, "0.7432", (3000,)),
    ("hf-card-control", "", "wer", "validation", min, "9.6159", (15000,)),
    ("hf-vit-two-metrics", "", "f1", "validation", max, "0.98709", (500,)),
    ("hf-vit-two-metrics", "", "loss", "validation", min, "0.04311", (500,)),
    ("lightning-versions/tb_logs", "version_3", "accuracy", "test", max, "0.8573", None),
    ("lightning-versions/tb_logs", "version_4", "accuracy", "test", max, "0.8667", None),
    ("lightning-versions/tb_logs", "version_5", "accuracy", "test", max, "0.8478", None),
    ("lightning-versions/tb_logs", "version_6", "accuracy", "test", max, "0.8686", None),
    ("lightning-versions/tb_logs", "version_7", "accuracy", "test", max, "0.8651", None),
    ("keras-tensor-scalars/Homework06", "Normalisation", "accuracy", "test", max, "0.8090", (11,)),
    ("keras-tensor-scalars/Homework06", "DenseMode", "accuracy", "test", max, "0.8005", (13,)),
    ("keras-tensor-scalars/Homework06", "Original", "accuracy", "test", max, "0.7973", (14,)),
    ("keras-tensor-scalars/Homework06", "/all/", "accuracy", "test", max, "0.2538", (7,)),
    ("keras-clean-pair", "", "accuracy", "test", max, "0.98335", (9,)),
    ("keras-clean-pair", "", "loss", "test", min, "0.054307", (5,)),
    ("rl-single-points", "train-step_4500_", "average_return", "validation", max, "4641.1", None),
    ("rl-single-points", "train-step_4500_", "std_return", "validation", max, "124.5", None),
]
FIRST_AT_1000 = {
    "pendulum_default": [61, 59, 55, 64, 58],
    "pendulum_discount": [62, 56, 42, 54, 44],
}
AT_490001 = {"_q2_dqn_1_": "8.04", "_q2_dqn_2_": "119.39", "_q2_dqn_3_": "-102.17"}
NAMED = [
    # logs, how many runs, words of a problem, how many files or tags have it
    ("rl-dqn-empty-files", 31, "0 bytes", 3),
    ("rl-ten-seeds", 27, "only the file's header", 1),
    ("rl-ten-seeds", 27, "71 of 100 values are NaN", 1),
    ("rl-ten-seeds", 27, "78 of 100 values are NaN", 1),
    ("hf-card-last-not-best", 1, "Git-LFS pointer", 7),
    ("lightning-versions/tb_logs", 5, "only the file's header", 3),
]
SIX = {
    ("RoBERTa_small_fr", 0): ([57, 65, 81, 77, 85.5], [60.5, 70.2, 80, 79.3, 81.4]),
    ("RoBERTa_small_fr", 1): ([62, 69, 80.5, 81, 84.5], [68.8, 75.6, 79.4, 81.1, 80.4]),
    ("RoBERTa_small_fr", 2): ([61.5, 70, 81.5, 84, 77.5], [63.1, 74.5, 79.4, 80.1, 80.4]),
    ("RoBERTa_small_fr_random", 0): ([50, 54, 62.5, 62, 67], [50, 55.8, 67.1, 65.5, 73.9]),
    ("RoBERTa_small_fr_random", 1): ([50.5, 60.5, 67.5, 65.5, 70], [51.5, 62.8, 69.2, 71.5, 73.9]),
    ("RoBERTa_small_fr_random", 2): ([50, 55.5, 62.5, 69.5, 71], [50, 56.9, 64.1, 71.2, 73.1]),
}


@pytest.fixture(scope="module")
def read(realdata):
    """Read each folder once."""
    found = {}

    def runs_of(name):
        if name not in found:
            found[name] = reportgen.load(realdata / name)
        return found[name]

    return runs_of


def points(run, metric, split):
    return list(run.find(metric, split).points())


@pytest.mark.parametrize(("logs", "part", "metric", "split", "better", "told", "steps"), BEST)
def test_the_best_value_is_the_known_one(read, logs, part, metric, split, better, told, steps):
    (run,) = [run for run in read(logs) if part in run.id]
    curve = points(run, metric, split)
    best = better(value for _, value in curve)
    decimals = len(told.partition(".")[2])
    assert f"{best:.{decimals}f}" == told
    assert steps is None or tuple(step for step, value in curve if value == best) == steps


@pytest.mark.parametrize("logs", ["fairseq-lab", "inputs"])
def test_six_fine_tunes_in_a_console_log_and_in_event_files(read, lab, logs):
    runs = reportgen.load(lab / "logs") if logs == "inputs" else read(logs)
    found = {
        (run.group, run.seed): tuple(
            [value for _, value in points(run, "accuracy", split)]
            for split in ("validation", "test")
        )
        for run in runs
        if run.layout.startswith("fairseq")
    }
    assert found == SIX


def test_maxima_with_many_ties(read):
    for part, first in FIRST_AT_1000.items():
        runs = [run for run in read("rl-ten-seeds") if part in run.id and run.seed]
        curves = [points(run, "average_return", "validation") for run in runs]
        assert [next(step for step, value in c if value == 1000) for c in curves] == first


@pytest.mark.parametrize("part", AT_490001)
def test_returns_at_a_step(read, part):
    (run,) = [run for run in read("rl-dqn-empty-files") if part in run.id]
    assert f"{dict(points(run, 'average_return', 'train'))[490001]:.2f}" == AT_490001[part]


@pytest.mark.parametrize(("logs", "count", "words", "times"), NAMED)
def test_what_is_wrong_with_files_is_named(read, logs, count, words, times):
    runs = read(logs)
    assert len(runs) == count
    assert sum(words in problem.message for problem in runs.all_problems()) == times
