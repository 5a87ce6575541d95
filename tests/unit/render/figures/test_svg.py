"""Drawings of strangers: what draws is kept, what acts or loads is refused."""

import os
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.figure import Figure as Page

import reportgen
from reportgen.records.document import Chart, Figure, Report, Section
from reportgen.records.errors import UsageError
from reportgen.render import render, svg_to_pdf, svg_to_png
from reportgen.render.figures import draw_figures, from_matplotlib

PAGE_WIDTH = 160 / 25.4 * 72
ELEMENTS = {
    *("circle", "clipPath", "defs", "ellipse", "g", "line", "path", "polygon", "polyline"),
    *("rect", "svg", "text", "tspan", "use"),
}
"""What draws; nothing else comes out."""
GEOMETRY = ["clipPathUnits", "cx", "d", "height", "id", "points", "r", "transform", "width", "x"]
LOOKS = ["clip-path", "color", "fill", "font-size", "opacity", "stroke", "visibility"]
XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'


def made(inner, head='viewBox="0 0 40 20"'):
    return f'<svg xmlns="http://www.w3.org/2000/svg" {head}>{inner}</svg>'


def drawn(text):
    figure = Figure(id="f", caption=(), chart=Chart(kind="svg", svg=text), alt="A drawing.")
    return draw_figures([figure])["f"]


def tree(text):
    return ET.fromstring(drawn(text))  # noqa: S314 - what we made ourselves


HOSTILE = {
    "script": "<script>alert(1)</script>",
    "script in a group": "<g><g><script href='#x'/></g></g>",
    "upper case": "<SCRIPT>alert(1)</SCRIPT>",
    "handler": '<rect onclick="alert(1)" width="1" height="1"/>',
    "handler in capitals": '<rect ONLOAD="alert(1)" width="1" height="1"/>',
    "picture": '<image href="https://example.org/a.png" width="1" height="1"/>',
    "picture of this machine": '<image href="file:///etc/passwd" width="1" height="1"/>',
    "picture inside": '<image href="data:image/png;base64,AAAA" width="1" height="1"/>',
    "foreign object": "<foreignObject><p>x</p></foreignObject>",
    "link": '<a href="https://example.org"><rect width="1" height="1"/></a>',
    "link by script": f'<use {XLINK} xlink:href="javascript:alert(1)"/>',
    "use from elsewhere": '<use href="other.svg#a"/>',
    "use from elsewhere, linked": f'<use {XLINK} xlink:href="https://example.org/x.svg#a"/>',
    "fill from elsewhere": '<rect fill="url(https://example.org/x.svg#a)" width="1" height="1"/>',
    "an address alone": '<rect fill="&#xfffd;(http://example.org/)" width="1"/>',
    "fill from data": '<rect fill="url(data:image/svg+xml,x)" width="1" height="1"/>',
    "style from elsewhere": '<rect style="fill: url(http://example.org/#a)" width="1"/>',
    "escaped": r'<rect style="fill: u\72l(http://example.org/#a)" width="1"/>',
    "comment in a value": '<rect fill="ur/**/l(http://example.org)" width="1"/>',
    "animation": '<rect width="1"><animate attributeName="href" to="javascript:alert(1)"/></rect>',
    "set": '<rect width="1"><set attributeName="onclick" to="alert(1)"/></rect>',
    "filter": "<filter id='f'><feImage href='https://example.org'/></filter>",
    "nested drawing": "<svg><rect width='1'/></svg>",
    "pattern": "<pattern id='p'/>",
    "loop": '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>',
    "loop of itself": '<g id="a"><use href="#a"/></g>',
    "bomb": "".join(f'<g id="a{n}">' + f'<use href="#a{n + 1}"/>' * 10 + "</g>" for n in range(12))
    + '<g id="a12"><rect width="1"/></g>',
    "deep": "<g>" * 500 + "</g>" * 500,
    "many": "<g/>" * 30_000,
}


