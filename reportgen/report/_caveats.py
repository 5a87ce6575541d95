"""What a reader must know of a printed value, spread or interval, wherever one is printed."""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.languages import message, noun, say
from reportgen.records.document import Text
from reportgen.records.facts import Facts, GroupResult, RunResult, Summary
from reportgen.records.quantity import Quantity
from reportgen.records.study import Study
from reportgen.report._phrases import std_words

# (Every reported value is one) to what is said of them, by the split.
_MEASURED = {
    True: message("Each {split} value was measured once, after training."),
    False: message("Some {split} values were measured once, after training."),
}
_WEIGHTS = {
    "best": message("They are those of the best weights, as the program says."),
    "last": message("They are those of the last weights, as the program says."),
    "step": message("The logs name the step of the weights that were measured."),
    "": message("Of which weights they are is not logged."),
}


def spread_note(study: Study, told: Iterable[Summary]) -> Text:
    """Return the sentence that says what stands behind ±; nothing where nothing does.

    Args:
        study: Names the standard deviation.
        told: What the text prints with its spread where there is one.
    """
    if not any(isinstance(summary.std, Quantity) for summary in told):
        return ()
    return say("Behind ± stands the {std}.", std=std_words(study))


def interval_note(group: GroupResult) -> Text:
    """Return the sentence that says what the interval of a difference leaves out."""
    return say(
        "The interval covers what differs between the runs; the error of the {split} set, which "
        "all of them share, is not in it.",
        split=noun(group.report_split),
    )


def is_all_after_training(facts: Facts) -> bool:
    """Return whether every reported value was measured once, after training."""
    with_value = sum(group.report.n for group in facts.groups)
    return 0 < with_value == len(_measured(facts))


def after_training(facts: Facts) -> Text:
    """Say which values were measured after training, and of which weights; often nothing."""
    cells = _measured(facts)
    if not cells:
        return ()
    splits = {cell.result.split for cell in cells if cell.result is not None}
    said = say(_MEASURED[is_all_after_training(facts)], split=noun(min(splits)))
    kinds = {_weights(cell) for cell in cells}
    return (*said, " ", *say(_WEIGHTS[kinds.pop() if len(kinds) == 1 else ""]))


def _measured(facts: Facts) -> list[RunResult]:
    cells = (cell for group in facts.groups for cell in group.cells)
    return [cell for cell in cells if cell.report_from == "result"]


def _weights(cell: RunResult) -> str:
    if cell.result is None:
        return ""
    return cell.result.weights or ("" if cell.result.step is None else "step")
