import json

from reportgen.read.logs.rows import load_hf_results


def load(tmp_path, content):
    path = tmp_path / "all_results.json"
    path.write_text(content)
    (log,) = load_hf_results(path, "run/all_results.json")
    return log


def test_one_result_a_metric_and_no_step(tmp_path):
    log = load(tmp_path, json.dumps(
        {"eval_accuracy": 0.75, "predict_f1": 0.5, "train_loss": 0.1, "epoch": 3.0, "note": "x"}
    ))  # fmt: skip
    assert log.results == {
        "eval/accuracy": 0.75, "predict/f1": 0.5, "train/train_loss": 0.1, "train/epoch": 3.0,
    }  # fmt: skip
    assert (log.series, log.problems) == ({}, ())


def test_a_file_without_numbers_says_so(tmp_path):
    assert [p.message for p in load(tmp_path, '{"a": "b"}').problems] == ["no number in it"]


def test_broken_json(tmp_path):
    assert load(tmp_path, "{").problems[0].message.startswith("not valid JSON")


def test_half_a_letter_before_a_fault_of_json_is_told(tmp_path):
    """Python's reader of JSON lets bytes through that stand for half a letter of UTF-16."""
    path = tmp_path / "all_results.json"
    path.write_bytes(b'{"a": "\xed\xa0\x80", "eval_accuracy": }')
    (log,) = load_hf_results(path, path.name)
    assert ["not valid JSON" in p.message for p in log.problems] == [True]
    assert log.problems[0].offset == path.read_bytes().index(b"}")
