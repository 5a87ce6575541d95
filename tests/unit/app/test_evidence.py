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
ADAPTER = {"peft_type": "LORA", "r": 8, "lora_alpha": 16, "target_modules": ["query", "value"]}


@pytest.fixture(autouse=True)
def _nothing_kept():
    gathering.forget()


def lab(folder, **files):
    """Write files of JSON or text; two underscores stand for a folder, the last one for a dot."""
    for name, content in files.items():
        stem, _, ending = name.replace("__", "/").rpartition("_")
        path = folder / f"{stem}.{ending}"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = content if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
    return folder


def stored_in(evidence):
    return {f"{one.path} {'/'.join(one.keys)}": one.value for one in evidence.stored}


def test_no_paths_are_no_evidence():
    evidence, problems = gather_evidence(EvidencePaths())
    assert (evidence.facts, evidence.stored, evidence.files, problems) == (None, (), (), ())


def test_logs_and_the_values_beside_them(tmp_path):
    lab(tmp_path, metrics_csv=CURVE, summary_json={"best": {"epoch": 2, "f1": 0.84}})
    evidence, problems = gather_evidence(EvidencePaths(runs=tmp_path))
    assert len(evidence.facts.runs) == 1
    assert stored_in(evidence) == {"summary.json best/epoch": 2.0, "summary.json best/f1": 0.84}
    assert [(id_, path) for id_, path, _ in evidence.files] == [
        ("e1", "metrics.csv"), ("e2", "summary.json"),
    ]  # fmt: skip
    assert all(len(sha) == 64 for _, _, sha in evidence.files)
    assert not problems


def test_of_a_trainer_state_the_values_that_are_no_history(tmp_path):
    history = [{"step": s, "epoch": s / 10, "loss": 1 / s, "eval_f1": s / 9} for s in (3, 6, 9)]
    state = {"best_metric": 0.97, "best_global_step": 9, "total_flos": 1e15, "log_history": history}
    lab(tmp_path, trainer_state_json=state)
    evidence, _ = gather_evidence(EvidencePaths(runs=tmp_path))
    assert len(evidence.facts.runs) == 1
    assert {key.split()[1] for key in stored_in(evidence)} == {
        "best_metric", "best_global_step", "total_flos",
    }  # fmt: skip


def test_values_without_logs_are_evidence_and_the_logs_a_note(tmp_path):
    lab(tmp_path, summary_json={"f1": 0.84})
    evidence, problems = gather_evidence(EvidencePaths(runs=tmp_path))
    assert evidence.facts is None
    assert stored_in(evidence) == {"summary.json f1": 0.84}
    [problem] = problems
    assert (problem.level, problem.path) == ("note", ".")
    assert "no training logs" in problem.message


@pytest.mark.parametrize("named", ["adapter", "checkpoint"])
def test_a_folder_without_logs_costs_no_other_evidence(tmp_path, named):
    lab(tmp_path, lora__adapter_config_json=ADAPTER, model__config_json=MODEL, logs__notes_md="-")
    folder = tmp_path / {"adapter": "lora", "checkpoint": "model"}[named]
    paths = EvidencePaths(runs=tmp_path / "logs", **{named: folder})
    evidence, problems = gather_evidence(paths)
    assert bool(evidence.facts.adapters) == (named == "adapter")
    assert bool(evidence.facts.model) == (named == "checkpoint")
    assert [problem.level for problem in problems] == ["note"]
    assert "no training logs" in problems[0].message
    key = "lora/adapter_config.json r" if named == "adapter" else "model/config.json vocab_size"
    assert key in stored_in(evidence)


def test_logs_that_are_not_there_cost_no_other_evidence_but_are_told(tmp_path):
    lab(tmp_path, lora__adapter_config_json=ADAPTER)
    paths = EvidencePaths(runs=tmp_path / "nowhere", adapter=tmp_path / "lora")
    evidence, problems = gather_evidence(paths)
    assert evidence.facts.adapters
    assert [problem.level for problem in problems] == ["warning"]
    with pytest.raises(EvidenceError, match="nowhere"):
        gather_evidence(EvidencePaths(runs=tmp_path / "nowhere"))


