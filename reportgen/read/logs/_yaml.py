"""YAML of strangers: read event by event, so that nothing in it is made and nothing explodes.

`yaml.load` puts a file together in C without a limit, where some 300,000 brackets end the process,
and reads `1e-05` as a text, `1:30` as 90 and `no` as false.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from reportgen.records.record import field, record
from reportgen.records.run import Problem

BYTES = 1 << 22
"""Settings that take more than this are no settings."""

DEPTH = 50
NODES = 100_000

OPAQUE = object()
"""Stands where a file holds an object of Python, which is not made."""

_OBJECT = "tag:yaml.org,2002:python/object"
_ORDERED = "tag:yaml.org,2002:python/object/apply:collections.OrderedDict"
"""A mapping, written as the list of its pairs."""
_NAME = "tag:yaml.org,2002:python/name:"
_TEXT = "tag:yaml.org,2002:str"
_INTEGER = re.compile(r"[-+]?\d{1,18}")
_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_WORDS: dict[str, object] = {
    "true": True, "false": False, "null": None, "~": None, "": None,
    ".inf": float("inf"), "+.inf": float("inf"), "-.inf": float("-inf"), ".nan": float("nan"),
}  # fmt: skip


class YamlError(ValueError):
    """A text that is no YAML, or more of it than any settings need."""


def read_yaml(content: bytes) -> object:
    r"""Return what the first document holds: mappings, lists, texts, numbers, truth values.

    Anchors are followed, so that one value may stand in several places. A tag that would make
    an object of Python makes nothing; one that names a class or function gives its name.

    Raises:
        YamlError: It cannot be parsed, or is larger or deeper than any settings.

    Example:
        >>> read_yaml(b"lr: 1e-05\nmodel: {layers: [4, 2], act: !!python/name:torch.relu ''}")
        {'lr': 1e-05, 'model': {'layers': [4, 2], 'act': 'torch.relu'}}
    """
    import yaml

    if len(content) > BYTES:
        raise YamlError(f"larger than {BYTES} bytes; not read")
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder()
    try:
        for count, event in enumerate(yaml.parse(content, Loader=loader)):
            if count > NODES:
                raise YamlError(f"more than {NODES} values; not read")
            if isinstance(event, yaml.DocumentEndEvent):
                break
            builder.take(event)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}: " if mark else ""
        reason = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise YamlError(f"not valid YAML: {where}{reason}") from error
    return builder.found


def parse_yaml(content: bytes, name: str) -> tuple[object, Problem | None]:
    """Return what YAML holds, or why it cannot be read."""
    try:
        return read_yaml(content), None
    except YamlError as error:
        return None, Problem(path=name, message=str(error), remedy="mend the file")


def doubts(content: bytes, unread: Iterable[str], name: str) -> Iterator[Problem]:
    r"""Say what settings do not tell: objects that were not made, and an end that may be missing.

    Example:
        >>> [problem.message for problem in doubts(b"seed: 3\nlr: 1", [], "hparams.yaml")]
        ['the last line has no line end: its value may be half of one']
    """
    for key in unread:
        yield Problem(path=name, message=f"{key!r} is an object of Python; not read", level="note")
    # Every program ends the line; what is closed by a mark of its own is whole without.
    if not content.endswith((b"\n", b"\r", b"}", b"]", b"'", b'"')):
        message = "the last line has no line end: its value may be half of one"
        remedy = "normal while the run begins; else copy the file again"
        yield Problem(path=name, message=message, remedy=remedy, offset=len(content), level="note")


def read_plain(text: str) -> object:
    """Read an unquoted value as YAML 1.2 does, where `1e-05` is a number and `no` a text.

    Example:
        >>> [read_plain(t) for t in ("3", "1e-05", "true", "no", "1:30", "~")]
        [3, 1e-05, True, 'no', '1:30', None]
    """
    lowered = text.lower()
    if lowered in _WORDS:
        return _WORDS[lowered]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text


@record(kw_only=False, frozen=False)
class _Open:
    """A mapping or list whose end has not come.

    Attributes:
        key: Of a mapping: the key whose value comes next, None where a key comes next.
    """

    value: dict[str, object] | list[object]
    opaque: bool
    key: str | None = None


@record(kw_only=False, frozen=False)
class _Builder:
    """Puts events together; a stack of its own, since a file may be deeper than Python's."""

    found: object = None
    open: list[_Open] = field(default_factory=list)
    anchors: dict[str, object] = field(default_factory=dict)
    merged: int = 0

    def take(self, event: Any) -> None:
        kind = type(event).__name__
        if kind == "ScalarEvent":
            self._add(_scalar(event), event.anchor)
        elif kind == "AliasEvent":
            self._add(self.anchors.get(event.anchor), None)
        elif kind in {"MappingStartEvent", "SequenceStartEvent"}:
            if len(self.open) >= DEPTH:
                raise YamlError(f"nested deeper than {DEPTH} levels; not read")
            value: dict[str, object] | list[object] = {} if kind[0] == "M" else []
            tag = str(event.tag or "")
            opaque = tag.startswith(_OBJECT) and tag != _ORDERED
            if event.anchor:
                self.anchors[event.anchor] = OPAQUE if opaque else value
            self.open.append(_Open(value, opaque))
        elif kind in {"MappingEndEvent", "SequenceEndEvent"}:
            ended = self.open.pop()
            self._add(OPAQUE if ended.opaque else ended.value, None)

    def _add(self, value: object, anchor: str | None) -> None:
        if anchor:
            self.anchors[anchor] = value
        if not self.open:
            self.found = value
            return
        top = self.open[-1]
        if isinstance(top.value, list):
            top.value.append(value)
        elif top.key is None:
            top.key = _key(value)
        elif top.key == "<<":
            for one in value if isinstance(value, list) else [value]:
                self._merge(top.value, one)
            top.key = None
        else:
            top.value[top.key] = value
            top.key = None

    def _merge(self, into: dict[str, object], other: object) -> None:
        if not isinstance(other, dict) or other is into:
            raise YamlError("not valid YAML: what is merged is no other mapping")
        self.merged += 1 + len(other)
        if self.merged > NODES:
            raise YamlError(f"merges more than {NODES} values; not read")
        for key, value in other.items():
            into.setdefault(key, value)


