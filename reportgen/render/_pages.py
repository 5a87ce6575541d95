"""What pages that scroll have in common: blocks to template variables, innermost first."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable

from reportgen.records import document as doc
from reportgen.render._context import RenderContext
from reportgen.render._inline import InlinePrinter, Raw, items_of
from reportgen.render._templates import make_environment, render_block

TOP = 2
"""Level of the headings of sections; the title has the first."""
_DEEPEST_HEADING = 6


class PageWriter(ABC):
    """Renders blocks with their templates.

    Args:
        form: Name of the format and of the folder of its templates.
        escape: Spells a plain string.
        printer: Spells texts.
        context: Templates and names of files.
    """

    def __init__(
        self,
        form: str,
        escape: Callable[[str], str],
        printer: InlinePrinter,
        context: RenderContext,
    ) -> None:
        self.context, self.labels, self.lang = context, printer.labels, printer.lang
        self._spell: Callable[[doc.Text], Raw] = printer.print_text
        self.environment = make_environment(form, escape, context.template_dirs, braces=True)

    def front(self, report: doc.Report) -> dict[str, object]:
        """Return what the template of a report prints in every such format."""
        parts = ("question", "text", "where")
        return {
            "authors": report.authors,
            "abstract": self.line(report.abstract),
            "occasion": report.occasion,
            "glance": [
                {part: self.cell(getattr(one, part)) for part in parts} for one in report.glance
            ],
            "blocks": [self.block(section, TOP) for section in report.sections],
        }

    def line(self, text: doc.Text) -> Raw:
        """Return a text that begins a line."""
        return self._spell(text)

    def cell(self, text: doc.Text) -> Raw:
        """Return a text that stands in a table."""
        return self._spell(text)

    def block(self, block: doc.Block, level: int) -> Raw:
        """Return one block, rendered."""
        kind = doc.BLOCK_KINDS[type(block)]
        return render_block(self.environment, kind, block.id, self.variables(block, level))

    def variables(self, block: doc.Block, level: int) -> dict[str, object]:
        """Return what the template of a block may print; every value is spelled already."""
        match block:
            case doc.Section():
                inside = [self.block(child, level + 1) for child in block.blocks]
                level = min(level, _DEEPEST_HEADING)
                return {**self._label(block), "blocks": inside, **self.section(block, level)}
            case doc.Paragraph():
                return {"text": self.line(block.text)}
            case doc.Bullets():
                items = [
                    self.item(
                        place, self.line(item), [self.block(each, level) for each in below], block
                    )
                    for place, (item, below) in enumerate(items_of(block))
                ]
                return {"start": block.start, "items": items}
            case doc.EquationGroup():
                return {**self._label(block), **self.equations(block)}
            case doc.Table():
                told = {**self._label(block, block.caption), **self.table(block)}
                return {**told, "notes": [self.line(note) for note in block.notes]}
            case doc.Figure():
                return {**self._label(block, block.caption), **self.figure(block)}
            case doc.Listing():
                return {**self._label(block, block.caption), "text": self.listing(block)}
            case doc.References():
                return {"entries": [self.reference(entry) for entry in block.entries]}

    def _label(
        self,
        block: doc.Section | doc.EquationGroup | doc.Table | doc.Figure | doc.Listing,
        caption: doc.Text = (),
    ) -> dict[str, object]:
        """Return number, name, anchor and caption of a numbered block."""
        label = self.labels.label(block.id)
        return {
            "number": label.number,
            "name": label.text,
            "anchor": Raw(label.anchor),
            "caption": self._spell(caption),
        }

    def reference(self, entry: doc.Reference) -> dict[str, object]:
        """Return one reference; an address that is not of the web is left out."""
        return {
            "number": self.labels.cite(entry.key),
            "text": self._spell(entry.text),
            "url": entry.url if re.match(r"https?://", entry.url) else "",
        }

    @abstractmethod
    def section(self, section: doc.Section, level: int) -> dict[str, object]: ...

    @abstractmethod
    def item(self, place: int, text: Raw, below: list[Raw], block: doc.Bullets) -> Raw: ...

    @abstractmethod
    def equations(self, group: doc.EquationGroup) -> dict[str, object]: ...

    @abstractmethod
    def table(self, table: doc.Table) -> dict[str, object]: ...

    @abstractmethod
    def figure(self, figure: doc.Figure) -> dict[str, object]: ...

    @abstractmethod
    def listing(self, listing: doc.Listing) -> Raw: ...
