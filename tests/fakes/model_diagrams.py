"""Diagrams of real models: one a family, and every wiring that a family has."""

import csv
import json
from pathlib import Path

from fakes.rows import rows_beside

from reportgen.parameters import describe_adapter, describe_model
from reportgen.read.weights import read_evidence
from reportgen.records.checkpoint import AdapterConfig, ModelConfig
from reportgen.records.document import Figure
from reportgen.records.run import Source
from reportgen.report.architecture_diagram import adapter_figures, architecture_figure

TABLES = rows_beside(__file__)
ORACLE = Path(__file__).parents[1] / "oracle"
with (ORACLE / "param_counts.csv").open(encoding="utf-8") as _file:
    ROWS = [row for row in csv.DictReader(_file) if row["class"]]
MODELS = TABLES["models"]
ADAPTERS = TABLES["adapters"]


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
