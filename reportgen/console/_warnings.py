"""Warnings of a build, those of one kind folded into one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.console._lines import plain
from reportgen.console._logs import NUMBER

_SHOWN = 3


def warning_lines(warnings: Sequence[str], level: str = "warning") -> Iterator[str]:
    """Yield the lines of warnings; of many that differ in place and numbers, the first ones.

    Args:
        warnings: One line each, `place: what is the matter`.
        level: `"warning"` or `"note"`.

    Example:
        >>> told = [f"run{i}/log.csv: line {i} is cut off" for i in range(5)]
        >>> for line in warning_lines([*told, "no PDF was made"]):
        ...     print(line)
        warning: run0/log.csv: line 0 is cut off
        warning: run1/log.csv: line 1 is cut off
        warning: run2/log.csv: line 2 is cut off
          and 2 more of this kind, which the report and --json list
        warning: no PDF was made
    """
    alike: dict[str, list[str]] = {}
    for warning in warnings:
        place, colon, what = warning.partition(": ")
        alike.setdefault(NUMBER.sub("…", what) if colon else place, []).append(warning)
    for same in alike.values():
        # A line that says that there is one more is no shorter than the one.
        shown = same if len(same) == _SHOWN + 1 else same[:_SHOWN]
        yield from (f"{level}: {plain(warning)}" for warning in shown)
        if rest := len(same) - len(shown):
            yield f"  and {rest:,} more of this kind, which the report and --json list"
