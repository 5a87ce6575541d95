"""The ledger page against a whole fairseq checkpoint of the lab's model, in every format."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from fakes.checkpoint_file import archive, pickled, table, tensor
from fakes.command import reportgen
from fakes.readback import html_text, latex_text, markdown_text, number_counts, pdf_text

EMBEDDING = "encoder.sentence_encoder.embed_tokens.weight"
POSITIONS = "encoder.sentence_encoder.embed_positions.weight"


def shapes_of(lab: Path) -> dict[str, tuple[int, ...]]:
    """Return the tensors of the lab's model, a tied one without a storage of its own."""
    content = json.loads((lab / "model" / "tensors.json").read_bytes())
    return {entry["name"]: tuple(entry["shape"]) for entry in content["tensors"]}


def write_fairseq(path: Path, shapes: dict[str, tuple[int, ...]]) -> None:
    """Write what fairseq saves: arguments, the model, and the tied projection as a second name."""
    keys = {name: str(place) for place, name in enumerate(shapes)}
    keys["encoder.lm_head.weight"] = keys.get(EMBEDDING, keys["encoder.lm_head.weight"])
    sizes: dict[str, int] = {}
    tensors = {}
    for name, shape in shapes.items():
        count = 1
        for size in shape:
            count *= size
        sizes[keys[name]] = 4 * count
        tensors[name] = tensor(shape, key=keys[name], numel=count)
    content = pickled(table({"model": table(tensors)}))
    path.write_bytes(archive(content, storages=tuple(sizes.items())))


def built(lab: Path, folder: Path, shapes: dict[str, tuple[int, ...]], out: str) -> dict[str, Any]:
    model = folder / "model"
    model.mkdir()
    (model / "config.json").write_bytes((lab / "model" / "config.json").read_bytes())
    write_fairseq(model / "checkpoint_best.pt", shapes)
    done = reportgen(
        *("build", "--runs", lab / "logs", "--checkpoint", "model", "--out", out), cwd=folder
    )
    assert done.code == 0, done.err
    return json.loads((folder / "out" / "report.json").read_bytes())


def differing(report: dict[str, Any]) -> dict[str, dict[str, Any]]:
    absent = {"embeddings.token_type", "pooler"}
    rows = {row["name"]: row for row in report["model"]["terms"]}
    return {n: r for n, r in rows.items() if r["difference"] and n not in absent}


def test_every_row_agrees_in_every_format(lab, tmp_path):
    report = built(lab, tmp_path, shapes_of(lab), "out/report.pdf")
    assert report["model"]["stored_parameters"] == 23_388_418
    assert differing(report) == {}
    ledger = next(t for t in report["tables"] if t["id"] == "table.ledger")
    rows = [" ".join(map(str, row)) for row in ledger["rows"]]
    wanted = number_counts(" ".join(n for row in rows for n in re.findall(r"\d[\d,]{3,}", row)))
    out = tmp_path / "out"
    texts = {
        "pdf": pdf_text(out / "report.pdf"),
        "tex": latex_text((out / "report.tex").read_text()),
        "md": markdown_text((out / "report.md").read_text()),
        "html": html_text((out / "report.html").read_text()),
    }
    for name, text in texts.items():
        assert not wanted - number_counts(text), name


CHANGES = {
    "a tensor is gone": (lambda shapes: shapes.pop(POSITIONS), "embeddings.position"),
    "a tensor has another shape": (
        lambda shapes: shapes.update({POSITIONS: (514, 512)}),
        "embeddings.position",
    ),
    "a bias is gone": (
        lambda shapes: shapes.pop("encoder.sentence_encoder.layers.2.fc1.bias"),
        "ffn.bias",
    ),
}


@pytest.mark.parametrize(("change", "term"), CHANGES.values(), ids=CHANGES)
def test_the_row_that_differs_is_the_one_named(lab, tmp_path, change, term):
    shapes = shapes_of(lab)
    change(shapes)
    report = built(lab, tmp_path, shapes, "out/report.json")
    rows = differing(report)
    assert set(rows) == {term}
    assert rows[term]["explanation"]


def test_the_phantom_copies_of_fairseq_are_not_counted(lab, tmp_path):
    shapes = shapes_of(lab)
    for layer in range(4):
        copy = f"encoder.sentence_encoder.layers.{layer}"
        shapes |= {f"{copy}.in_proj_weight": (1536, 512), f"{copy}.fc1_weight": (512, 512)}
    report = built(lab, tmp_path, shapes, "out/report.json")
    assert differing(report) == {}
    assert report["model"]["scopes"]["encoder"]["total"] == 22_829_056
