"""Claims of a report and what resolving them gives."""

from __future__ import annotations

from decimal import Decimal

from fakes.made_runs import SIX, runs_of

from reportgen.claims.resolve import resolve
from reportgen.records.claim import Claim, Meaning, Printed
from reportgen.records.facts import Facts
from reportgen.records.finding import Case
from reportgen.records.manuscript import Block, Line, Manuscript, Place
from reportgen.records.run import Runs
from reportgen.records.study import MetricPlan, Study
from reportgen.stats import summarise_groups


def facts_of(runs: Runs) -> Facts:
    """Facts of runs that nobody declared."""
    metric = MetricPlan(name="accuracy", direction="higher", select_on="validation")
    study = Study(metric=metric, steps_per_epoch=225)
    return Facts(study=study, runs=runs, groups=summarise_groups(study, runs))


def renamed(names: dict[str, str], table=None) -> Facts:
    """Facts of the six published runs, their groups called otherwise."""
    table = table or SIX
    return facts_of(runs_of({(names[g], s): values for (g, s), values in table.items()}))


def claim(text: str, kind: str = "metric_value", *, confidence: float = 0.95, **meaning) -> Claim:
    """Claim a number, of accuracy unless something else is said."""
    meaning.setdefault("metric", "accuracy")
    decimals = len(text.partition(".")[2])
    printed = Printed(text=text, value=Decimal(text), decimals=decimals)
    return Claim(
        kind=kind,
        quote=text,
        place=Place(line=1),
        printed=printed,
        content=Meaning(**meaning),
        confidence=confidence,
    )


def solved(facts: Facts, *claims: Claim) -> Case:
    """Resolve claims of a report of one line."""
    line = Line(text="x", number=1)
    block = Block(type="paragraph", lines=(line,))
    report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
    return resolve(Case(manuscript=report, claims=claims, facts=facts))
