"""`--help` and `--version` import nothing heavy, in a process of their own."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HEAVY = {
    "fsspec",
    "jinja2",
    "matplotlib",
    "numpy",
    "pandas",
    "peft",
    "scipy",
    "tbparse",
    "tensorboard",
    "torch",
    "transformers",
    "typst",
}
BEFORE_A_COUNT = {
    "dataclasses",
    "difflib",
    "importlib.resources",
    "inspect",
    "reportgen.records.run",
    "reportgen.runs",
    "shutil",
    "tempfile",
    "textwrap",
    "tomllib",
    "urllib.request",
    "zipfile",
}
"""What takes a hundredth to a tenth of a count each, and counting a configuration never uses."""
BESIDE_EVENT_FILES = {
    "dataclasses",
    "difflib",
    "importlib.metadata",
    "numpy.typing",
    "reportgen.records.checkpoint",
    "reportgen.records.facts",
    "reportgen.records.formula",
    "shutil",
    "tempfile",
    "tomllib",
}
"""What takes up to a tenth of a cold load each, and loading event files never uses."""
PROBE = """\
import contextlib, io, json, runpy, sys
sys.argv = ["reportgen", *sys.argv[1:]]
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    runpy.run_module("reportgen", run_name="__main__", alter_sys=True)
print(json.dumps(sorted({*sys.modules, *(name.partition(".")[0] for name in sys.modules)})))
"""
IMPORT_PROBE = """\
import json, sys
import reportgen
print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules})))
"""
ENTRY_PROBE = """\
import json, sys
before = set(sys.modules)
from ENTRY import main
print(json.dumps(sorted({name.partition(".")[0] for name in set(sys.modules) - before})))
"""
INTERRUPTED = """\
import sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
from ENTRY import main
sys.exit(main())
"""
LOAD_PROBE = """\
import json, sys
import reportgen
runs = reportgen.load(sys.argv[1])
assert runs.runs and runs.runs[0].scalars
print(json.dumps(sorted(sys.modules)))
"""


@pytest.fixture
def entry(project: Path) -> str:
    """The module that the installed command imports before anything else."""
    scripts = tomllib.loads((project / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    module, _, function = scripts["reportgen"].partition(":")
    assert function == "main"
    return module


def modules_after(code: str, *arguments: str, cwd: Path, **environment: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=cwd,
        check=True,
        capture_output=True,
        env=os.environ | environment,
    )
    return set(json.loads(done.stdout))


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("build", "--help"), ("inspect", "--help")]
)
def test_asking_for_help_imports_nothing_heavy(arguments: tuple[str, ...], project: Path) -> None:
    loaded = modules_after(PROBE, *arguments, cwd=project)
    assert "reportgen" in loaded
    assert "argparse" in loaded
    assert not loaded & HEAVY


def test_importing_the_package_imports_nothing_heavy(project: Path) -> None:
    loaded = modules_after(IMPORT_PROBE, cwd=project)
    assert "reportgen" in loaded
    assert not loaded & HEAVY


def test_the_probe_sees_what_is_heavy(project: Path) -> None:
    code = IMPORT_PROBE.replace("import reportgen", "import numpy")
    assert modules_after(code, cwd=project) & HEAVY == {"numpy"}


@pytest.mark.parametrize("config", ["roberta-small-fr/model", "tiny-grid/model"])
def test_counting_a_configuration_imports_next_to_nothing(config: str, project: Path) -> None:
    path = str(project / "inputs" / config / "config.json")
    loaded = modules_after(PROBE, "inspect", path, cwd=project)
    assert "reportgen.parameters._counting" in loaded
    assert not loaded & (HEAVY | BEFORE_A_COUNT)


@pytest.mark.parametrize(
    ("lab", "unused"),
    [
        ("roberta-small-fr/logs", set()),
        ("tiny-reviews-hf/logs", set()),
        ("roberta-small-fr/logs/sentence_prediction", BESIDE_EVENT_FILES),
    ],
)
def test_loading_logs_imports_nothing_heavy_but_numpy(
    lab: str, unused: set[str], project: Path
) -> None:
    loaded = modules_after(LOAD_PROBE, str(project / "inputs" / lab), cwd=project)
    # Masked arrays, which some functions of numpy import, take a quarter of its own time.
    assert loaded & (HEAVY | unused | {"numpy.ma", "yaml", "sqlite3"}) == {"numpy"}


def test_a_check_of_what_has_not_changed_imports_nothing_heavy(
    project: Path, tmp_path: Path
) -> None:
    report, logs = tmp_path / "report.md", project / "inputs" / "roberta-small-fr" / "logs"
    report.write_text("The best test accuracy is 79.9 %.\n", encoding="utf-8")
    told = [
        modules_after(
            *(PROBE, "check", str(report), "--runs", str(logs)),
            cwd=project,
            REPORTGEN_CACHE=str(tmp_path / "cache"),
        )
        for _ in range(2)
    ]
    assert told[0] & {"numpy", "concurrent.futures"}
    assert not told[1] & (HEAVY | {"reportgen.checking.engine", "concurrent.futures"})


def test_the_command_loads_next_to_nothing_before_it_can_be_interrupted(
    project: Path, entry: str
) -> None:
    loaded = modules_after(ENTRY_PROBE.replace("ENTRY", entry), cwd=project)
    assert loaded <= {"__future__", "importlib", "reportgen", "warnings"}


@pytest.mark.parametrize("name", ["reportgen.cli", "argparse", "reportgen.cli.arguments"])
def test_an_interrupt_while_the_program_is_loaded_is_told_in_a_line(
    project: Path, entry: str, name: str
) -> None:
    code = INTERRUPTED.replace("ENTRY", entry)
    done = subprocess.run(
        [sys.executable, "-c", code, name], cwd=project, check=False, capture_output=True
    )
    assert (done.returncode, done.stdout) == (130, b"")
    assert done.stderr.split(b"\n") == [b"", b"interrupted; no file was left half-written", b""]
