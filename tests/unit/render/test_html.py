"""The HTML page, read back by a parser of its own: safe, whole, traceable, alone."""

import base64
import gzip
import hashlib
import json
import re

import pytest
from fakes.curves_page import DRAWING
from fakes.html_tree import parse

from reportgen.records import document as doc
from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.render import LIMITS, clean, clean_prose, render

# What the page is made of; anything else was brought in by somebody.
ELEMENTS = {
    *("html", "head", "meta", "title", "style", "body", "a", "div", "nav", "details", "summary"),
    *("ol", "ul", "li", "span", "main", "header", "h1", "h2", "h3", "p", "time", "section"),
    *("figure", "figcaption", "table", "thead", "tbody", "tr", "th", "td", "code", "pre"),
    *("em", "strong", "footer", "script", "wbr", "dl", "dt", "dd"),
    *("math", "mtable", "mtr", "mtd", "mrow", "mi", "mn", "mo", "msub", "msup", "mfrac", "msqrt"),
    *("mspace", "svg", "desc", "defs", "g", "path", "use", "clippath", "rect"),
}


def one(*blocks, **front):
    section = doc.Section(id="s", title=front.pop("section", "Section"), blocks=blocks)
    return doc.Report(**({"title": "Title", "sections": (section,)} | front))


@pytest.fixture(scope="module")
def page(written):
    return written("html")["report.html"]


@pytest.fixture(scope="module")
def tree(page):
    return parse(page)


def by_id(tree, identifier):
    (node,) = [n for n in tree if n.attributes.get("id") == identifier]
    return node


def evidence_of(tree, number):
    """Follow the links of a number as a reader without a script does."""
    entry = by_id(tree, number.attributes["href"][1:])
    told = [cell.text() for cell in entry.children]
    points = []
    for link in entry.children[-1].all("a"):
        for point in by_id(tree, link.attributes["href"][1:]).all("dd"):
            file = by_id(tree, point.all("a")[0].attributes["href"][1:])
            points.append((point.text(), file.children[1].text(), file.children[3].text()))
    return told, points


def numbers_of(tree):
    return [n for n in tree if n.has("num")]


def island(tree, name):
    return json.loads(by_id(tree, f"rg:{name}").text())


def report_table(tree, number=0):
    tables = [f.all("table")[0] for f in tree.all("figure") if f.has("table")]
    return tables[number]


# --- safe -----------------------------------------------------------------------------


def test_a_name_reads_back_wherever_it_stands(hostile, written):
    row = doc.TableRow(cells=((hostile,), (doc.Code(hostile),), ("end",)))
    columns = tuple(doc.TableColumn(title=(hostile,)) for _ in range(3))
    source = Evidence(path=hostile, tag=hostile, value=hostile)
    quantity = Quantity(value=1, method=hostile, formula=hostile, sources=(source,))
    report = one(
        doc.Table(id="t", caption=(hostile,), columns=columns, rows=(row,), notes=((hostile,),)),
        doc.Paragraph(text=(hostile, doc.Number(id=hostile, quantity=quantity))),
        doc.Paragraph(text=(doc.Number(id="no", quantity=Missing(reason=hostile)),)),
        doc.Listing(id="l", caption=(), text=hostile, language=hostile),
        section=hostile,
        title=hostile,
        authors=(hostile,),
    )
    tree = parse(written("html", of=report)["report.html"])
    said = clean_prose(hostile).strip()
    assert {node.tag for node in tree} <= ELEMENTS
    assert not [a for node in tree for a in node.attributes if a.startswith("on")]
    assert len(tree.all("script")) == 3
    words, code = report_table(tree).all("tbody")[0].children[0].children[:2]
    assert words.text().replace("\u202f", " ").strip() == said
    assert code.text().strip() == clean(hostile).strip()
    assert tree.all("title")[0].text().strip() == said
    assert tree.all("h1")[0].text().strip() == said
    shown, missing = numbers_of(tree)
    told, (point,) = evidence_of(tree, shown)
    assert {clean_prose(text).strip() for text in told[2:4]} == {said}
    assert point[1] == clean(hostile)
    assert clean(hostile) in point[0]
    assert clean_prose(evidence_of(tree, missing)[0][2]).strip() == f"Missing: {said}".strip()


