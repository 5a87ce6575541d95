"""The record of one re-run, with every field set."""

from reportgen.records.run import Rerun

FINISHED = Rerun(
    key="0123456789abcdef0123",
    group="pretrained",
    seed=1,
    device="CPU, x86_64, 1 thread",
    date="2026-01-02T03:04:05+00:00",
    versions={"torch": "2.13"},
    engine="module, 1",
    settings={"prompt": "{text}", "epochs": "5"},
    notes=("a halved batch",),
    seconds=12.5,
    sha256={"model.safetensors": "0" * 64},
)
