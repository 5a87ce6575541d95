"""A report.json made by hand, with groups of any number and names."""

import json
from pathlib import Path
from typing import Any


def group(name: str, means: list[float | None], *, epochs: list[float] | None = None, **more: Any):
    """One group: its means on test after each epoch (0 is an unknown one), and one run."""
    epochs = epochs or list(range(1, len(means) + 1))
    return {
        "name": name,
        "label": name,
        "metric": "accuracy",
        "unit": "fraction",
        "split": "test",
        "n": 1,
        "runs": [{"seed": 0, "run": f"{name}/0", "missing": None}],
        "epochs": [
            {"epoch": epoch, "step": 10 * turn, "splits": {"test": {"n": 1, "mean": mean}}}
            for turn, (epoch, mean) in enumerate(zip(epochs, means, strict=True), 1)
        ],
        **more,
    }


def headline(rows: list[list[str]]) -> dict[str, Any]:
    """The table of results."""
    return {
        "id": "results.table",
        "number": "1",
        "caption": "Test accuracy in percent.",
        "columns": [{"group": "", "title": title} for title in ("Group", "n", "Test")],
        "rows": rows,
        "notes": ["One seed a group."],
    }


def report(groups: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """The whole, with a headline of a row a group."""
    return {
        "schema": "reportgen-report/1",
        "generated_by": "reportgen 0.1.0",
        "title": "A study",
        "date": "2026-11-21",
        "lang": "en",
        "numbers": [],
        "groups": groups,
        "tables": [headline([[g["label"], "1", "80.6"] for g in groups])],
        **more,
    }


def write(path: Path, content: dict[str, Any]) -> Path:
    """Write it, and return its path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path
