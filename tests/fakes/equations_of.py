"""Reports that hold a few lines of mathematics, and what the checks say of them."""

from __future__ import annotations

import importlib
import tempfile
from pathlib import Path

from reportgen.claims import counts, equations, settings
from reportgen.read.documents import read_document
from reportgen.records.claim import Claim
from reportgen.records.finding import Case, Finding
from reportgen.records.manuscript import Manuscript


def manuscript(text: str, name: str = "report.md") -> Manuscript:
    """Return a text as its reader gives it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_text(text, encoding="utf-8")
        return read_document(path)


def claims(text: str, name: str = "report.md") -> tuple[Claim, ...]:
    return equations.find(manuscript(text, name))


def case(text: str, name: str = "report.md") -> Case:
    read = manuscript(text, name)
    found = [*equations.find(read), *settings.find(read), *counts.find(read)]
    found.sort(key=lambda claim: (claim.block, claim.start))
    return Case(manuscript=read, claims=tuple(found))


def findings(rule: str, text: str, name: str = "report.md") -> list[Finding]:
    check = importlib.import_module(f"reportgen.checks.{rule}").check
    return list(check(case(text, name)))


def only(rule: str, text: str, name: str = "report.md") -> Finding:
    (finding,) = findings(rule, text, name)
    return finding
