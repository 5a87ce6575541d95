"""What was inferred and why, and what only the reader can answer, as lines."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from reportgen.cli.console._lines import (
    Alert,
    Heading,
    counted,
    cut,
    plain,
    several,
    shorten,
    wrapped,
)

_SEEDS = ".seeds"
_MANY = 6
_LIST = "adapter"
_LONG, _REASON = 60, 200
"""Letters of a value, and of a reason, in a line of a build."""
_KEYS, _QUESTIONS = 14, 2
"""Settings and questions that a build prints."""
_ANSWERS = 3
"""Other values of one setting that are listed; --all lists every one."""
_ADAPTER = f"{_LIST}."


def decision_lines(
    decisions: Sequence[Mapping[str, Any]], options: Mapping[str, str] = MappingProxyType({})
) -> Iterator[str]:
    """Yield what was inferred in one line, and the first questions in a line each.

    `inspect` and the report tell the reasons.

    Args:
        decisions: As in the JSON.
        options: Key of a decision to the option of the command that states it, such as
            `--group-by`; of other keys the answers are lines of a study file.
    """
    told = [d for d in decisions if not d["asks"]]
    if told:
        seeds = sum(d["key"].endswith(_SEEDS) for d in told)
        rest = [d for d in told if not d["key"].endswith(_SEEDS)]
        each = [f"{d['key']} = {shorten(d['value'], _LONG)}" for d in rest if d["value"]]
        each += [f"seeds of {counted(seeds, 'group')}"] if seeds else []
        unset = ", ".join(d["key"] for d in rest if not d["value"])
        text = ", ".join(each[:_KEYS]) + (", …" if len(each) > _KEYS else "")
        text += f"; not set: {unset}" if unset else ""
        yield f"inferred (`reportgen init` writes it down; `inspect` says why): {text}"
    asked = [d for d in decisions if d["asks"]]
    for decision in asked[:_QUESTIONS]:
        yield f"  ? {_brief(decision, options.get(decision['key'], ''))}"
    if left := len(asked[_QUESTIONS:]):
        yield f"  ? and {counted(left, 'more question')}: `reportgen inspect` asks each"


def _brief(decision: Mapping[str, Any], option: str) -> str:
    """Return a question in one line, with the first options or lines that answer it."""
    answers = decision["answers"]
    if option:
        answers = [f"{option} {shlex.quote(other)}" for other in decision["alternatives"]]
    otherwise = f"; to say otherwise: {' or '.join(answers[:_ANSWERS])}" if answers else ""
    more = f" or one of {len(answers) - _ANSWERS} more" if len(answers) > _ANSWERS else ""
    return f"{decision['key']}: {cut(_asked(decision), _REASON)}{otherwise}{more}"


def _asked(decision: Mapping[str, Any]) -> str:
    value, reason = decision["value"], decision["reason"]
    is_said = not value or value in reason or decision["key"] == "runs.pattern"
    return str(reason) if is_said else f"{reason}; taken: {value}"


def inferred_lines(
    decisions: Sequence[Mapping[str, Any]], width: int | None, *, everything: bool = False
) -> Iterator[str]:
    """Yield what `inspect` inferred, as lines of a study file with the reasons as comments.

    Args:
        decisions: As in the JSON.
        width: Columns of the terminal; None for one line each. A setting is never broken.
        everything: A line a group, however many have the same seeds.
    """
    told = [decision for decision in decisions if not decision["asks"]]
    told = list(_joined(told if everything else _folded(told)))
    if told:
        yield Heading("inferred (`reportgen init` writes it down; change it there)")
    for decision in told:
        reason = f"# {decision['reason']}"
        setting = f"  {decision['setting']}"
        if not decision["setting"]:
            text = f"# {decision['key']} is not set: {decision['reason']}"
            yield from wrapped(text, width, first="  ", rest=_COMMENT)
        elif width is None or len(plain(f"{setting}  {reason}")) <= width:
            yield f"{setting}  {reason}"
        else:
            yield setting
            yield from wrapped(decision["reason"], width, first=_COMMENT, rest=_COMMENT)
        if others := several(decision["alternatives"], None if everything else _ANSWERS):
            yield from wrapped(f"also possible: {others}", width, first=_COMMENT, rest=_COMMENT)


_COMMENT = "      # "


def question_lines(
    decisions: Sequence[Mapping[str, Any]], width: int | None, *, everything: bool = False
) -> Iterator[str]:
    """Yield what only the reader can tell, each with what is taken and lines that say otherwise.

    Args:
        decisions: As in the JSON.
        width: Columns of the terminal.
        everything: Every line that answers, however many there are.
    """
    asked = [d for d in decisions if d["asks"]]
    if not asked:
        return
    yield Heading(f"{counted(len(asked), 'question')} that the logs leave open")
    for decision in asked:
        text = f"{decision['key']}: {_asked(decision)}"
        yield from map(Alert, wrapped(text, width, first="  ? ", rest="    "))
        answers = decision["answers"]
        shown = answers if everything else answers[:_ANSWERS]
        for number, answer in enumerate(shown):
            # Never wrapped: the line is there to be copied into a study file.
            yield f"      {'to say otherwise: ' if not number else 'or: '}{answer}"
        if left := len(answers) - len(shown):
            yield f"      or one of {left} more; --all lists them"


def _folded(decisions: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the decisions; of very many groups with the same seeds for the same reason one."""
    alike: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for decision in decisions:
        if decision["key"].endswith(_SEEDS):
            alike.setdefault((decision["value"], decision["reason"]), []).append(decision)
    shown = set()
    for decision in decisions:
        same = alike.get((decision["value"], decision["reason"]), [])
        if not decision["key"].endswith(_SEEDS) or len(same) <= _MANY:
            yield decision
        elif (decision["value"], decision["reason"]) not in shown:
            shown.add((decision["value"], decision["reason"]))
            names = [d["key"].removeprefix("groups.").removesuffix(_SEEDS) for d in same]
            listed = f"{', '.join(names[:_MANY])}, …; --all has a line for each"
            setting = f"# seeds = [{decision['value']}] of {len(same):,} groups: {listed}"
            yield {**decision, "setting": setting}


def _joined(decisions: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the decisions; the adapters, which are one list of a study file, as one."""
    adapters: list[Mapping[str, Any]] = []
    for decision in decisions:
        if decision["key"].startswith(_ADAPTER) and decision["setting"]:
            adapters.append(decision)
        else:
            yield decision
    if adapters:
        begin, end = f"{_LIST} = [", "]"
        each = (d["setting"].removeprefix(begin).removesuffix(end) for d in adapters)
        reason = "; ".join(dict.fromkeys(d["reason"] for d in adapters))
        yield {**adapters[0], "setting": f"{begin}{', '.join(each)}{end}", "reason": reason}
