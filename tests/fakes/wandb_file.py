"""A writer of Weights & Biases run files, made from the format's description alone."""

import json
import struct
from zlib import crc32

BLOCK = 1 << 15
HEADER = b":W&B\xe1\xbe\x00"


def varint(value: int) -> bytes:
    value &= 2**64 - 1
    found = bytearray()
    while value >= 0x80:
        found.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*found, value])


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def message(field: int, *parts: bytes) -> bytes:
    content = b"".join(parts)
    return varint(field << 3 | 2) + varint(len(content)) + content


def text(field: int, value: str) -> bytes:
    return message(field, value.encode())


def item(key: str | tuple[str, ...], value: object) -> bytes:
    """An item of a history or a configuration: by one key, or by a nested one."""
    named = text(1, key) if isinstance(key, str) else b"".join(text(2, part) for part in key)
    return named + text(16, value if isinstance(value, str) else json.dumps(value))


def history(step: int | None, row: dict, clock: float | None = None) -> bytes:
    """A record of one call of `log`; a text is taken as JSON."""
    row = row if clock is None else {**row, "_timestamp": clock}
    items = [message(1, item(key, value)) for key, value in row.items()]
    at = [] if step is None else [message(2, number(1, step) if step else b"")]
    return message(2, *items, *at)


def config(update: dict, remove: tuple[str, ...] = ()) -> bytes:
    return message(
        5,
        *(message(1, item(key, json.dumps(value))) for key, value in update.items()),
        *(message(2, text(1, key)) for key in remove),
    )


def run(**about: str) -> bytes:
    fields = {"run_id": 1, "project": 3, "run_group": 6, "job_type": 7, "display_name": 8}
    settings = message(4, message(1, item("seed", about.pop("seed", "0"))))
    there = [message(19, message(8, number(1, 1)))] if about.pop("notebook", "") else []
    return message(
        17, settings, *there, *(text(fields[key], value) for key, value in about.items())
    )


def metric(name: str = "", glob: str = "", axis: str = "") -> bytes:
    parts = [text(field, value) for field, value in ((1, name), (2, glob), (4, axis)) if value]
    return message(12, *parts)


def ended(code: int = 0) -> bytes:
    return message(18, number(1, code) if code else b"")


def encode(*records: bytes) -> bytes:
    """The bytes of a file."""
    return frame(*records)[0]


def frame(*records: bytes) -> tuple[bytes, list[tuple[int, int]]]:
    """The bytes of a file, and where each record begins and ends."""
    out = bytearray(HEADER)
    places = []
    for record in records:
        rest, first, begin = record, True, None
        while rest or first:
            room = BLOCK - len(out) % BLOCK
            if room < 7:
                out += bytes(room)
                continue
            begin = len(out) if begin is None else begin
            part, rest = rest[: room - 7], rest[room - 7 :]
            kind = {(True, True): 1, (True, False): 2, (False, False): 3, (False, True): 4}[
                first, not rest
            ]
            out += struct.pack("<IHB", crc32(bytes([kind]) + part), len(part), kind) + part
            first = False
        places.append((begin, len(out)))
    return bytes(out), places
