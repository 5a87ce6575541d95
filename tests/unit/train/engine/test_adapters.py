"""Language models against transformers and PEFT, and adapters on one base against each alone."""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import peft
import pytest
import torch
import transformers
from fakes import classifiers
from fakes.classifiers import assert_same_bits, orders
from fakes.languages import LORA, a_bloom, a_job, an_adapter
from safetensors.torch import load_file, save_file

from reportgen.app.inspection import inspect
from reportgen.records.errors import EvidenceError, MissingExtraError, UsageError
from reportgen.records.job import Job
from reportgen.train.engine.assembly import assemble
from reportgen.train.engine.models import Adapters
from reportgen.train.engine.tokens import PROMPT

train = partial(classifiers.train, rate=1e-2)
pytestmark = pytest.mark.filterwarnings("ignore:.*is_gradient_checkpointing")


def steps_for(seeds, epochs, batch=8):
    return [rows for epoch in range(epochs) for rows in orders(seeds, 24, batch, epoch)]


class Plain:
    """What a person writes with transformers and PEFT: tokens with -100, the model's own loss."""

    def __init__(self, job: Job, seed: int, *, adapter: bool = True) -> None:
        start = job.members[0].start
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(start)
        self.model = transformers.AutoModelForCausalLM.from_pretrained(start)
        if adapter:
            values = json.loads(Path(job.members[0].adapter).read_text(encoding="utf-8"))
            torch.manual_seed(seed)
            self.model = peft.get_peft_model(self.model, peft.LoraConfig(**values))
        files = job.train.data.files
        self.rows = {
            split: [
                json.loads(line)
                for line in Path(files[split]).read_text(encoding="utf-8").splitlines()
            ]
            for split in files
        }

    def batch(self, split, rows):
        """Ids, mask and labels; prompt and answer are tokenised apart."""
        pairs = []
        for i in rows:
            row = self.rows[split][i]
            prompt, answer = PROMPT.format(text=row["question"], label="\0").split("\0")
            head = self.tokenizer(prompt)["input_ids"]
            tail = self.tokenizer(row["answer"] + answer)["input_ids"]
            pairs.append((head, [*tail, self.tokenizer.eos_token_id]))
        width = max(len(head + tail) for head, tail in pairs)
        fill = [width - len(head + tail) for head, tail in pairs]
        parts = [zip(pairs, fill, strict=True) for _ in range(3)]
        ids = [head + tail + [3] * n for (head, tail), n in parts[0]]
        mask = [[1] * len(head + tail) + [0] * n for (head, tail), n in parts[1]]
        labels = [[-100] * len(head) + tail + [-100] * n for (head, tail), n in parts[2]]
        return [torch.tensor(part) for part in (ids, mask, labels)]

    def loss(self, split, rows):
        ids, mask, labels = self.batch(split, rows)
        return self.model(input_ids=ids, attention_mask=mask, labels=labels).loss


@pytest.mark.parametrize("adapter", [True, False])
def test_twenty_updates_are_those_of_transformers_and_peft(tmp_path, adapter):
    job = a_job(tmp_path, [3], adapter=None if adapter else "", clip_norm=0.5)
    engine = assemble(job).engine
    plain = Plain(job, 3, adapter=adapter)
    model = plain.model.train()
    named = {n: p for n, p in model.named_parameters() if p.requires_grad}
    decayed = [n for n in named if not n.endswith("bias") and "norm" not in n and "ln_" not in n]
    groups = [
        {"params": [named[n] for n in decayed], "weight_decay": 0.1},
        {"params": [named[n] for n in named if n not in decayed], "weight_decay": 0.0},
    ]
    oracle = torch.optim.AdamW(groups, betas=(0.9, 0.98), eps=1e-6, foreach=False)
    steps = steps_for([3], 7)[:20]
    for i, rows in enumerate(steps):
        rate = 1e-2 * (1 - i / len(steps))
        loss = plain.loss("train", rows[0])
        oracle.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(named.values(), 0.5)
        for group in oracle.param_groups:
            group["lr"] = rate
        oracle.step()
        assert engine.step(rows, rate)[0] == pytest.approx(loss.item(), abs=1e-5), i
    ours = engine.export(0)
    theirs = peft.get_peft_model_state_dict(model) if adapter else dict(model.named_parameters())
    assert ours.keys() == theirs.keys()
    for name, tensor in theirs.items():
        torch.testing.assert_close(ours[name], tensor.detach(), rtol=0, atol=1e-4)


def test_evaluation_is_over_the_tokens_of_answers(tmp_path):
    job = a_job(tmp_path, [3])
    found = assemble(job).engine.evaluate("validation")[0]
    plain = Plain(job, 3)
    ids, mask, labels = plain.batch("validation", range(7))
    with torch.no_grad():
        out = plain.model.eval()(input_ids=ids, attention_mask=mask, labels=labels)
    wanted = labels[:, 1:] != -100
    right = out.logits[:, :-1].argmax(-1)[wanted] == labels[:, 1:][wanted]
    assert found["loss"] == pytest.approx(out.loss.item(), abs=1e-6)
    assert found["accuracy"] == right.double().mean().item()


