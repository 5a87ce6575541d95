"""What the program printed of its decisions, written into a study file and read again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reportgen.read.logs import load_tree
from reportgen.read.study.read import read_study
from reportgen.read.study.write import describe_decision
from reportgen.records.run import Runs
from reportgen.records.study import Decision, Study
from reportgen.runs import assemble


def outcome(runs: Runs, study: Study) -> tuple[Any, ...]:
    """Return what of runs and study a statement must leave as it was."""
    rows = {(run.id, run.group, run.seed, run.layout) for run in runs}
    labels = {
        (run.id, key, series.metric, series.split, series.unit)
        for run in runs
        for key, series in run.scalars.items()
    }
    return rows, labels, study.metric, study.steps_per_epoch, set(study.groups)


def read_with(folder: Path, text: str, place: Path) -> tuple[Runs, Study]:
    """Read logs as a study file of this text says, which is written into a folder."""
    path = place / "study.toml"
    path.write_text(text + "\n", encoding="utf-8")
    tree = load_tree(folder)
    return assemble(tree.logs, tree.files, read_study(path) if text else Study(), folder.name)


def kept_by_settings(folder: Path, place: Path) -> list[Decision]:
    """Return the decisions whose setting gives what was inferred; fail where one gives another."""
    runs, study = read_with(folder, "", place)
    before = outcome(runs, study)
    kept = []
    for decision in study.decisions:
        setting = describe_decision(decision)["setting"]
        if not setting:
            continue
        again = read_with(folder, setting, place)
        after = outcome(*again)
        for part, other in zip(before, after, strict=True):
            stated = decision.key == "metric.tags" and part == study.metric
            assert part == other or stated, (setting, part, other)
        left = {d.key: d.reason for d in again[1].decisions}
        # A statement that the logs do not allow is not dropped in silence.
        assert "could not be followed" in left.get(decision.key, "could not be followed"), setting
        kept.append(decision)
    return kept


def answered(folder: Path, place: Path, key: str) -> Iterator[tuple[Runs, Study]]:
    """Yield runs and study for each answer to a question."""
    _, study = read_with(folder, "", place)
    (decision,) = [d for d in study.decisions if d.key == key]
    assert decision.asks
    for answer in describe_decision(decision)["answers"]:
        yield read_with(folder, answer, place)
