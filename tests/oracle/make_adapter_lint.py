"""Write adapter_lint.csv: what PEFT does with configurations that are worth a second look.

Not a test, and not needed to run the tests: it needs torch, transformers and peft.

    python tests/oracle/make_adapter_lint.py
"""

import csv
import importlib.metadata
import json
import logging
import warnings
from pathlib import Path

import adapter_cases
import peft
import torch
import transformers

transformers.logging.set_verbosity_error()
logging.disable(logging.CRITICAL)

ROBERTA = adapter_cases.ROBERTA | {"architectures": ["RobertaForSequenceClassification"]}
GOOD = {
    "peft_type": "LORA",
    "task_type": "SEQ_CLS",
    "r": 4,
    "lora_alpha": 8,
    "lora_dropout": 0.1,
    "bias": "none",
    "target_modules": ["query", "value"],
}
# What is changed, and in which key the remark is expected; none expected where it is empty.
CASES = (
    ("", {}),
    ("", {"lora_alpha": 64}),
    ("", {"lora_alpha": 4.5}),
    ("", {"lora_dropout": 0}),
    ("", {"lora_dropout": 1}),
    ("", {"bias": "all"}),
    ("", {"bias": "lora_only"}),
    ("", {"task_type": None}),
    ("", {"modules_to_save": ["classifier", "score"]}),
    ("", {"modules_to_save": ["classifier"]}),
    ("", {"target_modules": None}),
    ("", {"target_modules": "all-linear"}),
    ("", {"target_modules": r".*\.(query|value)"}),
    ("", {"rank_pattern": {"query": 2}, "alpha_pattern": {"value": 2}}),
    ("", {"init_lora_weights": "gaussian"}),
    ("", {"init_lora_weights": False}),
    ("", {"layers_to_transform": [0, 1]}),
    ("", {"layers_to_transform": 1, "layers_pattern": "layer"}),
    ("", {"use_dora": True}),
    ("", {"use_rslora": True, "lora_alpha": 4}),
    ("", {"exclude_modules": ["layer.0.attention.self.query"]}),
    ("", {"trainable_token_indices": [1, 2]}),
    ("bias", {"bias": False}),
    ("bias", {"bias": True}),
    ("bias", {"bias": "None"}),
    ("bias", {"bias": "some"}),
    ("bias", {"bias": "lora"}),
    ("task_type", {"task_type": "Causal_ML"}),
    ("task_type", {"task_type": "seq_cls"}),
    ("task_type", {"task_type": "SEQ_CLASSIFICATION"}),
    ("r", {"r": -4}),
    ("r", {"r": 0}),
    ("r", {"r": 4.0}),
    ("r", {"r": "4"}),
    ("lora_alpha", {"lora_alpha": 0}),
    ("lora_alpha", {"lora_alpha": -8}),
    ("lora_alpha", {"lora_alpha": "16"}),
    ("lora_dropout", {"lora_dropout": 1.5}),
    ("lora_dropout", {"lora_dropout": -0.1}),
    ("lora_dropout", {"lora_dropout": "0.1"}),
    ("use_dora", {"use_dora": "yes"}),
    ("use_rslora", {"use_rslora": 1}),
    ("lora_rank", {"lora_rank": 4}),
    ("alpha", {"alpha": 16}),
    ("target_module", {"target_module": ["query"]}),
    ("lora_aplha", {"lora_aplha": 16}),
    ("dropout", {"dropout": 0.1}),
    ("learning_rate", {"learning_rate": 0.001}),
    ("target_modules", {"target_modules": ["query", "vlaue"]}),
    ("target_modules", {"target_modules": ["q_proj", "v_proj"]}),
    ("target_modules", {"target_modules": r"encoder\.nothing"}),
    ("target_modules", {"target_modules": 4}),
    ("target_modules", {"target_modules": ["LayerNorm"]}),
    ("target_modules", {"target_modules": []}),
    ("modules_to_save", {"modules_to_save": ["clasifier"]}),
    ("modules_to_save", {"modules_to_save": "classifier"}),
    ("exclude_modules", {"exclude_modules": ["qeury"]}),
    ("rank_pattern", {"rank_pattern": {"qury": 2}}),
    ("rank_pattern", {"rank_pattern": ["query"]}),
    ("rank_pattern", {"rank_pattern": {"query": 0}}),
    ("alpha_pattern", {"alpha_pattern": {"kye": 2}}),
    ("layers_pattern", {"layers_pattern": "layer"}),
    ("layers_to_transform", {"layers_to_transform": [0, 9]}),
    ("layers_to_transform", {"layers_to_transform": [8, 9]}),
    ("layers_to_transform", {"target_modules": r".*query", "layers_to_transform": [0]}),
    ("layers_pattern", {"layers_to_transform": [0], "layers_pattern": "blocks"}),
    ("lora_bias", {"lora_bias": True, "use_dora": True}),
    ("lora_bias", {"lora_bias": True, "init_lora_weights": "gaussian"}),
    ("target_parameters", {"target_parameters": "query.weight"}),
    ("target_parameters", {"target_parameters": ["experts.down_proj"]}),
    ("init_lora_weights", {"init_lora_weights": "gausian"}),
    ("init_lora_weights", {"init_lora_weights": "loftq"}),
    ("loftq_config", {"loftq_config": {"loftq_bits": 4}}),
    ("eva_config", {"eva_config": {"rho": 2.0}}),
    ("trainable_token_indices", {"trainable_token_indices": {"embeddings": [1]}}),
    ("ensure_weight_tying", {"ensure_weight_tying": True}),
    ("peft_type", {"peft_type": "LORRA"}),
    ("r", {"peft_type": "ADALORA", "r": 4, "total_step": 10}),
    ("total_step", {"peft_type": "ADALORA", "r": 8}),
    ("lora_alpha", {"peft_type": "LOHA", "lora_alpha": 8}),
    ("bias", {"peft_type": "VERA", "r": 4, "bias": "lora"}),
    ("", {"peft_type": "PROMPT_TUNING", "num_virtual_tokens": 0}),
    ("bias", {"bias": "vera_only"}),
)


