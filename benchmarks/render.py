"""Render and set a report's pages, beside pdflatex; draw its figures, beside matplotlib.

(a) the sample lab's report from its records to the PDF by the embedded engine, beside pdflatex run
    twice on the same report's finished LaTeX.
(b) a report of 300 runs beside one of six runs, the same way.
(c) six figures as PDF, PNG and SVG, beside matplotlib's `savefig` three times: whole processes.

In (a) and (b) templates and pages count, and what they import; logs, analysis, drawing and, for
pdflatex, the writing of its source do not. The embedded engine remembers within a process what it
has set, so every report is set in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks._timing import Contender, Spent, ratios, run_in_turn

ROOT = Path(__file__).resolve().parent.parent
STUDY = ROOT / "inputs" / "roberta-small-fr" / "study.toml"
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "SOURCE_DATE_EPOCH": "1700000000"}


def make_runs(root: Path, groups: int, seeds: int) -> None:
    """Write tables of runs that differ as runs do: five epochs, two splits, accuracy and loss."""
    draw = random.Random(groups * 1000 + seeds)  # noqa: S311 - made-up accuracies
    for group in range(groups):
        for seed in range(seeds):
            lines = ["step,epoch,valid/accuracy,valid/loss,test/accuracy"]
            for epoch in range(1, 6):
                level = 0.5 + 0.4 * (1 - 0.6**epoch) + draw.gauss(0, 0.01)
                lines.append(
                    f"{epoch * 100},{epoch},{level:.4f},{1 - level:.4f},{level - 0.01:.4f}"
                )
            folder = root / f"model_{group:02}" / f"seed_{seed}"
            folder.mkdir(parents=True)
            (folder / "metrics.csv").write_text("\n".join(lines) + "\n")


def setter(name: str, evidence: Path, latex: Path | None = None) -> Contender:
    """Return a process that sets the report of a study file or of a folder of runs."""
    way = str(ROOT / "benchmarks" / "render_pages.py")
    return Contender(name, [sys.executable, way, str(evidence), *([str(latex)] if latex else [])])


def told_of(spent: list[Spent], key: str) -> list[float]:
    """Return what processes told of themselves."""
    return [float(json.loads(one.told)[key]) for one in spent]


def tell(what: str, ours: list[float], theirs: list[float], target: float) -> None:
    """Print one line of the table."""
    low, middle, high = ratios(ours, theirs)
    told = f"{statistics.median(ours):.2f} s beside {statistics.median(theirs):.2f} s"
    verdict = "met" if middle <= target else "missed"
    print(
        f"  {what}: {low:.2f} / {middle:.2f} / {high:.2f}, {told}"
        f"  (target at most {target}: {verdict})"
    )


def beside_latex(rounds: int, folder: Path) -> None:
    """(a)."""
    both = setter("both", STUDY, folder)
    spent = run_in_turn([both], rounds=rounds, cwd=folder, environment=ENVIRONMENT)["both"]
    for clock in ("wall", "processor"):
        what = f"(a) render and set / pdflatex twice, {clock}"
        tell(what, told_of(spent, clock), told_of(spent, f"latex_{clock}"), 0.3)


def beside_few(rounds: int, folder: Path) -> None:
    """(b)."""
    sizes = {"many": (60, 5), "few": (2, 3)}
    for name, (groups, seeds) in sizes.items():
        make_runs(folder / name, groups, seeds)
    contenders = [setter(name, folder / name) for name in sizes]
    spent = run_in_turn(contenders, rounds=rounds, cwd=folder, environment=ENVIRONMENT)
    many, few = (int(told_of(spent[name], "pages")[0]) for name in sizes)
    what = f"(b) 300 runs, {many} pages / 6 runs, {few} pages"
    for clock in ("wall", "processor"):
        ours, theirs = (told_of(spent[name], clock) for name in sizes)
        tell(f"{what}, {clock}", ours, theirs, 3)


def beside_matplotlib(rounds: int, folder: Path) -> None:
    """(c)."""
    ways = [sys.executable, str(ROOT / "benchmarks" / "render_figures.py")]
    contenders = [Contender(way, [*ways, way, str(folder / way)]) for way in ("ours", "savefig")]
    environment = {**ENVIRONMENT, "MPLCONFIGDIR": str(folder / "mpl")}
    spent = run_in_turn(contenders, rounds=rounds, cwd=folder, environment=environment)
    ours, theirs = ([each.wall for each in spent[way]] for way in ("ours", "savefig"))
    tell("(c) six figures in three formats / savefig, wall", ours, theirs, 0.6)


def main() -> None:
    """Time the contenders and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_known_args()[0].rounds
    print(f"ratios, {rounds} rounds in turn (min / median / max)")
    for measure in (beside_latex, beside_few, beside_matplotlib):
        with tempfile.TemporaryDirectory() as temporary:
            measure(rounds, Path(temporary))


if __name__ == "__main__":
    main()
