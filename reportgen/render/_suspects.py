"""What may stand in a source without the spelling of its format: values, and a template's texts."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from reportgen.records.document import Block, Report
from reportgen.render._template_faults import shorten
from reportgen.render._values import values_of

RAW = re.compile(r"\|\s*raw\b")
TAG = re.compile(r"<%.*?%>", re.DOTALL)
_LITERAL = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'", re.DOTALL)
_SPECIAL = {"latex": "%&_#{}\\^~$", "typst": "#$*_[]<>@\\`"}
_COMMENT = {"latex": "%", "typst": "//"}


@dataclass(frozen=True, slots=True)
class Suspect:
    """A text that stands in the source as nothing spelled it.

    Attributes:
        told: What it is, as the letter says it.
        line: Index of its line in the source.
        pattern: Finds it in that line.
        mended: What stands there without the fault.
        template_line: Line of the template that holds it, from 1; 0 for a value.
    """

    told: str
    line: int
    pattern: re.Pattern[str]
    mended: str
    template_line: int = 0

    def mend(self, text: str) -> str:
        """Return the line with this text mended."""
        return self.mended.join(self.pattern.split(text))


def unescaped_values(
    engine: str, escape: Callable[[str], str], lines: Sequence[str], at: range, of: Block | Report
) -> Iterator[Suspect]:
    """Yield the values of a block that stand in its lines as they are, though they hold signs.

    Args:
        engine: `latex` or `typst`.
        escape: Spells a plain string in the format.
        lines: The source.
        at: Indices of the block's lines.
        of: The block, or the report itself.
    """
    seen = set()
    for name, value in values_of(of):
        signs = dict.fromkeys(c for c in value if c in _SPECIAL[engine])
        if not signs or escape(value) == value or value in seen:
            continue
        seen.add(value)
        # Not where it is the text of a string literal, as in Typst.
        bare = re.compile(rf'(?<!"){re.escape(value)}')
        told = f"{name} = {shorten(value)!r} contains unescaped {' '.join(signs)}"
        for index in at:
            text = lines[index]
            if bare.search(text) and not text.lstrip().startswith(_COMMENT[engine]):
                yield Suspect(told, index, bare, escape(value))


def raw_literals(
    template: Sequence[str], packaged: Sequence[str], lines: Sequence[str], at: range
) -> Iterator[Suspect]:
    """Yield the string literals that a template prints with `|raw`, where the source has them.

    Mended is the line without them: what such a text should have been, nobody knows.

    Args:
        template: Lines of the template.
        packaged: Lines of the packaged one, whose literals are no suspects.
        lines: The source.
        at: Indices of the lines that the template made.
    """
    whole, known, end = "\n".join(template), "\n".join(packaged), 0
    for tag in TAG.finditer(whole):
        before, end = whole[end : tag.start()].rpartition("\n")[2], tag.end()
        if not RAW.search(tag[0]) or tag[0] in known:
            continue
        after = TAG.split(whole[end:].partition("\n")[0])[0]
        for found in _LITERAL.finditer(tag[0]):
            text = _read(found[0])
            # A tag without a printed value is a block or a `set`: its neighbours say nothing.
            around = (before, after) if tag[0].startswith("<%=") else ("", "")
            pattern = _between(text, *around)
            number = whole.count("\n", 0, tag.start() + found.start()) + 1
            told = f"{shorten(text)!r} of the template's own"
            for index in at if text.strip() else ():
                if pattern.search(lines[index]):
                    yield Suspect(told, index, pattern, "", number)


def _between(text: str, before: str, after: str) -> re.Pattern[str]:
    """Return what finds a text between its neighbours in the template."""
    ahead = f"(?<={re.escape(before)})" if before.strip() else ""
    behind = f"(?={re.escape(after)})" if after.strip() else ""
    return re.compile(f"{ahead}{re.escape(text)}{behind}")


def _read(literal: str) -> str:
    """Return the text of a literal; of one over several lines, of which no line holds all, none."""
    try:
        text = ast.literal_eval(literal)
    except (SyntaxError, ValueError):
        return ""
    return text if isinstance(text, str) and "\n" not in text else ""
