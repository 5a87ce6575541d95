"""Write a study file that says what was inferred, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from reportgen.read.study.keys import TABLES
from reportgen.read.study.settings import bare_key, setting_line
from reportgen.records.study import Decision, Study, TablePlan
from reportgen.records.training import TrainPlan

_HEAD = """\
# A study file for reportgen: what the runs are and how they are summarised.
# Paths are relative to this file. Every key is optional: leave one out and it is
# inferred again from the logs.
"""


def write_study(study: Study) -> str:
    """Return a study as TOML, each key with its meaning and the reason for its value.

    Reading the text back gives the same report as the inference it was written from.
    """
    reasons = {d.key: d for d in study.decisions}
    return _HEAD + "".join(f"\n{part}" for part in _tables(study, reasons))


def _tables(study: Study, reasons: Mapping[str, Decision]) -> Iterator[str]:
    yield _table("report", _values(study.report), reasons)
    for question in study.questions:
        yield _table("question", _values(question), reasons, many=True)
    for prose in study.prose:
        yield _table("prose", _values(prose), reasons, many=True)
    for section in study.sections:
        yield _table("section", _values(section), reasons, many=True)
    runs = {
        "path": study.runs_path,
        "pattern": study.pattern,
        "layout": study.layout,
        "repeats": study.repeats,
    }
    yield _table("runs", runs, reasons)
    yield from _rows(study.tables, reasons.get("logs.tables"))
    grouped = reasons.get("runs.repeats")
    if grouped and grouped.asks and study.groups:
        yield "# The groups as they were inferred: remove them when runs are grouped otherwise.\n"
    for group in study.groups:
        name = f"groups.{bare_key(group.name)}"
        told = f"groups.{group.name}"
        yield _table(name, _values(group), reasons, schema="groups", told=told)
    yield _table("grid", _values(study.grid), reasons)
    yield _table("comparison", {"groups": list(study.compare)}, reasons)
    yield _table("metric", _values(study.metric), reasons)
    yield _table("statistics", _values(study.statistics), reasons)
    yield _split_names(study, reasons)
    yield _split_tags(study, reasons)
    yield _table("splits.sizes", dict(study.split_sizes), reasons)
    yield _table("epochs", {"steps_per_epoch": study.steps_per_epoch}, reasons)
    if study.train:
        yield from _train(study.train, reasons)
    if study.model.config or study.model.checkpoint:
        yield _table("model", _values(study.model), reasons)
    for adapter in study.adapters:
        yield _table("adapter", _values(adapter), reasons, many=True)


def _rows(tables: Sequence[TablePlan], told: Decision | None) -> Iterator[str]:
    """Yield how files of rows are read; why, of those of which it was inferred."""
    for table in tables:
        is_told = told is not None and f"match = {_toml(table.match)}," in told.value
        why = {"logs.tables.runs": told} if told is not None and is_told else {}
        yield _table("logs.tables", _values(table), why, many=True)


def _train(plan: TrainPlan, reasons: Mapping[str, Decision]) -> Iterator[str]:
    yield _table("train", _values(plan), reasons)
    yield _table("train.data", _values(plan.data), reasons)
    yield _table("train.data.files", dict(plan.data.files), reasons)
    yield _table("train.data.labels", dict(plan.data.labels), reasons)


def _values(plan: Any) -> dict[str, object]:
    """Return the fields of a plan; they bear the names of the keys."""
    values = asdict(plan)
    return {key: list(v) if isinstance(v, tuple) else v for key, v in values.items()}


def _table(
    name: str,
    values: Mapping[str, object],
    reasons: Mapping[str, Decision],
    *,
    schema: str = "",
    many: bool = False,
    told: str = "",
) -> str:
    keys = TABLES[schema or name]
    lines = [f"[[{name}]]" if many else f"[{name}]"]
    for key in (key for key in keys if key in values):
        reason = reasons.get(f"{told or name}.{key}")
        lines += _lines(key, keys[key].about, values[key], reason)
    return "\n".join(lines) + "\n"


def _lines(key: str, about: str, value: object, decision: Decision | None) -> Iterator[str]:
    """Yield a key with its meaning, its reason and, where it is a question, the other answers."""
    yield f"# {about}{_reason(decision)}"
    # An empty text is no value: written out it would still be inferred, but a reader would
    # take it for a choice.
    empty = value in ("", [], {}, None) or (key == "steps_per_epoch" and not value)
    empty = empty and key != "others"  # an empty list of other metrics shows none of them
    # A default that found nothing to go by is no choice that anybody made.
    empty = empty or (decision is not None and not decision.value)
    inferred = _written(decision, decision.value) if empty and decision else ""
    yield f"{'# ' if empty else ''}{key} = {inferred or _toml(0 if value is None else value)}"
    if decision and decision.asks:
        yield from (f"# or: {key} = {_written(decision, one)}" for one in decision.alternatives)


def _written(decision: Decision, value: str) -> str:
    return setting_line(decision.key, value).partition(" = ")[2]


def _split_names(study: Study, reasons: Mapping[str, Decision]) -> str:
    lines = ["[splits.names]", "# name in the logs = split"]
    for name, split in study.split_names.items():
        reason = _reason(reasons.get(f"splits.names.{name}"))
        lines.append(f"{bare_key(name)} = {_toml(split)}{reason and f'  #{reason}'}")
    return "\n".join(lines) + "\n"


def _split_tags(study: Study, reasons: Mapping[str, Decision]) -> str:
    """Return the tags that are stated or have a known split, and as comments those that ask."""
    lines = ["[splits.tags]", "# tag in the logs, or a pattern on it = split"]
    lines += [f"{bare_key(tag)} = {_toml(split)}" for tag, split in study.split_tags.items()]
    for decision in reasons.values():
        if decision.key.startswith("splits.tags."):
            name = bare_key(decision.key.removeprefix("splits.tags."))
            lines.append(f"#{_reason(decision)}")
            lines += [f"{name} = {_toml(decision.value)}"] if decision.value else []
            lines += [f"# {name} = {_toml(split)}" for split in decision.alternatives]
    return "\n".join(lines) + "\n"


def _reason(decision: Decision | None) -> str:
    if decision is None:
        return ""
    if decision.asks:
        return f" ({_one_line(decision.reason)})"
    others = f"; also possible: {', '.join(decision.alternatives)}" if decision.alternatives else ""
    return f" ({_one_line(decision.reason)}{_one_line(others)})"


def _one_line(text: str) -> str:
    # TOML forbids control characters in comments, and names from logs may hold any.
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _toml(value: object) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{bare_key(key)} = {_toml(one)}' for key, one in value.items())}}}"
    # JSON texts, numbers and lists are TOML but for DEL, which TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
