"""What `eval` is depends on what lies beside it, and where nothing tells it is a question."""

import pytest

POINTS = {1: 0.5, 2: 0.6}


@pytest.fixture
def read(put_together, log):
    def from_tags(*tags, split_names=None, path="a/events.out.tfevents.1.h.1.0"):
        runs, study = put_together(
            log(path, {f"{name}/accuracy": POINTS for name in tags}), split_names=split_names or {}
        )
        splits = {key.partition("/")[0]: s.split for key, s in runs.runs[0].scalars.items()}
        decisions = {d.key: d for d in study.decisions if d.key.startswith("splits.names")}
        return splits, decisions

    return from_tags


@pytest.mark.parametrize(
    ("tags", "split", "answers"),
    [
        (("dev", "eval"), "test", ("validation",)),
        (("val", "eval"), "test", ("validation",)),
        (("train", "eval"), "validation", ("test",)),
        (("eval", "test"), "validation", ()),
    ],
    ids=str,
)
def test_eval_beside_others(read, tags, split, answers):
    splits, decisions = read(*tags)
    decision = decisions["splits.names.eval"]
    assert splits["eval"] == split
    assert (decision.value, decision.alternatives) == (split, answers)
    assert decision.asks == bool(answers)
    for answer in answers:
        again, said = read(*tags, split_names={"eval": answer})
        assert again["eval"] == answer
        assert "splits.names.eval" not in said


def test_a_program_with_its_own_word_for_it_asks_nothing(put_together, log):
    path = "a/runs/Nov25_14-01-26_host/events.out.tfevents.1.h.1.0"
    _, study = put_together(log(path, {"eval/accuracy": POINTS, "train/epoch": POINTS}))
    (decision,) = [d for d in study.decisions if d.key == "splits.names.eval"]
    assert not decision.asks
    assert decision.alternatives == ("test",)
    assert "its program gives" in decision.reason


def test_a_stated_name_leaves_the_others_as_they_were_found(read):
    splits, decisions = read("val", "held_out", split_names={"held_out": "test"})
    assert splits == {"val": "validation", "held_out": "test"}
    assert list(decisions) == ["splits.names.val"]
