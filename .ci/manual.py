"""Write the manual page of each command, from the definitions that its `--help` is made of.

    python .ci/manual.py       docs/man/reportgen.1, docs/man/reportgen-build.1, ...

The wheel installs them as `share/man/man1`, where `man` looks beside a `bin` of the path.
"""

from __future__ import annotations

import argparse
import datetime as dt
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

from reportgen import __version__
from reportgen.cli import COMMANDS, make_parser
from reportgen.cli.arguments import EXITS, Parser, groups_of, help_of, sentence, synopsis

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "man"
ENVIRONMENT = {
    "REPORTGEN_CACHE": "The folder for what is kept between builds.",
    "REPORTGEN_CACHE_BY_CONTENT": "Set to 1, inputs are known again by their content and not by "
    "their times, as a cache needs that CI carries from one checkout to the next.",
    "REPORTGEN_JOBS": "How many processes read logs; 0, or nothing: as many as pay.",
    "REPORTGEN_TRACEBACK": "Set to 1, a defect of reportgen shows where it is.",
    "SOURCE_DATE_EPOCH": "The time of the report, in seconds since 1970.",
    "NO_COLOR": "Set to anything, nothing is coloured.",
    "COLUMNS": "How wide the terminal is taken to be.",
}
_SIGNS = {"\\": "\\e", "-": "\\-", "^": "\\(ha", "~": "\\(ti", "`": "\\(ga", "'": "\\(aq"}


def main() -> int:
    """Write every page whose text has changed, and remove those of commands that are gone."""
    FOLDER.mkdir(exist_ok=True)
    made = pages()
    for path in FOLDER.iterdir():
        if path.name not in made:
            path.unlink()
    for name, body in made.items():
        path = FOLDER / name
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        if old.partition("\n")[2] != body or f'"reportgen {__version__}"' not in old:
            today = dt.datetime.now(dt.UTC).date()
            path.write_text(f"{title(name, f'{today}')}\n{body}", encoding="utf-8", newline="\n")
            print(f"wrote {path}")
    return 0


def pages() -> dict[str, str]:
    """Return each page by its file name, without the first line, which holds a date."""
    parser = make_parser()
    made = {"reportgen.1": "\n".join(_page(parser)) + "\n"}
    for action in parser._subparsers._group_actions:  # noqa: SLF001
        for command in action.choices.values():
            made[f"{command.prog.replace(' ', '-')}.1"] = "\n".join(_page(command)) + "\n"
    return made


def title(name: str, date: str) -> str:
    """Return the first line of a page; the date is that of its last change."""
    shown = _sign(name.removesuffix(".1").upper())
    return f'.TH {shown} 1 {date} "reportgen {__version__}" "reportgen manual"'


def _page(parser: Parser) -> Iterator[str]:
    name = parser.prog.replace(" ", "-")
    yield from (".SH NAME", f"{_sign(name)} \\-", *_lines(parser.page.about))
    typed = re.sub(r"(--[a-z-]+)", r"<B>\1<R>", synopsis(parser).removeprefix(parser.prog))
    typed = re.sub(r"\b([A-Z]+(\|[A-Z]+)*)\b(?!>)", r"<I>\1<R>", typed)
    yield from (".SH SYNOPSIS", f"\\fB{_sign(parser.prog)}\\fR{_fonts(_sign(typed))}")
    yield from (".SH DESCRIPTION", *_lines(sentence(parser.page.about)))
    for paragraph in parser.page.paragraphs():
        yield from (".PP", *_lines(paragraph))
    yield from _arguments(parser)
    if parser.page.examples:
        yield from (".SH EXAMPLES", ".EX")
        yield from (_line(line) for example in parser.page.examples for line in example.split("\n"))
        yield ".EE"
    yield ".SH EXIT STATUS"
    for code, meaning in EXITS.items():
        yield from (".TP", f"\\fB{code:d}\\fR", *_lines(sentence(meaning)))
    if name == "reportgen":
        yield ".SH ENVIRONMENT"
        for variable, meaning in ENVIRONMENT.items():
            yield from (".TP", f"\\fB{variable}\\fR", *_lines(meaning))
    yield from (".SH SEE ALSO", *_others(name))


def _arguments(parser: Parser) -> Iterator[str]:
    yield ".SH OPTIONS"
    for heading, about, actions in groups_of(parser):
        if heading == "commands":
            yield ".SH COMMANDS"
            for name, entry in COMMANDS.items():
                yield from (".TP", f"\\fB{name}\\fR", *_lines(sentence(entry.about)))
            continue
        if heading != "options":
            yield f".SS {_sign(heading.removeprefix('positional ').capitalize())}"
        if about:
            yield from _lines(sentence(about))
        for action in actions:
            yield from (".TP", _invocation(action), *_lines(help_of(action).replace("%%", "%")))


def _invocation(action: argparse.Action) -> str:
    choices = f"{{{','.join(map(str, action.choices or ()))}}}"
    named = action.metavar if isinstance(action.metavar, str) else ""
    value = f"\\fI{_sign(named or (choices if action.choices else action.dest.upper()))}\\fR"
    if not action.option_strings:
        return value
    options = ", ".join(f"\\fB{_sign(option)}\\fR" for option in action.option_strings)
    return options if action.nargs == 0 else f"{options} {value}"


def _others(name: str) -> Iterator[str]:
    others = [f"reportgen-{command}" for command in COMMANDS if name == "reportgen"]
    others = others or ["reportgen", *(["reportgen-init"] if name != "reportgen-init" else [])]
    for number, other in enumerate(others, start=1):
        yield f".BR {_sign(other)} (1){',' if number < len(others) else ''}"


def _lines(text: str) -> Iterator[str]:
    for line in textwrap.wrap(text, 64, break_on_hyphens=False):
        yield _line(line)


def _line(text: str) -> str:
    """Return a line of text; one that begins like a request is none."""
    guarded = "\\&" if text.startswith((".", "'")) else ""
    return guarded + _sign(text)


def _sign(text: str) -> str:
    return "".join(_SIGNS.get(c, c if c.isascii() else f"\\[u{ord(c):04X}]") for c in text)


def _fonts(text: str) -> str:
    return re.sub("<([BIR])>", r"\\f\1", text)


if __name__ == "__main__":
    sys.exit(main())
