"""Pages: their links lead somewhere, and they speak of the project alone."""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

PROJECT = Path(__file__).resolve().parents[2]
IGNORED = (".venv", "tests", "out", "templates")
PAGES = sorted(
    path
    for path in PROJECT.rglob("*.md")
    if not any(part.startswith(".") for part in path.relative_to(PROJECT).parts)
    and path.relative_to(PROJECT).parts[0] not in IGNORED
)
# Absolute paths of one machine, and hosts that a mirror may stand in for. Written in pieces, so
# that this file may be looked through as well.
FORBIDDEN = re.compile(
    "|".join(
        (
            r"(?<![\w./<~-])/(?:work|farm|home|root|Users)/\w",
            "pypi" + r"\.org",
            "python" + "hosted",
            "registry" + r"\.npmjs",
            "deb" + r"\.debian",
        )
    )
)


def links(page: Path) -> Iterator[str]:
    for token in MarkdownIt().enable("table").parse(page.read_text(encoding="utf-8")):
        for child in token.children or ():
            target = child.attrGet("href") or child.attrGet("src")
            if target:
                yield str(target)


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in links(page):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target), link


def tracked_files() -> list[Path]:
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=PROJECT, check=False, capture_output=True, text=True
    )
    if done.returncode:
        pytest.skip("not a git checkout")
    return [path for name in done.stdout.split("\0") if name and (path := PROJECT / name).is_file()]


def test_no_file_names_a_machine() -> None:
    found = []
    for path in tracked_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            text = path.read_bytes().decode("latin-1")
        for number, line in enumerate(text.splitlines(), start=1):
            if FORBIDDEN.search(line):
                found.append(f"{path.relative_to(PROJECT)}:{number}: {line.strip()[:80]}")
    assert found == []


def test_what_is_forbidden_is_seen() -> None:
    assert FORBIDDEN.search("logs in /home/" + "someone")
    assert not FORBIDDEN.search("see docs/home/page and https://example.org/work/")


def test_the_changelog_has_a_place_for_what_is_new() -> None:
    changelog = (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## \[?Unreleased\]?$", changelog, re.MULTILINE)


def test_the_changelog_knows_the_version() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["project"]["license"] == "MIT"
    assert (PROJECT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")


def test_every_make_target_that_is_spoken_of_exists() -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE))
    told = [*PAGES, PROJECT / ".ci" / "run", PROJECT / ".github" / "workflows" / "ci.yml"]
    spoken = {
        name
        for path in told
        for name in re.findall(
            r"(?:`|^\s*|run: )make (?:--\S+ )?([a-z]+)",
            path.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    }
    assert {"report", "test"} <= spoken
    assert spoken <= targets


def how_to_add() -> str:
    text = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return text.partition("\n## Add one of each\n")[2].partition("\n## ")[0]


def test_what_is_added_goes_where_files_are() -> None:
    paths = re.findall(r"`([a-z\d_./-]*/[a-z\d_./-]*)`", how_to_add())
    assert len(paths) > 30
    roots = [PROJECT, PROJECT / "reportgen", PROJECT / "tests"]
    assert [p for p in paths if not any((root / p).exists() for root in roots)] == []


def test_what_is_added_goes_into_tables_that_there_are() -> None:
    names = set(re.findall(r"`([A-Z_]{4,})`", how_to_add())) - {"FILES", "NEWER"}
    code = "".join(p.read_text("utf-8") for p in (PROJECT / "reportgen").rglob("*.py"))
    assert len(names) > 15
    assert {n for n in names if not re.search(rf"^{n}\b.*=", code, re.MULTILINE)} == set()
