"""How many inputs of each format have been read in all its life, and what became of them."""

from __future__ import annotations

import json
import threading
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("record.json")
PAGE = Path(__file__).resolve().parent / "README.md"
_SUMS = ("inputs", "cuts", "refused", "told", "deep")
_MOST = ("seconds", "memory")


@dataclass
class Record:
    """The record of all runs, kept in a file beside this one.

    Attributes:
        rows: Format to its sums, maxima, the number that comes next, and faults found.
    """

    rows: dict[str, dict[str, Any]]
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def load(cls) -> Record:
        return cls(json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {})

    def next_of(self, name: str) -> int:
        """Return the number of the first input that was never read."""
        return int(self._row(name)["next"])

    def inputs_of(self, name: str) -> int:
        """Return how many inputs of a format have been read in all."""
        return int(self._row(name).get("inputs", 0))

    def add(self, name: str, end: int, tally: dict[str, Any]) -> None:
        """Add what became of the inputs before number `end`, and write the file."""
        with self._lock:
            row = self._row(name)
            for key in _SUMS:
                row[key] = row.get(key, 0) + tally[key]
            for key in _MOST:
                row[key] = max(row.get(key, 0), tally[key])
            row["open"] = sorted({*row["open"], *(number for number, _ in tally["faults"])})
            row["next"] = max(row["next"], end)
            self._write()

    def settle(self, name: str, mended: Collection[int]) -> None:
        """Note inputs that once were a fault, and are none any more."""
        with self._lock:
            row = self._row(name)
            row["open"] = [number for number in row["open"] if number not in mended]
            row["mended"] += len(mended)
            self._write()

    def open_of(self, name: str) -> list[int]:
        """Return the numbers of inputs that were a fault when they were last read."""
        return list(self._row(name)["open"])

    def _row(self, name: str) -> dict[str, Any]:
        return self.rows.setdefault(name, {"next": 0, "open": [], "mended": 0})

    def _write(self) -> None:
        text = json.dumps(dict(sorted(self.rows.items())), indent=1)
        FILE.write_text(text + "\n", encoding="utf-8")

    def as_table(self) -> str:
        """Return the record as a table in Markdown."""
        heads = ("format", "inputs", "cut", "refused", "with a word", "commands", "faults mended")
        lines = [
            f"| {' | '.join((*heads, 'slowest, s', 'memory, MB'))} |",
            "|---" + "|--:" * 8 + "|",
        ]
        for name, row in sorted(self.rows.items()):
            counts = " | ".join(f"{row[key]:,}" for key in (*_SUMS, "mended"))
            lines.append(
                f"| {name} | {counts} | {row['seconds']:.2f} | {row['memory'] / 2**20:.0f} |"
            )
        sums = (f"{sum(row[key] for row in self.rows.values()):,}" for key in (*_SUMS, "mended"))
        most = max(row["seconds"] for row in self.rows.values())
        memory = max(row["memory"] for row in self.rows.values()) / 2**20
        lines.append(f"| **all** | {' | '.join(sums)} | {most:.2f} | {memory:.0f} |")
        return "\n".join(lines)


def write_page() -> None:
    """Put the table where the page about reliability has it."""
    before, begins, rest = PAGE.read_text(encoding="utf-8").partition("<!-- record -->")
    _, ends, after = rest.partition("<!-- end of record -->")
    text = f"{before}{begins}\n{Record.load().as_table()}\n{ends}{after}"
    PAGE.write_text(text, encoding="utf-8")