@pytest.mark.parametrize("inner", HOSTILE.values(), ids=HOSTILE)
def test_what_acts_or_loads_is_refused(inner):
    with pytest.raises(UsageError) as caught:
        drawn(made(inner))
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no drawing",
        "<svg",
        "<html><svg/></html>",
        made("<rect"),
        made("", head=""),
        made("", head='viewBox="0 0 0 0"'),
        made("", head='viewBox="0 0 nan 5"'),
        made("", head='width="1e400" height="5"'),
        made("", head='width="100%" height="100%"'),
        "<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>" + made("<text>&a;</text>"),
        "<!DOCTYPE svg><!DOCTYPE svg [<!ENTITY a 'b'>]>" + made(""),
        "<!DOCTYPE svg SYSTEM 'x.dtd' [ ]>" + made(""),
        '<?xml-stylesheet href="https://example.org/x.css"?>' + "x",
        made(" " * 2_000_001),
        made("\x00"),
        "<a:svg xmlns:a='http://www.w3.org/2000/svg'/>",
    ],
)
def test_what_is_no_drawing_is_refused(text):
    with pytest.raises(UsageError):
        drawn(text)


def test_what_draws_is_kept():
    inner = (
        '<defs><clipPath id="c"><rect width="9" height="9"/></clipPath></defs>'
        '<g clip-path="url(#c)" style="fill: #ff0000; stroke: none; behavior: none">'
        '<path id="p" d="M 0 0 L 5 5 z"/></g><use href="#p" x="3"/>'
        '<text x="1" y="9" font-size="4">a <tspan>b</tspan> c &lt;d&gt;</text>'
    )
    root = tree(made(inner))
    ns = "{http://www.w3.org/2000/svg}"
    assert [node.tag.removeprefix(ns) for node in root] == ["defs", "g", "use", "text"]
    assert root[1].attrib == {"clip-path": "url(#c)", "fill": "#ff0000", "stroke": "none"}
    assert "".join(root[3].itertext()) == "a b c <d>"
    assert root[2].get("href") == "#p"


def test_what_only_tells_is_left_out():
    inner = (
        "<title>t</title><desc>d</desc><metadata><x/></metadata><!-- c --><?php x ?>"
        '<rect width="1" height="1" class="k" data-x="1" aria-label="y"/>'
        '<i:layer xmlns:i="https://example.org/i"><i:script/></i:layer>'
    )
    root = tree(made(inner))
    assert [node.attrib for node in root] == [{"width": "1", "height": "1"}]
    assert set(root.attrib) == {"width", "height", "viewBox"}


@pytest.mark.parametrize(
    ("head", "size"),
    [
        ('viewBox="0 0 40 20"', (40.0, 20.0)),
        ('width="40pt" height="20pt"', (40.0, 20.0)),
        ('width="96" height="48"', (72.0, 36.0)),
        ('width="2in" viewBox="0 0 4 1"', (144.0, 36.0)),
        ('width="10cm" height="50mm" viewBox="0,0,10,5"', (283.465, 141.732)),
        # Larger than a page has room for.
        ('viewBox="0 0 9000 3000"', (PAGE_WIDTH, PAGE_WIDTH / 3)),
        ('viewBox="0 0 100 5600"', (10.0, 560.0)),
    ],
)
def test_a_drawing_is_as_large_as_it_says_and_no_larger_than_a_page(head, size):
    root = tree(made('<rect width="1" height="1"/>', head))
    found = tuple(float(root.get(side).removesuffix("pt")) for side in ("width", "height"))
    assert found == pytest.approx(size, abs=1e-2)


def axes():
    page = Page(figsize=(4, 2.5))
    plot = page.subplots()
    plot.plot([1, 2, 3], [0.5, 0.7, 0.6], label="<run & 1>")
    plot.fill_between([1, 2, 3], [0.4, 0.6, 0.5], [0.6, 0.8, 0.7], alpha=0.2)
    plot.legend()
    return page


