"""Read study files (TOML), with every mistake listed at once."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reportgen.errors import EvidenceError, StudyError
from reportgen.records.run import SPLITS
from reportgen.records.study import (
    AdapterPlan,
    GroupPlan,
    MetricPlan,
    ModelPlan,
    ReportPlan,
    StatisticsPlan,
    Study,
)
from reportgen.records.training import DataPlan, TrainPlan
from reportgen.studyfile.keys import TABLES, Key

MAX_BYTES = 1_000_000

_TYPES: Mapping[str, str] = {
    "text": "a text in quotes",
    "whole": "a whole number",
    "number": "a number",
    "texts": "a list of texts",
    "wholes": "a list of whole numbers",
}


def read_study(path: Path) -> Study:
    """Read a study file.

    Args:
        path: The TOML file.

    Raises:
        EvidenceError: There is no such file, or it cannot be read.
        StudyError: It is not TOML, or has unknown keys or illegal values: every one is
            listed with its line and the nearest legal key.
    """
    text = _read_text(path)
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        at = re.search(r"\(at line (\d+)", str(fault))
        line = int(at.group(1)) if at else text.count("\n") + 1
        raise StudyError(
            f"{path}:{line}: not valid TOML: {str(fault).split(' (at')[0]}",
            remedy="texts need quotes, tables a line like [metric]; see `reportgen init --help`",
        ) from None
    except (ValueError, RecursionError):
        raise StudyError(
            f"{path}: not valid TOML: a number too long or brackets too deep for any parser",
            remedy="write it as plain tables of keys and values",
        ) from None
    reader = _Reader(str(path), _line_numbers(text))
    study = reader.study(content)
    if reader.faults:
        listed = "\n".join(f"  {fault}" for fault in sorted(reader.faults, key=_by_line))
        count = len(reader.faults)
        raise StudyError(
            f"{path}: {count} {'entry means' if count == 1 else 'entries mean'} nothing\n{listed}",
            remedy="`reportgen init --runs DIR` writes a file with every key and its meaning",
        )
    return study


def _read_text(path: Path) -> str:
    if path.is_dir():
        raise EvidenceError(
            f"{path} is a folder, not a study file",
            remedy=f"name the file (study.toml), or use --runs {path} to go without one",
        )
    try:
        with path.open("rb") as stream:
            # Some files have no end.
            content = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise EvidenceError(
            f"no study file {path}",
            remedy="check the path, or leave it out: `--runs DIR` alone infers everything",
        ) from None
    except OSError as fault:
        raise EvidenceError(
            f"cannot read {path}: {fault.strerror}", remedy="check its permissions"
        ) from None
    if len(content) > MAX_BYTES:
        raise StudyError(f"{path} is larger than {MAX_BYTES} bytes: not a study file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise StudyError(
            f"{path}: byte {fault.start} is not UTF-8", remedy="save the file as UTF-8"
        ) from None


def _by_line(fault: str) -> tuple[int, str]:
    found = re.search(r":(\d+): ", fault)
    return (int(found.group(1)) if found else 0, fault)


def _line_numbers(text: str) -> dict[str, int]:
    """Map `table.key` and `table` to the line where each first stands."""
    lines: dict[str, int] = {}
    table, counts = "", dict[str, int]()
    for number, line in enumerate(text.splitlines(), start=1):
        if head := re.match(r"\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$", line):
            table = _plain(head.group(2))
            if head.group(1) == "[[":
                index = counts[table] = counts.get(table, -1) + 1
                table = f"{table}.{index}"
            lines.setdefault(table, number)
        elif entry := re.match(r"""\s*((?:[\w-]+|"[^"]*"|'[^']*'|\s*\.\s*)+?)\s*=""", line):
            key = _plain(entry.group(1))
            lines.setdefault(f"{table}.{key}" if table else key, number)
    return lines


def _plain(dotted: str) -> str:
    return ".".join(part.strip().strip("\"'") for part in dotted.split("."))


