"""Sections: facts in, blocks out; the table's order is the order of the report."""

from __future__ import annotations

from reportgen.registry import Entry, Registry

SECTIONS = Registry(
    "section",
    {
        "setup": Entry("reportgen.report.setup:build", "data, schedule, conventions"),
        "results": Entry("reportgen.report.results:build", "figure, tables and findings"),
        "others": Entry("reportgen.report.others:build", "groups that are not compared"),
        "parameters": Entry("reportgen.report.parameters:build", "the parameter ledger"),
        "lora": Entry("reportgen.report.lora:build", "LoRA configuration and count"),
        "architecture": Entry("reportgen.report.architecture:build", "the module tree"),
        "secondary": Entry(
            "reportgen.report.others:build_appendix", "runs of groups that are not compared"
        ),
        "reproducibility": Entry(
            "reportgen.report.reproducibility:build", "what was found, missing, inferred"
        ),
    },
)
