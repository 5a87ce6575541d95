"""Each sentence on the published logs, and what becomes of it when its ground is taken away."""

from __future__ import annotations

import pytest

from reportgen.records.document import Bullets, walk
from reportgen.report import comparison


def said(made, table):
    section = comparison.build(made.facts(table))
    items = [t for b in walk((section,)) if isinstance(b, Bullets) for t in b.items]
    return dict(made.words(item).split(". ", 1) for item in items)


def changed(made, *points):
    """The six runs with (group, seed, split, epoch) set to a value, or a curve cut short."""
    table = {key: tuple(list(curve) for curve in curves) for key, curves in made.SIX.items()}
    for group, seed, split, epoch, value in points:
        table[group, seed][split == "test"][epoch - 1] = value
    return table


def level(made, group, split, epoch, value):
    return changed(made, *((group, seed, split, epoch, value) for seed in range(3)))


MUTATIONS = [
    ("Ordering", lambda m: level(m, "pretrained", "test", 1, 10.0),
     "On test and on validation, the mean accuracy of pretrained lies above",
     "lies below it at epoch 1"),
    ("Separation", lambda m: changed(m, ("random", 0, "test", 5, 90.0)),
     "every run of pretrained lies above every run of random", "overlap"),
    ("Gap", lambda m: level(m, "pretrained", "test", 5, 99.0),
     "narrowest at epoch 5", "widest at epoch 5"),
    ("Trend", lambda m: changed(m, ("random", 0, "test", 4, 70.0)),
     "On test, two of the three runs of random improve",
     "On test, every run of random improves at every epoch"),
    ("Convergence of seeds", lambda m: level(m, "random", "test", 5, 73.0),
     "0.46 at epoch 5", "0.00 at epoch 5"),
    ("Stability", lambda m: changed(m, ("pretrained", 2, "validation", 5, 84.5)),
     "−6.5 points (pretrained, seed 2, epoch 4 to epoch 5)", "−4.0 points (pretrained, seed 0"),
    ("Outliers", lambda m: changed(m, ("pretrained", 0, "test", 5, 60.0)),
     "pretrained farthest from the mean of its other runs is seed 0 (+1.15",
     "pretrained farthest from the mean of its other runs is seed 0 (−20.2"),
    ("Best and last step", lambda m: changed(m, ("pretrained", 2, "validation", 5, 99.0)),
     "in five of six runs", "in every run (six of them)"),
    ("Ties", lambda m: changed(m, ("random", 2, "validation", 4, 71.0)),
     "No run reaches its best validation accuracy at two steps",
     "One of six runs reaches the best validation accuracy at more than one step"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("subject", "mutate", "before", "after"), MUTATIONS, ids=[row[0] for row in MUTATIONS]
)
def test_a_sentence_changes_with_its_ground(made, subject, mutate, before, after):
    sound, mutated = said(made, made.SIX)[subject], said(made, mutate(made))[subject]
    assert before in sound
    assert after not in sound
    assert after in mutated
    assert before not in mutated


def test_a_run_that_goes_on_changes_the_length(made):
    table = changed(made)
    for curve in table["random", 2]:
        curve.append(72.0)
    assert "same step, 1,125" in said(made, made.SIX)["Length of training"]
    assert "between steps 1,125 and 1,350 (random)" in said(made, table)["Length of training"]
