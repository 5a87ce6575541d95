"""The report: facts in, a document out; the order of the table is that of the report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from reportgen.records.registry import Registry

if TYPE_CHECKING:
    from reportgen.records.document import Block, Report, Section, Text
    from reportgen.records.facts import Facts

__all__ = ["SECTIONS", "after", "compose_report", "with_words"]

SECTIONS = Registry(
    "section",
    __name__,
    """
setup setup:build data, schedule, conventions
results results:build figure, tables and findings
others results:build_others groups that are not compared
parameters parameters:build the count, by formula
lora lora:build adapters: count and keys
ledger parameters:build_ledger appendix: every term of the count
evaluations appendix:build_evaluations every evaluation, losses, other metrics
secondary results:build_appendix runs of groups that are not compared
adapters adapters:build appendix: adapters in detail
settings appendix:build_settings settings, those that differ first
statistics appendix:build_statistics the test, and what stands beside a mean
problems appendix:build_problems problems, missing results, re-runs
files appendix:build_files runs, files and digests
""",
    group="reportgen.sections",
)


def compose_report(
    facts: Facts,
    *,
    metadata: Mapping[str, object],
    date: str = "",
    extend: Callable[[Sequence[Section], Text], tuple[Section, ...]] | None = None,
) -> Report:
    """Build every section that has something to say, then the bibliography and the appendix.

    Args:
        facts: What the analysis found.
        metadata: Carried into report.json beside the numbers.
        date: ISO date of the report, or empty.
        extend: Adds words and sections of the author's own.

    Raises:
        StudyError: A question of the study names a topic that there cannot be.
        UnknownNameError: Reports cannot be written in the language asked for.
    """
    from reportgen.report._compose import compose

    return compose(facts, metadata, date, extend)


def after(sections: Sequence[Section], own: Section, name: str) -> tuple[Section, ...]:
    """Return sections with one more behind the one of a name; else behind them all.

    Example:
        >>> from reportgen.records.document import Section
        >>> a, b, c = (Section(id=name, title=name, blocks=()) for name in "abc")
        >>> [s.id for s in after((a, b), c, "a")], [s.id for s in after((a, b), c, "")]
        (['a', 'c', 'b'], ['a', 'b', 'c'])
    """
    at = next((i + 1 for i, section in enumerate(sections) if section.id == name), len(sections))
    return (*sections[:at], own, *sections[at:])


def with_words(section: Section, words: tuple[Block, ...], position: str) -> Section:
    """Return a section with words before or after what it holds, or in place of its intro.

    The intro is every paragraph before the first block that is none.
    """
    from reportgen.records.document import Paragraph
    from reportgen.records.record import replace

    blocks = section.blocks
    if position == "after":
        return replace(section, blocks=(*blocks, *words))
    if position == "replace-intro":
        first = next((i for i, b in enumerate(blocks) if not isinstance(b, Paragraph)), len(blocks))
        blocks = blocks[first:]
    return replace(section, blocks=(*words, *blocks))
