"""Adapters: what they do to the base, how many parameters they train, the keys that decide it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from reportgen.languages import message, say, tell
from reportgen.parameters.adapters import KINDS
from reportgen.records.document import (
    Block,
    Cite,
    Code,
    EquationGroup,
    Math,
    Paragraph,
    Ref,
    Section,
    Table,
    Text,
)
from reportgen.records.facts import AdapterFacts, Facts
from reportgen.records.formula import Constant, Equation, Product, Symbol, symbols
from reportgen.records.quantity import Missing
from reportgen.report._adapter_counts import (
    Distinct,
    count_equation,
    counted,
    distinct_adapters,
    effect,
    has_patterns,
    is_lora,
    keys_with_effect,
    keys_without_effect,
    scaling,
    share_number,
    shown_value,
    title_of,
    trained_of,
    whole_of,
)
from reportgen.report.phrases import plain_table, quoted, sentences

MOST_TOLD = 3
"""Adapters that are told one by one; more have a row each."""
MOST_KEYS = 4
"""Keys that differ between adapters and have a column each."""
BOTH = message("base model and adapter together")
TRAINABLE = message("trainable parameters")


def build(facts: Facts) -> Section | None:
    """Build the section; None where no adapter is described."""
    adapters = distinct_adapters(facts)
    if not adapters:
        return None
    blocks: tuple[Block, ...]
    if len(adapters) == 1:
        blocks = tuple(_told(adapters[0]))
    elif len(adapters) > MOST_TOLD:
        blocks = (
            Paragraph(
                text=say(
                    "{table} sets {n} adapters side by side.",
                    table=Ref("table.lora.adapters"),
                    n=str(len(adapters)),
                )
            ),
            _side_by_side(adapters),
        )
    else:
        blocks = tuple(
            Section(id=one.stem, title=_name(one, place), blocks=tuple(_told(one)))
            for place, one in enumerate(adapters, start=1)
        )
    return Section(id="lora", title=section_title(adapters), blocks=blocks)


def section_title(adapters: Sequence[Distinct]) -> str:
    """Return the title of the section: LoRA where all are."""
    low_rank = all(is_lora(one.adapter) for one in adapters)
    return tell("Low-rank adaptation (LoRA)" if low_rank else "Adapters")


def _name(one: Distinct, place: int) -> str:
    return one.adapter.name or tell("Adapter {number}", number=place)


def _told(one: Distinct) -> Iterator[Block]:
    """Yield what is said of one adapter."""
    adapter, stem = one.adapter, one.stem
    equation = None if trained_of(adapter) is None else count_equation(adapter, stem)
    yield Paragraph(text=sentences([*_introduction(adapter), *_where(adapter, stem)]))
    if keys_with_effect(adapter):
        yield _key_table(adapter, stem)
    yield Paragraph(text=sentences([*_count(adapter, stem), *_legend(adapter, equation)]))
    if equation is not None:
        yield EquationGroup(id=f"eq.{stem}.count", equations=(equation,))


def _introduction(adapter: AdapterFacts) -> Iterator[Text]:
    """Yield what this kind of adapter does to the base."""
    kind, file = adapter.config.peft_type, Code(adapter.config.source.path)
    name = adapter.name or tell("The adapter")
    if kind not in KINDS:
        yield say(
            "{name} ({file}) is of the kind {kind}, for which no formula is known.",
            name=name,
            file=file,
            kind=kind or tell("no stated kind"),
        )
        return
    if kind != "LORA":
        yield say("{name} ({file}): {does}", name=name, file=file, does=say(KINDS[kind].does))
        return
    update = Math(Symbol("Delta") * Symbol("W"))
    thin = Product((Symbol("B"), Symbol("A")))
    found = scaling(adapter)
    formula: Text = (update, " = ", Math(thin))
    if found is not None:
        ratio, value = found
        formula = (update, " = ", Math(Product((ratio, *thin.factors))))
        if not has_patterns(adapter) and float(value).is_integer():
            whole = () if value == 1 else (Constant(int(value)),)
            formula += (" = ", Math(Product((*whole, *thin.factors))))
    yield say(
        "{name} ({file}) freezes the base and adds to each adapted matrix {W} a trained update of "
        "low rank {cited}: {formula}."
        if adapter.config.values.get("bias", "none") in {"none", None, False}
        else "{name} ({file}) freezes the base, but for biases, and adds to each adapted matrix "
        "{W} a trained update of low rank {cited}: {formula}.",
        name=name,
        file=file,
        W=Math(Symbol("W")),
        formula=formula,
        cited=Cite("lora"),
    )


def _count(adapter: AdapterFacts, stem: str) -> Iterator[Text]:
    """Yield how many parameters are trained and their share, or why that is not known."""
    trained, whole = trained_of(adapter), whole_of(adapter)
    if trained is None:
        yield _uncounted(adapter)
        return
    n = counted(adapter, f"{stem}.trained", trained, TRAINABLE)
    if whole is None:
        yield say("It trains {n} parameters.", n=n)
        return
    yield say(
        "The {n} trained parameters are {share} of the {whole} of base and adapter.",
        n=n,
        share=share_number(adapter, f"{stem}.share", whole, BOTH),
        whole=counted(adapter, f"{stem}.whole", whole, BOTH),
    )


def _uncounted(adapter: AdapterFacts) -> Text:
    """Say why the trained parameters are not counted."""
    base = adapter.config.values.get("base_model_name_or_path")
    if adapter.base is None and isinstance(base, str) and base:
        return say(
            "The trained parameters are not counted: the configuration of the base, {base}, is "
            "not among the files.",
            base=Code(shown_value(base)),
        )
    reason = adapter.trainable.reason if isinstance(adapter.trainable, Missing) else ""
    return say("The trained parameters are not counted ({reason}).", reason=quoted(reason))


def _legend(adapter: AdapterFacts, equation: Equation | None) -> Iterator[Text]:
    """Yield what the symbols of the count stand for, but for those of the table of keys."""
    found = {one.key: Math(one) for one in symbols(equation.right)} if equation else {}
    if is_lora(adapter) and {"n", "d_in", "d_out"} <= set(found):
        yield say(
            "Here {n} counts the adapted matrices, {inputs} their inputs and {outputs} their "
            "outputs.",
            n=found["n"],
            inputs=found["d_in"],
            outputs=found["d_out"],
        )


def _where(adapter: AdapterFacts, stem: str) -> Iterator[Text]:
    """Yield where the keys stand."""
    table, appendix = Ref(f"table.{stem}.keys"), Ref("adapters")
    if not keys_with_effect(adapter):
        return
    if keys_without_effect(adapter):
        yield say(
            "{table} gives its keys; more in {appendix}.",
            table=table,
            appendix=appendix,
        )
    else:
        yield say("{table} gives its keys.", table=table)


def _key_table(adapter: AdapterFacts, stem: str) -> Table:
    """Return key, value and effect of each key that does something here."""
    values = adapter.config.values
    return plain_table(
        f"table.{stem}.keys",
        say("{kind} configuration.", kind=title_of(adapter)),
        (say("Key"), say("Value"), say("What it does here")),
        [
            ((Code(key),), (Code(shown_value(values[key])),), effect(adapter, key, stem))
            for key in keys_with_effect(adapter)
        ],
        wide=[2],
    )


def _side_by_side(adapters: Sequence[Distinct]) -> Table:
    """Return a row for each of many adapters: the keys that differ, what is trained, its share."""
    keys = differing_keys([one.adapter for one in adapters])
    kinds = len({one.adapter.config.peft_type for one in adapters}) > 1
    titles: list[Text] = [say("Adapter"), *([say("Kind")] if kinds else [])]
    titles += [(Code(key),) for key in keys]
    rows = []
    for place, one in enumerate(adapters, start=1):
        adapter, whole, trained = one.adapter, whole_of(one.adapter), trained_of(one.adapter)
        values = adapter.config.values
        row: list[Text] = [(_name(one, place),), *([(title_of(adapter),)] if kinds else [])]
        row += [(Code(shown_value(values[key])),) if key in values else () for key in keys]
        if trained is None:
            row.append(say("not counted"))
        else:
            row.append((counted(adapter, f"{one.stem}.trained", trained, TRAINABLE),))
        name = f"{one.stem}.share"
        row.append((share_number(adapter, name, whole, BOTH),) if whole else ())
        rows.append(row)
    return plain_table(
        "table.lora.adapters",
        say("Adapters by the keys that differ between them."),
        (*titles, say("Trained"), say("Share")),
        rows,
        right=[len(titles), len(titles) + 1],
    )


def differing_keys(adapters: Sequence[AdapterFacts]) -> list[str]:
    """Return the keys with an effect that have not the same value everywhere."""
    keys = dict.fromkeys(
        key for a in adapters if a.config.peft_type in KINDS for key in keys_with_effect(a)
    )
    found = (k for k in keys if len({repr(a.config.values.get(k)) for a in adapters}) > 1)
    return list(found)[:MOST_KEYS]
