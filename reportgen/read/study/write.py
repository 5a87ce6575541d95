"""Write a study file that says what was inferred, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from reportgen.read.study.keys import TABLES, Key
from reportgen.records.study import Decision, Study, TablePlan, TrainPlan

# Decisions as lines of a study file, to be copied as they stand.


def setting_line(key: str, value: str) -> str:
    r"""Return a line of a study file that sets a key to a value as a decision prints it.

    Args:
        key: Key of a decision (`metric.unit`, `groups.a b.seeds`, `splits.names.eval`).
        value: What was decided; empty is no value, and gives an empty line.

    Example:
        >>> print(setting_line("metric.direction", "lower"))
        metric.direction = 'lower'
        >>> print(setting_line("groups.a b.seeds", "0, 1"))
        groups."a b".seeds = [0, 1]
        >>> print(setting_line("runs.pattern", r"(?P<group>.+)/(?P<seed>\d+)$"))
        runs.pattern = '(?P<group>.+)/(?P<seed>\d+)$'
    """
    if not value:
        return ""
    if key == "logs.tables":
        return f"{key} = [{value}]"
    table, name = _split(key)
    if table == ("adapter",):
        return f"adapter = [{{{name} = {_text(_unquoted(value))}}}]"
    dotted = ".".join(bare_key(part) for part in (*table, name))
    return f"{dotted} = {_written(_kind(table, name), value)}"


def describe_decision(decision: Decision) -> dict[str, Any]:
    """Return a decision with plain values, and with the lines that set it or answer it.

    Keys: `key, value, reason, alternatives, asks`; `setting`, the line that states the value;
    `answers`, one line an alternative.
    """
    return {
        "key": decision.key,
        "value": decision.value,
        "reason": decision.reason,
        "alternatives": list(decision.alternatives),
        "asks": decision.asks,
        "setting": setting_line(decision.key, decision.value),
        "answers": [setting_line(decision.key, other) for other in decision.alternatives],
    }


def bare_key(name: str) -> str:
    """Return a name as TOML wants it as a key: in quotes where it holds more than letters."""
    bare = name.replace("-", "").replace("_", "")
    return name if bare.isascii() and bare.isalnum() else _json(name)


def _split(key: str) -> tuple[tuple[str, ...], str]:
    """Part a key into its table and its name; names of groups, splits and tags may hold dots."""
    if key.startswith("groups."):
        group, _, name = key.removeprefix("groups.").rpartition(".")
        return ("groups", group), name
    for table in ("splits.names", "splits.tags", "splits.sizes"):
        if key.startswith(f"{table}."):
            return tuple(table.split(".")), key.removeprefix(f"{table}.")
    *table_parts, name = key.split(".")
    return tuple(table_parts), name


def _kind(table: tuple[str, ...], name: str) -> str:
    schema = "groups" if table[0] == "groups" else ".".join(table)
    keys: Mapping[str, Key] = TABLES[schema]
    return keys[name].kind if name in keys else "text"


def _written(kind: str, value: str) -> str:
    if kind in {"whole", "number"}:
        return value
    if kind == "wholes":
        return f"[{value}]"
    if kind == "texts":
        return "[" + ", ".join(_text(part.strip()) for part in value.split(",")) + "]"
    return _text(_unquoted(value))


def _unquoted(value: str) -> str:
    """Return a text without the quotes that some decisions are printed with."""
    if value.startswith('"'):
        try:
            return str(json.loads(value))
        except ValueError:
            return value
    return value


def _text(value: str) -> str:
    # In single quotes a backslash of a pattern stays what it is.
    literal = "'" not in value and value.isprintable()
    return f"'{value}'" if literal else _json(value)


def _json(value: str) -> str:
    # JSON leaves characters as they are that TOML forbids, or that a terminal would not show.
    text = json.dumps(value, ensure_ascii=False)
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


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
    inferred = _decided(decision, decision.value) if empty and decision else ""
    yield f"{'# ' if empty else ''}{key} = {inferred or _toml(0 if value is None else value)}"
    if decision and decision.asks:
        yield from (f"# or: {key} = {_decided(decision, one)}" for one in decision.alternatives)


def _decided(decision: Decision, value: str) -> str:
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
