"""The sample report, and names of a stranger's choosing one by one."""

from pathlib import Path

import pytest
from fakes.sample_figures import make_figures
from fakes.sample_report import HOSTILE, make_report

from reportgen.records.document import Report
from reportgen.render import RenderContext, render


def pytest_generate_tests(metafunc):
    if "hostile" in metafunc.fixturenames:
        ids = [f"{i}-{ascii(name)[1:20]}" for i, name in enumerate(HOSTILE)]
        metafunc.parametrize("hostile", HOSTILE, ids=ids)


@pytest.fixture(scope="session")
def report() -> Report:
    return make_report()


@pytest.fixture(scope="session")
def figures() -> dict[str, bytes]:
    return make_figures()


@pytest.fixture(scope="session")
def written(report, figures):
    """Render the sample report in a format."""

    def write(form, *, of=report, folders: tuple[Path, ...] = (), options=()):
        context = RenderContext(template_dirs=folders, options=options)
        return render(of, form, figures, context)

    return write
