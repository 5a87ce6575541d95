"""What TensorBoard calls the tables that it gives to download: run and tag stand in the name."""

from __future__ import annotations

import re

_NAME = re.compile(r"run-(?P<run>.+?)-tag-(?P<tag>.+?)(?: ?\(\d+\))?")


def read_download(stem: str) -> tuple[str, str] | None:
    """Return run and tag of a table's name without its ending, None where it has another form.

    TensorBoard and browsers write `_` for what a file's name cannot hold, and browsers add a
    number to a name that is there already.

    Example:
        >>> read_download("run-small_seed3-tag-eval_loss (1)"), read_download("run-3")
        (('small_seed3', 'eval_loss'), None)
    """
    found = _NAME.fullmatch(stem)
    return (found["run"], found["tag"]) if found else None
