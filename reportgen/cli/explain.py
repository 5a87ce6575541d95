"""`reportgen explain`: where a printed number comes from."""

from __future__ import annotations

import argparse
from pathlib import Path

from reportgen.cli.arguments import Commands, add_command, to_path
from reportgen.cli.console import chain_lines
from reportgen.cli.talk import say, say_json
from reportgen.languages import LANGUAGES, speaking
from reportgen.records.errors import ExitCode, UnknownNameError


def add(commands: Commands, about: str) -> None:
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
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
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
