"""The appendix on adapters: what they train where, the other keys, memory, what looks wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.languages import message, say, tell
from reportgen.parameters.adapters import KINDS, MemoryRow, full_memory, lora_memory, qlora_memory
from reportgen.records import document as doc
from reportgen.records.facts import AdapterFacts, Facts
from reportgen.records.quantity import Quantity
from reportgen.report import lora
from reportgen.report.architecture_diagram import adapter_figures
from reportgen.report.names import slug
from reportgen.report.phrases import listed, plain_table, quoted, quotes_any, sentences, total_row

# Part of a number's name, title of its column, attribute of a row.
MEMORY_PARTS = (
    ("base", message("Base"), "weights"),
    ("adapter", message("Adapter"), "adapter"),
    ("gradients", message("Gradients"), "gradients"),
    ("optimizer", message("Optimizer"), "optimizer"),
)
TOGETHER = message("Together")
STORED = message("stored elements")
MOST_PLACES = 3
"""Other places of an adapter that are named."""


def build(facts: Facts) -> doc.Section | None:
    """Build the appendix; None without adapters, and of many, which have a table."""
    adapters = lora.distinct_adapters(facts)
    if not adapters or len(adapters) > lora.MOST_TOLD:
        return None
    title = tell("Adapter in detail" if len(adapters) == 1 else "Adapters in detail")
    if len(adapters) == 1:
        blocks = tuple(_details(adapters[0]))
    else:
        blocks = tuple(
            doc.Section(
                id=f"adapters.{one.stem.removeprefix('lora.')}",
                title=one.adapter.name or tell("Adapter {number}", number=place),
                blocks=found,
            )
            for place, one in enumerate(adapters, start=1)
            if (found := tuple(_details(one)))
        )
    return doc.Section(id="adapters", title=title, blocks=blocks, appendix=True) if blocks else None


def _details(one: lora.Distinct) -> Iterator[doc.Block]:
    adapter, stem = one.adapter, one.stem
    if one.others:
        yield doc.Paragraph(text=_places(one.others))
    if len(lora.own_terms(adapter)) > 1:
        yield doc.Paragraph(
            text=say("{table} counts each kind.", table=doc.Ref(f"table.{stem}.targets"))
        )
        yield _target_table(adapter, stem)
    if adapter.config.peft_type in KINDS:
        yield from _other_keys(adapter, stem)
    yield from _drawn(adapter, stem)
    yield from _memory(adapter, stem)
    yield from _lint(adapter)


def _places(others: Sequence[str]) -> doc.Text:
    """Say where else the same configuration lies."""
    shown = listed(lora.code_list(list(others[:MOST_PLACES])), ", ")
    rest = len(others) - MOST_PLACES
    where = say("{shown} and {n} more", shown=shown, n=str(rest)) if rest > 0 else shown
    return say("The same configuration lies in {where}.", where=where)


def _drawn(adapter: AdapterFacts, stem: str) -> Iterator[doc.Block]:
    figures = adapter_figures(adapter, stem)
    if figures:
        places = listed(((doc.Ref(figure.id),) for figure in figures), ", ")
        yield doc.Paragraph(text=say("One adapted module is drawn in {figures}.", figures=places))
        yield from figures


def _target_table(adapter: AdapterFacts, stem: str) -> doc.Table:
    """Return what is trained, kind by kind: formula, sizes, count."""
    rows: list[tuple[doc.Text, ...]] = []
    for term in lora.own_terms(adapter):
        sizes = ", ".join(f"{key} = {value:g}" for key, value in term.values.items())
        number = lora.counted(
            adapter, f"{stem}.term.{slug(term.name)}", term.count, term.label, "target_modules"
        )
        where = doc.Code(term.module or term.name)
        rows.append(((where,), (doc.Math(term.formula),), (sizes,), (number,)))
    total = doc.Number(id=f"{stem}.terms", quantity=adapter.trainable, style="count")
    return plain_table(
        f"table.{stem}.targets",
        say("Trained parameters by kind of module."),
        (say("Modules"), say("Formula"), say("Sizes"), say("Parameters")),
        [*rows, total_row(say("Total"), (), (), (total,))],
        right=[3],
    )


def _other_keys(adapter: AdapterFacts, stem: str) -> Iterator[doc.Block]:
    """Yield the keys that describe the file or stand at their default, and the empty ones."""
    keys, empty = lora.keys_without_effect(adapter), lora.empty_keys(adapter)
    text = []
    if keys:
        text.append(say("{table} lists the other keys.", table=doc.Ref(f"table.{stem}.other_keys")))
    if empty:
        names = listed(lora.code_list(empty), ", ")
        text.append(say("Not set or switched off: {keys}.", keys=names))
    if text:
        yield doc.Paragraph(text=sentences(text))
    if keys:
        values = adapter.config.values
        yield plain_table(
            f"table.{stem}.other_keys",
            say("Other keys of the configuration."),
            (say("Key"), say("Value"), say("Meaning")),
            [
                (
                    (doc.Code(key),),
                    (doc.Code(lora.shown_value(values[key])),),
                    _meaning(adapter, key, stem),
                )
                for key in keys
            ],
            wide=[2],
        )


def _meaning(adapter: AdapterFacts, key: str, stem: str) -> doc.Text:
    if key == "base_model_name_or_path" and isinstance(adapter.base_total, Quantity):
        total = doc.Number(id=f"{stem}.base", quantity=adapter.base_total, style="count")
        return say("the frozen base: {n} parameters", n=total)
    return (lora.meaning(adapter, key),)


def _memory(adapter: AdapterFacts, stem: str) -> Iterator[doc.Block]:
    """Yield the bytes of full fine-tuning, LoRA and QLoRA side by side."""
    ledger, trained = adapter.ledger, lora.trained_of(adapter)
    base, packed = (ledger.scope("base"), ledger.scope("packed")) if ledger else (None, None)
    if not lora.is_lora(adapter) or base is None or packed is None or trained is None:
        return
    rows = (
        full_memory(base.total),
        full_memory(base.total, half=True),
        lora_memory(base.total, trained, half=False),
        lora_memory(base.total, trained),
        qlora_memory(base.total, packed.total, trained),
    )
    about = [
        say(
            "{table} compares the memory of full fine-tuning, LoRA and QLoRA {qlora}, which keeps "
            "the frozen linear layers in 4 bits, under Adam {adam}. Activations come on top.",
            table=doc.Ref(f"table.{stem}.memory"),
            qlora=doc.Cite("qlora"),
            adam=doc.Cite("adam"),
        )
    ]
    whole = lora.packed_whole(adapter)
    if whole is not None:
        share = lora.share_number(adapter, f"{stem}.share_packed", whole, STORED)
        about.append(
            say(
                "Loaders in 4 bits print a trained share of {share}: they count two packed "
                "weights as one.",
                share=share,
            )
        )
    yield doc.Paragraph(text=sentences(about))
    note = say(
        "Adapters, their gradients and moments are in float32. NF4: 4 bits a weight, an 8-bit "
        "constant for 64 weights, a float32 for 256 constants; all else in bfloat16."
    )
    yield plain_table(
        f"table.{stem}.memory",
        say("Memory for weights, gradients and optimizer states, without activations."),
        (say("Method"), *(say(title) for _, title, _ in MEMORY_PARTS), say(TOGETHER)),
        [_memory_row(adapter, row, stem) for row in rows],
        right=range(1, len(MEMORY_PARTS) + 2),
        notes=[note],
    )


def _memory_row(adapter: AdapterFacts, row: MemoryRow, stem: str) -> tuple[doc.Text, ...]:
    """Return one row of the memory table."""
    name = f"{stem}.memory.{row.key}"
    sizes = [(f"{name}.{part}", title, getattr(row, size)) for part, title, size in MEMORY_PARTS]
    found = (_bytes(adapter, row, *each) for each in (*sizes, (name, TOGETHER, row.size)))
    return (say(row.method), *((number,) for number in found))


def _bytes(adapter: AdapterFacts, row: MemoryRow, name: str, part: str, size: float) -> doc.Number:
    """Return one part of the bytes of one method."""
    method = message(
        "bytes of {method}, {part}: {assumption}",
        method=row.method,
        part=part,
        assumption=row.assumption,
    )
    found = Quantity(value=float(size), unit="bytes", method=method, sources=lora.evidence(adapter))
    return doc.Number(id=name, quantity=found, style="bytes")


def _lint(adapter: AdapterFacts) -> Iterator[doc.Block]:
    """Yield what is worth a second look in the configuration."""
    if not adapter.lint:
        return
    items = tuple(
        say(
            "{message} ({remedy})." if problem.remedy else "{message}.",
            message=quoted(problem.message),
            remedy=quoted(problem.remedy),
        )
        for problem in adapter.lint
    )
    intro = say("Worth a second look in this configuration:")
    if quotes_any(text for problem in adapter.lint for text in (problem.message, problem.remedy)):
        intro = say("Worth a second look in this configuration, in the program's English words:")
    yield doc.Paragraph(text=intro)
    yield doc.Bullets(items=items)
