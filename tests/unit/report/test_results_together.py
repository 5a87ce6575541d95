"""What holds for all sections on results, whatever the runs are like."""

from __future__ import annotations

import math
import re
from collections import Counter

import numpy as np
import pytest

from reportgen.records.document import Number, inlines, texts, walk
from reportgen.records.quantity import Quantity
from reportgen.records.run import Runs
from reportgen.records.study import GroupPlan, MetricPlan
from reportgen.report import best_step, comparison, curves, huggingface, per_epoch, summary
from reportgen.report._compose import compose_report

SPLITS = ("validation", "test")
SECTIONS = (summary, best_step, per_epoch, comparison, huggingface)


def ragged(made):
    """Runs with everything that can be odd at once."""
    fraction = {"unit": "fraction"}
    return Runs(
        root="logs",
        runs=(
            made.run(
                "a", 0, made.series("validation", [60.0, 62.0]), made.series("test", [1.0, 2.0])
            ),
            made.run(
                "a", 0, made.series("validation", [np.nan]), made.series("test", [3.0]), name="x"
            ),
            made.run("a", None, made.series("test", [3.0]), name="a/y"),
            made.run("a b", 1, made.series("validation", [62.0, 62.0, 62.0])),
            made.run("a_b", 1, name="a_b/1"),
            made.run(
                "hf", 7, made.series("validation", [0.5, 0.61728], **fraction), layout="hf_trainer"
            ),
            made.run(
                "hf", 7, made.series("validation", [0.7], **fraction), layout="hf_trainer", name="z"
            ),
        ),
    )


@pytest.fixture(
    params=["six", "ragged", "one_run", "loss", "declared_only", "no_epochs", "equal_values"]
)
def facts(request, made):
    match request.param:
        case "six":
            return made.facts(split_sizes={"test": 2000})
        case "ragged":
            groups = (GroupPlan(name="a", label="A, first", seeds=(0, 5)), GroupPlan(name="gone"))
            return made.facts(runs=ragged(made), groups=groups)
        case "one_run":
            return made.facts({("a", 0): ([60.0, 61.0], [59.0, 62.0])}, groups=())
        case "loss":
            metric = MetricPlan(name="accuracy", direction="lower", ties="last")
            return made.facts(metric=metric)
        case "declared_only":
            return made.facts({})
        case "no_epochs":
            return made.facts(steps_per_epoch=0)
        case _:
            return made.facts({k: ([80.0, 80.0], [70.0, 70.0]) for k in made.SIX})


def built(facts):
    return [s for s in (module.build(facts) for module in SECTIONS) if s is not None]


def test_ids_of_numbers_and_blocks_are_unique(facts, made):
    sections = built(facts)
    numbers = [n.id for section in sections for n in made.numbers(section)]
    numbers += [n.id for n in summary.abstract(facts) if isinstance(n, Number)]
    blocks = [b.id for b in walk(tuple(sections)) if getattr(b, "id", "")]
    for found in (numbers, blocks):
        assert [name for name, count in Counter(found).items() if count > 1] == []


def test_every_row_fits_its_columns(facts, made):
    for section in built(facts):
        for table in made.tables(section).values():
            assert {len(row.cells) for row in table.rows} <= {len(table.columns)}


def test_no_number_is_nan_and_no_mark_is_left(facts):
    for block in walk(tuple(built(facts))):
        for text in texts(block):
            for node in inlines(text):
                if isinstance(node, Number) and isinstance(node.quantity, Quantity):
                    assert math.isfinite(node.quantity.value)
                if isinstance(node, str):
                    assert not any("\ue000" <= character <= "\uf8ff" for character in node)


def test_unknown_epochs_are_nowhere(made):
    for section in (
        *built(made.facts(steps_per_epoch=0)),
        curves.build(made.facts(steps_per_epoch=0)),
    ):
        text = made.show(section)
        assert "epoch" not in text.lower(), text
    for block in walk((curves.build(made.facts(steps_per_epoch=0)),)):
        said = [n for text in texts(block) for n in inlines(text) if isinstance(n, str)]
        assert "epoch" not in " ".join([*said, getattr(block, "alt", "")]).lower()


@pytest.mark.parametrize(
    ("name", "printed"), [("wer", "WER"), ("macro_f1", "macro F1"), ("rougeL", "ROUGE-L")]
)
def test_a_metric_has_one_spelling_everywhere(made, name, printed):
    members = tuple(
        made.run(g, s, *(made.series(x, [50.0, 51.0 + s], metric=name) for x in SPLITS))
        for g in "ab"
        for s in range(3)
    )
    metric = MetricPlan(name=name, direction="higher")
    runs = Runs(root="", runs=members)
    report = compose_report(made.facts(runs=runs, groups=(), metric=metric), metadata={})
    said = [report.title]
    for block in walk(report.sections):
        said += [n for text in texts(block) for n in inlines(text) if isinstance(n, str)]
        said.append(getattr(block, "alt", ""))
    text = " ".join(said)
    assert printed in text
    for wrong in (name, name.capitalize(), name.replace("_", " ").capitalize()):
        assert not re.search(rf"\b{wrong}\b", text), wrong


def test_values_rest_on_evidence(facts, made):
    for section in built(facts):
        for number in made.numbers(section):
            quantity = number.quantity
            if isinstance(quantity, Quantity):
                assert quantity.sources, number.id


def test_everything_can_be_printed_in_words(facts, made):
    for section in built(facts):
        text = made.prose(section)
        for slip in ("..", "  ", " .", " ,", "( ", "A a", "1 runs", "None"):
            assert slip not in text, text
