"""Small classifiers and made-up examples to train them on."""

from __future__ import annotations

import torch
from transformers import (
    BertConfig,
    BertForSequenceClassification,
    PreTrainedModel,
    RobertaConfig,
    RobertaForSequenceClassification,
)

from reportgen.records.training import TrainPlan
from reportgen.training._data import Tokenised
from reportgen.training.stacked import StackedEngine

VOCABULARY, CLASSES, LONGEST = 60, 3, 24


def a_config(kind: str = "roberta", *, layers: int = 2) -> RobertaConfig | BertConfig:
    """An own size for everything, so that nothing can be mistaken for another."""
    make = {"roberta": RobertaConfig, "bert": BertConfig}[kind]
    return make(
        vocab_size=VOCABULARY,
        hidden_size=16,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=20,
        max_position_embeddings=LONGEST + 3,
        type_vocab_size=2,
        num_labels=CLASSES,
        initializer_range=0.1,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )


def a_model(config: RobertaConfig | BertConfig, seed: int) -> PreTrainedModel:
    torch.manual_seed(seed)
    bert = isinstance(config, BertConfig)
    model = (BertForSequenceClassification if bert else RobertaForSequenceClassification)(config)
    with torch.no_grad():  # zeros and ones would hide a bias or a norm that is not used
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter.add_(torch.randn_like(parameter), alpha=0.1)
    return model.eval()


def examples(count: int, seed: int = 0, *, pad: int = 1) -> Tokenised:
    """Texts of 3 to 24 tokens whose label can be learnt: the second token says it."""
    generator = torch.Generator().manual_seed(seed)
    lengths = torch.randint(1, LONGEST - 1, (count,), generator=generator).tolist()
    labels = torch.randint(0, CLASSES, (count,), generator=generator).tolist()
    ids = tuple(
        [2, 4 + label, *torch.randint(7, VOCABULARY, (n,), generator=generator).tolist()]
        for n, label in zip(lengths, labels, strict=True)
    )
    return Tokenised(ids=ids, labels=tuple(labels), pad=pad)


def padded(data: Tokenised, rows: list[int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Ids, attention mask and labels as transformers takes them."""
    longest = max(len(data.ids[i]) for i in rows)
    ids = torch.tensor([data.ids[i] + [data.pad] * (longest - len(data.ids[i])) for i in rows])
    return ids, (ids != data.pad).long(), torch.tensor([data.labels[i] for i in rows])


def an_engine(
    seeds: list[int], plan: TrainPlan, *, size: int = 40, kind: str = "roberta"
) -> StackedEngine:
    config = a_config(kind)
    states = [a_model(config, seed).state_dict() for seed in seeds]
    pad = config.pad_token_id or 0
    data = {
        split: examples(count, seed, pad=pad)
        for seed, (split, count) in enumerate({"train": size, "validation": 17, "test": 23}.items())
    }
    return StackedEngine(config.to_dict(), states, seeds, data, plan, "cpu")


def orders(seeds: list[int], size: int, batch: int, epoch: int = 0) -> list[list[list[int]]]:
    """For each update the examples of each member."""
    drawn = [
        torch.randperm(size, generator=torch.Generator().manual_seed(seed + epoch)).tolist()
        for seed in seeds
    ]
    return [[own[i : i + batch] for own in drawn] for i in range(0, size, batch)]
