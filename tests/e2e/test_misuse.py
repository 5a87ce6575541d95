"""Bad input: one clear message with the remedy, the documented exit code, nothing half-written."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fakes.command import Finished, reportgen
from fakes.event_file import write_scalars

POINTS = [(10, 3.0), (20, 1e30), (30, 2.5)]
BUILD = "build --runs {lab}/logs --out out/report.md"
CHECK = "check report.md --runs {lab}/logs"


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
def place(lab, tmp_path_factory):
    """A folder with everything that is no input."""
    home = tmp_path_factory.mktemp("misuse")
    logs = f'[runs]\npath = "{lab / "logs"}"\n'
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
        "long.toml": "#" * 1_000_001,
        "mistakes.toml": f'{logs}[metric]\nnmae = "accuracy"\nties = "frist"\n',
        "theme.toml": f'{logs}[report]\ntheme = "acll"\n',
        "endless.toml": f"{logs}pattern = '(?P<group>(\\w+_?)+)!(?P<seed>x)'\n",
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


LACK = "eval.log: no number with a name stands three times beside an epoch or step"
REFUSED = {
    # What is to be read.
    "build --runs absent --out out/report.pdf": (3, "absent"),
    "build --runs empty --out out/report.pdf": (3, "no training logs under empty"),
    "build --runs header --out out/report.pdf": (
        *(3, "a/metrics.csv, b/metrics.csv: only a header", "reportgen inspect"),
    ),
    "build --runs texts --out out/report.pdf": (
        *(3, LACK, "run.out: the file is empty", "`epoch 3: val_loss 0.25`"),
    ),
    "inspect texts": (3, LACK, "run.out: the file is empty"),
    "inspect absent": (3, "no such file or folder: absent"),
    "inspect empty": (3, "nothing here reads empty"),
    "inspect {lab}/logs --base x": (2, "no base model"),
    "inspect {lab}/logs --total 20,578,304": (2, "no parameters to count"),
    "inspect {lab}/model/config.json --total 22.8M": (2, "'22.8M' is rounded: write every digit"),
    "inspect {lab}/model/config.json --total -1": (2, "'-1' is no whole number"),
    "inspect s3://key:hunter22@bucket/lab": (2, "remedy"),
    "build --out out/report.pdf": (2, "nothing to build from"),
    "build no.toml --out o": (3, "no study file"),
    "build empty --out o": (2, "empty is a folder", "build --runs empty"),
    "rerun empty -q": (2, "empty is a folder"),
    "rerun no.toml": (3, "no study file no.toml", "reportgen init --runs DIR"),
    "plan study.toml --runs absent": (3, "there is no file or folder 'absent'"),
    "rerun study.toml --yes --runs absent": (3, "there is no file or folder 'absent'"),
    "build long.toml --out o": (2, "long.toml is larger than 1000000 bytes"),
    "build latin.toml --out o": (2, "byte 9 is not UTF-8"),
    "build pipe --out o": (2, "pipe is no regular file"),
    "plan pipe": (2, "pipe is no regular file"),
    "check report.md --study pipe --runs {lab}/logs": (3, "pipe is no regular file"),
    "check report.md --rubric pipe": (2, "pipe is no regular file"),
    "check report.md --rubric rubric.toml": (2, "rubric.toml:1"),
    "explain 80.63 --report pipe": (3, "pipe is no regular file"),
    "explain 80.63 --report cut.json": (3, "cut.json:1"),
    "diff plain.json cut.json": (3, "plain.json is not a report.json"),
    "diff plain.json": (2, "required: NEW"),
    "summary --report absent": (3, "absent"),
    "check absent.md": (3, "no such report or folder: absent.md"),
    "check - --runs {lab}/logs": (3, "standard input", "reportgen check report.md"),
    "check pipe": (3, "pipe is neither a file nor a folder", "such as report.md"),
    "check report.md --report empty": (3, "no report.json in empty"),
    "check empty": (3, "empty"),
    "build --runs loop --out q/report.md": (3, "loop"),
    "build --runs {lab}/logs --out loop/report.md": (2, "loop"),
    "build loop --out q/report.md": (3, "loop"),
    # What a study says.
    "build mistakes.toml --out out/report.pdf": (
        *(2, "mistakes.toml:4: unknown key 'metric.nmae'; did you mean 'name'?"),
        "mistakes.toml:5: ",
    ),
    "build theme.toml --out out": (
        *(2, "theme.toml:4: no theme is called 'acll'", "acl, neurips, plain"),
    ),
    "build theme.toml --out out --theme nips": (2, "error: no theme is called 'nips'"),
    "build endless.toml --out r.json": (2, "runs.pattern"),
    "build --watch --out out": (2, "neither a study file"),
    "serve no.toml --port 0": (3, "no study file no.toml"),
    "serve --runs {lab}/logs --port 70000": (2, "port 70000"),
    # What options say.
    f"{BUILD} --metric acuracy": (3, "acuracy", "did you mean 'accuracy'?", "loss"),
    "build --runs {lab}/logs --out out --format pdf,doc": (2, "'doc'"),
    f"{BUILD} --format ,": (2, "names no format"),
    f"{BUILD} --base absent": (2, "no adapter"),
    f"{BUILD} --checkpoint /absent/a.json": (3, "/absent/a.json"),
    f"{BUILD} --checkpoint s3://lab/model": (2, "'s3://lab/model': a URL is read for a folder"),
    f"{BUILD} --only random/1": (2, "--only says what is trained, and without --rerun nothing is"),
    f"{BUILD} --yes": (2, "--yes says what is trained, and without --rerun nothing is"),
    f"{BUILD} --workers 3": (2, "--workers says what is trained, and without --rerun nothing is"),
    f"{BUILD} --executor slurm": (2, "--executor slurm says what is trained"),
    f"{BUILD} --executor dask": (2, "--executor dask and --address belong together"),
    f"{BUILD} --address tcp://a:1": (2, "--executor dask and --address belong together"),
    "rerun study.toml --yes --max-gpu-hours nan": (2, "'nan' is no number of hours"),
    f"{BUILD} --rerun --yes": (2, "--rerun needs a study file"),
    f"{BUILD} --restart": (2, "--restart says what is trained, and without --rerun nothing is"),
    f"{BUILD} --runs other": (2, "argument --runs: was given twice", "'other'; it takes one"),
    f"{BUILD} --out other": (2, "argument --out: was given twice", "'other'; it takes one"),
    f"{BUILD} --pattern (": (2, "--pattern: is not a regular expression"),
    f"{BUILD} --pattern [a-z]+": (
        *(2, "--pattern: needs a named group (?P<group>...) or (?P<seed>...)"),
    ),
    f"{BUILD} --engine latx": (2, "'latx' is none of auto, typst, latex; did you mean latex"),
    f"{BUILD} --lang de": (2, "'de' is none of en, fr\n"),
    f"{BUILD} --smoothing 0.7": (2, "there is no option --smoothing\n"),
    f"{BUILD} --expect 4-0": (2, "a range goes up"),
    f"{BUILD} a b": (2, "one argument too many: b"),
    f"{CHECK} --format json,sarif": (2, "2 formats cannot share one place"),
    f"{CHECK} --jobs -1": (2, "-1 reports at one time"),
    f"{CHECK} --timeout nan": (2, "a report gets some time"),
    f"{CHECK} --executor dask": (2, "--executor dask and --address belong together"),
    "check report.md --runs ''": (2, "--runs: an empty path names nothing"),
    "build --rnus logs --out o": (2, "there is no option --rnus; did you mean --runs?"),
    "build --rnus=logs --out o": (2, "there is no option --rnus=logs; did you mean --runs?"),
    "build --study a.toml --out o": (
        *(2, "there is no option --study: STUDY is written without one"),
    ),
    "": (2, "remedy: reportgen"),
    "biuld --runs logs": (2, "did you mean build?"),
    # Before what is missing.
    "build --frobs": (2, "there is no option --frobs\n"),
    "diff --frobs=1": (2, "there is no option --frobs=1\n"),
    "plan --unit -x": (2, "there is no option -x\n"),
    "--verison": (2, "there is no option --verison; did you mean --version?"),
    "build": (2, "remedy: reportgen build --help"),
    "plan": (2, "it says which groups and seeds", "`reportgen init --runs DIR`"),
    "rerun --runs 'my logs'": (2, "--runs 'my logs'` writes one", "`reportgen rerun study.toml`"),
    "plan a --device tpu": (2, "'tpu' is none of auto, cpu, cuda, mps"),
    "templates lst": (2, "did you mean list?"),
    "serve": (2, "remedy: reportgen serve --runs DIR, or reportgen serve STUDY"),
    "init": (
        *(2, "required: --runs\n  remedy: reportgen init --help; for example: reportgen init"),
    ),
    # Where it is to go.
    "build --runs {lab}/logs --out report.odt": (2, "report.odt", "pdf"),
    "build --runs {lab}/logs --out mine/report.pdf": (2, "mine"),
    "build --runs {lab}/logs --out ''": (2, "an empty path"),
    "build --runs {lab}/logs --out -": (2, "standard output"),
    f"build --runs {{lab}}/logs --out {'x' * 300}.md": (2, "File name too long"),
    "build --runs {lab}/logs --out x.html --format pdf,md": (
        *(2, "asks for another format than --format pdf,md"),
        "--out x.pdf, or --format html,pdf,md, or a folder",
    ),
    "init --runs {lab}/logs": (2, "study.toml is there already", "--force"),
    f"{CHECK} --out mine/out": (2, "cannot write into mine/out"),
    f"{CHECK} --out x.zzz": (2, "no findings format is known by the ending of x.zzz"),
}


@pytest.mark.parametrize("words", REFUSED)
def test_it_is_refused(lab, place, words):
    if os.name == "nt" and {"loop", "pipe"} & set(words.split()):
        pytest.skip("such files are POSIX")
    code, *parts = REFUSED[words]
    before = files_in(place)
    done = reportgen(*shlex.split(words.format(lab=lab.as_posix())), cwd=place)
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


def test_a_report_without_a_result_says_why_its_exit_code_is_3(tmp_path):
    rows = "".join(f"{step},nan,0.5\n" for step in (1, 2, 3))
    (tmp_path / "logs" / "a_seed1").mkdir(parents=True)
    table = tmp_path / "logs" / "a_seed1" / "metrics.csv"
    table.write_text(f"step,val/acc,test/acc\n{rows}", encoding="utf-8")
    asked = ("--format", "md", "--select-on", "validation")
    done = reportgen("build", "--runs", "logs", "--out", "out/", *asked, cwd=tmp_path)
    assert done.code == 3
    assert done.err.splitlines()[-1].startswith("warning: no run has a result to report")


def test_other_metrics_that_nobody_logged_are_warned_of(lab, tmp_path):
    (tmp_path / "study.toml").write_text(
        f'[runs]\npath = "{lab / "logs"}"\n[metric]\nname = "accuracy"\n'
        'others = ["Loss", "Lsos", "nope", "lo*", "zz*"]\n'
    )
    done = reportgen("build", "study.toml", "-q", "--out", "out/report.json", cwd=tmp_path)
    assert (done.code, done.out) == (0, "")
    said = "warning: study.toml:5: metric.others names {}, and no run logged such a metric{}"
    assert said.format("'Lsos'", "; did you mean 'loss'?") in done.err
    assert "'Loss'" not in done.err  # `--metric` takes other capitals too
    assert said.format("'nope'", "; logged are accuracy, loss, nll_loss") in done.err
    assert "'zz*'" in done.err
    assert "lo*" not in done.err


def test_a_metric_in_other_capitals_is_the_logged_one(small_lab, tmp_path):
    asked = ("--metric", "ACCURACY", "--out", "report.json", "-q")
    done = reportgen("build", "--runs", small_lab, *asked, cwd=tmp_path)
    assert done.code == 0, done.err
    (group,) = json.loads((tmp_path / "report.json").read_bytes())["groups"]
    assert group["metric"] == "accuracy"


def test_a_run_without_validation_is_said(tmp_path):
    points = [(s, 0.5 + s / 1000) for s in (10, 20, 30)]
    write_scalars(tmp_path / "runs" / "a_seed1", {"val/accuracy": points, "test/accuracy": points})
    write_scalars(tmp_path / "runs" / "a_seed2", {"test/accuracy": points})
    done = reportgen("build", "--runs", "runs", "--out", "out/report.md", cwd=tmp_path)
    assert done.code == 0, done.err
    assert done.err.count("a_seed2: nothing logged on validation: no best step exists") == 1


def test_no_run_with_validation_still_writes_what_there_is(tmp_path):
    write_scalars(tmp_path / "runs" / "a_seed1", {"train/loss": POINTS})
    done = reportgen("build", "--runs", "runs", "--out", "out/report.pdf", cwd=tmp_path)
    assert done.code == 0, done.err
    assert "no best step exists" in done.err
    assert (tmp_path / "out" / "report.pdf").stat().st_size > 10_000
    (tmp_path / "study.toml").write_text("metric.select_on = 'validation'\n", encoding="utf-8")
    asked = reportgen("build", "study.toml", "--runs", "runs", "--out", "out.json", cwd=tmp_path)
    assert asked.code == 3, asked.err
    assert (tmp_path / "out.json").is_file()


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


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
def test_interrupting_leaves_nothing_half_written(lab, tmp_path):
    command = [sys.executable, "-m", "reportgen", "build", str(lab / "study.toml")]
    for pause in (0.2, 0.6, 1.0):
        out = tmp_path / f"out{pause}"
        child = subprocess.Popen(
            [*command, "--out", str(out / "report.pdf"), "--no-cache"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
        )
        time.sleep(pause)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=60)
        # Python itself may be interrupted while it still loads the program.
        assert b"Traceback" not in said or b"in main" not in said
        left = [p for p in out.rglob("*") if p.is_file()] if out.exists() else []
        assert not [p for p in left if p.name.startswith(".reportgen-")]
        for pdf in (p for p in left if p.suffix == ".pdf"):
            assert pdf.read_bytes().rstrip().endswith(b"%%EOF")


def test_a_tag_with_a_null_and_a_diverged_loss_can_be_written_down(tmp_path):
    tags = {"val/loss": POINTS, "test/loss": POINTS, "we\0ird": POINTS}
    write_scalars(tmp_path / "runs" / "a_seed1", tags)
    assert reportgen("init", "--runs", "runs", cwd=tmp_path).code == 0
    done = reportgen("build", "study.toml", "--out", "r.md", cwd=tmp_path)
    assert done.code == 0, done.err


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
    "engine",
    ["auto", *(pytest.param(name, marks=pytest.mark.wide) for name in ("typst", "latex"))],
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
        *(".md", ".html", ".json"),
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
            subprocess.run(
                [*start, sys.executable, "-m", "reportgen", *command.split()],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                check=False,
                timeout=120,
            )
            for command in commands
        ]
    finally:
        (tmp_path / "logs" / "b").chmod(0o755)
    assert [one.returncode for one in done] == [0, 0], [one.stderr for one in done]
    assert all("b: cannot be read: Permission denied" in one.stdout + one.stderr for one in done)
