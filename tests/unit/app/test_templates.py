"""Templates: listed, copied out whole, one or all, and never over somebody's own."""

import pytest
from fakes.rows import rows_beside

from reportgen.app.starters import eject_templates, list_templates
from reportgen.records.errors import UnknownNameError, UsageError
from reportgen.render import packaged_templates

ROWS = rows_beside(__file__)


@pytest.mark.parametrize(("name", "path"), ROWS["one_is_copied_as_it_is"])
def test_one_is_copied_as_it_is(tmp_path, name, path):
    assert eject_templates(name, tmp_path) == (tmp_path / path,)
    assert (tmp_path / path).read_bytes() == (packaged_templates() / path).read_bytes()


def test_a_format_and_all_are_copied(tmp_path):
    latex = eject_templates("latex", tmp_path / "one")
    assert {path.relative_to(tmp_path / "one").parts[0] for path in latex} == {"latex"}
    assert len(eject_templates("", tmp_path / "all")) == len(list_templates())


def test_a_file_that_is_there_stays_unless_forced(tmp_path):
    mine = tmp_path / "latex" / "blocks" / "table.j2"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    with pytest.raises(UsageError, match="is there already"):
        eject_templates("latex", tmp_path)
    assert mine.read_text() == "mine"
    assert not (tmp_path / "latex" / "report.j2").exists()
    eject_templates("latex", tmp_path, force=True)
    assert mine.read_text() != "mine"


def test_a_name_that_is_none_is_told_with_the_nearest(tmp_path):
    with pytest.raises(UnknownNameError, match="did you mean 'latex/blocks/table"):
        eject_templates("latex/blocks/tabel", tmp_path)
    assert not list(tmp_path.iterdir())
