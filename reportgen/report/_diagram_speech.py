"""Diagrams in words, for those who hear them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import reduce

from reportgen.languages import tell
from reportgen.records.diagram import AdapterDiagram, Box, Column, Layers, ModelDiagram, Step
from reportgen.report._words import grouped


def describe_model_diagram(name: str, diagram: ModelDiagram) -> str:
    """Return the structure of a model as sentences, from its input to its heads."""
    sentences = [
        tell("Diagram of {name}, from its input to its output.", name=name)
        if name
        else tell("Diagram of the model, from its input to its output.")
    ]
    if diagram.shared is not None:
        sentences.append(f"{_say_box(diagram.shared)}.")
    for column in diagram.columns:
        sentences += _say_column(column)
    if diagram.between is not None:
        sentences.append(f"{_say_box(diagram.between)}.")
    if diagram.memory:
        sentences.append(
            tell("The cross-attention takes keys and values from the encoder's output.")
        )
    if diagram.tied:
        sentences.append(
            tell("The projection to the vocabulary has the same weights as the word embeddings.")
        )
    return " ".join(sentences)


def describe_adapter_diagram(diagram: AdapterDiagram) -> str:
    """Return one adapted matrix as sentences."""
    ways = _chain([diagram.before, diagram.frozen])
    if diagram.detour:
        sentences = [
            tell(
                "The {input} goes through {boxes}; beside it, through {detour}.",
                input=diagram.source,
                boxes=ways,
                detour=_chain(diagram.detour),
            ),
            tell("Both results are added."),
        ]
    else:
        sentences = [tell("The {input} goes through {boxes}.", input=diagram.source, boxes=ways)]
    if diagram.scale is not None:
        sentences.append(tell("Then follows {box}.", box=_say_box(diagram.scale)))
    sentences.append(tell("That is the {output}.", output=diagram.result))
    return " ".join(filter(None, (*sentences, diagram.note)))


def _say_column(column: Column) -> Iterator[str]:
    into = tell("the word embeddings above") if column.tables is None else _say_box(column.tables)
    if column.title:
        yield tell(
            "{side}: the input ({source}) goes into {boxes}.",
            side=column.title,
            source=column.source,
            boxes=into,
        )
    else:
        yield tell("The input ({source}) goes into {boxes}.", source=column.source, boxes=into)
    for box in column.aside:
        yield tell("Beside it: {box}.", box=_say_box(box))
    for layers in column.stacks:
        yield _say_layers(layers)
        for place, step in enumerate(layers.steps):
            yield _say_step(step, first=place == 0)
        if layers.parts:
            yield tell("{boxes}.", boxes=tell("; ").join(map(_say_box, layers.parts)))
    for box in column.behind:
        yield tell("Behind the last layer: {box}.", box=_say_box(box))
    for head in column.heads:
        yield tell("At the end: {boxes}.", boxes=_chain(head))


def _say_layers(layers: Layers) -> str:
    """Say how many layers there are."""
    times = layers.times.removesuffix(" ×")
    if not layers.about:
        return tell(
            "Then come layers, {n} of them ({total}). In each:", n=times, total=layers.total
        )
    return tell(
        "Then come layers, {n} of them {about} ({total}). In each:",
        n=times,
        about=layers.about,
        total=layers.total,
    )


def _say_step(step: Step, *, first: bool) -> str:
    """Return one residual connection as a sentence."""
    inner = _say_branches(step)
    if step.shared:
        inner = tell("{boxes}, and behind it {inner}", boxes=_chain(step.shared), inner=inner)
    if step.before:
        inner = tell("{boxes}; {inner}", boxes=_chain(step.before), inner=inner)
    if step.after:
        return tell(
            "first {inner}, to which what went in is added, then {after}."
            if first
            else "Then {inner}, to which what went in is added, then {after}.",
            inner=inner,
            after=_chain(step.after),
        )
    return tell(
        "first {inner}, to which what went in is added."
        if first
        else "Then {inner}, to which what went in is added.",
        inner=inner,
    )


def _say_branches(step: Step) -> str:
    """Say what stands side by side, or which of two stands in a layer."""
    found = [_chain(branch) for branch in step.branches]
    if step.either:
        return reduce(
            lambda one, other: tell("{one}, or in other layers {other}", one=one, other=other),
            found,
        )
    return reduce(
        lambda one, other: tell("{one}, and beside it {other}", one=one, other=other), found
    )


def _chain(boxes: Iterable[Box | None]) -> str:
    said = [_say_box(box) for box in boxes if box is not None]
    return reduce(lambda one, other: tell("{one}, then {other}", one=one, other=other), said)


def _say_box(box: Box) -> str:
    """Return a box: its title, what is in it, and its parameters."""
    inside = [f"{row.label} {row.shape}".strip() for row in box.rows]
    count = [tell("{n} parameters", n=grouped(box.count))] if box.count else []
    told = tell("; ").join(filter(None, (*inside, *count)))
    return f"{box.title} ({told})" if told else box.title
