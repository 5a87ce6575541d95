"""Labels and seed numbers of a report to the groups and seeds of the evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from reportgen.claims._binding import GUESSED, UNSAID
from reportgen.claims._chosen_by import with_chosen_by
from reportgen.claims._evidence import Group, groups_of
from reportgen.claims._labels import group_key
from reportgen.claims._matching import Match, is_whole_name, match_label
from reportgen.claims._metric_words import of_episodes, of_rollouts, same_metric
from reportgen.claims._numbering import Solved, solve_numbering
from reportgen.claims._own_names import with_own_head, with_own_name, with_own_row, written_beside
from reportgen.claims._vocabulary import GENERIC
from reportgen.records.claim import Claim, Meaning, Statement
from reportgen.records.facts import Facts
from reportgen.records.finding import Case
from reportgen.records.manuscript import Manuscript
from reportgen.runs import BOOKKEEPING

ALIASED = 0.85
"""How sure a label is that the report itself explains by another."""
_RESTORED = 0.9
"""How sure a binding is where what the report leaves unsaid can be only one thing."""
_ONLY_ONE = 0.65
"""How sure it is that a reward, or a mean IoU, is the one that was logged: never an error."""
_NO_RESULTS = frozenset({"loss", "epoch", "learning_rate", "grad_norm", *BOOKKEEPING})


def resolve(case: Case) -> Case:
    """Return a case whose claims know the groups and seeds of the evidence they are about.

    Labels are matched by words (of names, labels, paths, settings), never by one value. How the
    seeds are numbered (as in the logs, from 1, in order) is one choice for the whole
    report: the one under which most vectors of values agree. What stays open lowers the
    confidence or keeps its group empty.
    """
    if case.facts is None or not case.facts.groups:
        return case
    groups = groups_of(case.facts)
    if not groups:
        return case
    logged = _logged(case.facts)
    headed = [with_own_head(claim, logged) for claim in case.claims]
    labels = _match_labels(headed, groups)
    _take_aliases(labels, case.manuscript, groups)
    claims = [_with_groups(claim, labels, groups) for claim in headed]
    claims = [with_own_name(claim, case.manuscript, logged) for claim in claims]
    claims = [with_own_row(claim, logged) for claim in claims]
    claims = [_with_metric(claim, case.manuscript, case.facts, logged) for claim in claims]
    claims = [with_chosen_by(claim, logged) for claim in claims]
    by_name = {group.name: group for group in groups}
    solved = solve_numbering(claims, by_name)
    claims = [_with_seed(claim, solved, by_name) for claim in claims]
    claims = [_restored(claim, case.facts, by_name) for claim in claims]
    return replace(
        case,
        claims=tuple(claims),
        groups={label: m.candidates[0] for label, m in labels.items() if len(m.candidates) == 1},
        seeds=solved.seeds,
    )


def _meanings(claim: Claim) -> Iterator[Meaning]:
    if isinstance(claim.content, Meaning):
        yield claim.content
    elif isinstance(claim.content, Statement):
        yield from claim.content.subjects


def _match_labels(claims: Sequence[Claim], groups: Sequence[Group]) -> dict[str, Match]:
    """Return what each label stands for; two rows of one table are never one group."""
    found: dict[str, Match] = {}
    together: dict[int, dict[frozenset[str], str]] = {}
    for claim in claims:
        for meaning in _meanings(claim):
            for label in (meaning.group, meaning.against):
                if label and label not in found:
                    found[label] = match_label(label, groups)
                if label and claim.table is not None:
                    together.setdefault(claim.table, {})[group_key(label)] = label
    for labels in together.values():
        _keep_apart(labels.values(), found)
    return found


def _take_aliases(
    labels: dict[str, Match], manuscript: Manuscript, groups: Sequence[Group]
) -> None:
    """Match labels by the name in brackets behind them: `sac de mots (BoW)`, `A (`run_a`)`."""
    unknown = [label for label, match in labels.items() if not match.candidates]
    texts = [block.text for block in manuscript.blocks] if unknown else []
    for label in unknown:
        pattern = re.compile(
            rf"(?<![^\W_]){re.escape(label)}(?![^\W_])(?:[^.;:()\n]|\.\d){{0,24}}\(\s?`?([^()`]{{2,40}})`?\s?\)",
            re.IGNORECASE,
        )
        called = {match[1].strip() for text in texts for match in pattern.finditer(text)}
        meant = {
            group.name
            for group in groups
            for name in called
            if group_key(name) in group.keys or is_whole_name(name, group)
        }
        if len(meant) == 1:
            labels[label] = Match(tuple(meant), ALIASED)


def _keep_apart(labels: Iterable[str], found: dict[str, Match]) -> None:
    """Drop the weaker of two labels of one table that would be one group; both, if equal."""
    by_group: dict[tuple[str, str], list[str]] = {}
    for label in labels:
        if len(found[label].candidates) == 1:
            named = (found[label].candidates[0], found[label].run)
            by_group.setdefault(named, []).append(label)
    for same in by_group.values():
        if len(same) < 2:
            continue
        best = max(found[label].sure for label in same)
        sure = [label for label in same if found[label].sure == best]
        for label in same:
            if len(sure) > 1 or label not in sure:
                found[label] = Match()


def _with_groups(claim: Claim, labels: Mapping[str, Match], groups: Sequence[Group]) -> Claim:
    """Return a claim with the groups of the evidence that its labels stand for."""
    alone = groups[0].name if len(groups) == 1 else ""

    def solved(meaning: Meaning) -> Meaning:
        return replace(
            meaning,
            run_group=_only(labels, meaning.group) if meaning.group else alone,
            run_against=_only(labels, meaning.against),
            run=labels[meaning.group].run if meaning.group in labels else "",
        )

    content = claim.content
    if isinstance(content, Statement):
        subjects = tuple(solved(subject) for subject in content.subjects)
        return replace(claim, content=replace(content, subjects=subjects))
    if not isinstance(content, Meaning):
        return claim
    used = [labels[label] for label in (content.group, content.against) if label in labels]
    sure = min((match.sure for match in used), default=1.0)
    return replace(claim, content=solved(content), confidence=min(claim.confidence, sure))


def _only(labels: Mapping[str, Match], label: str) -> str:
    match = labels.get(label, Match())
    return match.candidates[0] if len(match.candidates) == 1 else ""


def _logged(facts: Facts) -> frozenset[str]:
    return frozenset(s.metric for run in facts.runs for s in run.scalars.values() if s.metric)


def _with_metric(
    claim: Claim, manuscript: Manuscript, facts: Facts, logged: frozenset[str]
) -> Claim:
    """Return a claim whose metric is one of the logs, where its name leaves no choice."""
    meaning = claim.content
    if not isinstance(meaning, Meaning) or not meaning.metric:
        return claim
    if meaning.metric in logged:
        return claim
    if meaning.metric == "mean_iou" and "iou" in logged and claim.table is None:
        return _of_runs(claim, meaning)
    results = {name for name in logged - _NO_RESULTS if not name.startswith("loss")}
    if meaning.metric in GENERIC:
        found = {facts.study.metric.name} & results if len(results) == 1 else set()
        sure = GUESSED
    elif meaning.metric == "precision" and "précision" in claim.quote.lower():
        # In French this is what an accuracy is often called.
        found, sure = {"accuracy"} & results, UNSAID
    else:
        short = meaning.metric == "top5_accuracy" and "top5" in logged
        words = {"top5"} if short else set(meaning.metric.split("_"))
        same = same_metric(meaning.metric, logged)
        found = set(same) or {name for name in results if words <= set(name.split("_"))}
        longer = {name for name in logged if words < set(name.split("_"))}
        if len(found) != 1 and longer:
            found = set(written_beside(claim, manuscript, meaning.metric, longer))
        sure = 1.0
        text = claim.hints.get("sentence", claim.quote)
        rollouts = of_rollouts(meaning.metric, logged, text)
        if rollouts is not None:
            found = set(rollouts)
        elif not found and not longer and _says_which(meaning):
            found, sure = set(of_episodes(meaning.metric, logged, text)), _ONLY_ONE
    if len(found) != 1:
        return claim
    return replace(
        claim,
        content=replace(meaning, metric=found.pop()),
        confidence=min(claim.confidence, sure),
    )


def _of_runs(claim: Claim, meaning: Meaning) -> Claim:
    """Return a claim on the IoU of the logs, of which a mean IoU is one over runs."""
    whole = meaning.seed is None and not meaning.aggregate
    return replace(
        claim,
        kind="aggregate_mean" if whole and claim.kind == "metric_value" else claim.kind,
        content=replace(meaning, metric="iou", aggregate="mean" if whole else meaning.aggregate),
        confidence=min(claim.confidence, _ONLY_ONE),
    )


def _says_which(meaning: Meaning) -> bool:
    """Say whether a value of a policy is that of some runs at some time.

    The highest of all rewards, or one without a moment, may be of any episodes.
    """
    timed = bool(meaning.selection) or meaning.step is not None or meaning.epoch is not None
    said = timed or meaning.aggregate in {"mean", "std", "median", "difference"}
    return said and bool(meaning.group or meaning.seed is not None)


def _with_seed(claim: Claim, solved: Solved, groups: Mapping[str, Group]) -> Claim:
    """Return a claim with the seed of the evidence that its number stands for.

    Runs without seeds are told by the running numbers of their folders. Of an unnamed group the
    seed is that of every group.
    """
    meaning = claim.content
    if not isinstance(meaning, Meaning) or meaning.seed is None:
        return claim
    sure = claim.confidence if solved.sure else min(claim.confidence, UNSAID)
    if not (meaning.group or meaning.run_group):
        ways = [solved.seeds.get(g.name, {s: s for s in g.seeds}) for g in groups.values()]
        common = {way.get(meaning.seed) for way in ways}
        seed = common.pop() if len(common) == 1 else None
        return replace(claim, content=replace(meaning, run_seed=seed), confidence=sure)
    seed = solved.seeds.get(meaning.run_group, {}).get(meaning.seed)
    group = groups.get(meaning.run_group)
    cell = group.numbered.get(seed) if group is not None and seed is not None else None
    run = cell.run.id if cell is not None and cell.run is not None else meaning.run
    return replace(claim, content=replace(meaning, run_seed=seed, run=run), confidence=sure)


def _restored(claim: Claim, facts: Facts, groups: Mapping[str, Group]) -> Claim:
    """Return a claim that is as sure as if it had said what can be only one thing."""
    meaning = claim.content
    unsaid = {word for word in claim.hints.get("without", "").split(", ") if word}
    if not isinstance(meaning, Meaning) or not unsaid or claim.confidence != UNSAID:
        return claim
    group = groups.get(meaning.run_group)
    needless = set()
    if len(groups) == 1 and meaning.run_group:
        needless.add("group")
    if meaning.run or (group is not None and len(group.runs) == 1):
        needless.add("seed")
    splits = {
        s.split
        for run in facts.runs
        for s in run.scalars.values()
        if s.metric == meaning.metric and s.split
    }
    if len(splits) <= 1:
        needless.add("split")
        meaning = replace(meaning, split=meaning.split or "".join(splits))
    if unsaid <= needless:
        return replace(claim, content=meaning, confidence=_RESTORED)
    return claim
