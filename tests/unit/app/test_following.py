"""A report that follows its inputs, step by step and in one process."""

import json
import os
import threading

import pytest
from fakes.event_file import write_scalars

from reportgen.app.following import Follower, Pace, follow
from reportgen.app.options import BuildOptions
from reportgen.read.logs import files as reading_files
from reportgen.records.errors import EvidenceError, StudyError, TemplateError, UsageError

QUICK = Pace(look=0.01, quiet=0.01, burst=0.05, rest=0.01, hold=60.0, retry=0.0)
VALID = "eval/accuracy"


class Seen:
    """A follower that is stepped by hand, and what it told."""

    def __init__(self, folder, **options):
        self.rounds = []
        self.stop = threading.Event()
        chosen = {"runs": folder / "logs", "formats": ("json",), "cache": folder / "cache"}
        self.follower = Follower(
            BuildOptions(out=folder / "out", **(chosen | options)), self.rounds.append, QUICK
        )

    def step(self):
        """Return the states told by one step, and keep its last round."""
        before = len(self.rounds)
        self.follower.step(self.stop)
        return [round_.state for round_ in self.rounds[before:]]

    @property
    def last(self):
        return self.rounds[-1]


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """A run that has been finished for long: its log is known again by its times."""
    monkeypatch.chdir(tmp_path)
    write_scalars(tmp_path / "logs/a/seed_0", {VALID: [(1, 0.5), (2, 0.75)]})
    for path in (tmp_path / "logs").rglob("*"):
        os.utime(path, (1e9, 1e9))
    monkeypatch.setattr("reportgen.read.logs.one_file.SETTLED", -(10**12))
    return tmp_path


def log_of(lab):
    (path,) = (lab / "logs/a/seed_0").iterdir()
    return path


def add_run(lab, seed, **more):
    write_scalars(lab / f"logs/a/seed_{seed}", {VALID: [(1, 0.5), (2, 0.7)]}, **more)


def of_run(lab, name):
    """Return what the report says of its one run."""
    (group,) = json.loads((lab / "out/report.json").read_bytes())["groups"]
    (run,) = group["runs"]
    return run[name]


def test_nothing_is_done_where_nothing_changed(lab):
    seen = Seen(lab)
    assert seen.step() == ["building", "current"]
    assert seen.last.outcome.written == (lab / "out/report.json",)
    assert seen.step() == []


def test_of_many_logs_the_one_that_changed_is_read(lab):
    add_run(lab, 1)
    seen = Seen(lab)
    seen.step()
    assert sum(name.startswith("log ") for name in seen.last.redone) == 2
    add_run(lab, 2)
    assert seen.step() == ["building", "current"]
    (log,) = (name for name in seen.last.redone if name.startswith("log "))
    assert log.startswith("log a/seed_2/")


def test_a_drawing_that_stays_the_same_is_not_drawn_again(lab):
    seen = Seen(lab, formats=("md",))
    seen.step()
    figures = [name for name in seen.last.redone if name.startswith("figure ")]
    assert figures
    (lab / "logs/notes.txt").write_text("no log of a training\n")
    assert seen.step() == ["building", "current"]
    assert [name for name in seen.last.redone if name.startswith("figure ")] == []


def test_a_file_that_no_loader_answers_to_changes_nothing(lab):
    seen = Seen(lab)
    seen.step()
    (lab / "logs/a/seed_0/picture.png").touch()
    (lab / "logs/a/seed_0/optimizer.pkl").write_bytes(b"x")
    assert seen.step() == []


def test_before_the_first_point_it_waits_and_says_so_once(tmp_path):
    seen = Seen(tmp_path)
    assert seen.step() == ["building", "waiting"]
    assert isinstance(seen.last.fault, EvidenceError)
    assert seen.last.exit_code == 3
    assert seen.step() == []
    (tmp_path / "logs").mkdir()
    assert seen.step() == ["building", "waiting"]
    assert "no training logs" in seen.last.fault.message
    write_scalars(tmp_path / "logs/a/seed_0", {VALID: [(1, 0.5)]})
    assert seen.step() == ["building", "current"]


