"""Inputs by their number, and what is asked of the reader of each.

The first ones of a format are its samples cut at every byte; all further ones are drawn, each by a
seed made of the format's name and the number, so that a number is an input for good.
"""

import os
import random
import shutil
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from fakes import damage
from fakes.damage import Damage

from fire import harm
from fire.formats import Format, Sample, formats
from fire.watch import DeedError, TooLongError, measured, watched
from reportgen.records.errors import ReportgenError

RAW: tuple[Damage, ...] = (*damage.ALL, harm.word, harm.length, harm.swap, harm.lines)
"""What knows nothing of checksums."""

WARM_UP = 40
"""Inputs that are read before anything is measured: modules are imported late."""


@dataclass(frozen=True)
class Input:
    """One harmed file.

    Attributes:
        is_cut: Whether it is the beginning of the sample, and nothing else.
        is_raw: Whether only its bytes were harmed, and no checksum made right again.
    """

    sample: Sample
    content: bytes
    is_cut: bool
    is_raw: bool


@dataclass
class Tally:
    """What became of a number of inputs of a format.

    Attributes:
        refused: Those that ended in a letter to the user.
        told: Those that were read, with a word on what is wrong.
        deep: Those with which a whole command was run.
        seconds: Processor time of the slowest.
        slowest: Its number.
        memory: Most bytes that one added to what the process had taken.
        faults: Number and what went wrong.
    """

    inputs: int = 0
    cuts: int = 0
    refused: int = 0
    told: int = 0
    deep: int = 0
    seconds: float = 0.0
    slowest: int = 0
    memory: int = 0
    faults: list[tuple[int, str]] = field(default_factory=list)


@cache
def table() -> dict[str, Format]:
    return formats()


def cuts_of(name: str) -> int:
    """Return how many inputs of a format are samples cut at every byte."""
    return sum(len(sample.content) for sample in table()[name].samples)


def make(name: str, number: int) -> Input:
    """Return an input by its number."""
    found, left = table()[name], number
    for sample in found.samples:
        if left < len(sample.content):
            return Input(sample, sample.content[:left], is_cut=True, is_raw=True)
        left -= len(sample.content)
    rng = random.Random(f"{name} {number}")
    sample = rng.choice(found.samples)
    hits = [
        rng.choice(found.harms if rng.random() < 1 - found.blunt else damage.ALL)
        for _ in range(rng.choice((1, 1, 1, 2, 4)))
    ]
    content = sample.content
    for hit in hits:
        content = hit(content or b"x", rng)[: 1 << 20]
    return Input(sample, content, is_cut=False, is_raw=all(hit in RAW for hit in hits))


def lay(home: Path, one: Input) -> Path:
    """Write an input and what lies beside it into a folder of its own; return its path."""
    for name, content in {**one.sample.beside, one.sample.name: one.content}.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return home / one.sample.name


class Bench:
    """Where inputs are laid, one after the other: a folder for each sample.

    An input takes the place of the one before, which is much faster than to make folders and to
    remove them; after whatever left something in a folder it is made anew.
    """

    def __init__(self, home: Path) -> None:
        self._home = home
        self._laid: dict[int, tuple[Path, Path, dict[str, int]]] = {}

    def lay(self, one: Input) -> tuple[Path, Path]:
        """Write an input and what lies beside it; return the folder, and the path of the input."""
        key = id(one.sample)
        if key not in self._laid:
            folder = self._home / f"input-{len(self._laid):03}"
            path = lay(folder, one)
            self._laid[key] = folder, path, tree(str(folder))
        folder, path, files = self._laid[key]
        with open(path, "wb", buffering=0) as stream:  # noqa: PTH123 - faster
            stream.write(one.content)
        files[str(path)] = len(one.content)
        return folder, path

    def is_as_laid(self, one: Input) -> bool:
        """Tell whether every file is there, each of its size, and no other."""
        folder, _, files = self._laid[id(one.sample)]
        return tree(str(folder)) == files

    def clear(self, one: Input) -> None:
        """Have all of it laid anew, for the next input of the sample."""
        folder, *_ = self._laid[id(one.sample)]
        shutil.rmtree(folder, ignore_errors=True)
        self._laid[id(one.sample)] = folder, lay(folder, one), tree(str(folder))


def tree(home: str) -> dict[str, int]:
    """Return the path of every file below a folder, with its size."""
    found = {}
    with os.scandir(home) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                found.update(tree(entry.path))
            else:
                found[entry.path] = entry.stat(follow_symlinks=False).st_size
    return found


