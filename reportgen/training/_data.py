"""Examples as an engine takes them: token ids and labels of one split."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokenised:
    """One split of the data, tokenised once.

    Attributes:
        ids: Token ids of each example, special tokens included, cut to the longest length that
            the plan allows, without padding.
        labels: Class of each example, counted from 0; as many as `ids`.
        pad: Token id that fills a batch up; it is in no example.
    """

    ids: tuple[list[int], ...]
    labels: tuple[int, ...]
    pad: int
