"""Render and set one report once, in a process of its own; print what that took as JSON.

Called with a study file or a folder of runs, and perhaps a folder: there pdflatex is then run twice
on the same report's LaTeX.
"""

from __future__ import annotations

import io
import json
import resource
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pypdf

from reportgen.app.analysis import analyse
from reportgen.app.options import BuildOptions
from reportgen.records.document import Figure, walk
from reportgen.render import RenderContext, render, render_pdf
from reportgen.render.figures import draw_figures
from reportgen.report import compose_report


def clocks() -> tuple[float, float, float]:
    """Return wall time, and the processor time of this process and of its children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter(), time.process_time(), children.ru_utime + children.ru_stime


def pdflatex_twice(files: Mapping[str, bytes], folder: Path) -> tuple[float, float]:
    """Return the wall and processor seconds of two runs of pdflatex, from nothing."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    (folder / "report.aux").unlink(missing_ok=True)
    begun = clocks()
    for _ in range(2):
        subprocess.run(
            ["pdflatex", "-interaction=batchmode", "report.tex"],
            cwd=folder,
            check=True,
            capture_output=True,
        )
    ended = clocks()
    return ended[0] - begun[0], ended[2] - begun[2]


def main() -> None:
    """Measure."""
    evidence = Path(sys.argv[1])
    study, runs = (evidence, None) if evidence.is_file() else (None, evidence)
    facts = analyse(BuildOptions(out=Path("-"), cache=None, study=study, runs=runs))
    report = compose_report(facts, metadata={}, date="2026-03-14")
    drawn = [block for block in walk(report.sections) if isinstance(block, Figure)]
    figures = draw_figures(drawn, report.lang)
    context = RenderContext()
    told: dict[str, float] = {}
    begun = clocks()
    found = render_pdf(report, figures, context, engine="typst", timestamp=0)
    ended = clocks()
    told["wall"], told["processor"] = ended[0] - begun[0], ended[1] - begun[1]
    if sys.argv[2:]:
        sources = render(report, "latex", figures, context)
        latex_wall, latex_processor = pdflatex_twice(sources, Path(sys.argv[2]))
        told["latex_wall"], told["latex_processor"] = latex_wall, latex_processor
    told["pages"] = len(pypdf.PdfReader(io.BytesIO(found.pdf)).pages)
    print(json.dumps(told))


if __name__ == "__main__":
    main()
