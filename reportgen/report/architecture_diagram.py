"""The model and its adapter as diagrams: boxes with shapes and counts, in the order of a pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain

from reportgen.languages import message, retell, say, spoken, tell
from reportgen.parameters import (
    Block,
    Group,
    Norm,
    Outline,
    Side,
    Stack,
    Weight,
    keys_of_symbols,
    outline,
)
from reportgen.parameters.adapters import scaling_of
from reportgen.records.checkpoint import Term
from reportgen.records.diagram import AdapterDiagram, Box, Column, Layers, ModelDiagram, Row, Step
from reportgen.records.document import Chart, Figure, Text
from reportgen.records.facts import AdapterFacts, ModelFacts
from reportgen.records.formula import Constant, Expression, Power, Product, evaluate, symbols
from reportgen.records.record import replace
from reportgen.report import phrases
from reportgen.report._model_formula import key_evidence
from reportgen.report.numbers import counted as count_number

ACTIVATIONS = ("hidden_act", "activation_function", "hidden_activation", "activation")
LONGEST_NAME = 24
# More parts than this outside of layers are listed, not drawn one behind the other.
LONGEST_CHAIN = 2


def architecture_figure(model: ModelFacts) -> Figure | None:
    """Return the model as a figure; None where it has no layers, or no total."""
    found = outline(model)
    if found is None:
        return None
    diagram = draw_model(model, found)
    return Figure(
        id="figure.architecture",
        caption=caption(model, found),
        chart=Chart(kind="architecture", diagram=diagram),
        alt=describe_model_diagram(model.name, diagram),
    )


def draw_model(model: ModelFacts, found: Outline) -> ModelDiagram:
    """Return the diagram of a model; its boxes add up to the ledger's total."""
    columns = tuple(_draw_column(model, found, side) for side in found.sides)
    cross = any(b.kind == "cross" for side in found.sides for b in _blocks(side))
    between, shared = found.between, found.shared
    name = "shared" if found.feeds else "unread"
    return ModelDiagram(
        columns=columns,
        between=_make_box("between", "plain", between, found.values) if between else None,
        shared=_make_box(name, "table", shared, found.values) if shared else None,
        feeds=found.feeds,
        tied=tell("same weights") if found.tied else "",
        memory=tell("output of the encoder") if cross and len(columns) > 1 else "",
    )


def caption(model: ModelFacts, found: Outline) -> Text:
    """Return the caption: how the drawing is read, and what its numbers add up to."""
    scope = found.scope
    total = count_number(
        "architecture.figure.total",
        scope.total,
        method=message("sum of the parameters in the boxes: {scope}", scope=scope.label),
        sources=(key_evidence(model.config, "d"),),
    )
    text = [
        say("Structure of {name}.", name=model.name)
        if model.name
        else say("Structure of the model.")
    ]
    if found.headless:
        text.append(say("Its head is not known here."))
    stacks = [stack for side in found.sides for stack in side.stacks]
    if any(stack.blocks for stack in stacks):
        text.append(say("Parts of a layer without arrows are listed, not connected."))
    if found.tied:
        text.append(say("Dashed: the same weights, counted once."))
    text.append(say("One layer is drawn for all; together {total} parameters.", total=total))
    return phrases.sentences(text)


def _blocks(side: Side) -> Iterator[Block]:
    for stack in side.stacks:
        yield from stack.blocks
        for branch in (branch for group in stack.groups for branch in group.branches):
            yield from (part for part in branch if isinstance(part, Block))


