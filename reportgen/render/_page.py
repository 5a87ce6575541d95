"""The page: paper, columns and widths, decided once for both engines and for the tables."""

from __future__ import annotations

from dataclasses import dataclass

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""
POINTS = 72 / 25.4
_DIGITS_PER_EM = 1.9
# Size of the type of listings for each size of running text, in points of its own width.
_LISTING_EM = {10: 8.5, 11: 9.25, 12: 10.0}
_LETTER = 0.525


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """How a page is divided. Lengths are millimetres, sizes of type points.

    Attributes:
        paper: `"a4"` or `"letter"`.
        columns: 1 or 2.
        size: Size of running text: 10, 11 or 12.
        margin: Left and right of the text.
        top, bottom: Above and below it.
        gutter: Between two columns.
        text_width: Width of the text; 0 takes what the margins leave. A theme that is known by
            its measure keeps it on any paper.
    """

    paper: str = "a4"
    columns: int = 1
    size: float = 10
    margin: float = 25
    top: float = 25
    bottom: float = 25
    gutter: float = 6
    text_width: float = 0

    @property
    def width(self) -> float:
        """Width of the paper."""
        return PAPERS[self.paper][0]

    @property
    def height(self) -> float:
        """Height of the paper."""
        return PAPERS[self.paper][1]

    @property
    def text(self) -> float:
        """Width of the text, over all columns.

        Example:
            >>> Page().text, Page(text_width=139.7).text
            (160.0, 139.7)
        """
        return self.text_width or self.width - 2 * self.margin

    @property
    def column(self) -> float:
        """Width of one column.

        Example:
            >>> Page(columns=2).column
            77.0
        """
        return (self.text - self.gutter * (self.columns - 1)) / self.columns

    @property
    def side(self) -> float:
        """Room left and right of the text."""
        return (self.width - self.text) / 2

    @property
    def text_height(self) -> float:
        """Height of the text."""
        return self.height - self.top - self.bottom

    @property
    def lines(self) -> float:
        """Lines of ten points that a page holds."""
        return self.text_height * POINTS / 12

    @property
    def digits(self) -> float:
        """Digits of a formula that a column holds beside the number of the equation.

        Example:
            >>> round(Page().digits), round(Page(columns=2, size=10).digits)
            (78, 33)
        """
        return _DIGITS_PER_EM * (self.column * POINTS / self.size) - 8.3

    @property
    def letters(self) -> int:
        """Letters of a listing's line.

        Example:
            >>> Page().letters, Page(columns=2, size=10).letters
            (88, 48)
        """
        return min(88, int(self.column * POINTS / (_LETTER * _LISTING_EM[round(self.size)])))
