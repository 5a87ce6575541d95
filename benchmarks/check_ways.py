"""Reports to check, and ways to read and check them in a process of its own.

check_ways.py text FOLDER PROCESSES      takes the text of each report, and throws it away
check_ways.py blocks FOLDER PROCESSES    reads each report with its tables and places
check_ways.py long FOLDER                checks each report beside 60 long runs; prints seconds
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

if TYPE_CHECKING:
    from reportgen.records.facts import Facts
    from reportgen.records.run import Run

FORMS = ("pdf", "md", "tex")
GROUPS, SEEDS, POINTS, EPOCHS, LONG_REPORTS = 12, 5, 100_000, 10, 200
TAGS = ("train/loss", "train/accuracy", "validation/loss", "validation/accuracy")


def write_class(folder: Path, count: int) -> tuple[Path, Path]:
    """Write the logs of one lab and reports on it, each drawn anew; return both folders."""
    from fakes.course_class import FILLER, pdf_of
    from fakes.course_lab import make_lab, write_logs
    from fakes.course_reports import render, write_report

    lab = make_lab(random.Random(1), seeds=3)  # noqa: S311 - a made-up lab
    logs = write_logs(lab, folder / "logs", "plain")
    for number in range(count):
        state = random.Random(number)  # noqa: S311 - a made-up report
        parts = write_report(lab, state, french=False)
        form = FORMS[number % len(FORMS)]
        home = folder / "class" / f"s{number:03}"
        home.mkdir(parents=True)
        if form == "pdf":
            (home / "report.pdf").write_bytes(pdf_of(parts, pages=5, filler=FILLER * 9))
        else:
            text = render(parts, form).replace("\n\n", f"\n\n{FILLER * 9}\n\n", 5)
            (home / f"report.{form}").write_text(text, encoding="utf-8")
    return logs, folder / "class"


def long_facts() -> Facts:
    """Return 60 runs of many points, as reading their logs would give them."""
    import numpy as np

    from reportgen.records.facts import Facts
    from reportgen.records.run import Clock, Run, Runs, Series
    from reportgen.records.study import Study

    steps = np.arange(1, POINTS + 1, dtype=np.int64)
    walls = steps.astype(np.float64)
    each = POINTS // EPOCHS
    clock = Clock(
        unit="step", steps=steps[each - 1 :: each], epochs=np.arange(1.0, EPOCHS + 1), source="logs"
    )
    draw = np.random.default_rng(0)
    rise = 1 - np.exp(-4 * walls / POINTS)
    runs: list[Run] = []
    for group in range(GROUPS):
        for seed in range(SEEDS):
            scalars = {}
            for tag in TAGS:
                split, _, metric = tag.partition("/")
                noise = draw.normal(0, 0.01, POINTS)
                top = 0.6 + 0.02 * group
                values = top * rise if metric == "accuracy" else 2.0 - top * rise
                scalars[tag] = Series(
                    tag=tag,
                    steps=steps,
                    values=(values + noise).astype(np.float32),
                    wall_times=walls,
                    metric=metric,
                    split=split,
                    unit="fraction" if metric == "accuracy" else "",
                )
            name = f"model{group:02}/seed_{seed}"
            runs.append(
                Run(
                    id=name,
                    group=f"model{group:02}",
                    seed=seed,
                    layout="plain",
                    scalars=scalars,
                    clock=clock,
                )
            )
    return Facts(study=Study(), runs=Runs(root="", runs=tuple(runs)), groups=())


def write_long_class(folder: Path) -> Path:
    """Write reports on the long runs; return their folder."""
    from fakes.course_class import FILLER, pdf_of
    from fakes.course_reports import Heading, Table, Text, plain, render

    facts = long_facts()
    for number in range(LONG_REPORTS):
        state = random.Random(number)  # noqa: S311 - a made-up report
        groups = state.sample(range(GROUPS), 4)
        rows, sentences = [], []
        for group in groups:
            of = [one for one in facts.runs.runs if one.group == f"model{group:02}"]
            last = [float(one.scalars[TAGS[3]].values[-1]) for one in of]
            loss = [float(one.scalars[TAGS[2]].values[-1]) for one in of]
            mean = sum(last) / len(last)
            best = max(float(one.scalars[TAGS[3]].values.max()) for one in of)
            rows.append(tuple(map(plain, (f"model{group:02}", f"{mean:.4f}", f"{loss[0]:.4f}"))))
            sentences.append(
                Text((plain(f"The best validation accuracy of model{group:02} is {best:.4f}."),))
            )
            curve = of[0].scalars[TAGS[3]].values
            epochs = [
                (str(n), f"{float(curve[n * (POINTS // EPOCHS) - 1]):.4f}")
                for n in range(1, EPOCHS + 1)
            ]
        head = ("Model", "Mean validation accuracy", "Validation loss of seed 0")
        parts = [
            Heading("Results"),
            Table("Last values.", head, tuple(rows)),
            *sentences,
            Table(
                f"Validation accuracy of model{groups[-1]:02}, seed 0.",
                ("Epoch", "Validation accuracy"),
                tuple(tuple(map(plain, row)) for row in epochs),
            ),
        ]
        form = FORMS[number % len(FORMS)]
        home = folder / f"s{number:03}"
        home.mkdir(parents=True)
        if form == "pdf":
            (home / "report.pdf").write_bytes(pdf_of(parts, pages=5, filler=FILLER * 9))
        else:
            (home / f"report.{form}").write_text(render(parts, form), encoding="utf-8")
    return folder


def text_of(path: Path) -> int:
    """Take the text of a report."""
    if path.suffix != ".pdf":
        return len(path.read_text(encoding="utf-8"))
    import pypdfium2

    with pypdfium2.PdfDocument(path) as document:
        return sum(len(page.get_textpage().get_text_range()) for page in document)


def blocks_of(path: Path) -> int:
    """Read a report as a check does."""
    from reportgen.read.documents import read_document

    return len(read_document(path).blocks)


def seconds_of(call: Callable[[], object]) -> float:
    """Return what a call takes."""
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def check_beside_long(folder: Path) -> Iterator[tuple[str, float]]:
    """Yield what text, blocks and a check of all reports take in this process."""
    import pypdfium2

    from reportgen.checking import review
    from reportgen.read.documents import read_document
    from reportgen.records.verdict import Evidence

    evidence = Evidence(facts=long_facts())
    reports = reports_in(folder)
    # What is loaded once for all is loaded.
    pypdfium2.PdfDocument(reports[0]).close()
    review(read_document(reports[0]), Evidence())
    yield "text", seconds_of(lambda: [text_of(path) for path in reports])
    yield "blocks", seconds_of(lambda: [blocks_of(path) for path in reports])
    yield "check", seconds_of(lambda: [review(read_document(path), evidence) for path in reports])


def reports_in(folder: Path) -> list[Path]:
    """Return the reports of a class."""
    return sorted(folder.glob("*/report.*"))


def main() -> None:
    """Go one of the ways."""
    name, folder = sys.argv[1], Path(sys.argv[2])
    if name == "long":
        print(json.dumps(dict(check_beside_long(folder))))
        return
    call = {"text": text_of, "blocks": blocks_of}[name]
    with ProcessPoolExecutor(int(sys.argv[3])) as pool:
        print(sum(pool.map(call, reports_in(folder))))


if __name__ == "__main__":
    main()
