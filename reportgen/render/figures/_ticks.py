"""Numbers of an axis as the language spoken writes them."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.ticker import Formatter

from reportgen.languages import spoken

_UNITS = ((1e9, 1e9, "G"), (1e6, 1e6, "M"), (1e4, 1e3, "k"))


def label_ticks(ticks: Sequence[float]) -> list[str]:
    """Write ticks with the same number of decimals, as many as tell them apart.

    Example:
        >>> label_ticks([-0.5, 0.0, 0.5]), label_ticks([0.0, 5000.0])
        (['−0.5', '0.0', '0.5'], ['0', '5,000'])
        >>> label_ticks([0.0, 20_000.0, 40_000.0]), label_ticks([0.0, 2e-07])
        (['0', '20k', '40k'], ['0', '2e−07'])
    """
    largest = max((abs(tick) for tick in ticks), default=0.0)
    texts = _in_units(ticks, largest)
    if not texts and largest and (largest >= 1e7 or largest < 1e-4):
        several = ([f"{tick:.{digits}g}" for tick in ticks] for digits in range(3, 18))
        texts = next((each for each in several if len(set(each)) == len(ticks)), [])
    if not texts:
        close = 1e-9 * largest
        decimals = next(
            (d for d in range(16) if all(abs(round(t, d) - t) <= close for t in ticks)), 16
        )
        texts = [f"{tick:,.{decimals}f}" for tick in ticks]
    marks = str.maketrans({"-": "−", ",": spoken().group_mark, ".": spoken().decimal_mark})
    return [text.translate(marks) for text in texts]


def _in_units(ticks: Sequence[float], largest: float) -> list[str]:
    """Return round thousands, millions and billions with their sign; nothing for other ticks."""
    for least, size, sign in _UNITS:
        if least <= largest < 1e13:
            texts = [f"{tick / size:g}{sign if tick else ''}" for tick in ticks]
            exact = all(float(f"{tick / size:g}") * size == tick for tick in ticks)
            return texts if exact else []
    return []


class Ticks(Formatter):
    """Writes the ticks of an axis together; those of a logarithmic one each by itself."""

    def __init__(self, *, alone: bool = False) -> None:
        self._alone = alone

    def __call__(self, x: float, pos: int | None = None) -> str:  # noqa: ARG002 - matplotlib asks
        """Write one tick."""
        return label_ticks([float(x)])[0]

    def format_ticks(self, values: Sequence[float]) -> list[str]:
        """Write all ticks of an axis."""
        if self._alone:
            return [self(value) for value in values]
        return label_ticks([float(value) for value in values])