def test_axes_of_matplotlib_are_drawn_in_every_format():
    figure = Figure(
        id="own", caption=(), chart=Chart(kind="svg", svg=from_matplotlib(axes())), alt="A curve."
    )
    svgs = draw_figures([figure])
    assert svgs == draw_figures([figure])
    assert svg_to_pdf(svgs)["own"].startswith(b"%PDF")
    plain = svg_to_png({"own": from_matplotlib(axes()).encode()}, dpi=60)["own"]
    # The engine draws the same from the cleaned text as from matplotlib's own.
    assert svg_to_png(svgs, dpi=60)["own"] == plain
    report = Report(title="T", sections=(Section(id="s", title="S", blocks=(figure,)),))
    page = render(report, "html", svgs)["report.html"].decode()
    assert 'role="img"' in page
    assert "A curve." in page


PROGRAM = """
import hashlib, sys
sys.path.insert(0, {here!r})
from test_svg import axes
from reportgen.render.figures import from_matplotlib
print(hashlib.sha256(from_matplotlib(axes()).encode()).hexdigest())
"""


@pytest.mark.slow
@pytest.mark.slow
def test_axes_give_the_same_bytes_in_every_process_and_folder(tmp_path):
    found = set()
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM.format(here=str(Path(__file__).parent))],
            cwd=folder,
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": str(Path(reportgen.__file__).parent.parent),
                "TZ": ("Asia/Tokyo", "UTC")[int(seed) - 1],
            },
            check=True,
            capture_output=True,
            text=True,
        )
        found.add(done.stdout)
    assert len(found) == 1


def test_a_used_part_and_words_are_drawn_by_the_engine():
    def ink(inner):
        return svg_to_png({"x": drawn(made(inner))}, dpi=72)["x"]

    blank = ink("")
    assert ink('<defs><path id="p" d="M0 0H20V20H0z"/></defs><use href="#p"/>') != blank
    assert ink('<text x="2" y="15" font-size="12" font-family="sans-serif">word</text>') != blank


@given(
    st.recursive(
        st.builds(
            "<{0} {1}='{2}'/>".format,
            st.sampled_from([*sorted(ELEMENTS - {"svg"}), "script", "image", "style", "a"]),
            st.sampled_from([*GEOMETRY, *LOOKS, "onload", "href", "style", "src"]),
            st.sampled_from(["1", "#a", "url(#a)", "url(x)", "javascript:1", "fill:red", "none"]),
        ),
        lambda inner: st.builds("<g>{0}</g>".format, st.lists(inner, max_size=4).map("".join)),
        max_leaves=8,
    )
)
def test_what_comes_out_holds_what_is_listed_and_nothing_else(inner):
    try:
        root = tree(made(inner))
    except UsageError:
        return
    for node in root.iter():
        assert node.tag.rpartition("}")[2] in ELEMENTS
        for key, value in node.attrib.items():
            assert key in {*GEOMETRY, *LOOKS, "href", "viewBox"}
            assert "javascript" not in value
            assert "url(" not in value or value.startswith("url(#")
    # Cleaning what is clean changes nothing.
    assert drawn(drawn(made(inner)).decode()) == drawn(made(inner))


def test_what_is_refused_is_said_with_the_name_of_the_figure():
    chart = Chart(kind="svg", svg=made("<script/>"))
    with pytest.raises(UsageError, match=r"figure 'mine': a drawing holds <script>") as caught:
        draw_figures([Figure(id="mine", caption=(), chart=chart, alt="A script.")])
    assert "shapes and text alone" in caught.value.remedy


def test_a_drawing_without_words_is_refused():
    chart = Chart(kind="svg", svg=made('<rect width="1" height="1"/>'))
    with pytest.raises(UsageError, match="'mine' says nothing") as caught:
        draw_figures([Figure(id="mine", caption=(), chart=chart, alt=" ")])
    assert "alt" in caught.value.remedy


def test_a_size_of_thousands_of_digits_takes_no_time():
    began = time.process_time()
    with pytest.raises(UsageError, match="no size"):
        drawn(made("", f'width="{"9" * 50_000}x" height="3"'))
    assert time.process_time() - began < 2
