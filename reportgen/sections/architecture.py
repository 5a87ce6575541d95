"""The model described in words and as a tree of modules."""

from __future__ import annotations

from reportgen.ledger import family_of
from reportgen.records.document import (
    Block,
    Cite,
    Code,
    Indent,
    Inline,
    Paragraph,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import Facts, ModelFacts
from reportgen.records.quantity import Evidence
from reportgen.sections._counts import KEYS, count_number, key_evidence, why_no_formula

VOWELS = "AEIOm"
# Scopes that encoders alone have.
ENCODERS = ("encoder", "encoder_with_head")
CROSS = (" (in the decoder also attention to the encoder's output)",)
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
        blocks = (describe(model), tree(model))
    return Section(id="architecture", title="Model architecture", blocks=blocks)


def no_model() -> Paragraph:
    """Say that no configuration was found, and what to do about it."""
    return Paragraph(
        text=(
            "No model configuration was found, so the architecture is not described here. ",
            "To add it, write the path of the model's ",
            Code("config.json"),
            " under ",
            Code("[model] config"),
            " in the study file.",
        )
    )


def unknown(model: ModelFacts) -> Paragraph:
    """Say that the family of the model is not known, or that its sizes are not."""
    stated = model.config.model_type or "(none)"
    known = f", whose sizes could not be read ({why_no_formula(model)})"
    return Paragraph(
        text=(
            model.name or "The model",
            " states the model type ",
            Code(stated),
            known if family_of(stated) else ", for which no description is known",
            *stored(model),
            ".",
        )
    )


def stored(model: ModelFacts) -> Text:
    """Return how many parameters a checkpoint holds, where there is one."""
    if model.checkpoint is None:
        return ()
    number = count_number(
        "architecture.stored",
        model.checkpoint.total,
        method="parameters that the checkpoint stores, a shared tensor counted once",
        sources=(Evidence(path=model.checkpoint.source.path),),
    )
    return ("; its checkpoint stores ", number, " parameters")


def describe(model: ModelFacts) -> Paragraph:
    """Describe the model in a few sentences, every size a traced number."""
    ledger = model.ledger
    title = ledger.tree[0][1]
    text: list[Inline] = [
        model.name or "The model",
        f" is {'an' if title[0] in VOWELS else 'a'} {title} model ",
        Cite(CITED.get(ledger.family, "transformer")),
        *layers(model),
        " A layer applies multi-head self-attention",
        *heads(model),
        *(CROSS if two_sided(model) else ()),
        " and beside it, on the same input, " if side_by_side(model) else " and then ",
        *(experts(model) if "E" in ledger.symbols else network(model)),
        ". ",
        *convolution(model),
        *tables(model),
    ]
    if ledger.family == "roberta" and "P" in ledger.symbols:
        text.append(
            " Positions are counted from the padding index plus one, so the first two rows of "
            "the position table belong to no token, but they are parameters and are counted."
        )
    return Paragraph(text=tuple(text))


def two_sided(model: ModelFacts) -> bool:
    """Return whether the model has an encoder and a decoder."""
    return "L_enc" in model.ledger.symbols and "L_dec" in model.ledger.symbols


def layers(model: ModelFacts) -> Text:
    """Describe how many layers there are, and of what width."""
    ledger = model.ledger
    width: Text = (" width ", *sized(model, "d"), ".")
    if two_sided(model):
        encoder, decoder = sized(model, "L_enc"), sized(model, "L_dec")
        start = (": a Transformer with an encoder of ", *encoder, " layers and a decoder of ")
        return (*start, *decoder, " layers, of", *width)
    kind = "encoder" if any(ledger.scope(name) for name in ENCODERS) else "decoder"
    alike = "layers" if "L_ffn" in ledger.symbols else "identical layers"
    start = (f": a Transformer {kind} of ", *sized(model, "L"))
    if "G" in ledger.symbols:
        return (*start, " layers that share their weights, of", *width)
    return (*start, f" {alike} and", *width)


def convolution(model: ModelFacts) -> Text:
    """Say that a convolution stands beside the first layer, where one does."""
    if model.ledger.family != "deberta" or "k" not in model.ledger.symbols:
        return ()
    return ("Beside the first layer stands a convolution of width ", *sized(model, "k"), ". ")


def side_by_side(model: ModelFacts) -> bool:
    """Return whether attention and feed-forward network read the same input.

    Source: transformers 5.23, `modeling_{gpt_neox,falcon,phi}.py`, the layer's `forward`.
    """
    stated = model.config.values
    return {
        "phi": True,
        "gpt_neox": stated.get("use_parallel_residual") is not False,
        "falcon": stated.get("parallel_attn") is not False
        or stated.get("new_decoder_architecture") is True,
    }.get(model.ledger.family, False)


def network(model: ModelFacts) -> Text:
    """Describe the feed-forward network of a layer."""
    symbols = model.ledger.symbols
    if "d_enc" in symbols and "d_dec" in symbols:
        inner = sized(model, "d_enc"), sized(model, "d_dec")
        text: Text = ("a feed-forward network of inner width ", *inner[0])
        return (*text, " in the encoder and ", *inner[1], " in the decoder")
    if "d_ff" not in symbols:
        return ("a feed-forward network",)
    return ("a feed-forward network of inner width ", *sized(model, "d_ff"))


def experts(model: ModelFacts) -> Text:
    """Describe a mixture of experts, and the layers that have none."""
    symbols = model.ledger.symbols
    inner = "d_exp" if "d_exp" in symbols else "d_ff"
    text: list[Inline] = ["a mixture of ", *sized(model, "E"), " experts"]
    text += [" of inner width ", *sized(model, inner)]
    if "k" in symbols:
        text += [", of which a token passes through ", *sized(model, "k")]
    if "d_sh" in symbols:
        text += [", beside a shared expert of inner width ", *sized(model, "d_sh")]
    if "L_ffn" in symbols:
        text += ["; in ", *sized(model, "L_ffn"), " of the layers it is "]
        text += [*network(model), " instead"]
    return tuple(text)


def tables(model: ModelFacts) -> Text:
    """Describe the tables of words and positions that the model has, or its patches."""
    symbols = model.ledger.symbols
    if "N_patch" in symbols:
        cut = ("An image is cut into ", *sized(model, "N_patch"), " square patches with sides of ")
        return (*cut, *sized(model, "s"), " pixels.")
    if "V" not in symbols:
        return ()
    text: list[Inline] = ["The vocabulary has ", *sized(model, "V"), " entries"]
    if "d_emb" in symbols and symbols["d_emb"][1] != symbols["d"][1]:
        text += [" of width ", *sized(model, "d_emb")]
    if "P" in symbols:
        which = "each position table" if "L_enc" in symbols else "the position table"
        text += [f", {which} ", *sized(model, "P"), " rows"]
    return (*text, ".")


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


def heads(model: ModelFacts) -> Text:
    """Return the number of attention heads, where the configuration states one for all layers."""
    sides = {model.config.values.get(f"{side}_attention_heads") for side in ("encoder", "decoder")}
    if two_sided(model) and len(sides) > 1:
        return ()
    value = next(
        (
            model.config.values[key]
            for key in KEYS["H"]
            if isinstance(model.config.values.get(key), int)
        ),
        None,
    )
    if not isinstance(value, int):
        return ()
    number = count_number(
        "architecture.heads",
        value,
        method="attention heads",
        sources=(key_evidence(model.config, "H"),),
    )
    return (" with ", number, " heads")


def tree(model: ModelFacts) -> Table:
    """Return the module tree with the parameters of every branch."""
    rows = tuple(
        TableRow(
            cells=(
                (Indent(depth), title),
                (description,) if description else (),
                ()
                if count is None
                else (
                    count_number(
                        f"architecture.tree.{place}",
                        count,
                        method=f"parameters of {title}",
                        sources=(key_evidence(model.config, "d"),),
                    ),
                ),
            )
        )
        for place, (depth, title, description, count) in enumerate(model.ledger.tree)
    )
    return Table(
        id="table.architecture",
        caption=(
            f"Modules of {model.name or 'the model'} and their parameters. ",
            "Below “One layer” the counts are those of a single layer.",
        ),
        columns=(
            TableColumn(title=("Module",)),
            TableColumn(title=("Shape",), wide=True),
            TableColumn(title=("Parameters",), align="right"),
        ),
        rows=rows,
    )
