"""A small BLOOM, a tokenizer, an adapter and arithmetic to learn."""

import json
from pathlib import Path
from typing import Any

import tokenizers
import torch
import transformers

from reportgen.records.job import Job, Member
from reportgen.records.study import DataPlan, TrainPlan

VOCABULARY = 300
LORA: dict[str, Any] = {
    "peft_type": "LORA",
    "task_type": "CAUSAL_LM",
    "r": 4,
    "lora_alpha": 8,
    "lora_dropout": 0.0,
    "target_modules": ["query_key_value"],
    "bias": "none",
}


def a_bloom(folder: Path, seed: int = 0, **changes: Any) -> Path:
    """Write a folder with a random BLOOM and its tokenizer."""
    sizes = {"vocab_size": VOCABULARY, "hidden_size": 16, "n_layer": 2, "n_head": 2}
    drops = {"hidden_dropout": 0.0, "attention_dropout": 0.0}
    config = transformers.BloomConfig(**{**sizes, **drops, "initializer_range": 0.1, **changes})
    torch.manual_seed(seed)
    transformers.BloomForCausalLM(config).save_pretrained(folder)
    a_tokenizer(folder)
    return folder


def a_tokenizer(folder: Path, *, end: bool = True, begin: bool = False) -> Any:
    """Write a byte-level tokenizer with some merges, as BLOOM's is."""
    own = tokenizers.Tokenizer(tokenizers.models.BPE())
    own.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    own.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=VOCABULARY,
        special_tokens=["<unk>", "<s>", "</s>", "<pad>"],
        initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    own.train_from_iterator(["### QUESTION\n\n### ANSWER\n", "what is two plus three ?"], trainer)
    if begin:
        own.post_processor = tokenizers.processors.TemplateProcessing(
            single="<s> $A", special_tokens=[("<s>", 1)]
        )
    names = {"unk_token": "<unk>", "bos_token": "<s>", "pad_token": "<pad>"}
    names |= {"eos_token": "</s>"} if end else {}
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=own, **names)
    fast.save_pretrained(folder)
    return fast


def questions(folder: Path, count: int = 24) -> dict[str, str]:
    """Write question-answer files whose answers can be learnt."""
    files = {}
    for split, many in {"train": count, "validation": 7, "test": 5}.items():
        rows = [
            {"question": f"what is {i % 4} plus {'x' * (i % 5)} ?", "answer": f"{i % 4}{i % 4}"}
            for i in range(many)
        ]
        path = folder / f"{split}.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        files[split] = str(path)
    return files


def an_adapter(folder: Path, **changes: Any) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "adapter_config.json"
    path.write_text(json.dumps({**LORA, **changes}), encoding="utf-8")
    return str(path)


def a_job(
    folder: Path, seeds: list[int], *, start: str = "", adapter: str | None = None, **plan: Any
) -> Job:
    """A job on BLOOM, which is written where no start is given."""
    start = start or str(a_bloom(folder / "bloom"))
    path = an_adapter(folder / "lora") if adapter is None else adapter
    data = DataPlan(files=questions(folder), text="question", label="answer")
    given = {"dropout": 0.0, "weight_decay": 0.1, "data": data, **plan}
    members = tuple(
        Member(group="bloom", seed=seed, start=start, place=f"bloom/{seed}", key=f"k{seed}",
               adapter=path)
        for seed in seeds
    )  # fmt: skip
    return Job(id="j", members=members, train=TrainPlan(task="causal_lm", **given))
