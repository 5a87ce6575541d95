"""Files that are equal byte for byte: read once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from reportgen.read.logs._one_file import TABLES, with_digest
from reportgen.records.run import Log, Problem

CLOCKED = frozenset({"tfevents", "trainer_state", "hf_results", "fairseq_log", "wandb_run"})
"""Kinds that carry clock readings, so that two files equal byte for byte are copies."""


def drop_copies(logs: list[Log], paths: Mapping[str, Path]) -> tuple[list[Log], list[Problem]]:
    """Keep one of several files that are equal byte for byte and carry points, of one folder.

    It is the one in the folder farthest up: a copy is put aside into a folder below. Where the
    root holds folders of runs, though, a file beside them is a copy that was taken out of one.
    Of several there the first one is kept. What lies in another folder is of another run.
    """
    clocked = [log for log in logs if log.source.kind in CLOCKED and log.series]
    looks = Counter(map(_look_of, clocked))
    originals: dict[str, list[str]] = {}
    copies: dict[str, Problem] = {}
    digested: dict[int, Log] = {}
    folders = {log.source.path.rpartition("/")[0] for log in clocked} - {""}
    for log in sorted(logs, key=lambda log: _depth(log, rooted=len(folders) < 2)):
        source = log.source
        # Only files that look alike are hashed to know.
        if source.kind in CLOCKED and log.series and looks[_look_of(log)] > 1:
            digested[id(log)] = with_digest(log, paths[source.path])
            source = digested[id(log)].source
            known = originals.setdefault(source.sha256, [])
            if source.path in known:
                continue
            original = next((one for one in known if _beside(one, source.path)), None)
            if original is None:
                known.append(source.path)
            else:
                copies[source.path] = Problem(
                    path=source.path,
                    message=f"the same file as {original}, byte for byte; read once",
                    remedy="remove the copy, or put back the file that it replaced",
                    # The Trainer writes the same numbers under several names by itself.
                    level="note" if source.kind == "hf_results" else "warning",
                )
    kept = [digested.get(id(log), log) for log in logs if log.source.path not in copies]
    return kept, [copies[path] for path in sorted(copies)]


def _beside(one: str, other: str) -> bool:
    """Tell whether two files lie in one folder, or one of them somewhere below the other's."""
    folders = (path.rpartition("/")[0] for path in (one, other))
    upper, lower = sorted((f"{folder}/".lstrip("/") for folder in folders), key=len)
    return lower.startswith(upper)


def _depth(log: Log, *, rooted: bool) -> float:
    """Return how far down a file lies; one in a root that is no run itself comes last."""
    depth = log.source.path.count("/")
    return depth if depth or rooted else math.inf


def _look_of(log: Log) -> tuple[object, ...]:
    """Return what copies have in common, without a look at the file."""
    tag, series = next(iter(log.series.items()))
    # As texts, in which two numbers that are none are equal.
    ends = (series.wall_times[0], series.wall_times[-1], series.values[0], series.values[-1])
    return log.source.size, tag, len(series), *map(str, ends)


def drop_results_beside_curves(logs: Sequence[Log]) -> tuple[list[Log], list[Problem]]:
    """Leave out tables of results, a run a row, where curves of runs lie beside them or below."""
    folders = {one.source.path.rpartition("/")[0] for one in logs if one.series}
    told: dict[str, Problem] = {}
    kept = []
    for log in logs:
        folder = log.source.path.rpartition("/")[0]
        is_table = log.source.kind in TABLES and log.run_key and log.results and not log.series
        if is_table and any(
            f"{one}/".startswith(f"{folder}/" if folder else "") for one in folders
        ):
            message = "a table of results of runs, whose curves lie beside it: left out"
            told[log.source.path] = Problem(path=log.source.path, message=message, level="note")
        else:
            kept.append(log)
    return kept, [*told.values()]
