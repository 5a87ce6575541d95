"""Damaged texts raise nothing; event files are in `test_event_damage.py`."""

import random

import pytest
from fakes import damage

from reportgen.read.logs import LOADERS

ROUNDS = 400


PRINTED = b"""\
2023-11-16 16:57:04 | INFO | valid | epoch 001 | valid on 'valid' subset | loss 1 | num_updates 225
"""
KINDS = {
    "trainer_state": ("trainer_state.json", b'{"log_history": [{"step": 1, "loss": 0.5}]}'),
    "hf_results": ("all_results.json", b'{"eval_accuracy": 0.5, "epoch": 1.0}'),
    "fairseq_log": ("a.log", PRINTED),
    "metrics_csv": ("metrics.csv", b"epoch,step,val_acc\n0,781,0.9\n1,1563,0.95\n"),
    "json_lines": ("a.jsonl", b'{"step": 1, "loss": 0.5}\n{"step": 2, "val": {"acc": 1}}\n'),
    "hparams_yaml": ("hparams.yaml", b"seed: 3\nlr: 1e-05\nnested:\n  a: 1\n"),
    "wandb_summary": ("wandb-summary.json", b'{"loss": 0.5, "val": {"acc": 1}, "_step": 3}'),
    "config_yaml": ("config.yaml", b"wandb_version: 1\nlr:\n  desc: null\n  value: 0.1\n"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_text_raises_nothing(tmp_path, kind):
    rng = random.Random(kind)
    name, content = KINDS[kind]
    load = LOADERS.load(kind)
    path = tmp_path / name
    for _ in range(ROUNDS):
        harmed = content
        for _ in range(rng.randrange(1, 4)):
            harmed = rng.choice(damage.ALL)(harmed, rng) or b"x"
        path.write_bytes(harmed)
        for log in load(path, name):
            assert log.source.size == len(harmed)
            points = sum(len(s) for s in log.series.values())
            assert log.source.points == points or log.source.points == len(log.results)
