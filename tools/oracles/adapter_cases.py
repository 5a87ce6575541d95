"""Base models and configurations of adapters, which `adapter_counts.py` counts.

They lie in adapter_cases.json; FIRST, SECOND, THIRD, TABLE and LAYERS are what each base calls
its parts. A further newer kind stands last there: what is drawn for it would change that of those
behind it.
"""

import json
import random
from pathlib import Path

HERE = Path(__file__).resolve().parents[2] / "tests" / "oracle"
TABLE = json.loads((HERE / "adapter_cases.json").read_text(encoding="utf-8"))
BASES, PARTS = TABLE["bases"], TABLE["parts"]
MAIN = tuple(
    (BASES[name], "SEQ_CLS" if name == "ROBERTA" else "CAUSAL_LM")
    for name in ("BLOOM_TINY", "LLAMA", "GEMMA", "ROBERTA", "GPT2")
)
NAMES = ("FIRST", "SECOND", "THIRD", "TABLE", "LAYERS")


def named(values, model_type):
    """Return settings with the names that a base has for its parts."""
    text = json.dumps(values)
    for word, name in zip(NAMES, PARTS[model_type], strict=True):
        text = text.replace(word, name)
    return json.loads(text)


def of_parts(section, base):
    """Return the configurations of a section for one base."""
    return [named(values, base["model_type"]) for values in TABLE[section]]


def listed(section):
    """Yield (base, task, configuration) of a section that names its bases."""
    for base, task, values in TABLE[section]:
        yield (BASES[base] if isinstance(base, str) else base), task, values


def answers():
    """Yield (base, task, configuration) for the classes that find answers in a text."""
    for base, several in TABLE["answers"]:
        yield from ((base, "QUESTION_ANS", values) for values in several)


def other_families():
    """Yield (base, task, configuration) for the first model of every other family."""
    seen = {base["model_type"] for base, _ in MAIN} | {"bert", "mixtral"}
    for path in sorted((HERE / "configs").glob("*.json")):
        for model in json.loads(path.read_text(encoding="utf-8")):
            kind, config = model["model_type"], model["config"]
            if kind in seen or "classes" not in model:
                continue
            seen.add(kind)
            base = {k: v for k, v in config.items() if k != "transformers_version"}
            if kind == "albert":
                base.setdefault("num_hidden_layers", 12)
            for name in model["classes"]:
                if name.endswith(("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")):
                    task = "SEQ_2_SEQ_LM" if name.endswith("Generation") else "CAUSAL_LM"
                elif name.endswith("ForSequenceClassification"):
                    task = "SEQ_CLS"
                else:
                    continue
                for values in (
                    {"r": 4, "target_modules": None},
                    {"r": 4, "target_modules": "all-linear", "bias": "all"},
                    {"peft_type": "LN_TUNING", "target_modules": None},
                    {"peft_type": "IA3", "target_modules": None},
                    {"peft_type": "PROMPT_TUNING", "num_virtual_tokens": 5},
                    {"peft_type": "PREFIX_TUNING", "num_virtual_tokens": 5},
                ):
                    # What experts get depends on the version of transformers.
                    if not (kind.endswith("_moe") and values.get("target_modules") == "all-linear"):
                        yield base | {"model_type": kind, "architectures": [name]}, task, values


CASES_OF_A_KIND = 40
WITHOUT_LAYERS = frozenset({"BEFT", "ROAD", "SHIRA", "TRAINABLE_TOKENS"})
WITH_EXCLUSION = frozenset(
    {"DEFT", "DELORA", "FOURIERFT", "HIRA", "HRA", "MISS", "VBLORA", "WAVEFT"}
)


def newer_kinds():
    """Yield (base, task, configuration) of the newer kinds, drawn by chance and always alike."""
    rng = random.Random("newer kinds of adapters")
    for kind, settings in TABLE["newer"].items():
        for _ in range(CASES_OF_A_KIND):
            base, task = rng.choice(MAIN)
            first, second, third, table, layers = PARTS[base["model_type"]]
            names = [[first], [first, second], [second, third], "all-linear", None]
            names += [
                [third],
                rf".*\.[02]\..*({first}|{third})",
                rng.choice([[third], [first, table]]),
            ]
            if kind == "TRAINABLE_TOKENS":
                names = [[table], None, [table, "lm_head"], ["lm_head"], [first, table]]
            values = {"peft_type": kind, "target_modules": rng.choice(names)}
            for key, choices in settings.items():
                if rng.random() < 0.8:
                    values[key] = rng.choice(choices)
            where = {"modules_to_save": [rng.choice([table, second])]}
            if kind not in WITHOUT_LAYERS:
                where["layers_to_transform"] = rng.choice([[0, 2], 1])
                where["layers_pattern"] = layers
            if kind in WITH_EXCLUSION:
                where["exclude_modules"] = [third]
            key = rng.choice([*where, *["nothing"] * 8])
            if kind != "TRAINABLE_TOKENS" and key in where:
                values[key] = where[key]
            if key == "layers_pattern":
                values["layers_to_transform"] = [1]
            text = json.dumps(values).replace("FIRST", first).replace("LAST", second)
            yield base, task, json.loads(text)
