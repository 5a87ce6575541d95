"""Examples as a model takes them: token ids, and what is to be told of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """One split of the data, tokenised once.

    Attributes:
        ids: Token ids of each example, special tokens included, cut to the longest length that
            the plan allows, without padding.
        truth: For each example what is to be told: its class or number, or one of each of `places`.
        pad: Token id that fills a batch up.
        places: For each example the places whose output is looked at; none where that is one
            output for the whole example.
        types: For each example the number of the text that a token is of; none for single texts.
        notes: What a reader of the results must know.
    """

    ids: tuple[list[int], ...]
    truth: tuple[list[int] | list[float], ...]
    pad: int
    places: tuple[list[int], ...] = ()
    types: tuple[list[int], ...] = ()
    notes: tuple[str, ...] = ()
