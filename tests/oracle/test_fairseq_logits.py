"""Logits of converted checkpoints, against those that fairseq itself computed."""

import json

import pytest

from reportgen.records.study import TrainPlan
from reportgen.train.engine.starts import load_start

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


@pytest.mark.parametrize("attention", ["eager", "sdpa"])
@pytest.mark.parametrize("name", ["current", "old"])
def test_the_logits_are_those_of_fairseq(project, name, attention):
    folder = project / "tests" / "oracle" / "fairseq"
    stored = json.loads((folder / "logits.json").read_text())
    found = load_start(str(folder / f"{name}.pt"), TrainPlan(), 0, ("0", "1", "2"))
    config = transformers.RobertaConfig.from_dict(found.config, attn_implementation=attention)
    model = transformers.RobertaForSequenceClassification(config).eval()
    model.load_state_dict(found.state)
    tokens = torch.tensor(stored["tokens"])
    with torch.no_grad():
        logits = model(tokens, attention_mask=tokens.ne(1).long()).logits
    expected = torch.tensor(stored[name])
    assert (logits - expected).abs().max() < 1e-5
    # What the oracle is worth: the numbers of one example are not those of another.
    assert (expected[0] - expected[1]).abs().max() > 0.1