@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_adapters_on_one_base_are_each_alone(tmp_path, dropout):
    adapter = an_adapter(tmp_path / "lora", lora_dropout=dropout)
    job = a_job(tmp_path, [3, 11], adapter=adapter)
    built = assemble(job)
    both = built.engine
    assert both.models.select(0) is both.models.select(1)
    steps = steps_for([3, 11], 3)
    curves = train(both, steps)
    for s, member in enumerate(job.members):
        alone = assemble(replace(job, members=(member,))).engine
        curve = train(alone, [[rows[s]] for rows in steps])
        assert [loss[0] for loss in curve] == [loss[s] for loss in curves]
        assert_same_bits(alone.export(0), both.export(s))
        assert alone.evaluate("test")[0] == both.evaluate("test")[s]
    names = both.export(0)
    assert any(not torch.equal(tensor, both.export(1)[name]) for name, tensor in names.items())


def test_a_state_is_all_that_a_continuation_needs(tmp_path):
    adapter = an_adapter(tmp_path / "lora", lora_dropout=0.3)
    job = a_job(tmp_path, [3, 11], adapter=adapter)
    steps = steps_for([3, 11], 3)
    first = assemble(job).engine
    train(first, steps[:4])
    save_file(first.state(), tmp_path / "state.safetensors")
    members = tuple(replace(member, seed=member.seed + 50) for member in job.members)
    second = assemble(replace(job, members=members)).engine
    second.load_state(load_file(tmp_path / "state.safetensors"))
    assert train(first, steps[4:]) == train(second, steps[4:])
    assert_same_bits(first.state(), second.state())


@pytest.mark.parametrize("bias", ["none", "lora_only"])
def test_what_is_published_loads_with_peft(tmp_path, bias):
    job = a_job(tmp_path, [3, 11], adapter=an_adapter(tmp_path / "lora", bias=bias))
    built = assemble(job)
    train(built.engine, steps_for([3, 11], 2))
    found = built.engine.evaluate("validation")
    plain = Plain(job, 0, adapter=False)
    ids, mask, labels = plain.batch("validation", range(7))
    for member in range(2):
        folder = tmp_path / f"published{member}"
        folder.mkdir()
        save_file(built.engine.export(member), folder / built.weights_name)
        (folder / built.config_name).write_text(json.dumps(dict(built.config)), encoding="utf-8")
        base = transformers.AutoModelForCausalLM.from_pretrained(job.members[0].start)
        model = peft.PeftModel.from_pretrained(base, folder).eval()
        with torch.no_grad():
            loss = model(input_ids=ids, attention_mask=mask, labels=labels).loss.item()
        assert found[member]["loss"] == pytest.approx(loss, abs=1e-6)
    assert (built.weights_name, built.config_name) == (
        "adapter_model.safetensors",
        "adapter_config.json",
    )
    assert built.config["base_model_name_or_path"] == job.members[0].start


def test_a_whole_model_is_published_without_its_tied_head(tmp_path):
    built = assemble(a_job(tmp_path, [3], adapter=""))
    train(built.engine, steps_for([3], 1))
    folder = tmp_path / "published"
    folder.mkdir()
    save_file(built.engine.export(0), folder / built.weights_name, metadata={"format": "pt"})
    (folder / built.config_name).write_text(json.dumps(dict(built.config)), encoding="utf-8")
    model, told = transformers.AutoModelForCausalLM.from_pretrained(
        folder, output_loading_info=True
    )
    assert not told["missing_keys"]
    assert not told["unexpected_keys"]
    assert "lm_head.weight" not in built.engine.export(0)
    plain = Plain(a_job(tmp_path, [3], start=str(tmp_path / "bloom")), 3, adapter=False)
    plain.model = model.eval()
    with torch.no_grad():
        loss = plain.loss("validation", range(7)).item()
    assert built.engine.evaluate("validation")[0]["loss"] == pytest.approx(loss, abs=1e-6)


@pytest.mark.parametrize(
    "changes",
    [{}, {"r": 3, "target_modules": "all-linear"}, {"use_dora": True}, {"bias": "lora_only"}],
)
def test_the_count_is_pefts_and_inspects(tmp_path, changes):
    job = a_job(tmp_path, [3], adapter=an_adapter(tmp_path / "lora", **changes))
    built = assemble(job)
    ours = sum(p.numel() for p in built.engine.models.weights(0).values())
    assert ours == built.engine.models.select(0).get_nb_trainable_parameters()[0]
    folder = tmp_path / "published"
    folder.mkdir()
    (folder / built.config_name).write_text(json.dumps(dict(built.config)), encoding="utf-8")
    found = inspect(folder / built.config_name, base=Path(job.members[0].start) / "config.json")
    assert found["trainable_parameters"] == ours


