"""Verdicts on the numbers of tables: lines are bound by a vote, then held cell by cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from reportgen.checking.catalogue import Catalogue, Reading, Time
from reportgen.checking.causes import SPREADS, Cause, cause_of, is_slipped
from reportgen.checking.context import Claiming
from reportgen.checking.places import Item, Line, clock_in
from reportgen.checking.verdicts import (
    denied,
    form_of,
    is_close,
    is_printed,
    quote_of,
    spell,
    verdict_on,
)
from reportgen.checking.vote import Binding, alternatives, barred, bind
from reportgen.checking.words import SETTINGS, Words, by_lexicon, said, tokens_of, words_of
from reportgen.records.record import record, replace
from reportgen.records.verdict import Number, Trace, Verdict

__all__ = ["table_verdicts"]

RULE = "series"
_SHARED = frozenset({"mean", "median", "max"})
"""Aggregates that a caption says of all numbers; spreads stand beside the others."""
_MOST_CELLS = 20_000
_NAMED_ENOUGH = 3
_ALONE, _MANY = 0.8, 5
"""Share and number of hits from which on a number that differs is told without a cause."""


@record
class Held:
    """A line with what it was bound to.

    Attributes:
        line: The column or row.
        binding: What it shows.
        doubled: Items whose run and time another number of the table has too.
        wrong_keys: Of those the ones whose key is wrong: index, source, right key.
    """

    line: Line
    binding: Binding
    doubled: frozenset[int] = frozenset()
    wrong_keys: tuple[tuple[int, str, float], ...] = ()


def table_verdicts(
    numbers: Sequence[Claiming], catalogue: Catalogue, said: Words
) -> dict[str, Verdict]:
    """Return verdicts on numbers of tables by the ids of the numbers.

    Args:
        numbers: All numbers of a report.
        catalogue: The evidence.
        said: What the report says of its definitions as a whole.
    """
    found: dict[str, Verdict] = {}
    tables: dict[int, list[Number]] = {}
    for one in numbers:
        if one.number.row is not None and not one.reason:
            tables.setdefault(one.number.block, []).append(one.number)
    for cells in tables.values():
        lines = list(_lines(cells[:_MOST_CELLS], said))
        held = list(_bound(lines, catalogue))
        found.update(_judged(held, catalogue))
        for name, verdict in _keys(cells, held, catalogue):
            found.setdefault(name, verdict)
    return found


def _bound(lines: Sequence[Line], catalogue: Catalogue) -> Iterator[Held]:
    """Yield the lines that a vote binds; of the others those that go by the same runs and times."""
    found: list[tuple[Line, Binding | None]] = []
    at: dict[tuple[bool, object], Binding | None] = {}
    borne: set[str] = set()
    for line in lines:
        if line.across and borne.issuperset(item.number.id for item in line.items):
            continue  # the columns say of each of its numbers what it is
        first = line.items[0].number
        row, column, part = first.row or 0, first.column or 0, first.part
        before = at.get((line.across, (row, column, part - 1))) if line.spread else None
        binding = bind(line, catalogue, means=before)
        at[line.across, (row, column, part)] = binding
        if binding is not None:
            borne.update(line.items[hit].number.id for hit in binding.hits)
        found.append((line, binding))
    ways = {
        (binding.runs, binding.times): binding
        for _, binding in found
        if binding is not None and binding.sources
    }
    held = []
    for line, bound in found:
        binding = bound
        if binding is None and ways:
            binding = bind(line, catalogue, beside=tuple(ways.values()))
        if binding is not None:
            held.append(Held(line=line, binding=binding))
    for one in held:
        yield replace(
            one, doubled=_doubled(one, held), wrong_keys=_wrong_keys(one, held, catalogue)
        )


def _keys(
    cells: Sequence[Number], held: Sequence[Held], catalogue: Catalogue
) -> Iterator[tuple[str, Verdict]]:
    """Yield verdicts on the steps, epochs and seeds by which lines were bound."""
    places = {(one.row, one.column): one for one in cells if one.part == 0}
    for one in held:
        for index in one.binding.hits:
            item, reading = one.line.items[index], one.binding.readings[index]
            for source in one.binding.sources:
                key = places.get(_place_of(source, item.number))
                if key is not None and reading is not None:
                    yield key.id, _traced(replace(item, number=key), reading, one, catalogue)
        for index, source, step in one.wrong_keys:
            item = one.line.items[index]
            key = places.get(_place_of(source, item.number))
            if key is not None:
                yield key.id, _wrong_key(replace(item, number=key), one, step)


def _place_of(source: str, number: Number) -> tuple[int | None, int | None]:
    """Return the row and column of the cell that a source of keys names."""
    kind, at = source[0], int(source[1:])
    if kind == "c":
        return number.row, at
    if kind == "r":
        return at, number.column
    return number.row, 0


def _wrong_key(item: Item, one: Held, step: float) -> Verdict:
    printed = item.number.printed.text
    return replace(
        verdict_on(item.number, RULE, "contradicted", quote=quote_of(item.number)),
        level="error",
        bindings=("vote", "key"),
        expected=f"{step:g}",
        cause="it stands in another row as well",
        message=f"{printed} is printed; the value beside it is that of {step:g} "
        f"({one.binding.family.key})",
    )


def _doubled(one: Held, held: Sequence[Held]) -> frozenset[int]:
    """Return the items that share runs and time with another number of their kind in the table.

    One of the two has a wrong key, or a wrong value: which one, nothing says.
    """
    places = Counter(place for other in held for place in _places_of(other, one))
    own = _places_of(one, one)
    return frozenset(i for i in one.binding.misses if own[i] and places[own[i]] > 1)


def _places_of(other: Held, one: Held) -> list[tuple[Any, ...]]:
    """Return what each item of a line is of, where it is of the same kind as another line."""
    binding, mine = other.binding, one.binding
    alike = (binding.family.key, binding.aggregate) == (mine.family.key, mine.aggregate)
    if not alike or other.line.across != one.line.across:
        return []
    return [
        (runs, time) if runs and time is not None else ()
        for runs, time in zip(binding.runs, binding.times, strict=True)
    ]


def _wrong_keys(
    one: Held, held: Sequence[Held], catalogue: Catalogue
) -> tuple[tuple[int, str, float], ...]:
    """Return the items whose key, not whose value, is wrong: (index, source, right key).

    The key stands in another row as well, and the value is that of a key that no row has.
    """
    keys = {place[1].at for other in held for place in _places_of(other, one) if place}
    found = []
    for index in _doubled(one, held):
        time = one.binding.times[index]
        if one.binding.sources and time is not None and time.kind in {"step", "epoch"}:
            right = _key_of(one.line, one.binding, index, catalogue)
            if right is not None and right not in keys:
                found.append((index, one.binding.sources[-1], right))
    return tuple(found)


def _key_of(line: Line, binding: Binding, index: int, catalogue: Catalogue) -> float | None:
    """Return the one key at which the family has the value that an item prints."""
    time, runs = binding.times[index], binding.runs[index]
    curve = binding.family.curves.get(runs[0]) if runs else None
    if curve is None or time is None or not curve.ordered:
        return None
    points = curve.steps if time.kind == "step" else curve.epochs
    if points is None:
        return None
    form = line.items[index].form
    fits = {
        float(at)
        for at in points.tolist()
        if (
            other := catalogue.read(
                binding.family, runs, time._replace(at=float(at)), binding.aggregate
            )
        )
        is not None
        and is_printed(form, other.value * binding.scale)
    }
    return fits.pop() if len(fits) == 1 else None


def _lines(cells: Sequence[Number], said: Words) -> Iterator[Line]:
    """Yield the columns, then the rows of a table, part by part."""
    columns: dict[tuple[int, int], list[Number]] = {}
    rows: dict[tuple[int, int], list[Number]] = {}
    first: dict[tuple[int, int], Number] = {}
    for number in cells:
        row, column = number.row or 0, number.column or 0
        columns.setdefault((column, number.part), []).append(number)
        rows.setdefault((row, number.part), []).append(number)
        if number.part == 0:
            first[row, column] = number
    ranks = {column for (column, _), its in columns.items() if _orders(its)}
    first = {(row, column): one for (row, column), one in first.items() if column not in ranks}
    heads = {f"c{column}": clock_in(one.context.head) for (_, column), one in first.items()}
    for (column, _), members in columns.items():
        line = _line(members, said, _left_of(first, column), ranks=0 in ranks)
        yield replace(line, clocks=heads)
    names = {f"r{row}": clock_in(one.context.row) for (row, _), one in first.items()}
    top: dict[int, list[int]] = {}
    for row, column in sorted(first):
        top.setdefault(column, []).append(row)
    top = {column: its[:2] for column, its in top.items()}
    for (row, _), members in rows.items():
        above = {
            column: tuple(
                (f"r{at}", float(first[at, column].printed.value)) for at in its if at < row
            )
            for column, its in top.items()
        }
        line = _line(members, said, above, across=True)
        yield replace(line, clocks=names)


Keys = Mapping[int, tuple[tuple[str, float], ...]]


def _orders(column: Sequence[Number]) -> bool:
    """Say whether a column orders the rows; the ranks of adapters (8, 16, 32) do not.

    Its numbers are those of no run.
    """
    head = column[0].context.head
    named = any(one.slot == "order" and one.covers(head) for one in said(head))
    return named and all(1 <= one.printed.value <= len(column) for one in column)


def _left_of(first: Mapping[tuple[int, int], Number], column: int) -> Keys:
    """Return for each row the numbers of the other columns, the nearest to the left first."""
    keys: dict[int, list[tuple[int, str, float]]] = {}
    for (row, other), number in first.items():
        if other != column:
            distance = column - other if other < column else 1000 + other - column
            keys.setdefault(row, []).append((distance, f"c{other}", float(number.printed.value)))
    return {row: tuple((s, v) for _, s, v in sorted(found)[:6]) for row, found in keys.items()}


def _line(
    members: Sequence[Number], said: Words, keys: Keys, *, across: bool = False, ranks: bool = False
) -> Line:
    text = members[0].context.row if across else members[0].context.head
    items = []
    for number in members:
        name = number.context.head if across else "" if ranks else number.context.row
        place = (number.column if across else number.row) or 0
        own = tuple((f"w{i}", value) for i, value in enumerate(_numbers_in(name)))
        items.append(
            Item(
                number=number,
                form=form_of(number.printed),
                name=name,
                words=_item_words(name, across=across),
                keys=(*own, *keys.get(place, ())),
            )
        )
    caption = members[0].context.caption
    spread = all(number.spread for number in members)
    return Line(
        text=text,
        words=line_words(text, caption, said),
        items=tuple(items),
        spread=spread,
        caption=caption,
        across=across,
    )


@by_lexicon
def _item_words(name: str, *, across: bool) -> Words:
    """Return what the name of a row, or the head of a column, says of a number there."""
    words = words_of(name)
    if any(token[0].isdigit() for token in words.tokens):
        words = _without_keys(words)
    return words if across else replace(words, things=frozenset())


def _without_keys(words: Words) -> Words:
    """Return the words of a name with a number in it, which is what it counts or sets.

    `epoch 3` is a time, `seed 3` and `lr 1e-3` are runs: none of them is what was measured.
    """
    return replace(
        words,
        clocks=frozenset(),
        things=frozenset(),
        metrics=words.metrics - SETTINGS,
        tokens=frozenset(one for one in words.tokens if not words_of(one).metrics & SETTINGS),
    )


@by_lexicon
def line_words(text: str, caption: str, said: Words) -> Words:
    """Return the words of a line, and for what they do not say those of the caption.

    A caption that names both a mean and a spread speaks of the whole table.
    """
    words, about = words_of(text), words_of(caption)
    if _numbers_in(text):
        words = _without_keys(words)
    # A split is said of the numbers only beside their metric: texts on training name it too.
    beside = bool(about.metrics) and len(about.splits) == 1 and not words.clocks
    shared = Words(
        metrics=frozenset() if words.clocks else about.metrics,
        splits=about.splits if beside else frozenset(),
        moments=about.moments if len(about.moments) == 1 and not words.clocks else frozenset(),
        aggregates=about.aggregates & _SHARED if len(about.aggregates) == 1 else frozenset(),
        definitions=about.definitions or said.definitions,
    )
    return words.or_else(shared)


def _numbers_in(name: str) -> list[float]:
    from reportgen.checking.numbers import find_numbers

    return [float(printed.value) for printed in find_numbers(name)][:2]


def _judged(held: Sequence[Held], catalogue: Catalogue) -> dict[str, Verdict]:
    """Return a verdict for each number of bound lines; where two lines differ, the better one's."""
    found: dict[str, Verdict] = {}
    misread = _misread(held, catalogue)
    of_rows: dict[tuple[int | None, int], set[int]] = {}
    for one in held:
        for index in one.binding.hits:
            number, reading = one.line.items[index].number, one.binding.readings[index]
            if reading is not None and len(reading.runs) == 1:
                of_rows.setdefault((number.row, number.part), set()).update(reading.runs)
    beside = _Beside(
        families=frozenset(one.binding.family.key for one in held),
        runs=frozenset(run for one in held for runs in one.binding.runs for run in runs),
        measured=frozenset(
            one.binding.family.key
            for one in held
            for time in one.binding.times[:1]
            if time and not time.clock
        ),
        means=frozenset(
            (reading.family, reading.runs, reading.time)
            for one in held
            for index in one.binding.hits
            if (reading := one.binding.readings[index]) is not None and reading.aggregate == "mean"
        ),
        of_rows=of_rows,
    )
    for one in sorted(held, key=lambda held: -held.binding.score):
        for name, verdict in _of_line(one, beside, catalogue):
            old = found.get(name)
            wrong = verdict.outcome == "contradicted"
            if wrong and (name, one.line.across) in misread:
                continue
            if old is None or (old.outcome == "contradicted" and not wrong):
                found[name] = verdict
    return found


