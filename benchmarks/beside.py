"""The same lab by reportgen, by a Quarto document and by a notebook: time, size, accessibility.

The Quarto document and the notebook hold what a careful student would write with tbparse, pandas
and matplotlib: the same tables and curves, captions, cross-references, the headline in a sentence.
Quarto takes part where `quarto` is on the PATH; nbconvert's PDF asks for pandoc and xelatex, so the
notebook is printed by the browser where there is one.

Whole processes in turn; the table in docs/beside.md is made from what this prints.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks import notebook
from benchmarks._timing import Contender, time_in_turn

ROOT = Path(__file__).resolve().parent.parent
STUDY = ROOT / "inputs" / "roberta-small-fr" / "study.toml"
HEAD = """---
title: Fine-tuning RoBERTa small for French on book reviews
date: 2023-11-14
lang: en
number-sections: true
execute: {echo: false, warning: false}
format:
  html: {embed-resources: true, toc: true}
  pdf:
    pdf-engine: pdflatex
    include-in-header: {text: '\\usepackage{multirow}'}
---
"""
SUMMARY = """
## Summary

The mean test accuracy of the pretrained runs is `{python} f"{means['pretrained']:.2f}"`%, of those
started at random `{python} f"{means['random']:.2f}"`%; see @tbl-summary and @fig-curves.
"""
PARTS = (
    ("", notebook.LOAD, ""),
    ("", notebook.BEST, 'means = best.groupby("group").test.mean().to_dict()'),
    (SUMMARY, notebook.SUMMARY, "#| label: tbl-summary\n#| tbl-cap: Mean and sample std, n = 3."),
    ("## Best step\n", "best.round(2)", "#| label: tbl-best\n#| tbl-cap: Best validation step."),
    ("## Epochs\n", notebook.EPOCHS, "#| label: tbl-epochs\n#| tbl-cap: Mean and std an epoch."),
    ("## Hugging Face\n", notebook.HUGGING_FACE, "#| label: tbl-hf\n#| tbl-cap: Trainer's log."),
    ("## Curves\n", notebook.FIGURES.format(), "#| label: fig-curves\n#| fig-cap: Every run."),
)


def quarto_source(logs: Path) -> str:
    """Return the Quarto document over a folder of logs."""
    blocks = [HEAD]
    for words, code, options in PARTS:
        filled = code.format(logs=str(logs)) if code is notebook.LOAD else code
        lines = filled.strip().splitlines()
        if not words:  # what only computes shows nothing
            lines = [line for line in lines if line != "best" and "groupby" not in line[:9]]
            shown = "\n".join([*lines, options])
            shown = shown.replace('accuracy.groupby(["group", "split"]).size()', "")
            blocks.append(f"```{{python}}\n#| output: false\n{shown}\n```\n")
        else:
            body = "\n".join(lines)
            blocks.append(f"{words}\n```{{python}}\n{options}\n{body}\n```\n")
    return "\n".join(blocks)


def contenders(folder: Path) -> list[Contender]:
    """Return the programs to time; each writes into a folder of its own."""
    logs = STUDY.parent / "logs"
    ours, theirs = folder / "reportgen", folder / "quarto"
    theirs.mkdir()
    (theirs / "lab.qmd").write_text(quarto_source(logs), encoding="utf-8")
    build = [sys.executable, "-m", "reportgen", "build", str(STUDY), "--quiet"]

    def forget() -> None:
        shutil.rmtree(ours, ignore_errors=True)

    page = [sys.executable, str(ROOT / "benchmarks" / "notebook.py"), str(logs)]
    found = [
        Contender(
            "reportgen, five formats",
            [*build, "--out", str(ours / "report.pdf"), "--cache", str(ours / "cache")],
            prepare=forget,
        ),
        Contender("nbconvert, HTML", [*page, str(folder / "nbconvert")]),
    ]
    quarto = shutil.which("quarto")
    if quarto:
        for name in ("html", "pdf"):
            render = [quarto, "render", str(theirs / "lab.qmd"), "--to", name]
            found.append(Contender(f"Quarto, {name.upper()}", render))
    return found


def describe(folder: Path) -> None:
    """Print size, tags, links and embedded evidence of every file that was made."""
    from pypdf import PdfReader

    for path in sorted(folder.rglob("*.pdf")):
        if path.parent.name not in {"reportgen", "quarto", "nbconvert"}:
            continue
        pdf = PdfReader(path)
        root = pdf.trailer["/Root"]
        tagged = bool(root.get("/MarkInfo", {}).get("/Marked", False))
        links = sum(len(page.get("/Annots", [])) for page in pdf.pages)
        print(
            f"{path.parent.name}/{path.name}: {path.stat().st_size // 1000} kB, "
            f"{len(pdf.pages)} pages, tagged {tagged}, language {root.get('/Lang')}, "
            f"{links} links, attachments {sorted(pdf.attachments)}"
        )
    for path in sorted(folder.rglob("*.html")):
        text = path.read_text("utf-8")
        print(
            f"{path.parent.name}/{path.name}: {path.stat().st_size // 1000} kB, "
            f"{text.count('<img')} bitmaps, {text.count('<svg')} drawings, "
            f"{text.count('https://cdn')} addresses fetched at view time"
        )
    numbers = json.loads((folder / "reportgen" / "report.json").read_text("utf-8"))["numbers"]
    traced = sum(bool(number["evidence"]) for number in numbers)
    print(f"reportgen: {len(numbers)} printed numbers, {traced} with the files they rest on")


def main() -> None:
    """Time the contenders, then describe what they made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="folder to leave the results in")
    options, _ = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        environment = {"QUARTO_PYTHON": sys.executable, "PATH": os.environ["PATH"]}
        spent = time_in_turn(
            contenders(folder), rounds=options.rounds, cwd=folder, environment=environment
        )
        first = statistics.median(next(iter(spent.values())))
        for name, seconds in spent.items():
            ratio = statistics.median(seconds) / first
            print(f"{name}: {ratio:.2f} of reportgen ({min(seconds):.1f}–{max(seconds):.1f} s)")
        describe(folder)
        if options.keep:
            shutil.copytree(folder, options.keep, dirs_exist_ok=True)


if __name__ == "__main__":
    main()
