"""The import contracts hold, and would be seen to fail."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from fakes.rows import rows_beside

ROWS = rows_beside(__file__)
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


BREACHES = ROWS["breaches"]


def test_planted_breaches_are_caught(project: Path, tmp_path: Path) -> None:
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(project / "reportgen", tmp_path / "reportgen", ignore=ignored)
    (tmp_path / "tools").mkdir()
    for name in ("pyproject.toml", "tools/contracts.py"):
        shutil.copy(project / name, tmp_path / name)
    for module, illegal, _ in BREACHES:
        planted = tmp_path.joinpath("reportgen", *module.split(".")).with_suffix(".py")
        with planted.open("a", encoding="utf-8") as file:
            file.write(f"\nimport {illegal}\n")
    done = lint(tmp_path)
    assert done.returncode == 1
    _, *told = re.split(r"^(\S.*)\n-{3,}$", done.stdout, flags=re.MULTILINE)
    told_by = dict(zip(told[::2], told[1::2], strict=True))
    for module, illegal, contract in BREACHES:
        (lines,) = (text for title, text in told_by.items() if contract in title)
        breach = rf"reportgen\.{re.escape(module)} (->|imports) {re.escape(illegal)}\b"
        assert re.search(breach, lines), (module, illegal, contract)
