"""Bad input: one clear message with the remedy, the documented exit code, nothing half-written."""

import os
import shlex
import shutil
import sys
from pathlib import Path

import pytest
from fakes.command import Finished, reportgen, run_to_end
from fakes.event_file import write_scalars
from fakes.rows import rows_beside

ROWS = rows_beside(__file__)


def refused(done: Finished, code: int, *parts: str) -> None:
    assert done.code == code, (done.code, done.err)
    assert done.err.count("error:") == 1, done.err
    assert "remedy:" in done.err
    assert "hunter22" not in done.out + done.err
    for part in parts:
        assert part in done.err


def files_in(folder: Path) -> set[Path]:
    return {p for p in folder.rglob("*") if not p.is_dir() and ".cache" not in p.parts}


@pytest.fixture(scope="module")
def place(lab, small_lab, tmp_path_factory):
    """A folder with everything that is no input."""
    home = tmp_path_factory.mktemp("misuse")
    logs = f'[runs]\npath = "{small_lab}"\n'
    for name, text in {
        "mine": "mine",
        "report.md": "The accuracy is 80.63 %.\n",
        "rubric.toml": "x = 1\n",
        "cut.json": "[1, 2",
        "plain.json": "[1, 2]",
        "header/a/metrics.csv": "step,val/acc\n",
        "header/b/metrics.csv": "step,val/acc\n",
        "texts/eval.log": "accuracy: 0.5\n" * 9,
        "texts/run.out": "",
        "texts/output.txt": "So it goes.\n" * 100_001,
        "long.toml": "#" * 1_000_001,
        "mistakes.toml": f'{logs}[metric]\nnmae = "accuracy"\nties = "frist"\n',
        "theme.toml": f'{logs}[report]\ntheme = "acll"\n',
        "study.toml": logs,
    }.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text, encoding="utf-8")
    (home / "empty").mkdir()
    (home / "latin.toml").write_bytes('title = "é"'.encode("latin-1"))
    if os.name != "nt":
        (home / "loop").symlink_to("loop")
        os.mkfifo(home / "pipe")
    return home


REFUSED = ROWS["refused"]


@pytest.mark.parametrize("words", REFUSED)
def test_it_is_refused(lab, small_lab, place, words):
    if os.name == "nt" and {"loop", "pipe"} & set(words.split()):
        pytest.skip("such files are POSIX")
    code, *parts = REFUSED[words]
    before = files_in(place)
    asked = words.format(lab=lab.as_posix(), logs=small_lab.as_posix(), long="x" * 300)
    done = reportgen(*shlex.split(asked), cwd=place)
    refused(done, code, *parts)
    assert files_in(place) == before


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder nobody may write to")
def test_an_unwritable_output_folder(lab, tmp_path):
    done = reportgen("build", "--runs", lab / "logs", "--out", "/proc/report.pdf", cwd=tmp_path)
    refused(done, 2, "/proc")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_that_lead_nowhere_beside_a_report_end_no_check(tmp_path):
    for name in ("loop", ".loop"):
        (tmp_path / name).symlink_to(name)
    (tmp_path / "report.md").write_text("2 * 3 = 6\n", encoding="utf-8")
    done = reportgen("check", "report.md", "--out", "-", cwd=tmp_path)
    assert done.code == 0, done.err
    assert done.out.startswith("Traced")


def test_a_damaged_log_is_named_and_the_rest_used(lab, tmp_path):
    shutil.copytree(lab / "logs" / "sentence_prediction", tmp_path / "logs")
    hit = next((tmp_path / "logs").rglob("RoBERTa_small_fr_ms8*/1/test/events*"))
    content = bytearray(hit.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 40] = bytes(byte ^ 0xFF for byte in content[middle : middle + 40])
    hit.write_bytes(bytes(content))
    done = reportgen("build", "--runs", "logs", "--out", "out/report.json", cwd=tmp_path)
    assert done.code == 0, done.err
    assert hit.name in done.err


def test_a_slash_makes_a_folder_of_any_name(small_lab, tmp_path):
    arguments = ("build", "--runs", small_lab, "--out", "run-lr0.1/", "--format", "json")
    done = reportgen(*arguments, cwd=tmp_path)
    assert done.code == 0, done.err
    assert [path.name for path in (tmp_path / "run-lr0.1").iterdir()] == ["report.json"]


WITHOUT_ENGINE = """
import importlib.util, sys
sys.modules["typst"] = None
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "typst" else find(name, *more)
from reportgen.cli import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    "engine", ["auto", *(pytest.param(name, marks=pytest.mark.wide) for name in ("typst", "latex"))]
)
def test_without_the_embedded_engine_the_remedy_names_formats_that_are_made(
    small_lab, tmp_path, engine
):
    build = ("build", "--runs", small_lab, "--out", "out", "--engine", engine)
    done = reportgen(*build, cwd=tmp_path, program=WITHOUT_ENGINE)
    if engine == "latex" and shutil.which("pdflatex") is None:
        refused(done, 3, "pdflatex")
        return
    refused(done, 3, "typst", "--format md,html,json")
    done = reportgen(*build, "--format", "md,html,json", cwd=tmp_path, program=WITHOUT_ENGINE)
    assert done.code == 0, done.err
    assert {path.suffix for path in (tmp_path / "out").glob("report.*")} == {
        *(".md", ".html", ".json")
    }


@pytest.mark.skipif(not shutil.which("setpriv"), reason="root may look everywhere")
def test_a_locked_run_folder_is_a_problem_and_no_end(tmp_path):
    for run in ("a", "b"):
        write_scalars(tmp_path / "logs" / run, {"val/acc": [(1, 0.5)]})
    (tmp_path / "report.md").write_text("The accuracy of a is 0.5.\n", encoding="utf-8")
    (tmp_path / "logs" / "b").chmod(0)
    dropped = "-dac_override,-dac_read_search"
    start = ["setpriv", f"--bounding-set={dropped}", "--inh-caps=-all"]
    if os.geteuid() != 0:
        start = []
    commands = ("build --runs logs --out o.md", "check report.md --runs logs")
    try:
        done = [
            run_to_end(
                [*start, sys.executable, "-m", "reportgen", *command.split()],
                cwd=tmp_path,
                timeout=120,
            )
            for command in commands
        ]
    finally:
        (tmp_path / "logs" / "b").chmod(0o755)
    assert [one.returncode for one in done] == [0, 0], [one.stderr for one in done]
    assert all("b: cannot be read: Permission denied" in one.stdout + one.stderr for one in done)
