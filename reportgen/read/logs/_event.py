"""One event of an event file: its step, its time, and the values it carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reportgen.read.logs._tensor import read_tensor
from reportgen.read.logs._wire import (
    as_bytes,
    as_double,
    as_float,
    as_int,
    as_text,
    read_fields,
    signed,
)

SCALARS, HPARAMS = "scalars", "hparams"
_SESSION_START = 1
_EVENT_KINDS = {4: "graph", 6: "log message", 8: "run metadata", 9: "graph"}
VALUE_KINDS = {4: "image", 5: "histogram", 6: "audio"}
_PLUGIN_KINDS = {"images": "image", "histograms": "histogram", "graphs": "graph"}


@dataclass(slots=True, kw_only=True)
class Value:
    """One tagged value.

    Attributes:
        plugin: Plug-in named with the value; writers may name it on a tag's first value only.
        payload: Content of the plug-in's metadata (hyperparameters are written there).
        number: The scalar, or None.
        wide: The scalar needs double precision.
        text: The text, or None.
        kind: What it is where it is neither (`image`, `histogram`, `audio`, `tensor`), or empty.
    """

    tag: str = ""
    plugin: str = ""
    payload: bytes = b""
    number: float | None = None
    wide: bool = False
    text: str | None = None
    kind: str = ""


@dataclass(slots=True, kw_only=True)
class Event:
    """One event.

    Attributes:
        is_header: It states the file's format and carries no value.
        starts_session: A writer began at `step`; what lies from there on is void.
        kind: What it carries in place of values (`graph`), or empty.
    """

    step: int = 0
    wall_time: float = 0.0
    is_header: bool = False
    starts_session: bool = False
    kind: str = ""
    values: list[Value] = field(default_factory=list)


def read_event(payload: bytes) -> Event:
    """Decode an Event; graphs, images, histograms and sound carry nothing for a report.

    Raises:
        WireError: The payload is no Event.
    """
    event = Event()
    for number, _, value in read_fields(payload):
        if number == 1:
            event.wall_time = as_double(value)
        elif number == 2:
            event.step = signed(as_int(value))
        elif number == 3:
            event.is_header = True
        elif number == 5:
            event.values.extend(
                _read_value(as_bytes(v)) for n, _, v in read_fields(as_bytes(value)) if n == 1
            )
        elif number == 7:
            event.starts_session = any(
                n == 1 and v == _SESSION_START for n, _, v in read_fields(as_bytes(value))
            )
        elif number in _EVENT_KINDS:
            event.kind = _EVENT_KINDS[number]
    return event


def _read_value(buffer: bytes) -> Value:
    found = Value()
    for number, _, value in read_fields(buffer):
        if number == 1:
            found.tag = as_text(value)
        elif number == 2:
            found.number = as_float(value)
        elif number == 8:
            tensor = read_tensor(as_bytes(value))
            found.number, found.wide, found.text = tensor
            found.kind = "tensor" if tensor.number is None and tensor.text is None else ""
        elif number in VALUE_KINDS:
            found.kind = VALUE_KINDS[number]
        elif number == 9:
            _read_metadata(as_bytes(value), found)
    return found


def _read_metadata(buffer: bytes, found: Value) -> None:
    for number, _, value in read_fields(buffer):
        if number != 1:
            continue
        for inner, _, part in read_fields(as_bytes(value)):
            if inner == 1:
                found.plugin = as_text(part)
            elif inner == 2:
                found.payload = as_bytes(part)


def kind_of(plugin: str) -> str:
    """Return what the values of a plug-in are called where they are counted.

    Example:
        >>> kind_of("images"), kind_of("pr_curves")
        ('image', 'pr_curves')
    """
    return _PLUGIN_KINDS.get(plugin, plugin)


def read_hyperparameters(payload: bytes) -> Mapping[str, object]:
    """Decode the hyperparameters that `add_hparams` writes when a session starts.

    Source: `tensorboard/plugins/hparams/plugin_data.proto`, `SessionStartInfo`.
    """
    found: dict[str, object] = {}
    for number, _, session in read_fields(payload):
        if number != 3:
            continue
        for inner, _, entry in read_fields(as_bytes(session)):
            if inner == 1:
                parts = {n: v for n, _, v in read_fields(as_bytes(entry))}
                if 1 in parts and 2 in parts:
                    found[as_text(parts[1])] = _read_struct_value(as_bytes(parts[2]))
    return found


def _read_struct_value(buffer: bytes) -> object:
    for number, _, value in read_fields(buffer):
        if number == 2:
            return as_double(value)
        if number == 3:
            return as_text(value)
        if number == 4:
            return bool(value)
    return None
