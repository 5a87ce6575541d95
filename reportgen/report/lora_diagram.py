"""An adapter as a diagram: the frozen matrix, and beside it what is trained."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reportgen.languages import say, spoken, tell
from reportgen.parameters.adapters import scaling_of
from reportgen.records.checkpoint import Term
from reportgen.records.diagram import AdapterDiagram, Box, Row
from reportgen.records.document import Chart, Figure
from reportgen.records.facts import AdapterFacts
from reportgen.records.formula import symbols
from reportgen.report import _words as words
from reportgen.report._words import grouped
from reportgen.report.architecture_diagram import describe_adapter_diagram

MOST_ROWS = 6
LORA_VALUES = {"n", "d_in", "d_out", "r"}


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
        diagrams.append((draw_lora(adapter, own), words.LORA_CAPTION))
    if adapter.config.peft_type == "IA3":
        for side in ("d_out", "d_in"):
            scaled = [t for t in own if side in {symbol.key for symbol in symbols(t.formula)}]
            if scaled:
                diagrams.append((draw_vector(scaled, side), words.IA3_CAPTIONS[side]))
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
    bits = packed_bits(adapter)
    frozen = matrix_box(
        tell(words.FROZEN),
        "d_out × d_in",
        [(f"{n} × {name}", (o, i)) for name, (n, i, o, _) in zip(names, sizes, strict=True)],
        sum(n * i * o for n, i, o, _ in sizes),
        (words.packed(bits),) if bits else (),
    )
    first = matrix_box(
        tell(words.TRAINED, matrix="A"),
        "r × d_in",
        [(name, (r, i)) for name, (_, i, _, r) in zip(names, sizes, strict=True)],
        sum(n * r * i for n, i, _, r in sizes),
    )
    biased = bool(values.get("lora_bias"))
    second = matrix_box(
        tell(words.TRAINED, matrix="B"),
        "d_out × r",
        [(name, (o, r)) for name, (_, _, o, r) in zip(names, sizes, strict=True)],
        sum(n * o * (r + biased) for n, _, o, r in sizes),
        (tell(words.WITH_BIAS),) if biased else (),
    )
    detour = (*dropout_box(values.get("lora_dropout")), first, second, *scaling_box(adapter))
    return AdapterDiagram(
        source=tell(words.INPUT),
        result=tell(words.OUTPUT),
        frozen=frozen,
        detour=detour,
        scale=magnitude_box(sizes) if values.get("use_dora") else None,
        note=words.adapted_modules(sum(n for n, *_ in sizes)),
    )


def draw_vector(terms: Sequence[Term], side: str) -> AdapterDiagram:
    """Return a matrix whose outputs, or inputs, are multiplied by a trained vector."""
    names = short_names(term.module or term.name for term in terms)
    sizes = [tuple(int(term.values[key]) for key in ("n", "d_in", "d_out")) for term in terms]
    place = 1 if side == "d_in" else 2
    frozen = matrix_box(
        tell(words.FROZEN),
        "d_out × d_in",
        [(f"{n} × {name}", (o, i)) for name, (n, i, o) in zip(names, sizes, strict=True)],
        sum(n * i * o for n, i, o in sizes),
    )
    vector = matrix_box(
        tell(words.VECTOR),
        side,
        [(name, (size[place],)) for name, size in zip(names, sizes, strict=True)],
        sum(size[0] * size[place] for size in sizes),
    )
    return AdapterDiagram(
        source=tell(words.INPUT),
        result=tell(words.OUTPUT),
        frozen=frozen,
        before=vector if side == "d_in" else None,
        scale=vector if side == "d_out" else None,
        note=words.adapted_modules(sum(n for n, *_ in sizes)),
    )


def matrix_box(
    title: str,
    symbols: str,
    sizes: Sequence[tuple[str, tuple[int, ...]]],
    count: int | None,
    notes: Iterable[str] = (),
) -> Box:
    """Return a box with the shape of a matrix in each module that has one."""
    shown = [
        Row(label=name, shape=" × ".join(map(grouped, shape))) for name, shape in sizes[:MOST_ROWS]
    ]
    if len(sizes) > MOST_ROWS:
        shown.append(Row(label=words.and_more(len(sizes) - MOST_ROWS)))
    kind = "frozen" if title == tell(words.FROZEN) else "trained"
    rows = (Row(label=symbols), *shown, *(Row(label=note) for note in notes))
    return Box(title=title, kind=kind, rows=rows, count=count)


def dropout_box(share: object) -> tuple[Box, ...]:
    """Return the dropout in front of the detour, where there is some."""
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1:
        return ()
    return (
        Box(
            title=tell(words.DROPOUT, share=f"{share:g}".replace(".", spoken().decimal_mark)),
            kind="plain",
        ),
    )


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
        title=tell(words.MAGNITUDE),
        kind="trained",
        rows=(Row(label=tell(words.NORMALISED)),),
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
