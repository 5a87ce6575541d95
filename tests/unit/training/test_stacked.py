"""The stack against transformers and torch, and members against themselves alone."""

from __future__ import annotations

import logging
import math

import pytest
import torch
from fakes.classifiers import a_config, a_model, an_engine, examples, orders, padded
from fakes.engines import assert_same_bits, train

from reportgen.errors import EvidenceError
from reportgen.records.training import TrainPlan
from reportgen.training import ENGINES, stacked
from reportgen.training._data import Tokenised
from reportgen.training._engine import DeviceMemoryError
from reportgen.training._stacked_attention import How, attend
from reportgen.training._stacked_batch import Examples
from reportgen.training._stacked_dropout import Bits
from reportgen.training._stacked_model import Model
from reportgen.training._stacked_weights import _PREFIXES, read_shape, stack_weights
from reportgen.training.stacked import StackedEngine

LOG = logging.getLogger(__name__)
CPU = torch.device("cpu")
WASTES = (0.0, 50.0, math.inf)
PLAN = TrainPlan(dropout=0.1, weight_decay=0.1, batch_size=8)


@pytest.mark.parametrize("kind", ["roberta", "bert"])
@pytest.mark.parametrize("waste", WASTES)
@pytest.mark.parametrize("members", [1, 3])
@pytest.mark.parametrize("gradient", [True, False])
def test_logits_are_those_of_transformers(kind, waste, members, gradient):
    config = a_config(kind, layers=3)
    models = [a_model(config, seed) for seed in range(members)]
    data = examples(20, pad=config.pad_token_id)
    rows = [list(range(s, s + 8)) for s in range(members)]
    shape = read_shape(config.to_dict())
    model = Model(stack_weights([m.state_dict() for m in models], shape, CPU), shape)
    with torch.set_grad_enabled(gradient):
        ours = model.logits(Examples(data, CPU).pack(rows, waste), None)
    for s, oracle in enumerate(models):
        ids, mask, _ = padded(data, rows[s])
        with torch.no_grad():
            theirs = oracle(ids, attention_mask=mask).logits
        torch.testing.assert_close(ours[s].detach(), theirs, rtol=0, atol=1e-6)


@pytest.mark.parametrize("clip", [0.0, 0.05, 1.0])
@pytest.mark.parametrize("kind", ["roberta", "bert"])
def test_twenty_updates_are_those_of_torch(kind, clip):
    plan = TrainPlan(dropout=0.0, weight_decay=0.1, clip_norm=clip)
    engine = an_engine([4], plan, kind=kind)
    config = a_config(kind)
    model = a_model(config, 4).train()
    data = examples(40, 0, pad=config.pad_token_id)
    named = dict(model.named_parameters())
    spared = [n for n in named if n.endswith("bias") or "LayerNorm" in n]
    groups = [
        {"params": [named[n] for n in named if n not in spared], "weight_decay": 0.1},
        {"params": [named[n] for n in spared], "weight_decay": 0.0},
    ]
    oracle = torch.optim.AdamW(groups, betas=(0.9, 0.98), eps=1e-6, foreach=False)
    steps = [rows for epoch in range(4) for rows in orders([4], 40, 8, epoch)]
    for i, rows in enumerate(steps):
        rate = 2e-3 * (1 - i / len(steps))
        ids, mask, labels = padded(data, rows[0])
        loss = model(ids, attention_mask=mask, labels=labels).loss
        oracle.zero_grad()
        loss.backward()
        if clip:
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        for group in oracle.param_groups:
            group["lr"] = rate
        oracle.step()
        assert engine.step(rows, rate)[0] == pytest.approx(loss.item(), abs=1e-5), i
    ours = engine.export(0)
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(ours[name], parameter.detach(), rtol=0, atol=5e-5)


@pytest.mark.parametrize("waste", WASTES)
def test_a_member_in_a_stack_is_the_member_alone(waste):
    seeds = [3, 8, 21]
    together = an_engine(seeds, PLAN)
    together._waste = waste
    steps = [rows for epoch in range(9) for rows in orders(seeds, 40, 8, epoch)]
    curves = train(together, steps, rate=3e-3)
    assert len(curves) == 45
    drift = 0.0
    for s, seed in enumerate(seeds):
        alone = an_engine([seed], PLAN)
        curve = train(alone, [[rows[s]] for rows in steps], rate=3e-3)
        drift = max(drift, *(abs(a[0] - b[s]) for a, b in zip(curve, curves, strict=True)))
        means = [sum(loss[0] for loss in part) for part in (curve[:15], curve[30:])]
        assert means[1] < means[0] - 0.5, "nothing is learnt, so nothing is compared"
        held = alone.evaluate("test")[0].loss
        drift = max(drift, abs(held - together.evaluate("test")[s].loss))
    LOG.info("largest difference of a loss: %.2g", drift)
    assert drift < 1e-5


