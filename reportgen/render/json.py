"""report.json: every printed number with its evidence, for scripts and for checking."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from reportgen import __version__
from reportgen.languages import message_to_json
from reportgen.records import document as doc
from reportgen.records.checkpoint import Term
from reportgen.records.facts import (
    AdapterFacts,
    Comparison,
    EpochRow,
    Facts,
    GroupResult,
    ModelFacts,
    OtherMetric,
    RunResult,
    Summary,
)
from reportgen.records.formula import Equation
from reportgen.records.quantity import Evidence, Missing, Reading
from reportgen.records.run import Problem, Rerun
from reportgen.records.source import count_fates
from reportgen.render._context import RenderContext
from reportgen.render._formulas import formula_text
from reportgen.render._inline import PlainPrinter
from reportgen.render._math import print_result
from reportgen.render._numbering import Labels, resolve
from reportgen.render._spelling import print_number

SCHEMA = "reportgen-report/1"
"""Name of the format; raised when a key changes its meaning."""


def render(
    report: doc.Report,
    labels: Labels,
    figures: Mapping[str, bytes],  # noqa: ARG001 - every format has this signature
    context: RenderContext,
) -> dict[str, bytes]:
    """Return report.json.

    Missing: A number that is missing has the value null, is printed as an em dash, and
    carries its reason.

    Returns:
        One file, `<stem>.json`: strict JSON in a stable order, with a newline at the end.
    """
    content = _content(report, labels)
    # Entry after entry, for all of them as one text take many times the memory of the file.
    text = ",\n".join(f" {_SPELL(key)}: {_lines(value)}" for key, value in content.items())
    whole = "{\n" + text + "\n}\n"
    return {f"{context.stem}.json": whole.encode("utf-8", errors="backslashreplace")}


_SPELL = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def _lines(value: Json | Iterator[Json]) -> str:
    """Spell a value, each entry of one that holds others on a line of its own."""
    if isinstance(value, dict) and value:
        inside = ",\n  ".join(f"{_SPELL(key)}: {_SPELL(one)}" for key, one in value.items())
        return f"{{\n  {inside}\n }}"
    if isinstance(value, list | Iterator):
        inside = ",\n  ".join(map(_SPELL, value))
        return f"[\n  {inside}\n ]" if inside else "[]"
    return _SPELL(value)


def report_json(report: doc.Report) -> dict[str, Json]:
    """Return the report as strict JSON values; keys of `metadata` come last, then `messages`."""
    content = _content(report, resolve(report))
    return {
        key: list(value) if isinstance(value, Iterator) else value for key, value in content.items()
    }


def _content(report: doc.Report, labels: Labels) -> dict[str, Json | Iterator[Json]]:
    """Return the report as strict JSON values, numbers as they are asked for.

    The messages of the numbers are there once all numbers have been.
    """
    plain = PlainPrinter(labels, report.lang)
    messages: dict[str, Json] = {}
    numbers = (_number(where, one, report.lang, messages) for where, one in _placed(report))
    blocks = tuple(doc.walk(report.sections))
    own: dict[str, Json | Iterator[Json]] = {
        "schema": SCHEMA,
        "generated_by": f"reportgen {__version__}",
        "title": report.title,
        "authors": list(report.authors),
        "date": report.date,
        "lang": report.lang,
        "abstract": str(plain.print_text(report.abstract)),
        "glance": [
            {
                "question": str(plain.print_text(one.question)),
                "text": str(plain.print_text(one.text)),
            }
            for one in report.glance
        ],
        "numbers": numbers,
        "sections": [_section(b, labels) for b in blocks if isinstance(b, doc.Section)],
        "tables": [_table(b, labels, plain) for b in blocks if isinstance(b, doc.Table)],
        "figures": [_figure(b, labels, plain) for b in blocks if isinstance(b, doc.Figure)],
        "equations": [
            _equation(equation, labels.number(b.id), report.lang)
            for b in blocks
            if isinstance(b, doc.EquationGroup)
            for equation in b.equations
        ],
    }
    rest = {key: strict(value) for key, value in report.metadata.items() if key not in own}
    _note(rest, messages)
    return own | rest | {"messages": messages}


def _note(value: Json, messages: dict[str, Json]) -> None:
    """Add to words which message they are, for each message in a value."""
    if isinstance(value, str):
        if value not in messages and (told := message_to_json(value)):
            messages[str(value)] = strict(told)
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            _note(item, messages)


def number_json(number: doc.Number, lang: str = "en") -> dict[str, Json]:
    """Return one number: what is printed, the unrounded value, and where it comes from."""
    quantity = number.quantity
    entry: dict[str, Json] = {"id": number.id, "printed": print_number(number, lang)}
    if isinstance(quantity, Missing):
        details = {key: quantity.details[key] for key in sorted(quantity.details)}
        absent: dict[str, Json] = {"reason": quantity.reason, "details": strict(details)}
        return entry | {"value": None, "unit": "", "evidence": [], "formula": ""} | absent
    return entry | {
        "value": number_value(quantity.value),
        "unit": quantity.unit,
        "n": quantity.n,
        "ddof": quantity.ddof,
        "method": quantity.method,
        "formula": quantity.formula,
        "evidence": [evidence_json(evidence) for evidence in quantity.sources],
    }


def _placed(report: doc.Report) -> Iterator[tuple[str, doc.Number]]:
    """Yield each printed number with the id of its block, or else of its section."""
    yield from (("abstract", number) for number in _numbers(report.abstract))
    for one in report.glance:
        yield from (("glance", number) for number in _numbers((*one.question, *one.text)))
    for section in report.sections:
        yield from _placed_in(section, section.id)


def _placed_in(block: doc.Block, inherited: str) -> Iterator[tuple[str, doc.Number]]:
    where = block.id or inherited
    for text in doc.texts(block):
        yield from ((where, number) for number in _numbers(text))
    if isinstance(block, doc.Section):
        for child in block.blocks:
            yield from _placed_in(child, where)


def _numbers(text: doc.Text) -> Iterator[doc.Number]:
    return (node for node in doc.inlines(text) if isinstance(node, doc.Number))


def _number(where: str, number: doc.Number, lang: str, messages: dict[str, Json]) -> Json:
    entry = number_json(number, lang)
    for key in ("method", "reason"):
        _note(entry.get(key), messages)
    return {**entry, "where": where}


def _section(section: doc.Section, labels: Labels) -> Json:
    return {"id": section.id, "number": labels.number(section.id), "title": section.title}


def _table(table: doc.Table, labels: Labels, plain: PlainPrinter) -> Json:
    return {
        "id": table.id,
        "number": labels.number(table.id),
        "caption": str(plain.print_text(table.caption)),
        "columns": [
            {
                "group": str(plain.print_text(column.group)),
                "title": str(plain.print_text(column.title)),
            }
            for column in table.columns
        ],
        "rows": [[str(plain.print_text(cell)) for cell in row.cells] for row in table.rows],
        "notes": [str(plain.print_text(note)) for note in table.notes],
    }


def _figure(figure: doc.Figure, labels: Labels, plain: PlainPrinter) -> Json:
    return {
        "id": figure.id,
        "number": labels.number(figure.id),
        "caption": str(plain.print_text(figure.caption)),
        "alt": figure.alt,
    }


def _equation(equation: Equation, number: str, lang: str) -> Json:
    return {
        "id": equation.id,
        "number": number,
        "formula": f"{equation.left.key} = {formula_text(equation.right)}",
        "values": strict(equation.values),
        "result": number_value(equation.result),
        "printed": print_result(equation, lang)[0],
        "unit": equation.unit,
    }


# --- strict JSON ----------------------------------------------------------------------


Json: TypeAlias = bool | int | float | str | list["Json"] | dict[str, "Json"] | None


def strict(value: object) -> Json:
    """Return `value` as strict JSON: no NaN, no infinity, string keys, sets in order.

    A number that JSON cannot hold becomes its name, so that it is not lost.

    Example:
        >>> strict({"lr": float("nan"), 3: (1, 2)})
        {'lr': 'NaN', '3': [1, 2]}
    """
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else _NOT_FINITE.get(value, "NaN")
        case Mapping():
            return {str(key): strict(item) for key, item in value.items()}
        case set() | frozenset():
            return sorted((strict(item) for item in value), key=repr)
        case Iterable():
            return [strict(item) for item in value]
        case _:
            return str(value)


_NOT_FINITE = {math.inf: "Infinity", -math.inf: "-Infinity"}


def number_value(value: float) -> Json:
    """Return a float as JSON prints it best: whole numbers without a point.

    Example:
        >>> number_value(675.0), number_value(0.806), number_value(float("inf"))
        (675, 0.806, 'Infinity')
    """
    if math.isfinite(value) and float(value).is_integer():
        return int(value)
    return strict(value)


def evidence_json(evidence: Evidence) -> dict[str, Json]:
    """Return one piece of evidence; its value stays in the log's own unit."""
    return {
        "path": evidence.path,
        "tag": evidence.tag,
        "step": evidence.step,
        "value": strict(evidence.value),
        "run": evidence.run,
    }


