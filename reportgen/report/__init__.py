"""Sections: facts in, blocks out; the table's order is the order of the report."""

from __future__ import annotations

from reportgen.registry import Entry, Registry

SECTIONS = Registry(
    "section",
    {
        "summary": Entry("reportgen.report.summary:build", "headline table and difference"),
        "architecture": Entry("reportgen.report.architecture:build", "the module tree"),
        "parameters": Entry("reportgen.report.parameters:build", "the parameter ledger"),
        "lora": Entry("reportgen.report.lora:build", "LoRA configuration and count"),
        "curves": Entry("reportgen.report.curves:build", "curves of every run"),
        "best_step": Entry("reportgen.report.best_step:build", "best step of each run"),
        "as_logged": Entry(
            "reportgen.report.as_logged:build", "values by which no step was chosen"
        ),
        "per_epoch": Entry("reportgen.report.per_epoch:build", "mean and std of each epoch"),
        "comparison": Entry("reportgen.report.comparison:build", "groups side by side"),
        "all_groups": Entry(
            "reportgen.report.all_groups:build", "three and more groups side by side"
        ),
        "observations": Entry(
            "reportgen.report.observations:build", "what the logs of uncompared groups show"
        ),
        "other_metrics": Entry(
            "reportgen.report.other_metrics:build", "other metrics at the best step"
        ),
        "huggingface": Entry("reportgen.report.huggingface:build", "Hugging Face runs"),
        "reproducibility": Entry(
            "reportgen.report.reproducibility:build", "what was found, missing, inferred"
        ),
    },
)
