"""Numbers of sentences with the words that are theirs: the nearest of each kind in the clause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from reportgen.checking.catalogue import Catalogue, Family, Time
from reportgen.checking.context import Claiming
from reportgen.checking.places import (
    BOUNDARY,
    Naming,
    at_clock,
    is_said_of_time,
    mentions_in,
    narrowest,
    overlaps,
)
from reportgen.checking.verdicts import SCALES, Form, form_of
from reportgen.checking.words import SETTINGS, Said, Words, said, tokens_of, words_of
from reportgen.records.record import record, replace
from reportgen.records.verdict import Number

__all__ = ["Phrase", "as_printed", "is_listed", "is_ranged", "phrases_of"]

_CHOOSING = re.compile(
    r"\b(?:at|by|where|à|au|où|(?:checkpoint|epoch|step|époque)\s(?:with|of|avec|de))\s"
    r"(?:the\s|its\s|la\s|le\s|l['’]époque de\s(?:la\s)?)?"
    r"(?:best|lowest|highest|meilleure?|plus basse|plus haute)\s(?:\w+\s){0,2}$",
    re.IGNORECASE,
)
"""Before the metric that chose a step (`at the best validation loss`), and was not measured."""
_STOP = re.compile(r"[.!?]\s")
_FAR, _NEAR, _AT = 30, 14, 4
_CLAUSE = 80
_DIGIT = re.compile(r"\d")
_CITED = re.compile(r"[A-Z]\w+ \((?:19|20)\d\d[a-z]?\)")
"""Others' work by its author and year: `Howard and Ruder (2018)`."""
_REACH = 40
"""Characters before a number in which a sign or a word belongs to it."""
_MOST_NUMBERS = 200
"""Of one sentence that are read; numbers behind them stay untraced, as those of a bare list do."""
_FEW_NUMBERS = 12
"""Of a sentence that is kept for other reports that say the same."""
_LARGE = 100
"""A family that reaches so far may be printed without decimals."""
_MOST_LED = 8
"""Runs that the lead of a list may name: several files may tell of each."""
_SPOKEN = frozenset({"paragraph", "item", "caption", "output"})
_AFTER = re.compile(r"\b(?:after|at|by|in|après|nach|после|на)\s+(?:the\s+)?$", re.IGNORECASE)
_LABEL = re.compile(r"\s*(?:score|rate|of|is|was|=|:|≈)?\s*[:=≈]?\s*", re.IGNORECASE)
_LISTED_ON = re.compile(r"\s?%?(?:,|;|\s(?:and|et|&))\s(?:and\s|et\s)?\d")
_LISTED_TO = re.compile(r"\d\s?%?(?:,|;|\s(?:and|et|&))\s(?:and\s|et\s)?$")
_HEDGED = re.compile(r"[<>≤≥~≈]\s*$")


