"""Blocks to template variables, innermost first; and the words of the HTML page."""

from __future__ import annotations

import base64
import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

from reportgen.languages import language_of
from reportgen.records import document as doc
from reportgen.records.rows import read_data
from reportgen.render._context import RenderContext
from reportgen.render._escape import embed_json, escape_html
from reportgen.render._inline import InlinePrinter, Raw, items_of
from reportgen.render._numbering import words_of
from reportgen.render._templates import make_environment, render_block, render_template

TOP = 2
"""Level of the headings of sections; the title has the first."""
_DEEPEST_HEADING = 6


class BlockWriter(ABC):
    """Renders blocks with their templates; a format says what these print of each kind.

    Args:
        form: Name of the format and of the folder of its templates.
        escape: Spells a plain string.
        printer: Spells texts.
        context: Templates and names of files.
        look: How the environment of its templates is made.
    """

    def __init__(
        self,
        form: str,
        escape: Callable[[str], str],
        printer: InlinePrinter,
        context: RenderContext,
        **look: Any,
    ) -> None:
        self.context, self.labels, self.lang = context, printer.labels, printer.lang
        self._spell: Callable[[doc.Text], Raw] = printer.print_text
        self.environment = make_environment(form, escape, context.template_dirs, **look)

    def front(self, report: doc.Report) -> dict[str, object]:
        """Return what the template of a report prints in every format."""
        parts = ("question", "text", "where")
        return {
            "authors": report.authors,
            "abstract": self.line(report.abstract),
            "occasion": report.occasion,
            "glance": [
                {part: self.cell(getattr(one, part)) for part in parts} for one in report.glance
            ],
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

    def inside(self, blocks: tuple[doc.Block, ...], level: int) -> list[Raw] | Raw:
        """Return blocks in order, rendered."""
        return [self.block(block, level) for block in blocks]

    def variables(self, block: doc.Block, level: int) -> dict[str, object]:
        """Return what the template of a block may print; every value is spelled already."""
        match block:
            case doc.Section():
                inside = self.inside(block.blocks, level + 1)
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
                return {**self._label(block, block.caption), **self.listing(block)}
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

    def item(
        self,
        place: int,  # noqa: ARG002 - Markdown alone prints the number and the margin
        text: Raw,
        below: list[Raw],
        block: doc.Bullets,  # noqa: ARG002
    ) -> Raw:
        """Return an item of a list with the lists below it."""
        return Raw("\n".join([text, *below]))

    @abstractmethod
    def equations(self, group: doc.EquationGroup) -> dict[str, object]: ...

    @abstractmethod
    def table(self, table: doc.Table) -> dict[str, object]: ...

    @abstractmethod
    def figure(self, figure: doc.Figure) -> dict[str, object]: ...

    @abstractmethod
    def listing(self, listing: doc.Listing) -> dict[str, object]: ...


# --- words of the HTML page -----------------------------------------------------------


def page_words(lang: str) -> Mapping[str, str]:
    """Return the words of the page in a language, and the marks of its numbers for the script.

    Raises:
        UnknownNameError: Reports cannot be written in this language.

    Example:
        >>> words = page_words("fr")
        >>> words["panel"], words["find"], words["decimal_mark"]
        ('Provenance de {number}', 'Chercher mots ou nombres', ',')
    """
    language = language_of(lang)
    marks = {"decimal_mark": language.decimal_mark, "group_mark": language.group_mark}
    return {**words_of("page.", lang), **marks}


# --- the copy that is followed --------------------------------------------------------

_POLICY = re.compile(r'(<meta http-equiv="Content-Security-Policy" content=")([^"]*)(">)')
_END = "</body>"


def live_page(page: str, lang: str, notice: Mapping[str, Any]) -> str:
    """Return the copy of a page that is followed.

    Args:
        page: The page; one whose template states no policy gets none.
        lang: Language of the report.
        notice: What the page is told at first: its `version`, its `state`, and `links`.
    """
    environment = make_environment("html", escape_html, braces=True)
    style, script = (
        render_template(environment.get_template(name), name, {})
        for name in ("live.css", "live.js")
    )
    told = embed_json({"words": words_of("live.", lang), **notice})
    variables = {"style": style, "script": script, "notice": Raw(told)}
    more = render_template(environment.get_template("live.j2"), "live", variables)
    page = _POLICY.sub(lambda found: _widened(found, str(style), str(script)), page, count=1)
    before, end, behind = page.rpartition(_END)
    return f"{before}{more}\n{end}{behind}" if end else f"{page}{more}\n"


def waiting_page(lang: str, notice: Mapping[str, Any]) -> str:
    """Return the page that is shown before there is a report."""
    environment = make_environment("html", escape_html, braces=True)
    look = render_template(environment.get_template("report.css"), "report.css", shared_look())
    variables = {
        "lang": lang,
        "words": words_of("live.", lang),
        "look": look,
        "look_hash": policy_hash(look),
    }
    page = render_template(environment.get_template("waiting.j2"), "waiting", variables)
    return live_page(str(page), lang, notice)


def shared_look() -> dict[str, object]:
    """Return what the style sheet of a page begins with: the look that pages of checks have too."""
    return {"look": Raw(read_data("reportgen.records", "look.css"))}


def policy_hash(content: str) -> Raw:
    """Return what the page's policy calls a style sheet or a script that it allows."""
    digest = hashlib.sha256(content.encode()).digest()
    return Raw("sha256-" + base64.b64encode(digest).decode())


def _widened(found: re.Match[str], style: str, script: str) -> str:
    """Return a policy that allows one style sheet, one script, and news from its own server.

    Example:
        >>> text = '''<meta http-equiv="Content-Security-Policy" content="default-src 'none'">'''
        >>> "connect-src 'self'" in _widened(_POLICY.match(text), "", "")
        True
    """
    parts = [part.split() for part in found[2].split(";") if part.strip()]
    rules = {name: sources for name, *sources in parts}
    fallback = rules.get("default-src", [])
    wanted = {
        "style-src": f"'{policy_hash(style)}'",
        "script-src": f"'{policy_hash(script)}'",
        "connect-src": "'self'",
    }
    for name, source in wanted.items():
        sources = [one for one in rules.get(name, fallback) if one != "'none'"]
        rules[name] = [*sources, source]
    text = "; ".join(" ".join((name, *sources)) for name, sources in rules.items())
    return f"{found[1]}{text}{found[3]}"
