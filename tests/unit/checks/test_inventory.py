"""Numbers of runs, files, points, updates and bytes against the evidence that they count."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from fakes import made_runs

from reportgen.checks.inventory import check
from reportgen.records.claim import Claim, Counted, Printed
from reportgen.records.finding import Case
from reportgen.records.manuscript import Manuscript, Place
from reportgen.records.source import Source


def facts():
    """Six published runs, each of one file of its own."""
    made = made_runs.facts(made_runs.SIX)
    runs = tuple(
        replace(
            run, sources=(Source(path=f"{run.id}/events.out", kind="tb", size=2051, sha256="0"),)
        )
        for run in made.runs
    )
    return replace(made, runs=replace(made.runs, runs=runs))


def found(what, text, *, of=None, key="", quote="", table=None, **hints):
    claim = Claim(
        id="c1",
        kind="count",
        quote=quote or text,
        place=Place(line=1),
        printed=Printed(text=text, value=Decimal(text.replace(",", ""))),
        content=Counted(what=what, key=key),
        confidence=0.7,
        hints=({"row": of} if of else {}) | hints,
    )
    report = Manuscript(path="r.md", format="markdown", sha256="0", blocks=())
    made = made_runs.facts(table) if table else facts()
    case = Case(manuscript=report, claims=(claim,), facts=made, given=frozenset({"logs"}))
    (finding,) = check(case)
    return finding


def verdict(*args, **known):
    finding = found(*args, **known)
    return finding.level, finding.verdict


def test_runs_of_a_group():
    assert verdict("runs of a row", "3", of="pretrained") == ("none", "agrees")
    assert verdict("runs of a row", "4", of="pretrained") == ("warning", "disagrees")
    # A mean may leave out a run.
    assert verdict("runs of a row", "2", of="pretrained") == ("note", "disagrees")
    assert verdict("runs of a row", "3", of="a baseline of others") == ("none", "not checkable")
    assert found("runs of a row", "3", of="others").reason


def test_of_some_evaluations_a_mean_is_of_fewer_runs():
    nan = float("nan")
    curves = ([60.0, 70.0, 80.0], [61.0, 72.0, nan], [62.0, 71.0, 81.0], [63.0, 73.0, nan])
    table = {("a", seed): (curve, curve) for seed, curve in enumerate(curves)}
    assert verdict("runs of a row", "2", of="a", table=table) == ("none", "agrees")
    assert verdict("runs of a row", "4", of="a", table=table) == ("none", "agrees")
    assert verdict("runs of a row", "3", of="a", table=table) == ("note", "disagrees")


def run_id():
    return facts().runs.runs[1].id


def test_a_row_is_held_against_its_run():
    run = next(r for r in facts().runs if r.id == run_id())
    points = sum(len(series) for series in run.scalars.values())
    assert verdict("points", str(points), of=run.id) == ("none", "agrees")
    assert verdict("points", str(points + 1), of=run.id) == ("warning", "disagrees")
    assert verdict("updates", "1,125", of=run.id) == ("none", "agrees")
    assert verdict("updates", "1,126", of=run.id) == ("warning", "disagrees")
    assert verdict("files", "1", of=run.id) == ("none", "agrees")
    assert verdict("updates", "1,125", of="elsewhere/7") == ("none", "not checkable")


def test_a_row_may_be_called_by_its_group_and_seed():
    known = {"of": "(cut off)", "labels": "pretrained | fairseq", "seed": "1"}
    assert verdict("updates", "1,125", **known) == ("none", "agrees")
    assert verdict("updates", "1,125", **{**known, "seed": "9"}) == ("none", "not checkable")


def test_sentences_count_all_runs():
    assert verdict("files", "6") == ("none", "agrees")
    assert verdict("files", "7") == ("warning", "disagrees")


def test_a_path_may_be_broken_by_the_page():
    broken = run_id().replace("/", "/ ") + "/events. out"
    assert verdict("bytes", "2,051", of=broken) == ("none", "agrees")
    assert verdict("bytes", "2,052", of=broken) == ("warning", "disagrees")
    assert verdict("bytes", "2,051", of="events.out") == ("none", "not checkable")


@pytest.mark.parametrize(("text", "level"), [("2000", "none"), ("4000", "none")])
def test_examples_may_be_of_anything(text, level):
    made = facts()
    study = replace(made.study, split_sizes={"test": 2000})
    claim = Claim(
        id="c1", kind="count", quote=f"{text} examples", place=Place(line=1),
        printed=Printed(text=text, value=Decimal(text)), content=Counted(what="examples"),
    )  # fmt: skip
    report = Manuscript(path="r.md", format="markdown", sha256="0", blocks=())
    case = Case(
        manuscript=report, claims=(claim,), facts=replace(made, study=study),
        given=frozenset({"logs"}),
    )  # fmt: skip
    levels = [finding.level for finding in check(case)]
    assert levels == ([level] if text == "2000" else [])
