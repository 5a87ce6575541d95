"""Models and adapters that nobody named: what cannot be read of them stops no report."""

import shutil
from pathlib import Path

import pytest

from reportgen.app.analysis import analyse
from reportgen.app.options import BuildOptions
from reportgen.records.errors import EvidenceError


@pytest.fixture
def logs(project: Path, tmp_path: Path) -> Path:
    shutil.copytree(project / "inputs" / "tiny-reviews-hf" / "logs", tmp_path / "logs")
    for config in (tmp_path / "logs").glob("*/config.json"):
        config.write_text('{"model_type": "roberta",', encoding="utf-8")
    return tmp_path / "logs"


def test_a_configuration_that_was_found_and_is_broken_is_a_problem(logs: Path):
    facts = analyse(BuildOptions(out=Path("-"), runs=logs, cache=None))
    assert facts.model is None
    (problem,) = [p for p in facts.problems if p.path.endswith("config.json")]
    assert problem.message.startswith("line 1: column 26: ")
    assert problem.remedy == "mend the JSON"
    assert all(group.report.mean for group in facts.groups)


def test_one_that_is_named_is_an_error(logs: Path):
    (named, *_) = sorted(logs.glob("*/config.json"))
    with pytest.raises(EvidenceError, match=r"config\.json:1: column 26"):
        analyse(BuildOptions(out=Path("-"), runs=logs, checkpoint=named, cache=None))


def test_an_adapter_that_was_found_and_is_broken_is_a_problem(logs: Path):
    for config in logs.glob("*/config.json"):
        config.unlink()
    run = min(logs.iterdir())
    (run / "adapter_config.json").write_text('{"peft_type": "LORA",', "utf-8")
    facts = analyse(BuildOptions(out=Path("-"), runs=logs, cache=None))
    assert facts.adapters == ()
    assert [p.path for p in facts.problems if p.path.endswith("adapter_config.json")]
