"""Sections: facts in, blocks out; the table's order is the order of the report."""

from __future__ import annotations

from reportgen.registry import Entry, Registry

SECTIONS = Registry(
    "section",
    {
        "summary": Entry("reportgen.sections.summary:build", "headline table and difference"),
        "architecture": Entry("reportgen.sections.architecture:build", "the module tree"),
        "parameters": Entry("reportgen.sections.parameters:build", "the parameter ledger"),
        "lora": Entry("reportgen.sections.lora:build", "LoRA configuration and count"),
        "curves": Entry("reportgen.sections.curves:build", "curves of every run"),
        "best_step": Entry("reportgen.sections.best_step:build", "best step of each run"),
        "as_logged": Entry(
            "reportgen.sections.as_logged:build", "values by which no step was chosen"
        ),
        "per_epoch": Entry("reportgen.sections.per_epoch:build", "mean and std of each epoch"),
        "comparison": Entry("reportgen.sections.comparison:build", "groups side by side"),
        "all_groups": Entry(
            "reportgen.sections.all_groups:build", "three and more groups side by side"
        ),
        "observations": Entry(
            "reportgen.sections.observations:build", "what the logs of uncompared groups show"
        ),
        "other_metrics": Entry(
            "reportgen.sections.other_metrics:build", "other metrics at the best step"
        ),
        "huggingface": Entry("reportgen.sections.huggingface:build", "Hugging Face runs"),
        "reproducibility": Entry(
            "reportgen.sections.reproducibility:build", "what was found, missing, inferred"
        ),
    },
)
