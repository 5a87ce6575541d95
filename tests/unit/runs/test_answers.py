"""What is printed of a decision can be written into a study file, and gives the same again."""

import pytest

from reportgen.app.inspection import inspect
from reportgen.read.study.read import read_study
from reportgen.read.study.write import describe_decision
from reportgen.runs import assemble


@pytest.fixture(scope="module")
def samples(project):
    inputs = project / "inputs"
    return [
        inputs / "roberta-small-fr" / "logs",
        inputs / "roberta-small-fr" / "logs" / "sentence_prediction",
        inputs / "tiny-reviews-hf" / "logs",
    ]


def test_every_answer_is_accepted_and_settles_its_question(tmp_path, log, put_together):
    logs = [
        log(f"Adam/2022112{n}-140126/events.out.tfevents.{n}.h.{n}.0", {
            "eval/goodness": {10: 0.5, 20: 0.6 + n / 100},
            "evaluation/goodness": {10: 0.4, 20: 0.3},
            "train/epoch": {10: 1.0, 20: 2.0},
        })
        for n in range(3)
    ]  # fmt: skip
    _, study = put_together(*logs)
    asked = {decision.key: decision for decision in study.decisions if decision.asks}
    assert set(asked) == {
        "runs.repeats", "metric.direction", "metric.tags", "splits.names.eval",
        "splits.names.evaluation",
    }  # fmt: skip
    for key, decision in asked.items():
        for answer in describe_decision(decision)["answers"]:
            path = tmp_path / "study.toml"
            path.write_text(answer + "\n", encoding="utf-8")
            _, settled = assemble(logs, [], read_study(path), "lab")
            assert key not in {d.key for d in settled.decisions}, answer


def of_tasks(log, **results):
    return [
        log(f"{task}/seed1/a.tfevents.{task}", {
            f"eval/{metric}": {10: 0.5, 20: 0.6} for metric in metrics
        })
        for task, metrics in results.items()
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("results", "name", "others"),
    [
        ({"a": ["f1", "loss"], "b": ["wer", "loss"], "c": ["bleu", "loss"]}, "loss",
         {"f1", "wer", "bleu"}),
        ({"a": ["accuracy"], "b": ["rmse"], "c": ["accuracy"]}, "accuracy", {"rmse"}),
        ({"a": ["accuracy", "loss"], "b": ["accuracy", "loss", "f1"]}, "accuracy", None),
        ({"a": ["loss", "f1"], "b": ["loss"], "c": ["loss"]}, "loss", None),
    ],
)  # fmt: skip
def test_results_of_several_tasks_are_a_question(log, put_together, results, name, others):
    _, study = put_together(*of_tasks(log, **results))
    (decision,) = [d for d in study.decisions if d.key == "metric.name"]
    assert decision.value == name
    assert decision.asks == (others is not None)
    assert (others or set()) <= set(decision.alternatives)


def test_inspect_prints_the_same_lines(samples):
    found = inspect(samples[0])
    for decision in found["decisions"]:
        assert bool(decision["setting"]) == bool(decision["value"])
        assert len(decision["answers"]) == len(decision["alternatives"])
