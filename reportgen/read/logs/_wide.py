"""UTF-16, as its first two bytes say: Windows' shells write it where output goes to a file."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from itertools import chain

BYTE_ORDERS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def as_utf8(content: bytes) -> tuple[bytes, bool]:
    r"""Return a text in UTF-8, and whether it was in UTF-16, as its first two bytes say.

    Example:
        >>> as_utf8("\ufeffa".encode("utf-16-be")), as_utf8(b"a")
        ((b'\xef\xbb\xbfa', True), (b'a', False))
    """
    encoding = BYTE_ORDERS.get(content[:2])
    if encoding is None:
        return content, False
    return b"".join(_recoded([content], encoding)), True


def utf8_chunks(chunks: Iterator[bytes]) -> tuple[Iterator[bytes], bool]:
    """Return the pieces of a text in UTF-8, and whether they were in UTF-16."""
    first = next(chunks, b"")
    encoding, whole = BYTE_ORDERS.get(first[:2]), chain([first], chunks)
    return (_recoded(whole, encoding), True) if encoding else (whole, False)


def _recoded(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Yield pieces in UTF-8; none ends in a letter, and half a one at the end is none."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for chunk in chunks:
        # Half a letter at the end is left of one that was being written.
        if text := decoder.decode(chunk):
            yield text.encode()
