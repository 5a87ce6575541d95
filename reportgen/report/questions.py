"""Questions of a study: they order and title the sections, and fill "Answers at a glance"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from reportgen.languages import message, retell, say, tell
from reportgen.parameters.adapters import KINDS
from reportgen.records.document import Answer, Code, Ref, Section, Text
from reportgen.records.errors import StudyError
from reportgen.records.facts import Facts, ModelFacts
from reportgen.records.record import record, replace
from reportgen.records.study import QuestionPlan
from reportgen.report._model_formula import main_count, origin, plain_label, stored_total
from reportgen.report.lora import (
    BOTH,
    Distinct,
    counted,
    distinct_adapters,
    keys_with_effect,
    share_number,
    shown_value,
    title_of,
    trained_of,
    whole_of,
)
from reportgen.report.numbers import counted as count_number
from reportgen.report.parameters import scope_number
from reportgen.report.phrases import joined, listed, words_of

TOPICS = (
    "best_step",
    "comparison",
    "groups",
    "lora",
    "lora.count",
    "lora.keys",
    "parameters",
)
"""Topics that questions may name; `groups.NAME` and `parameters.SCOPE` name one of several."""


def glance_of(
    facts: Facts, topics: Mapping[str, Topic], there: Sequence[str]
) -> tuple[Answer, ...]:
    """Return the answers at a glance, in the order of the questions; nothing without any.

    Args:
        facts: Names the questions.
        topics: What can be answered.
        there: Ids of the sections of the body.

    Raises:
        StudyError: A question names a topic that there cannot be.
    """
    return tuple(_answer(facts, plan, topics, there) for plan in facts.study.questions)


def _answer(
    facts: Facts, plan: QuestionPlan, topics: Mapping[str, Topic], there: Sequence[str]
) -> Answer:
    found = [topics[name] for name in _checked(facts, plan) if name in topics]
    if not found:
        return Answer(question=(plan.id,), text=say("no evidence"))
    text: Text = ()
    for topic in found:
        text += (tell("; "), *topic.text) if text else topic.text
    section = next((topic.section for topic in found if topic.section in there), "")
    return Answer(question=(plan.id,), text=text, where=(Ref(section),) if section else ())


def _checked(facts: Facts, plan: QuestionPlan) -> tuple[str, ...]:
    for name in plan.answers:
        if name.partition(".")[0] not in {topic.partition(".")[0] for topic in TOPICS}:
            raise StudyError(
                f"{facts.study.path}:{plan.line}: no topic is called {name!r}",
                remedy=f"topics are: {', '.join(TOPICS)}, groups.NAME and parameters.SCOPE",
            )
    return plan.answers


def in_order(
    facts: Facts, sections: Sequence[Section], topics: Mapping[str, Topic]
) -> tuple[Section, ...]:
    """Return the sections of the body in the order of the questions, titled by them.

    The set-up stays first; sections that no question asks for stay behind the others.
    """
    asked: dict[str, list[QuestionPlan]] = {}
    titles: dict[str, str] = {}
    for plan in facts.study.questions:
        for name in plan.answers:
            if name in topics:
                plans = asked.setdefault(topics[name].section, [])
                plans += [plan] if plan not in plans else []
                titles[topics[name].section] = topics[name].title
    order = {name: place for place, name in enumerate(asked)}
    first = [s for s in sections if s.id == "setup"]
    rest = [s for s in sections if s.id != "setup"]
    rest.sort(key=lambda section: order.get(section.id, len(order)))
    return tuple(
        _titled(section, asked.get(section.id, []), titles.get(section.id, ""))
        for section in (*first, *rest)
    )


def _titled(section: Section, plans: Sequence[QuestionPlan], own: str) -> Section:
    if not plans:
        return section
    title = (plans[0].title or own if len(plans) == 1 else "") or section.title
    names = "".join(map(str, joined([(plan.id,) for plan in plans])))
    return replace(section, title=tell("{questions}: {title}", questions=names, title=title))


# --- answers --------------------------------------------------------------------------


@record(kw_only=False)
class Topic:
    """One answer.

    Attributes:
        text: In at most two lines, with its numbers.
        section: Id of the section of the body that works it out.
        title: What that section is called where nothing else is asked of it; empty keeps its own.
    """

    text: Text
    section: str
    title: str = ""


# --- answers about models and adapters ------------------------------------------------


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
        what = words_of("counted").get(scope.name, plain_label(scope))
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
