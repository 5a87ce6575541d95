"""The model described in words and as a tree of modules."""

from __future__ import annotations

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
from reportgen.sections._counts import count_number, key_evidence

CITED = {"roberta": "roberta", "bert": "bert", "bloom": "bloom"}


def build(facts: Facts) -> Section | None:
    """Build the section; without a model it says how to pass one."""
    model = facts.model
    blocks: tuple[Block, ...]
    if model is None:
        blocks = (no_model(),)
    elif not model.ledger.tree:
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
    """Say that the family of the model is not known."""
    stated = model.config.model_type or "(none)"
    return Paragraph(
        text=(
            model.name or "The model",
            " states the model type ",
            Code(stated),
            ", for which no description is known",
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
    kind = "encoder" if ledger.scope("encoder") else "decoder"
    text: list[Inline] = [
        model.name or title,
        f" is a {title} model ",
        Cite(CITED.get(ledger.family, "transformer")),
        f": a Transformer {kind} of ",
        *sized(model, "L"),
        " identical layers and width ",
        *sized(model, "d"),
        ". ",
        "A layer applies multi-head self-attention",
        *heads(model),
        " and then a feed-forward network",
    ]
    if "d_ff" in ledger.symbols:
        text += [" of inner width ", *sized(model, "d_ff")]
    text += [
        ". The vocabulary has ",
        *sized(model, "V"),
        " entries",
    ]
    if "P" in ledger.symbols:
        text += [", the position table ", *sized(model, "P"), " rows"]
    text.append(".")
    if ledger.family == "roberta" and "P" in ledger.symbols:
        text.append(
            " Positions are counted from the padding index plus one, so the first two rows of "
            "the position table belong to no token, but they are parameters and are counted."
        )
    return Paragraph(text=tuple(text))


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
    """Return the number of attention heads, where the configuration states it."""
    value = next(
        (
            model.config.values[key]
            for key in ("num_attention_heads", "n_head", "n_heads", "encoder_attention_heads")
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
