"""What a check says of each number of a small report: a row of `tables.yaml`, `sentences.yaml`."""

import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from fakes.checked_reports import evidence_of, reviewed
from fakes.rows import rows_of

HERE = Path(__file__).resolve().parent
ROWS = [row for name in ("tables.yaml", "sentences.yaml") for row in rows_of(HERE / name)]


def numbered(review):
    """Return the verdicts on numbers, by what is printed: `0.7`, and `0.7 (2)` the second time."""
    seen = Counter()
    found = {}
    for one in review.verdicts:
        if one.number is not None:
            printed = one.number.printed.text
            seen[printed] += 1
            found[f"{printed} ({seen[printed]})" if seen[printed] > 1 else printed] = one
    return found


def outcome(verdict):
    """Return `traced`, `untraced`, `no_claim`, or level and right number: `error 0.81`."""
    told = verdict.outcome == "contradicted"
    return f"{verdict.level} {verdict.expected}" if told else verdict.outcome


def words_of(verdict):
    """Return all that is said of a number beside its outcome."""
    traces = " ".join(f"{one.what} {one.tag} {one.run} {one.path}" for one in verdict.traces)
    return f"{traces} {verdict.cause} {verdict.reason}"


@pytest.mark.parametrize("row", ROWS, ids=[row["what"] for row in ROWS])
def test_what_is_said_of_each_number(row, tmp_path):
    review = reviewed(tmp_path, row["report"], evidence_of(row["evidence"]))
    found = numbered(review)
    for printed, said in row["said"].items():
        expected, _, words = said.partition(" | ")
        assert (printed, outcome(found[printed])) == (printed, expected)
        assert [word for word in words.split() if word not in words_of(found[printed])] == []
    rest = {printed: outcome(one) for printed, one in found.items() if printed not in row["said"]}
    assert {p: o for p, o in rest.items() if o.startswith(("error", "warning"))} == {}
    assert "rest" not in row or set(rest.values()) <= {row["rest"], "no_claim"}, rest
    assert bool(review.remark) == ("remark" in row)
    assert row.get("remark", "") in review.remark


@pytest.mark.slow
def test_a_table_and_files_ten_times_as_many_take_about_ten_times_as_long(tmp_path):
    def seconds(count):
        draw = Random(1).random
        runs = {f"run{n}": (round(draw(), 5), round(draw(), 5)) for n in range(count)}
        logs = {
            name: {"val_loss": [1, loss], "val_accuracy": [0.1, share]}
            for name, (loss, share) in runs.items()
        }
        rows = [f"| {name} | {loss:.4f} | {share:.4f} |" for name, (loss, share) in runs.items()]
        text = "\n".join(["| run | loss | accuracy |", "|---|---|---|", *rows])
        evidence = evidence_of({"logs": logs})
        start = time.process_time()
        reviewed(tmp_path, text, evidence)
        return time.process_time() - start

    short = min(seconds(50) for _ in range(3))
    assert seconds(500) < 40 * short


@pytest.mark.slow
@pytest.mark.parametrize("text", ["1," * 2000, "1." * 2000, "0.5 - " * 500])
def test_thousands_of_numbers_in_one_sentence_take_seconds(text, tmp_path):
    evidence = evidence_of({"logs": {"run": {"val_accuracy": [0.1, 0.5]}}})
    start = time.process_time()
    reviewed(tmp_path, f"The accuracies are {text}", evidence)
    assert time.process_time() - start < 5
