"""A run that `rerun` made: what is known of it, and by what its folder is told from others."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.records.record import field, record

RECORD = "run.json"
"""File with the content of `Rerun`; a folder is a finished re-run exactly when it is there."""

PRIVATE = ".reportgen"
"""Folder of a run store that holds its own affairs; no run lies there."""


@record
class Rerun:
    """Where a run comes from that `rerun` made: the content of its `run.json`.

    Attributes:
        key: Digest of everything that decides the numbers.
        group, seed: The cell.
        device: What it ran on, in words (`"NVIDIA H200"`, `"CPU, x86_64, 1 thread"`).
        date: ISO date and time of the end, UTC.
        versions: Package to version.
        engine: `"stacked"` or `"module"`, with the number of members trained together.
        settings: What went into the key, flat, in words: a stale cell is explained by them.
        notes: What a reader must know (a halved batch, a nondeterministic device).
        seconds: Time of training and evaluation, without start-up.
        sha256: File of the run to its digest.
    """

    key: str
    group: str
    seed: int
    device: str
    date: str
    versions: Mapping[str, str]
    engine: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    sha256: Mapping[str, str] = field(default_factory=dict)
