"""Commands that look: at a file or folder, behind a number, at what changed, at a whole report."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from reportgen.cli.arguments import (
    Commands,
    Parser,
    add_cluster,
    add_command,
    add_loader,
    address_of,
    to_count,
    to_path,
    to_root,
)
from reportgen.cli.console import chain_lines, change_lines, inspection_lines
from reportgen.cli.talk import colours, columns, say, say_json, write_file
from reportgen.languages import LANGUAGES, speaking
from reportgen.records.errors import ExitCode, UnknownNameError

# `reportgen inspect`: what a file or folder holds.


def add_inspect(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = (
        "reportgen inspect logs/",
        "reportgen inspect logs/ --all --study study.toml",
        "reportgen inspect model/config.json --json",
        "reportgen inspect lora/adapter_config.json \\\n    --base lora/bloom-560m/config.json",
        "reportgen inspect model/config.json --total 20,578,304",
        "reportgen inspect model.safetensors --json > tensors.json",
    )
    command = add_command(commands, "inspect", about, examples)
    command.add_argument("path", type=to_root, metavar="PATH|URL", help="what to look into")
    command.add_argument("--base", type=to_path, metavar="PATH", help="base model of an adapter")
    command.add_argument(
        "--total",
        type=to_count,
        metavar="N",
        help="say what a stated number of parameters counts",
    )
    command.add_argument(
        "--study", type=to_path, metavar="FILE", help="read the logs as this study file says"
    )
    command.add_argument(
        "--all", action="store_true", help="every run, tag and problem on a line of its own"
    )
    add_loader(command)
    add_cluster(command)
    command.add_argument("--json", action="store_true", help="print it as JSON")
    command.set_defaults(run=run_inspect)


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


def add_explain(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = (
        "reportgen explain 80.63",
        "reportgen explain best_step.pretrained.0.report_value \\\n    --report out/report.json",
        "reportgen explain results.table --report out/report.pdf",
        "reportgen explain 80.63 --verify --runs logs/",
        "reportgen explain 80.63 --study study.toml --json",
    )
    notes = """\
With a report nothing is read but that; without one (only --runs or --study), the logs are.

--verify: exit code 1 where a file is not the one the number was read from, 3 where it is gone.
"""
    command = add_command(commands, "explain", about, examples, notes)
    command.add_argument(
        "number", metavar="NUMBER", help="as printed, its id, or the id of a table or section"
    )
    command.add_argument(
        "--report",
        type=to_path,
        metavar="FILE",
        help="report.json, its folder or its PDF (default: out/report.json, else the only one)",
    )
    command.add_argument("--runs", type=to_path, metavar="DIR", help="folder with the logs")
    command.add_argument("--study", type=to_path, metavar="FILE", help="study file (TOML)")
    command.add_argument(
        "--verify", action="store_true", help="hash the files behind it again, and compare"
    )
    command.add_argument(
        "--lang", choices=tuple(LANGUAGES), help="language of the answer (default: the report's)"
    )
    command.add_argument("--json", action="store_true", help="print it as JSON")
    command.set_defaults(run=run_explain)


def run_explain(arguments: argparse.Namespace) -> int:
    """Call the use case and say what came of it."""
    from reportgen import app

    report: Path | None = arguments.report
    others: list[Path] = []
    if report is None and (arguments.verify or not (arguments.runs or arguments.study)):
        report, others = app.find_report(Path())
    options = app.ExplainOptions(
        number=arguments.number,
        report=report,
        runs=arguments.runs,
        study=arguments.study,
        verify=arguments.verify,
        lang=arguments.lang or "",
    )
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


def add_diff(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = (
        "reportgen diff out/report.json new/report.json",
        "reportgen diff out/ new/",
        "reportgen diff old.pdf new.pdf",
        "reportgen diff old.json new.json --json > diff.json",
        "reportgen diff old.json new.json --fail-on value",
    )
    notes = """\
Of a folder its report.json is taken, of a PDF the one attached to it.

A number whose print is the same is unchanged. Exit code 1: something printed changed, a number
came or went; --fail-on value passes over what rounding explains, --fail-on never over all.
"""
    command = add_command(commands, "diff", about, examples, notes)
    command.add_argument("old", type=to_path, metavar="OLD", help="report.json, folder or PDF")
    command.add_argument("new", type=to_path, metavar="NEW", help="the later one")
    command.add_argument(
        "--fail-on",
        choices=("changed", "value", "never"),
        default="changed",
        help="what ends in exit code 1 (default: changed)",
    )
    command.add_argument("--all", action="store_true", help="every change on a line of its own")
    command.add_argument("--json", action="store_true", help="print it as JSON")
    command.set_defaults(run=run_diff)


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


def add_summary(commands: Commands, about: str) -> None:
    """Declare the arguments."""
    examples = (
        "reportgen summary --report out/",
        """reportgen summary --report out/report.json --findings findings.json \\
    --base main/report.json""",
        'reportgen summary --report out/ >> "$GITHUB_STEP_SUMMARY"',
        "reportgen summary --report out/ --findings results/ \\\n    --out summary.md --max-kb 60",
    )
    notes = """\
The page is in the language of the report. A part that has no room is left out as a whole, and
the page says so. A base that is not there is said on the page: the first report has none.
"""
    command = add_command(commands, "summary", about, examples, notes)
    command.add_argument(
        "--report",
        type=to_path,
        default=Path("out"),
        metavar="FILE|DIR",
        help="report.json, its folder, or the PDF (default: out)",
    )
    command.add_argument(
        "--findings",
        type=to_path,
        action="append",
        default=[],
        metavar="FILE|DIR",
        help="what `check --format json` wrote; may be given more than once",
    )
    command.add_argument(
        "--base", type=to_path, metavar="FILE|DIR", help="the base, to say what changed"
    )
    _add_output(command)
    command.set_defaults(run=run_summary)


def _add_output(command: Parser) -> None:
    command.add_argument(
        "--out", type=to_path, metavar="FILE", help="where to write (default: it is printed)"
    )
    command.add_argument(
        "--max-kb",
        type=to_kibibytes,
        default=1000,
        metavar="N",
        help="most KiB of the page (default: 1000; GitHub takes 1024 a step)",
    )


def to_kibibytes(text: str) -> int:
    """Read a size of one KiB or more."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of KiB from 1 on")
    return int(text)


def run_summary(arguments: argparse.Namespace) -> int:
    """Call the use case and print, or write, the page."""
    from reportgen import app
    from reportgen.cli.console import summary_page

    found = app.summarise_report(
        app.SummaryOptions(
            report=arguments.report, findings=tuple(arguments.findings), base=arguments.base
        )
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
