"""One kind of block, or one block alone, is replaced in each format."""

import pytest
from fakes.sample_report import make_report

from reportgen.records.document import Table, walk
from reportgen.render import RenderContext, render

ENDINGS = {"latex": "tex", "typst": "typ", "markdown": "md", "html": "html"}
REPORT = make_report()
TABLES = [block for block in walk(REPORT.sections) if isinstance(block, Table)]


@pytest.mark.parametrize("form", ENDINGS)
@pytest.mark.parametrize("name", ["table", f"table.{TABLES[0].id}"])
def test_a_kind_or_a_single_block_is_replaced(form, name, figures, tmp_path):
    path = tmp_path / form / "blocks" / f"{name}.j2"
    path.parent.mkdir(parents=True)
    path.write_text("REPLACED", encoding="utf-8")
    context = RenderContext(template_dirs=(tmp_path,))
    files = render(REPORT, form, figures, context)

    expected = len(TABLES) if name == "table" else 1
    assert files[f"report.{ENDINGS[form]}"].decode().count("REPLACED") == expected
