"""What a report is held against: whatever there is of logs, values, a model and adapters."""

import json
from pathlib import Path

import pytest
from fakes.rows import rows_beside

from reportgen.app import evidence as gathering
from reportgen.app.evidence import EvidencePaths, gather_evidence
from reportgen.read import stored as values
from reportgen.records.errors import EvidenceError

ROWS = rows_beside(__file__)

CURVE = "step,accuracy,val_accuracy\n1,0.71,0.61\n2,0.72,0.62\n"
MODEL = ROWS["model"]


@pytest.fixture(autouse=True)
def _nothing_kept():
    gathering.forget()


def lab(folder, files):
    """Write files of JSON or text."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("row", ROWS["gathered"], ids=lambda row: row["it"])
def test_what_is_gathered(tmp_path, monkeypatch, row):
    lab(tmp_path, row.get("files", {}))
    for name, limit in row.get("limits", {}).items():
        monkeypatch.setattr(gathering, name, limit)
    paths = EvidencePaths(**{name: tmp_path / path for name, path in row["paths"].items()})
    if "error" in row:
        with pytest.raises(EvidenceError, match=row["error"]):
            gather_evidence(paths)
        return
    evidence, problems = gather_evidence(paths)
    facts = evidence.facts
    assert (len(facts.runs) if facts else None) == row.get("runs")
    assert (facts and facts.model and facts.model.config.source.path) == row.get("model")
    adapters = [one.config.source.path for one in facts.adapters] if facts else []
    assert adapters == row.get("adapters", [])
    stored = {f"{one.path} {'/'.join(one.keys)}": one.value for one in evidence.stored}
    assert stored.items() >= row.get("stored", {}).items()
    assert len(stored) == row.get("values", len(stored))
    assert "used" not in row or [path for _, path, _ in evidence.files] == row["used"]
    assert all(len(sha) == 64 for _, _, sha in evidence.files)
    told = row.get("told", [])
    assert [problem.level for problem in problems] == [level for level, _ in told]
    for problem, (_, part) in zip(problems, told, strict=True):
        assert part in problem.message


@pytest.mark.parametrize(
    "files",
    [
        {"metrics.csv": CURVE},
        {"0/metrics.csv": CURVE, "1/metrics.csv": CURVE.replace("0.62", "0.63")},
        {"a_s1/metrics.csv": CURVE, "a_s2/metrics.csv": CURVE, "config.json": MODEL},
        {"results.json": {"test": {"f1": 0.5, "accuracy": 0.75}}},
    ],
)
def test_the_name_of_the_folder_changes_nothing(tmp_path, files):
    found = []
    for name in ("lab3", "my-model", "x9"):
        evidence, problems = gather_evidence(EvidencePaths(runs=lab(tmp_path / name, files)))
        facts = evidence.facts
        runs = [(run.id, run.group, run.seed, [*run.scalars]) for run in facts.runs]
        groups = (facts.groups, facts.comparisons, facts.others, facts.model)
        found.append((runs, groups, facts.study, evidence.stored, evidence.files, problems))
    assert repr(found[0]) == repr(found[1]) == repr(found[2])


def test_what_a_class_shares_is_read_once(tmp_path, monkeypatch):
    lab(tmp_path, {"metrics.csv": CURVE, "summary.json": {"f1": 0.84}})
    calls = []
    read = values.read_stored

    def counted(folder: Path, **options):
        calls.append(folder)
        return read(folder, **options)

    monkeypatch.setattr("reportgen.app.evidence.read_stored", counted)
    for _ in range(200):
        gather_evidence(EvidencePaths(runs=tmp_path))
    assert calls == [tmp_path]
