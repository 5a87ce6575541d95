"""Fill in the totals of recent_families.jsonl: what the library's own class holds, row by row.

Not a test, and not needed to run the tests: it needs torch and transformers. A row is the
configuration that a model's owner published, without what says nothing of its parts (numbers of
tokens, types of numbers, how it was compressed). The class that it names is built on the meta
device, which holds shapes and no numbers, and every parameter counts once. Where the library has
no class of that name, the one that it opens such a configuration with is built; where it does
not know the model type, the total is null.

    python tools/oracles/recent_families.py
"""

import json
import tempfile
import warnings
from pathlib import Path

import torch
import transformers
from transformers import AutoConfig
from transformers.models.auto import modeling_auto

TABLE = Path(__file__).resolve().parents[2] / "tests" / "oracle" / "recent_families.jsonl"
# Owners' own names of a model type that the library has.
SAME = {"kimi_k2": "deepseek_v3"}
OPENED_WITH = (
    modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING,
    modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING,
)


def class_of(name, config):
    """Return the class that is named, or the one that the library opens the model with."""
    if hasattr(transformers, name):
        return getattr(transformers, name)
    return next(known[type(config)] for known in OPENED_WITH if type(config) in known)


def count(config):
    """Return how many parameters a published configuration has, None where no class is known."""
    config = config | {"model_type": SAME.get(config["model_type"], config["model_type"])}
    if config["model_type"] not in transformers.CONFIG_MAPPING:
        return None
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "config.json").write_text(json.dumps(config), encoding="utf-8")
        made = AutoConfig.from_pretrained(folder)
    with torch.device("meta"):
        model = class_of(config["architectures"][0], made)(made)
    return sum(tensor.numel() for tensor in model.parameters())


def main():
    """Count every row again and write the table."""
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    rows = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["total"] = count(row["config"])
        row["source"] = f"transformers {transformers.__version__}"
    spelled = (json.dumps(row, separators=(",", ":"), ensure_ascii=False) for row in rows)
    TABLE.write_text("\n".join(spelled) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
