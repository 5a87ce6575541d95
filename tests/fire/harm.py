"""Ways in which a file is made to lie: by its structure, where `fakes.damage` harms its bytes."""

import json
import re
import struct
from collections.abc import Iterator
from random import Random
from typing import Any

HUGE = b"9" * 5000
DEEP = 3000
MARK = "@@here@@"

ODD_JSON = (
    *(b"null", b"true", b"-1", b"0", b"1e308", b"1e999", b"-0.0", b"NaN", b"Infinity", HUGE),
    *(b"18446744073709551616", b"9223372036854775807", b"-9223372036854775809", b"0.1", b"1e-400"),
    *(b'""', b'"\\u0000"', b'"\\ud800"', b'"../../../../etc/passwd"', b'"' + b"x" * 5000 + b'"'),
    *(b'"{{ 7 * 7 }}"', b'"<script>alert(1)</script>"', b'"\\\\input{/etc/passwd}"', b'"nan"'),
    *(b"[]", b"{}", b"[[]]", b'{"": ""}', b'[1, "a", null]', b"[" * DEEP + b"]" * DEEP),
    *(b'{"a": ' * DEEP + b"1" + b"}" * DEEP, b"[" + b"0," * 3000 + b"0]", b'["0", "1"]', b"2"),
)
"""What a value is replaced by: other types, no numbers, too much, too deep, and words that act."""

ODD_WORDS = (
    *(b"", b"0", b"-1", b"nan", b"-inf", b"1e999", b"1e-400", b"0x10", b"1_000", b"1,5", HUGE),
    *(b"9223372036854775808", b"-9223372036854775809", b"1" * 30, b"\x00", b"\xff\xfe", b"\r"),
    *(
        b'"',
        b"'",
        b"[" * 500,
        b"{" * 500,
        b"(" * 500,
        b"]]]",
        b"$",
        b"\\",
        b"%s%n",
        b"\xed\xa0\x80",
    ),
    *(
        b"../../etc/passwd",
        b"true",
        b"null",
        b"~",
        b"&a",
        b"*a",
        b"!!python/object:os.system",
        b"\n",
    ),
    *(b"\xe2\x80\xae", b"\xf0\x9f\x98\x80", b"1970-01-01", b"1:2:3", b"=cmd()", b"x" * 5000),
)

LENGTHS = (0, 1, 2**7, 2**15 - 1, 2**16 - 1, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**64 - 1)


def word(content: bytes, rng: Random) -> bytes:
    """Have a number or a word replaced by an odd one."""
    found = list(re.finditer(rb"[-+.\w]+", content))
    if not found:
        return rng.choice(ODD_WORDS)
    hit = rng.choice(found)
    return content[: hit.start()] + rng.choice(ODD_WORDS) + content[hit.end() :]


def length(content: bytes, rng: Random) -> bytes:
    """Have a number of 1 to 8 bytes replaced by one that is often a limit."""
    form = rng.choice(("<B", "<H", "<I", "<Q", ">H", ">I", ">Q"))
    size = struct.calcsize(form)
    at = rng.randrange(max(1, len(content) - size + 1))
    value = rng.choice((*LENGTHS, len(content), len(content) - at)) % 256**size
    return content[:at] + struct.pack(form, value) + content[at + size :]


def swap(content: bytes, rng: Random) -> bytes:
    """Have two stretches change places."""
    a, b, c, d = sorted(rng.randrange(len(content) + 1) for _ in range(4))
    return content[:a] + content[c:d] + content[b:c] + content[a:b] + content[d:]


def lines(content: bytes, rng: Random) -> bytes:
    """Have a line lost, twice, moved or joined to the next."""
    parts = content.splitlines(keepends=True)
    if len(parts) < 2:
        return swap(content, rng)
    at, to = rng.randrange(len(parts)), rng.randrange(len(parts))
    match rng.randrange(4):
        case 0:
            del parts[at]
        case 1:
            parts.insert(to, parts[at])
        case 2:
            parts[at], parts[to] = parts[to], parts[at]
        case _:
            parts[at] = parts[at].rstrip(b"\r\n")
    return b"".join(parts)


def json_value(content: bytes, rng: Random) -> bytes:
    """Have one value of a JSON text replaced, lost, named otherwise or there twice."""
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return word(content, rng)
    places = list(_places(found))
    if not places:
        return rng.choice(ODD_JSON)
    holder, key = rng.choice(places)
    odd = rng.choice(ODD_JSON)
    match rng.randrange(6):
        case 0 if isinstance(holder, dict):
            holder[rng.choice(("", "x" * 3000, "__class__", f"{key} "))] = holder.pop(key)
        case 1:
            del holder[key]
        case 2:
            other, there = rng.choice(places)
            holder[key] = json.loads(json.dumps(other[there]))
        case _:
            holder[key] = MARK
    return json.dumps(found).encode().replace(json.dumps(MARK).encode(), odd)


def json_line(content: bytes, rng: Random) -> bytes:
    """Have a value of one of several JSON texts replaced."""
    parts = content.splitlines(keepends=True)
    at = rng.randrange(len(parts))
    parts[at] = json_value(parts[at], rng) + b"\n"
    return b"".join(parts)


def _places(found: Any) -> Iterator[tuple[Any, Any]]:
    """Yield (holder, key) of every value of a JSON tree."""
    keys = (
        found if isinstance(found, dict) else range(len(found)) if isinstance(found, list) else ()
    )
    for key in keys:
        yield found, key
        yield from _places(found[key])
