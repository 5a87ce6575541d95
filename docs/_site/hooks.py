"""What mkdocs calls while it builds the site: generated pages, links, formulas, pictures."""

from __future__ import annotations

import posixpath
import re
import sys
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

# mkdocs loads this file by its path alone.
sys.path.insert(0, str(Path(__file__).parent))

from generated import GALLERY, PROJECT, pages
from mathematics import set_formulas

# Pages of the checkout's top folder that the site shows too.
TOP = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
_COMMENT = re.compile(r"^<!--.*?-->\n", re.DOTALL | re.MULTILINE)


def on_config(config: Any) -> Any:
    """Name every decision in the menu, where one line stands for their folder."""
    about = next(part["Explanation"] for part in config.nav if "Explanation" in part)
    decisions = next(part for part in about if isinstance(part, dict) and "Decisions" in part)
    folder = PROJECT / "docs" / "adr"
    decisions["Decisions"] = [f"adr/{page.name}" for page in sorted(folder.glob("*.md"))]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages made from the code, those of the top folder, and the gallery's pictures."""
    for address, text in pages():
        files.append(File.generated(config, address, content=text))
    for name in TOP:
        text = (PROJECT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, name, content=_below(text)))
    for picture in sorted(GALLERY.glob("*.*")):
        files.append(
            File.generated(config, f"gallery/{picture.name}", content=picture.read_bytes())
        )
    return files


def on_page_markdown(markdown: str, page: Any, files: Files, **_: Any) -> str:
    """Set formulas; take links that leave the site out, for they lead into the checkout."""
    folder = posixpath.dirname(page.file.src_uri)

    def keep_or_not(link: re.Match[str]) -> str:
        words, target = link[1], link[2]
        if re.match(r"[a-z]+:|#", target):
            return link[0]
        path = posixpath.normpath(posixpath.join(folder, target.partition("#")[0]))
        name = path.lstrip("./")
        if path.startswith("..") and name in TOP:
            back = posixpath.relpath(name, folder or ".")
            _, mark, anchor = target.partition("#")
            return f"[{words}]({back}{mark}{anchor})"
        return link[0] if files.get_file_from_path(path) else words

    return set_formulas(_LINK.sub(keep_or_not, _COMMENT.sub("", markdown)))


def _below(text: str) -> str:
    """Return a page of the top folder as it reads from inside `docs/`."""
    return re.sub(r"\]\(docs/", "](", text)
