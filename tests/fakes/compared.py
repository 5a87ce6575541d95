"""What the section on comparisons says of made-up groups."""

from __future__ import annotations

from reportgen.records.document import Bullets, walk
from reportgen.report import comparison


def said(made, facts):
    """Subject to sentence of the commentary."""
    section = comparison.build(facts)
    items = [t for b in walk((section,)) if isinstance(b, Bullets) for t in b.items]
    return dict(made.words(item).split(". ", 1) for item in items)


def flat(a, b, *, seeds=3, valid=None):
    """Groups a and b with the same curve in each seed, test equal to validation."""
    table = {}
    for seed in range(seeds):
        table["a", seed] = (valid or a, a)
        table["b", seed] = (b, b)
    return table


def two(made, table, **changes):
    """Facts of a table, in which groups a and b are compared."""
    return made.facts(table, groups=(), compare=("a", "b"), **changes)
