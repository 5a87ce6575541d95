"""Sums of table entries, against a library that computes checksums of whole messages."""

import numpy as np
import pytest
from fakes.event_file import record
from google_crc32c import value as crc32c

from reportgen.read.logs._bulk.crc import Tables, check_headers, unmask


def test_a_byte_adds_the_same_wherever_it_occurs():
    tables = Tables()
    tables.reach(40)
    rng = np.random.default_rng(0)
    for _ in range(50):
        message = rng.bytes(41)
        place, byte = int(rng.integers(41)), int(rng.integers(256))
        changed = message[:place] + bytes([byte]) + message[place + 1 :]
        row = tables.row(40 - place)
        assert crc32c(message) ^ crc32c(changed) == int(row[message[place]] ^ row[byte])


def test_reaching_further_changes_no_row():
    near, far = Tables(), Tables()
    for distance in (3, 2, 30):
        near.reach(distance)
    far.reach(30)
    for d in range(31):
        assert np.array_equal(near.row(d), far.row(d))
        assert near.column(7, range(d, 31))[0] == far.row(d)[7]


@pytest.mark.parametrize("nearer", [0, 2, 20])
def test_tables_that_are_shifted(nearer):
    tables = Tables()
    tables.reach(30)
    assert tables.shifted(nearer)[(25 << 8) + 9] == tables.row(25 - nearer)[9]


def test_masks_come_off():
    heads = [record(b"x" * n)[:12] for n in (0, 1, 300)]
    stored = np.array([int.from_bytes(head[8:], "little") for head in heads], dtype=np.uint32)
    assert unmask(stored).tolist() == [crc32c(head[:8]) for head in heads]


def test_headers_are_told_from_what_is_none():
    heads = [record(b"x" * n)[:12] for n in (0, 1, 300)] + [bytes(12), b"\xff" * 12]
    damaged = bytearray(heads[2])
    damaged[1] ^= 1
    heads.append(bytes(damaged))
    lengths = np.array([int.from_bytes(head[:8], "little") for head in heads], dtype=np.uint64)
    stored = np.array([int.from_bytes(head[8:], "little") for head in heads], dtype=np.uint32)
    assert check_headers(lengths, stored).tolist() == [True] * 3 + [False] * 3
