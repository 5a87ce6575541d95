"""The evidence of a page's numbers, each thing once: numbers, what they rest on, files.

It stands at the end of the page as three lists that link to one another. A reader without a
script follows the links; the script shows the same entries beside the number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from types import SimpleNamespace

from reportgen.languages import language_of, message, retell, speaking
from reportgen.records.document import Number
from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.records.record import record
from reportgen.render._escape import escape_html, escape_name, escape_words
from reportgen.render._inline import Raw
from reportgen.render._numbering import anchor_of
from reportgen.render._strict_json import Json, number_value, strict

_POINT = re.compile(r"(?<=\d)\.(?=\d)")
_UNITS = {
    "fraction": message("fraction"),
    "percent": message("percent"),
    "count": message("count"),
    "step": message("step"),
    "epoch": message("epoch"),
    "bytes": message("bytes"),
    "seconds": message("seconds"),
    "bits": message("bits"),
}


@record
class _File:
    """A file that numbers rest on, as far as the report knows it."""

    path: str
    sha256: str = ""
    size: int | None = None


class EvidenceList:
    """Collects what the numbers of one page rest on, in the order in which they are met.

    Args:
        files: What the report says of the files it read (`metadata["files"]`).
        lang: Language of the page, in which methods and reasons are said.
    """

    def __init__(self, files: object = (), lang: str = "en") -> None:
        self._lang = lang
        self._known = _read_files(files)
        self._numbers: dict[str, dict[str, object]] = {}
        self._sources: dict[tuple[Evidence, ...], int] = {}
        self._files: dict[str, int] = {}

    def __contains__(self, identifier: str) -> bool:
        return identifier in self._numbers

    def add(self, number: Number, printed: str) -> str:
        """Return the anchor of a number's entry, which is made where there is none yet."""
        entry = self._numbers.get(number.id)
        if entry is None:
            entry = {
                "anchor": f"e:{len(self._numbers) + 1}",
                "target": number_anchor(number.id),
                "id": number.id if number.id != anchor_of(number.id) else "",
                "printed": printed,
                **self._describe(number.quantity),
            }
            self._numbers[number.id] = entry
        return str(entry["anchor"])

    def variables(self) -> dict[str, object]:
        """Return what the template of the evidence prints; files come last, all are numbered.

        Of thousands a template asks for attributes, which it looks up before keys.
        """
        sources = [
            SimpleNamespace(number=number, points=[self._point(point) for point in points])
            for points, number in self._sources.items()
        ]
        files = [
            {"number": number, "path": Raw(escape_name(path)), **self._file(path)}
            for path, number in self._files.items()
        ]
        numbers = [SimpleNamespace(**entry) for entry in self._numbers.values()]
        return {"numbers": numbers, "sources": sources, "files": files}

    def _describe(self, quantity: Quantity | Missing) -> dict[str, object]:
        if isinstance(quantity, Missing):
            empty = dict.fromkeys(("value", "unit", "formula", "n", "ddof", "source"), "")
            return {**empty, "method": "", "reason": self._words(quantity.reason)}
        return {
            "value": self._mark(number_value(quantity.value)),
            "unit": self.say(_UNITS.get(quantity.unit, quantity.unit)),
            "method": self._words(quantity.method),
            "formula": Raw(escape_words(self._mark(quantity.formula))),
            "n": "" if quantity.n is None else str(quantity.n),
            "ddof": "" if quantity.ddof is None else str(quantity.ddof),
            "reason": "",
            "source": self._source(quantity.sources),
        }

    def _source(self, points: tuple[Evidence, ...]) -> int | str:
        if not points:
            return ""
        for point in points:
            self._files.setdefault(point.path, len(self._files) + 1)
        return self._sources.setdefault(points, len(self._sources) + 1)

    def _point(self, point: Evidence) -> SimpleNamespace:
        value = strict(point.value)
        return SimpleNamespace(
            file=self._files[point.path],
            tag=Raw(escape_name(point.tag)),
            step="" if point.step is None else str(point.step),
            value="" if value is None else Raw(escape_words(self._logged(value))),
        )

    def say(self, words: str) -> str:
        """Return words in the language of the page; names stay as they are."""
        with speaking(self._lang):
            return retell(words)

    def _words(self, words: str) -> Raw:
        return Raw(escape_words(self.say(words)))

    def _logged(self, value: Json) -> str:
        return value if isinstance(value, str) else self._mark(value)

    def _mark(self, value: Json) -> str:
        """Return a value or a formula with the decimal mark of the page."""
        return _POINT.sub(language_of(self._lang).decimal_mark, str(value))

    def _file(self, path: str) -> dict[str, object]:
        known = self._known.get(path, _File(path=path))
        size = "" if known.size is None else str(known.size)
        return {"sha256": Raw(escape_html(known.sha256)), "size": size}


def number_anchor(identifier: str) -> str:
    """Return the id of a number's element; a colon keeps it apart from those of blocks."""
    return f"n:{anchor_of(identifier)}"


def _read_files(files: object) -> dict[str, _File]:
    """Return what is known of each file; what is not as expected is left out."""
    found = {}
    for file in files if isinstance(files, Iterable) else ():
        if isinstance(file, Mapping) and isinstance(file.get("path"), str):
            size = file.get("size")
            found[file["path"]] = _File(
                path=file["path"],
                sha256=str(file.get("sha256") or ""),
                size=size if isinstance(size, int) else None,
            )
    return found
