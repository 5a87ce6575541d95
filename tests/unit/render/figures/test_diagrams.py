"""Diagrams: every word in its box, none on another, and readable without colour."""

import re
from dataclasses import replace

import pytest
from fakes import drawn
from fakes.model_diagrams import ADAPTERS, MODELS, adapter_drawings, model_drawing

from reportgen.languages import LANGUAGES, speaking
from reportgen.records.diagram import AdapterDiagram, Box, Row
from reportgen.records.document import Chart, Figure
from reportgen.render.figures import draw_figures


def draw(figure):
    (svg,) = draw_figures([figure]).values()
    return svg


def check(svg):
    """Assert what every diagram promises and return its words and boxes."""
    words, boxes, sheet = drawn.words(svg), drawn.boxes(svg), drawn.sheet(svg)
    assert words
    assert [w.text for w in words if not sheet.holds(w, slack=0.0)] == []
    assert drawn.overlapping(words) == []
    # A word that touches a box lies in it, and is dark enough on its fill in grey print.
    for word in words:
        for box in boxes:
            assert box.holds(word) or not box.meets(word), word.text
        below = [box.colour for box in boxes if box.holds(word)] or ["#ffffff"]
        assert drawn.contrast(word.colour, below[0]) >= 4.5
    assert [box for box in boxes if not sheet.holds(box, slack=0.0)] == []
    assert drawn.overlapping(boxes) == []
    return words, boxes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "lang"),
    [
        pytest.param(name, lang, marks=[pytest.mark.wide] * (lang == "en" and place % 3 > 0))
        for place, name in enumerate(MODELS)
        for lang in sorted(LANGUAGES)
    ],
)
def test_words_stay_in_their_boxes_in_every_language(name, lang):
    with speaking(lang):
        figure = model_drawing(name)
    (svg,) = draw_figures([figure], lang).values()
    words, boxes = check(svg)
    shown = list(figure.chart.diagram.boxes())
    assert len(boxes) == len(shown)
    assert drawn.sheet(svg).bottom < 580  # a page of Letter has room for it and a caption
    printed = [word.text for word in words]
    for box in shown:
        count = f"{box.count:,}".replace(",", "," if lang == "en" else " ")
        assert not box.count or count in printed  # No number is broken in two.
        # A title may be broken between its words.
        assert set(box.title.split()) <= set(" ".join(printed).split())


@pytest.mark.parametrize("name", ADAPTERS)
def test_words_of_an_adapter_stay_in_their_boxes(name):
    for figure in adapter_drawings(name):
        check(draw(figure))


def test_counts_in_the_boxes_of_one_layer_add_up_to_the_line_below_it():
    words, boxes = check(draw(model_drawing("gpt2:GPT2LMHeadModel")))
    (line,) = [w.text for w in words if "=" in w.text]
    times, one, together = (int(n.replace(",", "")) for n in re.findall(r"[\d,]+", line))
    lowest = max(w.bottom for w in words if w.text == line)
    first = min(b.top for b in boxes if b.colour == "#f0f0f0")
    counts = [
        int(w.text.replace(",", ""))
        for w in words
        if w.bold and w.text.replace(",", "").isdigit() and first <= w.top < lowest
    ]
    assert sum(counts) == one
    assert times * one == together


def test_what_is_trained_is_told_from_what_is_frozen_by_its_edge():
    (figure,) = adapter_drawings("LoRA")
    shown = [figure.chart.diagram.frozen, *figure.chart.diagram.detour]
    dashed = draw(figure).count(b"stroke-dasharray")
    assert dashed == sum(box.kind == "trained" for box in shown) == 2


LONG = "transformer_block_with_a_name_that_nobody_can_read_aloud_or_print_in_one_line"


@pytest.mark.parametrize(
    "text", [LONG, " ".join([LONG] * 3), "", "\x00\u202e\U0001f600 q", "Ω × √"]
)
def test_strange_names_of_modules_stay_in_their_boxes(text):
    box = Box(
        title=text,
        kind="frozen",
        count=10**18,
        rows=(Row(label=text, shape="1 × 2"), Row(label=text)),
    )
    diagram = AdapterDiagram(
        source=text, result=text, frozen=box, detour=(replace(box, kind="trained"),), note=text
    )
    figure = Figure(id="f", caption=(), chart=Chart(kind="adapter", diagram=diagram), alt="")
    check(draw(figure))


def test_a_chart_without_its_diagram_is_refused():
    for kind in ("architecture", "adapter"):
        with pytest.raises(TypeError, match=f"kind '{kind}'"):
            draw(Figure(id="f", caption=(), chart=Chart(kind=kind), alt=""))