def test_members_drop_other_elements():
    config = a_config()
    state = a_model(config, 0).state_dict()
    data = {"train": examples(40)}
    engine = StackedEngine(config.to_dict(), [state, state], [1, 2], data, PLAN, "cpu")
    losses = engine.step([list(range(8))] * 2, 1e-3)
    assert losses[0] != losses[1]
    assert losses == pytest.approx([losses[0]] * 2, abs=0.5)


def test_attention_has_the_gradient_of_its_values():
    texts = Tokenised(ids=([2, 5, 6], [2, 7], [2], [2, 4, 5, 6, 7, 8]), labels=(0,) * 4, pad=1)
    batch = Examples(texts, CPU).pack([[0, 2], [3, 1]], 10.0)
    assert [group.size for group in batch.groups] == [1, 3]
    heads, width = 2, 4
    generator = torch.Generator().manual_seed(0)
    tokens = batch.ids.numel()
    pair = torch.randn(tokens, 2 * width, generator=generator, dtype=torch.float64)
    for first, rows in ((False, tokens), (True, 4)):
        query = torch.randn(rows, width, generator=generator, dtype=torch.float64)
        kept = [
            torch.rand(g.size * heads, 1 if first else g.length, g.length, generator=generator)
            > 0.3
            for g in batch.groups
        ]
        how = How(groups=batch.groups, kept=kept, scale=1 / 0.7, heads=heads, first=first)
        inputs = query.requires_grad_(), pair.requires_grad_()
        assert torch.autograd.gradcheck(lambda q, p, how=how: attend(q, p, how), inputs)


def test_evaluations_are_those_of_transformers():
    engine = an_engine([0, 1], PLAN)
    data = examples(17, 1)
    for seed, ours in enumerate(engine.evaluate("validation")):
        ids, mask, labels = padded(data, list(range(17)))
        with torch.no_grad():
            theirs = a_model(a_config(), seed)(ids, attention_mask=mask, labels=labels)
        assert ours.loss == pytest.approx(theirs.loss.item(), abs=1e-6)
        assert ours.accuracy == (theirs.logits.argmax(-1) == labels).double().mean().item()
        assert ours.examples == 17


def test_an_evaluation_does_not_hang_on_its_batches(monkeypatch):
    engine = an_engine([0, 1], PLAN)
    whole = engine.evaluate("test")
    monkeypatch.setattr(stacked, "_TOKENS", 30)
    for one, other in zip(whole, engine.evaluate("test"), strict=True):
        assert one.loss == pytest.approx(other.loss, abs=1e-6)
        assert one.accuracy == other.accuracy


def test_an_evaluation_changes_nothing():
    engines = [an_engine([0], PLAN) for _ in range(2)]
    steps = orders([0], 40, 8)
    engines[0].evaluate("validation")
    assert train(engines[0], steps) == train(engines[1], steps)


@pytest.mark.parametrize("chunks", [2, 3, 8, 64])
def test_chunks_add_up_to_the_batch(chunks):
    seeds = [0, 1]
    steps = [rows for epoch in range(2) for rows in orders(seeds, 37, 8, epoch)]
    whole, parts = an_engine(seeds, PLAN, size=37), an_engine(seeds, PLAN, size=37)
    expected = train(whole, steps)
    for one, other in zip(expected, train(parts, steps, chunks=chunks), strict=True):
        assert one == pytest.approx(other, abs=1e-5)
    torch.testing.assert_close(whole.state()["bits"], parts.state()["bits"])


def test_the_same_twice_has_the_same_bits():
    steps = orders([0, 5], 40, 8)
    engines = [an_engine([0, 5], PLAN) for _ in range(2)]
    assert train(engines[0], steps) == train(engines[1], steps)
    assert_same_bits(engines[0].state(), engines[1].state())


def test_a_state_is_all_that_a_continuation_needs():
    steps = orders([0, 5], 40, 8)
    first = an_engine([0, 5], PLAN)
    train(first, steps[:3])
    first.stop(1)
    state = {name: tensor.clone() for name, tensor in first.state().items()}
    expected = train(first, steps[3:])
    second = an_engine([7, 9], PLAN)
    second.load_state(state)
    assert str(train(second, steps[3:])) == str(expected)
    assert_same_bits(first.state(), second.state())


def test_a_member_that_is_not_finite_touches_no_other():
    seeds = [0, 1, 2]
    steps = orders(seeds, 40, 8)
    for waste in WASTES:
        sound, ill = an_engine(seeds, PLAN), an_engine(seeds, PLAN)
        sound._waste = ill._waste = waste
        for name, tensor in ill.state().items():
            if name == "weight/roberta.embeddings.word_embeddings.weight":
                tensor[0] = math.nan
        for rows in steps:
            expected, found = sound.step(rows, 1e-3), ill.step(rows, 1e-3)
            assert math.isnan(found[0])
            assert found[1:] == expected[1:]
        assert_same_bits(ill.export(2), sound.export(2))