def test_text_cannot_end_the_script_that_carries_the_curves(written):
    name = "</script><script>alert(1)</script><!--"
    line = doc.Line(label=name, group=name, group_index=0, member=0, x=(1.0,), y=(2.0,))
    panel = doc.Panel(title=name, x_label=name, y_label=name, lines=(line,))
    chart = doc.Chart(kind="curves", panels=(panel,))
    report = one(doc.Figure(id="f", caption=(), chart=chart, alt=name))
    page = render(report, "html", {"f": DRAWING})["report.html"]
    tree = parse(page)
    assert len(tree.all("script")) == 3
    assert island(tree, "charts")["axes"][0]["lines"][0]["label"] == name


def test_the_policy_allows_this_script_this_style_and_no_other(tree):
    (policy,) = [
        m.attributes["content"]
        for m in tree.all("meta")
        if m.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    (script,) = [s for s in tree.all("script") if "type" not in s.attributes]
    (style,) = tree.all("style")
    script_hash, style_hash = (
        base64.b64encode(hashlib.sha256(node.text().encode()).digest()).decode()
        for node in (script, style)
    )
    assert policy.startswith("default-src 'none';")
    assert f"script-src 'sha256-{script_hash}'" in policy
    assert f"style-src 'sha256-{style_hash}'" in policy
    assert "http" not in policy
    assert "unsafe" not in policy


def test_the_page_loads_nothing(tree):
    for node in tree:
        assert "style" not in node.attributes
        assert node.tag not in {"img", "link", "iframe", "object", "embed", "video"}
        assert "src" not in node.attributes
        if node.tag != "a":
            assert not re.search("https?:", node.attributes.get("href", ""))
    style = tree.all("style")[0].text()
    assert "@import" not in style
    assert "url(" not in style


def test_only_addresses_of_the_web_become_links(written):
    entries = (
        doc.Reference(key="a", text=("A.",), url="javascript:alert(1)"),
        doc.Reference(key="b", text=("B.",), url='https://x.org/"onclick=1'),
    )
    tree = parse(written("html", of=one(doc.References(entries=entries)))["report.html"])
    links = [a.attributes for a in tree.all("a") if "download" not in a.attributes]
    outside = [link for link in links if not link["href"].startswith("#")]
    assert outside == [{"href": 'https://x.org/"onclick=1', "rel": "noreferrer"}]


# --- traceable ------------------------------------------------------------------------


def test_evidence_keeps_the_unit_of_the_log_and_the_checksum_of_its_file(written):
    source = Evidence(path="valid/events", tag="accuracy", step=675, value=80.5, run="a/0")
    quantity = Quantity(value=0.805, unit="fraction", n=3, ddof=1, formula="x / 3",
                        method="mean", sources=(source, source))  # fmt: skip
    number = doc.Number(id="a", quantity=quantity, style="percent", decimals=1)
    other = doc.Number(id="b", quantity=quantity)
    files = [{"path": "valid/events", "sha256": "ab12", "size": 7}]
    report = one(doc.Paragraph(text=(number, other)), metadata={"files": files})
    tree = parse(written("html", of=report)["report.html"])
    told, points = evidence_of(tree, numbers_of(tree)[0])
    assert told == ["80.5", "0.805 fraction", "mean", "x / 3", "3", "1", "S1"]
    assert points == [("F1 accuracy, step 675: 80.5", "valid/events", "ab12")] * 2
    assert evidence_of(tree, numbers_of(tree)[1])[0][-1] == "S1", "one list for both"


def test_the_page_carries_report_json_unless_it_is_large(written, report, monkeypatch):
    tree = parse(written("html")["report.html"])
    (link,) = [a.attributes for a in tree.all("a") if "download" in a.attributes]
    assert link["download"] == "report.json.gz"
    packed = base64.b64decode(link["href"].removeprefix("data:application/gzip;base64,"))
    assert gzip.decompress(packed) == written("json")["report.json"]
    monkeypatch.setattr(LIMITS, "carried_bytes", 10)
    tree = parse(written("html")["report.html"])
    assert not [a for a in tree.all("a") if "download" in a.attributes]
    assert "lie beside this page in report.json" in tree.all("footer")[0].text()


# --- whole ----------------------------------------------------------------------------


def test_every_id_is_there_once_and_every_link_finds_one(tree):
    ids = [node.attributes["id"] for node in tree if "id" in node.attributes]
    assert len(ids) == len(set(ids))
    links = {n.attributes["href"][1:] for n in tree if n.attributes.get("href", "").startswith("#")}
    assert links <= set(ids)
    named = [n.attributes.get("aria-labelledby", "") for n in tree]
    assert {word for words in named for word in words.split()} <= set(ids)


# --- drawings -------------------------------------------------------------------------

FOREIGN = b"""<?xml version="1.0"?><!DOCTYPE svg>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 width="100pt" height="50pt" viewBox="0 0 100 50">
<style>* {fill: red}</style><!-- note -->
<defs><path id="p1" d="M 0 0"/></defs>
<g clip-path="url(#c)"><use xlink:href="#p1"/></g>
<path d="M 0.001 0.002 L 3 4 L 3.5 4" style="fill: none; stroke: #dddddd; background: url(x)"/>
<clipPath id="c"><rect width="1" height="1"/></clipPath></svg>"""
WORD = (
    '<g style="fill: #222222" transform="translate(3 4) scale(0.08 -0.08)"><defs>'
    '<path id="a" d="M 0 0 L 1 1"/></defs><use href="#a"/>'
    '<use href="#a" transform="translate(65 0)"/></g>'
)
LETTERS = f'<svg xmlns="http://www.w3.org/2000/svg">{WORD}{WORD}</svg>'.encode()


def drawings(*contents):
    """Return the page's sheet of letters and each drawing on it."""
    chart = doc.Chart(kind="svg")
    figures = [
        doc.Figure(id=f"f{i}", caption=(), chart=chart, alt='runs "a" < b')
        for i, _ in enumerate(contents)
    ]
    files = render(one(*figures), "html", {f"f{i}": svg for i, svg in enumerate(contents)})
    svgs = [node for node in parse(files["report.html"]) if node.tag == "svg"]
    return svgs[0], svgs[1:]


def test_a_drawing_keeps_what_draws_under_ids_of_its_own():
    _, (svg,) = drawings(FOREIGN)
    assert [node.tag for node in svg] == ["title", "desc", "g", "use", "path", "clippath", "rect"]
    assert svg.all("desc")[0].text() == 'runs "a" < b'
    assert [use.attributes for use in svg.all("use")] == [{"href": "#rg:g0"}]
    assert svg.all("g")[0].attributes == {"clip-path": "url(#f0:c)"}
    assert svg.all("path")[0].attributes["stroke"] == "#ddd"
    assert set(svg.all("path")[0].attributes) == {"d", "fill", "stroke"}
    assert svg.attributes["width"] == "160"
    assert svg.attributes["aria-labelledby"] == "f0:title f0:desc"


def test_letters_and_words_of_all_drawings_stand_once_on_a_sheet():
    sheet, svgs = drawings(LETTERS, LETTERS)
    expected = {"href": "#rg:w0", "x": "3", "y": "4", "fill": "#222"}
    assert [use.attributes for svg in svgs for use in svg.all("use")] == [expected] * 4
    assert len(sheet.all("path")) == 1
    (group,) = sheet.all("g")
    assert group.attributes == {"id": "rg:w0", "transform": "scale(0.08 -0.08)"}
    assert [use.attributes.get("x") for use in group.all("use")] == [None, "65"]


# --- the rest -------------------------------------------------------------------------


def test_a_lone_surrogate_does_not_stop_the_page(written):
    page = written("html", of=one(doc.Paragraph(text=("a\udc80b",))))["report.html"]
    assert b"<p>a?b</p>" in page
