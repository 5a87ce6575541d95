"""Build the wheel, install it with the lowest and the highest allowed versions, and use it.

    python .ci/wheels.py                                   every Python from 3.11 to 3.14 found here
    python .ci/wheels.py --python 3.12 --versions lowest   one of them

Runs on Linux, macOS and Windows with `uv` and the standard library. Nothing is installed outside
the folder of `--work`, and each report is built from an empty folder in it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPTS = "Scripts" if os.name == "nt" else "bin"
PROJECT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
RESOLUTIONS = {"lowest": "lowest-direct", "highest": "highest"}
TESTERS = (
    *("fsspec", "hypothesis", "ipykernel", "jsonschema", "nbclient", "nbformat", "page-validation"),
    *("pdfplumber", "pypdf", "pytest", "python-docx", "scipy", "tbparse"),
)
BESIDE = ("tests", "inputs", "docs", "pyproject.toml", "README.md", "constraints.txt")
"""What the chosen tests need beside them; the package is the installed one."""

CHOSEN = (
    *("contract/test_formats.py", "contract/test_loaders.py", "contract/test_findings.py"),
    *("golden/test_golden.py", "e2e/test_tutorial.py", "unit/read/test_store.py"),
    *("unit/read/weights", "unit/cli", "unit/render/figures", "unit/read/documents"),
    *("unit/stats", "unit/read/study"),
)
"""What a library or a Python of another version may change. Nothing here trains."""
NOT_CHOSEN = "not (test_the_report_is_the_golden_one and tiny-reviews-hf)"
"""Its report states the engine's version."""
STUDY = PROJECT / "inputs" / "roberta-small-fr" / "study.toml"


def main() -> int:
    """Try each pair of a Python and a choice of versions; return 1 where one fails."""
    given = read_arguments()
    work = Path(given.work or tempfile.mkdtemp(prefix="reportgen-wheels-"))
    uv = [shutil.which("uv") or "uv"]
    subprocess.run([*uv, "build", "--quiet", "--out-dir", work / "dist", PROJECT], check=True)
    (wheel,) = (work / "dist").glob("*.whl")
    failed = 0
    for python in given.python or PYTHONS:
        found = find_python(uv, python)
        if found is None:
            print(f"not tried: no Python {python} on this machine")
            failed += bool(given.python)
            continue
        for versions in given.versions or RESOLUTIONS:
            name = f"Python {python} with the {versions} versions"
            try:
                place = work / f"{Path(python).name}-{versions}"
                use(uv, found, versions, wheel, place)
                if not given.no_tests:
                    test(uv, place)
                print(f"passed: {name}", flush=True)
            except subprocess.CalledProcessError as fault:
                failed += 1
                print(f"failed: {name}: {fault}", flush=True)
    if not given.work:
        shutil.rmtree(work)
    return min(failed, 1)


def read_arguments() -> argparse.Namespace:
    """Return what to try, and where."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", action="append", metavar="VERSION|PATH")
    parser.add_argument("--versions", action="append", choices=tuple(RESOLUTIONS))
    parser.add_argument("--no-tests", action="store_true", help="only use it, as on other systems")
    parser.add_argument("--work", metavar="DIR", help="folder that is kept")
    return parser.parse_args()


def find_python(uv: list[str], wanted: str) -> str | None:
    """Return the path of an interpreter, or None where there is none; none is downloaded."""
    done = subprocess.run(
        [*uv, "python", "find", "--no-python-downloads", "--no-project", "--system", wanted],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip() if done.returncode == 0 else None


def use(uv: list[str], python: str, versions: str, wheel: Path, place: Path) -> None:
    """Install the wheel into an environment of its own, then use it from an empty folder."""
    subprocess.run([*uv, "venv", "--quiet", "--python", python, place / "venv"], check=True)
    install = [*uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", place / "venv"]
    # What stands in this file counts as direct; of a wheel that is named, only the wheel does.
    declared = ["--resolution", RESOLUTIONS[versions], "-r", PROJECT / "pyproject.toml"]
    subprocess.run([*install, "--only-binary", ":all:", *declared], check=True)
    subprocess.run([*install, "--no-deps", wheel], check=True)
    subprocess.run([*uv, "pip", "check", "--quiet", "--python", place / "venv"], check=True)
    from_an_empty_folder(place / "venv" / SCRIPTS / "reportgen", place / "empty")


def test(uv: list[str], place: Path) -> None:
    """Run the chosen tests on what is installed; the package's own folder is not near."""
    environment = place / "venv"
    installed = place / "installed.txt"
    freeze = [*uv, "pip", "freeze", "--exclude", "reportgen-lab", "--python", environment]
    installed.write_bytes(subprocess.run(freeze, check=True, capture_output=True).stdout)
    # What tests need may not bring other versions of what is to be tested.
    install = [*uv, "pip", "install", "--quiet", "--python", environment, "-c", installed]
    subprocess.run([*install, *TESTERS], check=True)
    tests = place / "tests-alone"
    tests.mkdir()
    for name in BESIDE:
        copy = shutil.copytree if (PROJECT / name).is_dir() else shutil.copy
        copy(PROJECT / name, tests / name)
    chosen = [str(Path("tests", name)) for name in CHOSEN]
    # What old versions of others deprecate in new versions of yet others is not ours to mend.
    warned = ["-W", "default::DeprecationWarning", "-W", "default::PendingDeprecationWarning"]
    options = ["-q", "-p", "no:cacheprovider", "-m", "not training and not looks", *warned]
    options += ["-k", NOT_CHOSEN]
    python = environment / SCRIPTS / "python"
    subprocess.run([python, "-m", "pytest", *options, *chosen], cwd=tests, check=True)


def from_an_empty_folder(program: Path, folder: Path) -> None:
    """Build, check and inspect with nothing of the checkout near but the sample's logs."""
    folder.mkdir()
    for words in (
        ("--version",),
        ("templates", "list"),
        ("build", STUDY, "--out", "report.pdf", "--quiet", "--no-cache"),
        ("check", "report.pdf", "--study", STUDY, "--quiet"),
        ("inspect", STUDY.parent / "logs", "--json"),
    ):
        subprocess.run(
            [program, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL, timeout=600
        )
    for ending in ("pdf", "tex", "md", "html", "json"):
        if not (folder / f"report.{ending}").stat().st_size:
            raise SystemExit(f"{folder / 'report.'}{ending} is empty")


if __name__ == "__main__":
    sys.exit(main())
