"""Pages of every theme, paper, number of columns and engine: everything stays in its place."""

import io
import itertools
import re
import subprocess
from pathlib import Path

import pypdf
import pytest
from fakes.page_boxes import words_of
from fakes.pdf_engines import pages, require_pdflatex
from fakes.pdf_standards import faults
from fakes.readback import pdf_text
from fakes.running_text import pages_with_paragraphs

from reportgen.app.analysis import analyse
from reportgen.app.options import BuildOptions
from reportgen.records.document import Figure, Table, walk
from reportgen.render import RenderContext, find_theme, render_pdf, resolve
from reportgen.render.figures import draw_figures
from reportgen.report import compose_report

POINTS = 72 / 25.4  # a millimetre

INPUTS = Path(__file__).resolve().parents[2] / "inputs"
LABS = {
    "roberta-small-fr": {"study": INPUTS / "roberta-small-fr" / "study.toml"},
    "tiny-reviews-hf": {"runs": INPUTS / "tiny-reviews-hf" / "logs"},
}
# Letters that hang in the margin, and the room that a font's box has above and below its letters.
ACROSS, ALONG = 3, 9
ATTACHED = {"report.json": b'{"a": 1}\n', "metrics.csv": b"a,b\n1,2\n"}
# Each lab, theme, engine, paper and number of columns at least once.
QUICK = {
    ("roberta-small-fr", "plain", "typst", "a4", 1),
    ("roberta-small-fr", "acl", "latex", "a4", 2),
    ("tiny-reviews-hf", "neurips", "typst", "letter", 2),
}
LOOKS = [
    pytest.param(
        *look, marks=[] if look in QUICK else pytest.mark.looks, id="-".join(map(str, look))
    )
    for look in itertools.product(
        LABS, ("plain", "acl", "neurips"), ("typst", "latex"), ("a4", "letter"), (1, 2)
    )
]


@pytest.fixture(scope="module")
def report_of():
    """Return the report of a lab with its figures, made once."""
    made = {}

    def report(lab):
        if lab not in made:
            facts = analyse(BuildOptions(out=Path("-"), cache=None, **LABS[lab]))
            composed = compose_report(facts, metadata={}, date="2026-03-14")
            drawn = [block for block in walk(composed.sections) if isinstance(block, Figure)]
            made[lab] = composed, draw_figures(drawn, composed.lang)
        return made[lab]

    return report


@pytest.fixture(scope="module")
def set_pages(report_of):
    """Return the pages of a lab in a look, set once."""
    done = {}

    def compiled(*look):
        if look not in done:
            lab, name, engine, paper, columns = look
            if engine == "latex":
                require_pdflatex()
            report, figures = report_of(lab)
            theme = find_theme(name, home=INPUTS, paper=paper, columns=columns)
            context = RenderContext(theme=theme)
            found = render_pdf(
                report, figures, context,
                engine=engine, attachments=ATTACHED, timestamp=0,
            )  # fmt: skip
            done[look] = found, theme.page
        return done[look]

    return compiled


