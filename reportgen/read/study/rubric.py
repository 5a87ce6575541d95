"""Read rubrics (TOML), with every mistake listed at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from reportgen.read.study._toml import Faults, Kind, near, read_toml
from reportgen.read.study.keys import LINE_KEYS, RUBRIC_KEYS
from reportgen.records.rubric import Rubric, RubricLine
from reportgen.records.verdict import RULES

_PATTERNS = ("rules", "kinds")
_KIND = Kind(
    name="rubric file",
    folder="name the file of the rubric",
    denied="check its permissions",
    syntax="texts need quotes, lines of the rubric a line [[line]]",
    # 0.1 points are a tenth.
    parse_float=Decimal,
)


def read_rubric(path: Path) -> Rubric:
    """Read a rubric file.

    Its tables are `[[line]]`, each with an `id`; the keys are those of `RubricLine`. Numbers
    are read as they are written: 0.1 is a tenth.

    Args:
        path: The file.

    Raises:
        EvidenceError: There is no such file, or it cannot be read.
        StudyError: It is not TOML, has no line, or has unknown keys, illegal values, or patterns
            that fit no check, for its line would give every report all its points: every one is
            listed with its line and the nearest legal name.
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
        values = self.faults.values(RUBRIC_KEYS, own, "", extra=("line",))
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
        values: dict[str, Any] = {
            name: Decimal(value) if LINE_KEYS[name].kind == "number" else value
            for name, value in self.faults.values(LINE_KEYS, given, where).items()
        }
        if "id" not in given:
            self.faults.add(where, f"{where} needs an id")
        elif values.get("id") == "":
            self.faults.add(f"{where}.id", f"{where}.id may not be empty")
        for key in _PATTERNS:
            self._check_patterns(values.get(key, ()), f"{where}.{key}")
        made = {"id": "", **values}
        return RubricLine(**{"title": made["id"], **made})

    def _check_patterns(self, patterns: Sequence[str], place: str) -> None:
        """Note each pattern that fits no check."""
        for pattern in patterns:
            if not any(fnmatchcase(rule, pattern.casefold()) for rule in RULES):
                legal = f"{near(pattern, tuple(RULES))}; the checks are {', '.join(RULES)}"
                self.faults.add(place, f"{place} has {pattern!r}, which fits no check{legal}")
