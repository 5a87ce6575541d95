"""Arguments to use cases; the only module that prints, and the only one that sets exit codes."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from reportgen import __version__
from reportgen.console import decision_lines, explanation_lines, inspection_lines, plain
from reportgen.errors import ExitCode, ReportgenError, UsageError

if TYPE_CHECKING:
    from reportgen.api import BuildOutcome

_EXIT_CODES = """\
exit codes:
  0 done (warnings may have been printed)   2 usage, configuration or output folder
  3 evidence or engine missing              4 template   5 internal error
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    # Numerical libraries start a thread pool a core; nothing here profits from one, and
    # leaving it out makes a cold start measurably cheaper.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    arguments = _parser().parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except ReportgenError as fault:
        _say_error(fault)
        return int(fault.exit_code)
    except KeyboardInterrupt:
        print("\ninterrupted; no file was left half-written", file=sys.stderr)
        return int(ExitCode.INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output went away (`| head`); nothing is wrong with the work.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return int(ExitCode.OK)
    except OSError as fault:
        place = f"{fault.filename}: " if fault.filename else ""
        _say_error(UsageError(f"{place}{fault.strerror or fault}", remedy="check paths and disk"))
        return int(ExitCode.USAGE)
    except Exception as fault:
        if os.environ.get("REPORTGEN_TRACEBACK"):
            raise
        print(f"error: internal: {type(fault).__name__}: {fault}", file=sys.stderr)
        print(
            "  this is a defect of reportgen; set REPORTGEN_TRACEBACK=1 to see where",
            file=sys.stderr,
        )
        return int(ExitCode.INTERNAL)


# --- commands -------------------------------------------------------------------------


def _build(arguments: argparse.Namespace) -> int:
    from reportgen import api

    options = api.BuildOptions(
        study=arguments.study,
        runs=arguments.runs,
        out=arguments.out,
        formats=tuple(arguments.format),
        engine=arguments.engine,
        template=arguments.template,
        checkpoint=arguments.checkpoint,
        adapter=arguments.adapter,
        base=arguments.base,
        settings=_settings(arguments),
        cache=None if arguments.no_cache else arguments.cache,
    )
    progress = _Progress(shown=not arguments.quiet and not arguments.json)
    try:
        outcome = api.build(options, notify=progress)
    finally:
        progress.close()
    if arguments.json:
        print(json.dumps(outcome.to_json(), indent=2, ensure_ascii=False))
    else:
        _say_outcome(outcome, quiet=arguments.quiet)
    return outcome.exit_code


def _settings(arguments: argparse.Namespace) -> dict[str, object]:
    names = ("metric", "direction", "select_on", "report_on", "ties", "ddof", "title")
    return {n: getattr(arguments, n) for n in names if getattr(arguments, n) is not None}


def _say_outcome(outcome: BuildOutcome, *, quiet: bool) -> None:
    if not quiet:
        _say(decision_lines(outcome.decisions))
    for warning in outcome.warnings:
        print(f"warning: {plain(warning)}", file=sys.stderr)
    if not quiet:
        for path in outcome.files:
            print(plain(f"{'wrote' if path in outcome.written else 'unchanged'} {path}"))
        print(f"{outcome.engine}; {len(outcome.warnings)} warnings")


def _init(arguments: argparse.Namespace) -> int:
    from reportgen import api

    out: Path = arguments.out
    if str(out) != "-" and out.exists() and not arguments.force:
        raise UsageError(
            f"{out} is there already", remedy="name another file with --out, or add --force"
        )
    text, decisions = api.make_study(arguments.runs, out)
    if str(out) == "-":
        print(text, end="")
    else:
        from reportgen.store import write_files

        write_files(out.parent, {out.name: text.encode()})
        _say(decision_lines(decisions))
        print(f"wrote {out}\nnext: reportgen build {out} --out out/report.pdf")
    return int(ExitCode.OK)


def _inspect(arguments: argparse.Namespace) -> int:
    from reportgen import api

    found = api.inspect(arguments.path, base=arguments.base, total=arguments.total)
    if arguments.json:
        print(json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False))
    else:
        _say(inspection_lines(found))
    return int(ExitCode.OK)


