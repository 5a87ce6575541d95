"""Which records of a stream are found, in windows of any width."""

import io

import pytest
from fakes.event_file import encode, graph, header, image, record, records_of, scalar

from reportgen.read.logs._bulk import _windows
from reportgen.read.logs._bulk._windows import Windows
from reportgen.read.logs._bulk.frames import Framer

MIXED = encode(
    [
        header(),
        *(scalar("loss", step, step / 3) for step in range(40)),
        image("picture", 40, 5000),
        scalar("loss", 41, 0.5),
        graph(),
        image("zeros", 42, 70_000),
        *(scalar("accuracy", step, 0.5) for step in range(43, 60)),
    ]
)


@pytest.fixture(params=[64, 200, 3000, 1 << 21])
def width(request, monkeypatch):
    monkeypatch.setattr(_windows, "WIDTH", request.param)


def framed(content):
    """Return the records found, as (offset, bytes), and the faults."""
    window, framer, found = Windows(io.BytesIO(content).readinto), Framer(), []
    used = need = 0
    while window.advance(used, need):
        frames = framer.frame(window)
        for place in frames.places.tolist():
            length = int(window.words[place]) + 16
            found.append((window.start + place, window.bytes_at(place, place + length)))
        used, need = frames.used, frames.need
    return found, [(fault.offset, fault.end, fault.reason) for fault in framer.faults]


def placed(records, begin=0):
    found = []
    for one in records:
        found.append((begin, one))
        begin += len(one)
    return found


@pytest.mark.usefixtures("width")
class TestFraming:
    def test_every_record_short_and_long(self):
        assert framed(MIXED) == (placed(records_of(MIXED)), [])

    def test_nothing(self):
        assert framed(b"") == ([], [])

    def test_a_record_without_content_and_one_that_is_no_event(self):
        content = record(b"") + record(b"hello") + MIXED
        assert framed(content) == (placed(records_of(content)), [])

    @pytest.mark.parametrize("cut", [1, 11, 12, 30, 60])
    def test_a_cut(self, cut):
        records = records_of(MIXED)
        sound = b"".join(records[:-1])
        content = sound + records[-1][: min(cut, len(records[-1]) - 1)]
        found, faults = framed(content)
        assert found == placed(records[:-1])
        assert faults == [(len(sound), len(content), "the last record is cut off")]

    @pytest.mark.parametrize("zeros", [3, 12, 5000, 200_000])
    def test_a_tail_of_zeros(self, zeros):
        found, faults = framed(MIXED + bytes(zeros))
        assert found == placed(records_of(MIXED))
        assert [fault[:2] for fault in faults] == [(len(MIXED), len(MIXED) + zeros)]

    @pytest.mark.parametrize("which", [0, 5, 41, 42, 44])
    @pytest.mark.parametrize("byte", [0, 1, 7, 9])
    def test_a_damaged_header_costs_its_record(self, which, byte):
        records = records_of(MIXED)
        begin = sum(map(len, records[:which]))
        damaged = bytearray(MIXED)
        damaged[begin + byte] ^= 0x41
        found, faults = framed(bytes(damaged))
        everything = placed(records)
        # A chain of records does not need the checksum of a length that leads to the next one.
        assert [one for one in everything if one not in found] in ([], [everything[which]])
        assert len(found) >= len(everything) - 1
        for begin, end, _ in faults:
            assert (begin, end) == (everything[which][0], everything[which + 1][0])

    @pytest.mark.parametrize("which", [0, 5, 41])
    @pytest.mark.parametrize("lost", [1, 9, 20])
    def test_lost_bytes_cost_the_record_they_were_in(self, which, lost):
        records = records_of(MIXED)
        begin = sum(map(len, records[:which]))
        content = MIXED[: begin + 14] + MIXED[begin + 14 + lost :]
        found, faults = framed(content)
        behind = begin + len(records[which]) - lost
        assert found == placed(records[:which]) + placed(records[which + 1 :], behind)
        assert faults == [(begin, behind, "the record is damaged")]

    def test_bytes_between_records(self):
        first, *rest = records_of(MIXED)
        found, faults = framed(first + b"\x09garbage\0\0\0\0\0" * 9 + b"".join(rest))
        assert found == [(0, first), *placed(rest, len(first) + 9 * 13)]
        assert faults == [(len(first), len(first) + 9 * 13, "the record's length is damaged")]