def _key(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return str(value).lower()
    is_text = not isinstance(value, dict | list) and value is not OPAQUE
    return str(value) if is_text else "(a key that is no text)"


def _scalar(event: Any) -> object:
    plain = event.style in (None, "")
    if event.tag:
        tag = str(event.tag)
        if tag.startswith(_NAME):
            return tag.removeprefix(_NAME)
        if tag.startswith(_OBJECT):
            return OPAQUE
        plain = (plain and tag != _TEXT) or tag.endswith((":int", ":float"))
    return read_plain(event.value) if plain else event.value


LEAVES = 10_000
"""Settings of one run; of more than these the rest is left out."""


def flatten(settings: object) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return nested settings under keys with dots, and the keys of what could not be read.

    A list of plain values stays a list.

    Example:
        >>> flatten({"optimizer": {"lr": 0.1, "betas": [0.9, 0.99]}, "seed": 3})
        ({'optimizer.lr': 0.1, 'optimizer.betas': [0.9, 0.99], 'seed': 3}, ())
    """
    found: dict[str, object] = {}
    unread: dict[str, None] = {}
    # One value may stand in many places, and even in itself.
    left = LEAVES

    def add(key: str, value: object, depth: int) -> None:
        nonlocal left
        left -= 1
        if left < 0 or depth > DEPTH or value is OPAQUE:
            unread[key if value is OPAQUE else key.partition(".")[0]] = None
        elif inside := _inside(value):
            for name, one in inside:
                add(f"{key}.{name}" if key else str(name), one, depth + 1)
        elif key:
            found[key] = value

    add("", settings, 0)
    return found, tuple(unread)


def _inside(value: object) -> Iterable[tuple[object, object]]:
    """Return what lies in a mapping, or in a list that holds more than plain values."""
    if isinstance(value, dict):
        return value.items()
    if isinstance(value, list) and any(
        isinstance(one, dict | list) or one is OPAQUE for one in value
    ):
        return [*enumerate(value)]
    return ()