@record
class _Beside:
    """What the lines of a table show.

    Attributes:
        families: Keys of their families.
        runs: The runs that they are of.
        measured: Keys of those of which one of them shows values, and no times.
        means: Family, runs and time of the means that they print rightly.
        of_rows: Row and part to the runs of which single values agree there.
    """

    families: frozenset[str]
    runs: frozenset[int]
    measured: frozenset[str]
    means: frozenset[tuple[str, tuple[int, ...], Time]]
    of_rows: Mapping[tuple[int | None, int], Collection[int]]


def _misread(held: Sequence[Held], catalogue: Catalogue) -> set[tuple[str, bool]]:
    """Return the numbers of a row, or a column, most of which agree with no line across it.

    Such a row is of another set-up, a mean or a difference: the lines across it do not mean it.
    What is its value but for a digit says neither.
    """
    crossing: dict[tuple[bool, int, int], list[tuple[str, int]]] = {}
    for one in held:
        across = one.line.across
        for index in (*one.binding.hits, *one.binding.misses):
            item, reading = one.line.items[index], one.binding.readings[index]
            vote = 1 if index in one.binding.hits else -1
            if reading and is_slipped(item.form, reading, one.binding.scale, catalogue):
                vote = max(vote, 0)
            number = item.number
            key = (across, (number.column if across else number.row) or 0, number.part)
            crossing.setdefault(key, []).append((number.id, vote))
    return {
        (name, across)
        for (across, _, _), cells in crossing.items()
        for votes in [[vote for _, vote in cells]]
        if len(votes) > 2 and sum(votes) < (1 not in votes)
        for name, _ in cells
    }


