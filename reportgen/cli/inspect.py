"""Commands that look: at a file or folder, behind a number, at what changed, at a whole report."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from reportgen.cli.arguments import address_of, taken, to_count
from reportgen.cli.console import chain_lines, change_lines, inspection_lines
from reportgen.cli.talk import colours, columns, say, say_json, write_file
from reportgen.languages import LANGUAGES, speaking
from reportgen.records.errors import ExitCode, UnknownNameError

# `reportgen inspect`: what a file or folder holds.


def run_inspect(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import app

    found = app.inspect(
        arguments.path,
        base=arguments.base,
        total=arguments.total,
        study=arguments.study,
        loader=arguments.loader,
        address=address_of(arguments),
    )
    if arguments.json:
        say_json(found)
    else:
        lines = inspection_lines(found, width=columns(), everything=arguments.all)
        say(lines, coloured=colours(sys.stdout))
    # What was found is told above; to a script a folder without a run is one like an empty one.
    nothing = found["kind"] == "logs" and not found["runs"]
    return int(ExitCode.EVIDENCE if nothing else ExitCode.OK)


# `reportgen explain`: where a printed number comes from.


def run_explain(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import app

    report: Path | None = arguments.of or arguments.report
    others: list[Path] = []
    if report is None and (arguments.verify or not (arguments.runs or arguments.study)):
        report, others = app.find_report(Path())
    options = taken(app.ExplainOptions, arguments, report=report, lang=arguments.lang or "")
    try:
        found = app.explain(options)
    except UnknownNameError as fault:
        if others:
            fault.remedy = f"--report names another report: {app.names_of(others)}; {fault.remedy}"
        raise
    if arguments.json:
        say_json(found.numbers)
    else:
        with speaking(found.lang):
            say(chain_lines(found.numbers))
    states = {item.get("file", "") for number in found.numbers for item in number["evidence"]}
    if "changed" in states:
        return int(ExitCode.FINDINGS)
    return int(ExitCode.EVIDENCE if "not found" in states else ExitCode.OK)


# `reportgen diff`: what changed between two reports, number by number.


def run_diff(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import app

    found = app.diff(arguments.old, arguments.new)
    if arguments.json:
        say_json(found)
    else:
        lines = change_lines(found, everything=arguments.all)
        say(lines, coloured=colours(sys.stdout))
    totals = found["totals"]
    counted = ["changed", "added", "removed"]
    counted += ["rounding"] if arguments.fail_on == "changed" else []
    fails = arguments.fail_on != "never" and any(totals[name] for name in counted)
    return int(ExitCode.FINDINGS if fails else ExitCode.OK)


# `reportgen summary`: a page of Markdown for CI.


def to_kibibytes(text: str) -> int:
    """Read a size of one KiB or more."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of KiB from 1 on")
    return int(text)


KNOWN = {"count": to_count, "kibibytes": to_kibibytes, "languages": tuple(LANGUAGES)}


def run_summary(arguments: argparse.Namespace) -> int:
    """Call the use case and print, or write, the page."""
    from reportgen import app
    from reportgen.cli.console import summary_page

    report = arguments.of or arguments.report or Path("out")
    findings = tuple(arguments.findings)
    found = app.summarise_report(
        taken(app.SummaryOptions, arguments, report=report, findings=findings)
    )
    page = summary_page(found, arguments.max_kb * 1024)
    if found.no_base:
        print(f"not compared with a base: {found.no_base}", file=sys.stderr)
    if arguments.out is None or str(arguments.out) == "-":
        write_file(page)
    else:
        from reportgen.read.store import write_files

        write_files(arguments.out.parent, {arguments.out.name: page.encode()})
        print(f"wrote {arguments.out}")
    return int(ExitCode.OK)
