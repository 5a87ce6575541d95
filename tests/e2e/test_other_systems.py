"""The core commands where the system has none of what only POSIX has, as on Windows.

Windows itself is not at hand here. What its Python lacks is taken away before the program starts:
modules, functions and signals.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

LACKING = """\
import os, signal, sys

for name in ("fcntl", "grp", "pty", "pwd", "resource", "syslog", "termios", "tty"):
    sys.modules[name] = None
FUNCTIONS = (
    "O_CLOEXEC O_DIRECTORY O_NOFOLLOW O_NONBLOCK chown fork forkpty getegid geteuid getgid "
    "getloadavg getpgid getpgrp getpriority getuid killpg lchown link mkfifo nice "
    "sched_getaffinity setsid statvfs symlink wait3 wait4"
)
SIGNALS = (
    "SIGALRM SIGCHLD SIGHUP SIGPIPE SIGQUIT SIGUSR1 SIGUSR2 SIGXCPU SIGXFSZ alarm "
    "pthread_sigmask setitimer sigwait"
)
for module, names in ((os, FUNCTIONS), (signal, SIGNALS)):
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
"""


COMMANDS = """\
import io, json, os, sys
from reportgen.cli import main

answers = sys.stdout
for line in sys.stdin:
    words, environment = json.loads(line)
    os.environ.update(environment)
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    sys.stdout, sys.stderr = out, err
    code = main(words)
    told = []
    for stream in (out, err):
        stream.flush()
        told.append(stream.buffer.getvalue().decode())
    print(json.dumps([code, *told]), file=answers, flush=True)
