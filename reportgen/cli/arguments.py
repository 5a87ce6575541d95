"""The parser of every command, and what the commands' arguments are made with."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile, zip_longest
from pathlib import Path
from typing import Any, NoReturn, TypeAlias, TypeVar

from reportgen.cli.talk import terminal_columns
from reportgen.read.remote import is_url
from reportgen.records.errors import ExitCode, UsageError
from reportgen.records.record import record
from reportgen.records.rows import read_rows

# The parser of every command: its help, and what it says of words that it does not know.

EXITS = {
    ExitCode.OK: "done (warnings may have been printed)",
    ExitCode.FINDINGS: "findings at or above --fail-on",
    ExitCode.USAGE: "usage, configuration or output folder",
    ExitCode.EVIDENCE: "evidence or engine missing",
    ExitCode.TEMPLATE: "template",
    ExitCode.INTERNAL: "internal error",
    ExitCode.INTERRUPTED: "interrupted",
}
_WIDEST = 80
_ONCE = ("--runs", "--study", "--checkpoint", "--adapter", "--base", "--report", "--out")


@record
class Page:
    """What a command's help and its manual page say beside its arguments.

    Attributes:
        about: What it does, a line.
        examples: Command lines that can be typed as they stand; a `#` begins a remark.
        notes: Paragraphs, separated by empty lines.
    """

    about: str
    examples: tuple[str, ...] = ()
    notes: str = ""

    def epilog(self) -> str:
        """Return what stands below the arguments."""
        import textwrap

        examples = textwrap.indent("".join(f"{line}\n" for line in self.examples), "  ")
        notes = "\n\n".join(textwrap.fill(part, _WIDEST) for part in self.paragraphs())
        told = [f"{code:d} {meaning}" for code, meaning in EXITS.items()]
        codes = [
            f"  {left:<42}{right}".rstrip() + "\n"
            for left, right in zip_longest(told[::2], told[1::2], fillvalue="")
        ]
        parts = [f"examples:\n{examples}" if examples else "", notes and f"{notes}\n"]
        parts += [f"exit codes:\n{''.join(codes)}"]
        return "\n".join(part for part in parts if part)

    def paragraphs(self) -> list[str]:
        """Return the notes, each on one line."""
        return [" ".join(part.split()) for part in self.notes.split("\n\n") if part.strip()]


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Leaves examples as they are, tells defaults, and is never wider than 80 cells."""

    def __init__(self, prog: str, **options: Any) -> None:
        width = min(terminal_columns(_WIDEST), _WIDEST) - 2
        super().__init__(prog, max_help_position=26, width=width, **options)
        # The longest name of a command; argparse forgets how far these are indented.
        self._action_max_length = 14

    def _get_help_string(self, action: argparse.Action) -> str:
        return help_of(action)


