"""Texts and tables of a manuscript, and rules of a page."""

from reportgen.records.manuscript import Manuscript

PROSE = "The model was trained for five epochs on all of the reviews of the course."


def texts(manuscript: Manuscript, kind: str = "") -> list[str]:
    """Texts of the blocks, or of those of one kind."""
    return [b.text for b in manuscript.blocks if not kind or b.type == kind]


def table(manuscript: Manuscript) -> list[list[str]]:
    """Cells of the only table."""
    (found,) = [b for b in manuscript.blocks if b.type == "table"]
    return [[cell.text for cell in row] for row in found.rows]


def rule(x0: float, x1: float, y: float) -> bytes:
    """Draw a line across, in points from the left lower corner."""
    return f"{x0} {y - 0.25} {x1 - x0} 0.5 re f\n".encode()
