"""The count of parameters: what was asked as a formula, the way to the checkpoint, the ledger."""

import re
from dataclasses import replace

import pytest

from reportgen.parameters import describe_model
from reportgen.read.weights import read_evidence
from reportgen.records import document as doc
from reportgen.records.checkpoint import ModelConfig
from reportgen.records.facts import Facts
from reportgen.records.run import Runs, Source
from reportgen.records.study import QuestionPlan, Study
from reportgen.report import SECTIONS
from reportgen.report.questions import topics

FAMILIES = ("roberta", "bert", "distilbert", "gpt2", "bloom", "llama", "gemma", "qwen2", "t5")


def facts(model=None, *answers):
    questions = (QuestionPlan(id="Q1", answers=answers),) if answers else ()
    study = Study(questions=questions)
    return Facts(study=study, runs=Runs(root="", runs=()), groups=(), model=model)


def section(model, *answers, name="parameters"):
    return SECTIONS.load(name)(facts(model, *answers))


def of_type(found, kind):
    return [block for block in doc.walk(found.blocks) if isinstance(block, kind)]


def table(found, name):
    return next(block for block in of_type(found, doc.Table) if block.id == name)


def results(found):
    return {e.id: e.result for group in of_type(found, doc.EquationGroup) for e in group.equations}


def plain(text):
    """The words of a text, numbers as digits."""
    return "".join(
        node
        if isinstance(node, str)
        else f"{node.quantity.value:,}"
        if isinstance(node, doc.Number)
        else getattr(node, "text", "")
        for node in doc.inlines(text)
    )


def words(found):
    return " ".join(plain(block.text) for block in of_type(found, doc.Paragraph))


def printed(*sections):
    return list(doc.numbers(doc.Report(title="", sections=sections)))


def steps(found):
    """The rows of the bridge: words and signed value."""
    rows = [
        (plain(r.cells[0]), r.cells[1][0].quantity.value) for r in table(found, "table.bridge").rows
    ]
    return [(text, -n if text.startswith("−") else n) for text, n in rows]


@pytest.fixture
def lab_model(lab):
    config = read_evidence(lab / "model" / "config.json", "model/config.json")
    checkpoint = read_evidence(lab / "model" / "tensors.json", "model/tensors.json")
    return describe_model("RoBERTa small", config, checkpoint)


def of_family(model_type, **values):
    source = Source(path="config.json", kind="config_json", size=0, sha256="")
    values = values if "text_config" in values else {"vocab_size": 1000, **values}
    return describe_model(
        model_type, ModelConfig(source=source, model_type=model_type, values=values)
    )


@pytest.mark.parametrize(
    ("asked", "count"),
    [("encoder", 22_829_056), ("encoder_with_head", 23_092_738), ("all", 23_388_418)],
)
def test_the_scope_that_a_question_asks_for_has_the_formula(lab_model, asked, count):
    found = section(lab_model, "lora.keys", f"parameters.{asked}")
    assert results(found) == {"eq.parameters": count}
    rows = steps(found)
    assert rows[0][1] == count
    assert rows[-1] == ("checkpoint", 23_388_418)


@pytest.mark.parametrize("family", FAMILIES)
def test_rows_of_a_bridge_add_up_and_none_is_zero(family, lab_model):
    for model in (of_family(family), lab_model):
        for answers in ((), *((f"parameters.{s.name}",) for s in model.ledger.scopes)):
            found = section(model, *answers)
            if not any(block.id == "table.bridge" for block in of_type(found, doc.Table)):
                continue
            (_, start), *inner, (_, end) = steps(found)
            added = [value for text, value in inner if text[0] in "+−"]
            assert start + sum(added) == end
            assert all(added)


