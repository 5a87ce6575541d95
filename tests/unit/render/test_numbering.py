"""Numbers and anchors of everything that can be referred to."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.document import Listing, Report, Section
from reportgen.records.errors import UnknownNameError, UsageError
from reportgen.render import anchor_of, resolve


def test_each_kind_is_numbered_in_reading_order(report):
    labels = resolve(report)
    assert labels.text("summary") == "Section 1"
    assert labels.text("formulas") == "Section 2.1"
    assert [labels.text(t) for t in ("best-step", "params", "wide")] == [
        "Table 1", "Table 2", "Table 3",
    ]  # fmt: skip
    assert labels.text("seeds/spread") == "Figure 2"
    assert labels.text("config") == "Listing 1"
    assert labels.cite("vaswani") == 1
    assert labels.cite("liu") == 2


def test_an_equation_has_the_number_of_its_group(report):
    labels = resolve(report)
    assert labels.text("eq-lora") == "Equation 2"
    assert labels.text("eq-share") == "Equation 2"
    assert labels.anchor("eq-share") == labels.anchor("eq-lora")


def test_an_unknown_target_is_named(report):
    labels = resolve(report)
    with pytest.raises(UnknownNameError, match="'nowhere'"):
        labels.text("nowhere")
    with pytest.raises(UnknownNameError, match="'nobody'"):
        labels.cite("nobody")


def test_two_blocks_with_one_id_are_refused():
    block = Listing(id="x", caption=(), text="")
    section = Section(id="s", title="S", blocks=(block, block))
    with pytest.raises(UsageError, match="'x'"):
        resolve(Report(title="t", sections=(section,)))


@given(st.text(), st.text())
def test_anchors_are_safe_and_distinct(one, other):
    assert re.fullmatch(r"[A-Za-z0-9._-]*", anchor_of(one))
    if "-" not in one + other:
        assert (anchor_of(one) == anchor_of(other)) == (one == other)