class _Once(argparse._StoreAction):  # noqa: SLF001 - the one that is the default
    """Adds lists that are given twice; what is read or written is named only once."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        before = getattr(namespace, self.dest, None)
        if option_string in _ONCE and before is not None and before != self.default:
            raise argparse.ArgumentError(
                self, f"was given twice, {str(before)!r} and {str(values)!r}; it takes one"
            )
        if isinstance(before, tuple) and isinstance(values, tuple):
            values = tuple(dict.fromkeys((*before, *values)))
        super().__call__(parser, namespace, values, option_string)


class Parser(argparse.ArgumentParser):
    """Ends a usage error with the documented exit code and a remedy.

    Attributes:
        page: What the help says beside the arguments.
    """

    def __init__(self, *, page: Page | None = None, **options: Any) -> None:
        self.page = page or Page(about="")
        super().__init__(
            formatter_class=_Formatter,
            **options,
        )
        for name in (None, "store"):
            self.register("action", name, _Once)

    def format_help(self) -> str:
        """Return the help, with a first line that fits on one."""
        import textwrap

        self.usage, self.epilog = synopsis(self), self.page.epilog()
        self.description = textwrap.fill(sentence(self.page.about), _WIDEST)
        return super().format_help()

    def parse_args(  # type: ignore[override] # nothing here gives a namespace of its own
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> argparse.Namespace:
        """Return the arguments; of words that nobody asked for, the nearest ones are named."""
        words = sys.argv[1:] if args is None else list(args)
        found, left = self.parse_known_args(words, namespace)
        if left:
            _below(self, words).refuse(left)
        return found

    def parse_known_args(  # type: ignore[override] # nothing here gives a namespace of its own
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Read the arguments; an option that is none is named before one that is missing."""
        words = sys.argv[1:] if args is None else list(args)
        names = tuple(name for action in arguments_of(self) for name in action.option_strings)
        # Behind the name of a command all words are that command's own.
        ends = 1 if any(action.nargs == argparse.PARSER for action in arguments_of(self)) else None
        own = list(takewhile("--".__ne__, words[:ends]))
        if not {"-h", "--help"} & set(own):
            for word in own:
                if _is_unknown(word, names):
                    self.refuse([word])
        return super().parse_known_args(words, namespace)

    def refuse(self, words: Sequence[str]) -> NoReturn:
        """End with the first word that is no argument, and the option it may be meant for."""
        options = [name for action in arguments_of(self) for name in action.option_strings]
        unknown = next((word for word in words if word.startswith("-")), None)
        if unknown is None:
            self.error(f"one argument too many: {words[0]}")
        option = unknown.partition("=")[0]
        self.error(f"there is no option {unknown}{self._bare(option) or _near(option, options)}")

    def _bare(self, option: str) -> str:
        """Return that what an option names is written without it: `build study.toml`."""
        for action in arguments_of(self):
            if not action.option_strings and option == f"--{action.dest}":
                return f": {_value(action)} is written without one"
        return ""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments and how to write them, and exit with 2."""
        example = f"; for example: {self.page.examples[0]}" if self.page.examples else ""
        print(f"error: {message}\n  remedy: {self.prog} --help{example}", file=sys.stderr)
        raise SystemExit(int(ExitCode.USAGE))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is none of the choices; the nearest is named."""
        if action.choices is None or value in action.choices:
            return
        choices = [str(choice) for choice in action.choices]
        raise argparse.ArgumentError(
            action, f"{str(value)!r} is none of {', '.join(choices)}{_near(str(value), choices)}"
        )


def help_of(action: argparse.Action) -> str:
    """Return what an argument is for, with its default; a percent sign is doubled."""
    told = action.help or ""
    if "default" in told or action.nargs == 0 or not action.option_strings:
        return told
    if action.default in (None, "", [], (), argparse.SUPPRESS):
        return told
    default = f"{action.default:g}" if isinstance(action.default, float) else str(action.default)
    return f"{told} (default: {default.replace('%', '%%')})"


def synopsis(parser: argparse.ArgumentParser) -> str:
    """Return how a command is typed: what must be there, and that there is more."""
    required = [
        f"{action.option_strings[0]} {_value(action)}"
        for action in arguments_of(parser)
        if action.option_strings and action.required
    ]
    named = [_positional(action) for action in arguments_of(parser) if not action.option_strings]
    return " ".join([parser.prog, *required, "[options]", *named])


