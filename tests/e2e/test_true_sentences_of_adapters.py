"""Single true sentences about fine-tuned adapters, in English and French; twins are accused.

The groups are called by their rank (`lora-r8`), and losses are printed with three decimals, which
a comma parts in French. What is true is computed by NumPy from the curves that are written.
"""

# ruff: noqa: E501 -- sentences keep their own lines
from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from fakes.judged import LOUD, findings_of
from fakes.right._right import write_tags

from reportgen.api.evidence import EvidencePaths

EACH = 200
LOSS = {
    "lora-r8": {
        0: [1.5734, 1.4711, 1.5024],
        1: [1.5816, 1.4748, 1.5102],
        2: [1.5778, 1.4628, 1.4957],
    },
    "lora-r64": {
        0: [1.5207, 1.4303, 1.4488],
        1: [1.5311, 1.4264, 1.4613],
        2: [1.5268, 1.4281, 1.4536],
        3: [1.5189, 1.4077, 1.4432],
    },
}
TRAIN = {
    g: {s: [round(v - 0.157, 4) for v in c] for s, c in runs.items()} for g, runs in LOSS.items()
}
R8, R64 = (float(np.mean([c[1] for c in LOSS[g].values()])) for g in ("lora-r8", "lora-r64"))


def fr(value: float) -> str:
    return f"{value:.3f}".replace(".", ",")


NAMED = (
    ("lora-r8: n = 3; lora-r64: n = 4.", None),
    ("lora-r8: 3 seeds, lora-r64: 4 seeds.", "lora-r8: 3 seeds, lora-r64: 5 seeds."),
    ("lora-r8 (n = 3), lora-r64 (n = 4)", None),
    ("We ran lora-r8 three times and LoRA-r64 four times.", None),
    ("Seeds per configuration: lora-r8 3, lora-r64 4.", None),
    ("lora-r8/seed_1 and lora-r64/seed_2 use the same data.", None),
    ("The adapter of lora-r64 has r = 64.", "The adapter of lora-r64 has r = 32."),
    ("lora-r64 uses rank 64 and alpha 128.", "lora-r64 uses rank 16 and alpha 128."),
    ("Our LoRA adapter has r=64.", "Our LoRA adapter has r=8."),
    (
        f"The mean validation loss at step 400 is {R8:.3f} for lora-r8 and {R64:.3f} for lora-r64.",
        f"The mean validation loss at step 400 is {R8:.3f} for lora-r8 and {R64 + 0.02:.3f} for lora-r64.",
    ),
)


SPOKEN = (
    (
        f"La perte moyenne de validation de lora-r8 au pas 400 est de {fr(R8)} et celle de lora-r64 de {fr(R64)}.",
        f"La perte moyenne de validation de lora-r8 au pas 400 est de {fr(R8)} et celle de lora-r64 de {fr(R64 + 0.1)}.",
    ),
    (
        f"La perte de validation de lora-r64 est minimale au pas 400 : {fr(R64)} en moyenne sur quatre graines.",
        f"La perte de validation de lora-r64 est minimale au pas 400 : {fr(R64 + 0.01)} en moyenne sur quatre graines.",
    ),
    (
        f"La perte de validation de lora-r8, graine 1, est de {fr(LOSS['lora-r8'][1][1])} au pas 400.",
        f"La perte de validation de lora-r8, graine 1, est de {fr(LOSS['lora-r8'][1][1] + 0.03)} au pas 400.",
    ),
    (
        f"La perte d'entraînement de lora-r64 avec la graine 3 est de {fr(TRAIN['lora-r64'][3][2])} à la fin.",
        None,
    ),
    # A number of an English sentence whose comma is decimal all the same.
    (
        f"The mean validation loss of lora-r64 at step 400 is {fr(R64)}.",
        f"The mean validation loss of lora-r64 at step 400 is {fr(R64 + 0.02)}.",
    ),
)


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("adapters")
    write_tags(folder / "logs", {"val/loss": LOSS, "train/loss": TRAIN}, EACH)
    settings = {"peft_type": "LORA", "r": 64, "lora_alpha": 128, "target_modules": ["q_proj"]}
    (folder / "adapter_config.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder


def loud(logs: Path, sentence: str, name: str) -> list[str]:
    evidence = EvidencePaths(runs=logs / "logs", adapter=logs / "adapter_config.json")
    found = findings_of(sentence, logs / f"{name}.md", evidence)
    return [f.message for f in found if f.level in LOUD]


@pytest.mark.parametrize("sentence", [right for right, _ in (*NAMED, *SPOKEN)])
def test_a_true_sentence_is_accused_of_nothing(sentence, logs):
    assert loud(logs, sentence, "right") == []


@pytest.mark.parametrize("sentence", [wrong for _, wrong in (*NAMED, *SPOKEN) if wrong])
def test_its_twin_with_another_number_is_seen(sentence, logs):
    assert loud(logs, sentence, "wrong") != []