# --- the facts ------------------------------------------------------------------------


def facts_metadata(facts: Facts) -> dict[str, Json]:
    """Return the analysis as strict JSON values, ready for `Report.metadata`.

    Missing: a reading that is `Missing` becomes null, and its reason stands beside it under
    the same key with `_missing` appended.

    Returns:
        The keys `groups`, `comparisons`, `other_metrics`, `problems`, `decisions`, `model`,
        `adapters`, `files`, `fates` and `environment`, and `as_logged` where no run has a best
        step.
    """
    metadata: dict[str, Json] = {
        "groups": [_group(facts, group) for group in facts.groups],
        "comparisons": [_comparison(comparison) for comparison in facts.comparisons],
        **(_as_logged(facts) if facts.selection.is_last else _others(facts)),
        "problems": [_problem(problem) for problem in facts.problems],
        "decisions": [
            _plain(one, "key value reason alternatives") for one in facts.study.decisions
        ],
        "model": _model(facts.model) if facts.model else None,
        "adapters": [_adapter(adapter) for adapter in facts.adapters],
        "files": _files(facts),
        "fates": dict(count_fates(facts.runs.fates)),
        "environment": {key: facts.environment[key] for key in sorted(facts.environment)},
    }
    return metadata


def _reading(name: str, reading: Reading) -> dict[str, Json]:
    """Return `{name: value}`, or null with the reason under `name_missing`."""
    if isinstance(reading, Missing):
        return {name: None, f"{name}_missing": reading.reason}
    if not math.isfinite(reading.value):
        return {name: None, f"{name}_missing": f"not a finite number: {strict(reading.value)}"}
    return {name: number_value(reading.value)}