def outcome(action):
    """Return (result, what PEFT did with the action, in its own words)."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            result = action()
        except Exception as error:  # noqa: BLE001  what PEFT refuses is an answer too
            return None, f"raises {type(error).__name__}: {error}"[:200].replace("\n", " ")
    said = [str(w.message) for w in heard if issubclass(w.category, UserWarning | RuntimeWarning)]
    return result, f"warns: {said[0]}"[:200].replace("\n", " ") if said else "accepts"


def load(values):
    """Read a configuration as PEFT reads a saved one."""
    kind = peft.PEFT_TYPE_TO_CONFIG_MAPPING.get(values["peft_type"], peft.LoraConfig)
    return kind.from_peft_type(**values)


def build(config):
    """Put an adapter on the base."""
    base = transformers.AutoConfig.for_model(**ROBERTA)
    with torch.device("meta"):
        model = transformers.AutoModelForSequenceClassification.from_config(base)
        return peft.get_peft_model(model, config)


def main():
    """Write the table."""
    rows = []
    for key, change in CASES:
        own = {} if "peft_type" in change else dict(GOOD)
        values = own | {"peft_type": "LORA", "task_type": "SEQ_CLS"} | change
        if own and change.get("task_type", "") is None:
            values["task_type"] = None
        text = json.dumps(values)
        config, loading = outcome(lambda text=text: load(json.loads(text)))
        _, building = outcome(lambda config=config: build(config)) if config else ("", "")
        rows.append(
            {
                "key": key,
                "adapter": text,
                "base": json.dumps(ROBERTA),
                "loading": loading,
                "building": building,
                "source": f"peft {importlib.metadata.version('peft')}",
            }
        )
    path = Path(__file__).with_name("adapter_lint.csv")
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