def _is_of_a_sibling(
    cause: Cause | None, reading: Reading, line: Line, beside: _Beside, catalogue: Catalogue
) -> bool:
    """Say whether a number is the value of a tag, or of a run, that no line of the table shows.

    Then the line may be of both, if its words allow it: a head such as `score` over accuracies
    and F1, a row that has the name of two objects.
    """
    other = cause.other if cause else None
    if other is None:
        return False
    if other.family != reading.family:
        return other.family in catalogue.allowed(line.words) and other.family not in beside.families
    called = catalogue.runs_called(line.text)
    return beside.runs.isdisjoint(other.runs) and set(other.runs) <= set(called)


def _of_the_row(
    item: Item, reading: Reading, cause: Cause | None, beside: _Beside
) -> Reading | None:
    """Return the value of the run that the rest of a row is of, where no word names its run."""
    other = cause.other if cause else None
    if other is None or other.runs == reading.runs or any(map(str.isalpha, item.name)):
        return None
    row = beside.of_rows.get((item.number.row, item.number.part), ())
    alike = other._replace(value=reading.value, runs=reading.runs, step=reading.step) == reading
    return other if alike and {*row} == {*other.runs} else None


def agreeing(one: Held, catalogue: Catalogue) -> Iterator[tuple[str, Verdict]]:
    """Yield verdicts on the numbers of a line that agree with what it was bound to."""
    for index in one.binding.hits:
        item, reading = one.line.items[index], one.binding.readings[index]
        if reading is not None:
            yield item.number.id, _traced(item, reading, one, catalogue)


