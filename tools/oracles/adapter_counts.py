"""Write adapter_counts.csv: what PEFT itself builds on the meta device, row by row.

Not a test, and not needed to run the tests: it needs torch, transformers and peft.

    python tools/oracles/adapter_counts.py          every row, which takes many minutes
    python tools/oracles/adapter_counts.py DEFT     the rows of one kind; the others stay
"""

import csv
import importlib.metadata
import json
import sys
import warnings
from pathlib import Path

import peft
import torch
import transformers
from adapter_cases import MAIN, answers, listed, newer_kinds, of_parts, other_families

warnings.simplefilter("ignore")
transformers.logging.set_verbosity_error()

VERSION = f"peft {importlib.metadata.version('peft')}"
HEADS = {
    "CAUSAL_LM": transformers.AutoModelForCausalLM,
    "SEQ_CLS": transformers.AutoModelForSequenceClassification,
    "TOKEN_CLS": transformers.AutoModelForTokenClassification,
    "QUESTION_ANS": transformers.AutoModelForQuestionAnswering,
    "SEQ_2_SEQ_LM": transformers.AutoModelForSeq2SeqLM,
    "FEATURE_EXTRACTION": transformers.AutoModel,
    "MASKED_LM": transformers.AutoModelForMaskedLM,
}

# Kinds that look at numbers, which small models have on the CPU.
ON_THE_CPU = frozenset({"BOFT", "SHIRA", "UNILORA"})


def device(values):
    """Return where to build."""
    return "cpu" if values.get("peft_type") in ON_THE_CPU else "meta"


def build(base, task, where="meta"):
    """Build a base model, without storage where that is possible."""
    values = {k: v for k, v in base.items() if k not in {"architectures", "transformers_version"}}
    if base["model_type"] == "phi3":
        values.setdefault("pad_token_id", 0)
    config = transformers.AutoConfig.for_model(**values)
    with torch.device(where):
        if "architectures" in base:
            return getattr(transformers, base["architectures"][0])(config)
        return HEADS[task].from_config(config)


def count(base, task, values):
    """Return (trainable, all, refusal) as PEFT has them."""
    try:
        config = peft.get_peft_config(dict(values))
        with torch.device(device(values)):
            model = peft.get_peft_model(build(base, task, device(values)), config)
    except Exception as error:  # noqa: BLE001  what PEFT refuses is an answer too
        return "", "", f"{type(error).__name__}: {error}"[:160].replace("\n", " ")
    trainable, everything = model.get_nb_trainable_parameters()
    return trainable, everything, ""


def tensors_of(base, task):
    """Return the shapes of a base whose family has no formula."""
    if base["model_type"] != "mixtral":
        return ""
    model = build(base, task)
    return json.dumps({name: list(p.shape) for name, p in model.named_parameters()})


TABLE = Path(__file__).resolve().parents[2] / "tests" / "oracle" / "adapter_counts.csv"


def main(kinds):
    """Write the table; only the rows of some kinds anew, where any are named."""
    cases = [(b, t, v) for b, t in MAIN for v in (*of_parts("lora", b), *of_parts("relatives", b))]
    cases += [*listed("single"), *other_families(), *answers(), *listed("odd"), *newer_kinds()]
    with TABLE.open(encoding="utf-8", newline="") as file:
        known = csv.DictReader(file)
        rows = [r for r in known if kinds and json.loads(r["adapter"])["peft_type"] not in kinds]
    for base, task, values in cases:
        if kinds and values.get("peft_type", "LORA") not in kinds:
            continue
        named = task if task in peft.TaskType.__members__ else None
        full = {"peft_type": "LORA", "task_type": named} | values
        trainable, everything, refused = count(base, task, full)
        name = type(build(base, task)).__name__
        shown = base | {"architectures": [name]}
        rows.append(
            {
                "base": json.dumps(shown),
                "tensors": tensors_of(base, task),
                "task": task,
                "adapter": json.dumps(full),
                "trainable": trainable,
                "all": everything,
                "refused": refused,
                "source": f"{VERSION} on the {device(full)} device",
            }
        )
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main(sys.argv[1:])
