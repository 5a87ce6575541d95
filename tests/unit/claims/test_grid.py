"""Rows of a table that are numbered by fractions of epochs, and what names no setting."""

from __future__ import annotations

import pytest

from reportgen.claims import metrics, settings
from reportgen.claims._grid import read_grid
from reportgen.read.documents import read_document
from reportgen.records.claim import Meaning
from reportgen.records.manuscript import Block, Cell, Line

TRAINER = """\
| Training Loss | Epoch | Step | Validation Loss | Accuracy |
|---|---|---|---|---|
| 0.4737 | 0.48 | 100 | 0.0743 | 0.8742 |
| 0.0774 | 0.95 | 200 | 0.0349 | 0.9733 |
| 0.0675 | 1.43 | 300 | 0.0030 | 0.9794 |
"""


@pytest.fixture
def report(tmp_path):
    """A report in Markdown, read."""

    def read(text):
        path = tmp_path / "report.md"
        path.write_text(text, encoding="utf-8")
        return read_document(path)

    return read


def test_parts_of_epochs_number_rows_and_are_no_values(report):
    claims = metrics.find(report(TRAINER))
    values = {claim.printed.text for claim in claims if claim.printed}
    assert values.isdisjoint({"0.48", "0.95", "1.43"})
    assert "0.9733" in values
    first = next(c.content for c in claims if c.printed and c.printed.text == "0.8742")
    assert isinstance(first, Meaning)
    assert (first.epoch, first.step) == (0.48, 100)


def test_a_best_epoch_may_be_a_part_of_one(report):
    text = "| Run | Best epoch | Validation F1 |\n|---|---|---|\n| A | 2.38 | 98.7 |\n"
    claims = metrics.find(report(text))
    assert [(c.kind, c.content.epoch) for c in claims if c.kind == "best_step"] == [
        ("best_step", 2.38)
    ]


@pytest.mark.parametrize(("title", "found"), [("Epoch", 0), ("Best epoch", 0), ("Epochs", 1)])
def test_one_epoch_is_a_moment_and_epochs_are_a_setting(report, title, found):
    text = f"| Model | {title} | F1 |\n|---|---|---|\n| A | 3 | 98.7 |\n"
    claims = settings.find(report(text))
    assert sum(claim.kind == "hyperparameter" for claim in claims) == found


def test_a_wide_head_that_cannot_end_so_goes_on_below():
    """As PDFs give `Best step | Validation | Validation, last step` in two lines."""
    rows = (
        (("", 1), ("Best", 1), ("Average return", 1), ("Validation, last", 2), ("", 0)),
        (("Run", 1), ("step", 1), ("Validation", 1), ("step", 1), ("", 1)),
        (("a", 1), ("54", 1), ("993", 1), ("1000", 1), ("± 4", 1)),
        (("b", 1), ("44", 1), ("998", 1), ("1000", 1), ("± 2", 1)),
    )
    line = Line(text="", number=1)
    cells = tuple(tuple(Cell(text=t, span=s, line=line) for t, s in row) for row in rows)
    grid = read_grid(Block(type="table", lines=(line,), rows=cells, head=2))
    assert grid.roles[:4] == ("label", "step", "", "")
    assert grid.columns[3][0].one("selection") == "last"


def test_a_column_headed_n_counts_runs_whatever_stands_above_it():
    """As a PDF gives a title that stands over the next column."""
    rows = (
        (("", 1), ("Test", 1), ("", 1)),
        (("Group", 1), ("n", 1), ("Loss", 1)),
        (("a", 1), ("3", 1), ("0.6726 ± 0.0082", 1)),
        (("b", 1), ("3", 1), ("0.3452 ± 0.0728", 1)),
    )
    line = Line(text="", number=1)
    cells = tuple(tuple(Cell(text=t, span=s, line=line) for t, s in row) for row in rows)
    grid = read_grid(Block(type="table", lines=(line,), rows=cells, head=2))
    assert grid.roles == ("label", "other", "")


def test_the_end_of_a_course_is_no_best_epoch(report):
    text = (
        "The best validation accuracy decides.\n\nValidation accuracy (%): run A from 57.1 at"
        " epoch 1 to 77.5 at epoch 5, highest 84.2 at epoch 4.\n"
    )
    claims = metrics.find(report(text))
    assert {c.content.epoch for c in claims if c.kind == "best_step"} <= {4.0}


def test_a_metric_that_is_called_a_mean_holds_for_the_merged_rows_below(report):
    text = """\
| Metric | Group | Last value |
|---|---|---|
| value loss | a2c | 1.35 |
| | ppo | 1.24 |
| ep len mean | a2c | 121.1 |
| | ppo | 156.1 |
"""
    claims = metrics.find(report(text))
    of = {c.printed.text: c.content.metric for c in claims if isinstance(c.content, Meaning)}
    assert of["1.24"] == of["1.35"]
    assert of["156.1"] == of["121.1"] == "episode_length"
