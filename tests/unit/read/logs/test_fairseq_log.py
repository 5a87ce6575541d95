import json

import pytest

from reportgen.read.logs.fairseq_log import load_fairseq_log

RUN = """\
{stamp} | INFO | fairseq_cli.train | {{'_name': None, 'common': {{'_name': None, 'seed': {seed}, \
'tensorboard_logdir': 'logs/small/{seed}'}}, 'optimization': {{'lr': [1e-05], 'max_epoch': 2}}}}
{stamp} | INFO | fairseq_cli.train | num. shared model params: 23,388,418 (num. trained: 23,388,418)
{stamp} | INFO | valid | epoch 001 | valid on 'valid' subset | loss 0.9 | accuracy {a} | num_updates 225
{stamp} | INFO | test | epoch 001 | valid on 'test' subset | loss 0.8 | accuracy 60.5 | num_updates 225
{stamp} | INFO | train | epoch 001 | loss 1 | accuracy 53.2 | lr 9.87e-06 | num_updates 225
{stamp} | INFO | valid | epoch 002 | valid on 'valid' subset | loss 0.7 | accuracy {b} | num_updates 450 | best_accuracy {b}
"""  # noqa: E501


def write(tmp_path, text, name="stdout.log"):
    path = tmp_path / name
    path.write_text(text)
    return load_fairseq_log(path, name)


def test_two_runs_in_one_file(tmp_path):
    stamp = "2023-11-16 16:57:04"
    text = RUN.format(stamp=stamp, seed=0, a=57, b=65) + RUN.format(stamp=stamp, seed=1, a=62, b=69)
    first, second = write(tmp_path, text)
    assert list(first.series["valid/accuracy"].points()) == [(225, 57.0), (450, 65.0)]
    assert list(second.series["valid/accuracy"].points()) == [(225, 62.0), (450, 69.0)]
    assert list(first.series["test/accuracy"].points()) == [(225, 60.5)]
    assert list(first.series["train/lr"].points()) == [(225, 9.87e-06)]
    assert list(first.series["valid/epoch"].points()) == [(225, 1.0), (450, 2.0)]
    assert first.series["valid/loss"].wall_times[0] == 1700153824.0
    assert (first.run_key, second.run_key) == ("logs/small/0", "logs/small/1")
    assert first.config["seed"] == 0
    assert second.config["seed"] == 1
    assert first.config["max_epoch"] == 2
    assert first.config["num_shared_model_params"] == 23_388_418
    assert first.config["num_trained"] == 23_388_418


def test_lines_of_the_first_releases_have_no_clock(tmp_path):
    (log,) = write(
        tmp_path,
        "| epoch 001 | loss 5.1 | ppl 34.3 | wps 1,200 | num_updates 100 | lr 0.0001\n"
        "| epoch 001 | valid on 'valid' subset | loss 4.9 | ppl 29.9 | num_updates 100\n",
    )
    assert list(log.series["train/wps"].points()) == [(100, 1200.0)]
    assert list(log.series["valid/ppl"].points()) == [(100, 29.9)]


def test_a_session_begins_where_updates_go_back(tmp_path):
    line = "| INFO | valid | epoch 001 | valid on 'valid' subset | loss {} | num_updates {}\n"
    logs = write(tmp_path, "".join(line.format(v, n) for v, n in ((5, 10), (4, 20), (6, 10))))
    assert [list(log.series["valid/loss"].points()) for log in logs] == [
        [(10, 5.0), (20, 4.0)], [(10, 6.0)],
    ]  # fmt: skip
    assert [(log.run_key, log.session) for log in logs] == [("", 0), ("", 1)]


def test_infinite_and_missing_numbers(tmp_path):
    (log,) = write(tmp_path, "| INFO | train | epoch 001 | loss nan | ppl inf | num_updates 5\n")
    assert str(log.series["train/loss"].values[0]) == "nan"
    assert str(log.series["train/ppl"].values[0]) == "inf"


