"""Fill in adapter_lint.csv: what PEFT does with configurations that are worth a second look.

Not a test, and not needed to run the tests: it needs torch, transformers and peft. A row is a
configuration, the base, and the key in which a remark is expected, none where it is empty.

    python tools/oracles/adapter_lint.py
"""

import csv
import importlib.metadata
import json
import logging
import warnings
from pathlib import Path

import peft
import torch
import transformers

transformers.logging.set_verbosity_error()
logging.disable(logging.CRITICAL)

TABLE = Path(__file__).resolve().parents[2] / "tests" / "oracle" / "adapter_lint.csv"


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


def build(config, base):
    """Put an adapter on the base."""
    made = transformers.AutoConfig.for_model(**base)
    with torch.device("meta"):
        model = transformers.AutoModelForSequenceClassification.from_config(made)
        return peft.get_peft_model(model, config)


def main():
    """Try every row again and write the table."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        config, row["loading"] = outcome(lambda row=row: load(json.loads(row["adapter"])))
        base = json.loads(row["base"])
        row["building"] = ""
        if config:
            _, row["building"] = outcome(lambda config=config, base=base: build(config, base))
        row["source"] = f"peft {importlib.metadata.version('peft')}"
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main()
