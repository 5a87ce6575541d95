"""Keep the version, the distribution's name and the project's address the same in every file.

    python .ci/release.py --version 0.3.0   set the next version everywhere, date its changes
    python .ci/release.py --owner NAME      set whose repository it is
    python .ci/release.py --check [TAG]     say where files disagree; CI and a test run it
    python .ci/release.py --notes           print the changes of this version

The version is that of `reportgen/__init__.py`, the address that of `pyproject.toml`.
"""

from __future__ import annotations

import argparse
import datetime as dt
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
HOME = "reportgen/__init__.py"
VERSIONS = {
    HOME: r'^__version__ = "(?P<at>[\d.]+)"$',
    "CITATION.cff": r"^version: (?P<at>[\d.]+)$",
    "packaging/conda/recipe.yaml": r"^  version: (?P<at>\d[\d.]+)$",
    "integrations/github/classroom.yml": r"reportgen@v(?P<at>[\d.]+)",
    "docs/how-to/ci.md": r"(?:reportgen(?:\.git)?@v|rev: v|ref: v)(?P<at>[\d.]+\d)",
    "docs/how-to/install.md": r"(?:reportgen_lab-|reportgen(?:\.git)?@v)(?P<at>\d+\.\d+\.\d+)",
}
"""File to the pattern of what names the version in it."""
ADDRESS = re.compile(r"(?P<host>github\.com[/:])(?P<at>[\w-]+)/reportgen\b")
PAGES = re.compile(r"(?P<at>[\w-]+)\.github\.io/reportgen\b")
USES = re.compile(r"uses: (?P<at>[\w-]+)/reportgen@")
ENDINGS = {".cff", ".md", ".toml", ".yaml", ".yml"}
SKIPPED = {".git", ".venv", "build", "dist", "tests", "out"}


def main() -> int:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--version")
    parser.add_argument("--owner")
    parser.add_argument("--check", nargs="?", const="", metavar="TAG")
    parser.add_argument("--notes", action="store_true")
    given = parser.parse_args()
    if given.version:
        set_version(given.version)
    if given.owner:
        set_owner(given.owner)
    if given.notes:
        print(notes(version()))
    faults = list(disagreements(given.check)) if given.check is not None else []
    print("".join(f"{fault}\n" for fault in faults), end="")
    return bool(faults)


def version() -> str:
    """Return the version of the package."""
    found = re.search(VERSIONS[HOME], _text(HOME), re.MULTILINE)
    return found["at"] if found else ""


def owner() -> str:
    """Return whose repository it is, as pyproject.toml says."""
    urls = tomllib.loads(_text("pyproject.toml"))["project"]["urls"]
    found = ADDRESS.search(urls["Homepage"])
    return found["at"] if found else ""


def disagreements(tag: str = "") -> Iterator[str]:
    """Yield where a file names another version or another repository."""
    if tag and tag != f"v{version()}":
        yield f"the tag is {tag}, the version {version()}"
    for name, pattern in VERSIONS.items():
        found = {match["at"] for match in re.finditer(pattern, _text(name), re.MULTILINE)}
        if found != {version()}:
            yield f"{name} names {', '.join(sorted(found)) or 'no version'}, not {version()}"
    if not notes(version()):
        yield f"CHANGELOG.md has no changes of {version()}"
    for path in _pages():
        text = path.read_text(encoding="utf-8")
        found = {m["at"] for pattern in (ADDRESS, PAGES, USES) for m in pattern.finditer(text)}
        if found - {owner()}:
            listed = ", ".join(sorted(found - {owner()}))
            yield f"{path.relative_to(PROJECT)} names the repository of {listed}, not {owner()}"


def set_version(wanted: str) -> None:
    """Write a version into every file that names it; what is unreleased becomes its changes."""
    for name, pattern in VERSIONS.items():
        _write(name, _replaced(re.compile(pattern, re.MULTILINE), _text(name), wanted))
    today = f"{dt.datetime.now(dt.UTC).date()}"
    cited = re.sub(r"(?m)^date-released: .*$", f"date-released: {today}", _text("CITATION.cff"))
    _write("CITATION.cff", cited)
    head = f"## [Unreleased]\n\n## [{wanted}] - {today}\n"
    _write("CHANGELOG.md", _text("CHANGELOG.md").replace("## [Unreleased]\n", head, 1))


def set_owner(wanted: str) -> None:
    """Write whose repository it is into every file that names it."""
    for path in _pages():
        text = path.read_text(encoding="utf-8")
        for pattern in (ADDRESS, PAGES, USES):
            text = _replaced(pattern, text, wanted)
        _write(str(path.relative_to(PROJECT)), text)


def notes(of: str) -> str:
    """Return the changes of a version."""
    head = rf"^## \[{re.escape(of)}\].*?$\n(.*?)(?=^## |\Z)"
    found = re.search(head, _text("CHANGELOG.md"), re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else ""


def _pages() -> Iterator[Path]:
    for path in sorted(PROJECT.rglob("*")):
        parts = path.relative_to(PROJECT).parts
        if path.suffix in ENDINGS and not SKIPPED & set(parts) and path.is_file():
            yield path


def _replaced(pattern: re.Pattern[str], text: str, wanted: str) -> str:
    def changed(match: re.Match[str]) -> str:
        start, end = match.span("at")
        return f"{text[match.start() : start]}{wanted}{text[end : match.end()]}"

    return pattern.sub(changed, text)


def _text(name: str) -> str:
    return (PROJECT / name).read_text(encoding="utf-8")


def _write(name: str, text: str) -> None:
    if _text(name) != text:
        (PROJECT / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    sys.exit(main())
