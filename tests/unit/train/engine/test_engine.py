"""Models of many families against transformers and torch, and members against themselves alone."""

import pytest
import torch
import transformers
from fakes.classifiers import (
    FAMILIES,
    a_config,
    a_model,
    an_engine,
    assert_same_bits,
    examples,
    models_and_task,
    orders,
    padded,
    train,
)
from safetensors.torch import load_file, save_file

from reportgen.records.study import TrainPlan
from reportgen.train.engine.engine import DeviceMemoryError, Together

PLAN = TrainPlan(dropout=0.1, weight_decay=0.1, batch_size=8)


def together(seeds, plan, *, size=40, kind="roberta"):
    models, task = models_and_task(seeds, plan, size=size, kind=kind)
    return Together(models, seeds, task, plan, "cpu")


both_ways = pytest.mark.parametrize("make", [an_engine, together])


def an_oracle(model, plan):
    """torch's own AdamW with the parameter groups of transformers' Trainer."""
    trainer = transformers.Trainer(
        model=model,
        args=transformers.TrainingArguments(
            output_dir="unused", weight_decay=plan.weight_decay, use_cpu=True, report_to=[]
        ),
    )
    decayed = set(trainer.get_decay_parameter_names(model))
    named = dict(model.named_parameters())
    groups = [
        {"params": [named[n] for n in named if n in decayed], "weight_decay": plan.weight_decay},
        {"params": [named[n] for n in named if n not in decayed], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, betas=(0.9, 0.98), eps=1e-6, foreach=False)


def own_loss(model, data, rows, kind):
    """The loss as transformers has it; XLNet one by one, for it reads padding's place."""
    parts = []
    for some in [rows] if kind != "xlnet" else [[i] for i in rows]:
        ids, mask, labels = padded(data, some)
        parts.append(model(ids, attention_mask=mask, labels=labels).loss)
    return torch.stack(parts).mean()


def own_logits(model, data, i):
    ids, mask, _ = padded(data, [i])
    return model(ids, attention_mask=mask).logits


@pytest.mark.parametrize(
    ("kind", "task"),
    [*((kind, "classification") for kind in FAMILIES), ("roberta", "regression")],
)
def test_twenty_updates_are_those_of_torch(kind, task):
    plan = TrainPlan(task=task, dropout=0.0, weight_decay=0.1, clip_norm=0.5)
    engine = an_engine([4], plan, kind=kind)
    model = a_model(kind, 4, labels=1 if task == "regression" else 3).train()
    oracle = an_oracle(model, plan)
    data = engine.task.data["train"]
    steps = [rows for epoch in range(4) for rows in orders([4], 40, 8, epoch)]
    assert len(steps) == 20
    for i, rows in enumerate(steps):
        rate = 2e-3 * (1 - i / len(steps))
        loss = own_loss(model, data, rows[0], kind)
        oracle.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), plan.clip_norm)
        for group in oracle.param_groups:
            group["lr"] = rate
        oracle.step()
        assert engine.step(rows, rate)[0] == pytest.approx(loss.item(), abs=1e-5), i
    ours = engine.export(0)
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(ours[name], parameter.detach(), rtol=0, atol=5e-5)


@pytest.mark.parametrize("kind", FAMILIES)
def test_evaluations_are_those_of_transformers_and_what_is_published_loads(kind, tmp_path):
    engine = an_engine([5], PLAN, kind=kind)
    train(engine, orders([5], 40, 8))
    save_file(engine.export(0), tmp_path / "model.safetensors", metadata={"format": "pt"})
    a_config(kind).save_pretrained(tmp_path)
    model, told = transformers.AutoModelForSequenceClassification.from_pretrained(
        tmp_path, output_loading_info=True
    )
    assert not told["missing_keys"]
    assert not told["unexpected_keys"]
    data = examples(17, 1)
    with torch.no_grad():
        logits = torch.cat([own_logits(model.eval(), data, i) for i in range(17)])
    labels = torch.tensor([own[0] for own in data.truth])
    found = engine.evaluate("validation")[0]
    loss = torch.nn.functional.cross_entropy(logits, labels).item()
    assert found["loss"] == pytest.approx(loss, abs=1e-6)
    assert found["accuracy"] == (logits.argmax(-1) == labels).double().mean().item()


