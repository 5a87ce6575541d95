"""One way in for every written report."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

from reportgen.errors import EvidenceError
from reportgen.read.documents import READERS
from reportgen.read.documents._enough import with_enough
from reportgen.read.documents._limits import Limits
from reportgen.records.manuscript import Manuscript

DEFAULTS = Limits()


def read_document(path: Path, limits: Limits = DEFAULTS) -> Manuscript:
    r"""Read a report with the reader that its name calls for; what begins as a PDF is one.

    Args:
        path: The report.
        limits: How much of it is read.

    Raises:
        EvidenceError: It is missing, damaged, or of a kind that is not read.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "report.md")
        ...     _ = path.write_text("# Results\n\nThe accuracy is **79.9 %**.\n")
        ...     manuscript = read_document(path)
        >>> [(block.type, block.text) for block in manuscript.blocks]
        [('heading', 'Results'), ('paragraph', 'The accuracy is 79.9 %.')]
    """
    manuscript: Manuscript = READERS.load(format_of(path))(path, limits)
    return with_enough(manuscript, limits)


def format_of(path: Path) -> str:
    """Return the name of the format of a report.

    Raises:
        EvidenceError: No reader answers to its name.
    """
    try:
        with path.open("rb") as file:
            begins = file.read(1024)
    except (OSError, ValueError):
        # The reader says what is the matter with the file.
        begins = b""
    if begins.lstrip().startswith(b"%PDF-"):
        return "pdf"
    for name, entry in READERS.items():
        if any(fnmatchcase(path.name.lower(), pattern) for pattern in entry.match):
            return name
    known = ", ".join(pattern for entry in READERS.values() for pattern in entry.match)
    raise EvidenceError(
        f"{path} is of a format that no reader answers to",
        remedy=f"reports that are read: {known}",
    )
