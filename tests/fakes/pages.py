"""What a page of the documentation shows, as things to run: commands, files, expected output.

A comment before a fence says how the fence is meant; readers do not see it:

    <!-- file: NAME -->     the block is written to NAME
    <!-- append: NAME -->   the block is written behind what NAME holds
    <!-- exit: 1 -->        the commands end in this exit code
    <!-- not run: WHY -->   the block cannot be run by a test, and why
    <!-- run: NAME -->      a test of its own runs the block, found by its name

A comment that starts with `setup` holds commands of its own, run where it stands. A fence without
a language behind one of commands is what these print; `...` leaves something out.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

COMMENT = re.compile(r"<!--\s*(file|append|exit|not run|run|setup)(?::[ ]*|\s)(.*?)-->", re.DOTALL)


@dataclass(frozen=True)
class Shown:
    """A block of a page: its language, its text, and what the comment before it says."""

    page: Path
    line: int
    language: str
    text: str
    word: str = ""  # "file", "append", "exit", "not run", "run", "setup" or nothing
    about: str = ""
    expected: str = ""

    @property
    def place(self) -> str:
        return f"{self.page.name}:{self.line}"


def blocks(page: Path) -> list[Shown]:
    """Read the fences of a page, and what commands of its comments stand between them."""
    found: list[Shown] = []
    for block in _fences(page):
        before = found[-1] if found else None
        if not block.language and before and before.language == "sh" and not block.word:
            found[-1] = Shown(**{**vars(before), "expected": before.expected + block.text})
        else:
            found.append(block)
    return found


def _fences(page: Path) -> Iterator[Shown]:
    word = about = ""
    for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
        line = token.map[0] + 1 if token.map else 0
        if token.type == "html_block":
            for word_, about_ in COMMENT.findall(token.content):
                if word_ == "setup":
                    yield Shown(page, line, "sh", about_, "setup")
                else:
                    word, about = word_, about_.strip()
        elif token.type == "fence":
            yield Shown(page, line, token.info.strip(), token.content, word, about)
            word = about = ""


def missing(expected: str, printed: str) -> str | None:
    """Return the first piece of an expected output that was not printed, in order, or None.

    Trailing blanks do not count; `...` stands for anything, of a line or of several.
    """
    rest = "\n".join(line.rstrip() for line in printed.splitlines())
    for piece in re.split(r"\.\.\.", expected):
        wanted = "\n".join(line.rstrip() for line in piece.splitlines()).strip("\n")
        if not wanted.strip():
            continue
        at = rest.find(wanted.strip())
        if at < 0:
            return wanted.strip()
        rest = rest[at + len(wanted.strip()) :]
    return None