def test_bloom_560m_trains_what_the_published_figure_says():
    config = transformers.BloomConfig(
        vocab_size=250_880, hidden_size=1024, n_layer=24, n_head=16, use_cache=False
    )
    lora = {**LORA, "r": 16, "lora_alpha": 32, "lora_dropout": 0.05}
    with torch.device("meta"):
        base = transformers.BloomForCausalLM(config)
        models = Adapters([base, base], [lora, lora], [1, 2])
    for member in range(2):
        own = models.weights(member)
        assert sum(p.numel() for p in own.values()) == 1_572_864
    assert models.select(1).get_nb_trainable_parameters()[0] == 1_572_864


def test_other_starts_have_other_bases(tmp_path):
    job = a_job(tmp_path, [3, 11])
    other = str(a_bloom(tmp_path / "other", seed=9))
    members = (job.members[0], replace(job.members[1], start=other))
    both = assemble(replace(job, members=members)).engine
    alone = assemble(replace(job, members=members[1:])).engine
    assert both.evaluate("test")[1] == alone.evaluate("test")[0]
    assert both.evaluate("test")[0] != both.evaluate("test")[1]


def test_a_random_base_is_each_members_own(tmp_path):
    folder = a_bloom(tmp_path / "bloom")
    job = a_job(tmp_path, [3, 11], start="random", config=str(folder / "config.json"))
    both = assemble(job)
    alone = assemble(replace(job, members=job.members[1:]))
    assert both.engine.evaluate("test")[1] == alone.engine.evaluate("test")[0]
    assert any("drawn under seed 11" in note for note in both.notes)


def test_dropout_in_the_plan_is_told_to_be_the_adapters(tmp_path):
    built = assemble(a_job(tmp_path, [3], dropout=0.2))
    assert any("lora_dropout" in note for note in built.notes)
    dropped = [m.p for m in built.engine.models.select(0).modules()
               if isinstance(m, torch.nn.Dropout)]  # fmt: skip
    assert set(dropped) == {0.0}


@pytest.mark.parametrize(
    ("changes", "kind", "words"),
    [
        ({"lora_alfa": 3}, EvidenceError, "PEFT refuses the adapter.*'lora_alfa'"),
        ({"peft_type": "LOHA"}, UsageError, "no LoRA adapter"),
        ({"task_type": "SEQ_CLS"}, UsageError, "task_type 'SEQ_CLS'"),
        ({"init_lora_weights": "pissa"}, UsageError, "init_lora_weights 'pissa'"),
        ({"target_modules": ["nowhere"]}, EvidenceError, "PEFT refuses the adapter"),
        ({"r": 0}, EvidenceError, "PEFT refuses the adapter"),
    ],
)
def test_an_adapter_that_cannot_be_trained_is_refused(tmp_path, changes, kind, words):
    job = a_job(tmp_path, [3], adapter=an_adapter(tmp_path / "lora", **changes))
    with pytest.raises(kind, match=words):
        assemble(job)


def test_an_unknown_key_that_says_nothing_is_left_out(tmp_path):
    job = a_job(tmp_path, [3], adapter=an_adapter(tmp_path / "lora", from_tomorrow=None))
    assert "from_tomorrow" not in assemble(job).config


def test_nf4_without_a_gpu_says_what_is_missing(tmp_path, monkeypatch):
    job = a_job(tmp_path, [3], quantize="nf4")
    with pytest.raises(UsageError, match=r"needs an NVIDIA GPU with CUDA.*cpu") as caught:
        assemble(job)
    assert 'quantize = "none"' in caught.value.remedy
    # Only the absence itself is made up: the machine that runs this has neither.
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr("reportgen.train.engine.models.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match="needs bitsandbytes") as missing:
        assemble(replace(job, device="cuda"))
    assert 'pip install "bitsandbytes' in missing.value.remedy


def test_what_does_not_go_together_is_refused(tmp_path):
    with pytest.raises(UsageError, match="trains no adapter"):
        assemble(a_job(tmp_path, [3], adapter="", quantize="nf4"))
    job = a_job(tmp_path / "mixed", [3, 11])
    members = (job.members[0], replace(job.members[1], adapter=""))
    with pytest.raises(UsageError, match="some groups"):
        assemble(replace(job, members=members))


def test_a_tokenizer_of_another_model_is_refused(tmp_path):
    start = a_bloom(tmp_path / "bloom", vocab_size=50)
    with pytest.raises(EvidenceError, match="the model knows 50 ids"):
        assemble(a_job(tmp_path, [3], start=str(start)))
