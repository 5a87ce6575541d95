"""The bibliography: only what is cited, in the order in which it is."""

import pytest

from reportgen.records.document import (
    Bullets,
    Cite,
    Emphasis,
    Paragraph,
    Section,
    Table,
    TableColumn,
    TableRow,
)
from reportgen.report.phrases import references_section, works


def keys(*blocks):
    found = references_section(blocks)
    return [] if found is None else [entry.key for entry in found.blocks[0].entries]


def test_works_come_in_order_of_first_citation():
    first = Paragraph(text=("By ", Cite("welch"), " and ", Cite("adam")))
    assert keys(first, Paragraph(text=(Cite("bert"), Cite("welch")))) == ["welch", "adam", "bert"]
    assert keys(Paragraph(text=(Cite("bert"), Cite("welch"))), first) == ["bert", "welch", "adam"]


def test_citations_are_found_wherever_text_stands():
    table = Table(
        id="t",
        caption=("A caption ", Cite("wilson")),
        columns=(TableColumn(title=("Head ", Cite("student"))),),
        rows=(TableRow(cells=((Cite("adam"),),)),),
        notes=((Emphasis(("note ", Cite("qlora"))),),),
    )
    inner = Section(id="b", title="B", blocks=(Bullets(items=((Cite("bloom"),),)), table))
    assert keys(Section(id="a", title="A", blocks=(inner,))) == [
        *("bloom", "wilson", "student", "adam", "qlora")
    ]


def test_an_unknown_work_is_an_error():
    with pytest.raises(KeyError, match="nobody2020"):
        references_section((Paragraph(text=(Cite("lora"), Cite("nobody2020"))),))


def test_works_that_the_appendix_alone_cites_stand_in_the_appendix():
    cited = (Paragraph(text=(Cite("adam"),)),)
    assert references_section((), cited).appendix
    assert not references_section(cited, ()).appendix


@pytest.mark.parametrize("work", works().values(), ids=lambda work: work.key)
def test_a_work_is_complete(work):
    (text,) = work.text
    assert text.endswith(".")
    assert any(text.rstrip(".").endswith(str(year)) for year in range(1900, 2030)), text
    assert "  " not in text
    assert work.url.startswith("https://") or not work.url
