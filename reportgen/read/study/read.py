"""Read study files and rubrics (TOML), with every mistake listed at once."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from reportgen.read.study.keys import LINE_KEYS, RUBRIC_KEYS, TABLES, Faults, Kind, near, read_toml
from reportgen.records.record import field, record
from reportgen.records.run import SPLITS
from reportgen.records.study import (
    AdapterPlan,
    DataPlan,
    GridPlan,
    GroupPlan,
    MetricPlan,
    ModelPlan,
    ProsePlan,
    QuestionPlan,
    ReportPlan,
    SectionPlan,
    StatisticsPlan,
    Study,
    TablePlan,
    TrainPlan,
)
from reportgen.records.verdict import RULES, Rubric, RubricLine

# Read study files (TOML), with every mistake listed at once.

_STUDY = Kind(
    name="study file",
    folder="name the file (study.toml); `reportgen build --runs {path}` needs none",
    missing="; `reportgen init --runs DIR` writes one",
    denied="check its permissions",
    syntax="texts need quotes, tables a line like [metric]; see `reportgen init --help`",
)


def read_study(path: Path) -> Study:
    """Read a study file.

    Args:
        path: The TOML file.

    Raises:
        UsageError: It is a folder.
        EvidenceError: There is no such file, or it cannot be read.
        StudyError: It is not TOML, or has unknown keys or illegal values: every one is
            listed with its line and the nearest legal key.
    """
    content, faults = read_toml(path, _STUDY)
    study = _StudyReader(str(path), faults).study(content)
    faults.raise_any("`reportgen init --runs DIR` writes a file with every key and its meaning")
    return study


def fault_of_pattern(pattern: str) -> str:
    r"""Return what is the matter with a pattern on paths of runs, or nothing.

    Example:
        >>> fault_of_pattern(r"(?P<group>.+)/(?P<seed>\d+)$")
        ''
        >>> fault_of_pattern(".+")
        'needs a named group (?P<group>...) or (?P<seed>...)'
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)
            named = re.compile(pattern).groupindex
    except (re.error, RecursionError, OverflowError) as fault:
        return f"is not a regular expression: {fault}"
    needed = "needs a named group (?P<group>...) or (?P<seed>...)"
    return "" if {"group", "seed"} & set(named) else needed


def line_of_key(path: Path, key: str) -> int:
    """Return the line of a study file where `table.key` stands, 1 where it is not stated."""
    return read_toml(path, _STUDY)[1].line(key) or 1


