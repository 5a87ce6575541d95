"""Of which of several trainings a line of a console speaks, by the names before its epochs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reportgen.read.logs._lines import Located
from reportgen.read.logs._words import SPLIT_WORDS

FEWEST = 3
"""Epochs that a training must state under its name."""

_NO_NAMES = SPLIT_WORDS | {"debug", "error", "info", "root", "warning"}
"""Words of splits, and those that a logger writes before a message."""

_BEFORE_EPOCH = re.compile(rb"(?i)\b([a-z][\w.+-]*)\]?[\s:|,-]{1,3}epoch\W{0,2}(\d+)")


@dataclass(slots=True)
class _Counter:
    """Epochs as they were stated: the last, how many others there were, and how often one fell."""

    last: int = -1
    turns: int = 0
    falls: int = 0

    def hear(self, epoch: int) -> None:
        self.turns += epoch != self.last
        self.falls += epoch < self.last
        self.last = epoch


@dataclass(slots=True)
class Labels:
    """Words that stand before the epochs of a console."""

    of_all: _Counter = field(default_factory=_Counter)
    own: dict[str, _Counter] = field(default_factory=dict)

    def hear(self, raw: bytes) -> None:
        """Note what a line says before an epoch."""
        found = _BEFORE_EPOCH.search(raw) if b"poch" in raw else None
        label = found[1].decode("utf-8", "replace") if found else ""
        if found is None or label.lower() in _NO_NAMES:
            return
        epoch = int(found[2][:9])
        self.of_all.hear(epoch)
        self.own.setdefault(label, _Counter()).hear(epoch)

    def found(self) -> tuple[str, ...]:
        """Return the names of several trainings; nothing where the words are of one.

        Those of one training, `Starting epoch 3` and `Finished epoch 3`, go on together: where each
        is taken by itself, epochs fall as often as before.

        Example:
            >>> def heard(*lines):
            ...     labels = Labels()
            ...     for line in lines:
            ...         labels.hear(line.encode())
            ...     return labels.found()
            >>> heard(*(f"{name} Epoch {n}: loss 1" for name in ("cnn", "mlp") for n in (1, 2, 3)))
            ('cnn', 'mlp')
            >>> heard(*(f"{name} epoch {n}" for n in (1, 2, 3) for name in ("Starting", "Ended")))
            ()
        """
        several = [label for label, one in self.own.items() if one.turns >= FEWEST]
        apart = sum(self.own[label].falls for label in several)
        return tuple(several) if len(several) > 1 and apart < self.of_all.falls else ()


def lines_under(lines: Iterator[Located], labels: Sequence[str], label: str) -> Iterator[Located]:
    """Yield the lines of one training, and those before the first that names any."""
    words = b"|".join(re.escape(one.encode()) for one in labels)
    named, current = re.compile(rb"(?<![\w.+-])(?:%s)(?![\w+-])" % words), b""
    for located in lines:
        found = named.search(located[-1])
        current = found[0] if found else current
        if current in {b"", label.encode()}:
            yield located