@pytest.mark.latex
@pytest.mark.parametrize(("lab", "theme", "engine", "paper", "columns"), LOOKS)
class TestEveryLook:
    """One report in one look."""

    @pytest.fixture
    def compiled(self, set_pages, lab, theme, engine, paper, columns):
        return set_pages(lab, theme, engine, paper, columns)

    def test_no_word_leaves_the_text_area_or_covers_another(self, compiled, tmp_path):
        found, page = compiled
        (tmp_path / "r.pdf").write_bytes(found.pdf)
        words = words_of(tmp_path / "r.pdf")
        assert sum(len(each.words) for each in words) > 1000
        side, top, bottom = (POINTS * edge for edge in (page.side, page.top, page.bottom))
        margins = (side - ACROSS, top - ALONG, side - ACROSS, bottom - ALONG)
        assert [word for each in words for word in each.outside(*margins)] == []
        assert [pair for each in words for pair in each.collisions()] == []
        assert {(round(each.width), round(each.height)) for each in words} == {
            (round(page.width * POINTS), round(page.height * POINTS))
        }

    def test_the_engine_has_nothing_to_complain_of(self, compiled, engine, columns):
        told = compiled[0].warnings
        if (engine, columns) == ("latex", 2):
            # Long names of settings in a narrow column leave it by a letter.
            assert len(told) <= 10
            told = [one for one in told if float(re.search(r"([\d.]+) pt", one)[1]) > 10]
        assert list(told) == []

    def test_the_embedded_engine_meets_both_standards(self, compiled, engine):
        if engine == "typst":
            assert faults(compiled[0].pdf, "3a") == []
            assert faults(compiled[0].pdf, "ua1") == []

    def test_every_reference_is_a_link_to_a_place_there_is(self, compiled):
        text = "".join(pages(compiled[0].pdf))
        assert "??" not in text
        reader = pypdf.PdfReader(io.BytesIO(compiled[0].pdf))
        inside = [link for link in links(reader) if "/URI" not in link.get("/A", {})]
        assert len(inside) >= 10
        for link in inside:
            assert page_of(reader, link) in range(len(reader.pages)), link

    def test_tables_and_figures_do_not_drift_far_from_their_section(
        self, compiled, report_of, lab, columns
    ):
        report, _ = report_of(lab)
        labels = resolve(report)
        reader = pypdf.PdfReader(io.BytesIO(compiled[0].pdf))
        # An outline's first level holds one entry a section.
        entries = [entry for entry in reader.outline if not isinstance(entry, list)]
        entries = [reader.get_destination_page_number(e) for e in entries[-len(report.sections) :]]
        text = [page.replace("\xa0", " ") for page in pages(compiled[0].pdf)]
        speaking = pages_with_paragraphs(report, text)
        late = []
        for section, ends in zip(report.sections, entries[1:], strict=False):
            for block in walk(section.blocks):
                if isinstance(block, Figure | Table):
                    name = re.compile(rf"{labels.text(block.id)} ?:".replace(" ", r"\s*"))
                    stands = next(i for i, page in enumerate(text) if name.search(page))
                    # Nobody loses the thread over pages that the section's own floats fill.
                    drift = sum(speaking[ends + 1 : stands + 1])
                    late += [(block.id, drift)] if drift else []
        # In two columns what spans both can only wait for the next page, and the text does not.
        assert max((drift for _, drift in late), default=0) <= (2 if columns == 1 else 6)
        assert columns == 2 or len(late) <= 5, late

    def test_no_page_but_the_last_is_half_empty(self, compiled, tmp_path, engine, columns):
        (tmp_path / "r.pdf").write_bytes(compiled[0].pdf)
        least = 0.3 if (engine, columns) == ("latex", 2) else 0.55
        for each in words_of(tmp_path / "r.pdf")[:-1]:
            body = each.boxes[[word != str(each.number) for word in each.words]]
            assert body[:, 3].max() > each.height * least, each.number


@pytest.mark.latex
@pytest.mark.parametrize("made", ["built", "built_latex"])
def test_of_the_sample_report_no_page_but_the_last_is_a_quarter_empty(request, made):
    page = find_theme("plain", home=INPUTS).page
    top, bottom = POINTS * page.top, POINTS * (page.height - page.bottom)
    every = words_of(request.getfixturevalue(made) / "report.pdf")
    assert len(every) > 8
    for each in every[:-1]:
        body = each.boxes[[word != str(each.number) for word in each.words]]
        assert body[:, 3].max() > bottom - 0.25 * (bottom - top), each.number


@pytest.mark.parametrize(
    ("lab", "theme", "paper"),
    [
        pytest.param(*look, marks=[] if look[1:] == ("plain", "a4") else pytest.mark.looks)
        for look in itertools.product(LABS, ("plain", "acl", "neurips"), ("a4", "letter"))
    ],
)
def test_numbers_of_tables_and_figures_follow_each_other(set_pages, tmp_path, lab, theme, paper):
    (tmp_path / "r.pdf").write_bytes(set_pages(lab, theme, "typst", paper, 1)[0].pdf)
    shown = subprocess.run(
        ["pdftotext", "-layout", tmp_path / "r.pdf", "-"], capture_output=True, check=True
    ).stdout.decode()
    for kind in ("Table", "Figure"):
        numbers = [int(n) for n in re.findall(rf"^[ \f]*{kind}\s(\d+):", shown, re.MULTILINE)]
        assert len(numbers) >= 3
        assert numbers == list(range(1, len(numbers) + 1))


def links(reader):
    for page in reader.pages:
        for found in page.get("/Annots", []) or []:
            link = found.get_object()
            if link.get("/Subtype") == "/Link":
                yield link


def page_of(reader, link):
    """Return the number of the page a link leads to, or None."""
    target = link.get("/Dest") or link["/A"].get("/D")
    target = target.get_object()
    if isinstance(target, str):
        named = reader.named_destinations.get(target)
        return reader.get_destination_page_number(named) if named else None
    numbers = {page.indirect_reference.idnum: i for i, page in enumerate(reader.pages)}
    return numbers.get(target[0].idnum if hasattr(target[0], "idnum") else None)


def test_sections_tables_figures_and_equations_are_numbered_alike(built, built_latex):
    counted = []
    for folder in (built, built_latex):
        text = pdf_text(folder / "report.pdf")
        counted.append(
            {word: len(set(re.findall(rf"{word} ?(\d+):", text))) for word in ("Table", "Figure")}
        )
    assert counted[0] == counted[1]
    assert min(counted[0].values()) >= 6
