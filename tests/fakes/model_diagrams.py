"""Diagrams of real models: one a family, and every wiring that a family has."""

import csv
import json
from pathlib import Path

from reportgen.parameters import describe_adapter, describe_model
from reportgen.read.weights import read_evidence
from reportgen.records.checkpoint import AdapterConfig, ModelConfig
from reportgen.records.document import Figure
from reportgen.records.run import Source
from reportgen.report.architecture_diagram import adapter_figures, architecture_figure

ORACLE = Path(__file__).parents[1] / "oracle"
with (ORACLE / "param_counts.csv").open(encoding="utf-8") as _file:
    ROWS = [row for row in csv.DictReader(_file) if row["class"]]
MODELS = (
    "albert-xxlarge-v2:AlbertForMaskedLM",
    "bart-large:BartForConditionalGeneration",
    "bart-base:BartForSequenceClassification",
    "bert-base-uncased:BertForSequenceClassification",
    "bloom:BloomForCausalLM",
    "deberta-base:DebertaForMaskedLM",
    "deberta-v2-xlarge:DebertaV2ForMaskedLM",
    "distilbert-base-uncased:DistilBertForMaskedLM",
    "electra-small-discriminator:ElectraForMaskedLM",
    "falcon-7b:FalconForCausalLM",
    "falcon-180b:FalconForCausalLM",
    "falcon-rw-1b:FalconForCausalLM",
    "gemma-2-9b:Gemma2ForCausalLM",
    "gpt-neox-20b:GPTNeoXForCausalLM",
    "gpt2:GPT2LMHeadModel",
    "gpt2:GPT2ForTokenClassification",
    "llama-3.1-405b:LlamaForCausalLM",
    "mbart-large-cc25:MBartForConditionalGeneration",
    "mixtral-8x22b:MixtralForCausalLM",
    "opt-350m:OPTForCausalLM",
    "phi-2:PhiForCausalLM",
    "phi-3-mini-4k:Phi3ForCausalLM",
    "qwen3-235b-a22b:Qwen3MoeForCausalLM",
    "roberta-large:RobertaForMaskedLM",
    "t5-11b:T5ForConditionalGeneration",
    "t5-small:T5ForConditionalGeneration",
    "t5-small:T5ForTokenClassification",
    "tiny Qwen2-MoE:Qwen2MoeForCausalLM",
    "vit-base-patch16-224:ViTForImageClassification",
    "vit-base-patch16-224:ViTModel",
    "whisper-large-v3:WhisperForConditionalGeneration",
)
_ALL = ["query_key_value", "dense", "dense_h_to_4h", "dense_4h_to_h"]
ADAPTERS = {
    "LoRA": {"r": 16, "lora_alpha": 32, "target_modules": ["query_key_value"]},
    "DoRA": {
        "r": 12,
        "lora_alpha": 32,
        "lora_dropout": 0.05,
        "use_dora": True,
        "use_rslora": True,
        "target_modules": _ALL,
    },
    "ranks": {"r": 8, "rank_pattern": {"dense": 4}, "target_modules": _ALL},
    "bias": {"r": 4, "lora_bias": True, "target_modules": _ALL},
    "IA3": {
        "peft_type": "IA3",
        "target_modules": ["query_key_value", "dense_4h_to_h"],
        "feedforward_modules": ["dense_4h_to_h"],
    },
}


def describe(model_type: str, values: dict[str, object], name: str = "the model"):
    """Return a model by its configuration alone."""
    source = Source(path="config.json", kind="config_json", size=0, sha256="")
    return describe_model(name, ModelConfig(source=source, model_type=model_type, values=values))


def described(row: dict[str, str]):
    """Return the model of one row of the oracle's table, as the class it counts."""
    values = json.loads(row["config"]) | {"architectures": [row["class"]]}
    return describe(row["model_type"], values, row["model"])


def model_drawing(name: str) -> Figure:
    """Return the diagram of one of `MODELS`."""
    model, _, kind = name.rpartition(":")
    row = next(row for row in ROWS if (row["model"], row["class"]) == (model, kind))
    return architecture_figure(described(row))


def adapter_facts(name: str, **more: object):
    """Return one of `ADAPTERS` on BLOOM-560m, whose configuration gets further keys."""
    lab = Path(__file__).parents[2] / "inputs" / "roberta-small-fr" / "lora"
    config = read_evidence(lab / "bloom-560m" / "config.json", "config.json")
    base = describe("bloom", dict(config.values) | more, "BLOOM-560m")
    source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
    values = {"peft_type": "LORA"} | ADAPTERS[name]
    adapter = AdapterConfig(source=source, peft_type=values["peft_type"], values=values)
    return describe_adapter(name, adapter, base)


def adapter_drawings(name: str, **more: object) -> tuple[Figure, ...]:
    """Return the diagrams of one of `ADAPTERS`."""
    return adapter_figures(adapter_facts(name, **more), "lora")
