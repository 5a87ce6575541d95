"""The HTML page, read back by a parser of its own: safe, whole, traceable, alone."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

import pytest

from reportgen.formats._escape import clean, clean_prose
from reportgen.formats._html_figure import inline_svg
from reportgen.formats._html_text import number_anchor
from reportgen.formats.html import render
from reportgen.records.document import (
    Code,
    EquationGroup,
    Figure,
    Listing,
    Number,
    Paragraph,
    Reference,
    References,
    Report,
    Section,
    Table,
    TableColumn,
    TableRow,
    numbers,
    walk,
)
from reportgen.records.quantity import Evidence, Missing, Quantity

VOID = {"meta", "link", "br", "img", "input", "hr", "wbr"}
# What the page is made of; anything else was brought in by somebody.
ELEMENTS = {
    *("html", "head", "meta", "title", "style", "body", "a", "div", "nav", "details", "summary"),
    *("ol", "ul", "li", "span", "main", "header", "h1", "h2", "h3", "p", "time", "section"),
    *("figure", "figcaption", "table", "thead", "tbody", "tr", "th", "td", "data", "code", "pre"),
    *("em", "strong", "footer", "script", "wbr"),
    *("math", "mtable", "mtr", "mtd", "mrow", "mi", "mn", "mo", "msub", "msup", "mfrac", "msqrt"),
    *("mspace", "svg", "desc", "defs", "g", "path", "use", "clippath", "rect"),
}


@dataclass
class Node:
    tag: str
    attributes: dict[str, str]
    children: list = field(default_factory=list)

    def __iter__(self):
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child

    def all(self, tag):
        return [node for node in self if node.tag == tag]

    def text(self):
        return "".join(c.text() if isinstance(c, Node) else c for c in self.children)

    def has(self, name):
        return name in self.attributes.get("class", "").split()


class Reader(HTMLParser):
    """Builds a tree; an element that is not closed in order is an error."""

    def __init__(self):
        super().__init__()
        self.open = [Node("", {})]

    def handle_starttag(self, tag, attrs):
        assert len(attrs) == len(dict(attrs)), f"an attribute of {tag} is given twice"
        node = Node(tag, {k: v or "" for k, v in attrs})
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_startendtag(self, tag, attrs):
        self.open[-1].children.append(Node(tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop().tag == tag

    def handle_data(self, data):
        self.open[-1].children.append(data)


def parse(page):
    reader = Reader()
    reader.feed(page.decode())
    reader.close()
    assert len(reader.open) == 1, f"never closed: {[n.tag for n in reader.open[1:]]}"
    return reader.open[0]


def one(*blocks, **front):
    section = Section(id="s", title=front.pop("section", "Section"), blocks=blocks)
    return Report(**({"title": "Title", "sections": (section,)} | front))


@pytest.fixture(scope="module")
def page(written):
    return written(render)["report.html"]


@pytest.fixture(scope="module")
def tree(page):
    return parse(page)


def evidence_of(tree):
    (script,) = [s for s in tree.all("script") if s.attributes.get("type") == "application/json"]
    return json.loads(script.text())


# --- safe -----------------------------------------------------------------------------


def test_an_ordinary_paragraph(written):
    page = written(render, of=one(Paragraph(text=("80 runs, ", Code("valid/loss")))))
    assert "<p>80 runs, <code>valid/loss</code></p>" in page["report.html"].decode()


def test_a_name_reads_back_wherever_it_stands(hostile, written):
    row = TableRow(cells=((hostile,), (Code(hostile),), ("end",)))
    columns = tuple(TableColumn(title=(hostile,)) for _ in range(3))
    source = Evidence(path=hostile, tag=hostile, value=hostile)
    quantity = Quantity(value=1, method=hostile, formula=hostile, sources=(source,))
    report = one(
        Table(id="t", caption=(hostile,), columns=columns, rows=(row,), notes=((hostile,),)),
        Paragraph(text=(hostile, Number(id=hostile, quantity=quantity))),
        Paragraph(text=(Number(id="no", quantity=Missing(reason=hostile)),)),
        Listing(id="l", caption=(), text=hostile, language=hostile),
        section=hostile,
        title=hostile,
        authors=(hostile,),
        lang=hostile,
    )
    tree = parse(written(render, of=report)["report.html"])
    said = clean_prose(hostile).strip()
    assert {node.tag for node in tree} <= ELEMENTS
    assert not [a for node in tree for a in node.attributes if a.startswith("on")]
    assert len(tree.all("script")) == 2
    words, code = tree.all("tbody")[0].children[0].children[:2]
    assert words.text().replace("\u202f", " ").strip() == said
    assert code.text().strip() == clean(hostile).strip()
    assert tree.all("title")[0].text().strip() == said
    assert tree.all("h1")[0].text().strip() == said
    (told,) = [e for key, e in evidence_of(tree).items() if key != "n:no"]
    assert (told["method"], told["formula"]) == (hostile, hostile)
    assert told["evidence"][0]["path"] == hostile


def test_text_cannot_end_the_script_that_carries_the_evidence(written):
    quantity = Quantity(value=1, method="</script><script>alert(1)</script><!--")
    page = written(render, of=one(Paragraph(text=(Number(id="a", quantity=quantity),))))
    tree = parse(page["report.html"])
    assert len(tree.all("script")) == 2
    assert evidence_of(tree)["n:a"]["method"] == quantity.method


def test_the_policy_allows_this_script_and_no_other(tree):
    (policy,) = [
        m.attributes["content"]
        for m in tree.all("meta")
        if m.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    (script,) = [s for s in tree.all("script") if "type" not in s.attributes]
    digest = base64.b64encode(hashlib.sha256(script.text().encode()).digest()).decode()
    assert policy.startswith("default-src 'none';")
    assert f"script-src 'sha256-{digest}'" in policy
    assert "http" not in policy


def test_the_page_loads_nothing(tree):
    for node in tree:
        assert node.tag not in {"img", "link", "iframe", "object", "embed", "video"}
        assert "src" not in node.attributes
        if node.tag != "a":
            assert not re.search("https?:", node.attributes.get("href", ""))
    style = tree.all("style")[0].text()
    assert "@import" not in style
    assert "url(" not in style


def test_only_addresses_of_the_web_become_links(written):
    entries = (
        Reference(key="a", text=("A.",), url="javascript:alert(1)"),
        Reference(key="b", text=("B.",), url='https://x.org/"onclick=1'),
    )
    tree = parse(written(render, of=one(References(entries=entries)))["report.html"])
    outside = [a.attributes for a in tree.all("a") if not a.attributes["href"].startswith("#")]
    assert outside == [{"href": 'https://x.org/"onclick=1', "rel": "noreferrer"}]


# --- traceable ------------------------------------------------------------------------


def test_every_number_stands_in_the_page_with_its_value_and_its_evidence(tree, report):
    shown = {n.attributes["id"]: n for n in tree if n.has("num") and "id" in n.attributes}
    told = evidence_of(tree)
    for number in numbers(report):
        key = number_anchor(number.id)
        assert key in told
        if isinstance(number.quantity, Missing):
            assert shown[key].text() == "—"
            assert shown[key].attributes["title"] == told[key]["reason"] == "no log"
        else:
            assert shown[key].tag == "data"
            assert float(shown[key].attributes["value"]) == number.quantity.value


def test_a_number_printed_twice_bears_its_id_once(written):
    number = Number(id="a.b", quantity=Quantity(value=0.5), style="percent", decimals=1)
    tree = parse(written(render, of=one(Paragraph(text=(number, " ", number))))["report.html"])
    first, second = tree.all("data")
    assert first.attributes["id"] == second.attributes["data-num"] == "n:a.b"
    assert "id" not in second.attributes


def test_evidence_keeps_the_unit_of_the_log(written):
    source = Evidence(path="valid/events", tag="accuracy", step=675, value=80.5, run="a/0")
    quantity = Quantity(value=0.805, unit="fraction", n=3, ddof=1, formula="x / 3",
                        method="mean", sources=(source,))  # fmt: skip
    number = Number(id="a", quantity=quantity, style="percent", decimals=1)
    told = evidence_of(parse(written(render, of=one(Paragraph(text=(number,))))["report.html"]))
    assert told == {
        "n:a": {
            "value": 0.805,
            "unit": "fraction",
            "method": "mean",
            "n": 3,
            "ddof": 1,
            "formula": "x / 3",
            "evidence": [
                {"path": "valid/events", "tag": "accuracy", "step": 675, "value": 80.5,
                 "run": "a/0"}
            ],
        }
    }  # fmt: skip


# --- whole ----------------------------------------------------------------------------


def test_every_id_is_there_once_and_every_link_finds_one(tree):
    ids = [node.attributes["id"] for node in tree if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    links = {n.attributes["href"][1:] for n in tree if n.attributes.get("href", "").startswith("#")}
    assert links <= set(ids)
    named = [n.attributes.get("aria-labelledby", "") for n in tree]
    assert {word for words in named for word in words.split()} <= set(ids)


def test_landmarks_language_and_a_way_past_the_contents(tree, report):
    assert tree.all("html")[0].attributes["lang"] == report.lang
    assert len(tree.all("main")) == len(tree.all("nav")) == len(tree.all("h1")) == 1
    skip = tree.all("a")[0]
    assert skip.attributes["href"] == "#" + tree.all("main")[0].attributes["id"]
    assert [h.text() for h in tree.all("h2")][:2] == ["1Summary", "2Model & parameters"]
    assert [h.text() for h in tree.all("h3")] == ["2.1Formulas"]


def test_every_block_is_there(tree, report):
    blocks = list(walk(report.sections))
    assert len(tree.all("table")) == sum(isinstance(b, Table) for b in blocks)
    assert len(tree.all("svg")) == sum(isinstance(b, Figure) for b in blocks)
    displayed = [m for m in tree.all("math") if m.attributes.get("display") == "block"]
    assert len(displayed) == sum(isinstance(b, EquationGroup) for b in blocks)
    assert all(m.attributes["alttext"] for m in displayed)
    for listing in (b for b in blocks if isinstance(b, Listing)):
        assert listing.text.expandtabs(4) in {p.text() for p in tree.all("pre")}


def test_heads_over_several_columns_span_them(tree):
    (over,) = [th for th in tree.all("table")[0].all("th") if th.has("over")]
    assert (over.text(), over.attributes["colspan"]) == ("accuracy (%)", "2")
    for table in tree.all("table"):
        rows = table.all("tbody")[0].all("tr")
        width = len(table.all("tbody")[0].children[0].children)
        assert all(len(row.children) == width for row in rows)
        heads = sum(int(th.attributes.get("colspan", "1")) for th in table.all("tr")[0].children)
        assert heads == width


def padded(node):
    """Text of a cell with the invisible characters that fill it up."""
    if node.has("pad"):
        return node.attributes["data-pad"]
    return "".join(padded(c) if isinstance(c, Node) else c for c in node.children)


def column(tree, table, index):
    rows = tree.all("table")[table].all("tbody")[0].all("tr")
    return [padded(row.children[index]) for row in rows]


@pytest.mark.parametrize(("table", "index"), [(0, 3), (0, 4), (1, 2), (3, 1), (3, 2), (3, 4)])
def test_points_and_signs_of_spread_stand_under_one_another(tree, table, index):
    cells = column(tree, table, index)
    for mark in ".±":
        places = {len(cell) - cell.index(mark) for cell in cells if mark in cell}
        assert len(places) <= 1
    assert len({len(cell) - cell.rindex(".") for cell in cells if "." in cell}) == 1


def test_what_fills_a_cell_up_is_not_text_of_the_page(tree):
    first = tree.all("table")[0].all("tbody")[0].all("tr")[0]
    assert first.children[3].text() == "81.4"
    assert padded(first.children[3]) == "81.4 ± 0.7"


def test_an_indented_cell_is_indented_as_a_whole(tree):
    deep = [n for n in tree.all("table")[1].all("span") if n.has("deep")]
    assert [n.attributes["style"] for n in deep] == ["--depth:1", "--depth:2"]


# --- figures --------------------------------------------------------------------------

DRAWING = b"""<?xml version="1.0"?><!DOCTYPE svg>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 width="100pt" height="50pt" viewBox="0 0 100 50" onload="alert(1)">
<style>* {fill: red}</style><!-- note --><script>alert(1)</script>
<defs><path id="p1" d="M 0 0"/></defs>
<g clip-path="url(#c)"><use xlink:href="#p1"/><use xlink:href="http://x.org/a.svg#b"/>
<a href="http://x"><path d="M 1 1"/></a><image href="http://x/y.png"/></g>
<clipPath id="c"><rect width="1" height="1"/></clipPath></svg>"""


def test_a_drawing_keeps_what_draws_under_ids_of_its_own():
    svg = parse(inline_svg(DRAWING, "fig", "Figure 1", 'runs "a" < b').encode()).all("svg")[0]
    assert [n.tag for n in svg] == [
        *("title", "desc", "defs", "path", "g", "use", "use", "clippath", "rect"),
    ]
    assert svg.all("desc")[0].text() == 'runs "a" < b'
    assert [u.attributes for u in svg.all("use")] == [{"href": "#fig:p1"}, {}]
    assert svg.all("g")[0].attributes == {"clip-path": "url(#fig:c)"}
    assert svg.all("clippath")[0].attributes == {"id": "fig:c"}
    assert svg.attributes == {
        "viewbox": "0 0 100 50",
        "style": "max-width:160px",
        "role": "img",
        "aria-labelledby": "fig:title fig:desc",
    }


def test_two_figures_of_one_page_share_no_id(tree):
    first, second = ({n.attributes.get("id") for n in svg} - {None} for svg in tree.all("svg"))
    assert len(first) > 2
    assert not first & second


# --- the rest -------------------------------------------------------------------------


def test_the_same_report_is_the_same_bytes(written, page):
    assert written(render)["report.html"] == page


def test_style_and_blocks_can_be_overridden(written, tmp_path):
    blocks = tmp_path / "html" / "blocks"
    blocks.mkdir(parents=True)
    (blocks / "paragraph.j2").write_text("<p>{{ '<i>' }}{{ text }}</p>")
    (tmp_path / "html" / "report.css").write_text("p { color: red }")
    report = one(Paragraph(text=("x",)))
    page = written(render, of=report, folders=(tmp_path,))["report.html"].decode()
    assert "<p>&lt;i&gt;x</p>" in page
    assert "<style>\np { color: red }\n</style>" in page


def test_a_lone_surrogate_does_not_stop_the_page(written):
    page = written(render, of=one(Paragraph(text=("a\udc80b",))))["report.html"]
    assert b"<p>a?b</p>" in page
