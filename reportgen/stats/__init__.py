"""Statistics over runs: pure functions from records to quantities.

What other packages use is named here. `STATISTICS` lists it for the documentation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.registry import Entry, Registry
from reportgen.stats._readings import decimal_of as decimal_of
from reportgen.stats._readings import finite_mask as finite_mask
from reportgen.stats._readings import index_of_step as index_of_step
from reportgen.stats._readings import never_logged as never_logged
from reportgen.stats._readings import subtract as subtract
from reportgen.stats._student import normal_quantile as normal_quantile
from reportgen.stats._student import t_quantile as t_quantile
from reportgen.stats._student import two_sided_p as two_sided_p
from reportgen.stats.clock import epoch_of_step as epoch_of_step
from reportgen.stats.clock import epochs_finished as epochs_finished
from reportgen.stats.clock import epochs_of as epochs_of
from reportgen.stats.clock import numbers_epochs_from_zero as numbers_epochs_from_zero
from reportgen.stats.clock import stated_steps_per_epoch as stated_steps_per_epoch
from reportgen.stats.compare import MIN_RUNS_OF_GRUBBS as MIN_RUNS_OF_GRUBBS
from reportgen.stats.compare import Farthest as Farthest
from reportgen.stats.compare import compare_groups as compare_groups
from reportgen.stats.compare import compare_pair as compare_pair
from reportgen.stats.compare import compare_shared as compare_shared
from reportgen.stats.compare import difference_of as difference_of
from reportgen.stats.compare import estimate_difference as estimate_difference
from reportgen.stats.compare import find_farthest as find_farthest
from reportgen.stats.compare import grubbs_critical as grubbs_critical
from reportgen.stats.compare import grubbs_statistic as grubbs_statistic
from reportgen.stats.compare import t_statistic as t_statistic
from reportgen.stats.curves import MAX_PLACES as MAX_PLACES
from reportgen.stats.curves import Places as Places
from reportgen.stats.curves import course_of as course_of
from reportgen.stats.curves import divide as divide
from reportgen.stats.curves import smooth_values as smooth_values
from reportgen.stats.groups import families_of as families_of
from reportgen.stats.groups import group_of_values as group_of_values
from reportgen.stats.groups import runs_of_groups as runs_of_groups
from reportgen.stats.groups import summarise_epochs as summarise_epochs
from reportgen.stats.groups import summarise_groups as summarise_groups
from reportgen.stats.others import BITS as BITS
from reportgen.stats.others import LOSSES as LOSSES
from reportgen.stats.others import MAX_OTHERS as MAX_OTHERS
from reportgen.stats.others import NO_RESULTS as NO_RESULTS
from reportgen.stats.others import summarise_others as summarise_others
from reportgen.stats.others import unlogged_others as unlogged_others
from reportgen.stats.selection import MAX_POINTS_OF_AN_END as MAX_POINTS_OF_AN_END
from reportgen.stats.selection import Names as Names
from reportgen.stats.selection import choose_selection as choose_selection
from reportgen.stats.selection import epoch_of as epoch_of
from reportgen.stats.selection import evaluation_steps as evaluation_steps
from reportgen.stats.selection import missing_cell as missing_cell
from reportgen.stats.selection import reading_of as reading_of
from reportgen.stats.selection import select_step as select_step
from reportgen.stats.summary import CONSTANT as CONSTANT
from reportgen.stats.summary import largest_distance as largest_distance
from reportgen.stats.summary import mean_of as mean_of
from reportgen.stats.summary import std_of as std_of
from reportgen.stats.summary import summarise_sampling_error as summarise_sampling_error
from reportgen.stats.summary import summarise_values as summarise_values
from reportgen.stats.summary import wilson_interval as wilson_interval

if TYPE_CHECKING:
    from reportgen.stats.curves import Curve as Curve

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
