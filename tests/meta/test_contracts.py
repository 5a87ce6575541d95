"""The import contracts hold, and would be seen to fail."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LINT = Path(sys.executable).with_name("lint-imports")


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [LINT, "--no-cache"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "COLUMNS": "200"},
        check=False,
        capture_output=True,
        text=True,
    )


def test_the_contracts_hold(project: Path) -> None:
    done = lint(project)
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


@pytest.mark.parametrize(
    ("module", "illegal", "contract"),
    [
        ("records/run.py", "import reportgen.cli", "Floors"),
        ("report/results.py", "import os", "Pure wing"),
        ("stats/summary.py", "import matplotlib", "nothing heavy"),
        ("runs/programs.py", "import reportgen.runs.wandb", "do not know each other"),
        ("app/grid.py", "import reportgen.runs._assemble", "its interface"),
        ("runs/programs.py", "import reportgen.stats.clock", "its interface"),
        ("app/grid.py", "import torch", "Only training"),
        ("train/engine/worker.py", "import distributed", "Only executors"),
        ("train/store/keys.py", "import torch", "Only training"),
        ("app/grid.py", "import reportgen.train.store.keys", "its interface"),
        ("train/plan/cost.py", "import reportgen.train.store.keys", "its interface"),
        ("app/reading.py", "import fsspec", "Only read.remote"),
        ("app/serving.py", "import socketserver", "Only app.live"),
    ],
)
def test_a_planted_breach_is_caught(
    module: str, illegal: str, contract: str, project: Path, tmp_path: Path
) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(project / "reportgen", tmp_path / "reportgen", ignore=ignored)
    shutil.copy(project / "pyproject.toml", tmp_path)
    (tmp_path / "tools").mkdir()
    shutil.copy(project / "tools" / "contracts.py", tmp_path / "tools")
    planted = tmp_path / "reportgen" / module
    planted.write_text(f"{planted.read_text(encoding='utf-8')}\n{illegal}\n", encoding="utf-8")

    done = lint(tmp_path)

    assert done.returncode == 1
    broken = [line for line in done.stdout.splitlines() if " BROKEN" in line]
    assert any(contract in line for line in broken), done.stdout
