"""Make the sample grid: texts, a pretrained model, and six fine-tunes by the Hugging Face Trainer.

The task is that of `make_hf_runs.py`: is a made-up book review favourable? Here its texts lie in
files, a model of 21 thousand parameters is first pretrained to fill in masked words, and then
fine-tuned from there and from a random start, three seeds each. `reportgen rerun` trains
missing cells of this grid from the same files. Accuracies repeat on the same versions; wall
times do not.

    python make_grid.py            # needs the extra `train`; about two minutes on one core
"""

from __future__ import annotations

import csv
import os
import random
import shutil
import socket
import tempfile
from pathlib import Path
from typing import Any

import torch
from make_hf_runs import (
    OPENINGS,
    SPECIAL,
    LabTrainer,
    accuracy,
    clause,
    make_config,
    review,
    vocabulary,
)
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import (
    AutoTokenizer,
    PreTrainedTokenizerFast,
    RobertaForMaskedLM,
    RobertaForSequenceClassification,
    TrainingArguments,
    set_seed,
)

HOME = Path(__file__).resolve().parent / "tiny-grid"
SIZES = {"train": 960, "validation": 240, "test": 480}
SEEDS = (0, 1, 2)
MASKED = 0.15
PRETRAINING_STEPS = 4000


def write_texts() -> None:
    """Write the examples of each split; each has a seed of its own."""
    (HOME / "data").mkdir(parents=True, exist_ok=True)
    for index, (split, size) in enumerate(SIZES.items()):
        draw = random.Random(2000 + index)  # noqa: S311 -- sentences, not secrets
        with (HOME / f"data/{split}.csv").open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(("text", "label"))
            writer.writerows(review(draw) for _ in range(size))


def make_tokenizer() -> PreTrainedTokenizerFast:
    """Return a tokenizer of whole words."""
    words = {**vocabulary(), "<mask>": len(vocabulary())}
    inner = Tokenizer(models.WordLevel(words, unk_token="<unk>"))  # noqa: S106 -- not a secret
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    inner.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    names = ("bos_token", "pad_token", "eos_token", "unk_token", "mask_token")
    tokens = dict(zip(names, (*SPECIAL, "<mask>"), strict=True))
    return PreTrainedTokenizerFast(tokenizer_object=inner, **tokens)


def agreeing(draw: random.Random) -> str:
    """Return a text of two judgements that agree: what there is to learn about polarity."""
    favourable = draw.random() < 0.5
    parts = [clause(draw, favourable=favourable) for _ in range(2)]
    return f"{draw.choice(OPENINGS)} {' and '.join(parts)}"


def pretrain(tokenizer: PreTrainedTokenizerFast) -> None:
    """Write `model/`: a model that has learnt to fill in masked words of reviews."""
    torch.manual_seed(0)
    draw = random.Random(1)  # noqa: S311 -- sentences, not secrets
    model = RobertaForMaskedLM(make_config(len(tokenizer)))
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for _ in range(PRETRAINING_STEPS):
        rows = tokenizer([agreeing(draw) for _ in range(32)], padding=True, return_tensors="pt")
        ids, live = rows["input_ids"], rows["attention_mask"]
        hidden = (torch.rand(ids.shape) < MASKED) & (ids >= len(SPECIAL))
        labels = ids.masked_fill(~hidden, -100)
        masked = ids.masked_fill(hidden, tokenizer.mask_token_id)
        loss = model(masked, attention_mask=live, labels=labels).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    print(f"pretrained: masked-word loss {loss.item():.3f}")
    shutil.rmtree(HOME / "model", ignore_errors=True)
    model.save_pretrained(HOME / "model")
    tokenizer.save_pretrained(HOME / "model")


class Rows(torch.utils.data.Dataset[dict[str, Any]]):
    """The examples of one split, tokenised."""

    def __init__(self, split: str, tokenizer: PreTrainedTokenizerFast) -> None:
        with (HOME / f"data/{split}.csv").open(encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        encoded = tokenizer([row["text"] for row in rows])
        self.rows = [
            {"input_ids": ids, "attention_mask": [1] * len(ids), "labels": int(row["label"])}
            for ids, row in zip(encoded["input_ids"], rows, strict=True)
        ]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, index: int) -> dict[str, Any]:
        return self.rows[index]


def make_trainer(
    group: str, seed: int, tokenizer: PreTrainedTokenizerFast, folder: Path
) -> LabTrainer:
    """Return the Trainer of one cell of the grid."""
    set_seed(seed)
    if group == "random":
        model = RobertaForSequenceClassification(make_config(len(tokenizer)))
    else:
        model = RobertaForSequenceClassification.from_pretrained(HOME / "model", num_labels=2)
    return LabTrainer(
        model=model,
        args=TrainingArguments(
            output_dir=str(folder),
            seed=seed,
            learning_rate=5e-4,
            num_train_epochs=5,
            per_device_train_batch_size=8,
            per_device_eval_batch_size=60,
            warmup_steps=0.06,
            lr_scheduler_type="linear",
            eval_strategy="epoch",
            logging_steps=24,
            save_strategy="no",
            report_to=["tensorboard"],
            use_cpu=True,
            disable_tqdm=True,
        ),
        train_dataset=Rows("train", tokenizer),
        eval_dataset=Rows("validation", tokenizer),
        test_set=Rows("test", tokenizer),
        processing_class=tokenizer,
        compute_metrics=accuracy,
    )


def fine_tune(group: str, seed: int, tokenizer: PreTrainedTokenizerFast) -> None:
    """Train one cell of the grid, and keep its logs and results."""
    name = f"{group}-seed{seed}"
    trainer = make_trainer(group, seed, tokenizer, Path(name))
    trainer.train()
    trainer.save_state()
    shutil.rmtree(HOME / "logs" / name, ignore_errors=True)
    shutil.move(name, HOME / "logs" / name)
    history = trainer.state.log_history
    print(name, [round(row["eval_accuracy"], 4) for row in history if "eval_accuracy" in row])


def main() -> None:
    """Make everything in an empty folder, so that no path of this machine is logged."""
    socket.gethostname = lambda: "lab"
    torch.set_num_threads(1)
    write_texts()
    pretrain(make_tokenizer())
    make_config(len(vocabulary()) + 1).to_json_file(HOME / "random.json")
    tokenizer = AutoTokenizer.from_pretrained(HOME / "model")
    (HOME / "logs").mkdir(exist_ok=True)
    for group in ("pretrained", "random"):
        for seed in SEEDS:
            with tempfile.TemporaryDirectory() as empty:
                os.chdir(empty)
                fine_tune(group, seed, tokenizer)
                os.chdir(HOME)


if __name__ == "__main__":
    main()
