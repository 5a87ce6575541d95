"""Our own reports of the sample labs, checked: nothing is doubted, and one change is seen.

`make wide` tries one change of each kind, `REPORTGEN_OWN_CHANGES=50` fifty of each. With a part of
the evidence a report is tried in two forms; with `REPORTGEN_OWN_PARTS=1` in all. The usual suite
tries the whole evidence and none.
"""

from __future__ import annotations

import os
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

import pytest

from reportgen.api._old_judgement import judgement_of as judge
from reportgen.api.building import build
from reportgen.api.evidence import EvidencePaths
from reportgen.api.options import BuildOptions
from reportgen.api.submissions import Submission
from reportgen.records.claim import Claim, Meaning, Setting
from reportgen.records.finding import Finding, Judgement

LABS = {
    "roberta-small-fr": {"study": "study.toml"},
    "tiny-reviews-hf": {"runs": "logs"},
    "tiny-grid": {"study": "study.toml"},
}
FORMS = ("md", "tex", "pdf")
ROUNDS = int(os.environ.get("REPORTGEN_OWN_CHANGES", "1"))
RECALL = 0.85
LEAST = 50
"""Numbers of a report that agree with the evidence; fewer, and it was not read."""
TURNED = {
    "above": "below", "below": "above", "higher": "lower", "lower": "higher",
    "wider": "narrower", "narrower": "wider", "widest": "narrowest", "narrowest": "widest",
    "largest": "smallest", "smallest": "largest", "rises": "falls", "falls": "rises",
}  # fmt: skip


@dataclass
class Own:
    """The built reports, and what was found in each, checked once."""

    home: Path
    labs: Path
    judged: dict[Path, Judgement] = field(default_factory=dict)

    def path(self, lab: str, form: str) -> Path:
        return self.home / lab / f"report.{form}"

    def judge(self, lab: str, path: Path) -> Judgement:
        if path not in self.judged:
            given = {key: self.labs / lab / name for key, name in LABS[lab].items()}
            one = Submission(name="report", report=path, evidence=EvidencePaths(**given))
            self.judged[path] = judge(one)
        return self.judged[path]

    def changed(self, lab: str, form: str, text: str) -> Judgement:
        path = self.home / lab / f"changed.{form}"
        path.write_text(text, encoding="utf-8")
        self.judged.pop(path, None)
        return self.judge(lab, path)


@pytest.fixture(scope="module")
def own(project, tmp_path_factory):
    home = tmp_path_factory.mktemp("own")
    for lab, given in LABS.items():
        evidence = {key: project / "inputs" / lab / name for key, name in given.items()}
        build(BuildOptions(out=home / lab / "report.pdf", engine="typst", cache=None, **evidence))
    return Own(home, project / "inputs")


def loud(judgement: Judgement) -> list[Finding]:
    return [f for f in judgement.findings if f.level in {"error", "warning"}]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("lab", LABS)
def test_no_number_is_doubted(own, lab, form):
    judgement = own.judge(lab, own.path(lab, form))
    assert [finding.message for finding in loud(judgement)] == []
    assert sum(f.verdict.startswith("agrees") for f in judgement.decisive()) > LEAST


GIVEN = {
    "roberta-small-fr": {
        "runs": "logs",
        "checkpoint": "model",
        "adapter": "lora",
        "base": "lora/bloom-560m/config.json",
    },
    "tiny-reviews-hf": {"runs": "logs"},
    "tiny-grid": {"runs": "logs", "checkpoint": "model"},
}
PARTS = [
    (lab, names)
    for lab, given in GIVEN.items()
    for size in range(len(given) + 1)
    for names in combinations(given, size)
    if "base" not in names or "adapter" in names
]
# LaTeX and PDF take turns beside Markdown; `make mutations` tries every part in every form.
EACH_FORM = "REPORTGEN_OWN_PARTS" in os.environ
PARTS_IN_FORMS = [
    pytest.param(
        *(lab, names, form),
        marks=[] if form == FORMS[0] and len(names) in (0, len(GIVEN[lab])) else pytest.mark.wide,
    )
    for turn, (lab, names) in enumerate(PARTS)
    for form in (FORMS if EACH_FORM else (FORMS[0], FORMS[1 + turn % 2]))
]


def part_of(value: str | tuple[str, ...]) -> str:
    """Name a case by its lab, and by the kinds of evidence."""
    return value if isinstance(value, str) else "+".join(value) or "nothing"


@pytest.mark.slow
@pytest.mark.parametrize(("lab", "names", "form"), PARTS_IN_FORMS, ids=part_of)
def test_a_part_of_the_evidence_accuses_nobody(own, lab, names, form):
    """What a part of a report speaks of may not be among the files that are named."""
    given = {name: own.labs / lab / GIVEN[lab][name] for name in names}
    one = Submission(name="r", report=own.path(lab, form), evidence=EvidencePaths(**given))
    assert [f.message for f in judge(one).findings if f.level == "error"] == []


