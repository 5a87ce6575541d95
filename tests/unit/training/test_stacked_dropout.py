"""A member draws the same alone and in a stack, and drops as often as asked."""

from __future__ import annotations

import math

import pytest
import torch
from fakes.classifiers import examples

from reportgen.training._stacked_attention import drop
from reportgen.training._stacked_batch import Examples
from reportgen.training._stacked_dropout import Bits, Sites, place

CPU = torch.device("cpu")
SITES = Sites(tokens=3, examples=4, layers=2, heads=2, width=8)
ROWS = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]


def masks(rows, seeds, *, apart, waste, first=0, last=4):
    data = Examples(examples(12), CPU)
    bits = Bits(seeds, 0.1, CPU)
    kept = [
        bits.keep(s, [len(data.tokens[i]) for i in own], SITES, apart=apart)
        for s, own in enumerate(rows)
    ]
    batch = data.pack([own[first:last] for own in rows], waste)
    return batch, place(kept, batch, first, bits.scale)


def attention(batch, found, s, b):
    """What one example's attention keeps, without padding: inner layers and the last."""
    t = batch.lengths[s][b]
    for group, inner, last in zip(batch.groups, found.inner, found.last, strict=True):
        for span in group.spans:
            if span.member == s and span.example <= b < span.example + span.count:
                slot = span.slot + b - span.example
                split = inner.view(2, group.size, 2, group.length, group.length)
                ends = last.view(group.size, 2, 1, group.length)
                return split[:, slot, :, :t, :t], ends[slot, ..., :t]
    raise AssertionError("an example is in no group")


@pytest.mark.parametrize("apart", [True, False])
@pytest.mark.parametrize("waste", [0.0, 60.0, math.inf])
def test_a_member_has_the_same_bits_alone_and_in_a_stack(apart, waste):
    seeds = [5, 6, 7]
    batch, together = masks(ROWS, seeds, apart=apart, waste=waste)
    for s, seed in enumerate(seeds):
        own, alone = masks([ROWS[s]], [seed], apart=apart, waste=math.inf)
        count = own.counts[0]
        assert torch.equal(together.tokens[:, s, :count], alone.tokens[:, 0])
        assert torch.equal(together.examples[:, s], alone.examples[:, 0])
        for b in range(4):
            pairs = zip(attention(batch, together, s, b), attention(own, alone, 0, b), strict=True)
            assert all(torch.equal(one, other) for one, other in pairs)


@pytest.mark.parametrize("apart", [True, False])
def test_a_part_of_a_batch_has_its_part_of_the_bits(apart):
    seeds = [5, 6, 7]
    batch, whole = masks(ROWS, seeds, apart=apart, waste=60.0)
    half, part = masks(ROWS, seeds, apart=apart, waste=60.0, first=2)
    for s in range(3):
        skipped, count = sum(batch.lengths[s][:2]), half.counts[s]
        assert torch.equal(whole.tokens[:, s, skipped : skipped + count], part.tokens[:, s, :count])
        assert torch.equal(whole.examples[:, s, 2:], part.examples[:, s])
        for b in range(2):
            pairs = zip(attention(half, part, s, b), attention(batch, whole, s, b + 2), strict=True)
            assert all(torch.equal(one, other) for one, other in pairs)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_as_much_is_dropped_as_asked_and_the_mean_stays(share):
    count = 1 << 20
    drawn = Bits([1], share, CPU).draw(0, count)
    dropped = int((drawn == 0).sum())
    deviation = math.sqrt(count * share * (1 - share))
    assert abs(dropped - count * share) < 4.5 * deviation + count / 65536
    assert drawn.double().mean().item() == pytest.approx(1, abs=0.02)
    assert drawn.unique().tolist() == pytest.approx([0, 1 / (1 - share)], rel=1e-3)


def test_neighbours_are_dropped_independently():
    drawn = (Bits([1], 0.5, CPU).draw(0, 1 << 20) == 0).double()
    for lag in (1, 2, 3, 4, 64):
        shifted = (drawn[lag:] * drawn[:-lag]).mean().item()
        assert shifted == pytest.approx(0.25, abs=0.003), lag


def test_booleans_and_factors_drop_alike():
    x = torch.randn(50, requires_grad=True)
    factors = Bits([3], 0.25, CPU).draw(0, 50)
    results = []
    for kept, scale in ((factors, math.nan), (factors != 0, 4 / 3)):
        x.grad = None
        y = drop(x, kept, scale)
        (y * y).sum().backward()
        results.append((y.detach(), x.grad))
    for one, other in zip(*results, strict=True):
        torch.testing.assert_close(one, other)


def test_a_state_goes_on_where_it_was():
    bits = Bits([1, 2], 0.1, CPU)
    bits.draw(0, 17)
    state = bits.state()
    expected = [bits.draw(s, 30) for s in (0, 1)]
    other = Bits([8, 9], 0.1, CPU)
    other.load_state(state)
    assert all(torch.equal(other.draw(s, 30), expected[s]) for s in (0, 1))