def test_a_folder_that_vanishes_leaves_the_report_and_may_return(lab):
    seen = Seen(lab)
    seen.step()
    report = (lab / "out/report.json").read_bytes()
    (lab / "logs").rename(lab / "away")
    assert seen.step() == ["building", "failed"]
    assert (lab / "out/report.json").read_bytes() == report
    (lab / "away").rename(lab / "logs")
    assert seen.step() == ["building", "current"]
    assert (seen.last.redone, seen.last.outcome.written) == ((), ())


def test_a_file_that_is_removed_takes_its_run_with_it(lab):
    add_run(lab, 1)
    seen = Seen(lab)
    seen.step()
    (path,) = (lab / "logs/a/seed_1").iterdir()
    path.unlink()
    assert seen.step() == ["building", "current"]
    assert len(json.loads((lab / "out/report.json").read_bytes())["groups"][0]["runs"]) == 1


def test_a_run_that_starts_again_replaces_what_it_overlaps(lab):
    seen = Seen(lab)
    seen.step()
    write_scalars(lab / "logs/a/seed_0", {VALID: [(2, 0.8125), (3, 0.875)]}, start=1.8e9)
    assert seen.step() == ["building", "current"]
    assert [of_run(lab, name) for name in ("best_step", "last_value")] == [3, 0.875]


def test_a_log_amid_a_write_is_waited_for_and_then_believed(lab, monkeypatch):
    state = lab / "logs/b/trainer_state.json"
    seen = Seen(lab)
    seen.step()
    state.parent.mkdir()
    state.write_text('{"log_history": [{"step": 1, "eval_accu')
    assert seen.step() == ["building"]
    assert seen.step() == ["building"]
    state.write_text('{"log_history": [{"step": 1, "eval_accuracy": 0.625}]}')
    assert seen.step() == ["building", "current"]
    assert not [warning for warning in seen.last.outcome.warnings if "JSON" in warning]
    # One that stays as it is was not being written: it is said.
    state.write_text('{"log_history": [{"step": 1, "eval_accu')
    os.utime(state, (1e9, 1e9))
    monkeypatch.setattr("reportgen.app.following.FRESH", 0.0)
    assert seen.step() == ["building", "current"]
    assert [warning for warning in seen.last.outcome.warnings if "JSON" in warning]


def test_a_log_that_is_never_whole_is_not_waited_for_for_ever(lab):
    seen = Seen(lab)
    seen.follower._pace = Pace(look=0.01, quiet=0.0, burst=0.0, rest=0.0, hold=0.0, retry=0.0)
    seen.step()
    (lab / "logs/b").mkdir()
    (lab / "logs/b/trainer_state.json").write_text('{"log_history": [')
    assert seen.step() == ["building", "current"]


def test_a_study_that_is_broken_amid_an_edit_is_a_letter_until_it_is_mended(lab):
    study = lab / "study.toml"
    study.write_text('[report]\ntitle = "One"\n\n[logs]\npath = "logs"\n')
    study.write_text('[report]\ntitle = "One"\n')
    seen = Seen(lab, study=study)
    assert seen.step() == ["building", "current"]
    study.write_text('[report\ntitle = "Two"\n')
    assert seen.step() == ["building", "failed"]
    assert isinstance(seen.last.fault, StudyError)
    assert seen.step() == []
    study.write_text('[report]\ntitle = "Two"\n')
    assert seen.step() == ["building", "current"]
    assert json.loads((lab / "out/report.json").read_bytes())["title"] == "Two"


def test_templates_that_come_change_and_go_are_followed(lab):
    seen = Seen(lab, formats=("html", "md"))
    seen.step()
    blocks = lab / "templates/html/blocks"
    blocks.mkdir(parents=True)
    (blocks / "paragraph.j2").write_text("<p>mine: {{ text }}</p>\n")
    assert seen.step() == ["building", "current"]
    assert b"<p>mine: " in (lab / "out/report.html").read_bytes()
    (blocks / "paragraph.j2").write_text("<p>{{ txet }}</p>\n")
    assert seen.step() == ["building", "failed"]
    assert isinstance(seen.last.fault, TemplateError)
    assert b"<p>mine: " in (lab / "out/report.html").read_bytes()
    # Only the format whose template it is is rendered again.
    (blocks / "paragraph.j2").write_text("<p>ours: {{ text }}</p>\n")
    assert seen.step() == ["building", "current"]
    assert seen.last.redone == ("report.html",)
    (blocks / "paragraph.j2").unlink()
    assert seen.step() == ["building", "current"]
    assert b"ours: " not in (lab / "out/report.html").read_bytes()