def test_a_stopped_member_stands_still_and_others_go_on():
    engine, whole = an_engine([0, 1], PLAN), an_engine([0, 1], PLAN)
    steps = orders([0, 1], 40, 8)
    train(engine, steps[:2])
    engine.stop(0)
    before = engine.export(0)
    losses = train(engine, steps[2:])
    assert_same_bits(engine.export(0), before)
    assert all(math.isnan(loss[0]) for loss in losses)
    expected = train(whole, steps)[2:]
    assert [loss[1] for loss in losses] == pytest.approx([loss[1] for loss in expected], abs=1e-6)


@pytest.mark.parametrize("seeds", [[0], [0, 1]])
def test_half_precision_stays_near(seeds, monkeypatch):
    """What a GPU does: bf16 in matrix products, booleans for dropout, one group, one draw."""
    steps = orders(seeds, 40, 8)
    expected = an_engine(seeds, PLAN)
    engine = an_engine(seeds, PLAN)
    engine._half, engine._waste = True, math.inf
    draw, keep = Bits.draw, Bits.keep
    curve = train(expected, steps)
    monkeypatch.setattr(Bits, "draw", lambda *given: draw(*given) != 0)
    for one, other in zip(curve, train(engine, steps), strict=True):
        assert one == pytest.approx(other, abs=0.05)
        assert one != other, "all was computed in full precision"
    monkeypatch.setattr(Bits, "keep", lambda *given, apart: keep(*given, apart=False))
    losses = train(engine, steps * 20, rate=5e-3)
    assert engine.export(0)["classifier.dense.weight"].dtype == torch.float32
    first, last = (sum(sum(loss) for loss in part) for part in (losses[:5], losses[-5:]))
    assert last < first - 0.5 * len(seeds)
    assert engine.evaluate("validation")[0].loss < 1.0


def test_no_memory_changes_nothing(monkeypatch):
    engine = an_engine([0, 1], PLAN)
    rows = orders([0, 1], 40, 8)[0]
    before = {name: tensor.clone() for name, tensor in engine.state().items()}
    real, calls = Model.logits, []

    def full(self, batch, masks):
        calls.append(len(batch.lengths[0]))
        if len(calls) == 2:
            raise torch.OutOfMemoryError("no memory")
        return real(self, batch, masks)

    monkeypatch.setattr(Model, "logits", full)
    with pytest.raises(DeviceMemoryError):
        engine.step(rows, 1e-3, chunks=2)
    assert calls == [4, 4]
    assert_same_bits(engine.state(), before)
    assert engine.step(rows, 1e-3) == an_engine([0, 1], PLAN).step(rows, 1e-3)


def test_an_evaluation_without_memory_takes_fewer_examples(monkeypatch):
    engine = an_engine([0], PLAN)
    expected = engine.evaluate("test")[0]
    real = Model.logits

    def full(self, batch, masks):
        if len(batch.lengths[0]) > 3:
            raise RuntimeError("DefaultCPUAllocator: not enough memory: you tried ...")
        return real(self, batch, masks)

    monkeypatch.setattr(Model, "logits", full)
    assert engine.evaluate("test")[0].loss == pytest.approx(expected.loss, abs=1e-6)


def test_an_export_has_the_names_and_shapes_of_transformers():
    for kind in ("roberta", "bert"):
        model = a_model(a_config(kind), 3)
        exported = an_engine([2, 3], PLAN, kind=kind).export(1)
        named = dict(model.named_parameters())
        unused = {name for name in named if ".pooler." in name} if kind == "roberta" else set()
        assert exported.keys() == named.keys() - unused
        for name, tensor in exported.items():
            torch.testing.assert_close(tensor, named[name].detach(), rtol=0, atol=0)


@pytest.mark.parametrize(
    "change", [{"model_type": "gpt2"}, {"hidden_act": "silu"}, {"model_type": "roberta_prelayer"}]
)
def test_another_family_is_refused(change):
    with pytest.raises(EvidenceError, match="no stack"):
        read_shape(a_config().to_dict() | change)


def test_a_head_that_is_missing_is_named():
    config = a_config()
    state = a_model(config, 0).state_dict()
    del state["classifier.dense.weight"]
    with pytest.raises(EvidenceError, match=r"classifier\.dense\.weight"):
        StackedEngine(config.to_dict(), [state], [0], {"train": examples(8)}, PLAN, "cpu")


@pytest.mark.parametrize(
    ("ids", "label", "what"),
    [([2] * 60, 0, "tokens"), ([2, 60], 0, "token id"), ([2, 5], 3, "label")],
)
def test_examples_that_do_not_fit_are_refused(ids, label, what):
    config = a_config()
    data = {"train": Tokenised(ids=(ids,), labels=(label,), pad=1)}
    with pytest.raises(EvidenceError, match=what):
        StackedEngine(config.to_dict(), [a_model(config, 0).state_dict()], [0], data, PLAN, "cpu")


def test_the_table_sends_here_what_can_be_stacked():
    assert set(ENGINES["stacked"].match) == set(_PREFIXES)