def _of_line(one: Held, beside: _Beside, catalogue: Catalogue) -> Iterator[tuple[str, Verdict]]:
    line, binding = one.line, one.binding
    yield from agreeing(one, catalogue)
    for index in binding.misses:
        item, reading = line.items[index], binding.readings[index]
        if reading is None or index in one.doubled or _of_another_kind(one, index):
            continue
        # What a name leaves open, the other numbers of its row tell.
        own = beside.of_rows.get((item.number.row, item.number.part), ())
        more = _is_called_more(one, index, catalogue)
        if more and {*own} != {*reading.runs}:
            continue
        shown = reading.family in beside.measured or (line.words.moments and beside.measured)
        if (reading.time.clock and not shown) or (binding.loose and not _is_one_each(binding)):
            continue
        # Where all that agrees is of single runs, nothing says how several are summed up.
        agreed = (binding.readings[hit] for hit in binding.hits)
        if reading.aggregate and not any(one and one.aggregate for one in agreed):
            continue
        if is_close(item.form, reading.value * binding.scale):
            yield item.number.id, _close(item, reading, one, catalogue)
            continue
        other = _other_reading(one, index, catalogue)
        if other is not None:
            yield item.number.id, _traced(item, other, one, catalogue)
            continue
        cause = cause_of(item, reading, line, binding, catalogue)
        if _is_of_a_sibling(cause, reading, line, beside, catalogue):
            continue
        if (other := _of_the_row(item, reading, cause, beside)) is not None:
            yield item.number.id, _traced(item, other, one, catalogue)
            continue
        # A spread of a mean that is right is none of its definitions.
        place = (reading.family, reading.runs, reading.time)
        spread = reading.aggregate in SPREADS and place in beside.means
        unsure = (binding.loose or more) and not (cause and cause.slipped)
        if unsure or not catalogue.is_whole(reading):
            continue
        sure = binding.share >= _ALONE and len(binding.hits) >= _MANY
        if cause or sure or (spread and len(binding.hits) > 1):
            yield item.number.id, _contradicted(item, reading, one, cause, catalogue)


