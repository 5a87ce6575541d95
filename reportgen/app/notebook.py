"""Built reports and findings in a notebook: shown as they are, and as pandas frames."""

from __future__ import annotations

import html
import importlib
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from reportgen.app.report_file import ReportFile, read_report
from reportgen.records.errors import EvidenceError, UsageError

if TYPE_CHECKING:
    import pandas as pd

    from reportgen.app.checking import Checked

INLINE_BYTES = 8 * 2**20
"""Largest page that is put into a notebook; a notebook keeps what it shows."""

NUMBERS = ("id", "printed", "value", "unit", "n", "method", "formula", "where")
EVIDENCE = ("id", "run", "path", "tag", "step", "value")
FINDINGS = (
    *("report", "id", "rule", "level", "outcome", "file", "page", "line"),
    *("printed", "expected", "message", "cause", "reason", "evidence"),
)


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """One table of a report, as it prints it.

    Attributes:
        id: Its name in report.json.
        caption: What stands above it.
        columns: Heads; those of a group of columns with the group's before it.
        rows: Cells as printed.
    """

    id: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def to_frame(self) -> pd.DataFrame:
        """Return the table as a frame of texts: what is rounded, spelled or missing stays so."""
        import pandas as pd

        return pd.DataFrame(list(self.rows), columns=list(self.columns), dtype="string")

    def _repr_html_(self) -> str:
        frame: str = self.to_frame().to_html(index=False)
        return f"<p>{html.escape(self.caption)}</p>{frame}"


class BuiltReport:
    """A report on disk, for notebooks.

    Args:
        path: The folder of a build, its report.json, or its PDF.

    Raises:
        EvidenceError: There is no report, or it is damaged.

    Example:
        >>> report = BuiltReport("nowhere")
        Traceback (most recent call last):
        ...
        reportgen.records.errors.EvidenceError: there is no report.json at nowhere
          remedy: check the path; ...; build the report first: `reportgen build ...` writes it
    """

    def __init__(self, path: str | Path) -> None:
        self._file: ReportFile = read_report(Path(path))

    def __repr__(self) -> str:
        return f"<report {self.title!r} at {self._file.path}>"

    @property
    def title(self) -> str:
        """What its first page calls it."""
        return str(self._file.content.get("title", ""))

    @property
    def page(self) -> Path:
        """Where its HTML page lies.

        Raises:
            EvidenceError: None was built.
        """
        page = self._file.path.with_suffix(".html")
        if not page.is_file():
            raise EvidenceError(
                f"there is no {page}", remedy='build it with the format "html" among others'
            )
        return page

    @cached_property
    def numbers(self) -> pd.DataFrame:
        """Every printed number: `id, printed, value, unit, n, method, formula, where`.

        Units: `value` unrounded in `unit`; fractions are between 0 and 1.
        Missing: A number that could not be computed has no value, and says so as printed.
        """
        return _frame(self._file.numbers, NUMBERS)

    @cached_property
    def evidence(self) -> pd.DataFrame:
        """What each number was made from, one row a point: `id, run, path, tag, step, value`.

        Units: `value` as logged.
        """
        rows = (
            {**one, "id": number["id"]}
            for number in self._file.numbers
            for one in number.get("evidence", ())
            if isinstance(one, dict)
        )
        return _frame(rows, EVIDENCE)

    @property
    def tables(self) -> tuple[str, ...]:
        """The ids of its tables, in reading order."""
        return tuple(str(table.get("id", "")) for table in self._file.content["tables"])

    def table(self, name: str) -> PrintedTable:
        """Return a table by its id.

        Raises:
            UsageError: There is none; the ids are listed.
        """
        for table in self._file.content["tables"]:
            if table.get("id") == name:
                return _read_table(table)
        raise UsageError(
            f"no table is called {name!r}", remedy=f"choose one of: {', '.join(self.tables)}"
        )

    def show(self, height: int = 720) -> None:
        """Display the HTML page: in the notebook, else in the browser.

        Args:
            height: Pixels of the frame; it scrolls.

        Raises:
            EvidenceError: No HTML was built.
        """
        markup = self._markup(height)
        # Only a notebook has imported it before this is called.
        python: Any = sys.modules.get("IPython")
        if python is None or python.get_ipython() is None:
            import webbrowser

            webbrowser.open(self.page.resolve().as_uri())
        else:
            importlib.import_module("IPython.display").display(_Page(markup))

    def _repr_html_(self) -> str:
        return self._markup(720)

    def _markup(self, height: int) -> str:
        """Return the page in a frame of its own, or a link where it is too large for that."""
        page = self.page
        if page.stat().st_size > INLINE_BYTES:
            near = os.path.relpath(page).replace(os.sep, "/")
            return f'<a href="{quote(near)}" target="_blank">{html.escape(near)}</a>'
        # Its scripts run, and reach neither the notebook nor the network.
        source = html.escape(page.read_text(encoding="utf-8"))
        return (
            f'<iframe sandbox="allow-scripts" srcdoc="{source}" title="{html.escape(self.title)}" '
            f'style="width: 100%; height: {int(height)}px; border: 1px solid #ccc"></iframe>'
        )


@dataclass(frozen=True, slots=True)
class _Page:
    """What a notebook is to show; IPython's own class for markup warns of every frame."""

    markup: str

    def _repr_html_(self) -> str:
        return self.markup


def open_report(path: str | Path) -> BuiltReport:
    """Return a built report: the folder of a build, its report.json, or its PDF.

    Raises:
        EvidenceError: There is no report, or it is damaged.
    """
    return BuiltReport(path)


def frame_of_findings(checked: Iterable[Checked]) -> pd.DataFrame:
    """Return every number of checked reports, a row each in reading order, then statements.

    Columns: `report, id, rule, level, outcome, file, page, line, printed, expected, message,
    cause, reason`, as in `docs/reference/findings.schema.json`, and `evidence` in words.
    Missing: A report that could not be checked has one row with rule `fault`.

    Example:
        >>> frame_of_findings([]).columns[:3].tolist()
        ['report', 'id', 'rule']
    """
    return _frame((row for one in checked for row in _rows(one)), FINDINGS)


def _rows(checked: Checked) -> Iterator[dict[str, Any]]:
    name, review = checked.submission.name, checked.review
    if review.fault:
        yield {"report": name, "rule": "fault", "level": "error", "message": review.fault}
    for verdict in review.verdicts:
        place, number = verdict.place, verdict.number
        yield {
            "report": name,
            "id": number.id if number else None,
            **{key: getattr(verdict, key) for key in FINDINGS if hasattr(verdict, key)},
            "file": place.file,
            "page": place.page,
            "line": place.line,
            "printed": number.printed.text if number else None,
            "evidence": "; ".join(trace.what for trace in verdict.traces),
        }


def _frame(rows: Iterable[dict[str, Any]], columns: tuple[str, ...]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame([{c: row.get(c) for c in columns} for row in rows], columns=list(columns))


def _read_table(table: dict[str, Any]) -> PrintedTable:
    heads = [
        " ".join(part for part in (str(c.get("group") or ""), str(c.get("title") or "")) if part)
        for c in table.get("columns", ())
    ]
    rows = [
        tuple("" if cell is None else str(cell) for cell in row) for row in table.get("rows", ())
    ]
    return PrintedTable(
        id=str(table.get("id", "")),
        caption=str(table.get("caption", "")),
        columns=tuple(heads),
        rows=tuple(rows),
    )
