"""Write family_adapters.csv: what PEFT trains on bases of twelve types, drawn at random.

Not a test, and not needed to run the tests: it needs torch, transformers and peft. The base is
built on the meta device, the adapter is read as an adapter_config.json says it, and what is
trained afterwards is counted. `inference_mode`, which PEFT writes when it saves, is not obeyed:
the count is that of the training before. What PEFT refuses is a row without a count.

    python tools/oracles/family_adapters.py
"""

import csv
import importlib.metadata
import json
import random
import re
import warnings
from pathlib import Path

import peft
import torch
import transformers
from transformers.pytorch_utils import Conv1D

TABLE = Path(__file__).resolve().parents[2] / "tests" / "oracle" / "family_adapters.csv"
COLUMNS = ("model_type", "class", "config", "adapter", "trainable", "refused", "source")
SOURCE = "/".join(importlib.metadata.version(name) for name in ("peft", "transformers"))
EACH = 25
# What share of the refused is kept; the others are drawn again.
REFUSED = 0.3
SIZES = (torch.nn.Linear, Conv1D, torch.nn.Embedding, torch.nn.Conv1d, torch.nn.Conv2d)

# Model type to keys, and to classes with the task that an adapter names for them.
BASES = json.loads(TABLE.with_name("family_adapter_bases.json").read_text(encoding="utf-8"))
PATTERNS = {"gptj": "h", "gpt_bigcode": "h", "openai-gpt": "h", "mpt": "blocks"}
TOPS = ("classifier", "score", "lm_head", "qa_outputs", "projector", "wte", "shared", "pooler")


def build(model_type, name, config):
    """Return a model of the class, without storage."""
    made = transformers.AutoConfig.for_model(model_type, **config)
    with torch.device("meta"):
        return getattr(transformers, name)(made)


def count(base, adapter):
    """Return how much is trained, or why PEFT refuses."""
    values = {key: value for key, value in adapter.items() if key != "inference_mode"}
    try:
        with torch.device("meta"):
            model = peft.get_peft_model(build(*base), peft.get_peft_config(values))
    except Exception as error:  # noqa: BLE001 - what PEFT refuses is an answer too
        told = re.sub(r"\{.*?\}", "{...}", " ".join(str(error).split()))
        return "", f"{type(error).__name__}: {told}"[:120]
    return model.get_nb_trainable_parameters()[0], ""


def layers_of(names):
    """Return how often each last part of a name occurs below a numbered layer."""
    return sorted({name.rsplit(".", 1)[-1] for name in names if re.search(r"\.\d+\.", name)})


def targets(draw, names):
    """Return the modules that an adapter names, in one of the ways there are."""
    parts = [part for part in layers_of(names) if not part.isdigit()]
    few = draw.sample(parts, min(len(parts), draw.randint(1, 3)))
    way = draw.randrange(10)
    if way < 4:
        return few
    if way == 4:
        return "all-linear"
    if way == 5:
        return None
    if way == 6:
        return rf".*\.({'|'.join(few)})"
    if way == 7:
        return rf".*\.[02]\..*{few[0]}"
    if way == 8:
        return [*few, draw.choice(sorted(names))]
    return draw.choice([["nowhere"], few[0], [few[0][:-1]], [min(names)]])


def sizes(draw, parts):
    """Return ranks and scales, alike everywhere or not."""
    found = {"r": draw.choice([1, 2, 4, 7, 8, 16, 32]), "lora_alpha": draw.choice([8, 16, 32])}
    if draw.random() < 0.25:
        found["rank_pattern"] = {draw.choice(parts): draw.choice([2, 3, 12])}
    if draw.random() < 0.1:
        found["rank_pattern"] = {rf"^.*\.1\..*{draw.choice(parts)}": 5, draw.choice(parts): 9}
    if draw.random() < 0.1:
        found["alpha_pattern"] = {draw.choice(parts): 64}
    if draw.random() < 0.1:
        found["use_rslora"] = True
    return found


def places(draw, model_type, parts):
    """Return in which layers an adapter is, and where not."""
    found = {}
    if draw.random() < 0.25:
        found["layers_to_transform"] = draw.choice([0, 1, [0, 2], [2], [1, 11], [7]])
        if draw.random() < 0.4:
            found["layers_pattern"] = draw.choice([PATTERNS.get(model_type, "layers"), "layer"])
    if draw.random() < 0.15:
        found["exclude_modules"] = draw.choice([[draw.choice(parts)], r".*\.0\..*"])
    return found


def extras(draw, names, parts):
    """Return what is trained besides the matrices, and how they are made."""
    found = {"bias": draw.choice(["none", "none", "none", "all", "lora_only"])}
    if draw.random() < 0.3:
        here = [top for top in TOPS if any(top in name.split(".") for name in names)]
        found["modules_to_save"] = draw.sample([*here, draw.choice(parts)], 1)
    for key, chance in (("use_dora", 0.2), ("fan_in_fan_out", 0.2), ("lora_bias", 0.1)):
        if draw.random() < chance:
            found[key] = True
    if draw.random() < 0.15:
        found |= {"lora_dropout": 0.05, "base_model_name_or_path": "someone/a-model"}
    if draw.random() < 0.15:
        found |= {"inference_mode": True, "init_lora_weights": True, "revision": None}
    return found


def adapters_of(draw, model_type, task, base):
    """Return one adapter's configuration."""
    named = dict(build(*base).named_modules())
    names = [name for name, module in named.items() if isinstance(module, SIZES)]
    parts = [part for part in layers_of(names) if not part.isdigit()]
    found = {"peft_type": "LORA", "task_type": task, "target_modules": targets(draw, names)}
    found |= sizes(draw, parts) | places(draw, model_type, parts) | extras(draw, names, parts)
    return {key: value for key, value in found.items() if key != "task_type" or value}


def main():
    """Write the table."""
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    rows = []
    for model_type, (config, classes) in BASES.items():
        draw = random.Random(model_type)
        seen = set()
        while len(seen) < EACH:
            name = draw.choice(sorted(classes))
            base = (model_type, name, config)
            adapter = adapters_of(draw, model_type, classes[name], base)
            shown = [json.dumps(value, separators=(",", ":")) for value in (config, adapter)]
            if shown[1] in seen:
                continue
            trainable, refused = count(base, adapter)
            if not refused or draw.random() < REFUSED:
                seen.add(shown[1])
                rows.append([model_type, name, *shown, str(trainable), refused, SOURCE])
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(sorted(rows))


if __name__ == "__main__":
    main()