"""
"""One process that runs one command after the other, as long as there are any."""


@pytest.fixture(scope="module")
def system(small_lab, tmp_path_factory):
    """A function that runs a command where all of this is lacking."""
    folder = tmp_path_factory.mktemp("other-system")
    (folder / "lacking").mkdir()
    (folder / "lacking" / "sitecustomize.py").write_text(LACKING, encoding="utf-8")

    kept = {k: v for k, v in os.environ.items() if not k.startswith("REPORTGEN_")}
    own = {"PYTHONPATH": str(folder / "lacking"), "REPORTGEN_CACHE": str(folder / "cache")}
    with subprocess.Popen(
        [sys.executable, "-c", COMMANDS],
        cwd=folder,
        env={**kept, **own, "REPORTGEN_TRACEBACK": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:

        def run(*words, code=0, **environment):
            process.stdin.write(json.dumps([words, environment]) + "\n")
            process.stdin.flush()
            ended, out, err = json.loads(process.stdout.readline())
            assert "Traceback" not in err, err
            assert ended == code, err
            return out

        run("build", "--runs", str(small_lab), "--out", "out/report.pdf")
        yield folder, small_lab, run


def test_every_format_is_built(system):
    folder, _, _ = system
    assert (folder / "out" / "report.pdf").read_bytes().startswith(b"%PDF")
    assert {path.suffix for path in (folder / "out").iterdir() if path.is_file()} == {
        *(".pdf", ".tex", ".md", ".html", ".json")
    }


def test_a_template_of_ones_own_is_set_in_a_child_without_limits(system):
    folder, logs, run = system
    run("templates", "eject", "typst", "report", "--out", "own")
    own = ("--template", "own", "--format", "pdf", "--no-cache")
    run("build", "--runs", str(logs), "--out", "own-out/report.pdf", *own)
    assert (folder / "own-out" / "report.pdf").stat().st_size


def test_logs_are_read_in_several_processes(system):
    _, logs, run = system
    found = json.loads(run("inspect", str(logs), "--json", REPORTGEN_JOBS="2"))
    assert found == json.loads(run("inspect", str(logs), "--json", REPORTGEN_JOBS="1"))
    assert found["runs"]


def test_a_report_is_checked_by_itself_and_in_a_class(system):
    folder, logs, run = system
    run("check", "out/report.pdf", "--runs", str(logs))
    for name in ("ada", "eve"):
        (folder / "class" / name).mkdir(parents=True)
        (folder / "class" / name / "report.md").write_text("It has 2 * 3 = 7 parts.", "utf-8")
    text = run("check", "class", "--runs", str(logs), "--jobs", "2", "--format", "json", code=1)
    assert text.count("2 × 3 is 6") == 2 or text.count("2 * 3 is 6") == 2


def test_numbers_are_explained_and_compared(system):
    folder, _, run = system
    number = json.loads((folder / "out" / "report.json").read_bytes())["numbers"][0]
    assert number["printed"] in run("explain", number["id"], "--report", "out")
    run("diff", "out", "out")


def test_a_study_is_written_and_a_page_for_ci(system):
    folder, logs, run = system
    run("init", "--runs", str(logs), "--out", "study.toml")
    assert (folder / "study.toml").stat().st_size
    assert run("summary", "--report", "out", "--base", "out").startswith("#")
    run("autograder", "--runs", str(logs), "--out", "lab.zip")
    assert (folder / "lab.zip").read_bytes().startswith(b"PK")
    assert "reportgen" in run("completion", "powershell")


def test_a_report_is_served(system):
    folder, logs, _ = system
    server = subprocess.Popen(
        [
            *(sys.executable, "-m", "reportgen", "serve", "--runs", logs, "--port", "0"),
            *("--json", "--format", "html", "--no-cache"),
        ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "lacking")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    try:
        line = json.loads(server.stdout.readline())
        assert line["state"] == "serving"
        with urlopen(line["url"], timeout=60) as answer:  # noqa: S310 - this machine's own
            assert answer.status == 200
    finally:
        server.terminate()
        _, said = server.communicate(timeout=60)
    assert "Traceback" not in said


def test_names_of_files_are_those_that_every_system_takes(system, small_lab):
    """Two groups that differ in case alone, and one that has the name of a device."""
    folder, _, run = system
    for name in ("Small", "small", "con"):
        shutil.copytree(small_lab, folder / "groups" / name)
    run("build", "--runs", "groups", "--out", "named/report.pdf")
    written = [path.relative_to(folder / "named") for path in (folder / "named").rglob("*")]
    assert len({path.as_posix().casefold() for path in written}) == len(written) > 6
    for path in written:
        assert not set(path.name) & set('<>:"/\\|?*')
        assert not path.name.endswith((".", " "))
        assert path.name.partition(".")[0].casefold() not in {"con", "prn", "aux", "nul"}
        assert len(path.as_posix()) < 100


TEXTS = {".csv", ".ini", ".ipynb", ".json", ".jsonl", ".md", ".tex", ".toml", ".txt", ".yaml"}


def with_line_ends_of_windows(source, target):
    """Copy a folder whose texts an editor of Windows, or git there, has written anew."""
    shutil.copytree(source, target)
    for path in target.rglob("*"):
        if path.suffix in TEXTS:
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    return target


def test_line_ends_of_windows_change_no_number(system, project):
    folder, _, run = system
    lab = project / "inputs" / "tiny-grid"
    changed = with_line_ends_of_windows(lab, folder / "lab")
    assert b"\r\n" in (changed / "study.toml").read_bytes()
    numbers = []
    for study, out in ((lab, "as-it-is"), (changed, "as-on-windows")):
        run("build", str(study / "study.toml"), "--out", out, "--format", "json,md")
        report = json.loads((folder / out / "report.json").read_bytes())
        numbers.append({n["id"]: (n["printed"], n["value"]) for n in report["numbers"]})
        assert b"\r" not in (folder / out / "report.md").read_bytes()
    # Of a file that was written anew the size is another one.
    first, second = ({k: v for k, v in n.items() if not k.endswith(".size")} for n in numbers)
    assert first == second
    assert len(first) > 100


def _place(finding):
    return {**finding["place"], "file": ""}


def test_line_ends_of_windows_change_no_finding(system, project):
    folder, logs, run = system
    pages = folder / "pages"
    pages.mkdir()
    shutil.copy(folder / "out" / "report.tex", pages / "typeset.tex")
    shutil.copy(project / "docs" / "tutorial.ipynb", pages)
    text = "First.\n\nIt has 2 * 3 = 7 parts\nand 4.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    for name in ("marked.md", "plain.txt"):
        (pages / name).write_text(text, encoding="utf-8")
    changed = with_line_ends_of_windows(pages, folder / "pages-of-windows")
    found = []
    for place in (pages, changed):
        options = ("--runs", str(logs), "--format", "json", "--fail-on", "never")
        run("check", str(place), *options, "--out", f"{place}-found")
        files = sorted(Path(f"{place}-found").rglob("findings.json"))
        said = {path.parent.name: json.loads(path.read_bytes())["numbers"] for path in files}
        found.append(
            {
                name: [(f["rule"], f["outcome"], f["quote"], _place(f)) for f in all_of_it]
                for name, all_of_it in said.items()
            }
        )
    assert found[0] == found[1]
    assert set(found[0]) == {"marked", "plain", "tutorial", "typeset"}
    assert all(found[0][name] for name in ("marked", "plain", "typeset"))