@record(kw_only=False, frozen=False)
class _StudyReader:
    """Turns parsed TOML into a Study and gathers every fault on the way."""

    path: str
    faults: Faults
    stated: list[str] = field(default_factory=list)

    def study(self, content: Mapping[str, object]) -> Study:
        legal = dict.fromkeys(name.split(".")[0] for name in TABLES)
        for name in content:
            if name not in legal:
                self.faults.unknown(name, tuple(legal), what="table")
        report = self._table(content, "report")
        runs = self._table(content, "runs")
        grid = GridPlan(**self._table(content, "grid"))
        splits = content.get("splits", {})
        splits = splits if isinstance(splits, dict) else {}
        for name in splits:
            if name not in ("names", "tags", "sizes"):
                self.faults.unknown(f"splits.{name}", ("names", "tags", "sizes"))
        return Study(
            path=self.path,
            report=ReportPlan(**report),
            runs_path=str(runs.get("path", "")),
            pattern=self._pattern(str(runs.get("pattern", ""))),
            layout=str(runs.get("layout", "")),
            repeats=str(runs.get("repeats", "")),
            groups=self._groups(content.get("groups", {}), grid),
            grid=grid,
            compare=self._pair(self._table(content, "comparison").get("groups", ())),
            metric=MetricPlan(**self._table(content, "metric")),
            statistics=StatisticsPlan(**self._table(content, "statistics")),
            split_names=self._splits_of("names", splits.get("names", {})),
            split_tags=self._splits_of("tags", splits.get("tags", {})),
            split_sizes=self._values("splits.sizes", splits.get("sizes", {}), "splits.sizes"),
            steps_per_epoch=self._table(content, "epochs").get("steps_per_epoch", 0),
            model=ModelPlan(**self._table(content, "model")),
            adapters=self._adapters(content.get("adapter", [])),
            tables=self._tables(content.get("logs", {})),
            questions=self._questions(content.get("question", [])),
            prose=self._prose(content.get("prose", [])),
            sections=self._sections(content.get("section", [])),
            train=self._train(content["train"]) if "train" in content else None,
            stated=dict.fromkeys(self.stated, Path(self.path).name),
        )

    def _table(self, content: Mapping[str, object], name: str) -> dict[str, Any]:
        return self._values(name, content.get(name, {}), name)

    def _values(self, schema: str, given: object, where: str) -> dict[str, Any]:
        if not isinstance(given, dict):
            self.faults.add(where, f"{where!r} must be a table: write it as [{where}]")
            return {}
        values = self.faults.values(TABLES[schema], given, where)
        self.stated += (f"{where}.{name}" for name in values)
        return values

    def _groups(self, given: object, grid: GridPlan) -> tuple[GroupPlan, ...]:
        """Return the groups; one that states no seeds of its own has those of the grid."""
        if not isinstance(given, dict):
            self.faults.add("groups", "groups must be tables: write each as [groups.NAME]")
            return ()
        plans = []
        for name, value in given.items():
            own = self._values("groups", value, f"groups.{name}")
            if "seeds" not in own and name in (grid.groups or (name,)):
                own["seeds"] = grid.seeds
            plans.append(GroupPlan(name=name, **own))
        return tuple(plans)

    def _adapters(self, given: object) -> tuple[AdapterPlan, ...]:
        return tuple(AdapterPlan(**values) for _, _, values in self._listed("adapter", given))

    def _questions(self, given: object) -> tuple[QuestionPlan, ...]:
        plans = []
        for where, line, values in self._listed("question", given):
            if not values.get("id"):
                self.faults.add(where, f'{where} needs an id, as in id = "Task 3"')
            else:
                plans.append(QuestionPlan(line=line, **values))
        return tuple(plans)

    def _prose(self, given: object) -> tuple[ProsePlan, ...]:
        found = []
        for where, line, values in self._listed("prose", given):
            plan = ProsePlan(line=line, **values)
            if plan.text and plan.file:
                self.faults.add(where, f"{where}: text and file are two ways; name one of them")
            if plan.section and plan.title:
                self.faults.add(
                    where, f"{where}: a section has it, or a title of its own; not both"
                )
            if (plan.text or plan.file) and not (plan.section or plan.title):
                self.faults.add(where, f"{where} needs a section, or a title of its own")
            if plan.text or plan.file:
                found.append(plan)
        return tuple(found)

    def _sections(self, given: object) -> tuple[SectionPlan, ...]:
        plans = (SectionPlan(line=line, **v) for _, line, v in self._listed("section", given))
        return tuple(plan for plan in plans if plan.file)

    def _listed(self, name: str, given: object) -> Iterator[tuple[str, int, dict[str, Any]]]:
        """Yield where each table of a list stands, its line, and its values."""
        if not isinstance(given, list):
            self.faults.add(name, f"{name} must be a list of tables: write each as [[{name}]]")
            return
        for index, value in enumerate(given):
            where = f"{name}.{index}"
            # TOML leaves out the line break that text in three quotes begins with.
            line = self.faults.line(f"{where}.text") or self.faults.line(where) or 1
            yield where, line, self._values(name, value, where)

    def _tables(self, given: object) -> tuple[TablePlan, ...]:
        given = given if isinstance(given, dict) else {"": given}
        for name in given:
            if name != "tables":
                self.faults.unknown(f"logs.{name}", ("tables",))
        listed = self._listed("logs.tables", given.get("tables", []))
        return tuple(self._one_table(where, values) for where, _, values in listed)

    def _one_table(self, where: str, values: Mapping[str, Any]) -> TablePlan:
        plan = TablePlan(**values)
        if not plan.match:
            self.faults.add(where, f'{where} needs a match, as in match = "*/log.jsonl"')
        if not {"step", "epoch"} & set(values):
            self.faults.add(where, f"{where} needs a step or an epoch: the name of a column")
        if bool(plan.tag) != bool(plan.value):
            self.faults.add(where, f"{where}: tag and value belong together, or neither is needed")
        if len(plan.delimiter) > 1:
            self.faults.add(f"{where}.delimiter", f"{where}.delimiter must be one character")
        return plan

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
            self.faults.add("comparison.groups", "comparison.groups must name exactly two groups")
        return names

    def _pattern(self, pattern: str) -> str:
        fault = fault_of_pattern(pattern) if pattern else ""
        if fault:
            self.faults.add("runs.pattern", f"runs.pattern {fault}")
        return "" if fault else pattern

    def _splits_of(self, table: str, given: object) -> dict[str, str]:
        """Return what the logs call something, to its split."""
        if not isinstance(given, dict):
            self.faults.add(
                f"splits.{table}", f"'splits.{table}' must be a table: write it as [splits.{table}]"
            )
            return {}
        options = ", ".join(SPLITS)
        for name, split in given.items():
            if split not in SPLITS:
                where = f"splits.{table}.{name}"
                hint = near(split, SPLITS)
                self.faults.add(where, f"{where} must be one of {options}, not {split!r}{hint}")
        return {name: split for name, split in given.items() if split in SPLITS}


# Read rubrics (TOML), with every mistake listed at once.

_PATTERNS = ("rules", "kinds")
_RUBRIC = Kind(
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
    content, faults = read_toml(path, _RUBRIC)
    rubric = _RubricReader(faults).rubric(content)
    faults.raise_any(f"legal keys of a line: {', '.join(LINE_KEYS)}")
    return rubric


@dataclass(slots=True)
class _RubricReader:
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
