"""Small classifiers of several families, made-up examples to train them on, and engines of both."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import torch
import transformers

from reportgen.records.study import TrainPlan
from reportgen.train.engine.engine import Engine
from reportgen.train.engine.examples import Encoded
from reportgen.train.engine.models import Separate
from reportgen.train.engine.starts import Started, build_model
from reportgen.train.engine.tasks import Task

VOCABULARY, CLASSES, LONGEST = 60, 3, 24
BERT = {
    "hidden_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "intermediate_size": 20,
    "initializer_range": 0.1,
}
FAMILIES: dict[str, dict[str, Any]] = {
    "roberta": {**BERT, "max_position_embeddings": LONGEST + 3},
    "bert": {**BERT, "max_position_embeddings": LONGEST},
    "distilbert": {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 20},
    "electra": {**BERT, "embedding_size": 12},
    "deberta-v2": {
        **BERT,
        "relative_attention": True,
        "pos_att_type": ["c2p", "p2c"],
        "position_buckets": 8,
        "type_vocab_size": 0,
    },
    "modernbert": {**BERT, "global_attn_every_n_layers": 2, "local_attention": 8},
    "qwen3": {**BERT, "num_key_value_heads": 1, "head_dim": 8},
    "gpt2": {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": LONGEST},
    "xlnet": {"d_model": 16, "n_layer": 2, "n_head": 2, "d_inner": 20},
}
_DROPOUTS = (
    *("dropout", "attention_dropout", "seq_classif_dropout", "hidden_dropout_prob", "resid_pdrop"),
    *("attention_probs_dropout_prob", "embd_pdrop", "attn_pdrop", "summary_last_dropout"),
    *("embedding_dropout", "mlp_dropout", "classifier_dropout"),
)


def a_config(kind: str = "roberta", dropout: float = 0.0, labels: int = CLASSES) -> Any:
    special = {"pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
    config = transformers.AutoConfig.for_model(
        kind, vocab_size=VOCABULARY, num_labels=labels, **special, **FAMILIES[kind]
    )
    config.problem_type = "single_label_classification" if labels > 1 else "regression"
    for name in _DROPOUTS:
        if hasattr(config, name):
            setattr(config, name, dropout)
    return config


def a_model(kind: str, seed: int, dropout: float = 0.0, labels: int = CLASSES) -> Any:
    torch.manual_seed(seed)
    model = transformers.AutoModelForSequenceClassification.from_config(
        a_config(kind, dropout, labels)
    )
    with torch.no_grad():  # zeros and ones would hide a bias or a norm that is not used
        for parameter in model.parameters():
            if parameter.dim() == 1:
                parameter.add_(torch.randn_like(parameter), alpha=0.1)
    return model.eval()


def a_start(kind: str, seed: int, dropout: float = 0.0, labels: int = CLASSES) -> Started:
    model = a_model(kind, seed, dropout, labels)
    config = json.loads(model.config.to_json_string(use_diff=False))
    return Started(config=config, state={n: t.detach() for n, t in model.state_dict().items()})


def examples(count: int, seed: int = 0, *, regression: bool = False) -> Encoded:
    """Texts of 3 to 24 tokens whose label can be learnt: the second token says it."""
    generator = torch.Generator().manual_seed(seed)
    lengths = torch.randint(1, LONGEST - 1, (count,), generator=generator).tolist()
    labels = torch.randint(0, CLASSES, (count,), generator=generator).tolist()
    ids = tuple(
        [2, 4 + label, *torch.randint(7, VOCABULARY, (n,), generator=generator).tolist()]
        for n, label in zip(lengths, labels, strict=True)
    )
    truth = tuple([label / 2 if regression else label] for label in labels)
    return Encoded(ids=ids, truth=truth, pad=1)


def padded(data: Encoded, rows: Sequence[int]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Ids, attention mask and labels as transformers takes them."""
    longest = max(len(data.ids[i]) for i in rows)
    ids = torch.tensor([data.ids[i] + [data.pad] * (longest - len(data.ids[i])) for i in rows])
    return ids, (ids != data.pad).long(), torch.tensor([data.truth[i][0] for i in rows])


def models_and_task(
    seeds: Sequence[int], plan: TrainPlan, *, size: int = 40, kind: str = "roberta"
) -> tuple[list[Any], Task]:
    regression = plan.task == "regression"
    labels = 1 if regression else CLASSES
    models = [build_model(a_start(kind, seed, plan.dropout, labels), plan, "cpu") for seed in seeds]
    for model in models:
        model.config.pad_token_id = 1
    data = {
        split: examples(count, seed, regression=regression)
        for seed, (split, count) in enumerate({"train": size, "validation": 17, "test": 23}.items())
    }
    names = () if regression else ("a", "b", "c")
    left = kind == "xlnet"
    return models, Task(plan.task, data, torch.device("cpu"), labels=names, left=left)


def an_engine(
    seeds: Sequence[int], plan: TrainPlan, *, size: int = 40, kind: str = "roberta"
) -> Engine:
    models, task = models_and_task(seeds, plan, size=size, kind=kind)
    return Engine(Separate(models), seeds, task, plan, "cpu")


def orders(seeds: Sequence[int], size: int, batch: int, epoch: int = 0) -> list[list[list[int]]]:
    """For each update the examples of each member."""
    drawn = [
        torch.randperm(size, generator=torch.Generator().manual_seed(seed + epoch)).tolist()
        for seed in seeds
    ]
    return [[own[i : i + batch] for own in drawn] for i in range(0, size, batch)]


def train(
    engine: Engine, steps: Sequence[list[list[int]]], *, rate: float = 1e-3, chunks: int = 1
) -> list[list[float]]:
    """Update an engine once for each batch; return the losses of each."""
    return [engine.step(rows, rate, chunks=chunks) for rows in steps]


def assert_same_bits(one: Mapping[str, torch.Tensor], other: Mapping[str, torch.Tensor]) -> None:
    assert one.keys() == other.keys()
    for name, tensor in one.items():
        torch.testing.assert_close(tensor, other[name], rtol=0, atol=0, equal_nan=True)