def _readings(record: object, names: str) -> dict[str, Json]:
    """Return readings of a record by their names."""
    found: dict[str, Json] = {}
    for name in names.split():
        found |= _reading(name, getattr(record, name))
    return found


def _plain(record: object, names: str) -> dict[str, Json]:
    """Return fields of a record that are plain values."""
    return {name: strict(getattr(record, name)) for name in names.split()}


def _group(facts: Facts, group: GroupResult) -> Json:
    task, metric = group.task, facts.study.metric
    return {
        **_plain(group, "name label"),
        "metric": metric.name,
        "unit": "fraction" if group.unit else "",
        "logged_unit": group.unit,
        "layout": group.layout,
        "select_on": metric.select_on,
        "split": group.report_split,
        "ddof": facts.study.statistics.ddof,
        **_summary(group.report),
        **_without_reruns(group),
        "select": _summary(group.select),
        "last": _summary(group.last),
        "oracle": _summary(group.oracle),
        **({"task": _plain(task, "kind name")} if task.kind else {}),
        "runs": [_cell(cell) for cell in group.cells],
        "epochs": [_epoch(row) for row in group.epochs],
    }


def _without_reruns(group: GroupResult) -> dict[str, Json]:
    """Return what the found logs alone give; nothing where no cell was trained again."""
    summary = group.without_reruns
    if summary is None:
        return {}
    return {
        "n_without_reruns": summary.n,
        **_reading("mean_without_reruns", summary.mean),
        **_reading("std_without_reruns", summary.std),
    }


def _summary(summary: Summary) -> dict[str, Json]:
    return {"n": summary.n, **_readings(summary, "mean std std_other interval")}


def _run(cell: RunResult) -> dict[str, Json]:
    return {"seed": cell.seed, "run": cell.run.id if cell.run else None}


def _cell(cell: RunResult) -> Json:
    return {
        **_run(cell),
        **_readings(cell, "best_step best_epoch select_value report_value"),
        **_after_training(cell),
        **_readings(cell, "last_value oracle_value"),
        "tied_steps": list(cell.tied_steps),
        "missing": why_missing(cell),
        "rerun": _rerun(cell.run.rerun) if cell.run and cell.run.rerun else None,
    }


def _after_training(cell: RunResult) -> dict[str, Json]:
    """Return what was measured once, after training, with the weights it is of; often nothing."""
    if cell.result is None:
        return {}
    return {
        "report_from": cell.report_from,
        **_reading("result_value", cell.result_value),
        "result_step": cell.result.step,
        "result_weights": cell.result.weights,
    }


def _rerun(rerun: Rerun) -> Json:
    return {
        **_plain(rerun, "device date"),
        "versions": {name: rerun.versions[name] for name in sorted(rerun.versions)},
        **_plain(rerun, "key engine notes"),
        "seconds": number_value(rerun.seconds),
    }


def why_missing(cell: RunResult) -> str | None:
    """Return why a cell has no reported value, or None where it has one."""
    return cell.report_value.reason if isinstance(cell.report_value, Missing) else None


def _epoch(row: EpochRow) -> Json:
    splits: dict[str, Json] = {name: _summary(summary) for name, summary in row.splits.items()}
    return {"epoch": number_value(row.epoch), "step": row.step, "splits": splits}


def _comparison(comparison: Comparison) -> Json:
    degrees = comparison.degrees
    return {
        **_plain(comparison, "first second method"),
        **_readings(comparison, "difference low high p p_floor"),
        "degrees": None if degrees is None else number_value(degrees),
        "pairs": [
            {"seed": seed, "first": strict(first), "second": strict(second)}
            for seed, first, second in comparison.pairs
        ],
    }


