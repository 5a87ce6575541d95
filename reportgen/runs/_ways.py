"""Several ways to group the same runs: which one was taken, why, and how to say otherwise."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from reportgen.languages import message
from reportgen.records.study import Decision
from reportgen.runs._config import seed_in
from reportgen.runs._groups import SETTINGS, Member
from reportgen.runs._pattern import groups_in
from reportgen.runs._seeds import (
    FOLDER,
    INDEX,
    NOTHING,
    TOKEN,
    PathReading,
    cut_token,
    find_tokens,
    is_setting,
    read_path,
    seed_beside,
    stamps_in,
    without_clock,
)
from reportgen.runs._ways_told import ask, count_groups, count_runs, with_groups
from reportgen.runs._written import Cell, Slot, write_pattern

_BARE_NUMBER = re.compile(r"(?<![^_\-. /])(?<!\de_)(?<!\d\.)(\d{1,4})(?=$|[_\- /]|\.(?!\d))")
_CLASSIC = frozenset({7, 13, 21, 42, 100, 101, 111, 123, 777, 1234, 1337, 3407, 12345, 31337})
_LOOKED_AT = 8
"""Numbers of a path that are tried as seeds: a stranger's folder may have a thousand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """A run as it was grouped, beside what its path says."""

    path: str
    group: str
    seed: int | None
    stated: int | None
    reading: PathReading
    config: Mapping[str, object]
    tags: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """Another way to group some of the runs.

    Attributes:
        what: The way, in words.
        because: Why it was not taken.
        cells: Path to group and seed, for the runs that it groups otherwise.
        slots: Path to where its seed stands.
    """

    what: str
    because: str
    cells: Mapping[str, Cell]
    slots: Mapping[str, Slot]


def grouping_decision(members: Sequence[Member], *, settled: bool) -> Decision:
    """Return how runs were grouped, as a question where their paths allow other ways.

    Args:
        members: The runs of all layouts with their groups.
        settled: The study declares groups, so that nothing is left to ask.
    """
    reads = _distinct([_read(member) for member in members if not member.draft.group])
    groups = len({member.group for member in members})
    told = message(
        "group and seed are read off the paths: {runs}, {groups}",
        runs=count_runs(len(members)),
        groups=count_groups(groups),
    )
    value = _pattern_of(reads) if len(reads) == len(members) > 1 else ""
    ways = [] if settled else [way for find in _WAYS for way in find(reads)]
    answers = {way.what: (way, _answer(way, reads)) for way in ways}
    asked = [(way, answer) for way, answer in answers.values() if answer and answer != value]
    if not asked:
        return Decision(key="runs.pattern", value=value, reason=told)
    reason = ask(
        with_groups(_chosen(reads), groups),
        [with_groups(way.what, _groups_of(way, members)) for way, _ in asked],
        list(dict.fromkeys(way.because for way, _ in asked)),
        len(members),
    )
    alternatives = tuple(answer for _, answer in asked)
    return Decision(
        key="runs.pattern", value=value, reason=reason, alternatives=alternatives, asks=True
    )


def _distinct(reads: Sequence[Read]) -> list[Read]:
    """Return the runs that a pattern can tell apart: those whose path no other run has."""
    counted = Counter(read.path for read in reads)
    return [read for read in reads if counted[read.path] == 1]


def _path_of(member: Member) -> str:
    """Return what a pattern is searched in."""
    return member.draft.name or member.draft.place or "."


def _read(member: Member) -> Read:
    path = _path_of(member)
    return Read(
        path=path,
        group=member.group,
        seed=member.seed,
        stated=seed_in(member.draft.config),
        reading=read_path(path),
        config=member.draft.config,
        tags=frozenset(member.draft.scalars),
    )


def _chosen(reads: Sequence[Read]) -> str:
    """Say in words how runs were grouped."""
    shared: dict[str, int] = {}
    for read in reads:
        shared[read.group] = shared.get(read.group, 0) + 1
    used = {
        read.reading.origin for read in reads if shared[read.group] > 1 or read.seed is not None
    }
    words = {
        TOKEN: message("by name without the seed in it"),
        FOLDER: message("by folder, with the number below it as the seed"),
        INDEX: message("by folder, with running numbers as repetitions"),
        NOTHING: message("by name and configuration"),
    }
    if not used or max(shared.values(), default=0) == 1:
        return message("each run by itself")
    said = [text for origin, text in words.items() if origin in used]
    chosen = said[0]
    for text in said[1:]:
        chosen = message("{way} and {other}", way=chosen, other=text)
    return chosen


