from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.errors import ReportgenError, UsageError
from reportgen.train.store import files
from reportgen.train.store.files import check_name, check_place

# Every letter that matters to a path, and enough of the others.
letters = st.one_of(st.sampled_from("./\\: ~ab\x00\n\u202e\udc80éCON"), st.characters())


@pytest.mark.parametrize(
    "place", ["1", "pretrained/1", "a b/seed=3", "lora.r8/é/模型", ".hidden/1", "a..b/c"]
)
def test_a_place_is_a_relative_path(place):
    assert check_place(place) == place


@pytest.mark.parametrize(
    "place",
    [
        *("", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../../b", "a/..", "./a", "a/."),
        *(".reportgen", ".reportgen/lease/x", ".REPORTGEN/x", ".reportgenx", ".reportgen /x"),
        *("a\\..\\b", "C:a", "c:/a", "a\x00b", "a\nb", "\x1b[2J", "\u202ea", "a\udc80", "a\x7f"),
        *("a./b", "a /b", "x" * 201, "a/" + "é" * 101),
    ],
)
def test_no_run_lies_elsewhere(place):
    with pytest.raises(UsageError) as caught:
        check_place(place)
    assert str(caught.value).splitlines()[0].isprintable()
    assert caught.value.remedy


@given(st.text(letters, max_size=30))
def test_a_place_never_leaves_the_store(place):
    root = Path("/srv/reruns")
    try:
        check_place(place)
    except ReportgenError:
        return
    target = root / place
    assert target.is_relative_to(root)
    assert target != root
    assert ".." not in target.parts
    assert not target.is_relative_to(root / ".reportgen")
    # One place has one spelling.
    assert target.relative_to(root).as_posix() == place
    place.encode()


@pytest.mark.parametrize("place", ["lr:1e-5/0", "con/1", "runs/NUL.txt", "what?/0", "a/com1"])
def test_windows_takes_fewer_names(monkeypatch, place):
    assert check_place(place) == place
    monkeypatch.setattr(files, "WINDOWS", True)
    with pytest.raises(UsageError, match="Windows takes no file called"):
        check_place(place)
    assert check_place("console/conx/nullable") == "console/conx/nullable"


@given(st.text(letters, max_size=12))
def test_a_key_is_one_name(name):
    try:
        check_name(name)
    except UsageError:
        return
    assert name.isascii()
    assert Path(name).name == name
    assert not name.startswith(".")


def test_a_key_may_be_hexadecimal_and_a_job_have_a_number():
    assert check_name("0" * 20) == "0" * 20
    assert check_name("job-1.2") == "job-1.2"
    with pytest.raises(UsageError, match="id of a job"):
        check_name("a/b")
    with pytest.raises(UsageError):
        check_name("a\n")