@dataclass(slots=True)
class _Reader:
    """Turns parsed TOML into a Study and gathers every fault on the way."""

    path: str
    lines: Mapping[str, int]
    faults: list[str] = field(default_factory=list)
    stated: list[str] = field(default_factory=list)

    def study(self, content: Mapping[str, object]) -> Study:
        legal = dict.fromkeys(name.split(".")[0] for name in TABLES)
        for name in content:
            if name not in legal:
                self._unknown(name, name, tuple(legal), what="table")
        report = self._table(content, "report")
        runs = self._table(content, "runs")
        splits = content.get("splits", {})
        splits = splits if isinstance(splits, dict) else {}
        for name in splits:
            if name not in ("names", "sizes"):
                self._unknown(f"splits.{name}", name, ("names", "sizes"), what="key")
        return Study(
            path=self.path,
            report=ReportPlan(**report),
            runs_path=str(runs.get("path", "")),
            pattern=self._pattern(str(runs.get("pattern", ""))),
            layout=str(runs.get("layout", "")),
            groups=self._groups(content.get("groups", {})),
            compare=self._pair(self._table(content, "comparison").get("groups", ())),
            metric=MetricPlan(**self._table(content, "metric")),
            statistics=StatisticsPlan(**self._table(content, "statistics")),
            split_names=self._split_names(splits.get("names", {})),
            split_sizes=self._values("splits.sizes", splits.get("sizes", {}), "splits.sizes"),
            steps_per_epoch=self._table(content, "epochs").get("steps_per_epoch", 0),
            model=ModelPlan(**self._table(content, "model")),
            adapters=self._adapters(content.get("adapter", [])),
            train=self._train(content["train"]) if "train" in content else None,
            stated=dict.fromkeys(self.stated, Path(self.path).name),
        )

    def _table(self, content: Mapping[str, object], name: str) -> dict[str, Any]:
        return self._values(name, content.get(name, {}), name)

    def _values(self, schema: str, given: object, where: str) -> dict[str, Any]:
        if not isinstance(given, dict):
            self._fault(where, f"{where!r} must be a table: write it as [{where}]")
            return {}
        values = {}
        for name, value in given.items():
            key = TABLES[schema].get(name)
            if key is None:
                self._unknown(f"{where}.{name}", name, tuple(TABLES[schema]), what="key")
            elif self._legal(key, value, f"{where}.{name}"):
                values[name] = tuple(value) if isinstance(value, list) else value
                self.stated.append(f"{where}.{name}")
        return values

    def _legal(self, key: Key, value: object, where: str) -> bool:
        if not _has_kind(value, key.kind):
            self._fault(where, f"{where} must be {_TYPES[key.kind]}, not {value!r}")
        elif key.choices and value not in key.choices:
            options = ", ".join(repr(choice) for choice in key.choices)
            self._fault(
                where, f"{where} must be one of {options}, not {value!r}{_near(value, key.choices)}"
            )
        elif not all(_in_range(one, key) for one in _numbers(value)):
            self._fault(where, f"{where} must lie in {_range(key)}, not {value!r}")
        else:
            return True
        return False

    def _groups(self, given: object) -> tuple[GroupPlan, ...]:
        if not isinstance(given, dict):
            self._fault("groups", "groups must be tables: write each as [groups.NAME]")
            return ()
        return tuple(
            GroupPlan(name=name, **self._values("groups", value, f"groups.{name}"))
            for name, value in given.items()
        )

    def _adapters(self, given: object) -> tuple[AdapterPlan, ...]:
        if not isinstance(given, list):
            self._fault("adapter", "adapter must be a list of tables: write each as [[adapter]]")
            return ()
        return tuple(
            AdapterPlan(**self._values("adapter", value, f"adapter.{index}"))
            for index, value in enumerate(given)
        )

    def _train(self, given: object) -> TrainPlan:
        given = given if isinstance(given, dict) else {"": given}
        data = given.get("data", {})
        data = data if isinstance(data, dict) else {"": data}
        flat = {name: value for name, value in data.items() if name not in ("files", "labels")}
        files, labels = (
            self._values(f"train.data.{name}", data.get(name, {}), f"train.data.{name}")
            for name in ("files", "labels")
        )
        plan = DataPlan(
            files=files, labels=labels, **self._values("train.data", flat, "train.data")
        )
        own = {name: value for name, value in given.items() if name != "data"}
        return TrainPlan(data=plan, **self._values("train", own, "train"))

    def _pair(self, given: object) -> tuple[str, ...]:
        names = tuple(str(name) for name in given) if isinstance(given, tuple) else ()
        if names and len(names) != 2:
            self._fault("comparison.groups", "comparison.groups must name exactly two groups")
        return names

    def _pattern(self, pattern: str) -> str:
        try:
            named = re.compile(pattern).groupindex if pattern else {"group": 0}
        except re.error as fault:
            self._fault("runs.pattern", f"runs.pattern is not a regular expression: {fault}")
            return ""
        if "group" not in named:
            self._fault("runs.pattern", "runs.pattern needs a named group (?P<group>...)")
        return pattern

    def _split_names(self, given: object) -> dict[str, str]:
        if not isinstance(given, dict):
            self._fault(
                "splits.names", "'splits.names' must be a table: write it as [splits.names]"
            )
            return {}
        options = ", ".join(SPLITS)
        for name, split in given.items():
            if split not in SPLITS:
                where = f"splits.names.{name}"
                hint = _near(split, SPLITS)
                self._fault(where, f"{where} must be one of {options}, not {split!r}{hint}")
        return {name: split for name, split in given.items() if split in SPLITS}

    def _unknown(self, where: str, name: str, legal: tuple[str, ...], *, what: str) -> None:
        hint = _near(name, legal) or f"; legal here: {', '.join(legal)}"
        self._fault(where, f"unknown {what} {where!r}{hint}")

    def _fault(self, where: str, message: str) -> None:
        line = self.lines.get(where)
        parts = where.split(".")
        while line is None and len(parts) > 1:
            parts.pop()
            line = self.lines.get(".".join(parts))
        if line is None:
            line = next((n for k, n in self.lines.items() if k.startswith(f"{where}.")), 1)
        self.faults.append(f"{self.path}:{line}: {message}")


def _has_kind(value: object, kind: str) -> bool:
    match kind:
        case "text":
            return isinstance(value, str)
        case "whole":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case "texts":
            return isinstance(value, list) and all(isinstance(v, str) for v in value)
        case _:
            return isinstance(value, list) and all(_has_kind(v, "whole") for v in value)


def _numbers(value: object) -> list[float]:
    found = value if isinstance(value, list) else [value]
    return [one for one in found if isinstance(one, int | float)]


def _in_range(value: float, key: Key) -> bool:
    return (key.low is None or value >= key.low) and (key.high is None or value <= key.high)


def _range(key: Key) -> str:
    return f"{key.low:g} to {key.high:.10g}" if key.high is not None else f"{key.low:g} or more"


def _near(value: object, legal: tuple[str | int, ...]) -> str:
    close = difflib.get_close_matches(str(value), [str(v) for v in legal], n=1, cutoff=0.5)
    return f"; did you mean {close[0]!r}?" if close else ""