class _Facts:
    """What the sound samples say, read once."""

    def __init__(self, name: str, home: Path) -> None:
        self._name, self._home = name, home
        self._known: dict[int, set[Any]] = {}

    def of(self, sample: Sample) -> set[Any]:
        if id(sample) not in self._known:
            found = table()[self._name]
            home = self._home / "input-sound"
            path = lay(home, Input(sample, sample.content, is_cut=False, is_raw=True))
            self._known[id(sample)] = found.facts(found.read(path))
            shutil.rmtree(home)
        return self._known[id(sample)]


def bombard(name: str, numbers: Iterable[int], home: Path, note: Path | None = None) -> Tally:
    """Read inputs by their numbers; every fault is kept, none is raised.

    Args:
        name: Of the format.
        numbers: Which inputs.
        home: An empty folder, best in memory.
        note: Where the number of the input at work is written, for whoever finds the process dead.
    """
    facts, tally, bench = _Facts(name, home), Tally(), Bench(home)
    _warm_up(name, home)
    with _telling(note) as tell, warnings.catch_warnings():
        warnings.simplefilter("error")
        # Of a folder in which nothing can be read `load` warns: that is its answer.
        warnings.filterwarnings("ignore", "no training logs under", UserWarning)
        for number in numbers:
            tell(number)
            try:
                ask(name, number, make(name, number), bench, facts.of, tally)
            except (Exception, DeedError, TooLongError) as error:  # noqa: BLE001 - that is what is looked for
                tally.faults.append((number, f"{type(error).__name__}: {str(error)[:400]}"))
    return tally


@contextmanager
def _telling(note: Path | None) -> Iterator[Callable[[int], object]]:
    if note is None:
        yield lambda _: None
        return
    with note.open("wb", buffering=0) as stream:
        yield lambda number: os.pwrite(stream.fileno(), b"%20d" % number, 0)


def _warm_up(name: str, home: Path) -> None:
    found = table()[name]
    for number in range(cuts_of(name), cuts_of(name) + WARM_UP):
        for sample in found.samples if number == cuts_of(name) else ():
            _quietly(found, lay(home / "input-warm", Input(sample, sample.content, False, True)))
        _quietly(found, lay(home / "input-warm", make(name, number)))
        shutil.rmtree(home / "input-warm")


def _quietly(found: Format, path: Path) -> None:
    for read in (found.read, found.deep):
        try:
            if read is not None:
                read(path)
        except Exception:  # noqa: BLE001, S110 - it is looked at when its number comes
            pass


def ask(
    name: str,
    number: int,
    one: Input,
    bench: Bench,
    known: Callable[[Sample], set[Any]],
    tally: Tally,
) -> None:
    """Read an input and look at what comes of it.

    Args:
        name: Of the format.
        number: Of the input; every so many are given to a whole command.
        one: The input.
        bench: Where it is laid.
        known: What a sound file says.
        tally: Counts it.

    Raises:
        AssertionError, DeedError, TooLongError, Exception: It broke a promise.
    """
    found = table()[name]
    folder, path = bench.lay(one)
    tally.inputs += 1
    tally.cuts += one.is_cut
    deep = found.deep if found.deep_every and not number % found.deep_every else None
    try:
        with watched(folder, writes=found.writes, runs=found.runs), measured() as spent:
            result = _read(found.read, path, tally)
            if deep is not None:
                tally.deep += 1
                _read(deep, path, None)
        if spent.seconds > tally.seconds:
            tally.seconds, tally.slowest = spent.seconds, number
        tally.memory = max(tally.memory, spent.memory)
        if result is not None:
            _judge(found, one, result, known(one.sample), tally)
        assert found.writes or bench.is_as_laid(one), "files were left"
    except BaseException:
        bench.clear(one)
        raise
    if found.writes:
        bench.clear(one)


def _read(read: Any, path: Path, tally: Tally | None) -> Any:
    """Return what a reader makes of a file; None where it is a letter to the user."""
    try:
        return read(path)
    except ReportgenError as letter:
        if not letter.message:
            raise AssertionError("a letter without words") from letter
        if tally is not None:
            tally.refused += 1
        return None


def _judge(found: Format, one: Input, result: Any, known: set[Any], tally: Tally) -> None:
    found.holds(result, one.content)
    is_told = found.told(result)
    tally.told += is_told
    if one.is_cut and one.sample.grows and not is_told:
        more = found.facts(result) - known
        assert not more, f"a cut file says {sorted(map(str, more))[:3]} and nothing of an end"
    if one.is_raw and one.sample.sealed:
        more = found.facts(result) - known
        assert not more, f"invented: {sorted(map(str, more))[:3]}"


def as_plain(tally: Tally) -> dict[str, Any]:
    return asdict(tally)
