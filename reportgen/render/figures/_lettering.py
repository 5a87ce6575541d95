"""Words of a figure: what the fonts that matplotlib ships can draw of them, and how wide they are.

Whoever imports matplotlib imports this first: it gives it a folder to write to.
"""

from __future__ import annotations

import functools
import logging
import os
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reportgen.render.figures._style import TEXT_SIZE, shorten


def _prepare_matplotlib() -> None:
    """Give matplotlib a folder of its own where it would find none that it may write to.

    What it says of building its list of fonts, once and after five seconds, is for programmers.
    """
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises without a home
    if "MPLCONFIGDIR" in os.environ or os.access(home, os.W_OK):
        return
    import atexit
    import shutil
    import tempfile

    folder = tempfile.mkdtemp(prefix="reportgen-matplotlib-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["MPLCONFIGDIR"] = folder


_prepare_matplotlib()

from matplotlib import artist, get_data_path  # noqa: E402 - it reads its environment at import
from matplotlib.ft2font import FT2Font  # noqa: E402


@contextmanager
def undocumented() -> Iterator[None]:
    """Import classes of matplotlib without lists of their properties, half of what that takes.

    Where somebody may ask for this documentation, at a prompt or in a notebook, it is written.
    """
    is_read = hasattr(sys, "ps1") or "IPython" in sys.modules
    written = artist.kwdoc
    artist.kwdoc = written if is_read else lambda _: ""  # type: ignore[assignment]
    try:
        yield
    finally:
        artist.kwdoc = written


_FONTS = Path(get_data_path()) / "fonts" / "ttf"
_REGULAR, _BOLD = _FONTS / "DejaVuSans.ttf", _FONTS / "DejaVuSans-Bold.ttf"


@functools.cache
def _face(*, bold: bool) -> FT2Font:
    return FT2Font(str(_BOLD if bold else _REGULAR))


@functools.cache
def _has_glyph(character: str) -> bool:
    return all(_face(bold=b).get_char_index(ord(character)) for b in (False, True))


def clean(text: str) -> str:
    r"""Return what can be drawn, as pages print it: one line, and code points for lacking glyphs.

    Example:
        >>> clean("a \N{CJK UNIFIED IDEOGRAPH-65E5}")
        'a [U+65E5]'
    """
    kept = []
    for character in " ".join(unicodedata.normalize("NFC", text).split()):
        category = unicodedata.category(character)
        if category in {"Cc", "Cf"}:
            continue
        # Letters are drawn from left to right and apart, which writes no word of some scripts.
        backward = unicodedata.bidirectional(character) in {"R", "AL"}
        if backward or category in {"Cs", "Co", "Cn"} or not _has_glyph(character):
            kept.append(f"[U+{ord(character):04X}]")
        else:
            kept.append(character)
    return "".join(kept)


@functools.lru_cache(maxsize=4096)
def measure(text: str, *, bold: bool = False) -> float:
    """Return the width of a text in points."""
    face = _face(bold=bold)
    face.set_size(TEXT_SIZE * 16, 72)
    face.set_text(clean(text), 0.0)
    width, _ = face.get_width_height()
    return float(width) / 64 / 16


def fit(text: str, width: float, *, bold: bool = False) -> str:
    """Return the text, its middle cut out until it is no wider than `width` points."""
    kept = shorten(clean(text), 400)
    length = len(kept)
    while length > 1 and measure(kept, bold=bold) > width:
        length = min(length - 1, int(length * width / measure(kept, bold=bold)) + 1)
        kept = shorten(clean(text), length)
    return kept
