"""What questions may ask of the model and its adapters, answered in a line or two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from reportgen.languages import message, retell, say
from reportgen.parameters.adapters import KINDS
from reportgen.records.document import Code, Text
from reportgen.records.facts import Facts, ModelFacts
from reportgen.report._adapter_counts import (
    Distinct,
    counted,
    distinct_adapters,
    share_number,
    shown_value,
    title_of,
    trained_of,
    whole_of,
)
from reportgen.report._adapter_keys import keys_with_effect
from reportgen.report._counts import count_number, origin, stored_total
from reportgen.report._model_scopes import COUNTED, main_count, plain_label
from reportgen.report._quotes import listed
from reportgen.report._topic import Topic
from reportgen.report.lora import BOTH
from reportgen.report.parameters import scope_number

MOST_KEYS = 6
MOST_ADAPTERS = 3


def topics(facts: Facts) -> Mapping[str, Topic]:
    """Return what can be answered: `parameters`, its scopes, `lora`, its keys and its count."""
    found: dict[str, Text] = {}
    if facts.model is not None:
        found |= dict(_of_model(facts, facts.model))
    answers = {name: Topic(text, "parameters") for name, text in found.items()}
    return answers | {name: Topic(text, "lora") for name, text in _of_adapters(facts)}


def _of_model(facts: Facts, model: ModelFacts) -> Iterator[tuple[str, Text]]:
    counted = main_count(facts)
    scopes = [("parameters", counted[0])] if counted else []
    scopes += [(f"parameters.{scope.name}", scope) for scope in model.ledger.scopes]
    for topic, scope in scopes:
        n = scope_number(f"glance.{topic}", model, scope)
        what = COUNTED.get(scope.name, plain_label(scope))
        text = say("{what}: {n}", what=retell(message("{label:cap}", label=what)), n=n)
        stored = stored_total(model) if model.checkpoint else scope.total
        if scope.total < stored:
            name, method = f"glance.{topic}.checkpoint", message("elements stored")
            held = count_number(name, stored, method, (origin(model),))
            text = say("{answer}; the checkpoint holds {n} in all", answer=text, n=held)
        yield topic, text


def _of_adapters(facts: Facts) -> Iterator[tuple[str, Text]]:
    adapters = [one for one in distinct_adapters(facts) if one.adapter.config.peft_type in KINDS]
    told = adapters[:MOST_ADAPTERS]
    if not told:
        return
    counts = [_count("lora.count", one) for one in told if trained_of(one.adapter) is not None]
    keys = [_keys(one) for one in told]
    if counts:
        yield "lora.count", listed(counts)
    if any(keys):
        yield "lora.keys", listed([text for text in keys if text])
    whole = [_whole(one) for one in told]
    yield "lora", listed(whole)


def _count(topic: str, one: Distinct) -> Text:
    """Say how many parameters an adapter trains, and of how many."""
    adapter, trained, whole = one.adapter, trained_of(one.adapter), whole_of(one.adapter)
    name = f"glance.{topic}.{one.stem}"
    n = counted(adapter, name, trained or 0, message("trainable parameters"))
    if whole is None:
        return say("{n} parameters are trained", n=n)
    return say(
        "{n} of {whole} parameters are trained ({share})",
        n=n,
        whole=counted(adapter, f"{name}.whole", whole, BOTH),
        share=share_number(adapter, f"{name}.share", whole, BOTH),
    )


def _keys(one: Distinct) -> Text:
    """Return the first keys with their values."""
    values = one.adapter.config.values
    keys = keys_with_effect(one.adapter)[:MOST_KEYS]
    return listed(((Code(f"{key} = {shown_value(values[key])}"),) for key in keys), ", ")


def _whole(one: Distinct) -> Text:
    """Name an adapter by its kind and rank, with its count."""
    adapter = one.adapter
    rank = adapter.config.values.get("r")
    kind: Text = (title_of(adapter),)
    if rank is not None:
        kind = say("{kind} with {rank}", kind=title_of(adapter), rank=Code(f"r = {rank}"))
    if trained_of(adapter) is None:
        return kind
    return say("{kind}: {count}", kind=kind, count=_count("lora", one))
