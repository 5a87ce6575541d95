"""Diagrams in words, for those who hear them."""

from __future__ import annotations

from collections.abc import Iterable

from reportgen.records.diagram import AdapterDiagram, Box, Column, ModelDiagram, Step
from reportgen.sections._diagram_words import grouped


def describe_model_diagram(name: str, diagram: ModelDiagram) -> str:
    """Return the structure of a model as sentences, from its input to its heads."""
    sentences = [f"Diagram of {name or 'the model'}, from its input to its output."]
    if diagram.shared is not None:
        sentences.append(f"{_say_box(diagram.shared)}.")
    for column in diagram.columns:
        sentences += _say_column(column)
    if diagram.memory:
        sentences.append("The cross-attention takes keys and values from the encoder's output.")
    if diagram.tied:
        sentences.append(
            "The projection to the vocabulary has the same weights as the word embeddings."
        )
    return " ".join(sentences)


def describe_adapter_diagram(diagram: AdapterDiagram) -> str:
    """Return one adapted matrix as sentences."""
    ways = [f"The {diagram.source} goes through {_chain([diagram.before, diagram.frozen])}"]
    if diagram.detour:
        ways[0] += f"; beside it, through {_chain(diagram.detour)}"
        ways.append("Both results are added")
    if diagram.scale is not None:
        ways.append(f"Then follows {_say_box(diagram.scale)}")
    ways.append(f"That is the {diagram.result}")
    return f"{'. '.join(ways)}. {diagram.note}".strip()


def _say_column(column: Column) -> Iterable[str]:
    start = f"{column.title}: the" if column.title else "The"
    into = _say_box(column.tables) if column.tables is not None else "the word embeddings above"
    yield f"{start} input ({column.source}) goes into {into}."
    for box in column.aside:
        yield f"Beside it: {_say_box(box)}."
    layers = column.layers
    about = f" {layers.about}" if layers.about else ""
    times = layers.times.removesuffix(" ×")
    yield f"Then come layers, {times} of them{about} ({layers.total}). In each:"
    for place, step in enumerate(layers.steps):
        yield _say_step(step, first=place == 0)
    for box in column.behind:
        yield f"Behind the last layer: {_say_box(box)}."
    for head in column.heads:
        yield f"At the end: {_chain(head)}."


def _say_step(step: Step, *, first: bool) -> str:
    """Return one residual connection as a sentence."""
    parts = [
        f"{'first' if first else 'then'} {_chain(step.before)};"
        if step.before
        else ("first" if first else "then")
    ]
    if step.shared:
        parts.append(f"{_chain(step.shared)}, and behind it")
    joint = ", or in other layers " if step.either else ", and beside it "
    parts.append(joint.join(_chain(branch) for branch in step.branches))
    parts.append(", to which what went in is added")
    if step.after:
        parts.append(f", then {_chain(step.after)}")
    return f"{' '.join(parts).replace(' ,', ',')}."


def _chain(boxes: Iterable[Box | None]) -> str:
    return ", then ".join(_say_box(box) for box in boxes if box is not None)


def _say_box(box: Box) -> str:
    """Return a box: its title, what is in it, and its parameters."""
    inside = "; ".join(f"{row.label} {row.shape}".strip() for row in box.rows)
    count = f"{grouped(box.count)} parameters" if box.count else ""
    told = "; ".join(part for part in (inside, count) if part)
    return f"{box.title} ({told})" if told else box.title
