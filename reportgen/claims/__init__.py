"""Text to claims: what a report says, bound by meaning and never by value.

The order of the table decides who owns a number that two finders see.
"""

from __future__ import annotations

from reportgen.registry import Entry, Registry

FINDERS = Registry(
    "claim finder",
    {
        "equations": Entry("reportgen.claims.equations:find", "printed arithmetic and formulas"),
        "significance": Entry(
            "reportgen.claims.significance:find", "what tests of two groups give: t and p"
        ),
        "settings": Entry("reportgen.claims.settings:find", "named values and LoRA keys"),
        "counts": Entry("reportgen.claims.counts:find", "numbers of parameters, layers, seeds"),
        "together": Entry(
            "reportgen.claims.together:find", "extremes of all runs, widths, relative differences"
        ),
        "metrics": Entry("reportgen.claims.metrics:find", "values of metrics, best steps, spreads"),
        "inventory": Entry(
            "reportgen.claims.inventory:find", "runs, files, points, examples that are listed"
        ),
        "statements": Entry("reportgen.claims.statements:find", "trends, orders, ranges"),
    },
)