def arguments_of(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield the arguments of a parser as they were declared."""
    yield from parser._actions  # noqa: SLF001 - argparse has no public way


def groups_of(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[str, str, tuple[argparse.Action, ...]]]:
    """Yield the title, the meaning and the arguments of each group that has any."""
    for group in parser._action_groups:  # noqa: SLF001 - argparse has no public way
        actions = tuple(group._group_actions)  # noqa: SLF001
        if actions:
            yield group.title or "", group.description or "", actions


def sentence(text: str) -> str:
    """Return a line of a table as a sentence."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""


def _value(action: argparse.Action) -> str:
    choices = "|".join(map(str, action.choices or ()))
    return action.metavar if isinstance(action.metavar, str) else choices or action.dest.upper()


def _positional(action: argparse.Action) -> str:
    name = _value(action)
    if action.nargs == argparse.PARSER:
        return f"{name} ..."
    spelled = {"?": f"[{name}]", "*": f"[{name} ...]", "+": f"{name} ..."}
    return spelled.get(str(action.nargs), name)


def _below(parser: Parser, words: Sequence[str]) -> Parser:
    """Return the parser of the command that the words name, if they name one."""
    for action in arguments_of(parser):
        if isinstance(action.choices, dict):
            return next((action.choices[word] for word in words if word in action.choices), parser)
    return parser


def _is_unknown(word: str, names: tuple[str, ...]) -> bool:
    """Tell whether a word looks like an option and is none; a number below zero is a value."""
    if word.startswith("--"):
        option = word.partition("=")[0]
        return " " not in word and not any(name.startswith(option) for name in names)
    return word[:1] == "-" and word[1:2].isalpha() and not word.startswith(names)


def _near(word: str, known: Sequence[str]) -> str:
    # Of two letters, one in common is no likeness: `de` is not meant to be `en`. Nor are the
    # dashes that every option begins with.
    import difflib

    bare = {name.lstrip("-"): name for name in reversed(known)}
    plain = word.lstrip("-")
    close = difflib.get_close_matches(plain, bare, n=1, cutoff=0.5) if len(word) > 2 else []
    return f"; did you mean {bare[close[0]]}?" if close else ""


class ShowVersions(argparse.Action):
    """Prints the version in the first line, as scripts expect it, and everything else below."""

    def __init__(self, option_strings: Sequence[str], **_: object) -> None:
        super().__init__(
            option_strings,
            dest=argparse.SUPPRESS,
            nargs=0,
            help="show this version, and those of engines and libraries",
        )

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the versions and exit."""
        from reportgen.cli.versions import version_lines

        for line in version_lines():
            print(line)
        parser.exit()


# What every command's arguments are made with.

ROWS = read_rows("reportgen.cli", "commands.ini")
"""The table of commands: its head says what a row is."""

# The type of what add_subparsers gives has no public name.
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001
Container: TypeAlias = "Parser | argparse._ArgumentGroup"  # noqa: SLF001
Made = TypeVar("Made")
"""A command, or a group of its arguments."""


OPTION_OF = {
    "runs.repeats": "--group-by",
    "runs.pattern": "--pattern",
    "metric.name": "--metric",
    "metric.direction": "--direction",
    "metric.select_on": "--select-on",
    "metric.report_on": "--report-on",
}
"""Key of a decision to the option that answers its question."""

_MOST_DIGITS = 11
_MOST_SEEDS = 1001


def add_command(
    commands: Commands,
    name: str,
    about: str,
    run: Callable[[argparse.Namespace], int],
    **known: Any,
) -> Parser:
    """Add a command as the table `commands.ini` says.

    Args:
        commands: Of the whole program.
        name: Its sections in the table begin with it.
        about: What it does, a line.
        run: Called with its arguments; returns the exit code.
        **known: What the table calls by a name: what reads an argument, choices, numbers.
    """
    examples = ROWS[f"{name} examples"].items()
    notes = ROWS.get(f"{name} notes", {}).items()
    page = Page(
        about=about,
        examples=tuple(f"{line}\n    {more.strip()}" if more else line for line, more in examples),
        notes="\n\n".join(f"{first}{more}" for first, more in notes),
    )
    command = commands.add_parser(name, help=about, page=page)
    command.set_defaults(run=run)
    for section in ROWS:
        if section == name:
            _declare(command, _rows_of(section), known)
        elif section.startswith(f"{name}/"):
            rows = _rows_of(section)
            group = command.add_argument_group(section.partition("/")[2], rows.pop("about", None))
            _declare(group, rows, known)
    return command


def _rows_of(section: str) -> dict[str, str]:
    """Return the rows of a section, and of those that it names."""
    found: dict[str, str] = {}
    for name, text in ROWS[section].items():
        found |= _rows_of(name[1:]) if name.startswith("@") else {name: text}
    return found


def _declare(command: Container, rows: Mapping[str, str], known: Mapping[str, Any]) -> None:
    alone = command.add_mutually_exclusive_group()
    for spelled, text in rows.items():
        kind, _, about = text.partition(": ")
        for name, value in known.items():
            told = ", ".join(value) if isinstance(value, tuple) else str(value)
            about = about.replace(f"{{{name}}}", told)
        kind, _, more = kind.partition(" ")
        words = spelled.split()
        options = [word for word in words if word.startswith("-")]
        metavar = " ".join(words[len(options or words[:1]) :])
        given = {**_kind(kind, known), **_MORE.get(more, {})}
        if more and more not in _MORE:
            read = given.get("type", str)
            given["default"] = "" if more == "''" else read(more)
        if options:
            given["dest"] = options[-1].lstrip("-").replace("-", "_")
        elif metavar.endswith(("...", "]")):
            given["nargs"] = "+" if metavar[0] != "[" else "*" if metavar[-2] == "." else "?"
            given |= {"default": []} if given["nargs"] == "*" else {}
        if metavar:
            given["metavar"] = metavar.strip("[].")
        home = alone if more == "alone" else command
        action = home.add_argument(*(options or words[:1]), help=about, **given)
        if kind == "names":  # a shell completes the first of them
            action.names = known["names"]  # type: ignore[attr-defined]


def _kind(kind: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return what argparse is told of a kind of argument."""
    if kind in KINDS:
        return dict(KINDS[kind])
    choices = known.get(kind, tuple(kind.split("|")))
    if callable(choices):
        return {"type": choices}
    whole = all(map(str.isdigit, choices))
    return {"type": int, "choices": tuple(map(int, choices))} if whole else {"choices": choices}


def taken(kind: Callable[..., Made], arguments: argparse.Namespace, **own: Any) -> Made:
    """Return the options of a use case: what is given here, else the arguments of these names."""
    names = kind.__init__.__annotations__
    told = {name: getattr(arguments, name) for name in names if hasattr(arguments, name)}
    return kind(**{**told, **own})


def address_of(arguments: argparse.Namespace) -> str:
    """Return the address of the scheduler that was asked for, empty without one.

    Raises:
        UsageError: An executor without its address, or an address without its executor.
    """
    if (arguments.executor == "dask") != bool(arguments.address):
        raise UsageError(
            "--executor dask and --address belong together",
            remedy="name the scheduler: --executor dask --address tcp://127.0.0.1:8786",
        )
    return str(arguments.address)


def to_path(text: str) -> Path:
    """Read a path; an empty one is refused."""
    if not text:
        raise argparse.ArgumentTypeError("an empty path names nothing; the folder here is .")
    if is_url(text):
        raise argparse.ArgumentTypeError(
            f"{text!r}: a URL is read for a folder of runs alone; copy it to this machine"
        )
    return Path(text)


def to_named(text: str) -> str:
    """Read a path that may hold `{name}`, or the URL of a folder; an empty one is refused."""
    return str(to_root(text))


def to_output(text: str) -> Path:
    """Read where a report goes; what ends in a slash is a folder, whatever its name looks like.

    Example:
        >>> to_output("run-lr0.1/").as_posix(), to_output("out/report.html").as_posix()
        ('run-lr0.1/report.pdf', 'out/report.html')
    """
    path = to_path(text)
    is_folder = text.endswith(("/", os.sep)) and path.suffix
    # A folder gets every format, as a report with the ending of a PDF does.
    return path / "report.pdf" if is_folder else path


def to_root(text: str) -> Path | str:
    """Read the path of a folder of runs, or its URL in an object store."""
    return text if is_url(text) else to_path(text)


def to_words(text: str) -> str:
    """Read words; of none nothing would be made."""
    if not text.strip():
        raise argparse.ArgumentTypeError("is empty: leave the option out")
    return text


def to_names(text: str) -> tuple[str, ...]:
    """Read names separated by commas."""
    names = tuple(name.strip().lower() for name in text.split(",") if name.strip())
    if not names:
        raise argparse.ArgumentTypeError("names no format")
    return names


def to_seeds(text: str) -> tuple[int, ...]:
    """Read seeds: numbers and ranges of them, separated by commas (`0-4,42`)."""
    found: dict[int, None] = {}
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        ends = (first, last if dash else first)
        if not all(end.isascii() and end.isdecimal() and len(end) < _MOST_DIGITS for end in ends):
            raise argparse.ArgumentTypeError(f"{part.strip()!r} is no seed, as 3, or range, as 0-4")
        if not 0 <= int(ends[1]) - int(ends[0]) < _MOST_SEEDS:
            raise argparse.ArgumentTypeError(f"{part.strip()!r}: a range goes up, by at most 1000")
        found.update(dict.fromkeys(range(int(ends[0]), int(ends[1]) + 1)))
    return tuple(found)


def to_count(text: str) -> int:
    """Read a number of parameters in any of its spellings."""
    from reportgen.app import read_count

    try:
        return read_count(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


KINDS: Mapping[str, Mapping[str, Any]] = {
    "text": {},
    "words": {"type": to_words},
    "flag": {"action": "store_true"},
    "switch": {"action": argparse.BooleanOptionalAction, "default": False},
    "names": {"type": to_names, "default": ()},
    "path": {"type": to_path},
    "named": {"type": to_named},
    "root": {"type": to_root},
    "output": {"type": to_output},
    "int": {"type": int},
    "float": {"type": float},
}
"""What argparse is told of an argument, by the kind that a row of the table names."""
_MORE: Mapping[str, Mapping[str, Any]] = {
    "required": {"required": True},
    "append": {"action": "append", "default": []},
    "alone": {},
}
