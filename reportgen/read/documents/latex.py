r"""LaTeX, with the files that `\input` and `\include` bring in."""

from __future__ import annotations

import re
from pathlib import Path

from reportgen.read.documents._blocks import split_blocks
from reportgen.read.documents._limits import Limits
from reportgen.read.documents._tex_blocks import tex_blocks
from reportgen.read.documents._tex_files import TexFiles, with_marks
from reportgen.read.documents._tex_macros import Expander
from reportgen.read.documents._tex_named import named_numbers
from reportgen.read.documents._tex_stream import Origin, Stream
from reportgen.records.manuscript import Manuscript

_BEGIN = re.compile(r"\\begin\s?\{document\}")


def read_latex(path: Path, limits: Limits) -> Manuscript:
    r"""Read a report in LaTeX: what `\begin{document}` opens, or all where nothing does.

    The author's own commands are put in, comments and the preamble are left out, and files
    that are brought in are read if they lie in the report's folder or below.

    Raises:
        EvidenceError: The file is missing, too large, or no text.
    """
    files = TexFiles(folder=path.parent, limits=limits)
    text = files.read(path)
    lines, listings = with_marks(files.pieces)
    origin = Origin.of(lines)
    joined = origin.text()
    expander = Expander(limits)
    stream = expander.expand(Stream(joined, range(len(joined))))
    if expander.exhausted:
        files.tell(
            text.path,
            "defines commands that use each other too deeply or too often; some were left out "
            "and not checked",
            "write these places out",
        )
    begin = _BEGIN.search(stream.text)
    start = begin.end() if begin else 0
    blocks = tex_blocks(stream, origin, listings, start, len(stream.text))
    return Manuscript(
        path=text.path,
        format="latex",
        sha256=text.sha256,
        blocks=split_blocks(blocks),
        problems=tuple(files.problems),
        named=tuple(named_numbers(stream, origin, start)),
    )