@record
class Phrase:
    """A number of a sentence, and what the words that belong to it say.

    Attributes:
        number: As printed.
        words: The nearest words of each kind.
        families: Families that metric and split leave open.
        said_metric: Whether a metric is named.
        at: The number that tells its time (`at step 400`), with its clock.
        carried: Whether that is the time of a number of an earlier clause.
        windowed: Whether its words give a window of time (`until epoch 3`, `the last 5 epochs`),
            or it is the length of one (`the last 500 episodes`).
        clocks: All such numbers of its sentence.
        named: Runs that its clause, or else its sentence, names: the narrowest sets of them.
        spoken: All the sets of runs that words of the sentence name, and their overlaps.
        called: Whether they are named up to the end of the number's own clause.
        above: Runs that its headings name: enough to agree with, never to contradict.
        gap: Whether the number is a difference.
        changes: Whether the sentence tells a change from one value to another.
        quoted: Whether the sentence speaks of others' work, or of a bound.
        ranged: Whether it is an end of a range or interval or list (`0.62-0.65`, `0.6 / 0.7`).
        splits: Those that its sentence names.
        shared: Whether another number stands nearer to the word that names its metric.
        sentence: Which sentence it stands in.
    """

    number: Number
    words: Words
    families: tuple[Family, ...]
    said_metric: bool = False
    at: tuple[str, float] | None = None
    carried: bool = False
    windowed: bool = False
    clocks: tuple[tuple[str, Number], ...] = ()
    named: tuple[tuple[int, ...], ...] = ()
    spoken: tuple[tuple[int, ...], ...] = ()
    called: bool = True
    above: tuple[tuple[int, ...], ...] = ()
    gap: bool = False
    changes: bool = False
    quoted: bool = False
    alone: bool = False
    ranged: bool = False
    splits: frozenset[str] = frozenset()
    shared: bool = False
    sentence: tuple[int, int] = (0, 0)

    @property
    def may_be_told(self) -> bool:
        """Whether the words bind the number closely enough to contradict it."""
        setting = any(family.metric in SETTINGS or family.rest for family in self.families)
        interval = "interval" in self.words.aggregates or self.ranged
        whose = self.alone or (bool(self.named) and self.called)
        printed = self.number.printed
        loose = self.quoted or self.gap or setting or interval or self.windowed
        splits = self.words.splits
        had = not splits or any(one.split in {*splits, ""} for one in self.families)
        bound = self.said_metric and bool(self.families) and whose and had
        return bound and not (loose or printed.word or printed.approximate)

    @property
    def is_loose(self) -> bool:
        """Whether it may be another number than its words say, unless a slip explains it.

        An end of a change, one whose metric another number has as well, one of another size.
        """
        printed = self.number.printed
        form = form_of(printed)
        whole = printed.decimals <= 0 and printed.unit != "percent"
        measured = all(_of_size(form, family, whole=whole) for family in self.families)
        return self.changes or self.shared or not measured

    def times(self, family: Family) -> tuple[Time, ...]:
        """Return the times of a family that the number beside it may tell."""
        return tuple(at_clock(*self.at, family)) if self.at is not None else ()

    def near(self, other: Phrase) -> bool:
        """Say whether another number stands in the same sentence, block or list."""
        if self.number.block == other.number.block:
            return True
        items = self.number.type == other.number.type == "item"
        return items and abs(self.number.block - other.number.block) <= 6


def _of_size(form: Form, family: Family, *, whole: bool) -> bool:
    """Say whether a number has the size of a family's values, in one of its units."""
    if whole and family.high < _LARGE:
        return False
    for scale in SCALES:
        low, high = family.low * scale, family.high * scale
        room = max(high - low, abs(high) * 0.5)
        if low - room <= form.value <= high + room:
            return True
    return False


def phrases_of(numbers: Sequence[Claiming], catalogue: Catalogue) -> tuple[Phrase, ...]:
    """Return the numbers of sentences that may be values of the evidence, with their words.

    Example:
        >>> from reportgen.checking.context import numbers_of
        >>> from reportgen.checking.gathering import catalogue_of_stored
        >>> from reportgen.records.manuscript import Block, Line, Manuscript
        >>> from reportgen.records.verdict import Stored
        >>> line = Line(text="The accuracy is 0.912.", number=1)
        >>> block = Block(type="paragraph", lines=(line,))
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
        >>> one = Stored(path="m.json", keys=("eval_acc",), value=0.9)
        >>> (found,) = phrases_of(numbers_of(report), catalogue_of_stored([one]))
        >>> sorted(found.words.metrics), [family.key for family in found.families]
        (['accuracy'], ['eval_acc'])
    """
    found: list[Phrase] = []
    for place, members in _by_sentence(numbers).items():
        context = members[0].number.context
        key = (context.sentence, context.headings[-2:], context.caption, *map(as_printed, members))
        read = partial(_in_sentence, members, catalogue)
        few = len(members) <= _FEW_NUMBERS
        phrases = catalogue.phrases.made(key, read) if few else read()
        # What several reports say is read once; the numbers are each report's own.
        own = {one.number.context.offset: one.number for one in members}
        for one in phrases:
            clocks = tuple((clock, own[old.context.offset]) for clock, old in one.clocks)
            number = own[one.number.context.offset]
            found.append(replace(one, number=number, clocks=clocks, sentence=place))
    return tuple(found)


def as_printed(one: Claiming) -> tuple[object, ...]:
    """Return a number as it is printed, and where in its sentence."""
    number, shown = one.number, one.number.printed
    unlike = (shown.text, shown.value, shown.decimals, shown.unit, shown.word, shown.approximate)
    return (number.context.offset, number.end - number.start, number.spread, one.reason, *unlike)


