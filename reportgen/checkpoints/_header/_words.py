"""Counts of tensors in sentences."""

from __future__ import annotations


def say_tensors(count: int, verb: str = "", verbs: str = "", *, more: bool = False) -> str:
    """Return how many tensors there are, with the verb in the number that they ask for.

    Args:
        count: How many.
        verb: What one does ("is").
        verbs: What several do ("are").
        more: Whether others were named before.

    Example:
        >>> say_tensors(1), say_tensors(1, "is", "are"), say_tensors(2, "is", "are", more=True)
        ('1 tensor', '1 tensor is', '2 more tensors are')
    """
    noun = "tensor" if count == 1 else "tensors"
    chosen = verb if count == 1 else verbs
    return f"{count} {'more ' if more else ''}{noun}{' ' if chosen else ''}{chosen}"
