"""The keys of a study file: one table that reader, messages and `init` share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reportgen.records.run import SPLITS


@dataclass(frozen=True, slots=True)
class Key:
    """One legal key: its type, its meaning, and the values it may take.

    Attributes:
        kind: `"text"`, `"whole"`, `"number"`, `"texts"` (a list) or `"wholes"`.
        about: What it does; becomes the comment that `init` writes.
        choices: Legal values of a text or a whole number; empty allows any.
        low, high: Range of a number.
    """

    kind: str
    about: str
    choices: tuple[str | int, ...] = ()
    low: float | None = None
    high: float | None = None


TABLES: Mapping[str, Mapping[str, Key]] = {
    "report": {
        "title": Key("text", "title of the report"),
        "authors": Key("texts", "who signs it"),
        "abstract": Key("text", "replaces the generated abstract"),
        "lang": Key("text", "language of the report", choices=("en",)),
    },
    "runs": {
        "path": Key("text", "folder with the logs, relative to this file"),
        "pattern": Key("text", "regular expression with named groups: group, seed, split"),
        "layout": Key("text", "name of the layout; empty recognises it"),
    },
    "groups": {
        "label": Key("text", "what the report calls the group"),
        "match": Key("text", "pattern on the run's path, * and ? as in a shell"),
        "seeds": Key("wholes", "seeds that should exist; a missing one is reported"),
    },
    "comparison": {
        "groups": Key("texts", "the two groups of the headline, first minus second"),
    },
    "metric": {
        "name": Key("text", "metric that decides, in one spelling (accuracy)"),
        "direction": Key("text", "which is better", choices=("higher", "lower")),
        "unit": Key("text", "unit in the logs", choices=("percent", "fraction", "")),
        "select_on": Key("text", "split that chooses the best step", choices=SPLITS),
        "report_on": Key("text", "split whose value at that step is reported", choices=SPLITS),
        "ties": Key("text", "which of equal best steps", choices=("first", "last")),
    },
    "statistics": {
        "ddof": Key("whole", "1: sample, 0: population standard deviation", choices=(0, 1)),
        "confidence": Key("number", "level of the intervals", low=0.5, high=0.9999),
        "smoothing": Key("number", "weight of the smoothed curves", low=0.0, high=0.999),
    },
    "splits.names": {},
    "splits.sizes": {
        split: Key("whole", "number of examples", low=1, high=1e12) for split in SPLITS
    },
    "epochs": {
        "steps_per_epoch": Key(
            "whole", "optimizer steps in one epoch; 0 infers it", low=0, high=1e12
        ),
    },
    "model": {
        "name": Key("text", "what the report calls the model"),
        "config": Key("text", "config.json, relative to this file"),
        "checkpoint": Key("text", "checkpoint or tensors.json to reconcile the count with"),
    },
    "adapter": {
        "name": Key("text", "what the report calls the adapter"),
        "config": Key("text", "adapter_config.json, relative to this file"),
        "base": Key("text", "config.json or checkpoint of the base model"),
    },
}
