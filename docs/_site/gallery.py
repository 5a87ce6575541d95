"""Pictures and sample PDFs of what the current code makes, for the gallery of the site.

    python docs/_site/gallery.py [FOLDER]    (build/gallery without one)

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

PROJECT = Path(__file__).resolve().parents[2]
ROBERTA = "inputs/roberta-small-fr/study.toml"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTH = 1000  # pixels of a picture


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


def _page(built: Path, folder: Path) -> str:
    """Draw the top of the HTML page; return the picture's name, or nothing without a browser."""
    browser = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if browser is None:
        return ""
    shutil.copyfile(built, folder / "report.html")
    options = ["--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=1280,1600"]
    target = f"--screenshot={folder / 'html.png'}"
    subprocess.run([browser, *options, target, built.as_uri()], check=True, capture_output=True)
    return "html.png"


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PROJECT / "build" / "gallery")
