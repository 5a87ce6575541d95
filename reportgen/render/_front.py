"""Front matter: who signs a report, and from where."""

from __future__ import annotations

import re
from dataclasses import dataclass

_AUTHOR = re.compile(
    r"(?P<name>[^(<]+?)\s*(?:\((?P<place>.+)\))?\s*(?:<(?P<mail>[^<>\s]+@[^<>\s]+)>)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Author:
    """One who signs.

    Attributes:
        name: As it is printed.
        affiliation: Where they work, or empty.
        email: Their address, or empty.
    """

    name: str
    affiliation: str = ""
    email: str = ""


def split_author(text: str) -> Author:
    """Take an author apart, as a study file names one.

    Example:
        >>> split_author("Ada Writer (University of Somewhere) <ada@example.org>")
        Author(name='Ada Writer', affiliation='University of Somewhere', email='ada@example.org')
        >>> split_author("Ada Writer").name
        'Ada Writer'
    """
    found = _AUTHOR.fullmatch(text.strip())
    if found is None:
        return Author(name=text)
    return Author(name=found["name"], affiliation=found["place"] or "", email=found["mail"] or "")


def author_names(authors: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names alone, for the properties of a file."""
    return tuple(split_author(author).name for author in authors)
