"""How much of a stranger's file is read before the reader stops and says so."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    r"""Ends of patience; what lies behind them is left out and named as a problem.

    Attributes:
        bytes: Size of one file; a larger one is not opened.
        pages: Pages of a PDF.
        lines: Lines of clean text, all files together.
        characters: Characters of clean text, all files together.
        numbers: Numbers of the text; and as many of listings and what programs printed.
        line: Characters of one line.
        output: Characters of one output of a notebook.
        includes: Files that `\input` may bring in.
        depth: How deep `\input` and macros may lie inside each other.
        expansions: Macros of the author that are expanded.
        seconds: Time of a reader that hands the file to a library.

    Example:
        >>> Limits(pages=3).pages
        3
    """

    bytes: int = 64 * 2**20
    pages: int = 400
    lines: int = 50_000
    characters: int = 1_500_000
    numbers: int = 10_000
    line: int = 20_000
    output: int = 20_000
    includes: int = 200
    depth: int = 12
    expansions: int = 50_000
    seconds: float = 30.0
