"""Which files hold no evidence, told by their names alone."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase

NOT_EVIDENCE: Mapping[str, tuple[str, ...]] = {
    "answers that a report is graded by": (
        "truth*", "answer*", "expected*", "solution*", "key.json", "keys.json", "key[_-]*.json",
        "labels*", "rubric*",
    ),
    "written by reportgen": (
        "report.json", "findings*.json", "class.csv", "classroom.json", "annotations*",
        "gl-code-quality-report.json", "study.toml",
    ),
    "a tokenizer": (
        "tokenizer*", "vocab*", "merges*", "special_tokens_map.json", "added_tokens.json",
        "*.tiktoken",
    ),
    "predictions, one an example": ("predictions*", "*_predictions.*", "preds*", "submission*.csv"),
    "texts for people": (
        "readme*", "license*", "requirements*", "notes*", "changelog*", "todo*", "robots.txt",
        "cmakelists.txt", "classes.txt", "names.txt",
    ),
    "names and shapes of tensors": ("tensors.json", "*.tensors.json", "*.index.json"),
    "of a program, not of a training": (
        "package.json", "package-lock.json", "tsconfig*", "*.schema.json", "pyproject.toml",
        "poetry.toml", "cargo.toml", "composer.json", "environment.y*ml", "conda*.y*ml",
        "docker-compose*", "mkdocs.y*ml", "_config.y*ml", "_quarto.y*ml", "book.toml",
        "ruff.toml", "netlify.toml", "devcontainer.json",
    ),
}  # fmt: skip
"""Names of files, in small letters, that a report is not held against, and why."""


def why_no_evidence(name: str) -> str:
    """Return why a file is no evidence by its name alone; empty where it may be.

    Example:
        >>> why_no_evidence("lab/truth.json"), why_no_evidence("lab/results.json")
        ('answers that a report is graded by', '')
    """
    base = name.rpartition("/")[2].lower()
    for why, patterns in NOT_EVIDENCE.items():
        if any(fnmatchcase(base, pattern) for pattern in patterns):
            return why
    return ""
