"""A model card: the hub's own library reads it, and finds each result."""

from dataclasses import replace

import pytest

from reportgen.records.document import Section

hub = pytest.importorskip("huggingface_hub", reason="huggingface_hub is not installed")
GROUPS = [
    {"label": "a", "metric": "accuracy", "split": "test", "n": 3, "mean": 0.8, "task": {}},
    {"label": "b", "metric": "accuracy", "split": "test", "n": 1, "mean": 0.7,
     "task": {"kind": "data", "name": "imdb"}},
    {"label": "c", "metric": "accuracy", "split": "test", "n": 0, "mean": None},
]  # fmt: skip
MODEL = {"architecture": "RobertaForSequenceClassification"}


@pytest.fixture
def page(report, written):
    sections = (*report.sections, Section(id="z", title="Proofs", blocks=(), appendix=True))
    told = replace(report, sections=sections, metadata={"groups": GROUPS, "model": MODEL})
    files = written("card", of=told)
    return files["report-card.md"].decode()


def test_the_hub_reads_every_result(page):
    index = hub.ModelCard(page).data.eval_results
    assert [(one.dataset_name, one.metric_value) for one in index] == [
        ("unknown", 0.8), ("imdb", 0.7),
    ]  # fmt: skip
    assert {one.task_type for one in index} == {"text-classification"}
    assert index[0].metric_name == "accuracy of a (mean of 3)"


def test_the_appendix_is_left_out(page):
    assert "Proofs" not in page


def test_figures_are_png(page):
    assert ".svg" not in page
    assert ".png" in page
