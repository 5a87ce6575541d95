"""Settings that runs share, in the spelling of their logs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportgen.records.run import Run

_LONGEST = 32


def setting_of(runs: Sequence[Run], keys: Sequence[str]) -> str:
    """Return a setting that all runs share under one of some keys; empty where they do not.

    A key may stand below others (`optimizer.lr`); its last part counts.

    Example:
        >>> run = Run(id="a", group="a", seed=0, layout="x", scalars={}, config={"o.lr": 1e-5})
        >>> setting_of([run], ("lr",))
        '1e-5'
    """
    found = {_first(run, keys) for run in runs}
    return found.pop() if len(found) == 1 else ""


def _first(run: Run, keys: Sequence[str]) -> str:
    named = {
        str(key).strip("-").replace("-", "_").rpartition(".")[2]: value
        for key, value in run.config.items()
    }
    for key in keys:
        value = named.get(key)
        if isinstance(value, list | tuple) and len(value) == 1:
            value = value[0]
        if isinstance(value, bool) or value is None:
            continue
        if value in (0, "0", ""):
            continue
        if isinstance(value, float):
            return re.sub(r"e([-+])0*", r"e\1", f"{value:g}")
        if isinstance(value, int | str) and 0 < len(str(value)) <= _LONGEST:
            return str(value).strip("[]")
    return ""
