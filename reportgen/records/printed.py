"""A number as it is printed."""

from __future__ import annotations

from decimal import Decimal

from reportgen.records.record import record


@record
class Printed:
    """A number as it is printed: its decimals and trailing zeros are data.

    Attributes:
        text: As printed, joined (`1,572, 864`).
        value: What it says: `Decimal("75.40")` for `75,40 %`; the unit is not applied.
        decimals: Digits behind the point of the value; negative for `22.8M` (its last
            printed digit stands for 10 ** -decimals).
        unit: `"percent"`, `"points"`, or `""`.
        start: Where it begins in the block's (or cell's) text.
        end: The position behind it.
        word: Whether it is written out (`six`).
        approximate: `""`, or the word that makes it so (`about`, `nearly`, `over`).
    """

    text: str
    value: Decimal
    decimals: int = 0
    unit: str = ""
    start: int = 0
    end: int = 0
    word: bool = False
    approximate: str = ""

    @property
    def half_unit(self) -> Decimal:
        """Half a unit of the last printed place."""
        return Decimal(5).scaleb(-self.decimals - 1)