def _is_one_each(binding: Binding) -> bool:
    """Say whether each number is of a run of its own, and all agree but one."""
    runs = {one for one in binding.runs if len(one) == 1}
    alone = len(runs) == len(binding.runs) and not binding.aggregate
    return alone and len(binding.misses) == 1 and len(binding.hits) >= _NAMED_ENOUGH


def _of_another_kind(one: Held, index: int) -> bool:
    """Say whether a number of a row is printed unlike those of the row that agree."""
    if not one.line.across:
        return False
    items = one.line.items
    return items[index].form.decimals not in {items[hit].form.decimals for hit in one.binding.hits}


def _is_called_more(one: Held, index: int, catalogue: Catalogue) -> bool:
    """Say whether a name has words that neither its runs nor the names that agree have.

    `wide (8-bit)` or `wide with ensembling` is another model than the runs of `wide`.
    """
    line, runs = one.line, one.binding.runs[index]
    if len(catalogue.runs) == 1 or "name" not in one.binding.by or one.binding.sources:
        return False
    known = {word for hit in one.binding.hits for word in tokens_of(line.items[hit].name)}
    known.update(*(catalogue.runs[run].tokens for run in runs))
    words = tokens_of(line.items[index].name)
    # `Logistic Regression` is called LogisticRegression.
    known.update(*(pair for pair in pairwise(words) if "".join(pair) in known))
    return any(word.isalpha() and word not in known for word in words)


