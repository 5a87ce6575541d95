"""The lab's own case: fairseq's RoBERTa, its tokenizer and files of texts, 22.8 million weights."""

import json
import math
import os
import random
import shutil
import time
from collections import Counter
from pathlib import Path

import pytest
from fakes import grid_study as grid
from fakes.command import reportgen
from fakes.killed import digests
from fakes.rows import rows_beside

TABLES = rows_beside(__file__)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("REPORTGEN_LAB"), reason="REPORTGEN_LAB=1 runs it"),
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="reads memory in /proc"),
]

GROUP = "sentence_prediction/books/RoBERTa_small_fr_ms8_mu3125_lr1e-05_me5"
WORDS = 32_000
BATCH, EPOCHS = 8, 5
ROWS = {"train": 80, "validation": 16, "test": 16}
HEAD = 512 * 512 + 512 + 512 * 2 + 2
STEPS = EPOCHS * ROWS["train"] // BATCH
TRAIN = TABLES["train"]


def make_words(chance: random.Random, count: int) -> list[str]:
    """Return made-up words of two to four syllables, among them some with accents."""
    syllables = [a + b for a in "bcdfglmnprstv" for b in ("a", "e", "é", "i", "o", "u", "ou", "an")]
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(chance.choices(syllables, k=chance.randint(2, 4)))] = None
    return list(found)


def make_tokenizer(folder: Path, texts: list[str]) -> None:
    """Write a sentencepiece model, and the dictionary as `fairseq-preprocess` would."""
    import sentencepiece

    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(texts),
        model_prefix=str(folder / "spm"),
        vocab_size=WORDS,
        model_type="bpe",
        hard_vocab_limit=False,
        minloglevel=2,
    )
    own = sentencepiece.SentencePieceProcessor(model_file=str(folder / "spm.model"))
    counted = Counter(piece for pieces in own.encode(texts, out_type=str) for piece in pieces)
    special = 4
    kept = counted.most_common(WORDS - special - 1)  # and <mask>
    lines = [f"{piece} {count}" for piece, count in kept]
    lines += [f"madeupword{number:04} 0" for number in range(WORDS - special - 1 - len(kept))]
    (folder / "dict.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def make_checkpoint(lab: Path, path: Path) -> None:
    """Write weights as fairseq names and shapes them."""
    import torch

    torch.manual_seed(1)
    listed = json.loads((lab / "model" / "tensors.json").read_text())["tensors"]
    state = {}
    for tensor in listed:
        name, shape = tensor["name"], tensor["shape"]
        norm = "norm" in name and name.endswith("weight")
        drawn = torch.ones(shape) if norm else torch.randn(shape) * 0.02
        state[name] = torch.zeros(shape) if name.endswith("bias") else drawn
    settings = {"encoder_attention_heads": 8, "activation_fn": "gelu", "arch": "roberta_small"}
    torch.save({"args": None, "cfg": {"model": settings}, "model": state}, path)


@pytest.fixture(scope="module")
def study(lab, tmp_path_factory):
    home = tmp_path_factory.mktemp("lab") / "g"
    shutil.copytree(lab / "logs", home / "logs", ignore=shutil.ignore_patterns("huggingface"))
    shutil.rmtree(home / "logs" / GROUP / "1")
    (home / "model").mkdir()
    (home / "data").mkdir()
    shutil.copy(lab / "model" / "config.json", home / "model" / "config.json")
    make_checkpoint(lab, home / "model" / "model.pt")
    chance = random.Random(1)
    words = make_words(chance, 30_000)
    texts = [" ".join(chance.choices(words, k=chance.randint(10, 200))) for _ in range(6000)]
    make_tokenizer(home / "model", texts)
    for split, name in (("train", "train"), ("validation", "valid"), ("test", "test")):
        count = ROWS[split]
        few = texts[:count]
        texts = texts[count:]
        (home / "data" / f"{name}.text").write_text("\n".join(few) + "\n", encoding="utf-8")
        labels = "\n".join(str(number % 2) for number in range(count))
        (home / "data" / f"{name}.label").write_text(f"{labels}\n")
    (home / "study.toml").write_text(
        '[runs]\npath = "logs"\n\n[groups.pretrained]\n'
        'match = "*/RoBERTa_small_fr_ms8_*"\nseeds = [0, 1, 2]\nstart = "model/model.pt"\n\n'
        '[groups.random]\nmatch = "*/RoBERTa_small_fr_random_ms8_*"\nseeds = [0, 1, 2]\n'
        'start = "random"\n\n[splits.names]\nvalid = "validation"\n\n[splits.sizes]\n'
        + "".join(f"{split} = {count}\n" for split, count in ROWS.items())
        + TRAIN
    )
    return home / "study.toml"


def peak_of(pids: list[int]) -> int:
    """Return the most memory that one of these processes ever had, in MiB."""
    peaks = [0]
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines()
        except OSError:
            continue
        peaks += [int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM")]
    return max(peaks)


def test_the_labs_missing_cell(study, record_property):
    from safetensors.numpy import load_file

    home = study.parent
    reruns = home / "reruns"
    logs = digests(home / "logs")
    # Its data are others than the logs': the repeated run cannot be near, and need not be here.
    process = grid.start("rerun", study, "--yes", "--accept-drift", cwd=home)
    peak = 0
    while process.poll() is None:
        peak = max(peak, peak_of(grid.trainers(reruns)))
        time.sleep(0.2)
    out, err = process.communicate()
    assert process.returncode == 0, out + err
    assert digests(home / "logs") == logs
    (place, record) = next(iter(grid.records(reruns).items()))
    assert place == f"{GROUP}/1"
    record_property("ms_per_step", round(record["seconds"] / STEPS * 1000))
    record_property("peak_mib", peak)
    assert peak < 4096

    # The lab's 22,829,056 of the encoder (one table of word types more), and a head.
    weights = load_file(reruns / place / "model.safetensors")
    assert sum(value.size for value in weights.values()) == 22_829_056 + 512 + HEAD

    found = grid.curves(reruns / place)
    grid.assert_whole(reruns / place)
    assert {"train/loss", "train_inner/lr", "valid/loss", "valid/accuracy", "test/accuracy"} <= set(
        found
    )
    values = grid.values(found)
    assert all(math.isfinite(value) for points in values.values() for _, value in points)
    # fairseq's units: the loss of a coin is one bit, and accuracy is a percentage.
    assert 0.5 < values["valid/loss"][0][1] < 2
    assert [step for step, _ in values["valid/accuracy"]] == [
        STEPS // EPOCHS * n for n in range(1, EPOCHS + 1)
    ]
    assert all(value % (100 / ROWS["validation"]) < 1e-3 for _, value in values["valid/accuracy"])
    assert max(value for _, value in values["valid/accuracy"]) > 1

    done = reportgen("build", study, "--out", "o/report.json", "--format", "json", cwd=home)
    assert done.code == 0, done.err
    groups = {g["name"]: g for g in json.loads((home / "o" / "report.json").read_bytes())["groups"]}
    runs = {run["seed"]: run for run in groups["pretrained"]["runs"]}
    assert runs[1]["rerun"] is not None
    plan = json.loads(reportgen("plan", study, "--json", cwd=home).out)
    cells = {(cell["group"], cell["seed"]): cell for cell in plan["cells"]}
    assert cells["pretrained", 1]["state"] == "done"
