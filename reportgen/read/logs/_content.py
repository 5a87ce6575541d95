"""What an event file holds beside its points, and what became of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple

from reportgen.read.logs._event import (
    HPARAMS,
    SCALARS,
    Event,
    Value,
    kind_of,
    read_event,
    read_hyperparameters,
)
from reportgen.read.logs._faults import Fault
from reportgen.read.logs._wire import WireError


class Point(NamedTuple):
    """A number of one tag at one step.

    Attributes:
        tag: Its tag.
        number: Its value.
        is_wide: Whether it needs double precision.
    """

    tag: str
    number: float
    is_wide: bool


@dataclass(slots=True)
class Content:
    """What has been read so far, points left out.

    Attributes:
        records: Sound records.
        texts: Tag to the text written last.
        config: Hyperparameters.
        starts: Steps from which on a writer said that everything before is void.
        plugins: Tag to the plug-in that its values belong to; only tags that were given one.
        skipped: Kind of record to how many were passed over.
        unreadable: Tag to how many of its hyperparameters cannot be decoded.
        faults: Bytes that hold no sound record, in no order.
    """

    records: int = 0
    texts: dict[str, str] = field(default_factory=dict)
    config: dict[str, object] = field(default_factory=dict)
    starts: list[int] = field(default_factory=list)
    plugins: dict[str, str] = field(default_factory=dict)
    skipped: Counter[str] = field(default_factory=Counter)
    unreadable: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)

    def read(self, offset: int, payload: bytes) -> Event | None:
        """Decode the payload of a sound record; None, and a fault, where it is no event."""
        try:
            return read_event(payload)
        except WireError as error:
            reason = f"the record is no event ({error})"
            self.faults.append(Fault(offset=offset, end=offset + len(payload), reason=reason))
            return None

    def pass_over(self, tag: str, kind: str) -> bool:
        """Count a record that holds one value of a kind; False where its tag has a plug-in."""
        if tag in self.plugins:
            return False
        self.records += 1
        self.skipped[kind] += 1
        return True

    def take(self, event: Event) -> list[Point]:
        """Keep what an event holds, and return the points among its values."""
        self.records += 1
        if event.starts_session:
            self.starts.append(event.step)
        if event.kind:
            self.skipped[event.kind] += 1
        found = []
        for value in event.values:
            # TensorFlow names the plug-in on the first value of a tag only.
            if value.plugin:
                self.plugins[value.tag] = value.plugin
            plugin = self.plugins.get(value.tag, SCALARS)
            if plugin == SCALARS and value.number is not None:
                found.append(Point(value.tag, value.number, value.wide))
            else:
                self._take_other(value, plugin)
        return found

    def _take_other(self, value: Value, plugin: str) -> None:
        if plugin == HPARAMS:
            self._take_hyperparameters(value)
        elif value.text is not None:
            self.texts[value.tag] = value.text
        else:
            kind = value.kind if plugin == SCALARS else kind_of(plugin)
            self.skipped[kind or "empty value"] += 1

    def _take_hyperparameters(self, value: Value) -> None:
        try:
            self.config.update(read_hyperparameters(value.payload))
        except WireError:
            self.unreadable[value.tag] += 1
