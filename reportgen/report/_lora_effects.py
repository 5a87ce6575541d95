"""What each key of a LoRA configuration does to the model at hand, in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from reportgen.languages import message, say
from reportgen.parameters.adapters import KINDS, scaling_of
from reportgen.records.checkpoint import Term
from reportgen.records.document import Code, Math, Number, Text
from reportgen.records.facts import AdapterFacts
from reportgen.records.formula import Equation, Expression, Root, Symbol
from reportgen.records.quantity import Evidence, Quantity
from reportgen.report._lora_kinds import BIASES, FIXED, TASKS
from reportgen.report._number_ids import keys_of
from reportgen.report._quotes import listed

LONGEST_VALUE = 60
RANK = Symbol("r", meaning="rank of the adapter")
ALPHA = Symbol("alpha", meaning="numerator of the scaling")
SCALING = Symbol("s", meaning=message("scaling of the update"))


def shown_value(value: object) -> str:
    """Return a value as it stands in the JSON, cut where it is long.

    Example:
        >>> shown_value(["q_proj", "v_proj"]), shown_value(None)
        ('["q_proj", "v_proj"]', 'null')
    """
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST_VALUE else text[: LONGEST_VALUE - 1] + "…"


def effect(adapter: AdapterFacts, key: str, stem: str) -> Text:
    """Return what a key does to this model; nothing where it changes no number here."""
    value = adapter.config.values[key]
    if key == "lora_dropout" and isinstance(value, int | float) and not isinstance(value, bool):
        return dropout_effect(adapter, float(value), stem)
    kind = adapter.config.peft_type
    if key == "peft_type":
        return say(KINDS[kind].adds)
    if key in COMPUTED and (kind == "LORA" or key not in {"r", "lora_alpha"}):
        return COMPUTED[key](adapter, stem)
    known = KINDS[kind].keys
    if kind != "LORA" and key in KINDS[kind].counted:
        return say("decides the number of parameters: see the formula")
    if key == "bias" and key in known:
        legal = str(value) in known[key].choices
        mode = "lora_only" if str(value).endswith("_only") else str(value)
        return say(BIASES[mode]) if legal else say(NOT_LEGAL)
    if key == "task_type":
        return say(TASKS[str(value)]) if str(value) in TASKS else say(NOT_KNOWN)
    return say(FIXED[key]) if key in FIXED and key in known else say(NOTHING)


def counted(adapter: AdapterFacts, name: str, value: int, method: str, key: str) -> Number:
    """Return a count that rests on one key of the adapter."""
    source = Evidence(path=adapter.config.source.path, tag=key)
    return Number(
        id=name,
        quantity=Quantity(value=value, unit="count", method=method, sources=(source,)),
        style="count",
    )


def adapter_terms(adapter: AdapterFacts) -> tuple[Term, ...]:
    """Return the terms of the added matrices."""
    terms = adapter.ledger.terms if adapter.ledger else ()
    return tuple(term for term in terms if term.role == "adapter")


def rank_effect(adapter: AdapterFacts, stem: str) -> Text:
    """Say how large the two thin matrices are, where all are alike."""
    shapes = {(i, o) for _, i, o, _ in adapter.targets}
    if len(shapes) != 1:
        return say("inner width of the two thin matrices of every adapted module")
    ((inputs, outputs),) = shapes
    return say(
        "each adapted matrix gets one of {first} and one of {second} numbers, here with {inputs} "
        "inputs and {outputs} outputs",
        first=Math(RANK * Symbol("d", "in")),
        second=Math(Symbol("d", "out") * RANK),
        inputs=counted(
            adapter, f"{stem}.inputs", inputs, message("inputs of the adapted matrix"), "r"
        ),
        outputs=counted(
            adapter, f"{stem}.outputs", outputs, message("outputs of the adapted matrix"), "r"
        ),
    )


def alpha_effect(adapter: AdapterFacts, stem: str) -> Text:
    """Say by what the update is multiplied."""
    equation = scaling_equation(adapter, stem)
    if equation is None:
        return say("no scaling can be computed: see below")
    return say(
        "the update is multiplied by {formula} = {value}",
        formula=Math(equation.right),
        value=Number(
            id=f"{stem}.scaling",
            quantity=Quantity(
                value=float(equation.result),
                method=message("scaling of the update"),
                sources=(
                    Evidence(path=adapter.config.source.path, tag="lora_alpha"),
                    Evidence(path=adapter.config.source.path, tag="r"),
                ),
            ),
            decimals=None if float(equation.result).is_integer() else 3,
        ),
    )


def dropout_effect(adapter: AdapterFacts, share: float, stem: str) -> Text:
    """Say which share of the inputs is set to zero."""
    if share == 0:
        return say("no dropout in front of the added matrices")
    number = Number(
        id=f"{stem}.dropout",
        quantity=Quantity(
            value=share,
            unit="fraction",
            method=message("dropout of the adapter"),
            sources=(Evidence(path=adapter.config.source.path, tag="lora_dropout"),),
        ),
        style="percent_sign",
    )
    return say(
        "{share} of the adapters' inputs are set to zero in training; adds no parameters",
        share=number,
    )


def target_effect(adapter: AdapterFacts, stem: str) -> Text:
    """Say which modules are adapted, and how many."""
    if not adapter.targets:
        return say("cannot be resolved: see below")
    keys = keys_of((_site(*target[:3]) for target in adapter.targets), "modules")
    return listed(
        say(
            "{n} modules {pattern} ({inputs} → {outputs})",
            n=counted(
                adapter,
                f"{stem}.targets.{keys[_site(pattern, inputs, outputs)]}",
                modules,
                message("modules {pattern}", pattern=pattern),
                "target_modules",
            ),
            pattern=Code(pattern),
            inputs=inputs,
            outputs=outputs,
        )
        for pattern, inputs, outputs, modules in adapter.targets
    )


def _site(pattern: str, inputs: int, outputs: int) -> str:
    """Return the name of what is adapted; one pattern may match matrices of two shapes."""
    return f"{pattern}.{inputs}x{outputs}"


def saved_effect(adapter: AdapterFacts, stem: str) -> Text:
    """Say how many parameters are trained whole."""
    if adapter.ledger is None:
        return say(
            "copied and trained whole; without the base model it is not known how many parameters"
        )
    total = sum(t.count for t in adapter.ledger.terms if t.name.startswith("saved."))
    number = counted(
        adapter, f"{stem}.saved", total, message("modules trained whole"), "modules_to_save"
    )
    return say("{n} parameters are copied and trained whole", n=number)


def base_effect(adapter: AdapterFacts, stem: str) -> Text:
    """Say how large the base model is."""
    if not isinstance(adapter.base_total, Quantity):
        return say("its configuration was not given, so its size is not known here")
    total = Number(id=f"{stem}.base_model", quantity=adapter.base_total, style="count")
    return say("frozen: {n} parameters", n=total)


def scaling_equation(adapter: AdapterFacts, stem: str) -> Equation | None:
    """Return the scaling as an equation: alpha / r, or alpha / √r for rsLoRA."""
    found = scaling_of(adapter.config.values)
    if found is None:
        return None
    alpha, rank, root = found
    right: Expression = ALPHA / (Root(RANK) if root else RANK)
    return Equation(
        id=f"eq.{stem}.scaling.value",
        left=SCALING,
        right=right,
        values={ALPHA.key: alpha, RANK.key: rank},
        unit="",
    )


NOT_LEGAL = message("not a legal value: see below")
NOT_KNOWN = message("not a known task: see below")
NOTHING = message("no effect on the number of parameters")

COMPUTED: Mapping[str, Callable[[AdapterFacts, str], Text]] = {
    "r": rank_effect,
    "lora_alpha": alpha_effect,
    "target_modules": target_effect,
    "modules_to_save": saved_effect,
    "base_model_name_or_path": base_effect,
}