def _pattern_of(reads: Sequence[Read]) -> str:
    """Return the expression that groups all runs as they were grouped; empty for none."""
    wanted = {read.path: (read.group, _named_seed(read)) for read in reads}
    return write_pattern(wanted, {read.path: _slot(read) for read in reads}, exact=True)


def _named_seed(read: Read) -> int | None:
    return read.reading.seed if read.seed == read.reading.seed else None


def _slot(read: Read) -> Slot:
    begin, digits, end = read.reading.span
    if read.reading.origin == INDEX and read.path.endswith(read.group):
        return Slot()  # by itself: the number is part of the name
    return Slot(begin=begin, digits=digits, end=end, named=_named_seed(read) is not None)


def _answer(way: Way, reads: Sequence[Read]) -> str:
    others = [read.path for read in reads if read.path not in way.cells]
    before = _read_by(None, reads)

    def changes(text: str) -> bool:
        return _read_by(re.compile(text), reads) != before

    return write_pattern(way.cells, way.slots, others, accept=changes)


def _read_by(
    pattern: re.Pattern[str] | None, reads: Sequence[Read]
) -> list[tuple[int, int | None]]:
    """Return the number of the group and the seed of each run, with a pattern or without."""
    numbers: dict[str, int] = {}
    found = []
    for read in reads:
        match = pattern.search(read.path) if pattern else None
        group, seed = groups_in(match) if match else (read.group, read.seed)
        if match and seed is None:
            seed = read.stated if read.stated is not None else seed_beside(read.path, group)
        found.append((numbers.setdefault(group, len(numbers)), seed))
    return found


def _groups_of(way: Way, members: Sequence[Member]) -> int:
    kept = {m.group for m in members if _path_of(m) not in way.cells}
    return len(kept) + len({group for group, _ in way.cells.values()})


def _families(reads: Iterable[Read], origins: set[str]) -> list[list[Read]]:
    """Return runs with one name, where seeds, numbers and clock readings do not count."""
    found: dict[str, list[Read]] = {}
    for read in reads:
        if read.reading.origin in origins:
            found.setdefault(read.reading.bare, []).append(read)
    return list(found.values())


def _alone(reads: Iterable[Read], what: str, because: str) -> list[Way]:
    cells: dict[str, Cell] = {read.path: (read.path, None) for read in reads}
    slots = {path: Slot() for path in cells}
    return [Way(what=what, because=because, cells=cells, slots=slots)] if cells else []


def _by_clock(reads: Sequence[Read]) -> list[Way]:
    """Runs that only the clock tells apart were kept apart."""
    apart = [
        read
        for family in _families(reads, {NOTHING})
        if len(family) > 1 and len({read.group for read in family}) == len(family)
        for read in family
        if stamps_in(read.path)
    ]
    cells: dict[str, Cell] = {read.path: (read.reading.bare, None) for read in apart}
    way = Way(
        what=message("by name without its clock reading"),
        because=message("nothing says that runs which differ only in the clock are repetitions"),
        cells=cells,
        slots={path: Slot() for path in cells},
    )
    return [way] if cells else []


def _by_number(reads: Sequence[Read]) -> list[Way]:
    """Runs whose names differ in a number that may be a seed were kept apart."""
    found: dict[str, list[tuple[Read, int, Slot]]] = {}
    for read in reads:
        if read.reading.origin != NOTHING:
            continue
        for match in list(_BARE_NUMBER.finditer(read.path))[-_LOOKED_AT:]:
            begin, end = match.span(1)
            inside = any(a <= begin < b for a, b in stamps_in(read.path))
            if inside or is_setting(read.path[:begin].rstrip("_-. /")):
                continue
            bare = without_clock(f"{read.path[:begin]}#{read.path[end:]}")
            slot = Slot(begin=begin, digits=begin, end=end)
            found.setdefault(bare, []).append((read, int(match[1]), slot))
    cells: dict[str, Cell] = {}
    slots: dict[str, Slot] = {}
    for family in found.values():
        numbers = sorted({number for _, number, _ in family})
        first = numbers[0]
        counts = first in {0, 1} and numbers == list(range(first, first + len(numbers)))
        if len(numbers) < 2 or len(numbers) < len(family) or not counts:
            continue
        for read, number, slot in family:
            bare = without_clock(cut_token(read.path, slot.begin, slot.end))
            cells[read.path], slots[read.path] = (bare, number), slot
    what = message("by name without its number, as the seed")
    because = message("a number in a name may as well be a setting")
    return [Way(what=what, because=because, cells=cells, slots=slots)] if cells else []