def _by_sentence(numbers: Sequence[Claiming]) -> dict[tuple[int, int], list[Claiming]]:
    """Return the first numbers of each sentence by its block and beginning; labels among them."""
    sentences: dict[tuple[int, int], list[Claiming]] = {}
    for one in numbers:
        number = one.number
        if number.row is None and one.reason in {"", "label"} and number.type in _SPOKEN:
            start = number.start - number.context.offset
            members = sentences.setdefault((number.block, start), [])
            if len(members) < _MOST_NUMBERS:
                members.append(one)
    return sentences


def _in_sentence(claiming: Sequence[Claiming], catalogue: Catalogue) -> tuple[Phrase, ...]:
    return tuple(_each_in_sentence(claiming, catalogue))


def _each_in_sentence(claiming: Sequence[Claiming], catalogue: Catalogue) -> Iterator[Phrase]:
    members = [one.number for one in claiming]
    labels = {id(one.number) for one in claiming if one.reason}
    text = members[0].context.sentence
    words = (*said(text), *_tags_in(text, members, catalogue))
    clocks = [(clock, one) for one in members if (clock := _clock_of(one, text, words))]
    times = [*_times_in(clocks, text, words)]
    timed = {id(one) for _, one in clocks}
    context = members[0].context
    naming = Naming(text, words, mentions_in(text, catalogue))
    counted = [one for one in members if id(one) not in timed and id(one) not in labels]
    spots = tuple(_spots(text, words, [one.context.offset for one in counted]))
    parted = len(counted) > 1 and naming.is_parted(counted)
    about = " ".join((*context.headings[-2:], context.caption))
    above = overlaps(mentions_in(about, catalogue))
    listed = members[0].type == "item"
    lead = words_of(context.caption).splits if listed else frozenset()
    led = narrowest(mentions_in(context.caption, catalogue)) if listed else ()
    led = led if sum(map(len, led)) <= _MOST_LED else ()
    quoted = any(one.slot == "guard" and one.value == "quoted" for one in words)
    quoted = quoted or _CITED.search(text) is not None
    changes = any(one.slot == "guard" and one.value == "change" for one in words)
    for number in members:
        if id(number) in timed or id(number) in labels:
            continue
        rivals = [one for one in members if one is not number and id(one) not in timed]
        own = _words_at(number, text, spots, rivals)
        if any(one.spread and 0 < one.start - number.end <= _AT for one in members):
            # What has a spread behind it is a mean.
            own = replace(own, aggregates=own.aggregates | {"mean"})
        own = replace(own, splits=own.splits or lead)
        unit = _unit_of(number, text, words)
        named = naming.of(number, counted) or led
        families = _families(own, unit, catalogue, named)
        time = _nearest(number, times, text) if not unit else None
        yield Phrase(
            number=number,
            words=own,
            families=families,
            said_metric=bool(own.metrics) and not unit,
            at=(time.clock, time.at) if time is not None and time.tells else None,
            carried=time is not None and _is_carried(number, time, text, counted),
            windowed=(time is not None and time.window) or _is_count(number, text, words),
            clocks=tuple(clocks),
            named=named,
            spoken=naming.spoken,
            called=_is_called(number, text, rivals, catalogue),
            above=above if not named else (),
            gap=number.printed.text.startswith("+") or _guarded(number, text, words, "gap"),
            changes=changes,
            quoted=quoted or _guarded(number, text, words, "bound"),
            alone=len(catalogue.runs) == 1,
            ranged=is_ranged(number),
            splits=frozenset(one.value for one in words if one.slot == "split"),
            shared=not changes and not parted and _is_shared(number, members, words, timed),
        )


_TAG_BEHIND = re.compile(r"\s?%?\s(\w+)")
_TAG_BEFORE = re.compile(r"(\w+)\s*(?:of|is|was|=|:)?\s*[:=]?\s*$")


