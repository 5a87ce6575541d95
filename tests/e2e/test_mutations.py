"""Made-up course reports, right and with one number changed: nobody who is right is accused.

`make mutations` draws a thousand labs.
"""

import os
import random
import sys
from collections import Counter
from pathlib import Path

from fakes.course_class import pdf_of
from fakes.course_lab import make_lab, write_logs
from fakes.course_reports import render, slots, write_report

from reportgen.app import check

LABS = int(os.environ.get("REPORTGEN_MUTATIONS", "15"))
EACH = 2 if LABS < 100 else 1
FORMS = ("md", "tex", "txt", "ipynb", "pdf")
TOLD = 0.6
"""Least share of the changed numbers that are told where they stand."""


def checked(home, parts, form, changed=None):
    """Write a report in a form and return the verdicts on its numbers."""
    path = home / f"report.{form}"
    if form == "pdf":
        path.write_bytes(pdf_of(parts, changed=changed))
    else:
        path.write_text(render(parts, form, changed), encoding="utf-8")
    (one,) = check(reports=(path,), runs=home / "logs")
    return [verdict for verdict in one.review.verdicts if verdict.number]


def loud(verdicts):
    return [verdict for verdict in verdicts if verdict.level in {"error", "warning"}]


def row_of(verdict):
    """A value that does not fit its step is told by either of the two."""
    return verdict.number.block, verdict.number.row


def plain(number: str) -> str:
    return number.replace(",", ".").rstrip("% ")


def is_number(text: str) -> bool:
    return plain(text).replace(".", "").isdigit()


def test_a_changed_number_is_told_and_nothing_else_is(tmp_path: Path):
    tried, told = Counter(), Counter()
    accused, stray = [], []
    for number in range(LABS):
        home, state = tmp_path / str(number), random.Random(number)
        home.mkdir()
        lab = make_lab(state)
        write_logs(lab, home / "logs", state.choice(("fairseq", "plain")))
        parts = write_report(lab, state, french=state.random() < 0.4)
        form = FORMS[number % len(FORMS)]
        accused += [one.message for one in loud(checked(home, parts, form))]
        numeric = [slot for slot in slots(parts) if is_number(slot.text)]
        for slot in state.sample(numeric, EACH):
            mistake = state.choice(sorted(slot.mistakes))
            found = checked(home, parts, form, (slot, mistake))
            printed = plain(slot.mistakes[mistake])
            rows = {row_of(one) for one in found if plain(one.number.printed.text) == printed}
            here = [one for one in loud(found) if row_of(one) in rows]
            stray += [f"{number} {form}: {one.message}" for one in loud(found) if one not in here]
            tried[mistake] += 1
            told[mistake] += bool(here)
    lines = [f"{name}: {told[name]} of {count}" for name, count in sorted(tried.items())]
    sys.stdout.write("\n".join([*lines, ""]))

    assert accused == []
    assert stray == []
    assert told.total() >= TOLD * tried.total(), tried - told
