"""Databases of SQLite by strangers: opened to be read only, and stopped where they take long."""

from __future__ import annotations

import sqlite3
from pathlib import Path

MARK = b"SQLite format 3\0"
SIZE_LIMIT = 1 << 31
TEXT_LIMIT = 1 << 20

STEPS = 1 << 20
PATIENCE = 1 << 13
"""SQLite is asked to stop after so many times so many steps of its machine."""


def open_database(path: Path) -> sqlite3.Connection:
    """Open a database that nothing changes, and in which nothing of a stranger is run."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    left = PATIENCE

    def grows_late() -> int:
        nonlocal left
        left -= 1
        return left < 0

    connection.set_progress_handler(grows_late, STEPS)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, TEXT_LIMIT)
    connection.text_factory = lambda text: text.decode("utf-8", "backslashreplace")
    # Nothing that a stranger's schema may call has an effect.
    connection.execute("PRAGMA trusted_schema=OFF")
    return connection


def tables_in(connection: sqlite3.Connection) -> set[str]:
    """Return the names of plain tables: no views, and none that code stands behind."""
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    return {str(name) for name, sql in found if "VIRTUAL" not in str(sql).upper()}
