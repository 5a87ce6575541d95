"""Questions of a study: they order and title the sections, and fill "Answers at a glance"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reportgen.errors import StudyError
from reportgen.languages import say, tell
from reportgen.records.document import Answer, Ref, Section, Text
from reportgen.records.facts import Facts
from reportgen.records.study import QuestionPlan
from reportgen.report._topic import Topic

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
        text += (*say("; "), *topic.text) if text else topic.text
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
    for plan in facts.study.questions:
        for name in plan.answers:
            if name in topics:
                plans = asked.setdefault(topics[name].section, [])
                plans += [plan] if plan not in plans else []
    order = {name: place for place, name in enumerate(asked)}
    first = [s for s in sections if s.id == "setup"]
    rest = [s for s in sections if s.id != "setup"]
    rest.sort(key=lambda section: order.get(section.id, len(order)))
    return tuple(_titled(section, asked.get(section.id, [])) for section in (*first, *rest))


def _titled(section: Section, plans: Sequence[QuestionPlan]) -> Section:
    if not plans:
        return section
    title = plans[0].title if len(plans) == 1 and plans[0].title else section.title
    names = names_of([plan.id for plan in plans])
    return replace(section, title=tell("{questions}: {title}", questions=names, title=title))


def names_of(names: Sequence[str]) -> str:
    """Return what several questions are called together.

    Example:
        >>> names_of(["Task 3", "Task 4", "Q1"]), names_of(["Q1"])
        ('Task 3, Task 4 and Q1', 'Q1')
    """
    if len(names) == 1:
        return names[0]
    return tell("{first} and {last}", first=", ".join(names[:-1]), last=names[-1])
