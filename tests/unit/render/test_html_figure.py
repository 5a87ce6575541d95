"""Drawings in a page: nothing but what draws, with ids of their own and letters in common."""

from __future__ import annotations

from fakes.html_tree import parse

from reportgen.render._html_figure import Drawings

DRAWING = b"""<?xml version="1.0"?><!DOCTYPE svg>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 width="100pt" height="50pt" viewBox="0 0 100 50" onload="alert(1)">
<style>* {fill: red}</style><!-- note --><script>alert(1)</script>
<defs><path id="p1" d="M 0 0"/></defs>
<g clip-path="url(#c)"><use xlink:href="#p1"/><use xlink:href="http://x.org/a.svg#b"/>
<a href="http://x"><path d="M 1 1"/></a><image href="http://x/y.png"/></g>
<clipPath id="c"><rect width="1" height="1"/></clipPath></svg>"""


def test_a_drawing_keeps_what_draws_under_ids_of_its_own():
    drawings = Drawings()
    svg = parse(drawings.inline(DRAWING, "fig", "Figure 1", 'runs "a" < b').encode()).all("svg")[0]
    assert [n.tag for n in svg] == [*("title", "desc", "g", "use", "use", "clippath", "rect")]
    assert svg.all("desc")[0].text() == 'runs "a" < b'
    assert [u.attributes for u in svg.all("use")] == [{"href": "#rg:g0"}, {}]
    assert svg.all("g")[0].attributes == {"clip-path": "url(#fig:c)"}
    assert svg.all("clippath")[0].attributes == {"id": "fig:c"}
    assert svg.attributes == {
        "viewbox": "0 0 100 50",
        "width": "160",
        "role": "img",
        "aria-labelledby": "fig:title fig:desc",
    }


def test_letters_of_all_drawings_stand_once_on_a_sheet():
    drawings = Drawings()
    for anchor in ("one", "two"):
        drawings.inline(DRAWING, anchor, "Figure", "")
    (path,) = parse(drawings.sheet().encode()).all("path")
    assert path.attributes == {"id": "rg:g0", "d": "m0 0"}
    assert Drawings().sheet() == ""


def test_words_of_all_drawings_stand_once_on_the_sheet_and_are_put_in_their_place():
    word = (
        '<g style="fill: #222222" transform="translate(3 4) scale(0.08 -0.08)"><defs>'
        '<path id="a" d="M 0 0 L 1 1"/></defs><use href="#a"/>'
        '<use href="#a" transform="translate(65 0)"/></g>'
    )
    svg = f'<svg xmlns="http://www.w3.org/2000/svg">{word}{word}</svg>'.encode()
    drawings = Drawings()
    drawn = parse(drawings.inline(svg, "f", "F", "").encode()).all("use")
    expected = {"href": "#rg:w0", "x": "3", "y": "4", "fill": "#222"}
    assert [use.attributes for use in drawn] == [expected, expected]
    (group,) = parse(drawings.sheet().encode()).all("g")
    assert group.attributes == {"id": "rg:w0", "transform": "scale(0.08 -0.08)"}
    assert [u.attributes for u in group.all("use")] == [
        {"href": "#rg:g0"}, {"href": "#rg:g0", "x": "65"}
    ]  # fmt: skip


def test_a_look_becomes_attributes_and_nothing_else_of_a_style_stays():
    style = "fill: none; stroke: #ddd; background: url(http://x); behavior: x; stroke-width: 0.5"
    svg = f'<svg xmlns="http://www.w3.org/2000/svg"><path d="M 1 2 L 3 4" style="{style}"/></svg>'
    (path,) = parse(Drawings().inline(svg.encode(), "f", "F", "").encode()).all("path")
    assert path.attributes == {
        "d": "m1 2 2 2", "fill": "none", "stroke": "#ddd", "stroke-width": "0.5"
    }  # fmt: skip


def test_a_small_drawing_keeps_its_shape():
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><defs><path id="a" '
        'd="M 0.001 0.002 L 0.003 0.001"/></defs>'
        '<use href="#a" x="0.5" transform="translate(0.04 0)"/></svg>'
    )
    drawings = Drawings()
    (use,) = parse(drawings.inline(svg.encode(), "f", "F", "").encode()).all("use")
    assert use.attributes == {"href": "#rg:g0", "x": "0.5", "transform": "translate(0.04 0)"}
    (path,) = parse(drawings.sheet().encode()).all("path")
    assert path.attributes["d"] == "m.001.002.002-.001"