def test_a_disk_that_is_full_is_tried_again(lab, monkeypatch):
    seen = Seen(lab)
    seen.step()
    add_run(lab, 1)
    really = os.fdopen

    def full(handle, mode="r", **more):
        os.close(handle)
        raise OSError(28, "No space left on device")

    report = (lab / "out/report.json").read_bytes()
    monkeypatch.setattr(os, "fdopen", full)
    assert seen.step() == ["building", "failed"]
    assert "No space left" in seen.last.fault.message
    # It is said once, however often it is tried.
    assert seen.step() == []
    assert [path.name for path in (lab / "out").iterdir()] == ["report.json"]
    assert (lab / "out/report.json").read_bytes() == report
    monkeypatch.setattr(os, "fdopen", really)
    assert seen.step() == ["current"]
    assert seen.last.outcome.written == (lab / "out/report.json",)


def test_a_log_that_the_system_refused_is_asked_for_again(lab, monkeypatch):
    really = reading_files.FileReader._open

    def refuse(self):
        raise OSError(116, "Stale file handle")

    monkeypatch.setattr(reading_files.FileReader, "_open", refuse)
    seen = Seen(lab)
    seen.step()
    monkeypatch.setattr(reading_files.FileReader, "_open", really)
    assert seen.step() == ["current"]
    assert not [warning for warning in seen.last.outcome.warnings if "Stale" in warning]
    assert seen.step() == []


def test_a_clock_that_is_set_back_hides_nothing(lab):
    seen = Seen(lab)
    seen.step()
    path = log_of(lab)
    write_scalars(lab / "new", {VALID: [(3, 0.875)]})
    (more,) = (lab / "new").iterdir()
    path.write_bytes(path.read_bytes() + more.read_bytes())
    os.utime(path, (5e8, 5e8))
    assert seen.step() == ["building", "current"]


def test_a_training_that_never_pauses_is_followed_all_the_same(lab):
    seen, stop = Seen(lab), threading.Event()
    seen.step()

    def feed():
        seed = 1
        while not stop.wait(0.005):
            (lab / "logs/beat.txt").write_text(f"{seed}\n")
            seed += 1

    feeder = threading.Thread(target=feed)
    feeder.start()
    try:
        add_run(lab, 1)
        assert seen.step() == ["building", "current"]
    finally:
        stop.set()
        feeder.join()


def test_what_is_wrong_from_the_beginning_ends_it(lab):
    with pytest.raises(UsageError, match="no template folder"):
        Seen(lab, template=lab / "nowhere").step()
    with pytest.raises(UsageError, match="no format"):
        Seen(lab, formats=("odt",))
    (lab / "study.toml").write_text("[report\n")
    with pytest.raises(StudyError):
        Seen(lab, study=lab / "study.toml")
    with pytest.raises(UsageError, match="cache"):
        Seen(lab, runs="memory://bucket/logs", cache=None)


def test_without_writing_the_report_is_told_alone(lab):
    seen = Seen(lab)
    seen.follower._writes = False
    seen.step()
    assert seen.last.outcome.written == seen.last.outcome.files == ()
    assert set(seen.last.files) == {"report.json"}
    assert not (lab / "out").exists()


def test_following_ends_when_it_is_told_to(lab):
    told, stop = [], threading.Event()

    def tell(round_):
        told.append(round_.state)
        if round_.state == "current":
            stop.set()

    options = BuildOptions(out=lab / "out", runs=lab / "logs", formats=("json",), cache=None)
    follow(options, tell, stop=stop, pace=QUICK)
    assert told == ["building", "current"]
