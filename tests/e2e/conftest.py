"""A browser for the tests of pages: one for all of them, for it takes a second to start."""

import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from fakes.browser import BROWSER, Browser
from fakes.dask_cluster import DaskCluster
from fakes.killed_worker import killed_amid, waiting_cluster

from reportgen.records.document import Block, Report, Section
from reportgen.render import render


@pytest.fixture(scope="session")
def running() -> Iterator[Browser]:
    """A browser, or a skip where there is none to drive."""
    if not BROWSER:
        pytest.skip("no chromium to drive")
    with Browser() as browser:
        yield browser


@pytest.fixture
def browser(running: Browser) -> Browser:
    """The browser, as if it had just been started."""
    running.media()
    running.scripts(allowed=True)
    return running


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, out of a package that ships it."""
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None or found.origin is None:
        if os.environ.get("REPORTGEN_REQUIRE_AXE"):
            pytest.fail("axe-core is asked for and not installed: pip install '.[test]'")
        pytest.skip("axe-core is not installed (extra `test`)")
    return (Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[DaskCluster]:
    """A scheduler without workers; those that it gets can wait for one another."""
    with waiting_cluster(tmp_path) as made:
        yield made


@pytest.fixture
def kill_amid(cluster: DaskCluster) -> Iterator[Callable[[], list[str]]]:
    """Kill the first worker amid its work; what is asked for tells what the other has done."""
    with killed_amid(cluster) as done:
        yield done


@pytest.fixture
def write_page(tmp_path: Path):
    """Write the page of some blocks and return where it lies."""

    def write(*blocks: Block, drawings: dict[str, bytes] | None = None, **front: object) -> Path:
        section = Section(id="s", title="Section", blocks=blocks)
        report = Report(**({"title": "Title", "sections": (section,)} | front))
        page = render(report, "html", drawings)["report.html"]
        path = tmp_path / "report.html"
        path.write_bytes(page)
        return path

    return write
