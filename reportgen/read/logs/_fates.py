"""What becomes of a file: one fate each, told by its name or by what was read of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from reportgen.read.logs._lists import lists
from reportgen.records.run import Fate, Log

NO_LOGS = lists("no_logs")
"""What is called as logs are, and holds nothing of a model by design: of TensorBoard's profiler,
CatBoost, and Weights & Biases."""

SKIPPED = NO_LOGS | lists("beside")
"""What programs leave beside logs, and how it is called."""

SETTINGS = ("generation_config.json", "hydra.yaml", "multirun.yaml")
"""Settings that say nothing of a run; those that do are read."""

WEIGHTS = ("*.safetensors", "*.pt", "*.pth", "*.bin", "*.gguf", "*.ckpt", "*.index.json")
ADAPTER = ("adapter_config.json", "adapter_model.*")

CONFIG = "config.json"
MODEL_KEYS = frozenset(lists("files")["of_models"])
"""Keys by which a `config.json` says that it is a model's, and not any program's settings."""
LARGEST_CONFIG = 1 << 22


def describes_model(path: Path) -> bool:
    """Tell whether a `config.json` says that it is a model's; one that cannot be read may be."""
    try:
        if path.stat().st_size > LARGEST_CONFIG:
            return True
        found = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return True
    return not isinstance(found, dict) or is_model(found)


def is_model(found: Mapping[str, object]) -> bool:
    """Tell whether the keys of a configuration are a model's, or nothing is stated at all."""
    return not found or not MODEL_KEYS.isdisjoint(found)


def is_settings(name: str) -> bool:
    """Tell whether a file is called as a model's configuration and many programs' settings are."""
    return name.rpartition("/")[2] == CONFIG


def fate_by_name(name: str, *, model: bool) -> Fate:
    """Return the fate of a file that no loader answers to.

    `model` says whether other stages may open it as a model, a checkpoint or an adapter.
    """
    base = name.rpartition("/")[2]
    if why := why_skipped(name, SKIPPED):
        return Fate(path=name, kind="skipped", why=why)
    if is_called(base, ADAPTER):
        return Fate(path=name, kind="adapter")
    if model or is_called(base, WEIGHTS):
        return Fate(path=name, kind="model")
    settings = is_settings(name) or base in SETTINGS
    return Fate(path=name, kind="settings" if settings else "other")


def why_skipped(name: str, known: Mapping[str, tuple[str, ...]]) -> str:
    """Return why a file is skipped whose name, or path, fits; empty where none does.

    Example:
        >>> [why_skipped(f"wandb/{n}", NO_LOGS) for n in ("run-1/logs/debug.log", "train.log")]
        ['what a tracker says of itself', '']
    """
    base = name.rpartition("/")[2]
    return next(
        (
            why
            for why, patterns in known.items()
            if any(fnmatchcase(f"/{name}" if "/" in one else base, one) for one in patterns)
        ),
        "",
    )


def is_called(name: str, patterns: Sequence[str]) -> bool:
    """Tell whether a file's own name fits any of these patterns."""
    base = name.rpartition("/")[2]
    return any(fnmatchcase(base, pattern) for pattern in patterns)


def fate_by_logs(name: str, source: str, logs: Sequence[Log], size: int | None = None) -> Fate:
    """Return the fate of a file that a loader has read; it found no logs where it is none."""
    points = sum(len(series) for log in logs for series in log.series.values())
    runs = {log.run_key for log in logs if log.series or log.results}
    problems = [problem for log in logs for problem in log.problems]
    damaged = [p for p in problems if p.offset is not None and (runs or p.level == "warning")]
    if damaged:
        kind, why = "damaged", damaged[0].message
    elif runs:
        kind, why = "read", ""
    elif any(log.config or log.texts for log in logs) or not (
        problems or any(log.skipped for log in logs)
    ):
        # A file of settings may set nothing.
        kind, why = "settings" if logs else "other", ""
    else:
        kind, why = "skipped", problems[0].message if problems else "no scalar in it"
    return Fate(
        path=name,
        kind=kind,
        source=logs[0].source.kind if logs else source,
        why=why,
        size=logs[0].source.size if logs else size,
        runs=len(runs),
        points=points,
        lost=len(damaged),
    )