def _others(facts: Facts) -> dict[str, Json]:
    """Return the metrics that chose nothing, read at the steps of the deciding one."""
    return {
        "other_metrics": [
            {
                **_plain(other, "name direction"),
                "groups": [
                    {
                        "name": group.name,
                        "logged_unit": group.unit,
                        "split": group.report_split,
                        "report": _summary(group.report),
                        "select": _summary(group.select),
                        "runs": [
                            _run(cell) | _readings(cell, "best_step select_value report_value")
                            for cell in group.cells
                        ],
                    }
                    for group in other.groups
                ],
                "comparisons": [_comparison(comparison) for comparison in other.comparisons],
            }
            for other in facts.others.metrics
        ]
    }


def _as_logged(facts: Facts) -> dict[str, Json]:
    """Return what is reported where no run has a best step."""
    metrics = (facts.deciding, *facts.others.metrics)
    return {
        "other_metrics": [],
        "as_logged": {
            "metrics": [_logged_metric(metric) for metric in metrics],
            "left": list(facts.others.left),
            "comparisons": [_comparison(one) for one in facts.comparisons],
            "setting": facts.selection.setting,
        },
    }


def _logged_metric(metric: OtherMetric) -> Json:
    return {
        **_plain(metric, "name split tags direction"),
        "groups": [
            {
                "name": group.name,
                "logged_unit": group.unit,
                "last": _summary(group.report),
                "end": _summary(group.end or group.report),
                "runs": [_logged_run(cell) for cell in group.cells],
            }
            for group in metric.groups
        ],
    }


def _logged_run(cell: RunResult) -> Json:
    """Return the values of a run with their steps, null where there is none."""
    return {
        **_run(cell),
        **_reading("last_value", cell.report_value),
        "last_step": _step(cell.report_value),
        **_readings(cell, "end_value lowest_value"),
        "lowest_step": _step(cell.lowest_value),
        **_readings(cell, "highest_value"),
        "highest_step": _step(cell.highest_value),
    }


def _step(reading: Reading) -> Json:
    """Return the step at which a single value was logged."""
    return None if isinstance(reading, Missing) else reading.sources[0].step


def _problem(problem: Problem) -> Json:
    return _plain(problem, "level path offset message remedy")


def _model(model: ModelFacts) -> Json:
    checkpoint, ledger = model.checkpoint, model.ledger
    named = model.config.values.get("architectures")
    architecture = str(named[0]) if isinstance(named, list | tuple) and named else ""
    return {
        "name": model.name,
        "config": model.config.source.path,
        "model_type": model.config.model_type,
        "architecture": architecture,
        "family": ledger.family,
        "checkpoint": checkpoint.source.path if checkpoint else None,
        "stored_parameters": checkpoint.total if checkpoint else None,
        "scopes": {scope.name: _plain(scope, "label total terms") for scope in ledger.scopes},
        "symbols": {
            key: {"meaning": meaning, "value": strict(value)}
            for key, (meaning, value) in ledger.symbols.items()
        },
        "terms": [
            _term(row.term) | _plain(row, "stored difference explanation") for row in model.rows
        ],
    }


def _term(term: Term) -> dict[str, Json]:
    formula: dict[str, Json] = {"formula": formula_text(term.formula)}
    return _plain(term, "name label role") | formula | _plain(term, "count note")


def _adapter(adapter: AdapterFacts) -> Json:
    config = adapter.config
    return {
        "name": adapter.name,
        "config": config.source.path,
        "places": list(adapter.places or [config.source.path]),
        "type": config.peft_type,
        "values": strict(config.values),
        "base": adapter.base.name if adapter.base else None,
        **_readings(adapter, "trainable base_total"),
        "targets": [
            {"module": module, "in_features": fan_in, "out_features": fan_out, "modules": count}
            for module, fan_in, fan_out, count in adapter.targets
        ],
        "terms": [_term(term) for term in adapter.ledger.terms] if adapter.ledger else [],
        "lint": [_problem(problem) for problem in adapter.lint],
    }


def _files(facts: Facts) -> Json:
    """Return every file that was read, once, sorted by path."""
    sources = [source for run in facts.runs for source in run.sources]
    for model in (facts.model, *(adapter.base for adapter in facts.adapters)):
        if model:
            sources.append(model.config.source)
            sources += [model.checkpoint.source] if model.checkpoint else []
    sources += [adapter.config.source for adapter in facts.adapters]
    ordered = sorted(dict.fromkeys(sources), key=lambda source: (source.path, source.sha256))
    return [_plain(source, "path kind size sha256 points") for source in ordered]
