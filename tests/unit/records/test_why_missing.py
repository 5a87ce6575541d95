"""What lies in the place of a run that is missing."""

import pytest

from reportgen.records.run import Problem, Run, Runs


def runs(*problems, ids=("lab/a/0", "lab/a/1"), seeds=(0, 1)):
    found = tuple(
        Run(id=name, group="a", seed=seed, layout="plain", scalars={})
        for name, seed in zip(ids, seeds, strict=True)
    )
    return Runs(root="lab", runs=found, problems=problems)


def unreadable(path):
    return Problem(path=path, message="cannot be read: Permission denied")


def test_nothing_lies_there():
    other = (unreadable("lab/a/20/x"), unreadable("lab/b/2/x"), unreadable("lab/a/1/x"))
    assert runs().why_missing("a", 2) == ""
    assert runs(*other).why_missing("a", 2) == ""
    assert runs(unreadable("lab/a/2")).why_missing("b", 2) == ""


@pytest.mark.parametrize("path", ["lab/a/2", "lab/a/2/valid/x.tfevents"])
def test_what_cannot_be_read_there_is_said(path):
    expected = f"{path} cannot be read: Permission denied"
    assert runs(unreadable(path)).why_missing("a", 2) == expected


def test_a_seed_inside_a_name():
    found = runs(unreadable("run1_seed12/x"), ids=("run1_seed1", "run1_seed2"), seeds=(1, 2))
    assert found.why_missing("a", 12) == "run1_seed12/x cannot be read: Permission denied"
    assert found.why_missing("a", 1) == ""


def test_a_note_is_no_reason():
    note = Problem(path="lab/a/2/x", message="only the file's header was written", level="note")
    assert runs(note).why_missing("a", 2) == ""