def _other_reading(one: Held, index: int, catalogue: Catalogue) -> Reading | None:
    """Return another legal reading with which a number agrees, unless chance would find one."""
    form = one.line.items[index].form
    own = one.binding.readings[index]
    if own is not None and form.value > 1 and is_printed(form, own.value * 100):
        # Beside fractions a percentage is a number of the same kind, if an odd one.
        return own
    readings = list(alternatives(one.binding, index, one.line, catalogue))
    wrong = barred(one.line.words)
    for reading in readings:
        scale = one.binding.scale
        if reading.aggregate not in wrong and is_printed(form, reading.value * scale):
            return reading
    return None


def _traced(item: Item, reading: Reading, one: Held, catalogue: Catalogue) -> Verdict:
    return _verdict(item, catalogue.trace(reading), ("vote", *sorted(one.binding.by)))


def _close(item: Item, reading: Reading, one: Held, catalogue: Catalogue) -> Verdict:
    trace = catalogue.trace(reading)
    expected = spell(reading.value * one.binding.scale, item.number.printed.decimals)
    return replace(
        _verdict(item, trace, outcome="untraced"),
        expected=expected,
        reason=f"it is one in its last place from {expected} ({trace.what})",
    )


def _contradicted(
    item: Item, reading: Reading, one: Held, cause: Cause | None, catalogue: Catalogue
) -> Verdict:
    bindings = ("vote", *sorted(one.binding.by))
    return replace(
        _wrong(item, reading, one.binding.scale, catalogue),
        level="error" if len(bindings) > 1 else "warning",
        bindings=bindings,
        cause=cause.words if cause else "",
    )


def _wrong(item: Item, reading: Reading, scale: float, catalogue: Catalogue) -> Verdict:
    """Return the verdict on a number that is not its reading, until more speaks for it."""
    expected = spell(reading.value * scale, item.number.printed.decimals)
    return denied(item.number, RULE, catalogue.trace(reading), expected, quote_of(item.number))


def _verdict(
    item: Item, trace: Trace, bindings: tuple[str, ...] = (), outcome: str = "traced"
) -> Verdict:
    """Return a verdict on a number of a table, with its place and words."""
    number = item.number
    quote = quote_of(number)
    return verdict_on(number, RULE, outcome, quote=quote, bindings=bindings, traces=(trace,))