def kind_of(claim: Claim) -> str:
    """Return which change a claim is good for, or nothing."""
    about, printed = claim.content, claim.printed
    if printed is None:
        turned = claim.kind == "comparison" and words_to_turn(claim.quote)
        return "direction" if turned else ""
    if printed.word or not re.fullmatch(r"[+−-]?[\d,]*\.?\d+", printed.text):
        return ""
    if claim.kind == "metric_value" and isinstance(about, Meaning) and claim.table is not None:
        return "test cell" if about.split == "test" and about.seed is not None else ""
    if claim.kind == "aggregate_other" and isinstance(about, Meaning):
        return "difference" if about.aggregate == "difference" else ""
    if claim.kind == "hyperparameter" and isinstance(about, Setting):
        return "hyperparameter" if claim.table is not None else ""
    return {
        "aggregate_mean": "mean",
        "aggregate_std": "std",
        "param_count": "parameter count",
    }.get(claim.kind, "")


KINDS = (
    *("test cell", "mean", "std", "parameter count", "hyperparameter", "difference", "direction"),
)


def words_to_turn(quote: str) -> list[str]:
    return [word for word in re.findall(r"[a-z]+", quote) if word in TURNED]


def other_number(text: str, state: random.Random) -> str:
    """Return a number with one digit changed, by two units of its last place at least."""
    places = [i for i, char in enumerate(text) if char.isdigit()]
    place = state.choice(places)
    least = 3 if place == places[-1] else 1
    old = int(text[place])
    choices = [d for d in range(10) if abs(d - old) >= least and (d or place != places[0])]
    return text[:place] + str(state.choice(choices or [9 - old])) + text[place + 1 :]


def shown_digits(source: str, printed: str) -> re.Match[str] | None:
    """Return the digits of a number in its source, all of them or those before its point.

    LaTeX may set what stands before and behind the point in boxes of their own.
    """
    plain = source.replace("{,}", ",")
    for number in (printed, printed.partition(".")[0]):
        digits = re.escape(number.lstrip("+−-")).replace(",", r"(?:,|\{,\})")
        found = re.search(rf"(?<![\d.]){digits}(?![\d.])", source)
        if found and (number == printed or "}{" in plain):
            return found
    return None


@dataclass(frozen=True)
class Change:
    """One change of a text: where it is, and what stands there then."""

    claim: Claim
    line: int
    text: str
    new: str


def changes(judgement: Judgement, text: str, kind: str, state: random.Random) -> Iterator[Change]:
    """Yield changes of one kind, in a random order."""
    lines = text.splitlines(keepends=True)
    claims = [
        f.claim
        for f in judgement.decisive()
        if f.verdict.startswith("agrees") and kind_of(f.claim) == kind and not f.claim.place.file
    ]
    for claim in state.sample(claims, len(claims)):
        index = claim.place.line - 1
        line, column = lines[index], claim.place.column - 1
        if line.startswith("!["):
            continue
        if claim.printed is None:
            word = state.choice(words_to_turn(claim.quote))
            found = re.compile(rf"\b{word}\b").search(line, max(0, column - 1))
            if not found:
                continue
            old, new, column = word, TURNED[word], found.start()
        else:
            old = line[column : claim.place.end_column - 1]
            part = shown_digits(old, claim.printed.text)
            if not part:
                continue
            column, old = column + part.start(), part[0]
            new = other_number(old, state)
        line = line[:column] + new + line[column + len(old) :]
        yield Change(claim, index + 1, "".join([*lines[:index], line, *lines[index + 1 :]]), new)


@dataclass
class Tally:
    tried: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    stray: list[str] = field(default_factory=list)

    def take(self, name: str, found: list[Finding], here: list[Finding], what: str) -> None:
        self.tried[name] += 1
        self.seen[name] += bool(here)
        if not here:
            self.missed.append(f"{name}: {what}")
        self.stray += [
            f"{name}: {what}: {f.message}" for f in found if f.level == "error" and f not in here
        ]

    def told(self) -> str:
        lines = [f"{name}: {self.seen[name]} of {self.tried[name]}" for name in sorted(self.tried)]
        return "\n".join([*lines, *self.missed, f"{len(self.stray)} stray errors", ""])


def is_at(finding: Finding, change: Change) -> bool:
    """Say whether a finding is of the changed row, sentence or formula."""
    one, other = finding.claim, change.claim
    return (one.block, one.row) == (other.block, other.row)


@pytest.mark.wide
def test_one_change_is_seen_where_it_is_and_nowhere_else(own):
    state, tally = random.Random(20), Tally()
    forms = [("md", lab) for lab in LABS] + [("tex", lab) for lab in LABS]
    for number, kind in enumerate(KINDS * ROUNDS):
        order = forms[number % len(forms) :] + forms[: number % len(forms)]
        for form, lab in order:
            path = own.path(lab, form)
            text = path.read_text(encoding="utf-8")
            change = next(changes(own.judge(lab, path), text, kind, state), None)
            if change is None:
                continue
            found = loud(own.changed(lab, form, change.text))
            here = [f for f in found if is_at(f, change)]
            before = change.claim.printed.text if change.claim.printed else change.claim.quote
            tally.take(kind, found, here, f"{lab}.{form}:{change.line} {before} -> {change.new}")
            break
    sys.stdout.write(tally.told())

    assert set(tally.tried) == set(KINDS)
    assert tally.stray == []
    assert tally.seen.total() >= RECALL * tally.tried.total(), tally.missed
