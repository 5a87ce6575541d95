"""What is printed of a decision can be written into a study file, and gives the same again."""

import pytest

from reportgen.api.inspection import inspect
from reportgen.layouts._assemble import assemble
from reportgen.loaders._tree import load_tree
from reportgen.records.study import Study
from reportgen.studyfile.read import read_study
from reportgen.studyfile.settings import describe_decision

KEYS = {
    "runs.layout", "runs.pattern", "groups.*.seeds", "metric.name", "metric.direction",
    "metric.unit", "metric.select_on", "metric.report_on", "metric.tags", "splits.names.*",
    "epochs.steps_per_epoch",
}  # fmt: skip
"""Every key of which something is inferred from logs."""


def outcome(runs, study):
    """Return what of runs and study a statement must leave as it was."""
    rows = {(run.id, run.group, run.seed, run.layout) for run in runs}
    labels = {
        (run.id, key, series.metric, series.split, series.unit)
        for run in runs
        for key, series in run.scalars.items()
    }
    return rows, labels, study.metric, study.steps_per_epoch, set(study.groups)


def family(key):
    if key.startswith("groups."):
        return "groups.*.seeds"
    return "splits.names.*" if key.startswith("splits.names.") else key


@pytest.fixture(scope="module")
def samples(project):
    inputs = project / "inputs"
    return [
        inputs / "roberta-small-fr" / "logs",
        inputs / "roberta-small-fr" / "logs" / "sentence_prediction",
        inputs / "tiny-reviews-hf" / "logs",
    ]


def settings_of(folder, tmp_path):
    """Yield (decision, outcome before, outcome after its setting was stated, study)."""
    tree = load_tree(folder)
    before = assemble(tree.logs, tree.files, Study(), folder.name)
    for decision in before[1].decisions:
        told = describe_decision(decision)
        if told["setting"]:
            path = tmp_path / "study.toml"
            path.write_text(told["setting"] + "\n", encoding="utf-8")
            after = assemble(tree.logs, tree.files, read_study(path), folder.name)
            yield decision, outcome(*before), outcome(*after), after[1]


def check(folder, tmp_path):
    met = set()
    for decision, before, after, study in settings_of(folder, tmp_path):
        met.add(family(decision.key))
        same = [a == b for a, b in zip(before, after, strict=True)]
        if decision.key == "metric.tags":
            assert study.metric.tags
            same[2] = True  # the plan now says which
        assert all(same), (decision.key, decision.value, same)
        assert decision.key not in {d.key for d in study.decisions}
    return met


def test_what_is_printed_gives_the_same_again(samples, tmp_path):
    met = set()
    for folder in samples:
        met |= check(folder, tmp_path)
    assert met <= KEYS
    assert met >= KEYS - {"metric.tags"}


def test_every_answer_is_accepted_and_settles_its_question(tmp_path, log, put_together):
    logs = [
        log(f"Adam/2022112{n}-140126/events.out.tfevents.{n}.h.{n}.0", {
            "eval/goodness": {10: 0.5, 20: 0.6 + n / 100},
            "evaluation/goodness": {10: 0.4, 20: 0.3},
            "train/epoch": {10: 1.0, 20: 2.0} if n else {10: 2.0, 20: 4.0},
        })
        for n in range(3)
    ]  # fmt: skip
    _, study = put_together(*logs)
    asked = {decision.key: decision for decision in study.decisions if decision.asks}

    assert set(asked) == {
        "runs.pattern", "metric.direction", "metric.tags", "splits.names.eval",
        "splits.names.evaluation", "epochs.steps_per_epoch",
    }  # fmt: skip
    for key, decision in asked.items():
        for answer in describe_decision(decision)["answers"]:
            path = tmp_path / "study.toml"
            path.write_text(answer + "\n", encoding="utf-8")
            _, settled = assemble(logs, [], read_study(path), "lab")
            assert key not in {d.key for d in settled.decisions}, answer


def test_inspect_prints_the_same_lines(samples):
    found = inspect(samples[0])
    for decision in found["decisions"]:
        assert bool(decision["setting"]) == bool(decision["value"])
        assert len(decision["answers"]) == len(decision["alternatives"])
