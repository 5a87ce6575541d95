"""Every layout: what it recognises, and where it puts a log."""

import pytest
from fakes.rows import rows_beside

from reportgen.runs import LAYOUTS, SPLIT_NAMES

ROWS = rows_beside(__file__)


@pytest.mark.parametrize(("layout", "path", "tags", "run", "folder"), ROWS["recognised_and_placed"])
def test_recognised_and_placed(log, layout, path, tags, run, folder):
    one = log(path, {tag: {1: 1.0} for tag in tags})
    first = next(n for n in LAYOUTS if list(LAYOUTS.load(n).recognise([one])))
    place = LAYOUTS.load(layout).place(one)
    assert (first, place.run, place.folder) == (layout, run, folder)


@pytest.mark.parametrize(
    ("path", "run"),
    [("m/seed1.log", "m/seed1"), ("m_s3/m-seed3.out", "m_s3"), ("m/4711.out", "m"),
     ("m/run_1.log", "m"), ("m/seed1/run.log", "m/seed1")],
)  # fmt: skip
def test_a_console_is_a_run_where_its_name_says_a_seed_that_its_folder_does_not(log, path, run):
    one = log(path, {"loss": {1: 1.0}}, kind="console")
    assert LAYOUTS.load("plain").place(one).run == run


def test_folders_named_train_and_test_alone_are_not_fairseq(log):
    logs = [log(f"r/{split}/a.tfevents", {"loss": {1: 1.0}}) for split in ("train", "test")]
    assert list(LAYOUTS.load("fairseq").recognise(logs)) == []


def test_a_fairseq_command_line_is_recognised_without_its_validation_folder(log):
    one = log(
        "r/0/test/a.tfevents",
        {"loss": {1: 1.0}},
        texts={"sys.argv/text_summary": "['--seed', '0']"},
    )
    assert list(LAYOUTS.load("fairseq").recognise([one])) == [one]


@pytest.mark.parametrize(("layout", "folder", "tag", "metric", "split"), ROWS["labels"])
def test_labels(layout, folder, tag, metric, split):
    assert LAYOUTS.load(layout).label(folder, tag, SPLIT_NAMES) == (metric, split)


def test_every_layout_carries_its_own_name():
    assert [LAYOUTS.load(name).name for name in LAYOUTS] == list(LAYOUTS)
