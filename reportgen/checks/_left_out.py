"""Disagreements that are none without the groups, or the runs, that a report says it leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from reportgen.checking.numbers._gated import gated
from reportgen.checks import CHECKS
from reportgen.checks._beside import sentence_of
from reportgen.checks._divergence import DIVERGED, state_of
from reportgen.checks._ladder import unbound
from reportgen.checks._logged import Logbook, logbook_of
from reportgen.checks._misread import NAMED_TOO, without_misread
from reportgen.checks._some_runs import Keep, reaches_the_end, seeds_told, without
from reportgen.checks._subjects import groups_named
from reportgen.checks._weigh import quieter
from reportgen.claims._clauses import sentences
from reportgen.claims._exceptions import exceptions, is_of_all, is_own_value
from reportgen.claims._failed_runs import leaves_out_failed
from reportgen.claims._some_seeds import excluded
from reportgen.records.claim import Claim, Meaning, Statement
from reportgen.records.facts import Facts
from reportgen.records.finding import Case, Finding
from reportgen.records.run import Run

_RULES = frozenset(
    {"value", "aggregate", "difference", "best_step", "tail", "range"}
    | {"superlative", "ordering", "trend"}
)
_OF_PARTS = gated(
    r"\b(?:runs?|seeds?|epochs?|steps?|evaluations?|graines?|ex[ée]cutions?|[ée]poques?|pas|[ée]valuations?)\b",
    re.IGNORECASE,
)
_BESIDE = 8
"""Characters next to a name in which its runs may be spoken of: `of the first run of A`."""
_SPOKEN = frozenset({"paragraph", "item", "caption"})
_JOINS = frozenset({"and", "or", "et", "ou", "nor", "&", "the", "la", "le", "les", "our", "de"})
_MOST_WORDS, _MOST_WAYS, _MOST_EXCEPTIONS = 8, 8, 40
_WHICH = "it is said of the runs that did not fail, and the logs have none that did"


def without_left_out(
    case: Case, findings: Mapping[str, Sequence[Finding]]
) -> dict[str, list[Finding]]:
    """Return the findings of each claim, as they are without what the report leaves out.

    What is said of all but one group is held against the others alone. What a report averages
    over some of its runs, or over those that did not fail, may be of these wherever it stands.

    Args:
        case: The report and its evidence.
        findings: Id of a claim to its findings, the decisive one first.
    """
    kept = {name: list(found) for name, found in findings.items()}
    book, facts = logbook_of(case), case.facts
    if book is None or facts is None or not any(map(_is_against, kept.values())):
        return kept
    asked = _Asked(case, facts)
    _except_groups(asked, book, kept)
    _of_some_runs(asked, book, kept)
    return kept


def _is_against(found: Sequence[Finding]) -> bool:
    return bool(found) and found[0].rule in _RULES and found[0].verdict == "disagrees"


def _decided(found: Sequence[Finding], one: Finding) -> list[Finding]:
    """Return findings whose decisive one is another, with the remarks of other rules."""
    return [one, *(other for other in found[1:] if other.rule not in _RULES)]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A case whose claims can be held against a part of its evidence.

    Attributes:
        case: The case.
        facts: Its facts.
    """

    case: Case
    facts: Facts

    def again(
        self, names: Sequence[str], rules: Sequence[str], keep: Keep, meant: Claim | None = None
    ) -> dict[str, Finding] | None:
        """Return what some claims are found to be of a part of the runs; None where it is all.

        Args:
            names: Their ids.
            rules: Of the checks that know them.
            keep: Says which runs count.
            meant: One of the claims as it is to be read.
        """
        facts = without(self.facts, keep)
        if facts is None:
            return None
        claims = self.case.claims
        if meant is not None:
            claims = tuple(meant if one.id == meant.id else one for one in claims)
        part = replace(self.case, facts=facts, claims=claims)
        found: dict[str, Finding] = {}
        for rule in dict.fromkeys(rules):
            try:
                for finding in CHECKS.load(rule)(part):
                    if finding.claim.id in names:
                        found.setdefault(finding.claim.id, finding)
            # What a check cannot do with a part of the evidence it did with the whole.
            except Exception:  # noqa: BLE001, S112
                continue
        read = without_misread(part, {name: [finding] for name, finding in found.items()})
        return {name: one for name, (one, *_) in read.items()}


# --- groups -------------------------------------------------------------------------------


def _except_groups(asked: _Asked, book: Logbook, kept: dict[str, list[Finding]]) -> None:
    """Hold what is said of all groups but some against the others."""
    odd = [found for found in kept.values() if _is_against(found)]
    named = ((found, left_out_in(asked.case, book, found[0])) for found in odd)
    for found, groups in islice((pair for pair in named if pair[1]), _MOST_EXCEPTIONS):
        rule, claim = found[0].rule, found[0].claim
        told = asked.again(
            [claim.id], [rule], partial(_is_none_of, groups), of_others(claim, groups)
        )
        if told is None:
            continue
        label = ", ".join(map(book.study.label, groups))
        open_ = unbound(rule, claim, f"its sentence leaves out {label}")
        one = replace(told.get(claim.id, open_), claim=claim)
        one = replace(one, level=quieter(one.level, "warning"))
        found[:] = _decided(found, open_ if one.verdict == "not checkable" else one)


def _is_none_of(groups: Sequence[str], group: str, _run: Run) -> bool:
    return group not in groups


