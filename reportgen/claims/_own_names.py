"""Metrics that a report calls by their own names in the logs: `max_return`, `average_ep_len`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from reportgen.claims._binding import UNSAID
from reportgen.claims._heads import read_head
from reportgen.claims._labels import without_unit
from reportgen.claims._vocabulary import SPREADS, plain
from reportgen.records.claim import Claim, Meaning
from reportgen.records.manuscript import Manuscript
from reportgen.runs import metric_name

_WORDS = frozenset({"min", "max", "median", *SPREADS})
"""A mean is none of these: `average_return` is the return, averaged over episodes."""
_KINDS = {"": "metric_value", "mean": "aggregate_mean", "std": "aggregate_std"}
_EDGES = " :,;()"
_LONGER = {"min": r"min(?:imum|imal)?", "max": r"max(?:imum|imal)?"}
_SPREAD_BEHIND = re.compile(r"\s?%?\s?(?:±|\\pm)")
_BY_STEP = re.compile(r"([^,:;.()\d]+)\s(?:by|par)\s[^\W\d_]+,[^:]{0,40}:\s")
"""How a figure says what its curves show: `Test loss by step, as logged: `."""
_SPREAD_BEFORE = re.compile(r"(?:±|\\pm)\s?$")


def with_own_name(claim: Claim, manuscript: Manuscript, logged: Iterable[str]) -> Claim:
    """Return a claim on the metric that the report calls as the logs do.

    Logs of a reinforcement learner may have `max_return` beside `average_return`. Where a head
    or a sentence says `max return`, that metric is meant, and no maximum of the returns. Where a
    column is headed by such a name alone (`Average ep len`), it is that metric, whatever metric
    the caption speaks of as well.

    Args:
        claim: Of any kind.
        manuscript: That it was found in.
        logged: The metrics of the logs.
    """
    meaning = claim.content
    if not isinstance(meaning, Meaning) or not meaning.metric:
        return claim
    names = tuple(logged)
    headed = [name for name in names if _is_head(name, meaning, claim.hints, names)]
    if len(headed) == 1:
        return _renamed(claim, meaning, headed[0], manuscript)
    named = [name for name in names if _is_said(name, meaning, claim.hints)]
    return _renamed(claim, meaning, named[0], manuscript) if len(named) == 1 else claim


def with_own_head(claim: Claim, logged: Iterable[str]) -> Claim:
    """Return a claim on the metric that its column is headed by, where a part of that is a name.

    `IoU car` is a metric of its own where it was logged: no IoU of a group called car.

    Args:
        claim: Of any kind.
        logged: The metrics of the logs.
    """
    meaning = claim.content
    head = read_head(claim.hints.get("column", "").rpartition(" / ")[2])
    measured = [mention for mention in head.mentions if mention.slot == "metric"]
    place = head.text.find(head.label)
    if not isinstance(meaning, Meaning) or not head.label or len(measured) != 1 or place < 0:
        return claim
    metric, words = head.text[measured[0].start : measured[0].end], head.label.split()
    # What is left over (`car at the`) may end or begin with words that belong to no name.
    texts = (
        f"{metric} {' '.join(words[:count])}"
        if place > measured[0].start
        else f"{' '.join(words[-count:])} {metric}"
        for count in range(len(words), 0, -1)
    )
    own = [name for name in map(metric_name, texts) if name in set(logged)]
    if not own:
        return claim
    group = ", ".join(part for part in meaning.group.split(", ") if part != head.label)
    return replace(claim, content=replace(meaning, metric=own[0], group=group))


def with_own_row(claim: Claim, logged: Iterable[str]) -> Claim:
    """Return a claim on the metric that is called by its name beside a split, if it is logged.

    `test test valid accuracy, %` is of the metric `test_valid_accuracy` on the test split, and so
    is `test valid accuracy sur le test`: in a row, or in what a figure says before its values.

    Args:
        claim: Of any kind.
        logged: The metrics of the logs.
    """
    meaning = claim.content
    row = without_unit(claim.hints.get("row", "").partition(", ")[0])
    said = _BY_STEP.match(claim.hints.get("sentence", "")) if not row else None
    text = (said[1] if said else row).strip(_EDGES)
    if not text or not isinstance(meaning, Meaning):
        return claim
    own = {
        name: split
        for name in logged
        if meaning.metric in name.split("_")[1:] and (split := _split_beside(name, text))
    }
    if len(own) != 1 or meaning.metric in own:
        return claim
    [(metric, split)] = own.items()
    return replace(claim, content=replace(meaning, metric=metric, split=split))


def _split_beside(name: str, text: str) -> str:
    """Return the split before or behind a name that begins with one, where nothing else stands."""
    if not read_head(name.partition("_")[0]).one("split"):
        return ""
    for before, behind in ((r"(\w+)\s", ""), ("", r"\s(\D+)")):
        found = re.fullmatch(f"{before}{_written(name).pattern}{behind}", text, re.IGNORECASE)
        head = read_head(found[1]) if found else None
        if head is not None and not head.label:
            return head.one("split")
    return ""


def written_beside(
    claim: Claim, manuscript: Manuscript, metric: str, names: Iterable[str]
) -> frozenset[str]:
    """Return the logged metrics that a report writes out beside a number: `G loss` of `g_loss`.

    A head says it of its values; of several in a text the last one before the number does, and
    none where the metric is named without more words after it (`the max return is 310, the
    return at the end 305`).

    Args:
        claim: Of any kind.
        manuscript: That it was found in.
        metric: The metric that it is said to be of, in the words that all names have.
        names: Metrics that may be meant.
    """
    patterns = {name: _written(name) for name in names}
    for place in ("column", "row"):
        text = claim.hints.get(place, "")
        found = frozenset(name for name, pattern in patterns.items() if pattern.search(text))
        if found:
            return found
    text = claim.hints.get("caption", "") or _around(claim, manuscript)[0]
    patterns[""] = _written(metric)
    last = {n: [m.end() for m in pattern.finditer(text)] for n, pattern in patterns.items()}
    ends = {name: places[-1] for name, places in last.items() if places}
    nearest = {name for name, end in ends.items() if end == max(ends.values())}
    return frozenset(nearest - {""})


def _written(name: str) -> re.Pattern[str]:
    """Return how a text may write a name: `minimum return` is `min_return` as well."""
    parts = r"[\s_-]".join(_LONGER.get(word, re.escape(word)) for word in name.split("_"))
    return re.compile(rf"(?<![^\W_]){parts}(?![^\W_])", re.IGNORECASE)


def _is_head(
    name: str, meaning: Meaning, hints: Mapping[str, str], logged: tuple[str, ...]
) -> bool:
    """Say whether a column is headed by a logged name that means no other logged metric."""
    head = read_head(hints.get("column", "").rpartition(" / ")[2])
    bare = head.text
    for mention in reversed(head.mentions):
        if mention.slot == "split":
            bare = bare[: mention.start] + bare[mention.end :]
    known = any(_may_be(metric, logged) for metric in head.values("metric"))
    return meaning.metric != name and not known and plain(bare.strip(_EDGES)) == plain(name)


def _may_be(metric: str, logged: tuple[str, ...]) -> bool:
    """Say whether a metric of the vocabulary is one that was logged, with more words or not."""
    words = set(metric.split("_"))
    return any(words <= set(name.split("_")) for name in logged)


def _is_said(name: str, meaning: Meaning, hints: Mapping[str, str]) -> bool:
    """Say whether a metric is called by a logged name that the word of an aggregate begins.

    A head says it of all its values, a sentence of the one that was taken for that aggregate.
    """
    first, _, rest = name.partition("_")
    word = read_head(first).one("aggregate")
    if rest != meaning.metric or word not in _WORDS:
        return False
    spelled = _written(name)
    own = meaning.aggregate == word or meaning.selection == "oracle"
    places = ("column", "row", "sentence") if own else ("column", "row")
    return any(spelled.search(hints.get(place, "")) for place in places)


def _renamed(claim: Claim, meaning: Meaning, name: str, manuscript: Manuscript) -> Claim:
    """Return a claim on another metric, without the aggregate that was only a part of its name."""
    aggregate, selection = meaning.aggregate, meaning.selection
    before, behind = _around(claim, manuscript)
    if aggregate != "interval" and not _SPREAD_BEFORE.search(before):
        row = read_head(claim.hints.get("row", "")).one("aggregate")
        spread = bool(_SPREAD_BEHIND.match(behind))
        aggregate = row or ("mean" if spread or aggregate == "mean" else "")
    if selection == "oracle":
        # What was read as the highest of one run is its value.
        selection = ""
    hints = dict(claim.hints)
    sure = claim.confidence
    if not aggregate and meaning.seed is None:
        hints["without"] = ", ".join(filter(None, (hints.get("without", ""), "seed")))
        sure = min(sure, UNSAID)
    return replace(
        claim,
        kind=_KINDS.get(aggregate, "aggregate_other"),
        content=replace(meaning, metric=name, aggregate=aggregate, selection=selection),
        confidence=sure,
        hints=hints,
    )


def _around(claim: Claim, manuscript: Manuscript) -> tuple[str, str]:
    """Return the text before and behind the number of a claim."""
    text = manuscript.blocks[claim.block].text
    return text[: claim.start], text[claim.end :]
