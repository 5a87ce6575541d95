"""Claims made by hand, and cases of them with the published runs of `fakes.written`."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from itertools import count

from fakes import made_runs
from fakes.written import TEST, VALIDATION

from reportgen.records.claim import Claim, Meaning, Printed
from reportgen.records.finding import Case
from reportgen.records.manuscript import Block, Line, Manuscript, Place

_NUMBER = count(1)
PUBLISHED = {
    (group, seed): (VALIDATION[group][seed], TEST[group][seed])
    for group in VALIDATION
    for seed in range(3)
}


def printed(text, unit="", approximate=""):
    shown = text.replace("%", "").strip()
    unit = unit or ("percent" if "%" in text else "")
    decimals = len(shown.partition(".")[2])
    return Printed(
        text=text, value=Decimal(shown), decimals=decimals, unit=unit, approximate=approximate
    )


def claim(
    kind,
    text,
    *,
    confidence=1.0,
    quote="",
    approximate="",
    hints=None,
    place=(),
    block=None,
    **meaning,
):
    """A claim with a number; `group` and `seed` are those of the logs unless told otherwise."""
    number = next(_NUMBER)
    meaning.setdefault("metric", "accuracy")
    if "group" in meaning:
        meaning.setdefault("run_group", meaning["group"])
    if "seed" in meaning:
        meaning.setdefault("run_seed", meaning["seed"])
    row, column, table = (*place, *(None,) * (3 - len(place)))
    return Claim(
        id=f"c{number}",
        kind=kind,
        quote=quote or text,
        place=Place(line=number),
        block=(table or 0) if block is None else block,
        printed=printed(text, approximate=approximate),
        content=Meaning(**meaning),
        confidence=confidence,
        hints=hints or {},
        row=row,
        column=column,
        table=table,
    )


def value(text, group="pretrained", seed=0, split="test", **more):
    return claim("metric_value", text, group=group, seed=seed, split=split, **more)


def step(text, group="pretrained", seed=0, split="validation", **more):
    more.setdefault("step", int(text) if text.isdigit() else None)
    more.setdefault("selection", "best")
    return claim("best_step", text, group=group, seed=seed, split=split, **more)


def mean(text, group="pretrained", split="test", **more):
    more.setdefault("aggregate", "mean")
    return claim("aggregate_mean", text, group=group, split=split, **more)


def std(text, group="pretrained", split="test", **more):
    more.setdefault("aggregate", "std")
    return claim("aggregate_std", text, group=group, split=split, **more)


def manuscript(text=""):
    lines = tuple(Line(text=line, number=n) for n, line in enumerate(text.splitlines() or [""], 1))
    blocks = (Block(type="paragraph", lines=lines),)
    return Manuscript(path="report.md", format="markdown", sha256="0", blocks=blocks)


def case(*claims, table=None, facts=None, text=""):
    """A case with logs: the published ones, those of a table, or facts made elsewhere."""
    facts = facts or made_runs.facts(PUBLISHED if table is None else table)
    return Case(manuscript=manuscript(text), claims=claims, facts=facts, given=frozenset({"logs"}))


def alone(*claims, text=""):
    """A case of a report without logs: nothing is bound to groups of the evidence."""
    bare = tuple(
        replace(c, content=replace(c.content, run_group="", run_seed=None, run_against=""))
        if isinstance(c.content, Meaning)
        else c
        for c in claims
    )
    return Case(manuscript=manuscript(text), claims=bare)


def only(check, *claims, **how):
    """The one finding of a check on one case with logs."""
    (finding,) = check(case(*claims, **how))
    return finding
