"""Everything that decides a fine-tune's numbers, as settings and one key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

from reportgen.api.paths import is_there
from reportgen.errors import EvidenceError
from reportgen.records.job import CellId
from reportgen.records.study import GroupPlan, Study
from reportgen.records.training import RANDOM, TrainPlan
from reportgen.runstore.keys import file_digest, run_key

_NOT_NUMBERS = frozenset({"data", "tokenizer", "dictionary", "config", "reruns", "keep", "layout"})
"""Fields of the plan that are files, or that change no number."""


def settings_of(study: Study, home: Path) -> dict[CellId, dict[str, str]]:
    """Return (group, seed) to the settings of its fine-tune, in words.

    Groups without `start` cannot be trained and are left out.

    Args:
        study: The study as declared, with `train`.
        home: What its paths are relative to.

    Raises:
        EvidenceError: A file that `[train]` or a group names is not there.
    """
    if study.train is None:
        return {}
    shared = _shared(study.train, home)
    return {
        (group.name, seed): {**shared, **_own(group, study.train, home), "seed": str(seed)}
        for group in study.groups
        if group.start
        for seed in group.seeds
    }


def keys_of(settings: Mapping[CellId, Mapping[str, str]]) -> dict[CellId, str]:
    """Return (group, seed) to the digest of its settings."""
    return {cell: run_key(values) for cell, values in settings.items()}


def _shared(train: TrainPlan, home: Path) -> dict[str, str]:
    """Return what every cell has in common."""
    values = {
        field.name: _plain(getattr(train, field.name))
        for field in fields(train)
        if field.name not in _NOT_NUMBERS
    }
    values |= {f"data.{name}": getattr(train.data, name) for name in ("text", "label", "prompt")}
    for kind in ("files", "labels"):
        for split, name in sorted(getattr(train.data, kind).items()):
            values[f"data.{kind}.{split}"] = _digest(home, name, f"train.data.{kind}.{split}")
    for name in ("tokenizer", "dictionary"):
        if given := getattr(train, name):
            values[name] = _digest(home, given, f"train.{name}")
    return values


def _own(group: GroupPlan, train: TrainPlan, home: Path) -> dict[str, str]:
    """Return what a group has of its own."""
    where = f"groups.{group.name}"
    if group.start == RANDOM:
        if not train.config:
            raise EvidenceError(
                f"{where}.start is random, but no configuration says the model's shape",
                remedy='add config = "model/config.json" to [train]',
            )
        own = {"start": RANDOM, "config": _digest(home, train.config, "train.config")}
    else:
        own = {"start": _digest(home, group.start, f"{where}.start")}
    if group.adapter:
        own["adapter"] = _digest(home, group.adapter, f"{where}.adapter")
    return own


def _digest(home: Path, name: str, key: str) -> str:
    path = home / name
    if not is_there(path):
        raise EvidenceError(
            f"{key} names {name}, which is not there",
            remedy="check the path; it is relative to the study file",
        )
    return f"sha256 {file_digest(path)[:16]}"


def _plain(value: object) -> str:
    """Write a number so that 1e-5 and 0.00001 are one setting."""
    return format(value, ".12g") if isinstance(value, int | float) else str(value)