def test_a_difference_is_said_in_the_body_and_explained_in_the_ledger(lab_model):
    gone = "encoder.sentence_encoder.layers.2.fc1.weight"
    tensors = tuple(t for t in lab_model.checkpoint.tensors if t.name != gone)
    model = describe_model("lab", lab_model.config, replace(lab_model.checkpoint, tensors=tensors))
    body, appendix = section(model), section(model, name="ledger")
    assert "One of 18 kinds of tensors in model/tensors.json differs" in words(body)
    assert ("− not by formula", -262_144) in steps(body)
    found = table(appendix, "table.ledger")
    assert any(f"missing: {gone}" in note[0] for note in found.notes)
    apart = [row.cells[4][0] for row in found.rows]
    assert [n.quantity.value for n in apart if n.style == "signed"] == [-262_144, -262_144]


def test_the_totals_are_those_of_the_program_at_hand(lab_model):
    hugging_face = of_family("roberta")
    for model, kept, left in (
        (lab_model, {"weights", "encoder", "encoder_with_head", "all"}, {"encoder_hf"}),
        (hugging_face, {"weights", "encoder_hf", "encoder_with_head_hf"}, {"encoder", "all"}),
    ):
        found = table(section(model, name="ledger"), "table.scopes")
        names = {row.cells[0][0].text for row in found.rows}
        assert kept <= names
        assert not left & names
        assert found.notes


def test_a_size_points_at_its_key(lab_model):
    found = section(lab_model, name="ledger")
    sources = {
        node.id: node.quantity.sources[0]
        for row in table(found, "table.symbols").rows
        for node in row.cells[2]
    }
    assert sources["parameters.symbol.d"].tag == "hidden_size"
    assert sources["parameters.symbol.d"].value == 512
    assert sources["parameters.symbol.C"].tag == "num_labels"


def test_a_model_of_several_parts_has_a_table_by_part():
    model = of_family("clip", text_config={}, vision_config={})
    found = section(model)
    assert of_type(found, doc.EquationGroup) == []
    rows = table(found, "table.parts").rows
    counts = [row.cells[1][0].quantity.value for row in rows]
    assert {"Text", "Vision"} <= {row.cells[0][0] for row in rows}
    assert sum(counts[:-1]) == counts[-1]


def test_a_family_that_is_not_known_is_counted_where_tensors_are(lab_model):
    config = replace(lab_model.config, model_type="mixformer")
    alone, stored = describe_model("m", config), describe_model("m", config, lab_model.checkpoint)
    assert "could not be counted" in words(section(alone))
    assert section(alone, name="ledger") is None
    found = (section(stored), section(stored, name="ledger"))
    assert "holds 23,388,418 parameters, added up as they are stored" in words(found[0])
    assert "mixformer" in words(found[0])
    assert "agree with their formulas" not in words(found[0])
    paths = {source.path for number in printed(*found) for source in number.quantity.sources}
    assert paths == {lab_model.checkpoint.source.path}


def test_answers_name_the_count_and_the_section_that_works_it_out(lab_model):
    found = topics(facts(lab_model))
    assert found["parameters"].section == "parameters"
    said = plain(found["parameters.weights"].text)
    assert said == (
        "Without biases, norms and heads: 22,807,552; the checkpoint holds 23,388,418 in all"
    )
    assert "22,829,056" in plain(found["parameters.encoder"].text)
    ids = [
        n.id
        for topic in found.values()
        for n in doc.inlines(topic.text)
        if isinstance(n, doc.Number)
    ]
    assert len(set(ids)) == len(ids)
    assert all(name.startswith("glance.") for name in ids)


def test_no_sentence_tells_the_reader_what_to_do(lab_model):
    said = words(section(lab_model)) + words(section(lab_model, name="ledger"))
    assert not re.search(r"Quote|study file|\[model\]|To add", said)
    assert not [
        n
        for b in of_type(section(lab_model), doc.Paragraph)
        for n in b.text
        if isinstance(n, doc.Code) and n.text.startswith("[")
    ]


@pytest.mark.parametrize("model_type", ["convnext", "convnextv2", "swin", "resnet"])
def test_sizes_of_lists_give_no_formula_that_no_letter_explains(model_type):
    model = of_family(model_type)
    found = section(model)
    assert not of_type(found, doc.EquationGroup)
    assert "by formulas for each kind of tensor" in words(found)
