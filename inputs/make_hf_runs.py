"""Train the tiny Hugging Face runs of both sample labs.

A RoBERTa of 21 thousand parameters learns, from scratch, whether a made-up book review is
favourable. Training is real (`transformers.Trainer`); texts, sizes and labels are made
here from a seed. Accuracies repeat on the same versions; wall times do not.

    python make_hf_runs.py         # needs torch, transformers, accelerate, tensorboard
"""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import (
    EvalPrediction,
    RobertaConfig,
    RobertaForSequenceClassification,
    Trainer,
    TrainingArguments,
    set_seed,
)

HERE = Path(__file__).resolve().parent
LENGTH = 20
SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
SUBJECTS = (
    "story",
    "plot",
    "ending",
    "style",
    "author",
    "hero",
    "translation",
    "novel",
    "dialogue",
)
GOOD = ("moving", "gripping", "funny", "clever", "rich", "tender", "vivid", "honest", "subtle")
BAD = ("dull", "flat", "slow", "clumsy", "empty", "confused", "pompous", "lifeless", "dated")
NEUTRAL = ("long", "short", "famous", "modern", "strange", "simple", "quiet", "serious", "dense")
DEGREES = ("very", "rather", "quite", "truly", "often", "always")
OPENINGS = ("in this book", "once again", "for my part", "to be fair", "as a gift", "on the train")
# One label in sixteen is drawn at random: reviewers and their stars do not always agree.
NOISE = 1 / 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One run: where it goes and how it is trained."""

    folder: Path
    seed: int
    rate: float
    epochs: int
    batch: int
    sizes: Mapping[str, int]


def clause(draw: random.Random, *, favourable: bool) -> str:
    """Return one judgement, one time in three by negation of its opposite."""
    negated = draw.random() < 1 / 3
    adjective = draw.choice(GOOD if favourable != negated else BAD)
    verb = "is not" if negated else "is"
    return f"the {draw.choice(SUBJECTS)} {verb} {draw.choice(DEGREES)} {adjective}"


def review(draw: random.Random) -> tuple[str, int]:
    """Return a review and its label: 1 is favourable."""
    favourable = draw.random() < 0.5
    remark = f"the {draw.choice(SUBJECTS)} is {draw.choice(DEGREES)} {draw.choice(NEUTRAL)}"
    parts = [clause(draw, favourable=favourable), remark]
    draw.shuffle(parts)
    label = draw.randrange(2) if draw.random() < NOISE else int(favourable)
    return f"{draw.choice(OPENINGS)} {' and '.join(parts)}", label


def vocabulary() -> dict[str, int]:
    """Return every word that a review can hold, with its id."""
    phrases = (*SUBJECTS, *GOOD, *BAD, *NEUTRAL, *DEGREES, *OPENINGS, "the is not and")
    words = sorted({word for phrase in phrases for word in phrase.split()})
    return {word: index for index, word in enumerate((*SPECIAL, *words))}


def make_config(words: int) -> RobertaConfig:
    """Return the configuration of every model of the samples, by the size of its vocabulary."""
    return RobertaConfig(
        vocab_size=words,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=LENGTH + 2,
        type_vocab_size=1,
        num_labels=2,
        initializer_range=0.15,  # about 1 / sqrt(width); 0.02 is for models of full width
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )


class Reviews(torch.utils.data.Dataset[dict[str, torch.Tensor]]):
    """Reviews as padded token ids; each split has a seed of its own."""

    def __init__(self, size: int, seed: int, words: Mapping[str, int]) -> None:
        draw = random.Random(seed)  # noqa: S311 -- sentences, not secrets
        self.rows = [self._encode(*review(draw), words) for _ in range(size)]

    @staticmethod
    def _encode(text: str, label: int, words: Mapping[str, int]) -> dict[str, torch.Tensor]:
        ids = [words["<s>"], *(words[word] for word in text.split()), words["</s>"]]
        padding = LENGTH - len(ids)
        return {
            "input_ids": torch.tensor(ids + [words["<pad>"]] * padding),
            "attention_mask": torch.tensor([1] * len(ids) + [0] * padding),
            "labels": torch.tensor(label),
        }

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> dict[str, torch.Tensor]:
        return self.rows[index]


class LabTrainer(Trainer):
    """A Trainer that looks at the test split whenever it looks at the validation split."""

    def __init__(self, *, test_set: Reviews, **keywords: Any) -> None:
        super().__init__(**keywords)
        self.test_set = test_set

    def evaluate(self, *arguments: Any, **keywords: Any) -> dict[str, float]:
        """Evaluate on validation (`eval/...`), then on test (`test/...`)."""
        metrics = super().evaluate(*arguments, **keywords)
        super().evaluate(self.test_set, metric_key_prefix="test")
        return metrics


def accuracy(prediction: EvalPrediction) -> dict[str, float]:
    """Return the fraction of right answers."""
    return {"accuracy": float((prediction.predictions.argmax(-1) == prediction.label_ids).mean())}


def settings(plan: Plan, output: Path) -> TrainingArguments:
    """Return what the Trainer is told."""
    return TrainingArguments(
        output_dir=str(output),
        seed=plan.seed,
        learning_rate=plan.rate,
        num_train_epochs=plan.epochs,
        per_device_train_batch_size=plan.batch,
        per_device_eval_batch_size=100,
        warmup_steps=0.06,
        lr_scheduler_type="linear",
        eval_strategy="epoch",
        logging_strategy="epoch",
        save_strategy="no",
        report_to=["tensorboard"],
        use_cpu=True,
        disable_tqdm=True,
    )


def train(plan: Plan) -> None:
    """Train one run and keep its logs, states and results."""
    shutil.rmtree(plan.folder, ignore_errors=True)
    words = vocabulary()
    splits = {
        name: Reviews(size, 1000 + index, words)
        for index, (name, size) in enumerate(plan.sizes.items())
    }
    set_seed(plan.seed)
    trainer = LabTrainer(
        model=RobertaForSequenceClassification(make_config(len(words))),
        args=settings(plan, Path(plan.folder.name)),
        train_dataset=splits["train"],
        eval_dataset=splits["validation"],
        test_set=splits["test"],
        compute_metrics=accuracy,
    )
    result = trainer.train()
    trainer.save_metrics("train", result.metrics)
    predictions = trainer.predict(splits["test"], metric_key_prefix="predict")
    trainer.save_metrics("predict", predictions.metrics or {})
    trainer.save_state()
    trainer.model.config.to_json_file(Path(plan.folder.name) / "config.json")
    shutil.move(plan.folder.name, plan.folder)
    best = max(row.get("eval_accuracy", 0.0) for row in trainer.state.log_history)
    parameters = sum(p.numel() for p in trainer.model.parameters())
    print(json.dumps({"run": str(plan.folder.relative_to(HERE)), "best": best, "n": parameters}))


def plans() -> list[Plan]:
    """Return every run of both labs."""
    lab = {"train": 1800, "validation": 200, "test": 2000}
    tiny = {"train": 960, "validation": 240, "test": 480}
    return [
        *(
            Plan(
                folder=HERE / f"roberta-small-fr/logs/huggingface/tiny_roberta/{seed}",
                seed=seed,
                rate=5e-4,
                epochs=5,
                batch=8,
                sizes=lab,
            )
            for seed in range(3)
        ),
        *(
            Plan(
                folder=HERE / f"tiny-reviews-hf/logs/tiny-roberta-lr{name}-seed{seed}",
                seed=seed,
                rate=float(name),
                epochs=6,
                batch=16,
                sizes=tiny,
            )
            for name in ("1e-3", "3e-4")
            for seed in range(3)
        ),
    ]


def main() -> None:
    """Train every run in an empty folder, so that no path of this machine is logged."""
    socket.gethostname = lambda: "lab"
    torch.set_num_threads(1)
    for plan in plans():
        plan.folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory() as empty:
            os.chdir(empty)
            train(plan)
            os.chdir(HERE)


if __name__ == "__main__":
    main()
