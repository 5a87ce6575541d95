"""One HTML file that loads nothing: text, formulas, figures, and the evidence of each number."""

from __future__ import annotations

import base64
import gzip
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from xml.etree import ElementTree as ET

from reportgen import __version__
from reportgen.records import document as doc
from reportgen.records.document import Band, Figure, Line, Panel, scaled
from reportgen.records.record import record, replace
from reportgen.render._context import RenderContext
from reportgen.render._escape import embed_json, escape_html, escape_listing
from reportgen.render._formulas import print_mathml_group
from reportgen.render._html_table import (
    LONG,
    EvidenceList,
    HtmlPrinter,
    print_table,
    reference_anchor,
)
from reportgen.render._inline import Raw
from reportgen.render._limits import LIMITS
from reportgen.render._numbering import Labels
from reportgen.render._pages import TOP, BlockWriter, page_words, policy_hash, shared_look
from reportgen.render._spelling import spell_date
from reportgen.render._templates import render_report, render_template
from reportgen.render.figures import copy_drawing, stroke, thin
from reportgen.render.json import Json
from reportgen.render.json import render as render_json

# Figures of the page: one SVG element each, inactive, and curves as data that its script draws.

_LINK = re.compile(r"url\(#([^)]+)\)")
_POINTS = re.compile(r"([\d.]+)pt")
_SHIFT = re.compile(r"translate\((\S+) 0\)")
_PLACE = re.compile(r"translate\((\S+) (\S+)\) (scale\(\S+ \S+\))")
_LONG_COLOUR = re.compile(r"^#(.)\1(.)\2(.)\3$")
_SCREEN = 1.6  # pixels of the page to a point of the paper


class Drawings:
    """Turns drawings into elements of one page and collects the letters that they share."""

    def __init__(self) -> None:
        self._glyphs: dict[tuple[str, str], str] = {}
        self._words: dict[tuple[str, tuple[tuple[str, str], ...]], str] = {}

    def inline(self, svg: bytes, anchor: str, name: str, alt: str) -> Raw:
        """Return a drawing as an `<svg>` element for an HTML page.

        Every id gets the figure's anchor as prefix, for two figures of one page use the same
        ones. Comments, style sheets and everything that does not draw are left out.

        Args:
            svg: The drawing as a file of its own.
            anchor: Unique in the page.
            name: Short name ("Figure 1").
            alt: What the drawing shows, in words.
        """
        drawing = copy_drawing(ET.fromstring(svg))  # noqa: S314 - drawn by the program itself
        _own_names(drawing, f"{anchor}:", self._share(drawing))
        self._share_words(drawing)
        width = _POINTS.fullmatch(drawing.get("width", ""))
        for key in ("width", "height"):
            drawing.attrib.pop(key, None)
        if width:
            drawing.set("width", f"{float(width[1]) * _SCREEN:.0f}")
        drawing.set("role", "img")
        drawing.set("aria-labelledby", f"{anchor}:title {anchor}:desc")
        for tag, text in (("desc", alt), ("title", name)):
            element = ET.Element(tag, id=f"{anchor}:{tag}")
            element.text = text
            drawing.insert(0, element)
        return _spell(drawing)

    def sheet(self) -> Raw:
        """Return the element with all shared letters; empty where no drawing has any."""
        if not self._glyphs:
            return Raw()
        sheet = ET.Element("svg", {"class": "glyphs", "width": "0", "height": "0"})
        sheet.set("aria-hidden", "true")
        defs = ET.SubElement(sheet, "defs")
        for (outline, turn), name in self._glyphs.items():
            looks = {"id": name, "d": outline} | ({"transform": turn} if turn else {})
            ET.SubElement(defs, "path", looks)
        for (scale, letters), name in self._words.items():
            word = ET.SubElement(defs, "g", {"id": name, "transform": scale})
            for glyph, x in letters:
                ET.SubElement(word, "use", {"href": glyph} | ({"x": x} if x else {}))
        return _spell(sheet)

    def _share(self, root: ET.Element) -> dict[str, str]:
        """Put the defined paths of a drawing on the sheet; return their names there."""
        shared = {}
        for defs in root.iter("defs"):
            for path in list(defs):
                if path.tag != "path" or not set(path.keys()) <= {"id", "d", "transform"}:
                    continue
                key = " ".join(path.get("d", "").split()), path.get("transform", "")
                name = self._glyphs.setdefault(key, f"rg:g{len(self._glyphs)}")
                shared[path.get("id", "")] = name
                defs.remove(path)
        return shared

    def _share_words(self, drawing: ET.Element) -> None:
        """Put groups that are nothing but shared letters on the sheet, and use them from there."""
        for group in [e for e in drawing.iter("g") if len(e)]:
            letters = tuple((use.get("href", ""), use.get("x", "")) for use in group)
            shared = all(use.tag == "use" and set(use.keys()) <= {"href", "x"} for use in group)
            place = _PLACE.fullmatch(group.get("transform", ""))
            if place and shared and all(href.startswith("#rg:g") for href, _ in letters):
                name = self._words.setdefault((place[3], letters), f"rg:w{len(self._words)}")
                for use in list(group):
                    group.remove(use)
                del group.attrib["transform"]
                group.tag = "use"
                group.attrib |= {"href": f"#{name}", "x": place[1], "y": place[2]}


