"""The repository of a group: a study with its logs, on `more` with one seed more than on `main`."""

import shutil
import subprocess
from pathlib import Path

from fakes.ci_runner import settings

STUDY = '[report]\ntitle = "Of ``ours`` | <b>"\n\n[runs]\npath = "my logs"\n'


def git(folder: Path, *arguments: str) -> str:
    """Run git without a person's settings, and return what it prints."""
    done = subprocess.run(
        ["git", *arguments],
        cwd=folder,
        env=settings(),
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout.strip()


def make_repository(project: Path, folder: Path) -> Path:
    """Make it in a folder, whose name then has a space; `more` is checked out."""
    home = folder / "lab report"
    shutil.copytree(project / "inputs" / "tiny-grid" / "logs", home / "my logs")
    (home / "study.toml").write_text(STUDY, encoding="utf-8")
    git(home, "init", "-q", "-b", "main")
    git(home, "add", "study.toml", "my logs", ":!my logs/random-seed2")
    git(home, "commit", "-qm", "five runs")
    git(home, "switch", "-qc", "more")
    git(home, "add", "my logs")
    git(home, "commit", "-qm", "six runs")
    return home