def _explain(arguments: argparse.Namespace) -> int:
    from reportgen import api

    found = api.explain(arguments.number, arguments.report)
    if arguments.json:
        print(json.dumps(found, indent=2, ensure_ascii=False))
    else:
        _say(explanation_lines(found))
    return int(ExitCode.OK)


def _templates(arguments: argparse.Namespace) -> int:
    from reportgen import api

    if arguments.action == "list":
        for line in api.list_templates():
            print(line)
    else:
        for path in api.eject_templates(arguments.name, arguments.to, force=arguments.force):
            print(f"wrote {path}")
    return int(ExitCode.OK)


# --- arguments ------------------------------------------------------------------------


class _Parser(argparse.ArgumentParser):
    """Ends a usage error with the documented exit code and a remedy."""

    def error(self, message: str) -> NoReturn:
        print(f"error: {message}\n  remedy: {self.prog} --help", file=sys.stderr)
        raise SystemExit(int(ExitCode.USAGE))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="reportgen",
        description="Turns training logs, checkpoints and LoRA configurations into a lab report.",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"reportgen {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Parser)
    _add_build(commands)
    _add_init(commands)
    _add_inspect(commands)
    _add_explain(commands)
    _add_templates(commands)
    return parser


def _command(
    commands: argparse._SubParsersAction[_Parser], name: str, about: str, examples: str
) -> _Parser:
    return commands.add_parser(
        name,
        help=about,
        description=about,
        epilog=f"examples:\n{examples}\n{_EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _add_build(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """\
  reportgen build --runs logs/ --out out/report.pdf
  reportgen build study.toml --out out/ --format pdf,html
  reportgen build --runs logs/ --checkpoint model/ --adapter lora/ --out report.pdf
  reportgen build study.toml --out out/report.pdf --engine latex --ddof 0
"""
    command = _command(commands, "build", "write the report of a folder of runs", examples)
    command.add_argument("study", nargs="?", type=_path, metavar="STUDY", help="study file (TOML)")
    command.add_argument("--runs", type=_path, metavar="DIR", help="folder with the training logs")
    command.add_argument(
        "--out",
        type=_path,
        required=True,
        metavar="FILE|DIR",
        help="a .pdf or a folder gets every format; .html .md .tex .json .zip that one",
    )
    command.add_argument(
        "--format",
        type=_names,
        default=(),
        metavar="LIST",
        help="only these, comma separated: pdf,tex,md,html,json,typ,zip",
    )
    command.add_argument(
        "--engine", choices=("auto", "typst", "latex"), default="auto", help="what makes the PDF"
    )
    command.add_argument("--template", type=_path, metavar="DIR", help="folder with own templates")
    _add_evidence(command)
    _add_settings(command)
    command.add_argument("--cache", type=_path, default=Path(), metavar="DIR", help="cache folder")
    command.add_argument("--no-cache", action="store_true", help="build everything afresh")
    command.add_argument("--quiet", action="store_true", help="print warnings only")
    command.add_argument("--json", action="store_true", help="print the outcome as JSON")
    command.set_defaults(run=_build)


def _add_evidence(command: _Parser) -> None:
    command.add_argument(
        "--checkpoint", type=_path, metavar="PATH", help="model folder, config.json or checkpoint"
    )
    command.add_argument(
        "--adapter", type=_path, metavar="PATH", help="adapter folder or adapter_config.json"
    )
    command.add_argument(
        "--base", type=_path, metavar="PATH", help="config.json or checkpoint of the adapter's base"
    )


def _add_settings(command: _Parser) -> None:
    splits = ("train", "validation", "test")
    command.add_argument("--metric", metavar="NAME", help="metric that decides (accuracy)")
    command.add_argument("--direction", choices=("higher", "lower"), help="which is better")
    command.add_argument("--select-on", choices=splits, help="split that chooses the best step")
    command.add_argument("--report-on", choices=splits, help="split that is reported")
    command.add_argument("--ties", choices=("first", "last"), help="which of equal best steps")
    command.add_argument("--ddof", type=int, choices=(0, 1), help="0: population std, 1: sample")
    command.add_argument("--title", metavar="TEXT", help="title of the report")


def _add_init(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """\
  reportgen init --runs logs/
  reportgen init --runs logs/ --out -
"""
    command = _command(
        commands, "init", "write down what is inferred from the logs as a study file", examples
    )
    command.add_argument("--runs", type=_path, required=True, metavar="DIR")
    command.add_argument(
        "--out", type=_path, default=Path("study.toml"), metavar="FILE", help="- prints it"
    )
    command.add_argument("--force", action="store_true", help="replace the file")
    command.set_defaults(run=_init)


def _add_inspect(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """\
  reportgen inspect logs/
  reportgen inspect model/config.json --json
  reportgen inspect lora/adapter_config.json --base lora/bloom-560m/config.json
  reportgen inspect model/config.json --total 20,578,304
  reportgen inspect model.safetensors --json > tensors.json
"""
    command = _command(
        commands, "inspect", "show what a log, a checkpoint, an adapter or a config holds", examples
    )
    command.add_argument("path", type=_path, metavar="PATH")
    command.add_argument("--base", type=_path, metavar="PATH", help="base model of an adapter")
    command.add_argument(
        "--total", type=_count, metavar="N", help="say what a stated number of parameters counts"
    )
    command.add_argument("--json", action="store_true", help="as JSON")
    command.set_defaults(run=_inspect)


def _add_explain(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """\
  reportgen explain 80.63
  reportgen explain best_step.pretrained.0.report_value --report out/report.json
"""
    command = _command(commands, "explain", "say where a printed number comes from", examples)
    command.add_argument("number", metavar="NUMBER", help="as printed, or its id")
    command.add_argument(
        "--report", type=_path, default=Path("out/report.json"), metavar="FILE", help="report.json"
    )
    command.add_argument("--json", action="store_true", help="as JSON")
    command.set_defaults(run=_explain)


def _add_templates(commands: argparse._SubParsersAction[_Parser]) -> None:
    examples = """\
  reportgen templates list
  reportgen templates eject latex/blocks/table.j2
  reportgen templates eject html
"""
    command = _command(commands, "templates", "list the templates, or copy some out", examples)
    command.add_argument("action", choices=("list", "eject"))
    command.add_argument("name", nargs="?", default="", metavar="NAME", help="file or folder")
    command.add_argument("--to", type=_path, default=Path("templates"), metavar="DIR")
    command.add_argument("--force", action="store_true", help="replace files that are there")
    command.set_defaults(run=_templates)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(name.strip().lower() for name in text.split(",") if name.strip())
    if not names:
        raise argparse.ArgumentTypeError("names no format")
    return names


def _count(text: str) -> int:
    from reportgen.api.options import read_count

    try:
        return read_count(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("an empty path names nothing; the folder here is .")
    return Path(text)


# --- talking --------------------------------------------------------------------------


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        print(plain(line))


def _say_error(fault: ReportgenError) -> None:
    lines = [plain(line) for line in fault.message.splitlines()]
    message, remedy = "\n".join(lines), plain(fault.remedy)
    colour = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    label = "\x1b[1;31merror:\x1b[0m" if colour else "error:"
    print(f"{label} {message}", file=sys.stderr)
    if remedy:
        print(f"  remedy: {remedy}", file=sys.stderr)


class _Progress:
    """A line that is redrawn on a terminal, plain lines elsewhere when work is long."""

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown
        self._terminal = sys.stderr.isatty()
        self._begun = self._last = time.monotonic()
        self._drawn = False

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if not self._shown or (now - self._last < 0.1 and done < total):
            return
        self._last = now
        count = f" {done}/{total}" if total > 1 else ""
        if self._terminal:
            print(f"\r\x1b[K{stage}{count}", end="", file=sys.stderr, flush=True)
            self._drawn = True
        elif now - self._begun > 5:
            print(f"{stage}{count}", file=sys.stderr, flush=True)

    def close(self) -> None:
        if self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
