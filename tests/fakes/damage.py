"""Ways in which the bytes of a file come to harm: one hit each, at a random place."""

from collections.abc import Callable
from random import Random

Damage = Callable[[bytes, Random], bytes]


def flip(content: bytes, rng: Random) -> bytes:
    """Turn one bit over."""
    at = rng.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]


def burst(content: bytes, rng: Random) -> bytes:
    """Turn several bits over that lie close together."""
    at, harmed = rng.randrange(len(content)), bytearray(content)
    for near in range(at, min(at + 16, len(content)), rng.randrange(1, 5)):
        harmed[near] ^= rng.randrange(1, 256)
    return bytes(harmed)


def cut(content: bytes, rng: Random) -> bytes:
    """Lose the end."""
    return content[: rng.randrange(len(content))]


def drop(content: bytes, rng: Random) -> bytes:
    """Lose bytes in the middle."""
    at = rng.randrange(len(content))
    return content[:at] + content[at + rng.randrange(1, 60) :]


def insert(content: bytes, rng: Random) -> bytes:
    """Get bytes that belong nowhere."""
    at = rng.randrange(len(content))
    return content[:at] + rng.randbytes(rng.randrange(1, 60)) + content[at:]


def pad(content: bytes, rng: Random) -> bytes:
    """Get zero bytes."""
    at = rng.randrange(len(content) + 1)
    return content[:at] + bytes(rng.randrange(1, 60)) + content[at:]


def zero(content: bytes, rng: Random) -> bytes:
    """Have a stretch set to zero."""
    at, length = rng.randrange(len(content)), rng.randrange(1, 200)
    gone = content[at : at + length]
    return content[:at] + bytes(len(gone)) + content[at + length :]


def scribble(content: bytes, rng: Random) -> bytes:
    """Have a stretch written over with noise."""
    at, length = rng.randrange(len(content)), rng.randrange(1, 200)
    gone = content[at : at + length]
    return content[:at] + rng.randbytes(len(gone)) + content[at + length :]


def repeat(content: bytes, rng: Random) -> bytes:
    """Have a stretch twice."""
    at = rng.randrange(len(content))
    return content[:at] + content[at : at + rng.randrange(1, 200)] + content[at:]


def misplace(content: bytes, rng: Random) -> bytes:
    """Have a stretch written over with one from elsewhere in the file."""
    length = rng.randrange(1, min(200, len(content)) + 1)
    at, source = (rng.randrange(len(content) - length + 1) for _ in range(2))
    return content[:at] + content[source : source + length] + content[at + length :]


ALL: tuple[Damage, ...] = (
    flip, burst, cut, drop, insert, pad, zero, scribble, repeat, misplace,
)  # fmt: skip