def test_a_member_among_others_is_the_member_alone():
    seeds = [3, 8, 21]
    steps = [rows for epoch in range(8) for rows in orders(seeds, 40, 8, epoch)]
    together = an_engine(seeds, PLAN)
    before = torch.get_rng_state()
    curves = train(together, steps, rate=1e-2)
    assert torch.equal(before, torch.get_rng_state())
    for s, seed in enumerate(seeds):
        alone = an_engine([seed], PLAN)
        curve = train(alone, [[rows[s]] for rows in steps], rate=1e-2)
        assert [loss[0] for loss in curve] == [loss[s] for loss in curves]
        assert alone.evaluate("test")[0] == together.evaluate("test")[s]
        assert_same_bits(alone.export(0), together.export(s))
    assert sum(curve[0] for curve in curves[-5:]) < sum(curve[0] for curve in curves[:5]) - 1


@both_ways
@pytest.mark.parametrize("chunks", [3, 64])
def test_chunks_add_up_to_the_batch(make, chunks):
    plan = TrainPlan(dropout=0.0)
    steps = [rows for epoch in range(2) for rows in orders([0, 1], 37, 8, epoch)]
    expected = train(make([0, 1], plan, size=37), steps)
    parts = train(make([0, 1], plan, size=37), steps, chunks=chunks)
    for one, other in zip(expected, parts, strict=True):
        assert one == pytest.approx(other, abs=1e-5)


@both_ways
def test_a_state_is_all_that_a_continuation_needs(make, tmp_path):
    steps = [rows for epoch in range(2) for rows in orders([0, 5], 40, 8, epoch)]
    first = make([0, 5], PLAN)
    train(first, steps[:3])
    first.stop(1)
    train(first, steps[3:5])
    save_file(first.state(), tmp_path / "state.safetensors")
    second = make([7, 9], PLAN)
    second.load_state(load_file(tmp_path / "state.safetensors"))
    rest, again = train(first, steps[5:]), train(second, steps[5:])
    assert [losses[0] for losses in rest] == [losses[0] for losses in again]
    assert_same_bits(first.state(), second.state())


@both_ways
def test_a_member_that_stopped_stands_still_and_the_other_goes_on(make):
    plan = TrainPlan(dropout=0.0)
    engine, steps = make([0, 5], plan), orders([0, 5], 40, 8)
    train(engine, steps[:2])
    kept = engine.export(0)
    engine.stop(0)
    losses = train(engine, steps[2:])
    assert all(loss[0] != loss[0] for loss in losses)
    assert_same_bits(kept, engine.export(0))
    expected = [loss[1] for loss in train(make([0, 5], plan), steps)[2:]]
    assert [loss[1] for loss in losses] == pytest.approx(expected, abs=1e-6)


def test_without_memory_nothing_is_changed(monkeypatch):
    engine, untouched = an_engine([0, 5], PLAN), an_engine([0, 5], PLAN)
    steps = orders([0, 5], 40, 8)
    train(engine, steps[:1])
    train(untouched, steps[:1])
    whole, calls = engine.task.scores, []

    def full(model, split, rows):
        calls.append(rows)
        if len(calls) == 4:
            raise RuntimeError("DefaultCPUAllocator: not enough memory: you tried to allocate")
        return whole(model, split, rows)

    with monkeypatch.context() as patch:
        patch.setattr(engine.task, "scores", full)
        with pytest.raises(DeviceMemoryError):
            engine.step(steps[1], 1e-3, chunks=2)
    assert_same_bits(engine.state(), untouched.state())
    assert train(engine, steps[1:]) == train(untouched, steps[1:])


def test_an_evaluation_without_memory_takes_fewer_at_once(monkeypatch):
    engine = an_engine([0], PLAN)
    whole = engine.evaluate("test")
    scores = engine.task.scores

    def small(model, split, rows):
        if len(rows) > 4:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return scores(model, split, rows)

    monkeypatch.setattr(engine.task, "scores", small)
    found = engine.evaluate("test")[0]
    assert found["loss"] == pytest.approx(whole[0]["loss"], abs=1e-6)
    assert found["accuracy"] == whole[0]["accuracy"]
