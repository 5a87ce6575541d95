"""Bytes of the three ways of fine-tuning, worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.parameters.adapters import full_memory, lora_memory, qlora_memory

TOTAL, PACKED, TRAINED = 559_214_592, 301_989_888, 1_572_864


def test_full_fine_tuning_holds_sixteen_bytes_a_parameter():
    assert full_memory(TOTAL).size == 16 * TOTAL == 8_947_433_472


def test_lora_freezes_the_base_in_two_bytes():
    assert lora_memory(TOTAL, TRAINED).size == 2 * TOTAL + 16 * TRAINED


def test_qlora_packs_the_linear_layers_alone():
    size = qlora_memory(TOTAL, PACKED, TRAINED).size
    # QLoRA's paper, section 3: 0.127 bits a weight for the constants of both levels.
    bits = 4 + 8 / 64 + 32 / (64 * 256)
    assert bits == pytest.approx(4.127, abs=5e-4)
    assert size == PACKED * bits / 8 + 2 * (TOTAL - PACKED) + 16 * TRAINED


@given(
    total=st.integers(1, 10**12),
    share=st.floats(0, 1),
    trained=st.integers(0, 10**9),
    half=st.booleans(),
)
def test_the_parts_are_the_whole(total, share, trained, half):
    rows = (
        full_memory(total, half=half),
        lora_memory(total, trained, half=half),
        qlora_memory(total, int(share * total), trained),
    )
    for row in rows:
        parts = row.weights + row.adapter + row.gradients + row.optimizer
        assert parts == pytest.approx(row.size, rel=1e-12)
        assert row.optimizer == 2 * row.gradients
