"""Several event files of one run: restarts, live writers, copies, and sessions beside it.

The files are real; `test_event_pitfalls.py` says what one of them holds.
"""

from dataclasses import replace

import pytest
from fakes.event_file import hyperparameters, put, scalar, scalars, starts

from reportgen.read.logs import load_tree
from reportgen.records.study import Study
from reportgen.runs import assemble

FIRST, SECOND = "run/events.out.tfevents.1.host.1.0", "run/events.out.tfevents.2.host.2.0"
LATER = 2e9


def logged(steps, value=1.0, tag="loss", start=1e9):
    """Return one point a step, a second apart."""
    return scalars(tag, [(step, value) for step in steps], start)


@pytest.fixture
def read(tmp_path):
    """Put files together that hold these events; returns the runs."""

    def from_files(files, **fields):
        for name, events in files.items():
            put(tmp_path / name, events)
        tree = load_tree(tmp_path)
        runs, _ = assemble(tree.logs, tree.files, Study(**fields), "lab")
        return replace(runs, problems=(*runs.problems, *tree.problems))

    return from_files


def points(run, tag="loss"):
    return list(run.scalars[tag].points())


def steps(run, tag="loss"):
    return run.scalars[tag].steps.tolist()


def told(runs, *words):
    """Return the level of every problem whose message has these words."""
    return [p.level for p in runs.all_problems() if all(word in p.message for word in words)]


# --- restarts -----------------------------------------------------------------------------


@pytest.mark.parametrize("purge", [[], [starts(6)]], ids=["silent", "purge_step"])
def test_a_restart_replaces_what_it_overlaps(read, purge):
    later = [*purge, *logged((6, 7, 8), 2.0, start=LATER)]
    (run,) = runs = read({FIRST: logged(range(10)), SECOND: later})
    assert points(run) == [*((s, 1.0) for s in range(6)), (6, 2.0), (7, 2.0), (8, 2.0)]
    assert told(runs, "4 points superseded") == ["note"]


def test_a_training_that_began_again_three_times(read):
    (run,) = read({
        f"run/events.out.tfevents.{n}.host.{n}.0": logged(range(first, last), n, start=n * 1e8)
        for n, (first, last) in enumerate([(0, 10), (5, 8), (7, 12), (9, 20)], start=1)
    })  # fmt: skip
    assert [int(value) for _, value in points(run)] == [1] * 5 + [2] * 2 + [3] * 2 + [4] * 11
    assert steps(run) == list(range(20))


def test_a_restart_voids_the_later_points_of_every_tag_of_its_folder(read):
    (run,) = read({
        FIRST: [*logged(range(10)), *logged((3, 8), tag="eval/loss")],
        SECOND: logged((6, 7), 2.0, start=LATER),
    })  # fmt: skip
    assert (steps(run), steps(run, "eval/loss")) == (list(range(8)), [3])


def test_a_stated_restart_voids_points_although_it_logs_other_tags(read):
    (run,) = runs = read({
        FIRST: logged(range(10)), SECOND: [starts(6), *logged((6, 7), tag="lr", start=LATER)],
    })  # fmt: skip
    assert (steps(run), steps(run, "lr")) == (list(range(6)), [6, 7])
    assert told(runs, "began again at step 6", "4 points superseded") == ["note"]


def test_a_stated_restart_of_one_point_is_no_evaluation_after_training(read):
    again = [starts(6), *logged([6], 2.0, "eval/loss", LATER)]
    (run,) = read({FIRST: logged(range(10), tag="eval/loss"), SECOND: again})
    assert points(run, "eval/loss") == [*((s, 1.0) for s in range(6)), (6, 2.0)]


def test_a_stated_restart_from_the_first_step_leaves_nothing_of_the_first(read):
    again = [starts(0), *logged(range(3), 2.0, start=LATER)]
    (run,) = runs = read({FIRST: logged(range(10)), SECOND: again})
    assert points(run) == [(0, 2.0), (1, 2.0), (2, 2.0)]
    assert told(runs, "10 points superseded") == ["note"]


def test_a_start_that_is_stated_behind_the_last_step_voids_nothing(read):
    later = [starts(10), *logged(range(10, 15), 2.0, start=LATER)]
    (run,) = runs = read({FIRST: logged(range(10)), SECOND: later})
    assert steps(run) == list(range(15))
    assert told(runs, "superseded") == []