def of_others(claim: Claim, groups: Sequence[str]) -> Claim:
    """Return what is said of all, with the one that it leaves out for its subject, as of all."""
    content = claim.content
    if not isinstance(content, Statement) or len(content.subjects) != 1:
        return claim
    subject = content.subjects[0]
    if subject.run_group not in groups or subject.against or not is_of_all(claim.quote):
        return claim
    subject = replace(subject, group="", run_group="", run="")
    return replace(claim, content=replace(content, subjects=(subject,), every=True))


def left_out_in(case: Case, book: Logbook, finding: Finding) -> tuple[str, ...]:
    """Return the groups that the sentence of a claim leaves out of what it says of all."""
    claim = finding.claim
    blocks = case.manuscript.blocks
    if claim.table is not None or claim.block >= len(blocks):
        return ()
    block = blocks[claim.block]
    if block.type not in _SPOKEN:
        return ()
    found: dict[str, None] = {}
    for start, end, last in exceptions(block.text, *sentence_of(case, claim.block, claim.start)):
        words = block.text[start:end]
        named, size = _named(case, book, words, last=last)
        if _OF_PARTS.search(words[-size - _BESIDE :] if last else words[: size + _BESIDE]):
            continue  # `except for one run of A`: the others of A are still meant.
        if named and _is_of_them(claim.content, named) and not last:
            stop = start + len(words) - len(words.lstrip()) + size
            if is_own_value(block.text, stop, claim.start):
                continue
        found |= dict.fromkeys(named)
    return tuple(found) if len(found) < len(book.groups()) else ()


def _is_of_them(content: object, groups: Sequence[str]) -> bool:
    return isinstance(content, Meaning) and content.run_group in groups


def _named(case: Case, book: Logbook, words: str, *, last: bool) -> tuple[tuple[str, ...], int]:
    """Return the groups that some words begin with, or end in, and how long their names are."""
    parts = list(re.finditer(r"\S+", words))
    parts = parts[::-1] if last else parts
    taken: tuple[str, ...] = ()
    size = 0
    for part in parts[:_MOST_WORDS]:
        near = words[part.start() :] if last else words[: part.end()]
        found = _groups_in(case, book, near)
        if len(found) > len(taken):
            taken, size = found, len(near.strip())
        elif taken and part[0].lower() not in _JOINS:
            break
    return taken, size


def _groups_in(case: Case, book: Logbook, words: str) -> tuple[str, ...]:
    """Return the groups that words call by their names, or by the labels of the report."""
    labels = (
        group
        for label, group in case.groups.items()
        if re.search(rf"(?<![\w-]){re.escape(label)}(?![\w-])", words, re.IGNORECASE)
    )
    return tuple(dict.fromkeys((*groups_named(book, words), *labels)))


# --- runs ---------------------------------------------------------------------------------


def _of_some_runs(asked: _Asked, book: Logbook, kept: dict[str, list[Finding]]) -> None:
    """Hold claims against the runs that the report takes, where it says so."""
    case = asked.case
    texts = tuple(_texts(case))
    failed = any(leaves_out_failed(text, 0, len(text)) for _, text in texts)
    ways = [*seeds_told(case), *(_did_not_fail(book) if failed else ())]
    _agreeing(asked, kept, ways[:_MOST_WAYS])
    told = {
        index
        for index, text in (texts if failed else ())
        if any(_is_of_unnamed(text, *span) for span in sentences(text))
    }
    lost = bool(told) and any(without(asked.facts, keep) for keep in _did_not_fail(book))
    for found in kept.values():
        if not _is_against(found) or not _speaks_of_failed(case, found[0], told):
            continue
        if lost:
            found[:] = [replace(one, level=quieter(one.level, "warning")) for one in found]
        else:
            found[:] = _decided(found, unbound(found[0].rule, found[0].claim, _WHICH))


def _agreeing(asked: _Asked, kept: dict[str, list[Finding]], ways: Sequence[Keep]) -> None:
    """Take back what agrees with the logs of some runs that the report is of."""
    for keep in ways:
        open_ = {name: found for name, found in kept.items() if _is_against(found)}
        rules = [found[0].rule for found in open_.values()]
        told = asked.again(list(open_), rules, keep) if open_ else None
        for name, one in (told or {}).items():
            if one.verdict.startswith("agrees") or one.reason.startswith(NAMED_TOO):
                kept[name][:] = _decided(kept[name], one)


def _did_not_fail(book: Logbook) -> tuple[Keep, ...]:
    """Return the ways to leave out runs that failed: that diverged, that ended early, or both."""

    def converged(_group: str, run: Run) -> bool:
        return state_of(book, run)[0] != DIVERGED

    def ended(group: str, run: Run) -> bool:
        return reaches_the_end(book, group, run)

    return converged, ended, lambda group, run: converged(group, run) and ended(group, run)


def _texts(case: Case) -> Iterator[tuple[int, str]]:
    """Yield the index of each block that speaks, and of each table, with its text."""
    for index, block in enumerate(case.manuscript.blocks):
        if block.type in _SPOKEN:
            yield index, block.text
        if block.caption:
            yield index, block.caption


def _speaks_of_failed(case: Case, finding: Finding, told: set[int]) -> bool:
    """Say whether the sentence of a claim, or what stands at its table, is of some runs alone."""
    claim = finding.claim
    if claim.table is not None:
        return bool({claim.block - 1, claim.block, claim.block + 1} & told)
    if claim.block not in told:
        return False
    text = case.manuscript.blocks[claim.block].text
    return _is_of_unnamed(text, *sentence_of(case, claim.block, claim.start))


def _is_of_unnamed(text: str, start: int, end: int) -> bool:
    """Say whether a sentence leaves out runs that failed, and not such as it names by seed."""
    return leaves_out_failed(text, start, end) and excluded(text, start, end) is None