def test_the_saved_outputs_of_a_notebook(tmp_path):
    text = RUN.format(stamp="2023-11-16 16:57:04", seed=0, a=57, b=65)
    cell = {"outputs": [{"output_type": "stream", "text": text.splitlines(keepends=True)}]}
    (log,) = write(tmp_path, json.dumps({"cells": [{"source": "!train"}, cell]}), "lab.ipynb")
    assert list(log.series["valid/accuracy"].points()) == [(225, 57.0), (450, 65.0)]


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.txt", "nothing"), ("a.log", ""), ("a.ipynb", "{"), ("a.ipynb", '{"cells": [3]}'),
     ("a.log", "num_updates are counted | here\n"), ("a.log", "x" * 3_000_000)],
)  # fmt: skip
def test_other_texts_are_no_logs(tmp_path, name, text):
    assert write(tmp_path, text, name) == ()


def test_a_notebook_that_was_not_downloaded_is_named(tmp_path):
    (log,) = write(tmp_path, "version https://git-lfs.github.com/spec/v1\nsize 9\n", "lab.ipynb")
    assert "Git-LFS pointer" in log.problems[0].message
    assert log.source.size == 50


def test_nothing_printed_is_executed(tmp_path):
    evil = "| INFO | fairseq_cli.train | {'a': __import__('os').abort()}\n"
    text = evil + "| INFO | valid | epoch 001 | valid on 'valid' subset | loss 1 | num_updates 1\n"
    (log,) = write(tmp_path, text)
    assert log.config == {}


@pytest.mark.parametrize(
    ("end", "points", "told"),
    [
        ("| accuracy 79.5 | num_updates 450\n", [(225, 76.5), (450, 79.5)], []),
        # Copied text: whole, and without an end.
        ("| accuracy 79.5 | num_updates 450", [(225, 76.5), (450, 79.5)], ["may be half a number"]),
        # The same line while it is written: half a step would be a point, or a run, of its own.
        ("| accuracy 79.5 | num_updates 45", [(225, 76.5)], ["is cut off"]),
        ("| accuracy 79.5 | num_updates 225", [(225, 76.5)], ["is cut off"]),
        ("| accuracy 79.5 | num_upda", [(225, 76.5)], []),
    ],
)
def test_a_last_line_that_has_no_end_is_told(tmp_path, end, points, told):
    head = "| epoch 001 | valid on 'valid' subset "
    (log,) = write(tmp_path, f"{head}| accuracy 76.5 | num_updates 225\n{head}{end}")
    assert list(log.series["valid/accuracy"].points()) == points
    assert [p.message.partition(": ")[2] or p.message for p in log.problems] == [
        {"may be half a number": "its last number may be half a number"}.get(
            t, f"the last line, 2, {t}"
        )
        for t in told
    ]
    assert all(p.offset == len(f"{head}| accuracy 76.5 | num_updates 225\n") for p in log.problems)


def test_a_count_of_too_many_digits_is_none(tmp_path):
    text = RUN.format(stamp="2023-11-16 16:57:04", seed=0, a=57, b=65)
    for count in ("9" * 5000, "," * 3):
        (log,) = write(tmp_path, text.replace("23,388,418", count))
        assert "num_trained" not in log.config
        assert list(log.series["valid/accuracy"].points()) == [(225, 57.0), (450, 65.0)]


def test_half_a_letter_in_a_notebook_is_no_fault(tmp_path):
    line = "| epoch 001 | valid on 'valid' subset | loss 0.5 | num_updates 3\\n\\ud800"
    output = f'{{"output_type": "stream", "text": "{line}"}}'
    (log,) = write(tmp_path, f'{{"cells": [{{"outputs": [{output}]}}]}}', "run.ipynb")
    assert set(log.series) == {"valid/epoch", "valid/loss"}