def test_a_restart_voids_nothing_that_was_written_after_it(read):
    # Folders of splits have files of their own, which may start earlier than the run's.
    below = "run/validation/events.out.tfevents"
    (run,) = read({
        FIRST: logged(range(10)), f"{below}.1.host.1.1": logged(range(10), start=1e9 + 3),
        SECOND: logged((6, 7), 2.0, start=LATER + 5),
        f"{below}.2.host.2.1": logged((6, 7), 2.0, start=LATER),
    })  # fmt: skip
    assert points(run, "validation/loss")[-3:] == [(5, 1.0), (6, 2.0), (7, 2.0)]
    assert points(run)[-3:] == [(5, 1.0), (6, 2.0), (7, 2.0)]


def test_trainings_that_start_over_are_runs_of_their_own(read):
    files = {f"run/events.out.tfevents.{n}.host.{n}.0": logged(range(5), n, start=n * 1e8)
             for n in (1, 2, 3)}  # fmt: skip
    runs = read(files)
    assert [run.id for run in runs] == ["run#1", "run#2", "run#3"]
    assert told(runs, "3 runs share one folder") == ["warning"]


def test_a_resume_goes_on_with_the_start_that_went_so_far(read):
    spans = {1: range(10), 2: range(3), 3: range(10, 15)}
    runs = read({
        f"run/events.out.tfevents.{n}.host.{n}.0": logged(at, n, start=n * 1e8)
        for n, at in spans.items()
    })  # fmt: skip
    assert sorted(map(steps, runs)) == [list(range(3)), list(range(15))]


# --- live writers -------------------------------------------------------------------------


def test_two_writers_at_once_are_kept_apart_and_named(read):
    runs = read({FIRST: logged(range(20)), SECOND: logged(range(10, 30), 2.0, start=1e9 + 5)})
    assert sorted(map(steps, runs)) == [list(range(20)), list(range(10, 30))]
    assert told(runs, "2 runs share one folder") == ["warning"]


def test_two_writers_at_once_of_different_tags_are_one_run(read):
    (run,) = runs = read({FIRST: logged(range(20)), SECOND: logged(range(20), tag="lr")})
    assert set(run.scalars) == {"loss", "lr"}
    assert told(runs, "share") == []


def test_two_writers_at_once_whose_steps_do_not_meet_are_one_run_with_a_warning(read):
    (run,) = runs = read({FIRST: logged(range(20)), SECOND: logged(range(20, 30), start=1e9 - 15)})
    assert steps(run) == list(range(30))
    assert told(runs, "overlap") == ["warning"]


def test_a_clock_that_is_no_number_raises_nothing(read):
    nan = float("nan")
    first = [scalar("loss", 1, 1.0, nan), scalar("lr", 1, 1.0, 5.0)]
    second = [scalar("loss", 1, 2.0, nan), scalar("lr", 2, 1.0, 6.0), scalar("loss", 2, 1.0, 7.0)]
    assert sum(len(run.scalars["loss"]) for run in read({FIRST: first, SECOND: second})) >= 2


# --- copies -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [f"{FIRST}.bak", "run/a copy of events.out.tfevents.1"])
@pytest.mark.parametrize("part", [slice(0, 7), slice(0, 10), slice(2, 9)])
def test_a_copy_of_a_part_is_read_once_and_named(read, name, part):
    events = [scalar("loss", s, s / 3, 1e9 + s * 1.0625) for s in range(10)]
    (run,) = runs = read({FIRST: events, name: events[part]})
    assert steps(run) == list(range(10))
    assert [p.level for p in runs.all_problems() if "read once" in p.message] == ["warning"]


def test_of_copies_the_one_in_the_upper_folder_counts(read):
    (run,) = runs = read({FIRST: (same := logged(range(5))), "run/backup/events.tfevents.1": same})
    assert [run.id, *(source.path for source in run.sources)] == ["run", FIRST]
    assert told(runs, "read once") == ["warning"]


def test_a_file_that_ends_amid_a_step_is_gone_on_with(read):
    first = [*logged(range(5)), *logged(range(4), tag="lr")]
    later = [*logged(range(4, 9), tag="lr", start=LATER), *logged(range(5, 9), start=LATER)]
    files = {FIRST: first, SECOND: later}
    (run,) = runs = read(files)
    assert steps(run) == steps(run, "lr") == list(range(9))
    assert told(runs, "superseded") == []


def test_two_files_with_one_clock_and_other_values_are_no_copies(read):
    assert len(read({FIRST: logged(range(10)), SECOND: logged(range(10), 2.0)})) == 2


# --- folders ------------------------------------------------------------------------------


