"""Made-up reports with one thing changed: what is seen, and that nothing else is accused.

`make wide` draws some labs; `make mutations` draws a thousand.
"""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from fakes.course_class import pdf_of
from fakes.course_lab import Lab, make_lab, write_logs
from fakes.course_reports import Part, Slot, render, slots, write_report

from reportgen.api._old_judgement import judgement_of as judge
from reportgen.api.evidence import EvidencePaths
from reportgen.api.submissions import Submission
from reportgen.records.finding import Finding

LABS = int(os.environ.get("REPORTGEN_MUTATIONS", "30"))
EACH = 2 if LABS < 100 else 1
FORMS = ("md", "tex", "txt", "ipynb", "pdf")
# Of two decimals or fewer, what is borderline may stay unseen; the rest is what was measured.
RECALL = 0.9
PRECISION = 0.99


@dataclass
class Tally:
    reports: int = 0
    accused: list[str] = field(default_factory=list)
    errors: int = 0
    stray: list[str] = field(default_factory=list)
    tried: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Made:
    """One made-up report: its parts, the form it is handed in in, its logs."""

    lab: Lab
    parts: list[Part]
    form: str
    home: Path

    def findings(self, changed: tuple[Slot, str] | None = None) -> list[Finding]:
        path = self.home / f"report.{self.form}"
        if self.form == "pdf":
            path.write_bytes(pdf_of(self.parts, changed=changed))
        else:
            path.write_text(render(self.parts, self.form, changed), encoding="utf-8")
        evidence = EvidencePaths(runs=self.home / "logs")
        judgement = judge(Submission(name="report", report=path, evidence=evidence))
        return [f for f in judgement.findings if f.level in {"error", "warning"}]


def make(number: int, home: Path) -> Made:
    state = random.Random(number)
    lab = make_lab(state)
    write_logs(lab, home / "logs", state.choice(("fairseq", "plain")))
    parts = write_report(lab, state, french=state.random() < 0.4)
    return Made(lab, parts, FORMS[number % len(FORMS)], home)


def points_at(finding: Finding, mistake: str, text: str) -> bool:
    """Say whether a finding stands where the mistake does: at its number or its sentence."""
    printed = finding.claim.printed
    if mistake in {"sentence turned round", "term left out", "positions left out"}:
        return True
    return printed is not None and printed.text.replace(",", ".") == text.rstrip("%").strip()


def tally_one(tally: Tally, number: int, home: Path) -> None:
    made = make(number, home)
    loud = [f.message for f in made.findings() if f.level == "error"]
    tally.reports += 1
    tally.accused += [f"{number} {made.form}: {message}" for message in loud]
    state = random.Random(number)
    for slot in state.sample(slots(made.parts), EACH):
        mistake = state.choice(sorted(slot.mistakes))
        found = made.findings((slot, mistake))
        errors = [f for f in found if f.level == "error"]
        here = [f for f in found if points_at(f, mistake, slot.mistakes[mistake])]
        tally.errors += len(errors)
        tally.stray += [f"{number} {made.form}: {f.message}" for f in errors if f not in here]
        tally.tried[mistake] += 1
        tally.seen[mistake] += bool(here)


@pytest.mark.wide
def test_one_change_is_seen_and_nothing_else_is_accused(tmp_path):
    tally = Tally()
    for number in range(LABS):
        home = tmp_path / str(number)
        home.mkdir()
        tally_one(tally, number, home)
    lines = [f"{name}: {tally.seen[name]} of {tally.tried[name]}" for name in sorted(tally.tried)]
    lines += [f"{tally.reports} unchanged; {tally.errors} errors, {len(tally.stray)} stray"]
    sys.stdout.write("\n".join([*lines, ""]))

    assert tally.accused == []
    assert len(tally.stray) <= (1 - PRECISION) * tally.errors, tally.stray
    assert tally.seen.total() >= RECALL * tally.tried.total(), tally.tried - tally.seen
