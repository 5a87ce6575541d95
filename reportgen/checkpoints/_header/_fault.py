"""The one way in which a stranger's file is refused."""

from __future__ import annotations

from reportgen.errors import EvidenceError

REMEDY = "save or download the file again"


def refusal(name: str, what: str, remedy: str = REMEDY) -> EvidenceError:
    """Return the letter to the user about a file that cannot be read.

    Example:
        >>> refusal("model.pt", "is cut short").message
        'model.pt is cut short'
    """
    return EvidenceError(f"{name} {what}", remedy=remedy)