def test_the_trainer_resumes_into_a_new_folder_of_the_same_run(read):
    both = {"train/loss": 1.0, "train/epoch": 0.5, "eval/loss": 2.0}
    files = {
        f"out/runs/Nov0{n}_10-00-00_host/events.out.tfevents.{n}.host.{n}.0": [
            event for tag, value in both.items() for event in logged(at, value * n, tag, n * 1e8)
        ]
        for n, at in enumerate([range(10), range(10, 15)], start=1)
    }
    (run,) = runs = read(files)
    assert steps(run, "train/loss") == list(range(15))
    assert told(runs, "taken as the continuation of", "from step 10 on") == ["note"]


@pytest.mark.parametrize("first", [6, 10, 11])
def test_a_run_that_may_resume_the_one_beside_it_is_kept_apart_and_the_chain_offered(read, first):
    runs = read({
        "lightning_logs/version_0/events.out.tfevents.1": logged(range(10), tag="train_loss"),
        "lightning_logs/version_1/events.out.tfevents.2": logged(
            range(first, 20), 2.0, "train_loss", LATER
        ),
    })  # fmt: skip
    assert [run.id for run in runs] == ["lightning_logs/version_0", "lightning_logs/version_1"]
    (offer,) = [p for p in runs.all_problems() if "resumed" in p.message]
    assert (offer.path, offer.level) == ("lightning_logs/version_1", "note")
    assert f"begins at step {first}, and lightning_logs/version_0 ended" in offer.message
    assert "into one folder" in offer.remedy


def test_what_was_offered_can_be_done(read):
    (run,) = read({
        "lightning_logs/version_0/events.out.tfevents.1": logged(range(10), tag="train_loss"),
        "lightning_logs/version_0/events.out.tfevents.2": logged(
            range(10, 20), 2.0, "train_loss", LATER
        ),
    })  # fmt: skip
    assert steps(run, "train_loss") == list(range(20))


@pytest.mark.parametrize(
    ("one", "other", "start"),
    [
        (range(10), range(10), LATER),
        (range(0, 1000, 10), range(50, 1000, 50), LATER),
        (range(10), range(500, 510), LATER),
        (range(10), range(10, 20), 1e9 - 5),
    ],
    ids=["both begin", "another stride", "far behind", "at the same time"],
)
def test_runs_that_resume_nothing_are_offered_nothing(read, one, other, start):
    runs = read({
        "lightning_logs/version_0/events.out.tfevents.1": logged(one, tag="train_loss"),
        "lightning_logs/version_1/events.out.tfevents.2": logged(other, 2.0, "train_loss", start),
    })  # fmt: skip
    assert len(runs) == 2
    assert told(runs, "resumed") == []


@pytest.mark.parametrize("name", ["1700000000.25", "final"])
def test_a_session_of_hyperparameters_belongs_to_the_run_above(read, name):
    session = [hyperparameters(lr=0.5, seed=4), scalar("hparam/accuracy", 0, 0.75, 1e9 + 50)]
    (run,) = read({FIRST: logged(range(1, 10)), f"run/{name}/events.out.tfevents.2": session})
    assert (run.id, run.seed, run.config["lr"]) == ("run", 4, 0.5)
    assert points(run, "hparam/accuracy") == [(0, 0.75)]
    assert steps(run) == list(range(1, 10))


def test_what_a_session_says_of_a_tag_of_the_run_changes_no_series(read):
    session = [hyperparameters(lr=0.5), scalar("loss", 0, 0.75, 1e9 + 50)]
    (run,) = runs = read({
        FIRST: logged(range(1, 10)), "run/1700000000.25/events.out.tfevents.2": session,
    })  # fmt: skip
    assert points(run) == [(s, 1.0) for s in range(1, 10)]
    assert run.config["lr"] == 0.5
    assert told(runs, "loss 0.75", "hyperparameters") == ["note"]


def test_sessions_without_a_run_above_are_runs_of_their_own(read):
    runs = read({
        f"run/170000000{n}.25/events.out.tfevents.{n}.host.1.{n}": [
            hyperparameters(lr=n / 8), scalar("hparam/accuracy", 0, n / 4, 1e9 + n),
        ]
        for n in (1, 2, 3)
    })  # fmt: skip
    assert [run.config["lr"] for run in runs] == [0.125, 0.25, 0.375]
    assert [points(run, "hparam/accuracy") for run in runs] == [[(0, n / 4)] for n in (1, 2, 3)]