def _spell(element: ET.Element) -> Raw:
    return Raw(ET.tostring(element, encoding="unicode").replace(" />", "/>"))


def _own_names(drawing: ET.Element, prefix: str, shared: Mapping[str, str]) -> None:
    """Give ids and links a prefix, but for what is shared; leave out what defines nothing."""
    for element in drawing.iter():
        for key, value in element.items():
            if key == "id":
                element.set(key, prefix + value)
            elif key == "href":
                element.set(key, f"#{shared.get(value[1:]) or prefix + value[1:]}")
            else:
                text = _LINK.sub(rf"url(#{prefix}\1)", value)
                element.set(key, _LONG_COLOUR.sub(r"#\1\2\3", text))
        shift = _SHIFT.fullmatch(element.get("transform", ""))
        if element.tag == "use" and shift and "x" not in element.attrib:
            del element.attrib["transform"]
            element.set("x", shift[1])
        for defs in [child for child in element if child.tag == "defs" and not len(child)]:
            element.remove(defs)


# --- curves as data -------------------------------------------------------------------


MOST_POINTS = 500
"""Points of a long curve that the page keeps, so that it stays small enough to open."""
_DRAWN_KINDS = ("curves",)


@record(kw_only=False)
class _Axes:
    """One set of axes with all that the report draws on it, in any of its figures."""

    panel: Panel
    groups: frozenset[int]


def charts_json(figures: Mapping[str, Figure]) -> Json:
    """Return the curves of all figures, compact: axes, the series they share, and who shows what.

    Figures of the same runs on the same axes (as logged, smoothed, mean and spread) share
    their data, so that each of them can show all of it. Of a long curve the points are kept
    that a picture can show; `points` is how many there are.

    Args:
        figures: Anchor of each figure to the figure, in the order of the page.
    """
    axes: list[_Axes] = []
    drawn: dict[str, Json] = {}
    for anchor, figure in figures.items():
        if figure.chart.kind in _DRAWN_KINDS and any(_has_points(p) for p in figure.chart.panels):
            places: list[Json] = [_place(axes, panel) for panel in scaled(figure.chart.panels)]
            drawn[anchor] = {"axes": places, "on": list[Json](_layers(figure.chart.panels))}
    series = _Pool()
    return {
        "figures": drawn,
        "axes": [_axes(found.panel, series) for found in axes],
        "series": series.arrays,
        "most": MOST_POINTS,
    }


def _has_points(panel: Panel) -> bool:
    return any(line.x for line in panel.lines) or any(band.x for band in panel.bands)


def _layers(panels: Sequence[Panel]) -> list[str]:
    """Return what a figure shows before the reader asks for anything else."""
    lines = any(panel.lines for panel in panels)
    if any(panel.bands for panel in panels):
        return ["raw", "band"] if lines else ["band"]
    smoothed = any(line.smoothed for panel in panels for line in panel.lines)
    return ["raw", "smoothed"] if smoothed else ["raw"]


def _place(axes: list[_Axes], panel: Panel) -> int:
    """Return the position of the axes that a panel belongs to, which now hold it as well."""
    groups = frozenset(line.group_index for line in panel.lines)
    groups |= frozenset(band.group_index for band in panel.bands)
    for position, found in enumerate(axes):
        if _heads(found.panel) == _heads(panel) and (groups <= found.groups):
            axes[position] = replace(found, panel=_merge(found.panel, panel))
            return position
    axes.append(_Axes(panel, groups))
    return len(axes) - 1


def _heads(panel: Panel) -> tuple[str, str, str]:
    return panel.title, panel.x_label, panel.y_label


def _merge(panel: Panel, other: Panel) -> Panel:
    """Return a panel with the lines, the smoothed values and the bands of both."""
    richer = {_key(line): line for line in (*panel.lines, *other.lines) if line.smoothed}
    lines = {_key(line): richer.get(_key(line), line) for line in (*panel.lines, *other.lines)}
    return replace(
        panel,
        lines=tuple(lines.values()),
        bands=panel.bands or other.bands,
        x_ticks=panel.x_ticks or other.x_ticks,
        logarithmic=panel.logarithmic or other.logarithmic,
    )


