"""Statistics over runs: pure functions from records to quantities, listed by name."""

from __future__ import annotations

from reportgen.registry import Entry, Registry

STATISTICS = Registry(
    "statistic",
    {
        "best_step": Entry(
            "reportgen.stats.best_step:select_best_step",
            "the step with the best value on the selection split, and the reported value there",
        ),
        "compare": Entry(
            "reportgen.stats.compare:compare_groups",
            "difference of two groups with its t interval and p-value",
        ),
        "evaluations": Entry(
            "reportgen.stats.evaluations:reading_of",
            "the value of one run at one evaluation, or why there is none",
        ),
        "feasible": Entry(
            "reportgen.stats.feasible:select_definition",
            "which values and which definition can stand behind printed means and spreads",
        ),
        "groups": Entry(
            "reportgen.stats.groups:summarise_groups",
            "every group of a study with its cells, summaries and epochs",
        ),
        "other_metrics": Entry(
            "reportgen.stats.other_metrics:summarise_others",
            "every other evaluated metric at the step that the deciding one chose",
        ),
        "outliers": Entry(
            "reportgen.stats.outliers:find_farthest",
            "the run that lies farthest from its group, by Grubbs' test from seven runs on",
        ),
        "per_epoch": Entry(
            "reportgen.stats.per_epoch:summarise_epochs",
            "mean and spread over the seeds of a group, epoch by epoch",
        ),
        "sampling_error": Entry(
            "reportgen.stats.sampling_error:summarise_sampling_error",
            "Wilson interval of an accuracy measured on N examples",
        ),
        "shared_seeds": Entry(
            "reportgen.stats.shared_seeds:compare_shared",
            "paired difference of two groups over the seeds that both have",
        ),
        "smoothing": Entry(
            "reportgen.stats.smoothing:smooth_values",
            "TensorBoard's debiased exponential moving average, for figures only",
        ),
        "summarise": Entry(
            "reportgen.stats.summarise:summarise_values",
            "mean, standard deviation and t interval of one value over seeds",
        ),
        "unselected": Entry(
            "reportgen.stats.unselected:summarise_unselected",
            "last values, ends and extremes of runs by which no step was chosen",
        ),
    },
)
