"""The analysis as strict JSON: what report.json carries beside the numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TypeAlias

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
from reportgen.records.quantity import Evidence, Missing, Reading
from reportgen.records.run import Problem, Rerun
from reportgen.records.source import count_fates
from reportgen.render._formulas import formula_text

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
    ordered = sorted(set(sources), key=lambda source: (source.path, source.sha256))
    return [_plain(source, "path kind size sha256 points") for source in ordered]
