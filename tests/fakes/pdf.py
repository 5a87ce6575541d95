"""PDFs written object by object: sound ones with text where it is wanted, and hostile ones."""

import functools
import re
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl

HELVETICA = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def pdf(
    *contents: bytes,
    box: str = "0 0 595 842",
    font: bytes = HELVETICA,
    packed: bool = False,
    page: str = "",
    objects: Mapping[int, bytes] | None = None,
    kids: str = "",
) -> bytes:
    """Return a PDF with one page for each content stream.

    Args:
        contents: Content streams; `F` is their font.
        box: Of all pages.
        font: The font's dictionary.
        packed: Whether the streams are deflated.
        page: More entries of the dictionaries of pages.
        objects: Further objects by their number, from 1000 on, or replacements of others.
        kids: References of the tree of pages, instead of those to the pages.
    """
    count = len(contents)
    pages = range(4, 4 + 2 * count, 2)
    refs = kids or " ".join(f"{n} 0 R" for n in pages)
    made = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Count {count} /Kids [{refs}] >>".encode(),
        3: font,
    }
    for number, content in zip(pages, contents, strict=True):
        made[number] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [{box}] /Contents {number + 1} 0 R "
            f"/Resources << /Font << /F 3 0 R >> >> {page} >>"
        ).encode()
        made[number + 1] = stream(content, packed=packed)
    return written({**made, **(objects or {})})


def stream(content: bytes, *, packed: bool = False, entries: str = "") -> bytes:
    """Return a stream object."""
    if packed:
        content, entries = zlib.compress(content, 9), f"{entries} /Filter /FlateDecode"
    head = f"<< /Length {len(content)} {entries} >>\nstream\n".encode()
    return head + content + b"\nendstream"


def written(objects: Mapping[int, bytes], trailer: str = "") -> bytes:
    """Return a file of these objects with its table of places."""
    out = bytearray(b"%PDF-1.7\n")
    places: dict[int, int] = {}
    for number in sorted(objects):
        places[number] = len(out)
        out += f"{number} 0 obj\n".encode() + objects[number] + b"\nendobj\n"
    start, size = len(out), max(objects) + 1
    out += f"xref\n0 {size}\n0000000000 65535 f \n".encode()
    for number in range(1, size):
        kind = "n" if number in places else "f"
        out += f"{places.get(number, 0):010d} 00000 {kind} \n".encode()
    out += f"trailer\n<< /Size {size} /Root 1 0 R {trailer} >>\n".encode()
    out += f"startxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def lines(*texts: str, size: float = 11, x: float = 72, y: float = 780, step: float = 14) -> bytes:
    """Return a content stream that prints lines below each other."""
    return b"\n".join(
        text_at(x, y - i * step, text, size=size) for i, text in enumerate(texts) if text
    )


def text_at(x: float, y: float, text: str, *, size: float = 11) -> bytes:
    """Return the operators that print a text at a place."""
    shown = (
        text.encode("cp1252").replace(b"\\", b"\\\\").replace(b"(", b"\\(").replace(b")", b"\\)")
    )
    return f"BT /F {size} Tf {x:.3f} {y:.3f} Td (".encode() + shown + b") Tj ET\n"


def typeset(x: float, y: float, *pieces: str | tuple[str, float, float], size: float = 11) -> bytes:
    """Return the operators that print pieces one behind the other.

    A piece is a text, or a text with its size and by how much it is raised.
    """
    out = b""
    for piece in pieces:
        text, scale, rise = piece if isinstance(piece, tuple) else (piece, size, 0.0)
        out += text_at(x, y + rise, text, size=scale)
        x += width(text, scale)
    return out


def width(text: str, size: float = 11) -> float:
    """Return how wide a text is in Helvetica."""
    return sum(_widths()[ord(char)] for char in text) * size / 1000


@functools.cache
def _widths() -> dict[int, int]:
    """Return the widths of Helvetica's characters as Adobe published them."""
    folder = Path(mpl.get_data_path(), "fonts", "pdfcorefonts")
    metrics = (folder / "Helvetica.afm").read_text("latin-1")
    named = {name: int(wide) for wide, name in re.findall(r"WX (\d+) ; N (\w+) ;", metrics)}
    coded = {int(c): int(w) for c, w in re.findall(r"^C (\d+) ; WX (\d+)", metrics, re.MULTILINE)}
    return {**coded, ord("±"): named["plusminus"], 39: named["quotesingle"]}


def row_at(y: float, cells: Sequence[tuple[float, str]], *, size: float = 11) -> bytes:
    """Return the operators that print the cells of one row."""
    return b"\n".join(text_at(x, y, text, size=size) for x, text in cells)