def _tags_in(text: str, members: Sequence[Number], catalogue: Catalogue) -> Iterator[Said]:
    """Yield words right at numbers that are tags, as metrics: `91.4 % sparsity`."""
    for one in members:
        start = one.context.offset
        places = (
            _TAG_BEHIND.match(text, start + one.end - one.start),
            _TAG_BEFORE.search(text, max(0, start - _REACH), start),
        )
        for found in places:
            if found and found[1].lower() in catalogue.tag_words:
                yield Said("metric", found[1].lower(), *found.span(1))


def _clock_of(number: Number, text: str, words: Sequence[Said]) -> str:
    """Return the clock whose word stands right before or behind a number."""
    if number.printed.value != int(number.printed.value) or number.printed.unit:
        return ""
    start = number.context.offset
    end = start + number.end - number.start
    for one in words:
        if one.slot != "clock":
            continue
        before = 0 <= start - one.end <= 3 and not _DIGIT.search(text, one.end, start)
        behind = 0 <= one.start - end <= 2
        if before or behind:
            return one.value
    return ""


def _unit_of(number: Number, text: str, words: Sequence[Said]) -> str:
    """Return the thing that a number counts (`41.6 minutes`), or empty."""
    end = number.context.offset + number.end - number.start
    for one in words:
        if one.slot == "unit" and 0 <= one.start - end <= 2:
            return text[one.start : one.end].lower()
    return ""


def _guarded(number: Number, text: str, words: Sequence[Said], value: str) -> bool:
    """Say whether a guard word stands close by: right behind, or a few words before."""
    start = number.context.offset
    end = start + number.end - number.start
    if value == "bound" and _HEDGED.search(text, max(0, start - _REACH), start):
        return True
    for one in words:
        if one.slot == "guard" and one.value == value:
            behind = 0 <= one.start - end <= 12 and value == "gap"
            before = 0 <= start - one.end <= 14
            if (behind or before) and not BOUNDARY.search(text[min(one.end, end) : one.start]):
                return True
    return False


_RANGE_TO = re.compile(r"[\d.,]\s*%?\s*(?:-|–|—|/|to|à|до)\s*$", re.IGNORECASE)
_CHANGE = re.compile(r"\b(?:from|de|von|desde|dari|\u0441)\s*$", re.IGNORECASE)
_RANGE_ON = re.compile(r"\s*%?\s*(?:-|–|—|/|to|à|до)\s*[\d.]", re.IGNORECASE)


def is_listed(number: Number) -> bool:
    """Say whether numbers follow each other: which of several things each is of, no word says."""
    text, start = number.context.sentence, number.context.offset
    end = start + number.end - number.start
    return bool(
        _LISTED_ON.match(text, end) or _LISTED_TO.search(text[max(0, start - _NEAR) : start])
    )


def is_ranged(number: Number) -> bool:
    """Say whether a number is an end of a range, or stands in square brackets."""
    text, start = number.context.sentence, number.context.offset
    end = start + number.end - number.start
    opened = text.rfind("[", 0, start)
    if opened >= 0 and text.rfind("]", 0, start) < opened:
        return True
    behind = _RANGE_ON.match(text, end)
    if behind and not _CHANGE.search(text, max(0, start - _REACH), start):
        return True
    before = _RANGE_TO.search(text, max(0, start - _REACH), start)
    if before is None:
        return False
    lead = text[max(0, before.start() - _REACH) : before.start() + 1].rstrip("0123456789.,")
    return not _CHANGE.search(lead)


def _is_shared(
    number: Number, members: Sequence[Number], words: Sequence[Said], timed: set[int]
) -> bool:
    """Say whether the metric word nearest to a number has another number nearer to it.

    Spreads, and the numbers of steps and epochs, are no such numbers.
    """
    start = number.context.offset
    named = [one for one in words if one.slot == "metric"]
    if not named:
        return False
    nearest = min(named, key=lambda one: min(abs(start - one.end), abs(one.start - start)))
    rivals = [
        one
        for one in members
        if id(one) not in timed and not one.spread and one.printed.unit == number.printed.unit
    ]
    closest = min(rivals, key=lambda one: abs(one.context.offset - nearest.end), default=number)
    return closest.id != number.id and len(named) < len(rivals)


_Spot = tuple[Said, int | None, bool]
"""A word, where the bracket opens in which it stands, and whether it says what chose a step."""


