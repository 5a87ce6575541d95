"""Numbers and anchors of everything that can be referred to; resolved once for all formats."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from itertools import count

from reportgen.languages import language_of
from reportgen.records.document import BLOCK_KINDS, EquationGroup, References, Report, Section, walk
from reportgen.records.errors import UnknownNameError, UsageError
from reportgen.records.record import record
from reportgen.records.rows import read_rows

NUMBERED = ("section", "table", "figure", "equations", "listing")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")


@record
class Label:
    """What a target is called.

    Attributes:
        kind: Kind of block (`table`).
        number: `"2"`, or `"3.1"` for a section.
        anchor: Name that is safe in file names, links and labels of every format.
        word: What such a block is called in the language of the report.
    """

    kind: str
    number: str
    anchor: str
    word: str

    @property
    def text(self) -> str:
        """Word and number, as running text refers to it."""
        return f"{self.word} {self.number}"


@record
class Labels:
    """Every label of a report, by the id of its block.

    Attributes:
        targets: Id of a block to its label.
        citations: Key of a reference to its number.
        words: What templates call the parts of a document, in the language of the report.
    """

    targets: Mapping[str, Label]
    citations: Mapping[str, int]
    words: Mapping[str, str]

    def label(self, target: str) -> Label:
        """Return the label of a block.

        Raises:
            UnknownNameError: The report has no numbered block with this id.
        """
        if target not in self.targets:
            raise UnknownNameError(
                f"the report refers to {target!r}, which it does not hold",
                remedy="leave the reference out together with its block",
            )
        return self.targets[target]

    def text(self, target: str) -> str:
        """Return how running text refers to a block (`"Table 2"`)."""
        return self.label(target).text

    def number(self, target: str) -> str:
        """Return the number alone (`"2"`)."""
        return self.label(target).number

    def anchor(self, target: str) -> str:
        """Return the name under which a link finds the block."""
        return self.label(target).anchor

    def cite(self, key: str) -> int:
        """Return the number of a bibliography entry.

        Raises:
            UnknownNameError: The bibliography has no such entry.
        """
        if key not in self.citations:
            raise UnknownNameError(
                f"the report cites {key!r}, which its bibliography does not hold",
                remedy="add the reference, or leave the citation out",
            )
        return self.citations[key]


def anchor_of(identifier: str) -> str:
    """Return a name safe in file names, links and labels; equal only for equal ids.

    Example:
        >>> anchor_of("eq:total"), anchor_of("a/b")
        ('eq-3a-total', 'a-2f-b')
    """
    return _UNSAFE.sub(lambda match: f"-{ord(match[0]):x}-", identifier)


def resolve(report: Report) -> Labels:
    """Number sections, tables, figures, equation groups, listings and references.

    Raises:
        UsageError: Two blocks have the same id.
    """
    words = words_of("document.", report.lang)
    targets: dict[str, Label] = {}
    for identifier, label in _labels(report, words):
        if targets.setdefault(identifier, label) is not label:
            raise UsageError(f"two blocks of the report have the id {identifier!r}")
    references = (b for b in walk(report.sections) if isinstance(b, References))
    keys = [entry.key for block in references for entry in block.entries]
    citations = {key: i for i, key in enumerate(dict.fromkeys(keys), start=1)}
    return Labels(targets=targets, citations=citations, words=words)


def words_of(kind: str, lang: str) -> dict[str, str]:
    """Return the words of a document, or of a kind of page, in a language.

    Raises:
        UnknownNameError: Reports cannot be written in this language.

    Example:
        >>> words_of("document.", "fr")["table"]
        'Tableau'
    """
    said = language_of(lang).messages
    return {
        code.removeprefix(kind): said.get(text, text)
        for rows in read_rows("reportgen.render", "messages.ini").values()
        for code, text in rows.items()
        if code.startswith(kind)
    }


def _labels(report: Report, words: Mapping[str, str]) -> Iterator[tuple[str, Label]]:
    """Yield the id and label of every numbered block; equations share their group's."""
    body = tuple(section for section in report.sections if not section.appendix)
    appendix = tuple(section for section in report.sections if section.appendix)
    yield from _sections(body, "", words["section"], map(str, count(1)))
    yield from _sections(appendix, "", words["appendix"], _letters())
    counts = dict.fromkeys(NUMBERED, 0)
    for block in walk(report.sections):
        kind = BLOCK_KINDS[type(block)]
        if kind not in NUMBERED or kind == "section":
            continue
        counts[kind] += 1
        number, anchor = str(counts[kind]), anchor_of(block.id)
        label = Label(kind=kind, number=number, anchor=anchor, word=words[kind])
        yield block.id, label
        if isinstance(block, EquationGroup):
            yield from ((e.id, label) for e in block.equations if e.id not in {"", block.id})


def _letters() -> Iterator[str]:
    """Yield the numbers of appendices: A to Z, then AA to ZZ."""
    letters = string.ascii_uppercase
    yield from letters
    yield from (first + second for first in letters for second in letters)


def _sections(
    blocks: tuple[object, ...], prefix: str, word: str, numbers: Iterator[str]
) -> Iterator[tuple[str, Label]]:
    """Yield the sections among `blocks` and below them."""
    sections = (block for block in blocks if isinstance(block, Section))
    for section, position in zip(sections, numbers, strict=False):
        number = f"{prefix}{position}"
        anchor = anchor_of(section.id)
        yield section.id, Label(kind="section", number=number, anchor=anchor, word=word)
        yield from _sections(section.blocks, f"{number}.", word, map(str, count(1)))
