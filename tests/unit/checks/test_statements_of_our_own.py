"""The commentary that reports of this program print: each sentence holds, and is seen to hold."""

from __future__ import annotations

import random
import re

import pytest
from fakes import made_runs, said

from reportgen.languages import speaking
from reportgen.records.document import Bullets, walk
from reportgen.records.study import GroupPlan
from reportgen.report import comparison

LEAST_FOUND = 8
"""Sentences that a commentary has at least."""


def made(seed, lang="en"):
    """Facts of two groups with random curves, rounded to give ties, and the commentary."""
    draw = random.Random(seed)
    runs, epochs = draw.choice([2, 3, 3, 4]), draw.choice([2, 3, 4, 5, 6])
    unit = draw.choice([0.1, 0.5, 1.0, 2.5])

    def curve(top):
        raw = (top - 20 * 0.5**n + draw.uniform(-4, 4) for n in range(epochs))
        return [round(round(value / unit) * unit, 2) for value in raw]

    tops = {"pretrained": draw.uniform(60, 90), "random": draw.uniform(60, 85)}
    table = {(g, s): (curve(top), curve(top)) for g, top in tops.items() for s in range(runs)}
    plans = tuple(GroupPlan(name=name, seeds=tuple(range(runs))) for name in tops)
    facts = made_runs.facts(table, groups=plans, compare=tuple(tops))
    with speaking(lang):
        section = comparison.build(facts)
        blocks = walk((section,))
        items = [made_runs.words(t) for b in blocks if isinstance(b, Bullets) for t in b.items]
    return facts, (f"# {section.title}", *items)


def findings(facts, texts):
    return said.verdicts(said.case(*texts, facts=facts))


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("seed", range(24))
def test_every_sentence_holds(seed, lang):
    facts, texts = made(seed, lang)
    found = findings(facts, texts)
    assert len(found) >= LEAST_FOUND
    assert [f.message for f in found if (f.level, f.verdict) != ("none", "agrees")] == []


TURNS = (
    (re.compile(r"lies above (?=that of)"), "lies below "),
    (re.compile(r"lies below (?=that of)"), "lies above "),
    (re.compile(r"is widest at epoch (\d)"), "is narrowest at epoch \\1"),
    (re.compile(r"(?<=lies )above every run"), "below every run"),
    (re.compile(r"every run of (\w+) improves at every epoch \((\w+) of \w+\)"),
     "none of the \\2 runs of \\1 improves at every epoch"),
    (re.compile(r"The best step is the last one in every run \((\w+) of them\)"),
     "The best step is the last one in one of \\1 runs"),
    (re.compile(r"shrinks from"), "grows from"),
)  # fmt: skip
FRENCH = (
    (re.compile(r"est supérieure (?=à celle)"), "est inférieure "),
    (re.compile(r"est inférieure (?=à celle)"), "est supérieure "),
    (re.compile(r"(?<=est )au-dessus de chaque"), "au-dessous de chaque"),
)
TURNED = [("en", *turn) for turn in TURNS] + [("fr", *turn) for turn in FRENCH]


@pytest.mark.parametrize("turn", TURNED, ids=lambda turn: f"{turn[0]} {turn[2][:20]}")
def test_a_sentence_turned_round_is_seen_not_to_hold(turn):
    lang, pattern, other = turn
    tried = missed = 0
    for seed in range(40):
        facts, texts = made(seed, lang)
        for place, text in enumerate(texts):
            turned = pattern.sub(other, text, count=1)
            if turned != text:
                changed = (*texts[:place], turned, *texts[place + 1 :])
                levels = {f.level for f in findings(facts, changed)}
                tried += 1
                missed += not levels & {"error", "warning", "note"}
                break
        if tried >= 6:
            break
    assert tried
    # A sentence may come to say less than before (`none of the runs`, said of no number).
    assert missed <= tried // 3
