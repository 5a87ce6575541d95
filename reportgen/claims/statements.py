"""Sentences about series: trends, orders, superlatives, ranges, and what cannot be decided."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from reportgen.checking.numbers._gated import gated
from reportgen.claims._all_others import all_others
from reportgen.claims._asides import asides, is_of_a_rest, is_optimal
from reportgen.claims._bind import Draft, Part
from reportgen.claims._bounds import bounds
from reportgen.claims._clauses import Clause, clauses, sentences
from reportgen.claims._context import Context
from reportgen.claims._context import contexts as contexts_of
from reportgen.claims._divergence import divergences
from reportgen.claims._extremes import extreme
from reportgen.claims._gains import gains
from reportgen.claims._multiples import multiples
from reportgen.claims._orders import order
from reportgen.claims._predicates import Said, predicates
from reportgen.claims._scene import MASK, Around, Scene, read_scene
from reportgen.claims._table_words import with_framework
from reportgen.claims._trends import ellipsis, trend
from reportgen.claims._whole import known_labels, style_of
from reportgen.claims._worst_and_best import worst_and_best
from reportgen.records.claim import Claim, Statement
from reportgen.records.manuscript import Manuscript

_SPOKEN = frozenset({"paragraph", "item"})
_LONGEST = 200
_CHOICE = gated(r"\b(?:at|of|with|using|from|à|au|de)\s(?:\w+\s)?$", re.IGNORECASE)
_STEP = re.compile(
    r"^\s(?:(?!(?:at|in|after|on|by|à|au|en|après)\s)\w+\s){0,2}?"
    r"(?:steps?|epochs?|checkpoints?|époques?|étapes?|pas)\b",
    re.IGNORECASE,
)
_NO_FINDING = gated(
    r"\?[\s\"'”’)]*\Z|\bhypothes\w{0,5}\b|\bliterature\b|\bet\sal\b|\b(?:previous|prior|related)\sworks?\b"
    r"|\b(?:the|their)\s(?:original\s)?(?:paper|authors)\b|\blittérature\b|\bles\sauteurs\b|\bhypothèse\b",
    re.IGNORECASE,
)
"""A question, a supposition, or what others found."""
_OR = gated(r"\b(?:or|ou)\b", re.IGNORECASE)
_AND = gated(r",\s|\b(?:and|or|et|ou)\s", re.IGNORECASE)
_NEVER = gated(
    r"\bnever\s(?:\w+\s){0,2}$|\bno\s(?:\w+\s){0,2}(?:run|seed|model)\s(?:ever\s)?$"
    r"|\b(?:all|every|each)\s(?:\w+\s){0,3}(?:runs?|seeds?)\s$",
    re.IGNORECASE,
)
_BOUND = re.compile(r"^\s(?:below|under|above|over)\b", re.IGNORECASE)


_IS_TITLE = re.compile(rf"\W*(?:\w+\s){{0,2}}{MASK}+(?:\s\w+){{0,2}}\W*[.:]")


def find(manuscript: Manuscript) -> tuple[Claim, ...]:
    """Return the sentences that claim something of series of values, in reading order.

    Example:
        >>> from reportgen.records.manuscript import Block, Line
        >>> text = "On test, BERT is better than the LSTM at every epoch."
        >>> block = Block(type="paragraph", lines=(Line(text=text, number=1),))
        >>> (claim,) = find(Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,)))
        >>> claim.kind, claim.content.predicate, [m.group for m in claim.content.subjects]
        ('comparison', 'better', ['BERT', 'LSTM'])
    """
    contexts = contexts_of(manuscript)
    labels, style = known_labels(manuscript), style_of(manuscript)
    around = Around()
    found: list[Claim] = []
    for index, block in enumerate(manuscript.blocks):
        if block.type == "heading":
            around = _headed(read_scene(index, block, labels, around, style))
        elif block.type in _SPOKEN:
            before = replace(around, subject=None, statement=None)
            scene = read_scene(index, block, labels, before, style)
            scene = replace(scene, around=_introduced(scene))
            found += (_within(claim, contexts[index]) for claim in _claims(scene, _read(scene)))
    return tuple(found)


def _within(claim: Claim, context: Context) -> Claim:
    """Return a claim with the place of its section, and the program whose runs it speaks of."""
    program = context.framework
    hints = {"where": context.where, "framework": program}
    claim = replace(claim, hints={name: text for name, text in hints.items() if text})
    content = claim.content
    if not program or not isinstance(content, Statement):
        return claim
    subjects = tuple(
        replace(
            subject,
            group=with_framework(subject.group, context) if subject.group else "",
            against=with_framework(subject.against, context) if subject.against else "",
        )
        for subject in content.subjects
    )
    return replace(claim, content=replace(content, subjects=subjects))


def _headed(scene: Scene) -> Around:
    """Return what a heading says of the text below it."""
    everything = (0, len(scene.text))
    splits = scene.values(*everything, "split")
    metrics = scene.values(*everything, "metric")
    return Around(
        split=splits[0] if len(splits) == 1 else "",
        metric=metrics[0] if len(metrics) == 1 else "",
        groups=scene.values(*everything, "group"),
    )


def _introduced(scene: Scene) -> Around:
    """Return what is known before a block, with the only metric of the block itself.

    No split is taken from the text before: what is left unsaid may be said of any.
    """
    metrics = scene.values(0, len(scene.text), "metric")
    around = replace(scene.around, groups=_opening(scene) or scene.around.groups)
    return replace(around, metric=metrics[0]) if len(metrics) == 1 else around


def _opening(scene: Scene) -> tuple[str, ...]:
    """Return the group that a block begins with as if it were a heading: `With dropout. ...`."""
    start, end = next(sentences(scene.text), (0, 0))
    groups = scene.of(start, end, "group")
    if len(groups) != 1 or not _IS_TITLE.fullmatch(scene.text, start, end):
        return ()
    return (groups[0].value,)


def _read(scene: Scene) -> list[Draft]:
    """Return the drafts of a block."""
    drafts: list[Draft] = []
    for start, end in sentences(scene.text):
        if _NO_FINDING.search(scene.text, start, end):
            continue
        drafts += gains(scene, start, end)
        for clause in clauses(scene.text, start, end):
            if clause.first:
                # `It` may stand for what the sentence before spoke of, no earlier one.
                scene = replace(scene, around=_recent(scene.around, drafts, start))
            made = list(_of_clause(scene, clause))
            drafts += made
            bound = [d for d in made if d.statement is not None and d.statement.subjects]
            if bound and bound[-1].statement is not None:
                scene = replace(scene, around=_remembered(scene.around, bound[-1].statement))
    return drafts


def _recent(around: Around, drafts: list[Draft], start: int) -> Around:
    """Forget a subject that was last spoken of more than a sentence ago."""
    near = any(start - draft.end <= _LONGEST for draft in drafts[-3:])
    return around if near else replace(around, subject=None, statement=None)


def _remembered(around: Around, statement: Statement) -> Around:
    return replace(around, subject=statement.subjects[0], statement=statement)


def _of_clause(scene: Scene, clause: Clause) -> Iterator[Draft]:
    yield from asides(clause)
    yield from worst_and_best(scene, clause)
    yield from ellipsis(scene, clause, scene.around)
    if is_optimal(clause) or is_of_a_rest(clause):
        return
    said = [_placed(one, clause) for one in predicates(clause.text) if _is_said(clause, one)]
    for place, one in enumerate(said):
        if place and _OR.search(scene.text, said[place - 1].end, one.start):
            continue  # `plateaus or even declines` claims neither for sure.
        part = Part(
            clause=clause,
            said=one,
            subject=_subject(scene, clause, said, place),
            end=_end_of(said, place, clause),
            before=next((s for s in said[:place][::-1] if s.family != "order"), None),
            after=next((s for s in said[place + 1 :] if s.family == "course"), None),
        )
        yield from _BUILD[one.family](scene, part)
    yield from bounds(scene, clause)
    yield from multiples(scene, clause)
    yield from divergences(scene, clause)


def _compared(scene: Scene, part: Part) -> Iterator[Draft]:
    beside_all = all_others(scene, part)
    yield from order(scene, part) if beside_all is None else beside_all


_BUILD = {"order": _compared, "extreme": extreme, "course": trend}


def _is_said(clause: Clause, said: Said) -> bool:
    """Say whether a word stands for itself, and not in `at the best step`."""
    lead, behind = clause.text[: said.start], clause.text[said.end :]
    if _NEVER.search(lead) and _BOUND.match(behind):
        return False  # `never falls below 75 %` is a bound, and no course.
    return not (said.family == "extreme" and _CHOICE.search(lead) and _STEP.match(behind))


def _placed(said: Said, clause: Clause) -> Said:
    return replace(said, start=said.start + clause.start, end=said.end + clause.start)


def _subject(scene: Scene, clause: Clause, said: list[Said], place: int) -> tuple[int, int]:
    """Return where the words stand that a predicate is said of.

    `A is widest here and narrowest there` has one subject for both; `the loss falls and the
    accuracy rises` has two.
    """
    if place:
        before = said[place - 1].end
        own = scene.of(before, said[place].start, "metric", "generic", "aggregate", "split")
        if own:
            return _new_subject(scene.text, before, own[0].start), said[place].start
    return clause.start, said[0].start


def _new_subject(text: str, start: int, end: int) -> int:
    """Return where a new subject begins: behind the last comma or connective before a word."""
    cuts = [match.end() for match in _AND.finditer(text, start, end)]
    return cuts[-1] if cuts else start


def _end_of(said: list[Said], place: int, clause: Clause) -> int:
    """Return where the words of a predicate end: at the next one of its family."""
    own = said[place]
    return next((s.start for s in said[place + 1 :] if s.family == own.family), clause.end)


def _claims(scene: Scene, drafts: list[Draft]) -> Iterator[Claim]:
    seen: set[tuple[str, int, int, str]] = set()
    for draft in drafts:
        key = (draft.kind, draft.start, draft.end, repr(draft.statement))
        if key not in seen:
            seen.add(key)
            yield _claim(scene, draft)


def _claim(scene: Scene, draft: Draft) -> Claim:
    """Return a draft with its place in the file; numbers get their place in the block's text."""
    start, end = scene.plain.span(draft.start, draft.end)
    statement = draft.statement
    if statement is not None:
        amounts = []
        for number in statement.amounts:
            first, last = scene.plain.span(number.start, number.end)
            amounts.append(replace(number, start=first, end=last))
        statement = replace(statement, amounts=tuple(amounts))
    return Claim(
        kind=draft.kind,
        quote=" ".join(scene.block.text[start:end].split())[:_LONGEST],
        place=scene.block.place(start, end),
        block=scene.index,
        start=start,
        end=end,
        content=statement,
        confidence=draft.confidence,
        reason=draft.reason,
    )
