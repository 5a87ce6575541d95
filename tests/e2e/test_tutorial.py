"""The tutorial runs, cell by cell, in a kernel of its own."""

import json
import os
import sys

import nbformat
import pytest
from nbclient import NotebookClient


@pytest.fixture(scope="module")
def notebook(project):
    return nbformat.read(project / "docs" / "tutorial.ipynb", as_version=4)


@pytest.fixture(scope="module")
def executed(notebook, project, tmp_path_factory):
    """The notebook with what each cell gave; a cell that fails fails here."""
    folder = tmp_path_factory.mktemp("tutorial")
    kernels = folder / "kernels" / "python3"
    kernels.mkdir(parents=True)
    # The kernel of these tests, whatever others the machine knows.
    spec = {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "Python 3",
        "language": "python",
    }
    (kernels / "kernel.json").write_text(json.dumps(spec), encoding="utf-8")
    environment = {
        "JUPYTER_PATH": str(folder),
        "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
        "IPYTHONDIR": str(folder / "ipython"),
        "REPORTGEN_CACHE": str(folder / "cache"),
        "TMPDIR": str(folder),
    }
    before = dict(os.environ)
    os.environ.update(environment)
    try:
        copy = nbformat.from_dict(notebook)
        client = NotebookClient(
            copy, timeout=120, resources={"metadata": {"path": project / "docs"}}
        )
        return client.execute()
    finally:
        os.environ.clear()
        os.environ.update(before)


def outputs(notebook, words):
    """What the cell with these words gave."""
    (cell,) = (c for c in notebook.cells if c.cell_type == "code" and words in c.source)
    return cell.outputs


def test_it_is_kept_without_outputs(notebook):
    nbformat.validate(notebook)
    for cell in notebook.cells:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None


def test_nothing_is_printed_beside_what_is_meant(executed):
    streams = [o for c in executed.cells for o in c.get("outputs", ()) if o.output_type == "stream"]
    assert not streams


def test_the_mean_by_pandas_is_that_of_the_report(executed):
    (difference,) = outputs(executed, "points.mean()")
    assert abs(float(difference.data["text/plain"].removeprefix("np.float64(").rstrip(")"))) < 1e-12


def test_the_page_is_shown_in_a_sandbox(executed):
    (page,) = outputs(executed, "built.show")
    assert page.data["text/html"].startswith('<iframe sandbox="allow-scripts" srcdoc="')


def test_what_is_wrong_in_the_written_report_is_found(executed):
    (frame,) = outputs(executed, "frame_of_findings")
    text = frame.data["text/plain"]
    assert text.count("error") == 1
    assert "arithmetic" in text