def test_a_model_and_an_adapter_that_nobody_named_are_taken_and_told(tmp_path):
    lab(tmp_path, metrics_csv=CURVE, lora__adapter_config_json=ADAPTER, model__config_json=MODEL)
    evidence, problems = gather_evidence(EvidencePaths(runs=tmp_path))
    assert evidence.facts.model.config.source.path == "model/config.json"
    assert [one.config.source.path for one in evidence.facts.adapters] == [
        "lora/adapter_config.json"
    ]
    [problem] = problems
    assert problem.level == "note"
    assert "nobody named a model or an adapter" in problem.message
    assert "lora/adapter_config.json r" in stored_in(evidence)


def test_what_is_named_is_not_told_and_not_read_twice(tmp_path):
    lab(tmp_path, metrics_csv=CURVE, lora__adapter_config_json=ADAPTER)
    paths = EvidencePaths(runs=tmp_path, adapter=tmp_path / "lora")
    evidence, problems = gather_evidence(paths)
    assert not problems
    assert [path for _, path, _ in evidence.files] == ["lora/adapter_config.json", "metrics.csv"]


def test_nothing_at_all_is_an_error(tmp_path):
    lab(tmp_path, notes_md="-", truth_json={"acc": 0.5})
    with pytest.raises(EvidenceError, match="no training logs"):
        gather_evidence(EvidencePaths(runs=tmp_path))


@pytest.mark.parametrize(
    "files",
    [
        {"metrics_csv": CURVE},
        {"0__metrics_csv": CURVE, "1__metrics_csv": CURVE.replace("0.62", "0.63")},
        {"a_s1__metrics_csv": CURVE, "a_s2__metrics_csv": CURVE, "config_json": MODEL},
        {"results_json": {"test": {"f1": 0.5, "accuracy": 0.75}}},
    ],
)
def test_the_name_of_the_folder_changes_nothing(tmp_path, files):
    found = []
    for name in ("lab3", "my-model", "x9"):
        evidence, problems = gather_evidence(EvidencePaths(runs=lab(tmp_path / name, **files)))
        facts = evidence.facts
        runs = [(run.id, run.group, run.seed, [*run.scalars]) for run in facts.runs]
        groups = (facts.groups, facts.comparisons, facts.others, facts.model)
        found.append((runs, groups, facts.study, evidence.stored, evidence.files, problems))
    assert repr(found[0]) == repr(found[1]) == repr(found[2])


def test_what_a_class_shares_is_read_once(tmp_path, monkeypatch):
    lab(tmp_path, metrics_csv=CURVE, summary_json={"f1": 0.84})
    calls = []
    read = values.read_stored

    def counted(folder: Path, **options):
        calls.append(folder)
        return read(folder, **options)

    monkeypatch.setattr("reportgen.app.evidence.read_stored", counted)
    for _ in range(200):
        gather_evidence(EvidencePaths(runs=tmp_path))
    assert calls == [tmp_path]


def test_too_many_files_are_left_out_from_the_deepest_folders_and_told(tmp_path, monkeypatch):
    monkeypatch.setattr(gathering, "MOST_FILES", 2)
    deep = {f"raw__deep__f{number}_json": {"f1": 0.1 * number} for number in range(3)}
    evidence, problems = gather_evidence(
        EvidencePaths(
            runs=lab(tmp_path, results_json={"f1": 0.9}, a__sums_json={"f1": 0.8}, **deep)
        )
    )
    assert {one.path for one in evidence.stored} == {"results.json", "a/sums.json"}
    assert any("3 of 5 files were left out" in problem.message for problem in problems)


def test_of_too_many_values_the_last_of_long_lists_are_left_out_and_told(tmp_path, monkeypatch):
    monkeypatch.setattr(gathering, "MOST_VALUES", 4)
    given = {"scores": [0.1, 0.2, 0.3, 0.4, 0.5], "f1": 0.9, "wer": 0.2}
    evidence, problems = gather_evidence(EvidencePaths(runs=lab(tmp_path, results_json=given)))
    assert sorted(one.value for one in evidence.stored) == [0.1, 0.2, 0.2, 0.9]
    assert any("3 of 7 values were left out" in problem.message for problem in problems)
