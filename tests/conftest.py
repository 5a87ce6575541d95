"""What every test may ask for: where the project lies, and real logs if they are near."""

import gc
import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from fakes.command import reportgen
from hypothesis import HealthCheck, settings

PROJECT = Path(__file__).resolve().parent.parent

# Containers often forbid it; then every process that a test starts compiles all modules again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# How long an example takes is not what a property is about, and machines are shared.
# They are the same each time, so that a change is judged by itself; `make fire` draws others,
# and more of them.
RANDOM = "REPORTGEN_RANDOM" in os.environ
settings.register_profile(
    "patient",
    deadline=None,
    derandomize=not RANDOM,
    max_examples=100 if RANDOM else 25,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("patient")


# What collecting makes stays to the end, so no search for cycles goes through it.
gc.disable()


def pytest_collection_finish() -> None:
    """Search from here on, and only through what tests make."""
    gc.freeze()
    gc.enable()


def pytest_configure() -> None:
    """Let programs that tests start hear Ctrl-C."""
    # What a shell starts in the background ignores it, and what is started there does as well.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def project() -> Path:
    """Root of the checkout."""
    return PROJECT


@pytest.fixture(scope="session")
def lab(project: Path) -> Path:
    """The sample lab with its study file."""
    return project / "inputs" / "roberta-small-fr"


@pytest.fixture(scope="session")
def small_lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Logs of two short runs, for what is the same of any lab."""
    folder = tmp_path_factory.mktemp("small") / "logs"
    for seed, last in ((0, 0.63), (1, 0.61)):
        run = folder / f"seed_{seed}"
        run.mkdir(parents=True)
        rows = f"1,0.7113,0.6127\n2,0.7248,0.6241\n3,0.7301,{last}\n"
        (run / "metrics.csv").write_text(f"step,accuracy,val_accuracy\n{rows}", encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def realdata(project: Path) -> Path:
    """Logs of other people's runs, which lie beside the project on some machines only."""
    folder = project.parent / "shared" / "realdata"
    if not folder.is_dir():
        pytest.skip("no shared/realdata beside the checkout")
    return folder


@pytest.fixture(scope="session")
def built(lab: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample lab's report by the embedded engine."""
    folder = tmp_path_factory.mktemp("typst")
    done = reportgen("build", lab / "study.toml", "--out", "out/report.pdf", cwd=folder)
    assert done.code == 0, done.err
    return folder / "out"


@pytest.fixture(scope="session")
def built_latex(lab: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample lab's report by pdflatex."""
    if shutil.which("pdflatex") is None and not os.environ.get("REPORTGEN_REQUIRE_LATEX"):
        pytest.skip("pdflatex is not installed")
    folder = tmp_path_factory.mktemp("latex")
    done = reportgen(
        *("build", lab / "study.toml", "--out", "out/report.pdf", "--engine", "latex"), cwd=folder
    )
    assert done.code == 0, done.err
    return folder / "out"


@pytest.fixture(scope="session")
def report(built: Path) -> dict[str, Any]:
    """The sample lab's report.json."""
    return json.loads((built / "report.json").read_bytes())