def _spots(text: str, words: Sequence[Said], values: Sequence[int]) -> Iterator[_Spot]:
    for one in words:
        if one.slot == "moment" and not is_said_of_time(one, text, words, values):
            continue
        measured = one.slot in {"metric", "split"}
        chose = measured and _CHOOSING.search(text[: one.start]) is not None
        yield one, _bracket(text, one.start), chose


def _words_at(number: Number, text: str, spots: Sequence[_Spot], rivals: Sequence[Number]) -> Words:
    """Return the nearest word of each slot, those of other brackets and numbers left out."""
    start = number.context.offset
    end = start + number.end - number.start
    own = _bracket(text, start)
    nearest: dict[str, tuple[float, set[str]]] = {}
    metric: Said | None = None
    for one, bracket, chose in spots:
        if chose or bracket not in {own, None} or _is_of_a_later(one, end, text, rivals):
            continue
        between = text[one.end : start] if one.end <= start else text[end : one.start]
        gap = len(between) + _FAR * len(BOUNDARY.findall(between)) + (bracket != own) * 10
        if one.end <= start and _LABEL.fullmatch(between):
            gap = -1
        if one.start >= end and ("|" in between or gap > _NEAR):
            gap += _FAR
        old = nearest.get(one.slot)
        if old is None or gap < old[0]:
            nearest[one.slot] = gap, {one.value}
            metric = one if one.slot == "metric" else metric
        elif gap == old[0]:
            old[1].add(one.value)
    found = {slot: frozenset(values) for slot, (_, values) in nearest.items()}
    if "moment" in found and _is_best(text, start, spots):
        found["moment"] |= {"best"}
    empty: frozenset[str] = frozenset()
    beside = [one.value for one, *_ in spots if metric is not None and _is_beside(one, metric)]
    if len(beside) == 1:
        found["split"] = frozenset(beside)
    return Words(
        metrics=found.get("metric", empty),
        splits=found.get("split", empty),
        moments=found.get("moment", empty),
        aggregates=found.get("aggregate", empty) - {"gap"},
        definitions=found.get("definition", empty),
        tokens=frozenset(tokens_of(_clause(text, start, end))),
    )


def _is_best(text: str, at: int, spots: Sequence[_Spot]) -> bool:
    """Say whether the clause at a place, or of its moment before it, says best."""
    moments = [one for one, *_ in spots if one.slot == "moment" and one.end <= at]
    best = [one for one in moments if one.value == "best"]
    ends = (at, *(one.end for one in moments if one.value != "best"))
    return any(
        not BOUNDARY.search(text, *sorted((one.end, end))) for one in best for end in ends[-2:]
    )


def _is_beside(word: Said, metric: Said) -> bool:
    """Say whether a word is of a split and stands at a metric: `test accuracy`."""
    apart = metric.start - word.end, word.start - metric.end
    return word.slot == "split" and any(0 <= gap <= _AT for gap in apart)


def _is_of_a_later(word: Said, end: int, text: str, rivals: Sequence[Number]) -> bool:
    """Say whether a word behind a number stands in a later clause, before a number of its own."""
    if word.start < end or not BOUNDARY.search(text, end, word.start + 1):
        return False
    later = (one.context.offset for one in rivals if one.context.offset >= word.end)
    return any(not BOUNDARY.search(text, word.end, start) for start in later)


def _is_called(number: Number, text: str, rivals: Sequence[Number], catalogue: Catalogue) -> bool:
    """Say whether no later clause has to tell the runs of a number, with a number of its own."""
    end = number.context.offset + number.end - number.start
    behind = BOUNDARY.search(text, end)
    if behind is None or not any(one.context.offset >= behind.end() for one in rivals):
        return True
    first = next((one.start for one in mentions_in(text, catalogue)), None)
    return first is None or first < behind.start()


def _clause(text: str, start: int, end: int) -> str:
    """Return the clause that a number stands in, as far as its words may name a tag."""
    before = [match.end() for match in BOUNDARY.finditer(text, 0, start)]
    behind = BOUNDARY.search(text, end)
    first = max(before[-1] if before else 0, start - _CLAUSE)
    last = behind.start() if behind else len(text)
    return text[first : min(last, end + _CLAUSE)]


