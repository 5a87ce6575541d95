"""What was inferred and why, and what only the reader can answer, as lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from reportgen.console._lines import Alert, Heading, counted, plain, wrapped

_SEEDS = ".seeds"
_MANY = 6
_LIST = "adapter"
_ADAPTER = f"{_LIST}."


def decision_lines(decisions: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield what was inferred, with the reasons, aligned, and the questions behind it.

    Of very many groups with the same seeds for the same reason one has a line of its own.
    """
    if not decisions:
        return
    yield "inferred (`reportgen init` writes it down; change it there):"
    told = list(_folded([d for d in decisions if not d["asks"]]))
    width = max((len(decision["key"]) for decision in told), default=0)
    for decision in told:
        value = decision["value"] or "not set"
        yield f"  {decision['key']:<{width}} = {value}  ({decision['reason']})"
        if decision["alternatives"]:
            yield f"  {'':<{width}}   also possible: {', '.join(decision['alternatives'])}"
        if others := decision.get("others"):
            listed = f"{', '.join(others[:_MANY])}{', …' if len(others) > _MANY else ''}"
            yield f"  {'':<{width}}   and the same of {len(others):,} more groups: {listed}"
    yield from question_lines(decisions, None)


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
        others = ", ".join(decision["alternatives"])
        if others:
            yield from wrapped(f"also possible: {others}", width, first=_COMMENT, rest=_COMMENT)


_COMMENT = "      # "


def question_lines(decisions: Sequence[Mapping[str, Any]], width: int | None) -> Iterator[str]:
    """Yield what only the reader can tell, each with what is taken and lines that say otherwise."""
    asked = [d for d in decisions if d["asks"]]
    if not asked:
        return
    yield Heading(f"{counted(len(asked), 'question')} that the logs leave open")
    for decision in asked:
        yield from _question(
            decision["key"], decision["value"], decision["reason"], decision["answers"], width
        )


def _question(
    key: str, value: str, reason: str, answers: Sequence[str], width: int | None = None
) -> Iterator[str]:
    taken = f"; taken: {value}" if value and value not in reason else ""
    for line in wrapped(f"{key}: {reason}{taken}", width, first="  ? ", rest="    "):
        yield Alert(line)
    for number, answer in enumerate(answers):
        # Never wrapped: the line is there to be copied into a study file.
        yield f"      {'to say otherwise: ' if not number else 'or: '}{answer}"


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
            yield {**decision, "setting": setting, "others": names[1:]}


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
        yield {**adapters[0], "setting": f"{begin}{', '.join(each)}{end}"}
