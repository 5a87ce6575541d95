"""Models made quicker on a CPU: the same numbers, with fewer of them computed."""

import pytest
import torch
from fakes.classifiers import FAMILIES, a_model, examples, padded

from reportgen.train.engine.quick import draw_dropout, pack, quicken

TRIED = {"deberta-v2": False, "xlnet": False}
"""Families whose attention has no interface are left as they are."""


@pytest.mark.parametrize("kind", FAMILIES)
def test_layers_that_see_no_padding_have_the_same_losses_and_gradients(kind):
    one, other = a_model(kind, 3), a_model(kind, 3)
    assert pack(one) is TRIED.get(kind, True)
    data = examples(20)
    for train in (True, False):
        for rows in (range(8), [2]):
            ids, mask, labels = padded(data, list(rows))
            losses = [
                m.train(train)(ids, attention_mask=mask, labels=labels).loss for m in (one, other)
            ]
            assert losses[0].item() == pytest.approx(losses[1].item(), abs=1e-6)
            for loss in losses:
                loss.backward()
    for mine, theirs in zip(one.parameters(), other.parameters(), strict=True):
        if theirs.grad is not None:
            torch.testing.assert_close(mine.grad, theirs.grad, rtol=1e-4, atol=1e-6)


def test_padding_is_not_computed():
    model, seen = a_model("roberta", 3), []
    assert pack(model)
    layer = model.roberta.encoder.layer[1].intermediate
    layer.register_forward_hook(lambda _, given, __: seen.append(given[0].shape))
    ids, mask, _ = padded(examples(20), list(range(8)))
    model(ids, attention_mask=mask)
    assert seen == [(1, int(mask.sum()), 16)]
    assert mask.numel() > mask.sum()


@pytest.mark.parametrize("share", [0.1, 0.5])
@pytest.mark.parametrize("size", [1_000, 1_000_000])
def test_a_share_is_dropped_and_the_rest_scaled(share, size):
    torch.manual_seed(1)
    found = draw_dropout(torch.ones(size), share)
    dropped = (found == 0).double().mean().item()
    assert dropped == pytest.approx(share, abs=4 * (share * (1 - share) / size) ** 0.5)
    assert found.max().item() == pytest.approx(1 / (1 - share), rel=1e-4)
    torch.manual_seed(1)
    assert torch.equal(found, draw_dropout(torch.ones(size), share))


def test_dropout_is_drawn_when_training_alone():
    model = a_model("roberta", 3, dropout=0.3)
    assert not model.training
    quicken(model)
    assert not any(part.training for part in model.modules())
    ids, mask, _ = padded(examples(20), list(range(8)))
    whole = model.eval()(ids, attention_mask=mask).logits
    assert torch.equal(whole, model(ids, attention_mask=mask).logits)
    assert not torch.equal(whole, model.train()(ids, attention_mask=mask).logits)