def _by_index(reads: Sequence[Read]) -> list[Way]:
    """Runs that a running number tells apart were taken as repetitions."""
    families = [
        family
        for family in _families(reads, {INDEX})
        if len(family) > 1 and len({read.group for read in family}) == 1
    ]
    taken = [read for family in families for read in family if read.seed is None]
    because = message(
        "runs of one folder with running numbers and equal settings are usually repetitions"
    )
    odd = [family for family in families if len({read.tags for read in family}) > 1]
    if odd:
        because = message(
            "{reason}, though not all below {folder} logged the same tags",
            reason=because,
            folder=odd[0][0].reading.bare or ".",
        )
    return _alone(taken, message("each run by itself"), because)


def _by_odd_folder(reads: Sequence[Read]) -> list[Way]:
    """Folders were taken for seeds whose numbers do not look like it."""
    folders = [read for read in reads if read.reading.origin == FOLDER]
    numbers = {read.seed for read in folders if read.seed is not None}
    usual = bool(numbers & _CLASSIC) or max(numbers, default=0) <= 2 * len(numbers) + 1
    odd = [] if usual else [read for read in folders if read.stated is None]
    because = message("a folder with a number for its name is usually a seed")
    return _alone(odd, message("each run by itself, the number being a setting"), because)


def _by_short_token(reads: Sequence[Read]) -> list[Way]:
    """The letter s before a number was taken for a seed, and no other run says the same."""
    tokens = [r for r in reads if r.reading.origin == TOKEN and _is_short(r)]
    more = any(len({r.seed for r in family}) > 1 for family in _families(tokens, {TOKEN}))
    single = [] if more else [read for read in tokens if read.stated is None]
    because = message("an s before a number is usually a seed")
    return _alone(single, message("each run by itself, the s being part of the name"), because)


def _is_short(read: Read) -> bool:
    begin, digits, _ = read.reading.span
    return digits - begin <= 2


def _by_settings(reads: Sequence[Read]) -> list[Way]:
    """Runs with one name have different settings."""
    mixed = [
        read
        for family in _families(reads, {TOKEN, FOLDER})
        if len({read.group for read in family}) == 1 and _differ(family)
        for read in family
    ]
    because = message("their names are equal but for the seed")
    return _alone(mixed, message("each run by itself, as their settings differ"), because)


def _differ(family: Sequence[Read]) -> bool:
    return any(
        len({str(read.config[key]) for read in family if key in read.config}) > 1
        for key in SETTINGS
    )


def _by_name_against_config(reads: Sequence[Read]) -> list[Way]:
    """Names and configurations state different seeds."""
    family = [r for r in reads if r.reading.origin in {TOKEN, FOLDER}]
    against = any(r.stated is not None and r.stated != r.reading.seed for r in family)
    cells: dict[str, Cell] = {r.path: (r.reading.bare, r.reading.seed) for r in family}
    way = Way(
        what=message("with the seeds of the names"),
        because=message("its configuration is what a run was trained with"),
        cells=cells if against else {},
        slots={r.path: replace(_slot(r), named=True) for r in family},
    )
    return [way] if way.cells else []


def _by_second_number(reads: Sequence[Read]) -> list[Way]:
    """Paths hold a second number that may be the seed."""
    found = {read.path: _second(read) for read in reads}
    seconds = {path: second for path, second in found.items() if second}
    if len({seed for seed, _ in seconds.values()}) < 2:
        return []
    cells: dict[str, Cell] = {
        path: (without_clock(cut_token(path, slot.begin, slot.end)), seed)
        for path, (seed, slot) in seconds.items()
    }
    if len(set(cells.values())) < len(cells):
        return []
    way = Way(
        what=message("by the other number of their paths as the seed"),
        because=message(
            "the number that says seed counts before one that does not, the deepest folder's "
            "before those above it, and of two seeds in one name the run's own before that of its "
            "data"
        ),
        cells=cells,
        slots={path: slot for path, (_, slot) in seconds.items()},
    )
    return [way]


def _second(read: Read) -> tuple[int, Slot] | None:
    """Return another number of a path that may be the seed; None where there is none."""
    own, path = read.reading.span, read.path
    for seed, begin, digits, end in find_tokens(path):
        if digits != own[1]:
            return seed, Slot(begin=begin, digits=digits, end=end)
    if read.reading.origin not in {TOKEN, FOLDER}:
        return None
    at = 0
    for part in path.split("/"):
        number = part.isascii() and part.isdecimal() and len(part) < 6
        if number and at != own[1] and not is_setting(path[:at].rstrip("/")):
            return int(part), Slot(begin=at, digits=at, end=at + len(part))
        at += len(part) + 1
    return None


_WAYS: tuple[Callable[[Sequence[Read]], list[Way]], ...] = (
    _by_clock,
    _by_number,
    _by_index,
    _by_odd_folder,
    _by_short_token,
    _by_settings,
    _by_name_against_config,
    _by_second_number,
)
