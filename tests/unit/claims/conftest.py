"""Claims of metrics, spelled in one line each."""

from __future__ import annotations

import pytest

from reportgen.claims.metrics import find
from reportgen.read.documents import read_document
from reportgen.records.claim import Claim, Meaning


def signature(claim: Claim) -> str:
    """Spell a claim in one line: what is said, in a fixed order, empty slots left out."""
    said = claim.content
    assert isinstance(said, Meaning)
    assert claim.printed is not None
    parts = [
        claim.printed.text,
        claim.kind.removeprefix("aggregate_").removesuffix("_value"),
        f"{said.split} {said.metric}".strip(),
        f"of {said.group}" if said.group else "",
        f"minus {said.against}" if said.against else "",
        f"seed {said.seed}" if said.seed is not None else "",
        f"step {said.step}" if said.step is not None else "",
        f"epoch {said.epoch:g}" if said.epoch is not None else "",
        said.selection,
    ]
    if claim.kind == "aggregate_other":
        parts[1] = said.aggregate
    return ", ".join(part for part in parts if part)


@pytest.fixture
def told(tmp_path):
    """What a report claims of metrics, a line each."""

    def tell(text: str, form: str = "md") -> list[str]:
        path = tmp_path / f"report.{form}"
        path.write_text(text, encoding="utf-8")
        return [signature(claim) for claim in find(read_document(path))]

    return tell
