"""Adapters: what they do to the base, how many parameters they train, the keys that decide it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from reportgen.languages import message, retell, say, say_count, tell
from reportgen.parameters.adapters import KEYS_OF_KIND, KINDS, scaling_of
from reportgen.records import document as doc
from reportgen.records import formula as tree
from reportgen.records.checkpoint import Term
from reportgen.records.facts import AdapterFacts, Facts
from reportgen.records.quantity import Evidence, Missing, Quantity
from reportgen.records.record import record
from reportgen.records.rows import read_rows
from reportgen.report._run_readings import made
from reportgen.report.names import keys_of, slug
from reportgen.report.numbers import counted as count_number
from reportgen.report.phrases import plain_table, quoted, sentences, words_of

MOST_TOLD = 3
"""Adapters that are told one by one; more have a row each."""
MOST_KEYS = 4
"""Keys that differ between adapters and have a column each."""
BOTH = message("base model and adapter together")
TRAINABLE = message("trainable parameters")


def build(facts: Facts) -> doc.Section | None:
    """Build the section; None where no adapter is described."""
    adapters = distinct_adapters(facts)
    if not adapters:
        return None
    blocks: tuple[doc.Block, ...]
    if len(adapters) == 1:
        blocks = tuple(_told(adapters[0]))
    elif len(adapters) > MOST_TOLD:
        blocks = (
            doc.Paragraph(
                text=say(
                    "{table} sets {n} adapters side by side.",
                    table=doc.Ref("table.lora.adapters"),
                    n=str(len(adapters)),
                )
            ),
            _side_by_side(adapters),
        )
    else:
        blocks = tuple(
            doc.Section(id=one.stem, title=_name(one, place), blocks=tuple(_told(one)))
            for place, one in enumerate(adapters, start=1)
        )
    return doc.Section(id="lora", title=section_title(adapters), blocks=blocks)


def section_title(adapters: Sequence[Distinct]) -> str:
    """Return the title of the section: LoRA where all are."""
    low_rank = all(is_lora(one.adapter) for one in adapters)
    return tell("Low-rank adaptation (LoRA)" if low_rank else "Adapters")


def _name(one: Distinct, place: int) -> str:
    return one.adapter.name or tell("Adapter {number}", number=place)


def _told(one: Distinct) -> Iterator[doc.Block]:
    """Yield what is said of one adapter."""
    adapter, stem = one.adapter, one.stem
    equation = None if trained_of(adapter) is None else count_equation(adapter, stem)
    yield doc.Paragraph(text=sentences([*_introduction(adapter), *_where(adapter, stem)]))
    if keys_with_effect(adapter):
        yield _key_table(adapter, stem)
    yield doc.Paragraph(text=sentences([*_count(adapter, stem), *_legend(adapter, equation)]))
    if equation is not None:
        yield doc.EquationGroup(id=f"eq.{stem}.count", equations=(equation,))


def _introduction(adapter: AdapterFacts) -> Iterator[doc.Text]:
    """Yield what this kind of adapter does to the base."""
    kind, file = adapter.config.peft_type, doc.Code(adapter.config.source.path)
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
    update = doc.Math(tree.Symbol("Delta") * tree.Symbol("W"))
    thin = tree.Product((tree.Symbol("B"), tree.Symbol("A")))
    found = scaling(adapter)
    formula: doc.Text = (update, " = ", doc.Math(thin))
    if found is not None:
        ratio, value = found
        formula = (update, " = ", doc.Math(tree.Product((ratio, *thin.factors))))
        if not has_patterns(adapter) and float(value).is_integer():
            whole = () if value == 1 else (tree.Constant(int(value)),)
            formula += (" = ", doc.Math(tree.Product((*whole, *thin.factors))))
    yield say(
        "{name} ({file}) freezes the base and adds to each adapted matrix {W} a trained update of "
        "low rank {cited}: {formula}."
        if adapter.config.values.get("bias", "none") in {"none", None, False}
        else "{name} ({file}) freezes the base, but for biases, and adds to each adapted matrix "
        "{W} a trained update of low rank {cited}: {formula}.",
        name=name,
        file=file,
        W=doc.Math(tree.Symbol("W")),
        formula=formula,
        cited=doc.Cite("lora"),
    )


def _count(adapter: AdapterFacts, stem: str) -> Iterator[doc.Text]:
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


def _uncounted(adapter: AdapterFacts) -> doc.Text:
    """Say why the trained parameters are not counted."""
    base = adapter.config.values.get("base_model_name_or_path")
    if adapter.base is None and isinstance(base, str) and base:
        return say(
            "The trained parameters are not counted: the configuration of the base, {base}, is "
            "not among the files.",
            base=doc.Code(shown_value(base)),
        )
    reason = adapter.trainable.reason if isinstance(adapter.trainable, Missing) else ""
    return say("The trained parameters are not counted ({reason}).", reason=quoted(reason))


def _legend(adapter: AdapterFacts, equation: tree.Equation | None) -> Iterator[doc.Text]:
    """Yield what the symbols of the count stand for, but for those of the table of keys."""
    found = {one.key: doc.Math(one) for one in tree.symbols(equation.right)} if equation else {}
    if is_lora(adapter) and {"n", "d_in", "d_out"} <= set(found):
        yield say(
            "Here {n} counts the adapted matrices, {inputs} their inputs and {outputs} their "
            "outputs.",
            n=found["n"],
            inputs=found["d_in"],
            outputs=found["d_out"],
        )


def _where(adapter: AdapterFacts, stem: str) -> Iterator[doc.Text]:
    """Yield where the keys stand."""
    table, appendix = doc.Ref(f"table.{stem}.keys"), doc.Ref("adapters")
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


def _key_table(adapter: AdapterFacts, stem: str) -> doc.Table:
    """Return key, value and effect of each key that does something here."""
    values = adapter.config.values
    return plain_table(
        f"table.{stem}.keys",
        say("{kind} configuration.", kind=title_of(adapter)),
        (say("Key"), say("Value"), say("What it does here")),
        [
            ((doc.Code(key),), (doc.Code(shown_value(values[key])),), effect(adapter, key, stem))
            for key in keys_with_effect(adapter)
        ],
        wide=[2],
    )


def _side_by_side(adapters: Sequence[Distinct]) -> doc.Table:
    """Return a row for each of many adapters: the keys that differ, what is trained, its share."""
    keys = differing_keys([one.adapter for one in adapters])
    kinds = len({one.adapter.config.peft_type for one in adapters}) > 1
    titles: list[doc.Text] = [say("Adapter"), *([say("Kind")] if kinds else [])]
    titles += [(doc.Code(key),) for key in keys]
    rows = []
    for place, one in enumerate(adapters, start=1):
        adapter, whole, trained = one.adapter, whole_of(one.adapter), trained_of(one.adapter)
        values = adapter.config.values
        row: list[doc.Text] = [(_name(one, place),), *([(title_of(adapter),)] if kinds else [])]
        row += [(doc.Code(shown_value(values[key])),) if key in values else () for key in keys]
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


# --- counts and keys, in words --------------------------------------------------------


RANK = tree.Symbol("r", meaning="rank of the adapter")
ALPHA = tree.Symbol("alpha", meaning="numerator of the scaling")
TRAINED = tree.Symbol("N", "train", meaning="parameters that training changes")
MOST_TERMS = 4
"""Kinds of trained parameters that have a place in one formula."""
LONGEST_VALUE = 60
SHARE_DECIMALS = 2


@record(kw_only=False)
class Distinct:
    """An adapter of its own, and the others that say the same.

    Attributes:
        stem: How the ids of its blocks and numbers begin.
        adapter: The first of them.
        others: Names of the others, and other paths of the same configuration.
    """

    stem: str
    adapter: AdapterFacts
    others: tuple[str, ...] = ()


def distinct_adapters(facts: Facts) -> tuple[Distinct, ...]:
    """Return each adapter once: those with the same settings on the same base are one."""
    alike: dict[str, list[AdapterFacts]] = {}
    for adapter in facts.adapters:
        base = adapter.base.config.values if adapter.base else {}
        said = [adapter.config.peft_type, adapter.config.values, base]
        alike.setdefault(json.dumps(said, sort_keys=True, default=str), []).append(adapter)
    firsts = [same[0] for same in alike.values()]
    names = [adapter.name for adapter in firsts]
    keys = keys_of(names)
    found = []
    for place, same in enumerate(alike.values(), start=1):
        first = same[0]
        own = first.name and names.count(first.name) == 1
        stem = f"lora.{keys[first.name] if own else place}" if len(firsts) > 1 else "lora"
        places = (path for adapter in same for path in adapter.places or (_path(adapter),))
        others = tuple(dict.fromkeys(path for path in places if path != _path(first)))
        found.append(Distinct(stem, first, others))
    return tuple(found)


def _path(adapter: AdapterFacts) -> str:
    return adapter.config.source.path


def title_of(adapter: AdapterFacts) -> str:
    """Return what a kind of adapter is called."""
    kind = KINDS.get(adapter.config.peft_type)
    return kind.title if kind else adapter.config.peft_type


def is_lora(adapter: AdapterFacts) -> bool:
    """Return whether an adapter is plain LoRA, which has a scaling and a low rank."""
    return adapter.config.peft_type == "LORA"


def evidence(adapter: AdapterFacts, key: str = "") -> tuple[Evidence, ...]:
    """Return what a number rests on: one key, or the configurations of adapter and base."""
    found = (Evidence(path=_path(adapter), tag=key),)
    if key or adapter.base is None:
        return found
    return (*found, Evidence(path=adapter.base.config.source.path))


def counted(adapter: AdapterFacts, name: str, value: int, method: str, key: str = "") -> doc.Number:
    """Return a count of an adapter and its base."""
    return count_number(name, value, method, evidence(adapter, key))


def own_terms(adapter: AdapterFacts) -> tuple[Term, ...]:
    """Return every kind of parameter that is trained."""
    return adapter.ledger.terms if adapter.ledger else ()


def trained_of(adapter: AdapterFacts) -> int | None:
    """Return how many parameters are trained; None where that is not known."""
    if adapter.ledger is None or not isinstance(adapter.trainable, Quantity):
        return None
    return int(adapter.trainable.value)


def whole_of(adapter: AdapterFacts) -> int | None:
    """Return the parameters of base and adapter together."""
    whole = adapter.ledger.scope("base_and_adapter") if adapter.ledger else None
    return whole.total if whole else None


def packed_whole(adapter: AdapterFacts) -> int | None:
    """Return what is counted where two weights of a linear layer are stored as one."""
    packed = adapter.ledger.scope("packed") if adapter.ledger else None
    whole = whole_of(adapter)
    return whole - packed.total // 2 if whole and packed and packed.total else None


def share_number(adapter: AdapterFacts, name: str, whole: int, of: str) -> doc.Number:
    """Return the trained share of a whole."""
    part = trained_of(adapter) or 0
    share, decimals = part / whole, SHARE_DECIMALS
    # A share below a hundredth of a percent keeps two digits.
    while 0 < share * 100 * 10**decimals < 10 and decimals < 8:
        decimals += 1
    words, formula = message("trainable parameters divided by {of}", of=of), f"{part} / {whole}"
    quantity = made(share, words, evidence(adapter), "fraction", formula)
    return doc.Number(id=name, quantity=quantity, style="percent_sign", decimals=decimals)


def count_equation(adapter: AdapterFacts, stem: str) -> tree.Equation | None:
    """Return the count as one formula: its own, or the sum of its kinds of parameters."""
    terms = own_terms(adapter)
    if not terms or len(terms) > MOST_TERMS:
        return None
    if len(terms) == 1:
        (term,) = terms
        return tree.Equation(
            id=f"eq.{stem}.count.{slug(term_names(terms)[0])}",
            left=TRAINED,
            right=term.formula,
            values=term.values,
            strong=True,
        )
    parts: list[tree.Expression] = []
    values: dict[str, int | float] = {}
    for name, term in zip(term_names(terms), terms, strict=True):
        symbol = tree.Symbol("N", name, meaning=term.label)
        parts.append(symbol)
        values[symbol.key] = term.count
    return tree.Equation(
        id=f"eq.{stem}.trainable",
        left=TRAINED,
        right=tree.Sum(tuple(parts)),
        values=values,
        strong=True,
    )


def term_names(terms: Sequence[Term]) -> list[str]:
    """Return the last word of each module, numbered where two are alike."""
    seen: dict[str, int] = {}
    found = []
    for term in terms:
        short = (term.module.rsplit(".", 1)[-1] if term.module else term.name).replace("_", " ")
        seen[short] = seen.get(short, 0) + 1
        found.append(short + (f" {seen[short]}" if seen[short] > 1 else ""))
    return found


def scaling(adapter: AdapterFacts) -> tuple[tree.Expression, float] | None:
    """Return by what an update is multiplied: alpha / r, or alpha / √r for rsLoRA."""
    found = scaling_of(adapter.config.values) if is_lora(adapter) else None
    if found is None:
        return None
    alpha, rank, root = found
    formula = ALPHA / (tree.Root(RANK) if root else RANK)
    return formula, alpha / (rank**0.5 if root else rank)


def has_patterns(adapter: AdapterFacts) -> bool:
    """Return whether some modules have a rank or an alpha of their own."""
    values = adapter.config.values
    return bool(values.get("rank_pattern") or values.get("alpha_pattern"))


def shown_value(value: object) -> str:
    """Return a value as people write it, cut where it is long.

    Example:
        >>> shown_value(["q_proj", "v_proj"]), shown_value(None), shown_value("none")
        ('q_proj, v_proj', 'null', 'none')
    """
    if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
        text = ", ".join(value)
    else:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


# --- keys -----------------------------------------------------------------------------


_ROWS = read_rows("reportgen.report", "adapters.ini")
FIRST, ABOUT = (tuple(_ROWS["keys"][name].split()) for name in ("first", "about"))
DEFAULTS = {key: json.loads(value) for key, value in _ROWS["defaults"].items()}
ILLEGAL = message("not a legal value")
UNKNOWN_TASK = message("not a known task")


def is_default(key: str, value: object, kind: str = "LORA") -> bool:
    """Return whether a key changes nothing: null, false or empty, and not always shown.

    Example:
        >>> is_default("use_dora", False), is_default("bias", "none"), is_default("bias", False)
        (True, False, False)
    """
    known = KEYS_OF_KIND.get(kind, {}).get(key)
    idle = value is None or value is False or value in ({}, [], "")
    return idle and (known is None or not known.shown or value is None)


def keys_with_effect(adapter: AdapterFacts) -> list[str]:
    """Return the keys that do something here, those that decide the count first."""
    found = [key for key in _set_keys(adapter) if _does_something(adapter, key)]
    return sorted(found, key=lambda key: FIRST.index(key) if key in FIRST else len(FIRST))


def keys_without_effect(adapter: AdapterFacts) -> list[str]:
    """Return the other keys that are set."""
    return [key for key in _set_keys(adapter) if not _does_something(adapter, key)]


def empty_keys(adapter: AdapterFacts) -> list[str]:
    """Return the keys that are present and empty or switched off."""
    values, kind = adapter.config.values, adapter.config.peft_type
    return [key for key, value in values.items() if is_default(key, value, kind)]


def _set_keys(adapter: AdapterFacts) -> list[str]:
    values, idle = adapter.config.values, set(empty_keys(adapter))
    known = KEYS_OF_KIND.get(adapter.config.peft_type, {})
    ordered = (*(key for key in known if key in values), *(key for key in values))
    return [key for key in dict.fromkeys(ordered) if key not in idle]


def _does_something(adapter: AdapterFacts, key: str) -> bool:
    known = KEYS_OF_KIND.get(adapter.config.peft_type, {})
    if key in ABOUT or key not in known:
        return False
    deciding = {*FIRST, *words_of("switches"), *KINDS[adapter.config.peft_type].counted}
    return key in deciding or key not in DEFAULTS or adapter.config.values[key] != DEFAULTS[key]


def effect(adapter: AdapterFacts, key: str, stem: str) -> doc.Text:
    """Return what a key does to this model; its meaning where that is all there is to say."""
    value, kind = adapter.config.values[key], adapter.config.peft_type
    known = KINDS[kind].keys
    if key.endswith("dropout") and isinstance(value, int | float) and not isinstance(value, bool):
        return _dropout(adapter, key, float(value), stem)
    if key in COMPUTED and (is_lora(adapter) or key not in {"r", "lora_alpha"}):
        return COMPUTED[key](adapter, stem)
    if key == "bias" and key in known:
        legal = str(value) in known[key].choices
        mode = "lora_only" if str(value).endswith("_only") else str(value)
        return say(words_of("biases")[mode]) if legal else say(ILLEGAL)
    if key == "task_type":
        task = words_of("tasks").get(str(value), UNKNOWN_TASK)
        return say(task)
    if key in words_of("switches") and key in known:
        return say(words_of("switches")[key])
    return (meaning(adapter, key),)


def meaning(adapter: AdapterFacts, key: str) -> str:
    """Return what a key sets, for every model."""
    known = KEYS_OF_KIND.get(adapter.config.peft_type, {})
    return retell(known[key].meaning if key in known else message("not a known key"))


def _rank(_: AdapterFacts, __: str) -> doc.Text:
    return say(
        "rank of {A} and {B}; their parameters grow in proportion",
        A=doc.Math(tree.Symbol("A")),
        B=doc.Math(tree.Symbol("B")),
    )


def _alpha(adapter: AdapterFacts, stem: str) -> doc.Text:
    """Say by what the update is multiplied."""
    found = scaling(adapter)
    if found is None:
        return say("no scaling can be computed")
    formula, value = found
    sources = (*evidence(adapter, "lora_alpha"), *evidence(adapter, "r"))
    quantity = made(value, message("scaling of the update"), sources)
    decimals = None if float(value).is_integer() else 3
    number = doc.Number(id=f"{stem}.scaling", quantity=quantity, decimals=decimals)
    return say(
        "{update} is multiplied by {formula} = {value} where no pattern says otherwise"
        if has_patterns(adapter)
        else "{update} is multiplied by {formula} = {value}",
        update=doc.Math(tree.Symbol("Delta") * tree.Symbol("W")),
        formula=doc.Math(formula),
        value=number,
    )


def _dropout(adapter: AdapterFacts, key: str, share: float, stem: str) -> doc.Text:
    """Say which share of the inputs is set to zero."""
    if share == 0:
        return say("none of the adapter’s inputs is set to zero in training")
    words = message("dropout of the adapter")
    quantity = made(share, words, evidence(adapter, key), "fraction")
    return say(
        "{share} of the adapter’s inputs are set to zero in training, against over-fitting",
        share=doc.Number(id=f"{stem}.dropout", quantity=quantity, style="percent_sign"),
    )


def _targets(adapter: AdapterFacts, stem: str) -> doc.Text:
    """Say how many modules are adapted, and of what shape."""
    if not adapter.targets:
        return (
            say("the modules of the base model that are adapted")
            if adapter.base is None
            else say("no module of the base model can be found")
        )
    modules = sum(target[3] for target in adapter.targets)
    n = counted(adapter, f"{stem}.targets", modules, message("adapted modules"), "target_modules")
    shapes = {(inputs, outputs) for _, inputs, outputs, _ in adapter.targets}
    if len(shapes) > 1 or not all(next(iter(shapes))):
        if len(own_terms(adapter)) > 1:
            table = doc.Ref(f"table.{stem}.targets")
            return say("{n} modules get an adapter: {table}", n=n, table=table)
        return say_count("{n} module gets an adapter", "{n} modules get an adapter", modules, n=n)
    ((inputs, outputs),) = shapes
    sides = (
        ("inputs", inputs, message("inputs of the adapted matrix")),
        ("outputs", outputs, message("outputs of the adapted matrix")),
    )
    return say_count(
        "{n} matrix is adapted, {inputs} inputs and {outputs} outputs",
        "{n} matrices are adapted, {inputs} inputs and {outputs} outputs",
        modules,
        n=n,
        **{
            side: counted(adapter, f"{stem}.{side}", size, words, "target_modules")
            for side, size, words in sides
        },
    )


def _saved(adapter: AdapterFacts, stem: str) -> doc.Text:
    """Say how many parameters are trained whole."""
    if adapter.ledger is None:
        return say("copied and trained whole")
    total = sum(t.count for t in adapter.ledger.terms if t.name.startswith("saved."))
    number = counted(
        adapter, f"{stem}.saved", total, message("modules trained whole"), "modules_to_save"
    )
    return say("copied and trained whole: {n} parameters", n=number)


COMPUTED: Mapping[str, Callable[[AdapterFacts, str], doc.Text]] = {
    "r": _rank,
    "lora_alpha": _alpha,
    "target_modules": _targets,
    "modules_to_save": _saved,
}


def code_list(keys: list[str]) -> list[doc.Text]:
    """Return keys as they are set in typewriter face."""
    return [(doc.Code(key),) for key in keys]