def _draw_column(model: ModelFacts, found: Outline, side: Side) -> Column:
    """Return one side of a model."""
    loose, values = side.loose, found.values
    two = len(found.sides) > 1
    patched = any(w.term == "embeddings.patch" for w in loose.get("tables", ()))
    source = side.source or ("tokens" if found.shared else "")
    if source == "tokens" and side.name == "decoder":
        source = "written"
    # Convolutions come first, whatever the order in which they are stored.
    tables = sorted(loose.get("tables", ()), key=lambda w: w.kind != "conv")
    convolved = any(w.kind == "conv" for w in tables)
    name = ("patches" if patched else "convolutions") if convolved else "tables"
    aside = [
        _aside_box(name, loose[name], values, note)
        for name, note in (
            ("relative", tell("read by every layer")),
            ("convolution", tell("beside the first layer")),
        )
        if name in loose
    ]
    heads = (("lm_head",), ("pooler", "classifier"))
    return Column(
        title=retell(side.title) if two else "",
        source=tell(phrases.words_of("sources")[source or "input"]),
        tables=_make_box(name, "table", tables, values) if tables else None,
        aside=tuple(aside),
        stacks=tuple(_draw_layers(model, found, side, stack) for stack in side.stacks),
        behind=tuple(_behind(side, values)),
        heads=tuple(
            tuple(_make_box(name, "head", loose[name], values) for name in chain if name in loose)
            for chain in heads
            if any(name in loose for name in chain)
        ),
    )


def _behind(side: Side, values: Mapping[str, int | float]) -> Iterator[Box]:
    """Yield what stands behind the last layer; a projection back comes behind the norm."""
    weights = side.loose.get("behind", ())
    if len(weights) > LONGEST_CHAIN:
        yield _make_box("norm", "norm", weights, values)
        weights = ()
    for weight in sorted(weights, key=lambda w: w.kind != "norm"):
        if weight.kind == "norm":
            yield _norm_box((weight,), values, 1)
        else:
            yield _make_box("projection_back", "table", (weight,), values)
    if others := side.loose.get("between"):
        yield _make_box("other", "plain", others, values)


def _draw_layers(model: ModelFacts, found: Outline, side: Side, stack: Stack) -> Layers:
    """Return one stack of a side, with the sum of its parameters."""
    drawn = Layers(
        times=f"{phrases.grouped(stack.layers)} ×",
        about=stack.name or phrases.about_layers(stack.layers, stack.sets),
        total="",
        steps=tuple(_draw_step(model, found, side, stack, group) for group in stack.groups),
        parts=tuple(_block_box(model, found, side, stack, block) for block in stack.blocks),
    )
    boxes = list(drawn.boxes())
    alike = all(box.times == stack.sets for box in boxes)
    one = sum(box.count or 0 for box in boxes) if alike else None
    every = sum((box.count or 0) * box.times for box in boxes)
    return replace(drawn, total=phrases.sum_of_layers(one, stack.sets, every))


def _draw_step(model: ModelFacts, found: Outline, side: Side, stack: Stack, group: Group) -> Step:
    def draw(part: Block | Norm) -> Box:
        if isinstance(part, Block):
            return _block_box(model, found, side, stack, part)
        return _norm_box(part, found.values, stack.sets)

    return Step(
        before=tuple(map(draw, group.before)),
        shared=tuple(map(draw, group.shared)),
        branches=tuple(tuple(map(draw, branch)) for branch in group.branches),
        after=tuple(map(draw, group.after)),
        either=group.either,
    )


def _norm_box(norm: Norm, values: Mapping[str, int | float], times: int) -> Box:
    """Return a norm; one without parameters is drawn and counts nothing."""
    # An RMS norm has weights alone.
    kind = "rms_norm" if norm and not norm[0].bias else "layer_norm"
    rows = tuple(Row(label="", shape=shape(w, values)) for w in norm)
    return Box(
        title=phrases.title_of_box(kind),
        kind="norm",
        rows=rows or (Row(label="", shape=tell("no parameters")),),
        count=sum(w.count for w in norm),
        times=times,
    )


