"""Models and adapters in French: every family and every kind, without a word of English."""

import csv
import json
import re
from pathlib import Path

import pytest
from fakes.pictured import drawn

from reportgen.languages import speaking
from reportgen.parameters import describe_adapter, describe_model
from reportgen.parameters.adapters import KINDS
from reportgen.records.checkpoint import AdapterConfig, Checkpoint, ModelConfig, TensorSpec
from reportgen.records.document import Code, EquationGroup, Figure, Section, inlines, texts, walk
from reportgen.records.facts import Facts
from reportgen.records.formula import Symbol, symbols
from reportgen.records.run import Runs, Source
from reportgen.records.study import Study
from reportgen.render import spell_formula
from reportgen.report import SECTIONS

SENTENCES = """
the of with and at over is are was were be been has have had not no from for that this these
those which when where while each every its it their they than then by into between because so
only more most all any other both nor neither there here does to in out up one two three four
what why how who whose before after above below under without also always never still yet same
layer layers head heads weight weights biases norm norms embedding embeddings width inner row
rows column columns rank adapter adapters model matrix
trained frozen stored counted tied untied shared network encoder decoder classifier
times minus divided equals squared cubed root parenthesis about
"""
# Not among them: words of French ("plus", "base", "matrices"), names of modules ("key").
ENGLISH = frozenset(SENTENCES.split())
# A word alone: not a part of a path, an identifier, a key, a formula's symbol or a compound.
WORD = re.compile(r"(?<![\w/.\-_’`])[A-Za-z]+(?![\w/\-_`]|\.\w)")
SOURCE = Source(path="config.json", kind="config_json", size=0, sha256="")
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


def spoken(group):
    """The alternative text of equations, without the names of their symbols."""
    said = spell_formula(group, "speech", "fr")
    named = {e.left for e in group.equations}
    for equation in group.equations:
        named |= set(symbols(equation.right))
    for symbol in sorted(named, key=lambda s: -len(s.subscript)):
        assert isinstance(symbol, Symbol)
        said = said.replace(f"{symbol.name} indice {symbol.subscript}", "·")
    return said


def words_of(section):
    """Yield everything a reader sees or is read, code left out."""
    for block in walk((section,)):
        if isinstance(block, Section):
            yield block.title
        for text in texts(block):
            yield "".join(node if isinstance(node, str) else "·" for node in inlines(text))
        if isinstance(block, Figure):
            yield block.alt
            yield from drawn(block.chart.diagram)
        if isinstance(block, EquationGroup):
            yield spoken(block)


def english(sections):
    """Return the texts that hold English words, with the words."""
    said = (text for section in sections for text in words_of(section))
    found = ((ENGLISH & {word.lower() for word in WORD.findall(text)}, text) for text in said)
    return [(sorted(hits), text) for hits, text in found if hits]


def cases(folder):
    """Return model type to the configurations of it that a folder of the oracle has."""
    found = {}
    for path in sorted((ORACLE / folder).glob("*.json")):
        for case in json.loads(path.read_text("utf-8")):
            if "config" in case:
                found.setdefault(case["model_type"], []).append(case)
    return found


CONFIGURED, STORED = cases("configs"), cases("tensors")
BERT = next(case for case in CONFIGURED["bert"] if not case["config"])


def model_of(case, tensors=(), model_type=None):
    model_type = case["model_type"] if model_type is None else model_type
    config = ModelConfig(source=SOURCE, model_type=model_type, values=case["config"])
    stored = Checkpoint(source=SOURCE, tensors=tensors) if tensors else None
    return describe_model("M", config, stored)


def tensors_of(case):
    return tuple(TensorSpec(name=n, shape=tuple(s), shares=k) for n, s, k in case["tensors"])


@pytest.mark.parametrize("model_type", sorted(CONFIGURED))
def test_every_model_type_is_told_in_french(model_type):
    for case in CONFIGURED[model_type]:
        sections = composed(model_of(case))
        assert sections[0].title == "Nombre de paramètres"
        assert english(sections) == [], case["model"]


@pytest.mark.parametrize("model_type", sorted(STORED))
def test_checkpoints_are_reconciled_in_french(model_type):
    for case in STORED[model_type]:
        tensors = tensors_of(case)
        # Some tensors are lacking, others have another shape, one is not of this model.
        odd = (*tensors[3:], TensorSpec(name="x", shape=()), TensorSpec(name="y", shape=(2,)))
        for held in (tensors, odd):
            assert english(composed(model_of(case, held))) == [], case["model"]


def test_tensors_of_a_family_that_is_not_known_are_told_in_french():
    case = STORED["bert"][0]

    sections = composed(model_of(case, tensors_of(case), model_type="mixformer"))

    assert english(sections) == []
    said = " ".join(words_of(sections[0]))
    assert "aucune formule ne les vérifie" in said
    assert english(composed(model_of(case, model_type="mixformer"))) == []
    assert english(composed(model_of(case, model_type=""))) == []


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_adapter_is_told_in_french(kind):
    with (ORACLE / "adapter_counts.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            row for row in csv.DictReader(file) if json.loads(row["adapter"])["peft_type"] == kind
        ]
    assert len(rows) >= 5
    for row in rows:
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
        assert english(composed(adapters=(described,))) == [], row["adapter"]


def test_an_adapter_without_a_formula_or_a_base_is_told_in_french():
    unknown = AdapterConfig(source=SOURCE, peft_type="HIRA", values={})
    alone = AdapterConfig(source=SOURCE, peft_type="LORA", values={"r": 4})
    described = tuple(describe_adapter("", config, None) for config in (unknown, alone))

    section, *appendix = composed(adapters=described)

    assert english((section, *appendix)) == []
    assert section.title == "Adaptateurs"
    assert [part.title for part in section.blocks] == ["Adaptateur 1", "Adaptateur 2"]


def test_equations_are_spoken_in_french():
    groups = [b for b in walk(composed(model_of(BERT))[0].blocks) if isinstance(b, EquationGroup)]

    first = spell_formula(groups[0], "speech", "fr")
    assert first.startswith("N égale ouvrir la parenthèse V plus P plus T")
    assert "pour attention plus" in first
    assert first.endswith("108\u202f770\u202f304")


def test_french_sentences_read_as_written():
    sections = composed(model_of(BERT))
    said = [*words_of(sections[0])]

    assert said[1].startswith("Sans biais, normalisations ni têtes, avec vocabulaire · = ·")
    assert "+ biais" in said
    ledger = [*words_of(sections[1])]
    assert "12 couches, largeur 768" in ledger
    assert "·Plongements de mots" in ledger


def test_what_is_odd_in_a_configuration_is_quoted_as_the_program_says_it():
    config = AdapterConfig(source=SOURCE, peft_type="LORA", values={"r": 4, "rank": 8})

    _, section = composed(adapters=(describe_adapter("", config, None),))

    intro, remarks = section.blocks[-2:]
    assert intro.text == (
        "À revoir dans cette configuration, selon les messages en anglais du programme\xa0:",
    )
    assert isinstance(remarks.items[0][0], Code)
    assert english((section,)) == []
