"""Pictures and sample PDFs of what the current code makes, for the README and the site's gallery.

    python docs/_site/gallery.py             both: docs/pictures and build/gallery
    python docs/_site/gallery.py FOLDER      the two pictures of the README alone, into FOLDER

PDF pages are drawn by PDFium, the HTML page by a Chromium where there is one.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
from PIL import Image

PROJECT = Path(__file__).resolve().parents[2]
ROBERTA = "inputs/roberta-small-fr/study.toml"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTH = 1000  # pixels of a picture
PICTURES = PROJECT / "docs" / "pictures"
EVIDENCE_OF = "glance.pretrained.mean"
"""Number of the sample report whose evidence is open in the README's picture of the page."""
README_WIDTH, README_HEIGHT, README_COLOURS = 1100, 760, 48
"""Pixels of the README's pictures; few colours keep each below 80 kB."""


@dataclass(frozen=True)
class Sample:
    """A report of the gallery: how it is built, and which of its pages are shown."""

    name: str
    about: str
    arguments: tuple[str, ...]
    pages: tuple[int, ...]
    latex: bool = False


SAMPLES = (
    Sample("plain", "The default: A4, one column, the embedded engine", (ROBERTA,), (1, 3, 8)),
    Sample(
        "acl",
        "Theme `acl`: two columns, for papers of that family",
        (ROBERTA, "--theme", "acl"),
        (1, 5),
    ),
    Sample(
        "neurips",
        "Theme `neurips` on Letter",
        (ROBERTA, "--theme", "neurips", "--paper", "letter"),
        (1,),
    ),
    Sample("french", 'The same in French: `lang = "fr"`', (ROBERTA, "--lang", "fr"), (1,)),
    Sample("latex", "Set by pdflatex", (ROBERTA, "--engine", "latex"), (1,), latex=True),
    Sample(
        "trainer",
        "Runs of the Hugging Face Trainer, without a study file",
        ("--runs", "inputs/tiny-reviews-hf/logs"),
        (1,),
    ),
)


def main(folder: Path) -> None:
    """Make every sample of the gallery and the list of what was made."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shown = []
    with tempfile.TemporaryDirectory() as room:
        for sample in SAMPLES:
            if sample.latex and shutil.which("pdflatex") is None:
                continue
            built = _build(sample, Path(room))
            pictures = _draw(built, sample, folder)
            shutil.copyfile(built, folder / f"{sample.name}.pdf")
            shown.append(
                {
                    "about": sample.about,
                    "command": f"reportgen build {' '.join(sample.arguments)} --out report.pdf",
                    "file": f"{sample.name}.pdf",
                    "pictures": pictures,
                }
            )
        page = _page(Path(room) / "plain" / "report.html", folder)
        draw_first_screen(Path(room) / "plain" / "report.pdf", PICTURES)
    (folder / "gallery.json").write_text(json.dumps({"samples": shown, "page": page}, indent=1))


def _build(sample: Sample, room: Path) -> Path:
    out = room / sample.name / "report.pdf"
    command = [sys.executable, "-m", "reportgen", "build", *sample.arguments, "--out", str(out)]
    subprocess.run([*command, "--quiet"], cwd=PROJECT, check=True)
    return out


def _draw(built: Path, sample: Sample, folder: Path) -> list[str]:
    """Draw the pages of a sample that are shown; a report may have become shorter."""
    made = []
    document = pypdfium2.PdfDocument(built)
    for number in sample.pages:
        if number > len(document):
            continue
        page = document[number - 1]
        name = f"{sample.name}-{number}.png"
        page.render(scale=WIDTH / page.get_width()).to_pil().save(folder / name, optimize=True)
        made.append(name)
    return made


def draw_first_screen(report: Path, folder: Path) -> None:
    """Draw page 1 of a PDF, and the HTML page beside it with a number's evidence open."""
    folder.mkdir(parents=True, exist_ok=True)
    page = pypdfium2.PdfDocument(report)[0]
    drawn = page.render(scale=README_HEIGHT / page.get_height()).to_pil()
    _save_small(drawn, folder / "page.png")
    browser = _browser()
    if browser:
        taken = folder / "evidence.png"
        address = f"{report.with_suffix('.html').as_uri()}#number={EVIDENCE_OF}"
        _take(browser, address, taken, (README_WIDTH, README_HEIGHT))
        _save_small(Image.open(taken), taken)


def _save_small(picture: Image.Image, path: Path) -> None:
    picture.convert("RGB").quantize(README_COLOURS).save(path, optimize=True)


def _page(built: Path, folder: Path) -> str:
    """Draw the top of the HTML page; return the picture's name, or nothing without a browser."""
    browser = _browser()
    if not browser:
        return ""
    shutil.copyfile(built, folder / "report.html")
    _take(browser, built.as_uri(), folder / "html.png", (1280, 1600))
    return "html.png"


def _browser() -> str:
    return next((path for name in BROWSERS if (path := shutil.which(name))), "")


def _take(browser: str, address: str, picture: Path, size: tuple[int, int]) -> None:
    window = f"--window-size={size[0]},{size[1]}"
    options = ["--headless", "--no-sandbox", "--hide-scrollbars", window]
    command = [browser, *options, f"--screenshot={picture}", address]
    subprocess.run(command, check=True, capture_output=True)


def only_first_screen(folder: Path) -> None:
    """Draw the README's pictures alone."""
    with tempfile.TemporaryDirectory() as room:
        draw_first_screen(_build(SAMPLES[0], Path(room)), folder)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        only_first_screen(Path(sys.argv[1]))
    else:
        main(PROJECT / "build" / "gallery")
