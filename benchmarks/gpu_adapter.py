"""LoRA on a language model of BLOOM's shape: what `benchmarks/gpu.py` times of adapters."""

from __future__ import annotations

import csv
import itertools
import json
import random
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch

from benchmarks.gpu_ways import WARM, wait
from reportgen.records.job import Job, Member
from reportgen.records.study import DataPlan, TrainPlan
from reportgen.train.engine.assembly import assemble
from reportgen.train.engine.course import data_order

_BLOOM = {"vocab_size": 250_880, "hidden_size": 1024, "n_layer": 24, "n_head": 16}
_TINY = {"vocab_size": 320, "hidden_size": 32, "n_layer": 2, "n_head": 2}
_WORDS = 300
_RUNS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageLab:
    """Questions, answers, a base with random weights and an adapter's configuration.

    Attributes:
        base: Hugging Face folder.
        adapter: Path of an `adapter_config.json`.
        plan: Hyperparameters and data.
    """

    base: Path
    adapter: Path
    plan: TrainPlan


def make_language_lab(home: Path, *, tiny: bool) -> LanguageLab:
    """Write data, base and adapter; the base has BLOOM-560m's sizes, or small ones."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import BloomConfig, BloomForCausalLM, PreTrainedTokenizerFast

    base, longest = home / "base", 24 if tiny else 256
    words = ["<pad>", "</s>", "<unk>", "Q:", "A:", *(f"w{k}" for k in range(_WORDS))]
    inner = Tokenizer(
        models.WordLevel({word: k for k, word in enumerate(words)}, unk_token="<unk>")  # noqa: S106
    )
    inner.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"  # noqa: S106
    ).save_pretrained(base)  # fmt: skip
    torch.manual_seed(0)
    config = BloomConfig(**(_TINY if tiny else _BLOOM), pad_token_id=0, eos_token_id=1)
    with torch.device("cuda" if torch.cuda.is_available() else "cpu"):
        model = BloomForCausalLM(config)
    model.cpu().save_pretrained(base)
    draw = random.Random(3)  # noqa: S311 -- sentences, not secrets
    files = {}
    for split, count in (("train", 24 if tiny else 1000), ("validation", 8)):
        files[split] = str(home / f"{split}.csv")
        with (home / f"{split}.csv").open("w", newline="", encoding="utf-8") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(("text", "label"))
            for _ in range(count):
                asked = [f"w{draw.randrange(_WORDS)}" for _ in range(draw.randint(4, longest // 2))]
                writer.writerow((" ".join(asked), " ".join(asked[: longest // 2 - 4])))
    adapter = home / "adapter_config.json"
    lora = {"peft_type": "LORA", "task_type": "CAUSAL_LM", "r": 16, "lora_alpha": 32}
    lora |= {"lora_dropout": 0.05, "target_modules": ["query_key_value"], "bias": "none"}
    adapter.write_text(json.dumps(lora), encoding="utf-8")
    plan = TrainPlan(
        task="causal_lm",
        data=DataPlan(files=files, prompt="Q: {text} A: {label}"),
        tokenizer=str(base),
        max_length=longest,
        learning_rate=2e-4,
        keep="none",
    )
    return LanguageLab(base=base, adapter=adapter, plan=plan)


def time_language(lab: LanguageLab, device: str, steps: int, **changes: Any) -> dict[str, Any]:
    """Return the seconds of an update and run by our engine, for some blocks of updates."""
    members = tuple(
        Member(
            group="lora", seed=seed, start=str(lab.base), adapter=str(lab.adapter),
            place=f"lora/{seed}", key=str(seed),
        )
        for seed in range(_RUNS)
    )  # fmt: skip
    begun = time.perf_counter()
    plan = replace(lab.plan, **changes)
    engine = assemble(Job(id="lora", members=members, train=plan, device=device)).engine
    loaded = time.perf_counter() - begun
    orders = [data_order(seed, 0, engine.train_size()) for seed in range(_RUNS)]
    batch, blocks, losses = plan.batch_size, [], []
    for turn, count in enumerate((3, steps, steps, steps)):
        wait(device)
        begun = time.perf_counter()
        for k in range(count):
            place = (turn * steps + k) * batch % (engine.train_size() - batch)
            losses.append(engine.step([own[place : place + batch] for own in orders], 2e-4))
        wait(device)
        blocks.append((time.perf_counter() - begun) / count / _RUNS)
    return {"seconds": blocks[1:], "loading": loaded, "losses": [losses[0], losses[-1]]}


def time_language_trainer(lab: LanguageLab, device: str, steps: int) -> dict[str, Any]:
    """Return the seconds of an update by the Hugging Face Trainer with PEFT, in bfloat16."""
    from peft import LoraConfig, get_peft_model
    from transformers import (
        AutoModelForCausalLM,
        AutoTokenizer,
        DataCollatorForLanguageModeling,
        Trainer,
        TrainerCallback,
        TrainingArguments,
    )

    marks: list[float] = []

    class Clock(TrainerCallback):
        def on_step_end(self, _args: Any, state: Any, *_: Any, **__: Any) -> None:
            past = state.global_step - WARM
            if past >= 0 and past % steps == 0:
                wait(device)
                marks.append(time.perf_counter())

    tokenizer = AutoTokenizer.from_pretrained(lab.base)
    with Path(lab.plan.data.files["train"]).open(encoding="utf-8") as stream:
        texts = [f"Q: {row['text']} A: {row['label']} </s>" for row in csv.DictReader(stream)]
    rows = [{"input_ids": ids[: lab.plan.max_length]} for ids in tokenizer(texts)["input_ids"]]
    model = get_peft_model(
        AutoModelForCausalLM.from_pretrained(lab.base, dtype=torch.float32),
        LoraConfig(
            r=16, lora_alpha=32, lora_dropout=0.05, target_modules=["query_key_value"],
            task_type="CAUSAL_LM",
        ),
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        trainer = Trainer(
            model=model,
            args=TrainingArguments(
                output_dir=folder,
                max_steps=WARM + 3 * steps,
                per_device_train_batch_size=lab.plan.batch_size,
                learning_rate=2e-4,
                bf16=True,
                use_cpu=device == "cpu",
                save_strategy="no",
                report_to=[],
                disable_tqdm=True,
            ),
            train_dataset=rows,
            data_collator=DataCollatorForLanguageModeling(tokenizer, mlm=False),
            callbacks=[Clock()],
        )
        trainer.train()
    return {"seconds": [(b - a) / steps for a, b in itertools.pairwise(marks)]}
