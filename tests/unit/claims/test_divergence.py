"""Sentences about runs that diverged: which, how many, and what is no such sentence."""

from __future__ import annotations

import pytest

from reportgen.claims.statements import find
from reportgen.records.manuscript import Block, Line, Manuscript


def found(text):
    block = Block(type="paragraph", lines=(Line(text=text, number=1),))
    claims = find(Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,)))
    said = [c.content for c in claims if getattr(c.content, "predicate", "") == "diverges"]
    return [(s.share, [m.seed for m in s.subjects], s.denied) for s in said]


@pytest.mark.parametrize(
    ("text", "share", "seeds", "denied"),
    [
        ("No run diverged.", (0, 0), [None], False),
        ("None of our runs has diverged.", (0, 0), [None], False),
        ("Aucune des exécutions n'a divergé.", (0, 0), [None], False),
        ("Two of the five runs diverged.", (2, 5), [None], False),
        ("Deux des cinq exécutions ont divergé.", (2, 5), [None], False),
        ("One run diverged (seed 3).", (1, 0), [3], False),
        ("Only one run diverged.", (1, 0), [None], False),
        ("None of three seeds diverged.", (0, 0), [None], False),
        ("Seed 3 diverged after epoch 2.", None, [3], False),
        ("Seed 3 did not diverge.", None, [3], True),
        ("La graine 3 a divergé.", None, [3], False),
    ],
)
def test_each_form(text, share, seeds, denied):
    assert found(text) == [(share, seeds, denied)]


@pytest.mark.parametrize(
    "text",
    [
        "The two curves diverge from each other after epoch 3.",
        "The KL divergence of the two runs is 0.3.",
        "Without the diverged seed 3, the mean is 0.508.",
        "With a larger step, one run may diverge.",
        "One run diverged and was restarted.",
        "Except for seed 3, no run diverged.",
        "Every number was computed from 9 runs under diverged.",
        "Two of the three runs did not diverge.",
        "Deux exécutions sur trois n'ont pas divergé.",
    ],
)
def test_what_is_none(text):
    assert found(text) == []
