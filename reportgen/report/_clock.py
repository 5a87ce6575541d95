"""What the steps of a run count, and what was measured at none of them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from reportgen.records.run import Run

_OF_UPDATES = frozenset({"fairseq", "fairseq_console", "hf_trainer"})
"""Layouts of programs that log every value at the number of updates."""

_OF_LIGHTNING = re.compile(r"(?:^|/)version_\d+/")
"""Folders of Lightning's loggers, which log at `global_step`; a `metrics.csv` may be anyone's."""


def count_updates(runs: Iterable[Run]) -> bool:
    """Return whether the steps of all these runs are updates by an optimizer, for certain.

    What wrote other logs may count steps of an environment, epochs, batches or examples.

    Example:
        >>> a, b = (
        ...     Run(id=layout, group="a", seed=None, layout=layout, scalars={})
        ...     for layout in ("fairseq", "plain")
        ... )
        >>> count_updates([a]), count_updates([a, b])
        (True, False)
    """
    return all(_counts_updates(run) for run in runs)


def _counts_updates(run: Run) -> bool:
    if run.layout == "lightning":
        return any(_OF_LIGHTNING.search(source.path) for source in run.sources)
    return run.layout in _OF_UPDATES
