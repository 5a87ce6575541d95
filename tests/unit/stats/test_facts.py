"""Values of runs to what is chosen, summarised and compared: `facts.yaml` is the specification."""

import pytest
from fakes.row_facts import facts_of_row
from fakes.rows import rows_beside

from reportgen.records.quantity import Quantity


def value(reading):
    """Return a number, or why there is none."""
    return reading.value if isinstance(reading, Quantity) else str(reading.reason)


def point_of(reading):
    """Return where a number was read, or nothing."""
    found = reading.sources if isinstance(reading, Quantity) else ()
    return [[one.path, one.tag, one.step, one.value, one.run] for one in found]


def of_pair(one):
    """Return a comparison: values, or why there are none."""
    told = ("difference", "low", "high", "p", "p_floor")
    known = {name: value(getattr(one, name)) for name in told}
    return {"first": one.first, "second": one.second, "method": one.method, **known,
            "degrees": one.degrees, "pairs": [list(pair) for pair in one.pairs]}  # fmt: skip


def of_cell(cell):
    return {
        "seed": cell.seed,
        "run": cell.run.id if cell.run else None,
        "step": value(cell.best_step),
        "epoch": value(cell.best_epoch),
        "how": getattr(cell.best_step, "method", ""),
        "tied": list(cell.tied_steps),
        "select": value(cell.select_value),
        "report": value(cell.report_value),
        "from": cell.report_from,
        "result": value(cell.result_value),
        "weights": [cell.result.step, cell.result.weights] if cell.result else [],
        "last": value(cell.last_value),
        "oracle": value(cell.oracle_value),
        "points": [point_of(cell.best_step), point_of(cell.report_value)],
    }


def of_group(group):
    return {
        "label": group.label,
        "unit": group.unit,
        "split": group.report_split,
        "n": group.report.n,
        "values": list(group.report.values),
        "mean": value(group.report.mean),
        "std": value(group.report.std),
        "means": [value(one.mean) for one in (group.select, group.last, group.oracle)],
        "cells": [of_cell(cell) for cell in group.cells],
        "epochs": [
            [row.epoch, row.step, {s: [value(one.mean), one.n] for s, one in row.splits.items()}]
            for row in group.epochs
        ],
    }


def found(facts):
    return {
        "kind": facts.selection.kind,
        "direction": facts.selection.direction,
        "order": [group.name for group in facts.groups],
        "groups": {group.name: of_group(group) for group in facts.groups},
        "compared": [of_pair(one) for one in facts.comparisons],
        "left": list(facts.others.left),
        "others_compared": {m.name: [of_pair(one) for one in m.comparisons]
                            for m in facts.others.metrics},
        "measured": [[m.name, m.split, [list(g.report.values) for g in m.groups]]
                     for m in facts.others.metrics],
        "shown": [metric.name for metric in facts.others.metrics],
        "others": {m.name: {g.name: of_group(g) for g in m.groups} for m in facts.others.metrics},
    }  # fmt: skip


def hold(there, wanted, path="facts"):
    """Hold what is stated against what is there, part by part; words may be a part of words."""
    if isinstance(wanted, dict):
        for key, part in wanted.items():
            hold(there[key], part, f"{path}.{key}")
    elif isinstance(wanted, list):
        assert len(there) == len(wanted), (path, there)
        for place, (one, part) in enumerate(zip(there, wanted, strict=True)):
            hold(one, part, f"{path}[{place}]")
    elif isinstance(wanted, str) and wanted:
        assert wanted in str(there), (path, there)
    else:
        assert there == (pytest.approx(wanted) if isinstance(wanted, float) else wanted), path


@pytest.mark.parametrize("row", rows_beside(__file__), ids=lambda row: row["why"])
def test_what_is_made_of_values(row):
    hold(found(facts_of_row(row)), row["is"])
