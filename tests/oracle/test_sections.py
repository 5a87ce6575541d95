"""What the report says of every configuration that the oracle counts."""

import csv
import json
from functools import cache
from pathlib import Path

import pytest

from reportgen.parameters import describe_adapter, describe_model, total_scope
from reportgen.records.checkpoint import AdapterConfig, ModelConfig
from reportgen.records.document import EquationGroup, Paragraph, Report, inlines, numbers, walk
from reportgen.records.facts import Facts
from reportgen.records.formula import symbols
from reportgen.records.quantity import Quantity
from reportgen.records.run import Runs, Source
from reportgen.records.study import Study
from reportgen.report import SECTIONS

with (Path(__file__).parent / "param_counts.csv").open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))
FILE = Source(path="config.json", kind="config_json", size=0, sha256="")
TYPES = sorted({row["model_type"] for row in ROWS})


def rows_of(model_type):
    """Yield models of a type with the name of the scope that was counted, and the count.

    One stands for all of a class whose files state the same keys: sizes change no sentence.
    """
    rows = (row for row in ROWS if row["model_type"] == model_type)
    alike = {(row["class"], row["scope"], keys_of(row)): row for row in rows}
    for row in alike.values():
        values = json.loads(row["config"])
        if row["class"]:
            values["architectures"] = [row["class"]]
        model = described(model_type, **values)
        yield model, total_scope(model).name if row["class"] else row["scope"], int(row["count"])


@cache
def models(model_type):
    """Return a model for each set of keys that configurations of a type state."""
    texts = {keys_of(row): row["config"] for row in ROWS if row["model_type"] == model_type}
    return [described(model_type, **json.loads(text)) for text in texts.values()]


def keys_of(row):
    """The keys that a configuration states."""
    return frozenset(json.loads(row["config"]))


def described(model_type, **values):
    config = ModelConfig(source=FILE, model_type=model_type, values=values)
    return describe_model("the model", config)


def facts(model, *adapters):
    runs = Runs(root="", runs=())
    return Facts(study=Study(), runs=runs, groups=(), model=model, adapters=adapters)


def written(model):
    """The section and the appendix on a model."""
    built = (SECTIONS.load(name)(facts(model)) for name in ("parameters", "ledger"))
    return tuple(section for section in built if section is not None)


def prose(section):
    """The words of all paragraphs, numbers as digits."""
    return " ".join(
        "".join(
            node if isinstance(node, str) else str(getattr(node, "text", value_of(node)))
            for node in inlines(block.text)
        )
        for block in walk(section.blocks)
        if isinstance(block, Paragraph)
    )


def value_of(node):
    return getattr(getattr(node, "quantity", None), "value", "")


@pytest.mark.parametrize("model_type", TYPES)
def test_every_configuration_is_written_with_every_number_traced(model_type):
    for model, scope, count in rows_of(model_type):
        printed = {n.id: n for n in numbers(Report(title="", sections=written(model)))}
        for number in printed.values():
            assert isinstance(number.quantity, Quantity), number.id
            assert number.quantity.method
            assert number.quantity.sources, number.id
        own = printed.get(f"parameters.scope.{scope}")
        # A scope of fairseq's is in the JSON alone where Hugging Face stores the model.
        total = own.quantity.value if own else model.ledger.scope(scope).total
        assert total == count
        assert own or model_type in {"roberta", "camembert", "xlm-roberta"}


@pytest.mark.parametrize("model_type", TYPES)
def test_an_adapter_on_every_configuration_is_written(model_type):
    values = {"peft_type": "LORA", "r": 4, "lora_alpha": 8, "target_modules": "all-linear"}
    values |= {"lora_dropout": 0.0, "bias": "none", "task_type": "SEQ_CLS"}
    config = AdapterConfig(source=FILE, peft_type="LORA", values=values)
    for model in models(model_type):
        adapter = describe_adapter("adapter", config, model)
        built = (SECTIONS.load(name)(facts(model, adapter)) for name in ("lora", "adapters"))
        sections = tuple(section for section in built if section is not None)
        shown = list(numbers(Report(title="", sections=sections)))
        assert len({number.id for number in shown}) == len(shown)
        for number in shown:
            if isinstance(number.quantity, Quantity):
                assert number.quantity.sources, number.id
            else:
                assert number.quantity.reason, number.id


@pytest.mark.parametrize("model_type", TYPES)
def test_the_formulas_of_every_configuration_are_worth_a_total(model_type):
    for model in models(model_type):
        body, appendix = written(model)
        found = equations(body) | equations(appendix)
        if "eq.parameters" in found:
            assert found["eq.parameters"].result == model.ledger.scope("weights").total
        bare = ("encoder_hf", "encoder", "body", "model")
        scope = next((s for name in bare if (s := model.ledger.scope(name))), None)
        if "eq.total" in found:
            assert found["eq.total"].result == scope.total, model.config.values
        used = {symbol.key for e in found.values() for symbol in symbols(e.right)}
        assert used <= set(model.ledger.symbols)


def equations(section):
    groups = (b for b in section.blocks if isinstance(b, EquationGroup))
    return {e.id: e for group in groups for e in group.equations}


@pytest.mark.parametrize("model_type", ["bert", "roberta", "gpt2", "llama", "t5", "bart", "vit"])
def test_models_of_one_width_have_their_formula(model_type):
    body, appendix = written(described(model_type))
    assert list(equations(body)) == ["eq.parameters"]
    assert "eq.total" in equations(appendix)


def test_sizes_that_cannot_be_read_are_said():
    (body,) = written(described("bert", hidden_size="wide"))
    assert "could not be counted: hidden_size in config.json is 'wide'" in prose(body)


@pytest.mark.parametrize("model_type", TYPES)
def test_every_branch_of_a_tree_has_a_title_for_people(model_type):
    for model in models(model_type):
        assert [title for _, title, *_ in model.ledger.tree[1:] if not title[0].isupper()] == []
