"""Models and adapters in French: every family and every kind, without a word of English."""

import csv
import json
from pathlib import Path

import pytest
from fakes.french import english, visible

from reportgen.languages import speaking
from reportgen.parameters import describe_adapter, describe_model
from reportgen.parameters.adapters import KINDS
from reportgen.records.checkpoint import AdapterConfig, Checkpoint, ModelConfig, TensorSpec
from reportgen.records.facts import Facts
from reportgen.records.run import Runs, Source
from reportgen.records.study import Study
from reportgen.report import SECTIONS

pytestmark = pytest.mark.slow
SOURCE = Source(path="config.json", kind="config_json", size=0, sha256="")
NAMED = ("value",)
"""Modules whose names are words of English."""
ORACLE = Path(__file__).parents[2] / "oracle"


def composed(model=None, adapters=()):
    """The section and the appendix of a model, or of adapters, composed in French."""
    facts = Facts(
        study=Study(), runs=Runs(root="", runs=()), groups=(), model=model, adapters=adapters
    )
    names = ("parameters", "ledger") if model is not None else ("lora", "adapters")
    with speaking("fr"):
        found = [SECTIONS.load(name)(facts) for name in names]
    return tuple(section for section in found if section is not None)


def words_of(section):
    return [words for _, words in visible((section,))]


def cases(folder):
    """Return model type to the configurations of it that a folder of the oracle has."""
    found = {}
    for path in sorted((ORACLE / folder).glob("*.json")):
        for case in json.loads(path.read_text("utf-8")):
            if "config" in case:
                found.setdefault(case["model_type"], []).append(case)
    return found


CONFIGURED, STORED = cases("configs"), cases("tensors")


def model_of(case, tensors=(), model_type=None):
    model_type = case["model_type"] if model_type is None else model_type
    config = ModelConfig(source=SOURCE, model_type=model_type, values=case["config"])
    stored = Checkpoint(source=SOURCE, tensors=tensors) if tensors else None
    return describe_model("M", config, stored)


def tensors_of(case):
    return tuple(TensorSpec(name=n, shape=tuple(s), shares=k) for n, s, k in case["tensors"])


@pytest.mark.parametrize("model_type", sorted(CONFIGURED))
def test_every_model_type_is_told_in_french(model_type):
    for case in CONFIGURED[model_type][-2:]:
        sections = composed(model_of(case))
        assert sections[0].title == "Paramètres de M"
        assert english(visible(sections)) == [], case["model"]


@pytest.mark.parametrize("model_type", sorted(STORED))
def test_checkpoints_are_reconciled_in_french(model_type):
    for case in STORED[model_type][-1:]:
        tensors = tensors_of(case)
        # Some tensors are lacking, others have another shape, one is not of this model.
        odd = (*tensors[3:], TensorSpec(name="x", shape=()), TensorSpec(name="y", shape=(2,)))
        for held in (tensors, odd):
            assert english(visible(composed(model_of(case, held)))) == [], case["model"]


def test_tensors_of_a_family_that_is_not_known_are_told_in_french():
    case = STORED["bert"][0]
    sections = composed(model_of(case, tensors_of(case), model_type="mixformer"))
    assert english(visible(sections)) == []
    said = " ".join(words_of(sections[0]))
    assert "aucune formule ne les vérifie" in said
    assert english(visible(composed(model_of(case, model_type="mixformer")))) == []
    assert english(visible(composed(model_of(case, model_type="")))) == []


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_adapter_is_told_in_french(kind):
    with (ORACLE / "adapter_counts.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            row for row in csv.DictReader(file) if json.loads(row["adapter"])["peft_type"] == kind
        ]
    assert len(rows) >= 5
    alike = {(frozenset(json.loads(row["adapter"])), row["refused"]): row for row in rows}
    for row in alike.values():
        values, adapter = json.loads(row["base"]), json.loads(row["adapter"])
        config = ModelConfig(source=SOURCE, model_type=values["model_type"], values=values)
        shapes = json.loads(row["tensors"] or "{}")
        stored = tuple(TensorSpec(name=n, shape=tuple(s)) for n, s in shapes.items())
        checkpoint = Checkpoint(source=SOURCE, tensors=stored) if stored else None
        described = describe_adapter(
            "",
            AdapterConfig(source=SOURCE, peft_type=kind, values=adapter),
            describe_model("base", config, checkpoint),
        )
        sections = composed(adapters=(described,))
        assert english(visible(sections), NAMED) == [], row["adapter"]
