"""How a check of a class ends where somebody or something gets in its way."""

import os
import resource
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from fakes.command import run_to_end
from fakes.hostile_class import forms_pdf
from fakes.jobs import PATIENCE_S, wait_until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shells, limits and signals of POSIX")

COMMAND = [sys.executable, "-m", "reportgen"]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A class of two with a slip each."""
    for name in ("ada", "bob"):
        (tmp_path / "class" / name).mkdir(parents=True)
        (tmp_path / "class" / name / "report.md").write_text("We have 2 * 3 = 7 layers.\n")
    return tmp_path


def shell(home: Path, line: str) -> subprocess.CompletedProcess[str]:
    command = f"{shlex.join(COMMAND)} check class {line}"
    return run_to_end(["/bin/sh", "-c", command], cwd=home)


def reads_a_pdf(number: int) -> bool:
    """Tell whether a process that another one has started has loaded what reads a PDF."""
    try:
        threads = [task / "children" for task in Path(f"/proc/{number}/task").iterdir()]
        children = [child for thread in threads for child in thread.read_text().split()]
        return any("pdfium" in Path(f"/proc/{child}/maps").read_text("utf-8") for child in children)
    except OSError:
        return False


def test_an_interrupt_ends_it_soon_and_says_how_far_it_came(home):
    (home / "class" / "eve").mkdir()
    (home / "class" / "eve" / "report.pdf").write_bytes(forms_pdf(24))
    process = subprocess.Popen(
        [*COMMAND, "check", "class", "--out", "out"],
        cwd=home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_until(lambda: reads_a_pdf(process.pid))
    process.send_signal(signal.SIGINT)
    out, said = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 130
    assert (out, list(home.glob("out*"))) == ("", [])
    assert "of 3 reports were checked, none is shown" in said
    assert "Traceback" not in said


def test_a_full_disk_is_a_sentence_and_leaves_no_file(home):
    done = run_to_end(
        [*COMMAND, "check", "class", "--out", "out"],
        cwd=home,
        # Python would cut its own compiled files off as well, and believe in them for ever.
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)),
    )
    assert done.returncode == 2
    assert "error: cannot write out/ada/findings.html: File too large" in done.stderr
    assert "Traceback" not in done.stderr
    assert not [path for path in (home / "out").rglob("*") if path.is_file()]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_an_output_that_takes_nothing_is_said(home):
    done = shell(home, "> /dev/full")
    assert done.returncode == 2
    assert "error: No space left on device" in done.stderr


def test_a_reader_that_goes_away_is_no_fault(home):
    done = shell(home, "--verbose | head -n 1")
    assert done.stdout.startswith("Report class/ada/report.md")
    assert "Traceback" not in done.stderr
    assert "error:" not in done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_change_nothing(home, closed):
    done = shell(home, f"--format json --out out {closed}")
    assert done.returncode == 1
    assert (home / "out" / "class.csv").stat().st_size
