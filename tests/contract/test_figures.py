"""What every kind of figure promises: the same bytes anywhere, nothing foreign, nothing heavy."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
import typst

import reportgen
from reportgen.records.diagram import AdapterDiagram, Box, Column, Layers, ModelDiagram, Row, Step
from reportgen.records.document import Band, Chart, Dot, Figure, Level, Line, Panel, Ring
from reportgen.records.errors import UnknownNameError
from reportgen.render.figures import FIGURES, draw_figures

pytestmark = pytest.mark.slow

PANEL = Panel(
    title="Test",
    x_label="epoch",
    y_label="accuracy (%)",
    x_ticks=(1, 2, 3),
    lines=(
        Line(label="seed 0", group="a", group_index=0, member=0, x=(1, 2, 3), y=(50, 60.5, 70)),
        Line(label="seed 1", group="b", group_index=1, member=1, x=(1, 2, 3), y=(52, 61, 69)),
    ),
    bands=(
        Band(group="a", group_index=0, label="a", x=(1, 2), mean=(5, 6), low=(4, 5), high=(6, 7)),
    ),
    rings=(Ring(group_index=0, x=3, y=70),),
    levels=(Level(y=50, label="chance"),),
    dots=(Dot(label="a", group_index=0, values=(1.0, 2.0, 2.5), mean=1.8, low=0.5, high=3.1),),
)
NORM = Box(title="Layer norm", kind="norm", rows=(Row(label="", shape="8"),), count=8, times=2)
QUERY = Box(title="Self-attention", kind="attention", rows=(Row(label="query", shape="8 → 8"),))
STEP = Step(branches=((NORM, QUERY),))
LAYERS = Layers(times="2 ×", about="", total="2 × 8 = 16 parameters", steps=(STEP,))
MODEL = ModelDiagram(columns=(Column(title="", source="token ids", stacks=(LAYERS,)),))
TRAINED = Box(title="A, trained", kind="trained", count=16)
ADAPTER = AdapterDiagram(source="input", result="output", frozen=QUERY, detour=(TRAINED,))
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M 0 0 L 9 9"/></svg>'
DRAWN = {"architecture": {"diagram": MODEL}, "adapter": {"diagram": ADAPTER}, "svg": {"svg": SVG}}
FIGURE_OF_KIND = {
    kind: Figure(
        id=f"{kind}.1",
        caption=(),
        chart=Chart(kind=kind, **DRAWN.get(kind, {"panels": (PANEL,)})),
        alt="What it shows.",
    )
    for kind in FIGURES
}
PROGRAM = """
import hashlib, sys
sys.path.insert(0, {here!r})
from test_figures import FIGURE_OF_KIND
from reportgen.render.figures import draw_figures
for name, svg in draw_figures(list(FIGURE_OF_KIND.values())).items():
    print(name, hashlib.sha256(svg).hexdigest())
heavy = {{"matplotlib.pyplot", "pandas"}} & set(sys.modules)
print("heavy", sorted(heavy))
"""


@pytest.mark.parametrize("kind", FIGURES)
def test_svg_is_well_formed_and_holds_nothing_foreign(kind):
    (svg,) = draw_figures([FIGURE_OF_KIND[kind]]).values()
    root = ET.fromstring(svg)  # noqa: S314 - our own picture
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    tags = {node.tag.rsplit("}")[-1] for node in root.iter()}
    plain = {"svg", "defs", "style", "g", "path", "use", "clipPath", "rect"}
    assert tags <= plain  # no text, image, script, link
    links = re.findall(rb'href="([^"]*)"', svg)
    assert all(link.startswith(b"#") for link in links)
    assert b"Matplotlib" not in svg


def test_an_id_means_the_same_in_every_figure_of_a_page():
    meant: dict[str, set[str]] = {}
    for svg in draw_figures(list(FIGURE_OF_KIND.values())).values():
        for node in ET.fromstring(svg).iter():  # noqa: S314 - our own picture
            if "id" in node.attrib and node.tag.rsplit("}")[-1] != "g":
                meant.setdefault(node.attrib["id"], set()).add(ET.tostring(node, "unicode").strip())
    assert [name for name, shapes in meant.items() if len(shapes) > 1] == []


@pytest.mark.parametrize("kind", FIGURES)
def test_same_chart_same_bytes(kind):
    figure = FIGURE_OF_KIND[kind]
    assert draw_figures([figure]) == draw_figures([figure])


def run_elsewhere(folder, program="", **environment):
    program = program or PROGRAM.format(here=str(Path(__file__).parent))
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=folder,
        env={
            **{k: v for k, v in os.environ.items() if k != "MPLCONFIGDIR"},
            "PYTHONPATH": str(Path(reportgen.__file__).parent.parent),
            **environment,
        },
        check=True,
        capture_output=True,
        text=True,
    )


def test_same_bytes_in_every_process_and_under_any_settings(tmp_path):
    plain = run_elsewhere(tmp_path)
    odd = tmp_path / "odd"
    odd.mkdir()
    (odd / "matplotlibrc").write_text(
        "svg.fonttype: none\nlines.linewidth: 9\nfont.size: 30\npath.simplify: True\n"
        "text.usetex: True\nsvg.hashsalt: x\n"
    )
    other = run_elsewhere(
        odd, PYTHONHASHSEED="7", TZ="Asia/Tokyo", LC_ALL="C", SOURCE_DATE_EPOCH="1"
    )
    assert plain.stdout == other.stdout
    assert plain.stdout.splitlines()[-1] == "heavy []"
    assert len(plain.stdout.splitlines()) == len(FIGURES) + 1


@pytest.mark.parametrize("begun", ["", "import sys; sys.ps1 = '> '", "import IPython"])
def test_properties_are_documented_where_somebody_may_ask_for_them(tmp_path, begun):
    (tmp_path / "IPython.py").touch()
    drawn = "from reportgen.render.figures import curves; from matplotlib.lines import Line2D"
    told = "print('markevery' in Line2D.set.__doc__)"
    done = run_elsewhere(tmp_path, f"{begun}\n{drawn}\n{told}")
    assert done.stdout.strip() == str(bool(begun))


def test_a_home_that_cannot_be_written_to_is_left_alone(tmp_path):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    home = str(tmp_path / "nowhere" / "home")
    done = run_elsewhere(
        tmp_path, HOME=home, TMPDIR=str(scratch), XDG_CONFIG_HOME="", XDG_CACHE_HOME=""
    )
    assert done.stderr == ""
    assert not Path(home).exists()
    assert list(scratch.iterdir()) == []  # the folder it used instead is gone again


def test_the_embedded_engine_reads_every_kind(tmp_path):
    for name, svg in draw_figures(list(FIGURE_OF_KIND.values())).items():
        (tmp_path / f"{name}.svg").write_bytes(svg)
    source = tmp_path / "page.typ"
    source.write_text("".join(f'#image("{kind}.1.svg")\n' for kind in FIGURES))
    assert typst.compile(source, format="pdf").startswith(b"%PDF")


def test_an_unknown_kind_is_named():
    chart = Chart(kind="curve", panels=())
    with pytest.raises(UnknownNameError, match="did you mean 'curves'"):
        draw_figures([Figure(id="x", caption=(), chart=chart, alt="")])