def _key(line: Line) -> tuple[object, ...]:
    return line.group_index, line.member, line.label, line.x, line.y


def look_of(group_index: int, member: int = 0) -> dict[str, Json]:
    """Return colour, dashes and mark of a member of a group, as its drawing has them.

    Example:
        >>> look_of(1)
        {'colour': '#e69f00', 'dashes': '4.5 2', 'mark': 'circle'}
    """
    look = stroke(group_index, member)
    dashes = " ".join(f"{length:g}" for length in look.dashes)
    return {"colour": look.colour, "dashes": dashes, "mark": look.marker}


class _Pool:
    """Lists of numbers, each once."""

    def __init__(self) -> None:
        self.arrays: list[Json] = []
        self._places: dict[tuple[Json, ...], int] = {}

    def place(self, values: Iterable[float]) -> int | None:
        """Return the position of a list; None for an empty one."""
        array: list[Json] = [_number(value) for value in values]
        if not array:
            return None
        key = tuple(array)
        if key not in self._places:
            self._places[key] = len(self.arrays)
            self.arrays.append(array)
        return self._places[key]


def _number(value: float) -> Json:
    """Return a value as the script reads it; a gap is null."""
    if not math.isfinite(value):
        return None
    return int(value) if float(value).is_integer() and abs(value) < 2**53 else value


def _axes(panel: Panel, series: _Pool) -> Json:
    return {
        "title": panel.title,
        "x": panel.x_label,
        "y": panel.y_label,
        "ticks": series.place(panel.x_ticks),
        "log": panel.logarithmic,
        "lines": [_line(line, series) for line in panel.lines],
        "bands": [_band(band, series) for band in panel.bands],
        "rings": [
            {"look": look_of(ring.group_index), "x": ring.x, "y": ring.y} for ring in panel.rings
        ],
        "levels": [{"y": level.y, "label": level.label} for level in panel.levels],
    }


def _line(line: Line, series: _Pool) -> Json:
    kept = thin(line.y, MOST_POINTS)
    return {
        "label": line.label,
        "group": line.group,
        "look": look_of(line.group_index, line.member),
        "points": len(line.x),
        "x": series.place(line.x[i] for i in kept),
        "y": series.place(line.y[i] for i in kept),
        "smoothed": series.place(_shorten(line.smoothed[i]) for i in kept if line.smoothed),
        "steps": series.place(line.steps[i] for i in kept if line.steps),
    }


def _band(band: Band, series: _Pool) -> Json:
    kept = thin(band.mean, MOST_POINTS)
    return {
        "label": band.label,
        "group": band.group,
        "look": look_of(band.group_index if band.look is None else band.look),
        "points": len(band.x),
        "x": series.place(band.x[i] for i in kept),
        "mean": series.place(_shorten(band.mean[i]) for i in kept),
        "low": series.place(_shorten(band.low[i]) for i in kept if band.low),
        "high": series.place(_shorten(band.high[i]) for i in kept if band.high),
    }


def _shorten(value: float) -> float:
    """Return a computed value with as many digits as anybody reads off a curve."""
    return float(f"{value:.7g}")


_CONTENTS_DEPTH = 2
_MOST_NUMBERS = 10_000  # no report of more numbers is as small as that, so none is written to see


def render(
    report: doc.Report, labels: Labels, figures: Mapping[str, bytes], context: RenderContext
) -> dict[str, bytes]:
    """Return the report as one HTML file.

    The page carries its style, its script, its figures and the evidence of every number; a
    content security policy keeps it from loading or running anything else.

    Returns:
        `<stem>.html`.

    Raises:
        TemplateError: A template of the user's cannot be rendered.
    """
    writer = _Writer(report, labels, figures, context)
    known = sum(1 for _ in islice(doc.numbers(report), _MOST_NUMBERS + 1))
    carried = b""
    if known <= _MOST_NUMBERS:
        carried = context.json or b"".join(render_json(report, labels, figures, context).values())
    page = writer.write(report, carried)
    return {f"{context.stem}.html": page.encode(errors="replace")}


_KINDS = {
    "pdf": "PDF",
    "docx": "Word",
    "md": "Markdown",
    "tex": "LaTeX",
    "json": "JSON",
}
"""Endings of the files beside the page that it leads to."""