def test_runs_that_state_settings_and_one_value_each_stay_runs(read):
    # So TensorFlow's tutorial on hyperparameters writes them: the folder above is no run.
    runs = read({
        f"logs/run-{n}/events.out.tfevents.{n}.host.1.{n}.v2": [
            hyperparameters(units=16 * n), scalar("accuracy", 1, n / 4, 1e9 + n),
        ]
        for n in (1, 2, 3)
    })  # fmt: skip
    assert [run.id for run in runs] == ["logs/run-1", "logs/run-2", "logs/run-3"]
    assert [run.config["units"] for run in runs] == [16, 32, 48]


def test_a_run_below_a_run_stays_one(read):
    below = [hyperparameters(lr=0.5), *logged(range(5), start=1e9 + 50)]
    runs = read({FIRST: logged(range(10)), "run/again/events.out.tfevents.2.host.1.1": below})
    assert [run.id for run in runs] == ["run", "run/again"]


# --- sessions over several files ----------------------------------------------------------

EPOCH = 100


def epochs_of(splits, first, last, value, start):
    """Return {split: events} of a process that logs these splits at the end of each epoch."""
    return {
        split: scalars(
            "acc",
            [(n * EPOCH, value + n + number / 10) for n in range(first, last + 1)],
            start + number,
        )
        for number, split in enumerate(splits)
    }


def files_of(sessions):
    """Return {file: events}: each session writes a file of its own into the folder of a split."""
    return {
        f"m/0/{split}/events.out.tfevents.{n}.host.7.{n}": events
        for n, session in enumerate(sessions)
        for split, events in session.items()
    }


@pytest.mark.parametrize("killed", ["train", "valid", "test"])
def test_a_run_killed_between_splits_goes_on_with_the_values_of_one_session(read, killed):
    splits = ("train", "valid", "test")
    first = epochs_of(splits, 1, 5, 10.0, 1e9)
    for split in splits[splits.index(killed) + 1 :]:
        first[split] = first[split][:-1]
    second = epochs_of(splits, 5, 6, 50.0, LATER)
    (run,) = runs = read(files_of([first, second]))
    for number, split in enumerate(splits):
        logged_values = [round(value, 1) for _, value in points(run, f"{split}/acc")]
        shift = number / 10
        assert logged_values == [round(10 + n + shift, 1) for n in (1, 2, 3, 4)] + [
            round(50 + n + shift, 1) for n in (5, 6)
        ]
    superseded = splits.index(killed) + 1
    noun = "point" if superseded == 1 else "points"
    assert told(runs, f"began again at step 500: {superseded} {noun} superseded") == ["note"]


def test_what_only_the_first_session_logged_is_void_from_the_second_ones_start(read):
    first = epochs_of(("train", "valid", "test"), 1, 5, 10.0, 1e9)
    second = epochs_of(("train", "valid"), 4, 4, 50.0, LATER)
    (run,) = read(files_of([first, second]))
    assert steps(run, "test/acc") == [100, 200, 300]
    assert steps(run, "valid/acc") == [100, 200, 300, 400]


def test_what_was_measured_after_training_is_a_result_without_a_step(read):
    training = [*logged(range(1, 4), tag="train/loss"), *logged(range(1, 4), 0.5, "val/acc")]
    again = logged([3], 0.7, "val/acc", LATER)
    (run,) = read({FIRST: training, SECOND: again})
    assert points(run, "val/acc")[-1] == (3, 0.5)
    assert [(r.tag, round(r.value, 3), r.step) for r in run.results] == [("val/acc", 0.7, None)]


def test_a_test_behind_the_last_step_is_a_result_without_a_step(read):
    files = {
        FIRST: [*logged(range(1, 4), tag="train/acc"), *logged(range(1, 4), 0.5, "val/acc")],
        SECOND: logged([4], 0.75, "test/acc", LATER),
    }
    (run,) = read(files)
    assert [(r.metric, r.split, r.value) for r in run.results] == [("accuracy", "test", 0.75)]


@pytest.mark.parametrize(("clock", "values"), [(LATER, [0.75]), (1.0, [])])
def test_a_test_at_step_0_is_a_result_where_the_clock_says_it_came_last(
    put_together, log, clock, values
):
    files = [
        log(FIRST, {"train/loss": {1: 2.0, 2: 1.0}, "val/acc": {1: 0.5, 2: 0.6}}),
        log(SECOND, {"test/acc": {0: 0.75}}, start=clock),
    ]
    runs, _ = put_together(*files)
    assert [r.value for run in runs for r in run.results] == values
