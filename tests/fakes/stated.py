"""Reports of a few lines, what the finders of settings and counts read in them, and cases."""

from __future__ import annotations

import importlib
import json
import tempfile
from dataclasses import replace
from pathlib import Path

from fakes import made_runs
from fakes.manuscript_text import read

from reportgen.api.counting import describe_adapter_at, describe_model_at
from reportgen.claims import counts, settings
from reportgen.parameters import describe_model
from reportgen.records.checkpoint import ModelConfig
from reportgen.records.claim import Counted, Setting
from reportgen.records.facts import Facts
from reportgen.records.finding import Case
from reportgen.records.run import Runs, Source
from reportgen.records.study import AdapterPlan, ModelPlan, Study

LAB = Path(__file__).resolve().parents[2] / "inputs" / "roberta-small-fr"
CONFIGS = Path(__file__).resolve().parents[1] / "oracle" / "configs"


def written(text, name="report.md"):
    with tempfile.TemporaryDirectory() as folder:
        return read(Path(folder), name, text)


def claims_of(manuscript):
    """What both finders read, in reading order, numbered."""
    found = [*settings.find(manuscript), *counts.find(manuscript)]
    found.sort(key=lambda claim: (claim.block, claim.start))
    return tuple(replace(claim, id=f"c{n}") for n, claim in enumerate(found, 1))


def said(text, name="report.md"):
    """(kind, key or thing, value) of every claim of a text."""
    return [_said(claim) for claim in claims_of(written(text, name))]


def _said(claim):
    match claim.content:
        case Setting(key=key, value=value):
            return claim.kind, key, value if isinstance(value, str | bool | tuple) else float(value)
        case Counted(what=what):
            return claim.kind, what, claim.printed and float(claim.printed.value)
    raise AssertionError(claim)


def settings_of(text, name="report.md"):
    """(key, value) of the settings alone."""
    kinds = {"hyperparameter", "lora_config"}
    return [(key, value) for kind, key, value in said(text, name) if kind in kinds]


def lab_model():
    """RoBERTa small for French with the names and shapes of its checkpoint."""
    return describe_model_at(ModelPlan(checkpoint="model"), LAB)


def lab_adapter():
    """LoRA of rank 16 on BLOOM-560m."""
    plan = AdapterPlan(config="lora/adapter_config.json", base="lora/bloom-560m/config.json")
    return describe_adapter_at(plan, LAB)


def published(name, **values):
    """A model of `tests/oracle/configs`, by its name there."""
    for path in CONFIGS.glob("*.json"):
        for entry in json.loads(path.read_text(encoding="utf-8")):
            if entry["model"] == name and "classes" in entry:
                kind = entry["model_type"]
                config = ModelConfig(
                    source=Source(path="config.json", kind="config_json", size=0, sha256=""),
                    model_type=kind,
                    values={"model_type": kind, **entry["config"], **values},
                )
                return describe_model(name, config)
    raise KeyError(name)


def evidence(*, model=None, adapters=(), runs=(), **study):
    """Facts with what is given; runs are (group, seed, configuration)."""
    made = tuple(
        replace(made_runs.run(group, seed, made_runs.series("test", [60.0, 70.0])), config=config)
        for group, seed, config in runs
    )
    return Facts(
        study=Study(**study),
        runs=Runs(root="logs", runs=made),
        groups=(),
        model=model,
        adapters=tuple(adapters),
    )


def case(text, facts=None, name="report.md", more=()):
    """A case of a report with the facts that are given."""
    manuscript = written(text, name)
    given = set()
    if facts is not None:
        there = {"model": facts.model, "adapter": facts.adapters, "logs": facts.runs.runs}
        given = {what for what, found in there.items() if found}
    claims = (*claims_of(manuscript), *more)
    return Case(manuscript=manuscript, claims=claims, facts=facts, given=frozenset(given))


def findings(rule, text, facts=None, name="report.md", more=()):
    """What one check says of a report."""
    check = importlib.import_module(f"reportgen.checks.{rule}").check
    return list(check(case(text, facts, name, more)))


def levels(rule, text, facts=None, name="report.md"):
    """(printed or quote, level, verdict) of what one check says of a report."""
    return [
        (f.claim.printed.text if f.claim.printed else f.claim.quote, f.level, f.verdict)
        for f in findings(rule, text, facts, name)
    ]
