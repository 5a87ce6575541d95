"""Read rubrics (TOML), with every mistake listed at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from reportgen.records.rubric import UNREADABLE, VISIBILITIES, Rubric, RubricLine
from reportgen.studyfile._toml import Faults, Kind, read_toml
from reportgen.studyfile.keys import Key

MOST_POINTS = 1_000_000

RUBRIC_KEYS: Mapping[str, Key] = {
    "title": Key("text", "name of the assignment"),
    "unreadable": Key(
        "text", "a report that could not be checked has no score, or zero", choices=UNREADABLE
    ),
    "visibility": Key("text", "when students see the lines", choices=VISIBILITIES),
}
LINE_KEYS: Mapping[str, Key] = {
    "id": Key("text", "short name, unique"),
    "title": Key("text", "what students read"),
    "points": Key("number", "most that can be earned; 0 only informs", low=0, high=MOST_POINTS),
    "rules": Key("texts", "patterns of checks (value, lora_*); empty means all"),
    "kinds": Key("texts", "patterns of kinds of claims (aggregate_*); empty means all"),
    "sections": Key("texts", "patterns of headings (Task 3*); empty means all"),
    "error": Key("number", "what a claim with an error costs", low=0, high=MOST_POINTS),
    "warning": Key("number", "what a claim with a warning costs", low=0, high=MOST_POINTS),
    "visibility": Key("text", "when students see the line", choices=VISIBILITIES),
}
_KIND = Kind(
    name="rubric file",
    folder="name the file of the rubric",
    missing="check the path",
    denied="check its permissions",
    syntax="texts need quotes, lines of the rubric a line [[line]]",
    # 0.1 points are a tenth.
    parse_float=Decimal,
)


def read_rubric(path: Path) -> Rubric:
    """Read a rubric file.

    Its tables are `[[line]]`, each with an `id`; the keys are those of `RubricLine`. Numbers
    are read as they are written: 0.1 is a tenth.

    Raises:
        EvidenceError: There is no such file, or it cannot be read.
        StudyError: It is not TOML, has no line, or has unknown keys or illegal values: every
            one is listed with its line and the nearest legal key.
    """
    content, faults = read_toml(path, _KIND)
    rubric = _Reader(faults).rubric(content)
    faults.raise_any(f"legal keys of a line: {', '.join(LINE_KEYS)}")
    return rubric


@dataclass(slots=True)
class _Reader:
    """Turns parsed TOML into a rubric and gathers every fault on the way."""

    faults: Faults

    def rubric(self, content: Mapping[str, object]) -> Rubric:
        tables = content.get("line", [])
        own = {name: value for name, value in content.items() if name != "line"}
        values = self._values(own, RUBRIC_KEYS, "", extra=("line",))
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self.faults.add("line", "line must be a list of tables: write each as [[line]]")
            tables = []
        elif not tables:
            self.faults.add("", "a rubric needs at least one [[line]]")
        lines = tuple(self._line(table, f"line.{index}") for index, table in enumerate(tables))
        names = [line.id for line in lines]
        for index, name in enumerate(names):
            if name and name in names[:index]:
                self.faults.add(f"line.{index}.id", f"two lines have the id {name!r}")
        return Rubric(lines=lines, **values)

    def _line(self, given: Mapping[str, object], where: str) -> RubricLine:
        values = self._values(given, LINE_KEYS, where)
        if "id" not in given:
            self.faults.add(where, f"{where} needs an id")
        elif values.get("id") == "":
            self.faults.add(f"{where}.id", f"{where}.id may not be empty")
        made = {"id": "", **values}
        return RubricLine(**{"title": made["id"], **made})

    def _values(
        self,
        given: Mapping[str, object],
        keys: Mapping[str, Key],
        where: str,
        extra: Sequence[str] = (),
    ) -> dict[str, Any]:
        values = {}
        for name, value in given.items():
            place = f"{where}.{name}" if where else name
            key = keys.get(name)
            if key is None:
                self.faults.unknown(place, (*keys, *extra))
            elif self.faults.check(key, value, place):
                values[name] = _held(key, value)
        return values


def _held(key: Key, value: Any) -> object:
    if key.kind == "number":
        return Decimal(value)
    return tuple(value) if key.kind == "texts" else value
