"""Tables of words and messages: plain text in sections, as `configparser` has them.

A row is `name = text`; indented lines go on with it, and `#` begins a line of comment. Such a table
is read on roads where a reader of TOML would be most of what is imported.
"""

from __future__ import annotations

import pkgutil

Rows = dict[str, dict[str, str]]
"""Section to name to text; rows before the first section are in that without a name."""


def read_data(package: str, name: str) -> str:
    """Return a text that lies in a package."""
    return (pkgutil.get_data(package, name) or b"").decode("utf-8")


def read_rows(package: str, name: str) -> Rows:
    """Read a table that lies in a package."""
    return parse_rows(read_data(package, name))


def parse_rows(text: str) -> Rows:
    """Return the rows of a table.

    Example:
        >>> parse_rows("# words" + chr(10) + "[splits]" + chr(10) + "test = test" + chr(10) + " x")
        {'': {}, 'splits': {'test': 'test x'}}
    """
    rows: Rows = {"": {}}
    section, name = rows[""], ""
    for line in text.splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            section = rows.setdefault(line.strip("[]"), {})
        elif line[0].isspace():
            section[name] = f"{section[name]} {line.strip()}"
        else:
            name, _, value = line.partition(" = ")
            section[name] = value.strip()
    return rows
