"""The words for a grouping that is a question: what was taken, what else could be, and why."""

from __future__ import annotations

from collections.abc import Sequence

from reportgen.languages import message

_COUNTS = {
    2: message("two"),
    3: message("three"),
    4: message("four"),
    5: message("five"),
    6: message("six"),
}


def count_runs(count: int) -> str:
    """Return `1 run`, `3 runs`."""
    return message("{n} run", n=1) if count == 1 else message("{n} runs", n=count)


def count_groups(count: int) -> str:
    """Return `1 group`, `3 groups`."""
    return message("{n} group", n=1) if count == 1 else message("{n} groups", n=count)


def ask(chosen: str, others: Sequence[str], reasons: Sequence[str], runs: int) -> str:
    """Say which grouping was taken of several, and why.

    Args:
        chosen: The way that was taken, with its groups.
        others: The ways that were not, at least one.
        reasons: Why they were not.
        runs: How many runs are grouped.

    Example:
        >>> ask("by name", ["by folder", "alone"], ["it is usual"], 6)
        'three ways to group the 6 runs: by name, by folder, or alone; took the first, because
        it is usual'
    """
    because = reasons[0]
    for reason in reasons[1:]:
        because = message("{reason}; {more}", reason=because, more=reason)
    ways = chosen
    for i, other in enumerate(others):
        if i > 0 and i == len(others) - 1:
            ways = message("{ways}, or {last}", ways=ways, last=other)
        else:
            ways = message("{ways}, {more}", ways=ways, more=other)
    return message(
        "{count} ways to group the {runs}: {ways}; took the first, because {because}",
        count=_COUNTS.get(len(others) + 1, str(len(others) + 1)),
        runs=count_runs(runs),
        ways=ways,
        because=because,
    )


def with_groups(way: str, groups: int) -> str:
    """Return `by name (2 groups)`."""
    return message("{way} ({groups})", way=way, groups=count_groups(groups))
