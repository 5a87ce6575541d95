"""Bulk reading beside the plain reader, its partner."""

import random

import numpy as np
import pytest
from fakes.event_file import content, encode, header, record, records_of, scalar, tensor, text
from fakes.random_events import random_file

from reportgen.read.logs._bulk import _windows, reader
from reportgen.read.logs._bulk.rows import LONGEST
from reportgen.read.logs._bulk.unsure import UnsureError
from reportgen.read.logs._loop import read_by_loop

KEPT = ("records", "texts", "config", "starts", "skipped", "unreadable", "faults")


def bits(values):
    return values.view(f"u{values.dtype.itemsize}").tolist()


def assert_equal(found, expected):
    """Compare content and series, to the bit; of numbers that are none any two are equal."""
    (content_, series), (plain, columns) = found, expected
    assert {name: getattr(content_, name) for name in KEPT} == {
        name: getattr(plain, name) for name in KEPT
    }
    others = columns.parts("x", single=True)
    assert series.keys() == others.keys()
    for tag, one in series.items():
        other = others[tag]
        assert one.steps.tolist() == other.steps.tolist(), tag
        assert bits(one.wall_times) == bits(other.wall_times), tag
        assert one.values.dtype == other.values.dtype, tag
        missing = np.isnan(one.values)
        assert (missing == np.isnan(other.values)).all(), tag
        assert bits(one.values[~missing]) == bits(other.values[~missing]), tag


@pytest.mark.parametrize("seed", range(60))
def test_a_random_file_in_random_windows(read, monkeypatch, seed):
    rng = random.Random(seed)
    file = random_file(rng)
    monkeypatch.setattr(_windows, "WIDTH", rng.choice([100, 300, 1000, 5000, 1 << 21]))
    monkeypatch.setattr(reader, "MOST", rng.choice([3, 17, 100, 1 << 14]))
    assert_equal(read(file), read_by_loop([file]))


def test_many_records_of_few_kinds(read):
    tags = ["loss", "accuracy", "lr", "gnorm"]
    events = [scalar(tag, step, step / 7) for step in range(20_000) for tag in tags]
    file = encode([header(), *events])
    assert_equal(read(file), read_by_loop([file]))


@pytest.mark.parametrize("length", [24, LONGEST, LONGEST + 1])
def test_the_shortest_and_longest_payloads(read, length):
    blank = len(scalar("", 1, 0.5).SerializeToString())
    events = [scalar("t" * (n - blank), 1, 0.5) for n in range(max(length - 9, blank), length + 9)]
    file = encode(events)
    assert any(len(one) == length + 16 for one in records_of(file))
    assert_equal(read(file), read_by_loop([file]))


def test_two_tags_of_one_key_are_not_mixed(read):
    # Over the 32 bits of a checksum two tags with one key are found by trying, which is how a
    # stranger would make them.
    one, two = _collision()
    events = [scalar(tag, step, step / 3) for step in range(3000) for tag in (one, two)]
    with pytest.raises(UnsureError):
        read(encode([header(), *events]))


def _collision():
    """Return two tags of one length whose constant bytes have one checksum.

    CRC-32C is linear: what 40 bits of a tag change spans only 32 bits, so some change of them
    changes nothing. It is found by elimination over the field of two elements.
    """
    from google_crc32c import value as crc32c

    base = bytearray(b"@" * 24)
    zero = crc32c(bytes(base))
    # Only bits that keep a tag ASCII: the lower five of each of many letters.
    rows = []
    for place in range(24):
        for bit in range(5):
            changed = bytearray(base)
            changed[place] ^= 1 << bit
            rows.append((crc32c(bytes(changed)) ^ zero, 1 << len(rows)))
    basis = {}
    for row in rows:
        effect, combination = row
        while effect and effect.bit_length() in basis:
            other = basis[effect.bit_length()]
            effect, combination = effect ^ other[0], combination ^ other[1]
        if not effect:
            break
        basis[effect.bit_length()] = (effect, combination)
    for number in range(120):
        if combination >> number & 1:
            base[number // 5] ^= 1 << number % 5
    return "@" * 24, base.decode()


def test_a_tag_that_is_given_another_plugin_later(read):
    first = [tensor("x", step, content("FLOAT", "f", 0.5), plugin="") for step in range(9)]
    later = tensor("x", 9, content("FLOAT", "f", 0.5), plugin="pr_curves")
    with pytest.raises(UnsureError):
        read(encode([header(), *first, later]))


def test_a_damaged_tag_is_known_by_its_checksum(read):
    records = records_of(encode([header(), *(scalar("loss", s, s / 3) for s in range(50))]))
    damaged = records[:]
    damaged[20] = records[20].replace(b"loss", b"lass")
    whole, found = read(b"".join(records)), read(b"".join(damaged))
    assert found[1].keys() == {"loss"}
    assert found[1]["loss"].values.tolist() == whole[1]["loss"].values.tolist()


def test_texts_between_scalars_are_kept_in_order(read):
    events = [event for n in range(99) for event in (text("note", f"n{n}", n), scalar("a", n, n))]
    found, series = read(encode(events))
    assert found.texts == {"note": "n98"}
    assert len(series["a"]) == 99


def test_a_sound_record_that_is_no_event(read):
    file = encode([scalar("a", 1, 0.5)]) + record(b"\xff" * 40) + encode([scalar("a", 2, 0.5)])
    assert_equal(read(file), read_by_loop([file]))
