"""Sentences of a report held against made-up runs, or against claims of the same report."""

from __future__ import annotations

from dataclasses import replace

from fakes import made_claims, made_runs

from reportgen.checks import contradiction, ordering, superlative, trend
from reportgen.checks import range as ranges
from reportgen.claims._labels import group_key
from reportgen.claims.statements import find
from reportgen.records.finding import Case
from reportgen.records.manuscript import Block, Line, Manuscript

CHECKS = (ordering, superlative, trend, ranges)


def report(*texts, kind="paragraph"):
    """A report of one paragraph a text; a text that begins with # is a heading."""
    blocks = tuple(
        Block(
            type="heading" if text.startswith("#") else kind,
            lines=(Line(text=text.lstrip("# "), number=number),),
            level=1 if text.startswith("#") else 0,
        )
        for number, text in enumerate(texts, 1)
    )
    return Manuscript(path="report.md", format="markdown", sha256="0", blocks=blocks)


def found(*texts):
    """What the finder sees in a report."""
    return find(report(*texts))


def the_only(text):
    """The only statement in a text."""
    (claim,) = found(text)
    return claim


def labels_of(claims, groups):
    """Label to group of the logs, by the words that both have."""
    said = {s.group for c in claims if c.content for s in c.content.subjects}
    said |= {s.against for c in claims if c.content for s in c.content.subjects}
    keys = {group_key(group): group for group in groups}
    known = {
        label: group for label in said for key, group in keys.items() if key <= group_key(label)
    }
    return {label: group for label, group in known.items() if label}


def case(*texts, table=None, facts=None, seeds=None):
    """A case with the logs of a table {(group, seed): (validation, test)}, or with facts."""
    facts = facts or made_runs.facts(made_claims.PUBLISHED if table is None else table, groups=())
    manuscript = report(*texts)
    claims = tuple(replace(c, id=f"s{n}") for n, c in enumerate(find(manuscript)))
    groups = labels_of(claims, [group.name for group in facts.groups])
    return Case(
        manuscript=manuscript,
        claims=claims,
        facts=facts,
        given=frozenset({"logs"}),
        groups=groups,
        seeds=seeds or {g.name: {c.seed: c.seed for c in g.cells} for g in facts.groups},
    )


def alone(*texts, claims=()):
    """A case of a report without logs that prints other values too."""
    manuscript = report(*texts)
    said = (replace(c, id=f"s{n}") for n, c in enumerate(find(manuscript)))
    return Case(manuscript=manuscript, claims=(*claims, *said))


def verdicts(of):
    """The findings on every sentence of a case."""
    return [finding for check in CHECKS for finding in check.check(of)]


def verdict(*texts, **how):
    """Level and verdict of the only sentence of a report with logs."""
    (finding,) = verdicts(case(*texts, **how))
    return finding.level, finding.verdict


def contradictions(of):
    """What the report says in two ways."""
    return list(contradiction.check(of))
