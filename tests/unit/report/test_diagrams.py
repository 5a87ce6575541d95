"""Diagrams of models and adapters: what they say is what was counted, and is said in words too."""

import re

import pytest
from fakes.model_diagrams import (
    ADAPTERS,
    MODELS,
    adapter_drawings,
    adapter_facts,
    describe,
    model_drawing,
)

from reportgen.report.architecture_diagram import architecture_figure


@pytest.mark.parametrize("name", MODELS)
def test_the_alternative_text_says_every_box_in_order(name):
    figure = model_drawing(name)
    here = 0
    for box in figure.chart.diagram.boxes():
        here = figure.alt.index(box.title, here)
        for row in box.rows:
            assert row.label in figure.alt
            assert row.shape in figure.alt
        if box.count:
            assert f"{box.count:,} parameters" in figure.alt
    assert "  " not in figure.alt
    assert not re.search(r"[{}<>]", figure.alt)


def test_a_tied_projection_is_linked_and_counted_once():
    tied = model_drawing("gpt2:GPT2LMHeadModel").chart.diagram
    assert tied.tied
    assert tied.columns[0].heads[0][0].count == 0
    apart = model_drawing("phi-2:PhiForCausalLM").chart.diagram
    assert not apart.tied
    assert apart.columns[0].heads[0][0].count == 51200 * 2560 + 51200


def test_a_class_whose_head_is_not_known_is_drawn_without_it_and_that_is_said():
    model = describe("bert", {"architectures": ["BertForTelepathy"]})
    figure = architecture_figure(model)
    assert "Its head is not known here." in str(figure.caption)
    assert figure.chart.diagram.columns[0].heads == ()
    assert architecture_figure(describe("bart", {"architectures": ["BartForTelepathy"]})) is None
    assert architecture_figure(describe("unheard-of", {})) is None


@pytest.mark.parametrize("name", ADAPTERS)
def test_trained_boxes_add_up_to_what_the_adapter_trains(name):
    facts = adapter_facts(name)
    trained = 0
    for figure in adapter_drawings(name):
        shown = figure.chart.diagram
        boxes = [shown.before, shown.frozen, *shown.detour, shown.scale]
        trained += sum(b.count for b in boxes if b is not None and b.kind == "trained")
        assert all(b.title in figure.alt for b in boxes if b is not None)
        assert not re.search(r"[{}]", str(figure.caption))
    assert trained == facts.trainable.value


def test_the_scaling_is_that_of_the_configuration():
    (plain,), (rooted,) = adapter_drawings("LoRA"), adapter_drawings("DoRA")
    assert "× α / r (32 / 16 = 2)" in plain.alt
    assert "× α / √r (32 / √12 ≈ 9.238)" in rooted.alt
    # Where ranks differ from module to module, there is no one number.
    assert "(" not in adapter_drawings("ranks")[0].chart.diagram.detour[-1].title
    assert adapter_drawings("ranks")[0].chart.diagram.detour[-1].rows == ()


def test_dropout_and_magnitude_are_drawn_only_where_they_are_set():
    (plain,), (dora,) = adapter_drawings("LoRA"), adapter_drawings("DoRA")
    assert "dropout" not in plain.alt
    assert plain.chart.diagram.scale is None
    assert "dropout 0.05" in dora.alt
    assert dora.chart.diagram.scale.count == 24 * (3072 + 1024 + 4096 + 1024)


def test_a_base_is_drawn_in_few_bits_only_where_its_configuration_says_so():
    assert "bits" not in adapter_drawings("LoRA")[0].alt
    for stated, bits in (({"load_in_4bit": True}, 4), ({"bits": 8}, 8)):
        (figure,) = adapter_drawings("LoRA", quantization_config=stated)
        assert f"stored in {bits} bits" in figure.alt
    assert "bits" not in adapter_drawings("LoRA", quantization_config={"bits": "<4>"})[0].alt


def test_ia3_is_drawn_on_the_side_that_it_scales():
    outputs, inputs = (figure.chart.diagram for figure in adapter_drawings("IA3"))
    assert (outputs.before, inputs.scale) == (None, None)
    assert outputs.scale.count == 24 * 3072
    assert inputs.before.count == 24 * 4096