class _Writer(BlockWriter):
    """Renders a report as one page."""

    def __init__(
        self,
        report: doc.Report,
        labels: Labels,
        figures: Mapping[str, bytes],
        context: RenderContext,
    ) -> None:
        self.figures = figures
        self.evidence = EvidenceList(report.metadata.get("files", ()), report.lang)
        self.printer = HtmlPrinter(labels, report.lang, self.evidence)
        self.drawings = Drawings()
        self.drawn: dict[str, doc.Figure] = {}
        super().__init__("html", escape_html, self.printer, context, braces=True)

    def write(self, report: doc.Report, content: bytes) -> str:
        """Return the whole page; `content` is report.json, or nothing where that is too large."""
        script, style = self.asset("report.js"), self.asset("report.css")
        words, stem = page_words(report.lang), self.context.stem
        lead, rest = _first_figure(report)
        variables = {
            "lead": self.block(lead, TOP) if lead else "",
            **self.front(rest),
            "blocks": self.inside(rest.sections, TOP),
            "lang": report.lang,
            "title": report.title,
            "date": report.date,
            "day": spell_date(report.date, report.lang),
            "contents": [self.entry(s, 1) for s in report.sections],
            "glyphs": self.drawings.sheet(),
            "style": style,
            "style_hash": policy_hash(style),
            "script": script,
            "script_hash": policy_hash(script),
            "charts": Raw(embed_json(charts_json(self.drawn))),
            "words": {name: Raw(escape_html(one)) for name, one in words.items()},
            "wording": Raw(embed_json(dict(words))),
            "evidence": self.evidence.variables(),
            "json": {"name": f"{stem}.json", "data": _carried(content)},
            "version": __version__,
            "siblings": [
                {"kind": kind, "name": f"{stem}.{ending}"}
                for ending, kind in _KINDS.items()
                if ending in self.context.siblings
            ],
        }
        return render_report(self.environment, variables)

    def asset(self, name: str) -> Raw:
        """Return the style sheet or the script; both can be overridden like any template."""
        return render_template(self.environment.get_template(name), name, shared_look())

    def entry(self, section: doc.Section, depth: int) -> dict[str, object]:
        """Return one line of the table of contents with those below it."""
        inner = [
            b for b in section.blocks if isinstance(b, doc.Section) and depth < _CONTENTS_DEPTH
        ]
        label = self.labels.label(section.id)
        return {
            "number": label.number,
            "title": section.title,
            "anchor": label.anchor,
            "entries": [self.entry(child, depth + 1) for child in inner],
        }

    def section(self, section: doc.Section, level: int) -> dict[str, object]:
        return {"level": level, "title": section.title, "folded": section.appendix}

    def equations(self, group: doc.EquationGroup) -> dict[str, object]:
        return {"math": Raw(print_mathml_group(group, self.lang))}

    def table(self, table: doc.Table) -> dict[str, object]:
        name = f"{self.labels.anchor(table.id)}:name"
        return {
            "table": print_table(table, self.printer, name),
            "long": len(table.rows) > LONG,
            "excerpt": self.line(table.excerpt.note) if table.excerpt else "",
        }

    def figure(self, figure: doc.Figure) -> dict[str, object]:
        label = self.labels.label(figure.id)
        self.drawn[label.anchor] = figure
        svg = self.figures[figure.id]
        return {"figure": self.drawings.inline(svg, label.anchor, label.text, figure.alt)}

    def listing(self, listing: doc.Listing) -> dict[str, object]:
        return {"text": Raw(escape_listing(listing.text))}

    def variables(self, block: doc.Block, level: int) -> dict[str, object]:
        told = super().variables(block, level)
        return (
            told | {"words": page_words(self.lang)} if isinstance(block, doc.References) else told
        )

    def reference(self, entry: doc.Reference) -> dict[str, object]:
        anchor = reference_anchor(entry.key)
        places = self.printer.cited.get(entry.key, ())
        return {**super().reference(entry), "anchor": anchor, "places": places}


def _first_figure(report: doc.Report) -> tuple[doc.Figure | None, doc.Report]:
    """Return the first figure of the body, which opens the page, and the report without it."""
    for place, section in enumerate(report.sections):
        found = [block for block in section.blocks if isinstance(block, doc.Figure)]
        if section.appendix or not found:
            continue
        blocks = tuple(block for block in section.blocks if block is not found[0])
        before, after = report.sections[:place], report.sections[place + 1 :]
        sections = (*before, replace(section, blocks=blocks), *after)
        return found[0], replace(report, sections=sections)
    return None, report


def _carried(content: bytes) -> Raw:
    """Return a file as the page carries it, or nothing where it would make the page too large."""
    packed = gzip.compress(content, mtime=0) if content else b""
    return Raw(base64.b64encode(packed).decode() if len(packed) <= LIMITS.carried_bytes else "")
