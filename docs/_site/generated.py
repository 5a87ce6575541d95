"""Pages that only the site has: the gallery and the tutorial."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
GALLERY = PROJECT / "build" / "gallery"


def pages() -> Iterator[tuple[str, str]]:
    """Yield the address and the Markdown of each page."""
    yield "gallery.md", gallery()
    yield "tutorial.md", tutorial()


def gallery() -> str:
    """The samples that `gallery.py` made from the current code, as pictures."""
    listed = GALLERY / "gallery.json"
    parts = ["# Gallery\n\nMade from the current code, of the sample labs in `inputs/`.\n"]
    if not listed.is_file():
        return parts[0] + "\nThere are none yet: `python docs/_site/gallery.py` makes them.\n"
    made = json.loads(listed.read_text(encoding="utf-8"))
    for sample in made["samples"]:
        shown = "\n\n".join(
            f"[![{name}](gallery/{name})](gallery/{name})" for name in sample["pictures"]
        )
        parts.append(
            f"## {sample['about']}\n\n```sh\n{sample['command']}\n```\n\n"
            f'<div class="gallery" markdown>\n\n{shown}\n\n</div>\n\n'
            f"The whole report: [{sample['file']}](gallery/{sample['file']})\n"
        )
    if made["page"]:
        parts.append(
            "## The HTML page\n\nEvery number shows where it came from; curves zoom.\n\n"
            f"![the page]({'gallery/' + made['page']})\n\n[Open it](gallery/report.html)\n"
        )
    return "\n".join(parts)


def tutorial() -> str:
    """The notebook's cells as a page; what they print is for whoever runs it."""
    notebook = PROJECT / "docs" / "tutorial.ipynb"
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    parts = []
    for cell in cells:
        source = "".join(cell["source"])
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
    return "\n\n".join([*parts, "The notebook: [tutorial.ipynb](tutorial.ipynb)"]) + "\n"
