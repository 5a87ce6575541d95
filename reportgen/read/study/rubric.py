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
from reportgen.records.claim import CLAIM_KINDS
from reportgen.records.rubric import Rubric, RubricLine

_FITTED = {"rules": "check", "kinds": "kind of claim"}
_KIND = Kind(
    name="rubric file",
    folder="name the file of the rubric",
    denied="check its permissions",
    syntax="texts need quotes, lines of the rubric a line [[line]]",
    # 0.1 points are a tenth.
    parse_float=Decimal,
)


def read_rubric(path: Path, rules: Sequence[str]) -> Rubric:
    """Read a rubric file.

    Its tables are `[[line]]`, each with an `id`; the keys are those of `RubricLine`. Numbers
    are read as they are written: 0.1 is a tenth.

    Args:
        path: The file.
        rules: Names of the checks there are. A pattern that fits none of them would look at
            nothing, and its line give every report all its points.

    Raises:
        EvidenceError: There is no such file, or it cannot be read.
        StudyError: It is not TOML, has no line, or has unknown keys, illegal values, or patterns
            that fit no check or kind of claim: every one is listed with its line and the nearest
            legal name.
    """
    content, faults = read_toml(path, _KIND)
    rubric = _Reader(faults, {"rules": tuple(rules), "kinds": CLAIM_KINDS}).rubric(content)
    faults.raise_any(f"legal keys of a line: {', '.join(LINE_KEYS)}")
    return rubric


@dataclass(slots=True)
class _Reader:
    """Turns parsed TOML into a rubric and gathers every fault on the way.

    Attributes:
        names: Of each key that holds patterns on names, the names there are.
    """

    faults: Faults
    names: Mapping[str, Sequence[str]]

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
        for key in self.names:
            self._check_patterns(key, values.get(key, ()), f"{where}.{key}")
        made = {"id": "", **values}
        return RubricLine(**{"title": made["id"], **made})

    def _check_patterns(self, key: str, patterns: Sequence[str], place: str) -> None:
        """Note each pattern that fits no name."""
        for pattern in patterns:
            if _fits_any(pattern, self.names[key]):
                continue
            elsewhere = (k for k, names in self.names.items() if _fits_any(pattern, names))
            other = next(elsewhere, "")
            hint = (
                f"; it is one of the {other}: write {other} = [{pattern!r}]"
                if other
                else near(pattern, self.names[key]) or f"; legal here: {', '.join(self.names[key])}"
            )
            self.faults.add(place, f"{place} has {pattern!r}, which fits no {_FITTED[key]}{hint}")


def _fits_any(pattern: str, names: Sequence[str]) -> bool:
    """Say whether a pattern fits a name, as it does where findings are scored."""
    return any(fnmatchcase(name.casefold(), pattern.casefold()) for name in names)
