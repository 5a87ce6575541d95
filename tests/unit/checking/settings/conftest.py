"""A report of a few lines, its evidence in a few words, and what is said of each number."""

from pathlib import Path

import pytest
from fakes import made_runs
from fakes.manuscript_text import read

from reportgen.app.counting import describe_model_at
from reportgen.checking.context import numbers_of
from reportgen.checking.settings import check_settings
from reportgen.parameters import describe_adapter, describe_model
from reportgen.records.checkpoint import AdapterConfig, ModelConfig
from reportgen.records.facts import Facts
from reportgen.records.record import replace
from reportgen.records.run import Runs, Source
from reportgen.records.study import ModelPlan, Study
from reportgen.records.verdict import Evidence, Stored

LAB = Path(__file__).resolve().parents[4] / "inputs" / "roberta-small-fr"


def source(path):
    return Source(path=path, kind="json", size=0, sha256="")


def model_of(values):
    """The lab's model by name, else one of a configuration."""
    if values == "lab":
        return describe_model_at(ModelPlan(checkpoint="model"), LAB)
    config = ModelConfig(
        source=source("config.json"), model_type=values["model_type"], values=values
    )
    return describe_model("model", config)


def adapter_of(values):
    config = AdapterConfig(
        source=source("adapter_config.json"),
        peft_type="LORA",
        values={"peft_type": "LORA", **values},
    )
    return describe_adapter("adapter", config, None)


def stored_in(values, path="all_results.json", keys=()):
    for key, value in values.items():
        if isinstance(value, dict):
            yield from stored_in(value, path, (*keys, key))
        else:
            yield Stored(path=path, keys=(*keys, key), value=value)


def evidence_of(given):
    """Evidence of configurations: `runs`, `adapter`, `model`, and `file` of plain JSON."""
    runs = []
    for number, config in enumerate(given.get("runs", ())):
        made = made_runs.run(f"group{number}", number, made_runs.series("test", [60.0, 70.0]))
        runs.append(replace(made, config=config))
    facts = Facts(
        study=Study(),
        runs=Runs(root="logs", runs=tuple(runs)),
        groups=(),
        model=model_of(given["model"]) if "model" in given else None,
        adapters=(adapter_of(given["adapter"]),) if "adapter" in given else (),
    )
    return Evidence(facts=facts, stored=tuple(stored_in(given.get("file", {}))))


def said_of(row, folder):
    """What is said of a row's report: `8: error 16`, `32: traced`, in the order of the report."""
    manuscript = read(folder, row.get("name", "report.md"), row["report"])
    verdicts = check_settings(numbers_of(manuscript), manuscript, evidence_of(row["evidence"]))
    for verdict in sorted(verdicts, key=lambda one: (one.place.line, one.place.column)):
        printed = verdict.number.printed.text if verdict.number else verdict.quote
        level = verdict.outcome if verdict.outcome == "traced" else verdict.level
        yield f"{printed}: {level} {verdict.expected}".strip()


@pytest.fixture
def said(tmp_path):
    return lambda row: list(said_of(row, tmp_path))
