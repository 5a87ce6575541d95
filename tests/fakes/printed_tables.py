"""Tables read back out of finished reports, one reader a format, none of them ours.

Each reader returns caption to rows, a row as the texts of its cells with signs of markup gone.
"""

import html.parser
import re
from pathlib import Path

from fakes.readback import pdf_text

Rows = list[list[str]]
Tables = dict[str, Rows]


def markdown_tables(source: str) -> Tables:
    """Read pipe tables under bold captions."""
    found: Tables = {}
    caption = ""
    for line in source.splitlines():
        if heading := re.match(r".*\*\*(?:Table|Tableau)\s\d+\.?\*\*\s*(.*)", line):
            caption = heading.group(1)
        elif line.startswith("|") and not re.fullmatch(r"[|:\- ]+", line):
            cells = re.split(r"(?<!\\)\|", line.strip("|"))
            found.setdefault(caption, []).append(
                [re.sub(r"[*\\]|<[^>]*>", "", html.unescape(c)).strip() for c in cells]
            )
    return found


class _HtmlTables(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: Tables = {}
        self.caption: list[str] = []
        self.cell: list[str] | None = None
        self.inside: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        hides = tag in {"script", "style", "svg"} or ("hidden", "") in attrs
        if hides or (self.hidden and tag not in {"br", "img", "input", "path", "use"}):
            self.hidden += 1
            return
        self.inside.append(tag)
        if tag == "figcaption":
            self.caption = []
        if tag == "tr":
            self.found.setdefault("".join(self.caption).strip(), []).append([])
        if tag in {"td", "th"}:
            self.cell = []

    def handle_endtag(self, tag: str) -> None:
        if self.hidden:
            self.hidden -= tag not in {"br", "img", "input", "path", "use"}
            return
        if tag in {"td", "th"} and self.cell is not None:
            self.found["".join(self.caption).strip()][-1].append("".join(self.cell).strip())
            self.cell = None
        if tag in self.inside:
            del self.inside[len(self.inside) - 1 - self.inside[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if self.hidden:
            return
        if self.cell is not None:
            self.cell.append(data)
        elif "figcaption" in self.inside:
            self.caption.append(data)


def html_tables(source: str) -> Tables:
    """Read `<table>` elements under their `<figcaption>`."""
    reader = _HtmlTables()
    reader.feed(source)
    return reader.found


def latex_tables(source: str) -> Tables:
    """Read tabulars and longtables under their captions."""
    found: Tables = {}
    body = source.split(r"\begin{document}", 1)[1]
    for part in re.split(r"\\caption\{", body)[1:]:
        rows = re.search(r"\\toprule(.*?)\\bottomrule\s*\\end", part, re.DOTALL)
        if rows is None or r"\begin{figure" in part[: rows.start()]:
            continue
        caption = _words(part.partition(r"\label")[0].strip().removesuffix("}"))
        inner = re.sub(r"(?m)^%.*$", "", rows.group(1))
        lines = re.split(r"\\\\(?:\[[^]]*\])?|\\tabularnewline", inner)
        kept = [[_words(cell) for cell in re.split(r"(?<!\\)&", line)] for line in lines]
        found[caption] = [row for row in kept if any(row)]
    return found


_PLAIN = (
    (r"\\decimal\{[^{}]*\}\{([^{}]*)\}\{[^{}]*\}\{([^{}]*)\}", r"\1\2"),
    (r"\\phantom\{\\plusminus\}", ""),
    (r"\\plusminus", " ± "),
    (r"\\ensuremath\{-\}", "−"),
    (r"\\ensuremath\{\\pm\}", "±"),
    (r"\\(?:rgnum)\{[^{}]*\}\{([^{}]*)\}", r"\1"),
    (r"\\(?:textbf|emph|texttt|mbox)\{([^{}]*)\}", r"\1"),
    (r"\\(?:toprule|midrule|cmidrule(?:\([lr]+\))?\{[^}]*\}|allowbreak|bottomrule)", ""),
    (r"\\multicolumn\{\d+\}\{[^{}]*(?:\{\})?[^{}]*\}\{([^{}]*)\}", r"\1"),
    (r"\\([%&_#$])", r"\1"),
    (r"\$([+-])\$", r"\1"),
    (r"\{,\}", ","),
    (r"\{\}", ""),
)


def _words(cell: str) -> str:
    """Undo commands from the innermost outwards until none is left to undo."""
    before = ""
    while before != cell:
        before = cell
        for pattern, plain in _PLAIN:
            cell = re.sub(pattern, plain, cell)
    return cell.replace("~", " ").strip()


def typst_tables(source: str) -> Tables:
    """Read `table(...)` calls inside figures under their captions."""
    found: Tables = {}
    for part in source.split("kind: table,")[1:]:
        caption = "".join(_strings(re.search(r"\n  caption: (.*)", part)[1]))
        columns = re.search(r"columns: \(([^\n]*)\),\n", part)
        body = part.split("table.hline(stroke: 0.5pt),", 1)[-1]
        cells: list[str] = []
        for line in body.splitlines():
            stripped = line.strip()
            if stripped.startswith(("table.hline(stroke: 0.8pt)", "// rg")):
                break
            if re.match(r"(?:table\.cell\([^[]*\))?\[.*\],$", stripped):
                cells.append(_typst_cell(stripped))
        width = len([c for c in (columns.group(1) if columns else "").split(",") if c.strip()])
        if width:
            found[caption] = [cells[i : i + width] for i in range(0, len(cells), width)]
    return found


def _strings(source: str) -> list[str]:
    return [s.replace(r"\"", '"') for s in re.findall(r'"((?:[^"\\]|\\.)*)"', source)]


def _typst_cell(source: str) -> str:
    halves = re.findall(r'\([\d.]+em, "([^"]*)", [\d.]+em, "([^"]*)"\)', source)
    if halves:
        return " ± ".join(left + right for left, right in halves if left)
    return "".join(_strings(source))


# Around a space that does not break, pypdf leaves wider gaps than there are.
_GAP = re.compile(r"(?<![ \u00a0]) {2,}(?![ \u00a0])")


def pdf_tables(path: Path) -> Tables:
    """Read the lines below each caption; columns are told apart by two spaces and more."""
    found: Tables = {}
    caption = ""
    for line in pdf_text(path).splitlines():
        if heading := re.match(r"\s*(?:Table|Tableau)\s\d+[.:]?\s+(.*)", line):
            caption = heading.group(1)
        elif caption and line.strip():
            found.setdefault(caption, []).append(_GAP.split(line.strip()))
    return found
