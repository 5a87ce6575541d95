"""Families that differ in attention, positions and heads, each trained by one command."""

import json
import random

import pytest
import torch
import transformers
from fakes.command import reportgen
from fakes.languages import LORA, a_tokenizer
from fakes.planned import states
from fakes.rows import rows_beside

import reportgen as library

ROWS = rows_beside(__file__)

pytestmark = pytest.mark.training

SIZES = ROWS["sizes"]
FAMILIES = ROWS["families"]
STUDY = ROWS["study"]
GOOD, BAD = ("answer", "plus", "two"), ("what", "three", "question")


def write_data(folder, task):
    draw = random.Random(1)
    for split, count in {"train": 160, "validation": 32, "test": 32}.items():
        rows = []
        for _ in range(count):
            good = draw.random() < 0.5
            words = draw.choices(GOOD if good else BAD, k=draw.randint(2, 6))
            answer = "two" if good else "three"
            label = answer if task == "causal_lm" else int(good)
            rows.append({"text": " ".join(words), "label": label})
        lines = "".join(f"{json.dumps(row)}\n" for row in rows)
        (folder / f"{split}.jsonl").write_text(lines, encoding="utf-8")


@pytest.mark.parametrize("kind", FAMILIES)
def test_a_family_is_planned_trained_and_read_back(kind, tmp_path):
    task = "causal_lm" if kind == "qwen3" else "classification"
    torch.manual_seed(0)
    config = transformers.AutoConfig.for_model(kind, **SIZES, **FAMILIES[kind])
    maker = (
        transformers.AutoModelForCausalLM
        if task == "causal_lm"
        else transformers.AutoModelForMaskedLM
    )
    maker.from_config(config).save_pretrained(tmp_path / "model")
    a_tokenizer(tmp_path / "model")
    adapter = ""
    if task == "causal_lm":
        adapter = "adapter_config.json"
        values = {**LORA, "r": 8, "target_modules": "all-linear"}
        (tmp_path / adapter).write_text(json.dumps(values), encoding="utf-8")
    write_data(tmp_path, task)
    study = tmp_path / "study.toml"
    rate = 2e-2 if task == "causal_lm" else 2e-3
    study.write_text(STUDY.format(adapter=adapter, task=task, rate=rate), encoding="utf-8")
    assert set(states(study).values()) == {"missing"}

    done = reportgen("rerun", study, "--yes", cwd=tmp_path)

    assert done.code == 0, done.out + done.err
    assert set(states(study).values()) == {"done"}
    runs = [run for run in library.load(tmp_path / "reruns", study=study) if run.rerun]
    assert len(runs) == 2
    for run in runs:
        losses = [value for _, value in run.find("loss", "validation").points()]
        assert len(losses) == 4
        assert losses[-1] < losses[0] * 0.9, losses
        accuracies = [value for _, value in run.find("accuracy", "test").points()]
        assert accuracies[-1] > 0.8, accuracies
        weights = "adapter_model" if adapter else "model"
        assert (tmp_path / run.id / f"{weights}.safetensors").is_file()
    assert "nothing to train" in reportgen("rerun", study, "--yes", cwd=tmp_path).out.lower()
