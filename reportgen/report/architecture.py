"""The model described in words and as a tree of modules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from reportgen.languages import message, retell, say, tell
from reportgen.parameters import PARALLEL, family_of, find_wiring
from reportgen.records.checkpoint import Checkpoint
from reportgen.records.document import (
    Block,
    Cite,
    Code,
    Indent,
    Number,
    Paragraph,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Facts, ModelFacts
from reportgen.records.quantity import Evidence
from reportgen.report._architecture_diagram import architecture_figure
from reportgen.report._counts import (
    count_number,
    key_evidence,
    stated_key,
    why_no_formula,
)
from reportgen.report._number_ids import slug
from reportgen.report._quotes import listed, quoted, sentences

VOWELS = "AEIOm"
# Scopes that encoders alone have.
ENCODERS = ("encoder", "encoder_with_head")
# Side and shape of the layers to what is said of them.
STACKS = {
    ("encoder", "alike"): message(
        "a Transformer encoder of {layers} identical layers and width {width}"
    ),
    ("encoder", "shared"): message(
        "a Transformer encoder of {layers} layers that share their weights, of width {width}"
    ),
    ("decoder", "alike"): message(
        "a Transformer decoder of {layers} identical layers and width {width}"
    ),
    ("decoder", "unlike"): message("a Transformer decoder of {layers} layers and width {width}"),
}
# Models of these families count positions from the padding index.
OFFSET_POSITIONS = ("camembert", "fairseq_roberta", "roberta", "xlm-roberta")
CITED = {"roberta": "roberta", "bert": "bert", "bloom": "bloom"}


def build(facts: Facts) -> Section | None:
    """Build the section; without a model it says how to pass one."""
    model = facts.model
    blocks: tuple[Block, ...]
    if model is None:
        blocks = (no_model(),)
    elif not model.ledger.family:
        blocks = (unknown(model),)
    else:
        drawing = architecture_figure(model)
        blocks = (describe(model), *((drawing,) if drawing else ()), tree(model))
    return Section(id="architecture", title=tell("Model architecture"), blocks=blocks)


def no_model() -> Paragraph:
    """Say that no configuration was found, and what to do about it."""
    return Paragraph(
        text=say(
            "No model configuration was found that can be read, so the architecture is not "
            "described here. To add it, write the path of the model's {file} under {key} in the "
            "study file.",
            file=Code("config.json"),
            key=Code("[model] config"),
        )
    )


def unknown(model: ModelFacts) -> Paragraph:
    """Say that the family of the model is not known, or that its sizes are not."""
    stated = model.config.model_type or tell("(none)")
    name, kind = name_of(model), Code(stated)
    if family_of(stated):
        text = say(
            "{name} states the model type {kind}, whose sizes could not be read ({why})",
            name=name,
            kind=kind,
            why=quoted(why_no_formula(model)),
        )
    else:
        text = say(
            "{name} states the model type {kind}, for which no description is known",
            name=name,
            kind=kind,
        )
    if model.checkpoint is None:
        return Paragraph(text=say("{clause}.", clause=text))
    stored = stored_number(model.checkpoint)
    return Paragraph(
        text=say("{clause}; its checkpoint stores {n} parameters.", clause=text, n=stored)
    )


def name_of(model: ModelFacts) -> str:
    """Return the name of the model at the start of a sentence."""
    return model.name or tell("The model")


def stored_number(checkpoint: Checkpoint) -> Number:
    """Return how many parameters a checkpoint holds."""
    return count_number(
        "architecture.stored",
        checkpoint.total,
        method=message("parameters that the checkpoint stores, a shared tensor counted once"),
        sources=(Evidence(path=checkpoint.source.path),),
    )


def describe(model: ModelFacts) -> Paragraph:
    """Describe the model in a few sentences, every size a traced number."""
    ledger = model.ledger
    title = ledger.tree[0][1]
    places: dict[str, str | Cite | Text] = {
        "name": name_of(model),
        "title": title,
        "cited": Cite(CITED.get(ledger.family, "transformer")),
    }
    if not one_size(model):
        return Paragraph(text=sentences(several_parts(model, places)))
    places["layers"] = layers(model)
    text = [
        say("{name} is an {title} model {cited}: {layers}.", **places)
        if title[0] in VOWELS
        else say("{name} is a {title} model {cited}: {layers}.", **places),
        one_layer(model),
        *convolution(model),
        *tables(model),
    ]
    if ledger.family in OFFSET_POSITIONS and "P" in ledger.symbols:
        text.append(
            say(
                "Positions are counted from the padding index plus one, so the first two rows of "
                "the position table belong to no token, but they are parameters and are counted."
            )
        )
    return Paragraph(text=sentences(text))


def one_size(model: ModelFacts) -> bool:
    """Return whether all layers have one width, and a number that a key says."""
    symbols = model.ledger.symbols
    return "d" in symbols and ("L" in symbols or two_sided(model))


def several_parts(model: ModelFacts, places: Mapping[str, str | Cite | Text]) -> Iterator[Text]:
    """Describe a model whose parts have sizes of their own, one clause a part."""
    symbols = model.ledger.symbols
    marks = [key.partition("_")[2] for key in symbols if key.startswith("L_")]
    parts = [
        say(
            "{part}: {layers} layers of width {width}",
            part=mark,
            layers=sized(model, f"L_{mark}"),
            width=sized(model, f"d_{mark}"),
        )
        for mark in dict.fromkeys(marks)
        if f"d_{mark}" in symbols
    ]
    yield (
        say("{name} is an {title} model {cited}.", **places)
        if str(places["title"])[0] in VOWELS
        else say("{name} is a {title} model {cited}.", **places)
    )
    if parts:
        yield say("Its parts are: {parts}.", parts=listed(parts, "; "))


def two_sided(model: ModelFacts) -> bool:
    """Return whether the model has an encoder and a decoder."""
    symbols = model.ledger.symbols
    return "L_dec" in symbols and bool({"L_enc", "L"} & symbols.keys())


def layers(model: ModelFacts) -> Text:
    """Describe how many layers there are, and of what width."""
    ledger = model.ledger
    width = sized(model, "d")
    if two_sided(model):
        return say(
            "a Transformer with an encoder of {encoder} layers and a decoder of {decoder} layers, "
            "of width {width}",
            encoder=sized(model, "L_enc" if "L_enc" in ledger.symbols else "L"),
            decoder=sized(model, "L_dec"),
            width=width,
        )
    side = "encoder" if any(ledger.scope(name) for name in ENCODERS) else "decoder"
    shape = "shared" if "G" in ledger.symbols else "alike"
    if "L_ffn" in ledger.symbols:
        shape = "unlike"
    return say(STACKS[side, shape], layers=sized(model, "L"), width=width)


def one_layer(model: ModelFacts) -> Text:
    """Describe what a layer does."""
    inner = experts(model) if "E" in model.ledger.symbols else network(model)
    if side_by_side(model):
        return say(
            "A layer applies {attention} and beside it, on the same input, {network}.",
            attention=attention(model),
            network=inner,
        )
    return say(
        "A layer applies {attention} and then {network}.", attention=attention(model), network=inner
    )


def convolution(model: ModelFacts) -> Iterator[Text]:
    """Say that a convolution stands beside the first layer, where one does."""
    if "k_conv" in model.ledger.symbols and model.ledger.family == "deberta-v2":
        width = sized(model, "k_conv")
        yield say("Beside the first layer stands a convolution of width {width}.", width=width)


def side_by_side(model: ModelFacts) -> bool:
    """Return whether attention and feed-forward network read the same input."""
    return find_wiring(model.ledger.family, model.config) == PARALLEL


def network(model: ModelFacts) -> Text:
    """Describe the feed-forward network of a layer."""
    symbols = model.ledger.symbols
    if "d_enc" in symbols and "d_dec" in symbols:
        return say(
            "a feed-forward network of inner width {encoder} in the encoder and {decoder} in the "
            "decoder",
            encoder=sized(model, "d_enc"),
            decoder=sized(model, "d_dec"),
        )
    if "d_ff" not in symbols:
        return say("a feed-forward network")
    return say("a feed-forward network of inner width {width}", width=sized(model, "d_ff"))


def experts(model: ModelFacts) -> Text:
    """Describe a mixture of experts, and the layers that have none."""
    symbols = model.ledger.symbols
    text = say(
        "a mixture of {experts} experts of inner width {width}",
        experts=sized(model, "E"),
        width=sized(model, "d_exp" if "d_exp" in symbols else "d_ff"),
    )
    if "k" in symbols:
        used = sized(model, "k")
        text = say("{mixture}, of which a token passes through {used}", mixture=text, used=used)
    if "d_sh" in symbols:
        text = say(
            "{mixture}, beside a shared expert of inner width {width}",
            mixture=text,
            width=sized(model, "d_sh"),
        )
    if "L_ffn" in symbols:
        text = say(
            "{mixture}; in {layers} of the layers it is {network} instead",
            mixture=text,
            layers=sized(model, "L_ffn"),
            network=network(model),
        )
    return text


def tables(model: ModelFacts) -> Iterator[Text]:
    """Describe the tables of words and positions that the model has, or its patches."""
    symbols = model.ledger.symbols
    if "s" in symbols:
        yield say(
            "An image is cut into square patches with sides of {side} pixels.",
            side=sized(model, "s"),
        )
    elif "V" in symbols:
        entries = say("{entries} entries", entries=sized(model, "V"))
        if "d_emb" in symbols and symbols["d_emb"][1] != symbols["d"][1]:
            width = sized(model, "d_emb")
            entries = say("{entries} of width {width}", entries=entries, width=width)
        if "P" not in symbols:
            yield say("The vocabulary has {entries}.", entries=entries)
        else:
            each = "L_dec" in symbols
            yield say(
                "The vocabulary has {entries}, each position table {rows} rows."
                if each
                else "The vocabulary has {entries}, the position table {rows} rows.",
                entries=entries,
                rows=position_rows(model),
            )


def position_rows(model: ModelFacts) -> Text:
    """Return how many rows the first position table has: some families add a few to the key."""
    meaning, value = model.ledger.symbols["P"]
    for term in model.ledger.terms:
        if term.role == "position" and "P" in term.values:
            width = term.values.get("d_emb", term.values.get("d", 0))
            value = term.count // width if width else value
            break
    source = key_evidence(model.config, "P")
    number = count_number("architecture.P", int(value), method=meaning, sources=(source,))
    return (number,)


def sized(model: ModelFacts, symbol: str) -> Text:
    """Return the value of a symbol as a number with its configuration key."""
    meaning, value = model.ledger.symbols[symbol]
    return (
        count_number(
            f"architecture.{symbol}",
            int(value),
            method=meaning,
            sources=(key_evidence(model.config, symbol),),
        ),
    )


def attention(model: ModelFacts) -> Text:
    """Describe the attention of a layer; its heads where the configuration has one number."""
    heads = heads_number(model)
    if heads is None and two_sided(model):
        return say(
            "multi-head self-attention (in the decoder also attention to the encoder's output)"
        )
    if heads is None:
        return say("multi-head self-attention")
    if two_sided(model):
        return say(
            "multi-head self-attention with {heads} heads (in the decoder also attention to the "
            "encoder's output)",
            heads=heads,
        )
    return say("multi-head self-attention with {heads} heads", heads=heads)


def heads_number(model: ModelFacts) -> Number | None:
    """Return the number of attention heads, where the configuration states one for all layers."""
    stated = model.config.values
    sides = {stated.get(f"{side}_attention_heads") for side in ("encoder", "decoder")}
    if two_sided(model) and len(sides) > 1:
        return None
    readings = ((symbol, stated_key(stated, symbol)[1]) for symbol in ("H", "H_enc"))
    symbol, value = next((found for found in readings if isinstance(found[1], int)), ("", None))
    if not isinstance(value, int):
        return None
    return count_number(
        "architecture.heads",
        value,
        method=message("attention heads"),
        sources=(key_evidence(model.config, symbol),),
    )


def _named_rows(model: ModelFacts) -> Iterator[tuple[str, tuple[int, str, str, int | None]]]:
    """Yield the rows of the module tree with the part of an id each has: the modules above it."""
    above: list[str] = []
    seen: Counter[str] = Counter()
    for row in model.ledger.tree:
        above[row[0] :] = [slug(str(row[1]), "module")]
        key = ".".join(above)
        seen[key] += 1
        yield key if seen[key] == 1 else f"{key}-{seen[key]}", row


def tree(model: ModelFacts) -> Table:
    """Return the module tree with the parameters of every branch."""
    rows = tuple(
        TableRow(
            cells=(
                (Indent(depth), retell(title)),
                (retell(description),) if description else (),
                ()
                if count is None
                else (
                    count_number(
                        f"architecture.tree.{key}",
                        count,
                        method=message("parameters of {what}", what=title),
                        sources=(key_evidence(model.config, "d"),),
                    ),
                ),
            )
        )
        for key, (depth, title, description, count) in _named_rows(model)
    )
    whose = (
        say("Modules of {name} and their parameters.", name=model.name)
        if model.name
        else say("Modules of the model and their parameters.")
    )
    below = say("Below “One layer” the counts are those of a single layer.")
    return Table(
        id="table.architecture",
        caption=sentences((whose, below)),
        columns=(
            TableColumn(title=say("Module")),
            TableColumn(title=say("Shape"), wide=True),
            TableColumn(title=say("Parameters"), align="right"),
        ),
        rows=rows,
    )
