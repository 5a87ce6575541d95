"""Statistics over runs: pure functions from records to quantities.

What other packages use is named here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.stats._readings import (
    decimal_of,
    epoch_of_step,
    epochs_finished,
    epochs_of,
    finite_mask,
    index_of_step,
    never_logged,
    stated_steps_per_epoch,
    subtract,
)
from reportgen.stats.compare import (
    compare_groups,
    compare_pair,
    difference_of,
    estimate_difference,
    t_statistic,
)
from reportgen.stats.curves import MAX_PLACES, Places, course_of, divide, smooth_values
from reportgen.stats.groups import (
    families_of,
    group_of_values,
    runs_of_groups,
    summarise_epochs,
    summarise_groups,
)
from reportgen.stats.others import BITS, MAX_OTHERS, NO_RESULTS, summarise_others
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
    NO_VALUES,
    expected_maximum,
    largest_distance,
    largest_setback,
    mean_of,
    normal_quantile,
    standard_error,
    std_of,
    summarise_sampling_error,
    summarise_values,
    t_quantile,
    two_sided_p,
    wilson_interval,
)

if TYPE_CHECKING:
    from reportgen.stats.curves import Curve

__all__ = [
    "BITS", "CONSTANT", "MAX_OTHERS", "MAX_PLACES", "MAX_POINTS_OF_AN_END",
    "NO_RESULTS", "NO_VALUES", "Curve", "Names", "Places",
    "choose_selection", "compare_groups", "compare_pair", "course_of",
    "decimal_of", "difference_of", "divide", "epoch_of", "epoch_of_step", "epochs_finished",
    "epochs_of", "estimate_difference", "evaluation_steps", "expected_maximum", "families_of",
    "finite_mask", "group_of_values",
    "index_of_step", "largest_distance", "largest_setback", "mean_of", "missing_cell",
    "never_logged", "normal_quantile", "reading_of",
    "runs_of_groups", "select_step", "smooth_values", "standard_error", "stated_steps_per_epoch",
    "std_of", "subtract", "summarise_epochs", "summarise_groups", "summarise_others",
    "summarise_sampling_error", "summarise_values", "t_quantile", "t_statistic", "two_sided_p",
    "wilson_interval",
]  # fmt: skip
