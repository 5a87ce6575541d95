import json
from dataclasses import fields

import pytest
from fakes.rerun_record import FINISHED
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.run import Rerun
from reportgen.train.store.files import DamagedRecordError, decode_rerun, encode_rerun

texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=9)


def test_every_field_comes_back():
    assert decode_rerun(encode_rerun(FINISHED)) == FINISHED
    assert set(json.loads(encode_rerun(FINISHED))) == {"format", *(f.name for f in fields(Rerun))}


@given(texts, st.integers(), st.dictionaries(texts, texts), st.floats(0, 1e9), st.lists(texts))
def test_any_text_comes_back(group, seed, settings, seconds, notes):
    rerun = Rerun(
        key="k",
        group=group,
        seed=seed,
        device="",
        date="2026-01-02",
        versions={},
        settings=settings,
        notes=tuple(notes),
        seconds=seconds,
    )
    assert decode_rerun(encode_rerun(rerun)) == rerun


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("format", value) for value in (2, None, "1" * 9999)),
        *(("key", value) for value in ("", None, 1)),
        *(("group", value) for value in (None, 1, ["a"])),
        *(("seed", value) for value in (True, 1.0, "1", None)),
        *(("device", value) for value in (None, {})),
        *(("date", value) for value in ("yesterday", "", None, 2026)),
        *(("versions", value) for value in (None, [], {"a": 1}, "a")),
        *(("settings", value) for value in ({"a": None}, [["a", "b"]])),
        *(("notes", value) for value in ("a", {"a": "b"}, [1])),
        *(("seconds", value) for value in (-1, 1e300, True, "1", None, float("nan"))),
        *(("sha256", value) for value in ({"a": "00"}, {"a": "G" * 64}, [])),
        ("extra", 1),
    ],
)
def test_a_field_that_means_nothing_is_named(field, value):
    words = {**json.loads(encode_rerun(FINISHED)), field: value}
    with pytest.raises(DamagedRecordError) as caught:
        decode_rerun(json.dumps(words).encode())
    assert len(str(caught.value)) < 300
    assert field in str(caught.value) or "NaN" in str(caught.value)


@pytest.mark.parametrize("field", [f.name for f in fields(Rerun)])
def test_no_field_may_be_missing(field):
    words = json.loads(encode_rerun(FINISHED))
    del words[field]
    with pytest.raises(DamagedRecordError, match=field):
        decode_rerun(json.dumps(words).encode())


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"1", b"\xff", b"[" * 100_000, b'{"seconds": 1e999}', b"9" * 5000],
)
def test_what_is_no_record_is_no_record(content):
    with pytest.raises(DamagedRecordError):
        decode_rerun(content)


@given(st.binary(max_size=60))
def test_no_bytes_raise_anything_else(content):
    with pytest.raises(DamagedRecordError):
        decode_rerun(content)


def test_what_could_not_be_read_back_is_not_written():
    with pytest.raises(ValueError, match="date"):
        encode_rerun(Rerun(key="k", group="g", seed=1, device="", date="", versions={}))


@pytest.mark.parametrize("half", [rb'"\ud800"', b'"\xed\xa0\x80"'])
def test_half_a_letter_is_no_text(half):
    """No file that tells of it could be written."""
    content = encode_rerun(FINISHED).replace(b'"pretrained"', half)
    with pytest.raises(DamagedRecordError, match="half a letter"):
        decode_rerun(content)
    whole = encode_rerun(FINISHED).replace(b'"pretrained"', rb'"\ud83d\ude00"')
    assert decode_rerun(whole).group == "\U0001f600"