def _bracket(text: str, at: int) -> int | None:
    """Return where the bracket opens in which a place stands; None outside of brackets."""
    opened = text.rfind("(", 0, at)
    return opened if opened >= 0 and text.rfind(")", 0, at) < opened else None


def _families(
    words: Words, unit: str, catalogue: Catalogue, named: Sequence[Sequence[int]]
) -> tuple[Family, ...]:
    """Return the families that words leave open: of a split, unless the runs named have none."""
    families = list(catalogue.families.values())
    if unit:
        return tuple(one for one in families if unit in one.words.tokens)
    if words.metrics:
        families = catalogue.families.measuring(words)
        if words.metrics <= catalogue.tag_words:
            families = [one for one in families if words.metrics <= one.words.tokens]
    runs = frozenset(run for those in named for run in those)
    of_split = [one for one in families if one.split in words.splits]
    if of_split and runs and all(runs.isdisjoint(one.curves) for one in of_split):
        own = (one for one in families if not (one.split or runs.isdisjoint(one.curves)))
        of_split = [*own] or of_split
    families = of_split or families
    if "std" not in words.aggregates:
        families = [one for one in families if "std" not in one.words.aggregates] or families
    return tuple(families)


class _At(NamedTuple):
    """A step or epoch that a sentence names, where it stands and whether it tells a time."""

    clock: str
    at: float
    start: int
    tells: bool
    window: bool


_ORDINAL = re.compile(r"\b(\d{1,6})(?:st|nd|rd|th|e|è?me|\.)\s$", re.IGNORECASE)


def _times_in(
    clocks: Sequence[tuple[str, Number]], text: str, words: Sequence[Said]
) -> Iterator[_At]:
    """Yield the steps and epochs of a sentence: `at step 400`, `epoch 3/10`, `the 2nd epoch`."""
    for clock, number in clocks:
        start = number.context.offset
        tells = any(one.slot == "clock" and 0 <= start - one.end <= 3 for one in words)
        tells = tells or _AFTER.search(text[:start]) is not None
        yield _At(clock, float(number.printed.value), start, tells, _in_window(start, text, words))
    for one in words:
        if one.slot == "clock":
            told = [(o.start, o.value) for o in words if o.slot == "ordinal"]
            told = [(at, value) for at, value in told if text[at : one.start].count(" ") == 1]
            match = _ORDINAL.search(text[: one.start])
            for at, value in [(match.start(), match[1])] if match else told:
                if at < one.start:
                    yield _At(one.value, float(value), at, True, _in_window(at, text, words))


def _in_window(start: int, text: str, words: Sequence[Said]) -> bool:
    """Say whether a time ends a window, or counts one: `until epoch 3`, `the last 5 epochs`."""
    reach = {"window": _NEAR, "moment": 1}
    return any(
        0 <= start - one.end <= reach[one.slot] and not _DIGIT.search(text, one.end, start)
        for one in words
        if one.slot in reach
    )


def _is_count(number: Number, text: str, words: Sequence[Said]) -> bool:
    """Say whether a whole number counts the things of a window: `the last 500 episodes`."""
    start = number.context.offset
    counts = _THINGS.match(text, start + number.end - number.start)
    whole = number.printed.decimals <= 0 and not number.printed.unit
    return whole and counts is not None and _in_window(start, text, words)


_THINGS = re.compile(r"[ -][^\W\d_]{2}")


def _nearest(number: Number, times: Sequence[_At], text: str) -> _At | None:
    """Return the time nearest to a number in its sentence."""
    start = number.context.offset
    nearest = min(times, key=lambda one: abs(one.start - start), default=None)
    if nearest is None or _STOP.search(text, *sorted((nearest.start, start))):
        return None
    return nearest


def _is_carried(number: Number, time: _At, text: str, values: Sequence[Number]) -> bool:
    """Say whether a time is behind a number of its own, in an earlier clause."""
    before = [one.context.offset for one in values if one.context.offset < time.start]
    own = any(not BOUNDARY.search(text, at, time.start) for at in before)
    start = number.context.offset
    return own and time.start < start and BOUNDARY.search(text, time.start, start) is not None
