"""Models of other families against transformers and torch, and members against themselves alone."""

from __future__ import annotations

import json

import pytest
import torch
import transformers
from fakes.classifiers import CLASSES, LONGEST, VOCABULARY, examples, orders, padded
from fakes.engines import assert_same_bits, train
from fakes.languages import a_tokenizer
from safetensors.torch import load_file, save_file

from reportgen.errors import EvidenceError
from reportgen.records.job import Job, Member
from reportgen.records.training import DataPlan, TrainPlan
from reportgen.training import module
from reportgen.training._data import Tokenised
from reportgen.training._engine import DeviceMemoryError
from reportgen.training._module_models import spared
from reportgen.training.assembly import assemble
from reportgen.training.module import classifier_engine
from reportgen.training.starts import Started

SIZES = {"vocab_size": VOCABULARY, "num_labels": CLASSES, "pad_token_id": 1}
FAMILIES = {
    "distilbert": {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 20},
    "electra": {
        "embedding_size": 12,
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 20,
    },
    "deberta-v2": {
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 20,
        "relative_attention": True,
        "pos_att_type": ["c2p", "p2c"],
        "position_buckets": 8,
        "type_vocab_size": 0,
    },
    "gpt2": {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": LONGEST},
    "xlnet": {"d_model": 16, "n_layer": 2, "n_head": 2, "d_inner": 20},
}
PLAN = TrainPlan(dropout=0.1, weight_decay=0.1, batch_size=8)


def a_config(kind, dropout=0.0):
    config = transformers.AutoConfig.for_model(kind, **SIZES, **FAMILIES[kind])
    config.problem_type = "single_label_classification"
    for name in ("dropout", "attention_dropout", "seq_classif_dropout", "hidden_dropout_prob",
                 "attention_probs_dropout_prob", "resid_pdrop", "embd_pdrop", "attn_pdrop",
                 "summary_last_dropout"):  # fmt: skip
        if hasattr(config, name):
            setattr(config, name, dropout)
    return config


def a_model(kind, seed, dropout=0.0):
    torch.manual_seed(seed)
    return transformers.AutoModelForSequenceClassification.from_config(
        a_config(kind, dropout)
    ).eval()


def a_start(kind, seed, dropout=0.0):
    model = a_model(kind, seed, dropout)
    config = json.loads(model.config.to_json_string(use_diff=False))
    if kind == "gpt2":  # it was published without one
        config["pad_token_id"] = None
    return Started(config=config, state={n: t.detach() for n, t in model.state_dict().items()})


def an_engine(seeds, plan, *, kind="distilbert", size=40):
    data = {
        split: examples(count, seed)
        for seed, (split, count) in enumerate({"train": size, "validation": 17, "test": 23}.items())
    }
    started = [a_start(kind, seed, plan.dropout) for seed in seeds]
    return classifier_engine(started, seeds, data, plan, "cpu")


def an_oracle(model, plan):
    """torch's own AdamW with the parameter groups of transformers' Trainer."""
    named = dict(model.named_parameters())
    norms = transformers.trainer_pt_utils.get_parameter_names(model, [torch.nn.LayerNorm])
    decayed = [n for n in norms if not n.endswith("bias")]
    groups = [
        {"params": [named[n] for n in decayed], "weight_decay": plan.weight_decay},
        {"params": [named[n] for n in named if n not in decayed], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, betas=(0.9, 0.98), eps=1e-6, foreach=False)


@pytest.mark.parametrize("kind", FAMILIES)
def test_twenty_updates_are_those_of_torch(kind):
    plan = TrainPlan(dropout=0.0, weight_decay=0.1, clip_norm=0.5)
    engine = an_engine([4], plan, kind=kind)
    model = a_model(kind, 4).train()
    oracle = an_oracle(model, plan)
    data = examples(40, 0)
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


def own_loss(model, data, rows, kind):
    """The loss as transformers has it; XLNet one by one, for it reads padding's place."""
    if kind != "xlnet":
        ids, mask, labels = padded(data, rows)
        return model(ids, attention_mask=mask, labels=labels).loss
    parts = []
    for i in rows:
        ids, mask, labels = padded(data, [i])
        parts.append(model(ids, attention_mask=mask, labels=labels).loss)
    return torch.stack(parts).mean()


def own_logits(model, data, i):
    ids, mask, _ = padded(data, [i])
    return model(ids, attention_mask=mask).logits


@pytest.mark.parametrize("kind", FAMILIES)
def test_decay_spares_what_the_trainer_spares(kind):
    model = a_model(kind, 0)
    norms = transformers.trainer_pt_utils.get_parameter_names(model, [torch.nn.LayerNorm])
    decayed = {name for name in norms if not name.endswith("bias")}
    assert {n for n, _ in model.named_parameters()} - decayed == spared(model)


def test_a_member_among_others_is_the_member_alone():
    seeds = [3, 8, 21]
    steps = [rows for epoch in range(8) for rows in orders(seeds, 40, 8, epoch)]
    together = an_engine(seeds, PLAN)
    curves = train(together, steps, rate=1e-2)
    for s, seed in enumerate(seeds):
        alone = an_engine([seed], PLAN)
        curve = train(alone, [[rows[s]] for rows in steps], rate=1e-2)
        assert [loss[0] for loss in curve] == [loss[s] for loss in curves]
        assert alone.evaluate("test")[0] == together.evaluate("test")[s]
        assert_same_bits(alone.export(0), together.export(s))
    assert sum(curve[0] for curve in curves[-5:]) < sum(curve[0] for curve in curves[:5]) - 1


def test_dropout_is_each_members_own_and_leaves_the_process_alone():
    start = a_start("distilbert", 0, 0.1)
    data = {"train": examples(40)}
    engine = classifier_engine([start, start], [1, 2], data, PLAN, "cpu")
    before = torch.get_rng_state()
    one, other = engine.step([list(range(8))] * 2, 1e-3)
    assert one != other
    assert torch.equal(before, torch.get_rng_state())


def test_the_start_is_left_as_it_was():
    start = a_start("distilbert", 0)
    kept = {name: tensor.clone() for name, tensor in start.state.items()}
    engine = classifier_engine([start], [0], {"train": examples(40)}, PLAN, "cpu")
    engine.step([list(range(8))], 0.1)
    assert_same_bits(start.state, kept)
    assert not torch.equal(engine.export(0)["classifier.weight"], kept["classifier.weight"])


@pytest.mark.parametrize("kind", FAMILIES)
def test_evaluations_are_those_of_transformers(kind, monkeypatch):
    engine = an_engine([5], PLAN, kind=kind)
    data, model = examples(17, 1), a_model(kind, 5)
    with torch.no_grad():
        logits = torch.cat([own_logits(model, data, i) for i in range(17)])
    labels = torch.tensor(data.labels)
    for budget in (8192, 60):
        monkeypatch.setattr(module, "_BUDGET", budget)
        found = engine.evaluate("validation")[0]
        loss = torch.nn.functional.cross_entropy(logits, labels).item()
        assert found.loss == pytest.approx(loss, abs=1e-6)
        assert found.accuracy == (logits.argmax(-1) == labels).double().mean().item()
        assert found.examples == 17


@pytest.mark.parametrize("chunks", [2, 3, 8, 64])
def test_chunks_add_up_to_the_batch(chunks):
    plan = TrainPlan(dropout=0.0)
    steps = [rows for epoch in range(2) for rows in orders([0, 1], 37, 8, epoch)]
    expected = train(an_engine([0, 1], plan, size=37), steps)
    parts = train(an_engine([0, 1], plan, size=37), steps, chunks=chunks)
    for one, other in zip(expected, parts, strict=True):
        assert one == pytest.approx(other, abs=1e-5)


def test_a_state_is_all_that_a_continuation_needs(tmp_path):
    steps = [rows for epoch in range(2) for rows in orders([0, 5], 40, 8, epoch)]
    first = an_engine([0, 5], PLAN)
    train(first, steps[:3])
    first.stop(1)
    train(first, steps[3:5])
    save_file(first.state(), tmp_path / "state.safetensors")
    second = an_engine([7, 9], PLAN)
    second.load_state(load_file(tmp_path / "state.safetensors"))
    rest, again = train(first, steps[5:]), train(second, steps[5:])
    assert [losses[0] for losses in rest] == [losses[0] for losses in again]
    assert_same_bits(first.state(), second.state())


def test_a_member_that_stopped_stands_still():
    engine = an_engine([0, 5], PLAN)
    steps = orders([0, 5], 40, 8)
    train(engine, steps[:2])
    kept = engine.export(0)
    engine.stop(0)
    losses = train(engine, steps[2:])
    assert all(loss[0] != loss[0] and loss[1] == loss[1] for loss in losses)
    assert_same_bits(kept, engine.export(0))


def test_a_member_that_diverges_touches_no_other():
    starts = [a_start("distilbert", seed) for seed in (0, 5)]
    starts[0].state["classifier.bias"].fill_(float("nan"))
    data = {"train": examples(40)}
    both = classifier_engine(starts, [0, 5], data, PLAN, "cpu")
    alone = classifier_engine(starts[1:], [5], data, PLAN, "cpu")
    steps = orders([0, 5], 40, 8)
    losses = train(both, steps)
    assert all(loss[0] != loss[0] for loss in losses)
    assert [loss[1] for loss in losses] == [x[0] for x in train(alone, [r[1:] for r in steps])]


def test_without_memory_nothing_is_changed(monkeypatch):
    engine, untouched = an_engine([0, 5], PLAN), an_engine([0, 5], PLAN)
    steps = orders([0, 5], 40, 8)
    train(engine, steps[:1])
    train(untouched, steps[:1])
    whole, calls = engine._task.scores, []

    def full(model, split, rows):
        calls.append(rows)
        if len(calls) == 4:
            raise RuntimeError("DefaultCPUAllocator: not enough memory: you tried to allocate")
        return whole(model, split, rows)

    with monkeypatch.context() as patch:
        patch.setattr(engine._task, "scores", full)
        with pytest.raises(DeviceMemoryError):
            engine.step(steps[1], 1e-3, chunks=2)
    assert_same_bits(engine.state(), untouched.state())
    assert train(engine, steps[1:]) == train(untouched, steps[1:])


def test_an_evaluation_without_memory_takes_fewer_at_once(monkeypatch):
    engine = an_engine([0], PLAN)
    whole = engine.evaluate("test")
    scores = engine._task.scores

    def small(model, split, rows):
        if len(rows) > 4:
            raise torch.OutOfMemoryError("CUDA out of memory")
        return scores(model, split, rows)

    monkeypatch.setattr(engine._task, "scores", small)
    found = engine.evaluate("test")
    assert found[0].loss == pytest.approx(whole[0].loss, abs=1e-6)
    assert found[0].accuracy == whole[0].accuracy


@pytest.mark.parametrize("kind", FAMILIES)
def test_what_is_published_loads(kind, tmp_path):
    engine = an_engine([2], PLAN, kind=kind)
    train(engine, orders([2], 40, 8))
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
    labels = torch.tensor(data.labels)
    loss = torch.nn.functional.cross_entropy(logits, labels).item()
    assert engine.evaluate("validation")[0].loss == pytest.approx(loss, abs=1e-6)


def test_a_padding_token_beyond_the_model_is_refused():
    far = Tokenised(ids=([2, 5],), labels=(0,), pad=VOCABULARY)
    with pytest.raises(EvidenceError, match=f"the model knows {VOCABULARY} ids"):
        classifier_engine([a_start("gpt2", 0)], [0], {"train": far}, PLAN, "cpu")


def test_a_decoder_is_published_with_its_padding_token(tmp_path):
    config = transformers.GPT2Config(vocab_size=300, n_embd=16, n_layer=1, n_head=2)
    transformers.GPT2ForSequenceClassification(config).save_pretrained(tmp_path / "gpt2")
    pad = a_tokenizer(tmp_path / "gpt2").pad_token_id
    (tmp_path / "all.csv").write_text("text,label\ngood,1\nquite bad,0\n", encoding="utf-8")
    files = dict.fromkeys(("train", "validation"), str(tmp_path / "all.csv"))
    member = Member(group="g", seed=1, start=str(tmp_path / "gpt2"), place="g/1", key="k")
    plan = TrainPlan(data=DataPlan(files=files), dropout=0.0)
    built = assemble(Job(id="j", members=(member,), train=plan))
    assert built.engine.name == "module"
    assert built.config["pad_token_id"] == pad
    assert built.engine.step([[0, 1]], 1e-3)[0] > 0