def _block_box(model: ModelFacts, found: Outline, side: Side, stack: Stack, block: Block) -> Box:
    """Return attention, network, experts or another block of one layer."""
    rows: list[Row] = []
    title = phrases.title_of_box(block.kind)
    if not block.times:
        rows.append(Row(label=tell("all layers together")))
    elif block.times != stack.sets:
        some, layers = map(phrases.grouped, (block.times, stack.layers))
        rows.append(Row(label=tell("in {some} of {all} layers", some=some, all=layers)))
    if block.kind in {"attention", "cross"}:
        rows += [Row(label=text) for text in _heads(model, found, side)]
    if block.kind == "experts":
        active = model.ledger.symbols.get("k", ("", 0))[1]
        every = int(found.values.get("E", 1))
        rows.append(Row(label=phrases.experts_words(every, int(active) or None)))
    if block.kind == "ffn" and _is_gated(block):
        title = phrases.title_of_box("gated")
    if block.kind in {"ffn", "experts"}:
        rows += [Row(label=text) for text in _activation(model)]
    rows += merged(block.weights, found.values)
    count = sum(w.count * (1 if block.times else w.layers) for w in block.weights)
    fill = phrases.FILLS.get(block.kind, block.kind)
    return Box(title=title, kind=fill, rows=tuple(rows), count=count, times=block.times or 1)


def _is_gated(block: Block) -> bool:
    """Return whether a network has two first matrices, of which one gates the other."""
    terms = [w.term for w in block.weights]
    twice = block.times and terms.count("ffn.in") > 1
    return bool("ffn.gate" in terms or "ffn.gate_up" in terms or twice)


