"""LoRA: what its configuration says, what it does to this model, what it trains and saves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from reportgen.languages import message, retell, say, tell
from reportgen.parameters.adapters import (
    KEYS_OF_KIND,
    KINDS,
    MemoryRow,
    full_memory,
    lora_memory,
    qlora_memory,
)
from reportgen.records.document import (
    Block,
    Bullets,
    Cite,
    Code,
    EquationGroup,
    Number,
    Paragraph,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.facts import AdapterFacts, Facts
from reportgen.records.formula import Equation, Expression, Sum, Symbol
from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.report._lora_diagram import adapter_figures
from reportgen.report._lora_effects import effect, scaling_equation, shown_value
from reportgen.report._lora_places import places
from reportgen.report._number_ids import keys_of, slug
from reportgen.report._quotes import listed, quoted, quotes_any, sentences

TRAINED = Symbol("N", "train", meaning="parameters that training changes")
# Part of a number's name, title of its column, attribute of a row.
MEMORY_PARTS = (
    ("base", message("Base"), "weights"),
    ("adapter", message("Adapter"), "adapter"),
    ("gradients", message("Gradients"), "gradients"),
    ("optimizer", message("Optimizer"), "optimizer"),
)
_PARTS = {
    "base": message("base"),
    "adapter": message("adapter"),
    "gradients": message("gradients"),
    "optimizer": message("optimizer"),
    "together": message("together"),
}


def build(facts: Facts) -> Section | None:
    """Build the section; None where no adapter is described."""
    if not facts.adapters:
        return None
    low_rank = all(adapter.config.peft_type == "LORA" for adapter in facts.adapters)
    title = tell("Low-rank adaptation (LoRA)" if low_rank else "Adapters")
    if len(facts.adapters) == 1:
        return Section(id="lora", title=title, blocks=adapter_blocks(facts.adapters[0], "lora"))
    parts = tuple(
        Section(
            id=stem,
            title=adapter.name or tell("Adapter {number}", number=place),
            blocks=adapter_blocks(adapter, stem),
        )
        for place, (stem, adapter) in enumerate(_stems(facts.adapters), start=1)
    )
    return Section(id="lora", title=title, blocks=parts)


def _stems(adapters: Sequence[AdapterFacts]) -> Iterator[tuple[str, AdapterFacts]]:
    """Yield each adapter with the start of its ids: its name, else its place."""
    names = [adapter.name for adapter in adapters]
    keys = keys_of(names)
    for place, adapter in enumerate(adapters, start=1):
        own = adapter.name and names.count(adapter.name) == 1
        yield f"lora.{keys[adapter.name] if own else place}", adapter


def adapter_blocks(adapter: AdapterFacts, stem: str) -> tuple[Block, ...]:
    """Return the blocks of one adapter."""
    blocks: list[Block] = [introduction(adapter), *places(adapter), *adapter_figures(adapter, stem)]
    if adapter.config.peft_type in KEYS_OF_KIND:
        blocks.append(key_table(adapter, stem))
    blocks += count_blocks(adapter, stem)
    if adapter.config.peft_type == "LORA":
        blocks += memory_blocks(adapter, stem)
    blocks += lint_blocks(adapter)
    return tuple(blocks)


def introduction(adapter: AdapterFacts) -> Paragraph:
    """Say what this kind of adapter does, and which file is described."""
    kind = adapter.config.peft_type
    path = Code(adapter.config.source.path)
    follows = say(
        "{file} configures {name} as follows.", file=path, name=adapter.name or tell("the adapter")
    )
    if kind == "LORA":
        return Paragraph(
            text=sentences(
                [
                    say(
                        "LoRA {cited} freezes the base model and adds to some of its matrices the "
                        "product of two thin ones. Only the thin matrices are trained.",
                        cited=Cite("lora"),
                    ),
                    follows,
                ]
            )
        )
    if kind in KINDS:
        return Paragraph(text=sentences([say(KINDS[kind].does), follows]))
    return Paragraph(
        text=say(
            "{file} describes an adapter of the kind {kind}, for which no formula is known; it is "
            "named here and not explained.",
            file=path,
            kind=kind or tell("no stated kind"),
        )
    )


def key_table(adapter: AdapterFacts, stem: str) -> Table:
    """Return key, value, meaning and effect of each key that is set."""
    values, kind = adapter.config.values, adapter.config.peft_type
    known = KEYS_OF_KIND[kind]
    default = [key for key, value in values.items() if is_default(key, value, kind)]
    rows = tuple(
        TableRow(
            cells=(
                (Code(key),),
                (Code(shown_value(values[key])),),
                (retell(known[key].meaning) if key in known else tell("not a known key"),),
                effect(adapter, key, stem),
            )
        )
        for key in (
            *(k for k in known if k in values),
            *(k for k in values if k not in known),
        )
        if key not in default
    )
    notes: tuple[Text, ...] = ()
    if default:
        keys = listed(((Code(key),) for key in default), ", ")
        notes = (say("Present and empty or switched off: {keys}.", keys=keys),)
    return Table(
        id=f"table.{stem}.keys",
        caption=say(
            "{kind} configuration: each key, what it means, and what it does to this model.",
            kind=KINDS[kind].title,
        ),
        columns=(
            TableColumn(title=say("Key")),
            TableColumn(title=say("Value")),
            TableColumn(title=say("Meaning"), wide=True),
            TableColumn(title=say("Effect on this model"), wide=True),
        ),
        rows=rows,
        notes=notes,
    )


def is_default(key: str, value: object, kind: str = "LORA") -> bool:
    """Return whether a key changes nothing: null, false or empty, and not always shown.

    Example:
        >>> is_default("use_dora", False), is_default("bias", "none"), is_default("bias", False)
        (True, False, False)
    """
    known = KEYS_OF_KIND[kind].get(key)
    idle = value is None or value is False or value in ({}, [], "")
    return idle and (known is None or not known.shown or value is None)


def count_blocks(adapter: AdapterFacts, stem: str) -> list[Block]:
    """Return the equations of the trainable count, the scaling and the share."""
    ledger = adapter.ledger
    if ledger is None or isinstance(adapter.trainable, Missing):
        reason = adapter.trainable.reason if isinstance(adapter.trainable, Missing) else ""
        text = say("The trainable parameters are not counted: {reason}.", reason=quoted(reason))
        return [Paragraph(text=text)]
    whole = ledger.scope("base_and_adapter")
    parts = term_equations(adapter, stem)
    equations = list(parts)
    if len(parts) > 1:
        equations.append(
            Equation(
                id=f"eq.{stem}.trainable",
                left=TRAINED,
                right=Sum(tuple(part.left for part in parts)),
                values={part.left.key: part.result for part in parts},
            )
        )
    blocks: list[Block] = [
        Paragraph(text=say("The adapter trains this many parameters:")),
        EquationGroup(id=f"eq.{stem}.count", equations=tuple(equations)),
    ]
    scaling = scaling_equation(adapter, stem) if adapter.config.peft_type == "LORA" else None
    if scaling is not None:
        blocks += [
            Paragraph(text=say("The product of the two thin matrices is multiplied by")),
            EquationGroup(id=f"eq.{stem}.scaling", equations=(scaling,)),
        ]
    if whole is not None:
        blocks.append(share_paragraph(adapter, stem, whole.total))
    return blocks


def term_equations(adapter: AdapterFacts, stem: str) -> list[Equation]:
    """Return one equation for each kind of trained parameter."""
    terms = adapter.ledger.terms if adapter.ledger else ()
    seen: dict[str, int] = {}
    found = []
    for term in terms:
        short = term.module.rsplit(".", 1)[-1] if term.module else term.name
        seen[short] = seen.get(short, 0) + 1
        label = short.replace("_", " ") + (f" {seen[short]}" if seen[short] > 1 else "")
        left = TRAINED if len(terms) == 1 else Symbol("N", label, meaning=term.label)
        right: Expression = term.formula
        found.append(
            Equation(
                id=f"eq.{stem}.count.{slug(label)}", left=left, right=right, values=term.values
            )
        )
    return found


def share_paragraph(adapter: AdapterFacts, stem: str, whole: int) -> Paragraph:
    """Say which share is trained, of what, and why 4-bit tools print another."""
    trained = int(adapter.trainable.value) if isinstance(adapter.trainable, Quantity) else 0
    packed = adapter.ledger.scope("packed") if adapter.ledger else None
    both = message("base model and adapter together")
    text = [
        say(
            "That is {share} of the {whole} parameters of base model and adapter together; the "
            "base model alone has {base}.",
            share=share_number(adapter, f"{stem}.share", trained, whole, both),
            whole=reading(adapter, f"{stem}.whole", whole, both),
            base=Number(id=f"{stem}.base", quantity=adapter.base_total, style="count"),
        )
    ]
    if packed is not None and packed.total:
        stored = whole - packed.total // 2
        of = message("stored elements when packed in 4 bits")
        text.append(
            say(
                "A program that loads the base in 4 bits and counts stored elements sees two "
                "weights of the linear layers in each byte: it divides by {stored} and prints "
                "{share}. The number of trained parameters is the same.",
                stored=reading(adapter, f"{stem}.stored", stored, of),
                share=share_number(
                    adapter, f"{stem}.share_packed", trained, stored, message("stored elements")
                ),
            )
        )
    return Paragraph(text=sentences(text))


def share_number(adapter: AdapterFacts, name: str, part: int, whole: int, of: str) -> Number:
    """Return a share with its denominator in the method."""
    return Number(
        id=name,
        quantity=Quantity(
            value=part / whole,
            unit="fraction",
            method=message("trainable parameters divided by {of}", of=of),
            formula=f"{part} / {whole}",
            sources=evidence(adapter),
        ),
        style="percent_sign",
        decimals=4,
    )


def reading(adapter: AdapterFacts, name: str, value: int, method: str) -> Number:
    """Return a count of this adapter and its base."""
    return Number(
        id=name,
        quantity=Quantity(value=value, unit="count", method=method, sources=evidence(adapter)),
        style="count",
    )


def evidence(adapter: AdapterFacts) -> tuple[Evidence, ...]:
    """Return the two configurations that every number of this section rests on."""
    found = [Evidence(path=adapter.config.source.path)]
    if adapter.base is not None:
        found.append(Evidence(path=adapter.base.config.source.path))
    return tuple(found)


def memory_blocks(adapter: AdapterFacts, stem: str) -> list[Block]:
    """Return the bytes of full fine-tuning, LoRA and QLoRA side by side."""
    ledger = adapter.ledger
    base, packed = (ledger.scope("base"), ledger.scope("packed")) if ledger else (None, None)
    if base is None or packed is None or not isinstance(adapter.trainable, Quantity):
        return []
    trained = int(adapter.trainable.value)
    rows = (
        full_memory(base.total),
        full_memory(base.total, half=True),
        lora_memory(base.total, trained, half=False),
        lora_memory(base.total, trained),
        qlora_memory(base.total, packed.total, trained),
    )
    return [
        Paragraph(
            text=say(
                "QLoRA {qlora} keeps the frozen linear layers in 4 bits; what is trained is the "
                "same as in LoRA. The table compares the bytes that weights, gradients and the two "
                "moments of Adam {adam} take, each in the precision named. Activations come on "
                "top: they depend on batch size and sequence length.",
                qlora=Cite("qlora"),
                adam=Cite("adam"),
            )
        ),
        EquationGroup(id=f"eq.{stem}.memory", equations=tuple(r.equation for r in rows)),
        memory_table(adapter, rows, stem),
    ]


def memory_table(adapter: AdapterFacts, rows: Iterable[MemoryRow], stem: str) -> Table:
    """Return the bytes of each way of fine-tuning, by what they are for."""
    rows = tuple(rows)
    return Table(
        id=f"table.{stem}.memory",
        caption=say("Memory for weights, gradients and optimizer states, without activations."),
        columns=(
            TableColumn(title=say("Method"), wide=True),
            *(TableColumn(title=say(title), align="right") for _, title, _ in MEMORY_PARTS),
            TableColumn(title=say("Together"), align="right"),
        ),
        rows=tuple(memory_row(adapter, row, stem) for row in rows),
        notes=tuple(
            say("{method}: {assumption}.", method=row.method, assumption=row.assumption)
            for row in rows
        ),
    )


def memory_row(adapter: AdapterFacts, row: MemoryRow, stem: str) -> TableRow:
    """Return one row of the memory table."""
    parts = [(part, float(getattr(row, name))) for part, _, name in MEMORY_PARTS]
    cells = [
        memory_number(adapter, row, f"{stem}.memory.{row.key}.{part}", part, size)
        for part, size in parts
    ]
    whole = memory_number(adapter, row, f"{stem}.memory.{row.key}", "together", row.size)
    return TableRow(cells=(say(row.method), *((cell,) for cell in cells), (whole,)))


def memory_number(
    adapter: AdapterFacts, row: MemoryRow, name: str, part: str, size: float
) -> Number:
    """Return one part of the bytes of one method."""
    return Number(
        id=name,
        quantity=Quantity(
            value=size,
            unit="bytes",
            method=message(
                "bytes of {method}, {part}: {assumption}",
                method=row.method,
                part=_PARTS[part],
                assumption=row.assumption,
            ),
            sources=evidence(adapter),
        ),
        style="bytes",
    )


def lint_blocks(adapter: AdapterFacts) -> list[Block]:
    """Return what is worth a second look in the configuration."""
    if not adapter.lint:
        return []
    items = tuple(
        say(
            "{message} ({remedy}).",
            message=quoted(problem.message),
            remedy=quoted(problem.remedy),
        )
        if problem.remedy
        else say("{message}.", message=quoted(problem.message))
        for problem in adapter.lint
    )
    intro = say("Worth a second look in this configuration:")
    if quotes_any(text for problem in adapter.lint for text in (problem.message, problem.remedy)):
        intro = say("Worth a second look in this configuration, in the program's English words:")
    return [Paragraph(text=intro), Bullets(items=items)]
