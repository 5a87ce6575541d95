"""Summaries and settings that Weights & Biases keeps beside a run, and Lightning's command line."""

import json

import pytest

from reportgen.read.logs.settings import load_config_yaml
from reportgen.read.logs.wandb_run import NO_STEP, load_wandb_summary


@pytest.fixture
def load(tmp_path):
    def from_values(summary):
        path = tmp_path / "wandb-summary.json"
        path.write_text(json.dumps(summary))
        (log,) = load_wandb_summary(path, path.name)
        return log

    return from_values


@pytest.fixture
def settings(tmp_path):
    def from_text(text, name="config.yaml"):
        path = tmp_path / "config.yaml"
        path.write_text(text)
        return load_config_yaml(path, name)

    return from_text


def test_one_point_a_key_at_the_last_step(load):
    log = load(
        {"_step": 7, "_timestamp": 1e9, "_runtime": 3, "_wandb": {"runtime": 3}, "loss": 0.5,
         "val": {"acc": {"max": 0.75}}, "hist": {"_type": "histogram"}}
    )  # fmt: skip
    assert {tag: list(s.points()) for tag, s in log.series.items()} == {
        "loss": [(7, 0.5)], "val.acc.max": [(7, 0.75)], "_runtime": [(7, 3.0)],
    }  # fmt: skip
    assert log.series["loss"].wall_times.tolist() == [1e9]
    assert [(p.level, p.message) for p in log.problems] == [
        ("note", "1 logged value is no number and is not read (hist)")
    ]


def test_a_step_that_is_not_stated(load):
    assert load({"loss": 0.5}).series["loss"].steps.tolist() == [NO_STEP]


@pytest.mark.parametrize(
    "summary", [{}, {"_wandb": {"runtime": 0}}, {"_runtime": 3}, {"note": "x"}]
)
def test_a_summary_without_numbers_is_no_warning(load, summary):
    log = load(summary)
    assert log.series == {}
    assert [(p.level, p.message) for p in log.problems] == [("note", "no number in it")]


def test_settings_are_taken_out_of_their_wrapping(settings):
    (log,) = settings(
        "wandb_version: 1\n\n_wandb:\n  desc: null\n  value: {cli_version: 0.15}\n"
        "lr:\n  desc: null\n  value: 1.0e-05\nmodel:\n  desc: x\n  value:\n    layers: 4\n"
    )
    assert log.config == {"lr": 1e-05, "model.layers": 4}


def test_settings_of_a_command_line(settings):
    (log,) = settings("seed_everything: 42\ntrainer:\n  max_epochs: 3\nmodel: {width: 8}\n")
    assert log.config == {"seed_everything": 42, "trainer.max_epochs": 3, "model.width": 8}


@pytest.mark.parametrize("text", ["- 1\n", ""])
def test_other_files_of_the_name_are_no_settings_of_a_run(settings, text):
    assert settings(text) == ()


@pytest.mark.parametrize("text", ["wandb_version: 1\nlr: [1\n", "\t%"])
def test_settings_that_cannot_be_parsed_are_named(settings, text):
    (log,) = settings(text)
    assert "not valid YAML" in log.problems[0].message
