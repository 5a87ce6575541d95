"""Statistics over runs: pure functions from records to quantities.

What other packages use is named here. `STATISTICS` lists it for the documentation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import Entry, Registry
from reportgen.stats._readings import (
    decimal_of,
    finite_mask,
    index_of_step,
    never_logged,
    subtract,
)
from reportgen.stats._student import expected_maximum, normal_quantile, t_quantile, two_sided_p
from reportgen.stats.clock import (
    epoch_of_step,
    epochs_finished,
    epochs_of,
    numbers_epochs_from_zero,
    stated_steps_per_epoch,
)
from reportgen.stats.compare import (
    MIN_RUNS_OF_GRUBBS,
    Farthest,
    compare_groups,
    compare_pair,
    compare_shared,
    difference_of,
    estimate_difference,
    find_farthest,
    grubbs_critical,
    grubbs_statistic,
    t_statistic,
)
from reportgen.stats.curves import (
    MAX_PLACES,
    Places,
    course_of,
    divide,
    smooth_values,
)
from reportgen.stats.groups import (
    families_of,
    group_of_values,
    runs_of_groups,
    summarise_epochs,
    summarise_groups,
)
from reportgen.stats.others import (
    BITS,
    LOSSES,
    MAX_OTHERS,
    NO_RESULTS,
    summarise_others,
    unlogged_others,
)
from reportgen.stats.selection import (
    MAX_POINTS_OF_AN_END,
    Names,
    choose_selection,
    epoch_of,
    evaluation_steps,
    missing_cell,
    reading_of,
    select_step,
)
from reportgen.stats.summary import (
    CONSTANT,
    largest_distance,
    largest_setback,
    mean_of,
    standard_error,
    std_of,
    summarise_sampling_error,
    summarise_values,
    wilson_interval,
)

if TYPE_CHECKING:
    from reportgen.stats.curves import Curve

__all__ = [
    "BITS", "CONSTANT", "LOSSES", "MAX_OTHERS", "MAX_PLACES", "MAX_POINTS_OF_AN_END",
    "MIN_RUNS_OF_GRUBBS", "NO_RESULTS", "STATISTICS", "Curve", "Farthest", "Names", "Places",
    "choose_selection", "compare_groups", "compare_pair", "compare_shared", "course_of",
    "decimal_of", "difference_of", "divide", "epoch_of", "epoch_of_step", "epochs_finished",
    "epochs_of", "estimate_difference", "evaluation_steps", "expected_maximum", "families_of",
    "find_farthest", "finite_mask", "group_of_values", "grubbs_critical", "grubbs_statistic",
    "index_of_step", "largest_distance", "largest_setback", "mean_of", "missing_cell",
    "never_logged", "normal_quantile", "numbers_epochs_from_zero", "reading_of",
    "runs_of_groups", "select_step", "smooth_values", "standard_error", "stated_steps_per_epoch",
    "std_of", "subtract", "summarise_epochs", "summarise_groups", "summarise_others",
    "summarise_sampling_error", "summarise_values", "t_quantile", "t_statistic", "two_sided_p",
    "unlogged_others", "wilson_interval",
]  # fmt: skip

_LISTED = {
    "selection:choose_selection": "whether a best step can be chosen, or the last value counts",
    "selection:select_step": "the step with the best value on the selection split, or the last "
    "one, and the reported value there",
    "selection:reading_of": "the value of one run at one evaluation, or why there is none",
    "clock:epochs_of": "finished epochs at the steps of a run, by its own clock",
    "groups:summarise_groups": "every group of a study with its cells, summaries and epochs",
    "groups:summarise_epochs": "mean and spread over the seeds of a group, epoch by epoch",
    "summary:summarise_values": "mean, standard deviation and t interval of one value over seeds",
    "summary:summarise_sampling_error": "Wilson interval of an accuracy measured on N examples",
    "others:summarise_others": "every other metric at the step that the deciding one chose",
    "compare:compare_groups": "difference of two groups with its t interval and p-value",
    "compare:compare_shared": "paired difference of two groups over the seeds that both have",
    "compare:find_farthest": "the run that lies farthest from its group, by Grubbs' test from "
    "seven runs on",
    "curves:smooth_values": "TensorBoard's debiased exponential moving average, for figures only",
}

STATISTICS = Registry(
    "statistic",
    {
        target.partition(":")[2]: Entry(f"reportgen.stats.{target}", about)
        for target, about in _LISTED.items()
    },
)