def _heads(model: ModelFacts, found: Outline, side: Side) -> Iterator[str]:
    """Yield how many attention heads there are, where the configuration says it."""
    own = f"{side.name}_attention_heads"
    stated = [
        model.config.values.get(key)
        for key in ((own,) if side.name else ()) + keys_of_symbols()["H"]
    ]
    heads = int(found.values.get("H", next((n for n in stated if isinstance(n, int)), 0)))
    if not heads:
        return
    width = int(found.values.get("d", 0))
    size = found.values.get("d_h", width // heads if width % heads == 0 else None)
    shared = int(found.values.get("H_kv", heads))
    yield phrases.heads_words(
        heads, int(size) if size else None, shared if shared != heads else None
    )


def _activation(model: ModelFacts) -> Iterator[str]:
    """Yield the activation function, where the configuration names one."""
    stated = (model.config.values.get(key) for key in ACTIVATIONS)
    name = next((n for n in stated if isinstance(n, str)), "")
    if name.replace("_", "").isalnum() and name.isascii() and len(name) <= LONGEST_NAME:
        yield tell("activation {name}", name=name)


def _make_box(
    name: str, kind: str, weights: Sequence[Weight], values: Mapping[str, int | float]
) -> Box:
    """Return a box of parts that stand in no layer, titled by the table of words."""
    rows, count = tuple(merged(weights, values)), sum(w.count for w in weights)
    return Box(title=phrases.title_of_box(name), kind=kind, rows=rows, count=count)


def _aside_box(
    name: str, weights: tuple[Weight, ...], values: Mapping[str, int | float], note: str
) -> Box:
    """Return a box that the layers use beside the data; a single table needs no name in it."""
    box = _make_box(name, "table", weights, values)
    rows = box.rows if len(weights) > 1 else tuple(replace(row, label="") for row in box.rows)
    return replace(box, rows=(*rows, Row(label=note)))


def merged(weights: Iterable[Weight], values: Mapping[str, int | float]) -> list[Row]:
    """Return a row for each shape, neighbours of one shape together.

    What has no word for itself is called by the name of its module. A part that has other shapes
    in other layers is one row.
    """
    shapes: dict[str, dict[str, None]] = {}
    times: Counter[tuple[str, str]] = Counter()
    for weight in weights:
        known = phrases.words_of("parts").get(weight.term)
        text = retell(known) if known else weight.name
        own = shape(weight, values)
        shapes.setdefault(text, {})[own] = None
        times[text, own] += 1
    found: list[tuple[list[str], str]] = []
    for text, every in shapes.items():
        own = ", ".join(every)
        names = [text] * max(times[text, each] for each in every)
        if found and found[-1][1] == own:
            found[-1][0].extend(names)
        else:
            found.append((names, own))
    return [
        Row(
            label=phrases.joined_names(names),
            shape=tell("each {shape}", shape=own) if len(names) > 1 else own,
        )
        for names, own in found
    ]


def shape(weight: Weight, values: Mapping[str, int | float]) -> str:
    """Return the shape of a part: a matrix by inputs and outputs, a table by rows and width."""
    outputs = _size(weight.outputs, values)
    if weight.kind == "norm" or weight.inputs == Constant(1):
        text = outputs
    elif weight.kind == "embedding" or (
        weight.kind == "parameter" and weight.copies == 1 and weight.role != "router"
    ):
        text = f"{phrases.grouped(int(evaluate(weight.inputs, values)))} × {outputs}"
    else:
        text = f"{_size(weight.inputs, values)} → {outputs}"
    if weight.bias:
        text = tell("{shape} + bias", shape=text)
    copies = weight.copies
    if copies > 1:
        text = f"{phrases.grouped(copies)} × ({text})"
    return tell("{shape}, tied", shape=text) if weight.tied else text


def _size(expression: Expression, values: Mapping[str, int | float]) -> str:
    """Write a size, its factors apart, as in 3 · 768 for query, key and value together."""
    if isinstance(expression, Product):
        return " · ".join(_size(factor, values) for factor in expression.factors)
    if isinstance(expression, Power) and expression.exponent == 2:
        return f"{_size(expression.base, values)}²"
    return phrases.grouped(int(evaluate(expression, values)))


# --- in words -------------------------------------------------------------------------


def describe_model_diagram(name: str, diagram: ModelDiagram) -> str:
    """Return the boxes of a model in words, from its input to its heads."""
    parts = [
        tell("Diagram of {name}, from its input to its output", name=name)
        if name
        else tell("Diagram of the model, from its input to its output"),
        *(_say_box(box) for box in (diagram.shared,) if box is not None),
        *(part for column in diagram.columns for part in _say_column(column)),
        *(_say_box(box) for box in (diagram.between,) if box is not None),
    ]
    if diagram.memory:
        parts.append(tell("The cross-attention takes keys and values from the encoder's output"))
    if diagram.tied:
        parts.append(
            tell("The projection to the vocabulary has the same weights as the word embeddings")
        )
    return " ".join(f"{part}." for part in parts)


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
    yield phrases.capital(tell(": ").join(filter(None, (column.title, column.source))))
    yield from (_say_box(box) for box in (column.tables, *column.aside) if box is not None)
    for layers in column.stacks:
        times = ", ".join(filter(None, (f"{layers.times} ({layers.total})", layers.about)))
        inside = (*map(_say_step, layers.steps), *map(_say_box, layers.parts))
        yield tell(": ").join((times, tell("; ").join(inside)))
    yield from map(_say_box, chain(column.behind, *column.heads))


def _say_step(step: Step) -> str:
    """Return one residual connection: what its boxes give is added to what goes into them."""
    ways = reduce(
        lambda one, other: (
            tell("{one}, or in other layers {other}", one=one, other=other)
            if step.either
            else tell("{one}, and beside it {other}", one=one, other=other)
        ),
        map(_chain, step.branches),
    )
    added = tell("{boxes}, added to what went in", boxes=ways)
    before, after = (*step.before, *step.shared), step.after
    return tell("; ").join((*map(_say_box, before), added, *map(_say_box, after)))


def _chain(boxes: Iterable[Box | None]) -> str:
    said = [_say_box(box) for box in boxes if box is not None]
    return reduce(lambda one, other: tell("{one}, then {other}", one=one, other=other), said)


def _say_box(box: Box) -> str:
    """Return a box: its title, what is in it, and its parameters."""
    inside = [f"{row.label} {row.shape}".strip() for row in box.rows]
    count = [tell("{n} parameters", n=phrases.grouped(box.count))] if box.count else []
    told = tell("; ").join(filter(None, (*inside, *count)))
    return f"{box.title} ({told})" if told else box.title


# --- adapters -------------------------------------------------------------------------


MOST_ROWS = 6
LORA_VALUES = {"n", "d_in", "d_out", "r"}
LORA_CAPTION = message(
    "{name}, one adapted matrix. Dashed boxes are trained; numbers of parameters count all "
    "adapted matrices."
)
IA3_CAPTIONS = {
    "d_out": message("{name}: the outputs of a frozen matrix are multiplied by a trained vector."),
    "d_in": message("{name}: the inputs of a frozen matrix are multiplied by a trained vector."),
}


def adapter_figures(adapter: AdapterFacts, stem: str) -> tuple[Figure, ...]:
    """Return the adapter as figures; none for kinds of adapters that are not drawn."""
    terms = adapter.ledger.terms if adapter.ledger else ()
    own = [term for term in terms if term.role == "adapter"]
    diagrams: list[tuple[AdapterDiagram, str]] = []
    if (
        adapter.config.peft_type == "LORA"
        and own
        and all(set(term.values) == LORA_VALUES for term in own)
    ):
        diagrams.append((draw_lora(adapter, own), LORA_CAPTION))
    if adapter.config.peft_type == "IA3":
        for side in ("d_out", "d_in"):
            scaled = [t for t in own if side in {symbol.key for symbol in symbols(t.formula)}]
            if scaled:
                diagrams.append((draw_vector(scaled, side), IA3_CAPTIONS[side]))
    return tuple(
        Figure(
            id=f"figure.{stem}" + (f".{place}" if place else ""),
            caption=say(caption, name=adapter.name or tell("The adapter")),
            chart=Chart(kind="adapter", diagram=diagram),
            alt=describe_adapter_diagram(diagram),
        )
        for place, (diagram, caption) in enumerate(diagrams)
    )


def draw_lora(adapter: AdapterFacts, terms: Sequence[Term]) -> AdapterDiagram:
    """Return the detour of LoRA; its trained boxes add up to what the ledger counts."""
    values = adapter.config.values
    names = short_names(term.module or term.name for term in terms)
    sizes = [tuple(int(term.values[key]) for key in ("n", "d_in", "d_out", "r")) for term in terms]
    first = matrix_box(
        tell("{matrix}, trained", matrix="A"),
        "r × d_in",
        [(name, (r, i)) for name, (_, i, _, r) in zip(names, sizes, strict=True)],
        sum(n * r * i for n, i, _, r in sizes),
    )
    biased = bool(values.get("lora_bias"))
    second = matrix_box(
        tell("{matrix}, trained", matrix="B"),
        "d_out × r",
        [(name, (o, r)) for name, (_, _, o, r) in zip(names, sizes, strict=True)],
        sum(n * o * (r + biased) for n, _, o, r in sizes),
        (tell("with a bias, trained"),) if biased else (),
    )
    detour = (*dropout_box(values.get("lora_dropout")), first, second, *scaling_box(adapter))
    return AdapterDiagram(
        source=tell("input"),
        result=tell("output"),
        frozen=frozen_box(names, sizes, packed_bits(adapter)),
        detour=detour,
        scale=magnitude_box(sizes) if values.get("use_dora") else None,
        note=phrases.adapted_modules(sum(n for n, *_ in sizes)),
    )


def draw_vector(terms: Sequence[Term], side: str) -> AdapterDiagram:
    """Return a matrix whose outputs, or inputs, are multiplied by a trained vector."""
    names = short_names(term.module or term.name for term in terms)
    sizes = [tuple(int(term.values[key]) for key in ("n", "d_in", "d_out")) for term in terms]
    place = 1 if side == "d_in" else 2
    vector = matrix_box(
        tell("× l, a trained vector"),
        side,
        [(name, (size[place],)) for name, size in zip(names, sizes, strict=True)],
        sum(size[0] * size[place] for size in sizes),
    )
    return AdapterDiagram(
        source=tell("input"),
        result=tell("output"),
        frozen=frozen_box(names, sizes),
        before=vector if side == "d_in" else None,
        scale=vector if side == "d_out" else None,
        note=phrases.adapted_modules(sum(n for n, *_ in sizes)),
    )


def frozen_box(names: Sequence[str], sizes: Sequence[tuple[int, ...]], bits: int = 0) -> Box:
    """Return the matrices of the base, and in how many bits they are stored where that is said."""
    return matrix_box(
        tell("W, frozen"),
        "d_out × d_in",
        [(f"{n} × {name}", (o, i)) for name, (n, i, o, *_) in zip(names, sizes, strict=True)],
        sum(n * i * o for n, i, o, *_ in sizes),
        (tell("stored in {bits} bits", bits=bits),) if bits else (),
        kind="frozen",
    )


def matrix_box(
    title: str,
    symbols: str,
    sizes: Sequence[tuple[str, tuple[int, ...]]],
    count: int | None,
    notes: Iterable[str] = (),
    *,
    kind: str = "trained",
) -> Box:
    """Return a box with the shape of a matrix in each module that has one."""
    shown = [
        Row(label=name, shape=" × ".join(map(phrases.grouped, shape)))
        for name, shape in sizes[:MOST_ROWS]
    ]
    if len(sizes) > MOST_ROWS:
        more = phrases.grouped(len(sizes) - MOST_ROWS)
        shown.append(Row(label=tell("and {n} more kinds of modules", n=more)))
    rows = (Row(label=symbols), *shown, *(Row(label=note) for note in notes))
    return Box(title=title, kind=kind, rows=rows, count=count)


def dropout_box(share: object) -> tuple[Box, ...]:
    """Return the dropout in front of the detour, where there is some."""
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1:
        return ()
    shown = f"{share:g}".replace(".", spoken().decimal_mark)
    return (Box(title=tell("dropout {share}", share=shown), kind="plain"),)


def scaling_box(adapter: AdapterFacts) -> tuple[Box, ...]:
    """Return the factor behind the detour; where patterns change it, only as symbols."""
    values = adapter.config.values
    found = scaling_of(values)
    symbols = "α / √r" if values.get("use_rslora") else "α / r"
    rows: tuple[Row, ...] = ()
    if found is not None and not values.get("rank_pattern") and not values.get("alpha_pattern"):
        alpha, rank, root = found
        scale = alpha / (rank**0.5 if root else rank)
        shown = f"{alpha:g} / {'√' if root else ''}{rank:g}"
        sign = "=" if f"{scale:.6g}" == repr(scale).removesuffix(".0") else "≈"
        value = f"{shown} {sign} {scale:.4g}".replace(".", spoken().decimal_mark)
        rows = (Row(label="", shape=value),)
    return (Box(title=f"× {symbols}", kind="plain", rows=rows),)


def magnitude_box(sizes: Sequence[tuple[int, ...]]) -> Box:
    """Return the magnitudes of DoRA."""
    return Box(
        title=tell("magnitude m, trained"),
        kind="trained",
        rows=(Row(label=tell("each row of the sum gets the length m")),),
        count=sum(n * outputs for n, _, outputs, _ in sizes),
    )


def packed_bits(adapter: AdapterFacts) -> int:
    """Return in how many bits the base's configuration says its matrices are stored; 0 if not."""
    stated = adapter.base.config.values.get("quantization_config") if adapter.base else None
    if not isinstance(stated, dict):
        return 0
    for key, bits in (("load_in_4bit", 4), ("_load_in_4bit", 4), ("load_in_8bit", 8)):
        if stated.get(key) is True:
            return bits
    found = stated.get("bits")
    return found if found in {2, 3, 4, 8} else 0


def short_names(names: Iterable[str]) -> list[str]:
    """Return the last words of module names, more of them where those are alike.

    Example:
        >>> short_names(["h.#.attn.c_proj", "h.#.mlp.c_proj"]), short_names(["h.#.q"])
        (['attn.c_proj', 'mlp.c_proj'], ['q'])
    """
    parts = [name.split(".") for name in names]
    for depth in range(1, max((len(part) for part in parts), default=1) + 1):
        short = [".".join(part[-depth:]) for part in parts]
        if len(set(short)) == len(set(map(tuple, parts))):
            break
    return short if parts else []
