"""Anything else: a folder is a run; its splits are in folders or in tags."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reportgen.records.downloads import read_download
from reportgen.records.run import Log
from reportgen.runs._layout import Layout, Names, Place, leaf, parent
from reportgen.runs._names import SPLIT_NAMES, metric_name, split_tag
from reportgen.runs._seeds import find_tokens, read_path

_SESSION = re.compile(r"(?:^|/)(?:\d{9,11}\.\d+|\d{8}_\d{6}/vis_data)$")
"""Folders that `add_hparams` makes, and mmengine for each start of a training."""
_TABLES = ("metrics_csv", "json_lines")
_MONITOR = ".monitor.csv"
"""How Stable-Baselines3 ends the name of what it logs of an environment."""


def recognise(logs: Sequence[Log]) -> Sequence[Log]:
    """Take everything."""
    return logs


def place(log: Log) -> Place:
    """Return the file's folder as the run, or its parent where the folder is a split.

    `add_scalars` writes `<tag>_<name>` folders below the run, `add_hparams` and mmengine one named
    after the clock: all belong to the folder above. Of tables, which many people keep side by side,
    one that is named like a split is a split of its folder, and each that a column of theirs
    tells apart is a run. So is a table with a number, and a console with a seed of its own.
    """
    folder = parent(log.source.path)
    if log.program == "dvclive":
        return Place(run=log.source.path.rpartition("/plots/metrics/")[0])
    stem = leaf(log.source.path).partition(".")[0]
    table = _place_of_table(log, folder, stem) if log.source.kind in _TABLES else None
    if table is not None:
        return table
    if _names_run(log, folder, stem):
        return Place(run=f"{folder}/{stem}" if folder else stem)
    name = leaf(folder)
    if name.lower() in SPLIT_NAMES:
        return Place(run=parent(folder), folder=name)
    if session := _SESSION.search(folder):
        return Place(run=folder[: session.start()])
    for tag in log.series:
        prefix = tag.replace("/", "_") + "_"
        if len(log.series) == 1 and name.startswith(prefix) and name != prefix:
            return Place(run=parent(folder), folder=name.removeprefix(prefix))
    return Place(run=folder)


def _names_run(log: Log, folder: str, stem: str) -> bool:
    """Tell whether a table is called after a run, or a console after a seed not its folder's."""
    if log.source.kind == "console":
        # A number alone may be that of a job.
        return bool(find_tokens(stem)) and read_path(stem).seed != read_path(folder).seed
    return log.source.kind in _TABLES and stem != leaf(folder) and bool(read_path(stem).origin)


def _place_of_table(log: Log, folder: str, stem: str) -> Place | None:
    """Return where a table belongs by its content or by its name, None where neither tells."""
    if log.run_key:
        return Place(run="/".join(part for part in (folder, stem, log.run_key) if part))
    # The stem of `run-a-tag-x.y.csv` goes up to the last dot.
    downloaded = read_download(leaf(log.source.path).rpartition(".")[0])
    if downloaded:
        return _place_in(folder, downloaded[0])
    # One agent learns in several environments at once, each with a file of its own.
    inside = leaf(log.source.path).endswith(_MONITOR) or stem.lower() in SPLIT_NAMES
    return Place(run=folder, folder=stem) if inside else None


def _place_in(folder: str, run: str) -> Place:
    """Return where a table belongs that was downloaded of a run; its slashes are underscores."""
    above, _, last = run.rpartition("_")
    split = last if last.lower() in SPLIT_NAMES else ""
    name = above if split else run
    inside = "/".join(part for part in (folder, name.strip(".")) if part)
    return Place(run=inside, folder=split)


def label(folder: str, tag: str, names: Names) -> tuple[str, str]:
    """Read the split off the folder where it is one, else off the tag.

    What a program logs in training may be of another split, as `val_loss` in `training.csv`.
    """
    metric, split = split_tag(tag, names)
    above = names.get(folder.lower())
    if above is None or (above == "train" and split):
        return metric, split
    return (metric if split else metric_name(tag)), above


LAYOUT = Layout(name="plain", recognise=recognise, place=place, label=label)
