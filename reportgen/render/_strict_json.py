"""The analysis as strict JSON: what report.json carries beside the numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from reportgen.records.checkpoint import Ledger, LedgerRow, Scope, Term
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
from reportgen.records.rerun import Rerun
from reportgen.records.run import Problem, Source
from reportgen.records.source import count_fates
from reportgen.records.study import Decision
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


# --- the analysis as plain json -------------------------------------------------------


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
        "decisions": [_decision(decision) for decision in facts.study.decisions],
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


def _group(facts: Facts, group: GroupResult) -> Json:
    task = group.task
    return {
        "name": group.name,
        "label": group.label,
        "metric": facts.study.metric.name,
        "unit": "fraction" if group.unit else "",
        "logged_unit": group.unit,
        "layout": group.layout,
        "select_on": facts.study.metric.select_on,
        "split": group.report_split,
        "ddof": facts.study.statistics.ddof,
        **_summary(group.report),
        **_without_reruns(group),
        "select": _summary(group.select),
        "last": _summary(group.last),
        "oracle": _summary(group.oracle),
        **({"task": {"kind": task.kind, "name": task.name}} if task.kind else {}),
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
    return {
        "n": summary.n,
        **_reading("mean", summary.mean),
        **_reading("std", summary.std),
        **_reading("std_other", summary.std_other),
        **_reading("interval", summary.interval),
    }


def _cell(cell: RunResult) -> Json:
    return {
        "seed": cell.seed,
        "run": cell.run.id if cell.run else None,
        **_reading("best_step", cell.best_step),
        **_reading("best_epoch", cell.best_epoch),
        **_reading("select_value", cell.select_value),
        **_reading("report_value", cell.report_value),
        **_after_training(cell),
        **_reading("last_value", cell.last_value),
        **_reading("oracle_value", cell.oracle_value),
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
        "device": rerun.device,
        "date": rerun.date,
        "versions": {name: rerun.versions[name] for name in sorted(rerun.versions)},
        "key": rerun.key,
        "engine": rerun.engine,
        "notes": list(rerun.notes),
        "seconds": number_value(rerun.seconds),
    }


def why_missing(cell: RunResult) -> str | None:
    """Return why a cell has no reported value, or None where it has one."""
    return cell.report_value.reason if isinstance(cell.report_value, Missing) else None


def _epoch(row: EpochRow) -> Json:
    splits: dict[str, Json] = {name: _summary(summary) for name, summary in row.splits.items()}
    return {"epoch": number_value(row.epoch), "step": row.step, "splits": splits}


def _comparison(comparison: Comparison) -> Json:
    return {
        "first": comparison.first,
        "second": comparison.second,
        "method": comparison.method,
        **_reading("difference", comparison.difference),
        **_reading("low", comparison.low),
        **_reading("high", comparison.high),
        **_reading("p", comparison.p),
        **_reading("p_floor", comparison.p_floor),
        "degrees": None if comparison.degrees is None else number_value(comparison.degrees),
        "pairs": [
            {"seed": seed, "first": strict(first), "second": strict(second)}
            for seed, first, second in comparison.pairs
        ],
    }


def _other(other: OtherMetric) -> Json:
    """Return a metric that chose nothing, read at the steps of the deciding one."""
    return {
        "name": other.name,
        "direction": other.direction,
        "groups": [
            {
                "name": group.name,
                "logged_unit": group.unit,
                "split": group.report_split,
                "report": _summary(group.report),
                "select": _summary(group.select),
                "runs": [
                    {
                        "seed": cell.seed,
                        "run": cell.run.id if cell.run else None,
                        **_reading("best_step", cell.best_step),
                        **_reading("select_value", cell.select_value),
                        **_reading("report_value", cell.report_value),
                    }
                    for cell in group.cells
                ],
            }
            for group in other.groups
        ],
        "comparisons": [_comparison(comparison) for comparison in other.comparisons],
    }


def _others(facts: Facts) -> dict[str, Json]:
    return {"other_metrics": [_other(other) for other in facts.others.metrics]}


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
        "name": metric.name,
        "split": metric.split,
        "tags": list(metric.tags),
        "direction": metric.direction,
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
    values: dict[str, Json] = {"seed": cell.seed, "run": cell.run.id if cell.run else None}
    values |= _reading("last_value", cell.report_value)
    values["last_step"] = _step(cell.report_value)
    values |= _reading("end_value", cell.end_value)
    for name, reading in (("lowest", cell.lowest_value), ("highest", cell.highest_value)):
        values |= _reading(f"{name}_value", reading)
        values[f"{name}_step"] = _step(reading)
    return values


def _step(reading: Reading) -> Json:
    """Return the step at which a single value was logged."""
    return None if isinstance(reading, Missing) else reading.sources[0].step


def _problem(problem: Problem) -> Json:
    return {
        "level": problem.level,
        "path": problem.path,
        "offset": problem.offset,
        "message": problem.message,
        "remedy": problem.remedy,
    }


def _decision(decision: Decision) -> Json:
    return {
        "key": decision.key,
        "value": decision.value,
        "reason": decision.reason,
        "alternatives": list(decision.alternatives),
    }


def _model(model: ModelFacts) -> Json:
    checkpoint = model.checkpoint
    return {
        "name": model.name,
        "config": model.config.source.path,
        "model_type": model.config.model_type,
        "architecture": _architecture(model),
        "family": model.ledger.family,
        "checkpoint": checkpoint.source.path if checkpoint else None,
        "stored_parameters": checkpoint.total if checkpoint else None,
        "scopes": {scope.name: _scope(scope) for scope in model.ledger.scopes},
        "symbols": _symbols(model.ledger),
        "terms": [_row(row) for row in model.rows],
    }


def _architecture(model: ModelFacts) -> str:
    named = model.config.values.get("architectures")
    return str(named[0]) if isinstance(named, list | tuple) and named else ""


def _scope(scope: Scope) -> Json:
    return {"label": scope.label, "total": scope.total, "terms": list(scope.terms)}


def _symbols(ledger: Ledger) -> Json:
    return {
        key: {"meaning": meaning, "value": strict(value)}
        for key, (meaning, value) in ledger.symbols.items()
    }


def _term(term: Term) -> dict[str, Json]:
    return {
        "name": term.name,
        "label": term.label,
        "role": term.role,
        "formula": formula_text(term.formula),
        "count": term.count,
        "note": term.note,
    }


def _row(row: LedgerRow) -> Json:
    return {
        **_term(row.term),
        "stored": row.stored,
        "difference": row.difference,
        "explanation": row.explanation,
    }


def _adapter(adapter: AdapterFacts) -> Json:
    return {
        "name": adapter.name,
        "config": adapter.config.source.path,
        "places": list(adapter.places or [adapter.config.source.path]),
        "type": adapter.config.peft_type,
        "values": strict(adapter.config.values),
        "base": adapter.base.name if adapter.base else None,
        **_reading("trainable", adapter.trainable),
        **_reading("base_total", adapter.base_total),
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
    return [_source(source) for source in sorted(set(sources), key=lambda s: (s.path, s.sha256))]


def _source(source: Source) -> Json:
    return {
        "path": source.path,
        "kind": source.kind,
        "size": source.size,
        "sha256": source.sha256,
        "points": source.points,
    }
