"""GitHub Markdown: pipe tables, formulas in math fences, figures beside it; and a model card."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any
from urllib.parse import quote

from reportgen.languages import speaking, tell
from reportgen.records import document as doc
from reportgen.records.formula import Expression
from reportgen.records.record import replace
from reportgen.render._context import RenderContext
from reportgen.render._csv_tables import for_pages, whole_tables
from reportgen.render._engines import svg_to_png
from reportgen.render._escape import escape_code, escape_markdown, fenced, guard_line_start
from reportgen.render._formulas import GITHUB, print_github_group
from reportgen.render._inline import InlinePrinter, Raw
from reportgen.render._numbering import Labels, anchor_of
from reportgen.render._pages import TOP, BlockWriter
from reportgen.render._spelling import print_number, spell_date
from reportgen.render._templates import render_report


def render(
    report: doc.Report, labels: Labels, figures: Mapping[str, bytes], context: RenderContext
) -> dict[str, bytes]:
    """Return the report as GitHub Markdown, with one SVG file a figure.

    The option `markdown.math` chooses between GitHub's own delimiters (the default) and
    `dollars`, which other readers of Markdown know.

    Returns:
        `<stem>.md` and `<stem>_files/<figure>.svg`.

    Raises:
        TemplateError: A template of the user's cannot be rendered.
    """
    images = {
        context.figure_path(labels.anchor(identifier), "svg"): figures[identifier]
        for identifier in figures
        if identifier in labels.targets
    }
    page = write_page(report, labels, context)
    files = images | whole_tables(report, labels, context)
    return {f"{context.stem}.md": page.encode(errors="replace")} | files


def write_page(
    report: doc.Report, labels: Labels, context: RenderContext, *, picture: str = "svg"
) -> str:
    """Return a report, or a part of one, as one page of Markdown.

    What lies outside of the part is named without a link.

    Args:
        report: The document, or some of its sections.
        labels: Numbers and anchors of the whole document.
        context: Templates and names of files.
        picture: Ending of the files of figures.
    """
    writer = _Writer(report, labels, context, picture)
    return writer.write(for_pages(report, labels, context))


class MarkdownPrinter(InlinePrinter):
    """Spells texts as Markdown.

    Args:
        labels: Numbers and anchors of what texts refer to.
        lang: Language of the report.
        dollars: Inline formulas as `$x$`, without GitHub's backticks.
        in_table: The text stands in a table, where a vertical bar splits even code.
        there: Ids of the blocks that links can lead to; None where all are there.
    """

    reference = "[%(text)s](#%(anchor)s)"
    citation = r"[\[%(number)s\]](#ref-%(anchor)s)"

    def __init__(
        self,
        labels: Labels,
        lang: str = "en",
        *,
        dollars: bool = False,
        in_table: bool = False,
        there: frozenset[str] | None = None,
    ) -> None:
        super().__init__(labels, lang)
        self.there = there
        self.dollars = dollars
        self.in_table = in_table

    def print_text(self, text: doc.Text) -> Raw:
        """Return the text; emphasis is marked by asterisks where its neighbours allow it."""
        spelled = ""
        for node, follower in zip(text, (*text[1:], ""), strict=False):
            if isinstance(node, doc.Emphasis | doc.Strong):
                mark, element = ("*", "em") if isinstance(node, doc.Emphasis) else ("**", "strong")
                after = follower[:1] if isinstance(follower, str) else "x"
                spelled += wrap(self.print_text(node.content), mark, element, spelled[-1:], after)
            else:
                spelled += self.print_inline(node)
        return Raw(spelled)

    def print_line(self, text: doc.Text) -> Raw:
        """Return a text that stands at the start of a line."""
        return Raw(guard_line_start(self.print_text(text)))

    def _words(self, text: str) -> str:
        return escape_markdown(text)

    def _number(self, number: doc.Number) -> str:
        return escape_markdown(print_number(number, self.lang))

    def _math(self, expression: Expression) -> str:
        formula = GITHUB.spell(expression, self.lang)
        return f"${formula}$" if self.dollars else f"$`{formula}`$"

    def _ref(self, target: str) -> str:
        """Spell a cross-reference as a link to an explicit anchor."""
        if self.there is not None and target not in self.there:
            return escape_markdown(self.labels.text(target))
        return super()._ref(target)

    def _code(self, text: str) -> str:
        return escape_code(text, in_table=self.in_table)

    def _link(self, content: str, url: str, behind: str) -> str:
        return f"[{content}]({_url(url)})" if behind else f"<{_url(url)}>"

    def _indent(self, depth: int) -> str:
        return "&emsp;" * depth

    def print_strong(self, content: str) -> str:
        """Spell bold words that are spelled already."""
        return wrap(content, "**", "strong")


def wrap(content: str, mark: str, element: str, before: str = "", after: str = "") -> str:
    """Wrap words in asterisks, or in an element where asterisks could be read otherwise.

    Args:
        content: The words, spelled.
        mark: One or two asterisks.
        element: Name of the element that means the same.
        before: Character before the words, or empty.
        after: Character after them, or empty.
    """
    if not content.strip():
        return content
    opens = content[0].isalnum() or (_is_edge(before) and not content[0].isspace())
    closes = content[-1].isalnum() or (_is_edge(after) and not content[-1].isspace())
    if opens and closes and "*" not in {before, after, content[0], content[-1]}:
        return f"{mark}{content}{mark}"
    return f"<{element}>{content}</{element}>"


def _is_edge(character: str) -> bool:
    """Tell whether a word ends here: asterisks beside punctuation need that."""
    return not character or character.isspace() or character in ".,;:!?()"


# --- tables, padded so that the source reads as a table too ---------------------------

_RULES = {"left": ":{}-", "center": ":{}:", "right": "-{}:", "decimal": "-{}:"}
_WIDEST_PADDED = 36
"""Nothing is padded further: one long name would push all other columns out of sight."""


def print_pipe_table(table: doc.Table, printer: MarkdownPrinter) -> str:
    """Return a table without its caption; a head above columns stands before each of them."""
    head = [_head(column, printer) for column in table.columns]
    rows = [_row(row, printer) for row in table.rows]
    widths = [_width(column) for column in zip(head, *rows, strict=True)]
    ruler = [
        _RULES[column.align].format("-" * (width - 2))
        for column, width in zip(table.columns, widths, strict=True)
    ]
    aligns = [column.align for column in table.columns]
    padded = [_pad(cells, widths, aligns) for cells in (head, *rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (padded[0], ruler, *padded[1:]))


def _head(column: doc.TableColumn, printer: MarkdownPrinter) -> str:
    parts = [printer.print_text(text) for text in (column.group, column.title) if text]
    with speaking(printer.lang):
        return tell(": ").join(part for part in parts if part)


def _row(row: doc.TableRow, printer: MarkdownPrinter) -> list[str]:
    return [_cell(cell, printer, bold=row.kind != "body") for cell in row.cells]


def _cell(cell: doc.Text, printer: MarkdownPrinter, *, bold: bool) -> str:
    text = printer.print_text(cell).strip()
    return printer.print_strong(text) if bold and text and "**" not in text else str(text)


def _width(cells: tuple[str, ...]) -> int:
    return max(3, len(cells[0]), min(_WIDEST_PADDED, max(map(len, cells))))


def _pad(cells: list[str], widths: list[int], aligns: list[str]) -> list[str]:
    return [
        cell.ljust(width) if align in {"left", "center"} else cell.rjust(width)
        for cell, width, align in zip(cells, widths, aligns, strict=True)
    ]


class _Writer(BlockWriter):
    """Renders a report, or a part of one."""

    def __init__(
        self, report: doc.Report, labels: Labels, context: RenderContext, picture: str
    ) -> None:
        self.picture = picture
        self.dollars = context.option("markdown.math") == "dollars"
        there = frozenset(block.id for block in doc.walk(report.sections))
        made = partial(MarkdownPrinter, labels, report.lang, dollars=self.dollars, there=there)
        self.printer, self.cells = made(), made(in_table=True)
        super().__init__("markdown", escape_markdown, self.printer, context, braces=True)

    def write(self, report: doc.Report) -> str:
        """Return the whole file."""
        variables = {
            **self.front(report),
            "blocks": self.inside(report.sections, TOP),
            "title": Raw(_heading(report.title)),
            "date": spell_date(report.date, report.lang),
            "words": self.labels.words,
        }
        return render_report(self.environment, variables)

    def line(self, text: doc.Text) -> Raw:
        return self.printer.print_line(text)

    def cell(self, text: doc.Text) -> Raw:
        return self.cells.print_line(text)

    def section(self, section: doc.Section, level: int) -> dict[str, object]:
        return {
            "hashes": Raw("#" * level),
            "title": Raw(_heading(section.title)),
            "folded": section.appendix and level == TOP,
        }

    def item(self, place: int, text: Raw, below: list[Raw], block: doc.Bullets) -> Raw:
        """Return an item of a list with the lists below it, as far in as its words begin."""
        number = f"{(block.start or 0) + place}. "
        margin = " " * (2 if block.start is None else len(number))
        lines = [line for inner in below for line in inner.rstrip("\n").split("\n")]
        return Raw("\n".join([text, *(margin + line for line in lines)]))

    def equations(self, group: doc.EquationGroup) -> dict[str, object]:
        lines = print_github_group(group, self.labels.number(group.id), self.lang)
        return {"lines": Raw(lines), "dollars": self.dollars}

    def table(self, table: doc.Table) -> dict[str, object]:
        return {"table": Raw(print_pipe_table(table, self.cells))}

    def figure(self, figure: doc.Figure) -> dict[str, object]:
        path = self.context.figure_path(self.labels.anchor(figure.id), self.picture)
        return {"alt": figure.alt, "path": _url(path)}

    def listing(self, listing: doc.Listing) -> dict[str, object]:
        return {"text": Raw(fenced(listing.text, listing.language))}

    def reference(self, entry: doc.Reference) -> dict[str, object]:
        told = super().reference(entry)
        return {**told, "anchor": Raw(f"ref-{anchor_of(entry.key)}"), "url": _url(str(told["url"]))}


def _heading(title: str) -> str:
    """Return a title whose last hash sign is not taken for the end of the heading."""
    return re.sub(r"#(?=#*$)", r"\\#", escape_markdown(title).strip())


def _url(address: str) -> Raw:
    """Return an address that holds nothing that ends a link or begins markup."""
    return Raw(quote(address, safe="/:?#=&;+,.~%-_@"))


# --- a model card of the Hugging Face Hub: the body below a model-index ---------------


_TASKS = {
    "ForSequenceClassification": "text-classification",
    "ForTokenClassification": "token-classification",
    "ForQuestionAnswering": "question-answering",
    "ForCausalLM": "text-generation",
    "ForConditionalGeneration": "text-generation",
    "ForImageClassification": "image-classification",
    "ForMaskedLM": "fill-mask",
    "ForSemanticSegmentation": "image-segmentation",
    "ForCTC": "automatic-speech-recognition",
}
"""End of a class of transformers to the name of its task on the hub."""
_DPI = 150


def render_card(
    report: doc.Report, labels: Labels, figures: Mapping[str, bytes], context: RenderContext
) -> dict[str, bytes]:
    """Return the card and its figures as PNG; upload it as `README.md`.

    Returns:
        `<stem>-card.md` and `<stem>_files/<figure>.png`.

    Raises:
        EngineError: The engine that makes PNG figures is missing.
        TemplateError: A template of the user's cannot be rendered.
    """
    import yaml

    body = replace(report, sections=tuple(s for s in report.sections if not s.appendix))
    drawn = [block.id for block in doc.walk(body.sections) if isinstance(block, doc.Figure)]
    pictures = svg_to_png({name: figures[name] for name in drawn}, dpi=_DPI)
    front = yaml.safe_dump(front_matter(report), sort_keys=False, allow_unicode=True)
    page = write_page(body, labels, context, picture="png")
    files = {f"{context.stem}-card.md": f"---\n{front}---\n\n{page}".encode(errors="replace")}
    return files | {
        context.figure_path(labels.anchor(name), "png"): content
        for name, content in pictures.items()
    }


def front_matter(report: doc.Report) -> dict[str, Any]:
    """Return what stands above the card: language, tags, base model and the `model-index`.

    Example:
        >>> front_matter(doc.Report(title="A lab", sections=()))
        {'language': ['en'], 'tags': ['reportgen']}
    """
    front: dict[str, Any] = {"language": [report.lang.partition("-")[0]], "tags": ["reportgen"]}
    adapters: Any = report.metadata.get("adapters") or []
    if adapters:
        front["library_name"] = "peft"
        front["tags"].append("lora")
    results = list(_results(report))
    if results:
        front["model-index"] = [{"name": report.title, "results": results}]
    return front


def _results(report: doc.Report) -> Iterator[dict[str, Any]]:
    """Yield the result of each group that has one."""
    groups: Any = report.metadata.get("groups") or []
    for group in groups:
        if group.get("mean") is None:
            continue
        split, metric = group["split"], group["metric"]
        task = group.get("task") or {}
        data = task.get("name") or "unknown"
        yield {
            "task": {"type": _task_of(report)},
            "dataset": {"name": data, "type": data, **({"split": split} if split else {})},
            "metrics": [
                {
                    "type": metric,
                    "name": _name(metric, group),
                    "value": float(f"{group['mean']:.6g}"),
                    "verified": False,
                }
            ],
        }


def _name(metric: str, group: Mapping[str, Any]) -> str:
    runs = f" (mean of {group['n']})" if group["n"] > 1 else ""
    return f"{metric} of {group['label']}{runs}"


def _task_of(report: doc.Report) -> str:
    model: Any = report.metadata.get("model") or {}
    names = [str(model.get("architecture", ""))]
    return next(
        (task for end, task in _TASKS.items() if any(name.endswith(end) for name in names)), "other"
    )
