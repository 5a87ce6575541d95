"""Bad input: one clear message with the remedy, the documented exit code, nothing half-written."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from fakes.command import Finished, reportgen
from fakes.event_file import write_scalars


def refused(done: Finished, code: int, *parts: str) -> None:
    assert done.code == code, (done.code, done.err)
    assert done.err.count("error:") == 1, done.err
    assert "remedy:" in done.err
    for part in parts:
        assert part in done.err


def nothing_in(folder: Path) -> bool:
    return not [p for p in folder.rglob("*") if p.is_file() and ".cache" not in p.parts]


def test_no_such_folder(tmp_path):
    done = reportgen("build", "--runs", "absent", "--out", "out/report.pdf", cwd=tmp_path)
    refused(done, 3, "absent")
    assert nothing_in(tmp_path)


def test_a_folder_without_logs(tmp_path):
    (tmp_path / "empty").mkdir()
    done = reportgen("build", "--runs", "empty", "--out", "out/report.pdf", cwd=tmp_path)
    refused(done, 3, "no training logs under empty")
    assert nothing_in(tmp_path)


def test_logs_that_hold_nothing_are_named(tmp_path):
    for run in ("a", "b"):
        (tmp_path / "logs" / run).mkdir(parents=True)
        (tmp_path / "logs" / run / "metrics.csv").write_text("step,val/acc\n", encoding="utf-8")
    done = reportgen("build", "--runs", "logs", "--out", "out/report.pdf", cwd=tmp_path)
    refused(done, 3, "a/metrics.csv, b/metrics.csv: only a header", "reportgen inspect")


def test_texts_that_are_no_logs_are_named_with_what_they_lack(tmp_path):
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "eval.log").write_text("accuracy: 0.5\n" * 9, encoding="utf-8")
    (tmp_path / "logs" / "run.out").write_text("", encoding="utf-8")
    done = reportgen("build", "--runs", "logs", "--out", "out/report.pdf", cwd=tmp_path)
    lack = "eval.log: no number with a name stands three times beside an epoch or step"
    refused(done, 3, lack, "run.out: the file is empty", "`epoch 3: val_loss 0.25`")
    done = reportgen("inspect", "logs", cwd=tmp_path)
    refused(done, 3, lack, "run.out: the file is empty")


def test_a_report_without_a_result_says_why_its_exit_code_is_3(tmp_path):
    rows = "".join(f"{step},nan,0.5\n" for step in (1, 2, 3))
    (tmp_path / "logs" / "a_seed1").mkdir(parents=True)
    table = tmp_path / "logs" / "a_seed1" / "metrics.csv"
    table.write_text(f"step,val/acc,test/acc\n{rows}", encoding="utf-8")
    asked = ("--format", "md", "--select-on", "validation")
    done = reportgen("build", "--runs", "logs", "--out", "out/", *asked, cwd=tmp_path)
    assert done.code == 3
    assert done.err.splitlines()[-1].startswith("warning: no run has a result to report")


def test_neither_study_nor_runs(tmp_path):
    done = reportgen("build", "--out", "out/report.pdf", cwd=tmp_path)
    refused(done, 2, "nothing to build from")


def test_no_such_study(tmp_path):
    refused(reportgen("build", "study.toml", "--out", "o", cwd=tmp_path), 3, "no study file")


def test_a_folder_for_a_study_is_a_matter_of_usage(tmp_path):
    (tmp_path / "logs").mkdir()
    for command in (["build", "logs", "--out", "o"], ["rerun", "logs", "-q"]):
        refused(reportgen(*command, cwd=tmp_path), 2, "logs is a folder", "build --runs logs")


def test_a_study_that_is_not_there_is_not_left_out_where_it_has_to_be(tmp_path):
    done = reportgen("rerun", "study.toml", cwd=tmp_path)
    refused(done, 3, "no study file study.toml", "reportgen init --runs DIR")
    assert "leave" not in done.err


def test_other_metrics_that_nobody_logged_are_warned_of(lab, tmp_path):
    (tmp_path / "study.toml").write_text(
        f'[runs]\npath = "{lab / "logs"}"\n[metric]\nname = "accuracy"\n'
        'others = ["Loss", "Lsos", "nope", "lo*", "zz*"]\n'
    )
    done = reportgen("build", "study.toml", "-q", "--out", "out/report.md", cwd=tmp_path)
    assert (done.code, done.out) == (0, "")
    said = "warning: study.toml:5: metric.others names {}, and no run logged such a metric{}"
    assert said.format("'Lsos'", "; did you mean 'loss'?") in done.err
    assert "'Loss'" not in done.err  # `--metric` takes other capitals too
    assert said.format("'nope'", "; logged are accuracy, loss, nll_loss") in done.err
    assert "'zz*'" in done.err
    assert "lo*" not in done.err


def test_every_mistake_of_a_study_is_named(lab, tmp_path):
    (tmp_path / "study.toml").write_text(
        f'[runs]\npath = "{lab / "logs"}"\n[metric]\nnmae = "accuracy"\nties = "frist"\n'
    )
    done = reportgen("build", "study.toml", "--out", "out/report.pdf", cwd=tmp_path)
    refused(done, 2, "study.toml:4: unknown key 'metric.nmae'; did you mean 'name'?")
    assert "study.toml:5: " in done.err
    assert not (tmp_path / "out").exists()


def test_an_unknown_theme_is_told_where_it_is_named(lab, tmp_path):
    study = tmp_path / "study.toml"
    study.write_text(f'[runs]\npath = "{lab / "logs"}"\n[report]\ntheme = "acll"\n', "utf-8")
    done = reportgen("build", study, "--out", "out", cwd=tmp_path)
    refused(done, 2, "study.toml:4: no theme is called 'acll'", "acl, neurips, plain")
    done = reportgen("build", study, "--out", "out", "--theme", "nips", cwd=tmp_path)
    refused(done, 2, "error: no theme is called 'nips'")


def test_a_metric_that_nobody_logged(lab, tmp_path):
    done = reportgen(
        *("build", "--runs", lab / "logs", "--metric", "acuracy", "--out", "out/"), cwd=tmp_path
    )
    refused(done, 3, "acuracy", "did you mean 'accuracy'?", "loss")
    assert nothing_in(tmp_path)


def test_a_metric_in_other_capitals_is_the_logged_one(lab, tmp_path):
    done = reportgen(
        *("build", "--runs", lab / "logs", "--metric", "ACCURACY", "--out", "report.md", "-q"),
        cwd=tmp_path,
    )
    assert done.code == 0, done.err
    assert "Test accuracy is 80.63" in (tmp_path / "report.md").read_text(encoding="utf-8")


def test_an_unknown_format(lab, tmp_path):
    done = reportgen("build", "--runs", lab / "logs", "--out", "report.odt", cwd=tmp_path)
    refused(done, 2, "report.odt", "pdf")
    done = reportgen(
        *("build", "--runs", lab / "logs", "--out", "out", "--format", "pdf,doc"), cwd=tmp_path
    )
    refused(done, 2, "'doc'")


def test_a_file_where_the_output_folder_should_be(lab, tmp_path):
    (tmp_path / "out").write_text("mine")
    done = reportgen("build", "--runs", lab / "logs", "--out", "out/report.pdf", cwd=tmp_path)
    refused(done, 2, "out")
    assert (tmp_path / "out").read_text() == "mine"


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder nobody may write to")
def test_an_unwritable_output_folder(lab, tmp_path):
    done = reportgen("build", "--runs", lab / "logs", "--out", "/proc/report.pdf", cwd=tmp_path)
    refused(done, 2, "/proc")


def test_a_run_without_validation_is_said(tmp_path):
    points = [(s, 0.5 + s / 1000) for s in (10, 20, 30)]
    write_scalars(tmp_path / "runs" / "a_seed1", {"val/accuracy": points, "test/accuracy": points})
    write_scalars(tmp_path / "runs" / "a_seed2", {"test/accuracy": points})
    done = reportgen("build", "--runs", "runs", "--out", "out/report.pdf", cwd=tmp_path)
    assert done.code == 0, done.err
    assert done.err.count("a_seed2: nothing logged on validation: no best step exists") == 1
    assert (tmp_path / "out" / "report.pdf").stat().st_size > 10_000


def test_no_run_with_validation_still_writes_what_there_is(tmp_path):
    points = [(s, 1 / s) for s in (10, 20, 30)]
    write_scalars(tmp_path / "runs" / "a_seed1", {"train/loss": points})
    done = reportgen("build", "--runs", "runs", "--out", "out/report.pdf", cwd=tmp_path)
    assert done.code == 0, done.err
    assert "no best step exists" in done.err
    assert (tmp_path / "out" / "report.pdf").stat().st_size > 10_000
    (tmp_path / "study.toml").write_text("metric.select_on = 'validation'\n", encoding="utf-8")
    asked = reportgen("build", "study.toml", "--runs", "runs", "--out", "out.json", cwd=tmp_path)
    assert asked.code == 3, asked.err
    assert (tmp_path / "out.json").is_file()


def test_a_damaged_log_is_named_and_the_rest_used(lab, tmp_path):
    import shutil

    shutil.copytree(lab / "logs" / "sentence_prediction", tmp_path / "logs")
    hit = next((tmp_path / "logs").rglob("RoBERTa_small_fr_ms8*/1/test/events*"))
    content = bytearray(hit.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 40] = bytes(byte ^ 0xFF for byte in content[middle : middle + 40])
    hit.write_bytes(bytes(content))
    done = reportgen("build", "--runs", "logs", "--out", "out/", cwd=tmp_path)
    assert done.code == 0, done.err
    assert hit.name in done.err


@pytest.mark.parametrize("arguments", [[], ["biuld"], ["build"], ["build", "--engine", "word"]])
def test_usage(tmp_path, arguments):
    done = reportgen(*arguments, cwd=tmp_path)
    assert done.code == 2
    assert "remedy: reportgen" in done.err


def test_help_names_the_exit_codes_and_gives_examples(tmp_path):
    for command in ("build", "init", "inspect", "explain", "templates"):
        done = reportgen(command, "--help", cwd=tmp_path)
        assert done.code == 0
        assert "examples:" in done.out
        assert "exit codes:" in done.out


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
def test_interrupting_leaves_nothing_half_written(lab, tmp_path):
    import signal
    import subprocess
    import sys
    import time

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


def test_a_diverged_loss_is_printed(tmp_path):
    points = [(10, 3.0), (20, 1e30), (30, 2.5)]
    write_scalars(tmp_path / "runs" / "a_seed1", {"val/loss": points, "test/loss": points})
    done = reportgen("build", "--runs", "runs", "--out", "out/", cwd=tmp_path)
    assert done.code == 0, done.err


ODD = {
    "an empty output": (("--out", ""), "an empty path"),
    "no format": (("--out", "o", "--format", ","), "names no format"),
    "the standard output": (("--out", "-"), "standard output"),
    "a name too long": (("--out", "x" * 300 + ".md"), "File name too long"),
    "a base without adapter": (("--out", "o", "--base", "absent"), "no adapter"),
    "no such checkpoint": (("--out", "o", "--checkpoint", "/absent/a.json"), "/absent/a.json"),
}


@pytest.mark.parametrize(("arguments", "message"), ODD.values(), ids=ODD)
def test_odd_arguments(lab, tmp_path, arguments, message):
    done = reportgen("build", "--runs", lab / "logs", *arguments, cwd=tmp_path)
    assert done.code in (2, 3)
    assert done.err.count("error:") == 1
    assert message in done.err
    assert nothing_in(tmp_path)


def test_a_tag_with_a_null_can_be_written_down(tmp_path):
    points = [(s, 0.5 + s / 100) for s in (1, 2, 3)]
    write_scalars(tmp_path / "runs" / "a_seed1", {"val/acc": points, "we\0ird": points})
    assert reportgen("init", "--runs", "runs", cwd=tmp_path).code == 0
    done = reportgen("build", "study.toml", "--out", "r.json", cwd=tmp_path)
    assert done.code == 0, done.err


def test_a_pattern_that_never_ends_is_ended(lab, tmp_path):
    (tmp_path / "study.toml").write_text(
        f"[runs]\npath = '{lab / 'logs'}'\npattern = '(?P<group>(\\w+_?)+)!(?P<seed>x)'\n"
    )
    done = reportgen("build", "study.toml", "--out", "r.json", cwd=tmp_path)
    refused(done, 2, "runs.pattern")


def test_a_slash_makes_a_folder_of_any_name(lab, tmp_path):
    arguments = ("build", lab / "study.toml", "--out", "run-lr0.1/", "--format", "json")
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
    project, tmp_path, engine
):
    logs = project / "inputs" / "tiny-reviews-hf" / "logs"
    build = ("build", "--runs", logs, "--out", "out", "--engine", engine)
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


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize(
    "words",
    [
        ("--runs", "loop", "--out", "q/report.md"),
        ("--runs", "logs", "--out", "loop/report.md"),
        ("loop", "--out", "q/report.md"),
    ],
)
def test_a_link_that_leads_to_itself_is_named(tmp_path, words):
    (tmp_path / "loop").symlink_to("loop")
    write_scalars(tmp_path / "logs" / "a", {"val/acc": [(1, 0.5)]})
    done = reportgen("build", *words, cwd=tmp_path)
    assert done.code in {2, 3}
    refused(done, done.code, "loop")


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
