"""What a diagram of a model or of an adapter shows: boxes, and how one leads to the next.

Nothing here has a place or a size; `render/figures/` decides those.
"""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.records.record import record


@record
class Row:
    """One line of a box: what it is ("query"), and its shape ("768 → 768 + bias")."""

    label: str
    shape: str = ""


@record
class Box:
    """One part of a model.

    Attributes:
        title: Its name.
        kind: `"table"`, `"norm"`, `"attention"`, `"cross"`, `"ffn"`, `"head"`, `"plain"`,
            `"frozen"` or `"trained"`; decides the fill.
        rows: What is in it.
        count: Parameters of one copy; None where no count is known.
        times: How many copies the model has.
    """

    title: str
    kind: str
    rows: tuple[Row, ...] = ()
    count: int | None = None
    times: int = 1


@record
class Step:
    """One residual connection of a layer: the input is added to what the branches make of it.

    Attributes:
        before: Boxes whose output is what is added.
        shared: Boxes that all branches read.
        branches: Boxes in sequence, a tuple a branch.
        after: Boxes behind the sum.
        either: Whether a layer has only one of the branches.
    """

    before: tuple[Box, ...] = ()
    shared: tuple[Box, ...] = ()
    branches: tuple[tuple[Box, ...], ...]
    after: tuple[Box, ...] = ()
    either: bool = False


@record
class Layers:
    """A stack of layers, drawn as one of them.

    Attributes:
        times: How many there are ("12 ×").
        about: What is said beside it.
        total: Line at the foot: the parameters of one and of all.
        steps: The residual connections of one layer, where they are known.
        parts: What one layer holds, where they are not.
    """

    times: str
    about: str
    total: str
    steps: tuple[Step, ...] = ()
    parts: tuple[Box, ...] = ()

    def boxes(self) -> Iterator[Box]:
        """Yield every box of one layer, in reading order."""
        for step in self.steps:
            yield from (*step.before, *step.shared)
            for branch in step.branches:
                yield from branch
            yield from step.after
        yield from self.parts


@record
class Column:
    """One side of a model, from its input to its heads.

    Attributes:
        title: Its name, or empty where there is only one.
        source: What goes in ("token ids").
        tables: Embeddings; None where the model's sides share them all.
        aside: Boxes that the layers use and that the data does not pass through.
        stacks: The layers; of several kinds, one behind the other.
        behind: Boxes behind the last layer.
        heads: Boxes in sequence, a tuple a head.
    """

    title: str
    source: str
    stacks: tuple[Layers, ...]
    tables: Box | None = None
    aside: tuple[Box, ...] = ()
    behind: tuple[Box, ...] = ()
    heads: tuple[tuple[Box, ...], ...] = ()


@record
class ModelDiagram:
    """A model.

    Attributes:
        columns: One, encoder and decoder, or the parts of a composite.
        between: What belongs to none of the columns.
        shared: Table that both columns use.
        feeds: Whether the columns read the shared table.
        tied: Words on the link between output projection and word embeddings; empty where
            the two are not the same weights.
        memory: Words on the arrow from the encoder into the decoder's cross-attention.
    """

    columns: tuple[Column, ...]
    between: Box | None = None
    shared: Box | None = None
    feeds: bool = True
    tied: str = ""
    memory: str = ""

    def boxes(self) -> Iterator[Box]:
        """Yield every box, in reading order."""
        if self.shared is not None:
            yield self.shared
        for column in self.columns:
            yield from (box for box in (column.tables, *column.aside) if box is not None)
            for layers in column.stacks:
                yield from layers.boxes()
            yield from column.behind
            for head in column.heads:
                yield from head
        if self.between is not None:
            yield self.between

    @property
    def total(self) -> int:
        """Parameters of all boxes, each as often as the model has it."""
        return sum((box.count or 0) * box.times for box in self.boxes())


@record
class AdapterDiagram:
    """One adapted matrix: frozen, and the trained detour beside it.

    Attributes:
        source: What goes in.
        result: What comes out.
        frozen: The matrix of the base model.
        detour: What the input passes through beside it, in sequence; empty for adapters that
            only scale.
        scale: Box between sum and result (a magnitude, a trained vector); None where none is.
        before: Box between input and matrix (a trained vector on the inputs).
        note: One line below: which modules are adapted so, and how many.
    """

    source: str
    result: str
    frozen: Box
    detour: tuple[Box, ...] = ()
    scale: Box | None = None
    before: Box | None = None
    note: str = ""


Diagram = ModelDiagram | AdapterDiagram
