"""Every format that is read: small sound files of it, what reads it, and what has to hold.

A reader gives a result or a letter to the user, whatever the file holds. What its result has to
be beside is said here by a function that knows the sound file: where a format has checksums, that
nothing is in the result that is not in the sound file; else that the result holds together.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fakes.damage import Damage

from fire import harm

Take = Callable[[Path], Any]


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A small sound file of a format.

    Attributes:
        name: What it is called, below the folder of an input; its folders are made.
        beside: Further files that it needs, which stay as they are.
        grows: Whether nothing that its first bytes say is anything but what the whole says,
            unless the reader tells that they may be cut.
        sealed: Whether it has checksums, so that no damage of its bytes makes a value of its own.
    """

    name: str
    content: bytes
    beside: Mapping[str, bytes] = field(default_factory=dict)
    grows: bool = False
    sealed: bool = False


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format, as the harness sees it.

    Attributes:
        read: Reads a file; its result is compared.
        deep: Does with the file what a command does; seldom, because it takes longer.
        facts: From a result to what it says, as a set of hashable values.
        told: Whether a result says that something is wrong with the file.
        holds: Raises where a result does not hold together; given the result and the content.
        harms: Ways to make it lie, beside those that harm bytes.
        blunt: Share of the hits that harm bytes and know nothing of the format. Where they break
            the form, and nothing behind it is tried, there are few of them.
        deep_every: Every how many inputs `deep` runs; 0 never.
        runs: Audit events that its reading may cause, such as a process of our own.
        writes: Whether it may write into the folder of the input: a cache.
    """

    samples: tuple[Sample, ...]
    read: Take
    deep: Take | None = None
    facts: Callable[[Any], set[Any]] = lambda _: set()
    told: Callable[[Any], bool] = lambda _: False
    holds: Callable[[Any, bytes], None] = lambda _, __: None
    harms: tuple[Damage, ...] = (harm.word, harm.length, harm.swap)
    blunt: float = 0.5
    deep_every: int = 25
    runs: tuple[str, ...] = ()
    writes: bool = False


def formats() -> dict[str, Format]:
    """Return every format by its name."""
    from fire.checkpoints import CHECKPOINT_FORMATS
    from fire.logs import LOG_FORMATS
    from fire.own_files import OWN_FORMATS
    from fire.reports import REPORT_FORMATS

    return {**LOG_FORMATS, **CHECKPOINT_FORMATS, **REPORT_FORMATS, **OWN_FORMATS}
