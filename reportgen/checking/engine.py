"""One report held against its evidence: from numbers with their context to verdicts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from decimal import Context, localcontext
from itertools import pairwise

from reportgen.checking.catalogue import Catalogue
from reportgen.checking.context import Claiming, numbers_of
from reportgen.checking.gathering import catalogue_of_stored, make_catalogue
from reportgen.checking.grids import grid_verdicts
from reportgen.checking.itself import check_itself
from reportgen.checking.kept import per_evidence
from reportgen.checking.leaves import leaf_verdicts, slip_verdicts
from reportgen.checking.named import named_verdicts, own_verdicts
from reportgen.checking.numbers import is_coefficient
from reportgen.checking.sentences import sentence_verdicts
from reportgen.checking.settings import check_settings
from reportgen.checking.statements import check_statements
from reportgen.checking.tables import table_verdicts
from reportgen.checking.verdicts import form_of, verdict_on
from reportgen.checking.words import Words, said, tokens_of
from reportgen.records.manuscript import Manuscript
from reportgen.records.verdict import Evidence, Number, Review, Verdict

__all__ = ["review"]

_DIGITS = 400
"""Of the longest result of two printed numbers, so that each is exact."""


def review(manuscript: Manuscript, evidence: Evidence) -> Review:
    """Return a verdict on each number of a report.

    Args:
        manuscript: The report.
        evidence: What it is held against.

    Example:
        >>> from reportgen.records.manuscript import Block, Line
        >>> from reportgen.records.verdict import Stored
        >>> line = Line(text="The eval_accuracy is 0.912.", number=1)
        >>> block = Block(type="paragraph", lines=(line,))
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=(block,))
        >>> held = Evidence(stored=(Stored(path="m.json", keys=("eval_accuracy",), value=0.9123),))
        >>> [(one.number.printed.text, one.outcome) for one in review(report, held).verdicts]
        [('0.912', 'traced')]
    """
    with localcontext(Context(prec=_DIGITS)):
        return _review(manuscript, evidence)


def _review(manuscript: Manuscript, evidence: Evidence) -> Review:
    numbers = numbers_of(manuscript)
    catalogues = _catalogues_of(evidence)
    found, statements = _found(manuscript, numbers, evidence, catalogues)
    for name in of_others(found, numbers, catalogues):
        if _by_evidence(found[name]):
            del found[name]
    remark = ""
    if _of_others(found.values(), numbers, evidence):
        remark = _OF_OTHERS
        found = {name: one for name, one in found.items() if not _by_evidence(one)}
        statements = tuple(one for one in statements if not _by_evidence(one))
    elif _of_settings_alone(found, numbers):
        found = {name: one for name, one in found.items() if not _is_told_setting(one)}
        statements = tuple(one for one in statements if not _is_told_setting(one))
    return Review(
        manuscript=manuscript,
        verdicts=(*(found.get(one.number.id) or _open(one) for one in numbers), *statements),
        evidence=evidence.files,
        remark=remark,
    )


@per_evidence
def _catalogues_of(evidence: Evidence) -> tuple[Catalogue, ...]:
    """Return the catalogues of logs and of other files; made once for a class that shares them."""
    beside = catalogue_of_stored(evidence.stored)
    return (make_catalogue(evidence), *((beside,) if beside is not None else ()))


def _found(
    manuscript: Manuscript,
    numbers: tuple[Claiming, ...],
    evidence: Evidence,
    catalogues: Sequence[Catalogue],
) -> tuple[dict[str, Verdict], tuple[Verdict, ...]]:
    """Return the verdicts by the ids of their numbers, and those on statements.

    What agrees with one part of the evidence is not contradicted by another.
    """
    found = _searched(manuscript, numbers, catalogues)
    statements = []
    for verdict in check_settings(numbers, manuscript, evidence):
        if verdict.number is None:
            statements.append(verdict)
        elif _stronger(verdict, found.get(verdict.number.id)):
            found[verdict.number.id] = verdict
    settled = {name for name, one in found.items() if one.outcome != "untraced"}
    _hold_against_itself(found, check_itself(manuscript, numbers, settled), numbers)
    for verdict in own_verdicts(numbers, evidence.stated):
        name = verdict.number.id if verdict.number is not None else ""
        # What a column of a table denies is not saved by standing elsewhere in the report.
        if name not in found or found[name].rule != "series" or not _is_told(found[name]):
            found[name] = verdict
    for verdict in named_verdicts(manuscript, numbers, evidence.stated):
        if verdict.number is not None:
            found[verdict.number.id] = verdict
        elif verdict.outcome == "contradicted":
            statements.append(verdict)
    said = check_statements(manuscript, numbers, catalogues[0])
    statements += [one for one in said if not (_is_told(one) and _several_tasks(evidence))]
    return found, tuple(statements)


def _hold_against_itself(
    found: dict[str, Verdict], verdicts: Iterable[Verdict], numbers: Sequence[Claiming]
) -> None:
    """Add what a report says of its own numbers to what the evidence says of them."""
    verdicts = [*verdicts]
    known = {one.number.id for one in verdicts if one.number is not None}
    wrong, half = _lines_of_wrong(found), _half_traced(found, numbers, known)
    for verdict in verdicts:
        name = verdict.number.id if verdict.number is not None else ""
        old = found.get(name)
        told = _is_told(verdict)
        follows = verdict.rule in _FOLLOWS
        unsure = (
            verdict.rule in _OF_VALUES
            and verdict.number is not None
            and _place_of(verdict.number) in half
        )
        if told and (unsure or wrong & _lines_of(verdict)):
            # What follows from a number that may be wrong itself may be right.
            continue
        denied = old is not None and _is_told(old) and old.rule in _BORNE_OUT
        borne_out = denied and follows and not told
        if old is None or (told and old.outcome == "untraced"):
            found[name] = verdict
        elif borne_out and _lines_of(verdict).isdisjoint(_lines_of_wrong(found, name)):
            # What follows from numbers that nothing denies is right, whatever is left out.
            found[name] = verdict


def _lines_of_wrong(found: Mapping[str, Verdict], but: str = "") -> set[tuple[object, ...]]:
    """Return the rows and columns of tables in which a number, but one, is denied."""
    told = (one for name, one in found.items() if _is_told(one) and name != but)
    return {line for verdict in told for line in _lines_of(verdict)}


def _half_traced(
    found: Mapping[str, Verdict], numbers: Sequence[Claiming], known: Container[str]
) -> set[tuple[object, ...]]:
    """Return sentences, and rows, of which one value stands in the evidence and another does not.

    Args:
        found: Verdicts by the ids of their numbers.
        numbers: All numbers of a report.
        known: Ids of those that follow from others, or should.
    """
    lines: dict[tuple[object, ...], set[bool]] = {}
    for one in numbers:
        number, verdict = one.number, found.get(one.number.id)
        if number.printed.decimals > 0 and not one.reason and number.id not in known:
            traced = verdict is not None and verdict.outcome == "traced"
            lines.setdefault(_place_of(number), set()).add(traced)
    return {line for line, traced in lines.items() if len(traced) > 1}


def _place_of(number: Number) -> tuple[object, ...]:
    """Return the sentence in which a number stands, or the row."""
    if number.row is None:
        return number.block, "sentence", number.start - number.context.offset
    return number.block, "row", number.row


def _lines_of(verdict: Verdict) -> set[tuple[object, ...]]:
    """Return the row and the column in which a number of a table stands; none in a sentence."""
    number = verdict.number
    if number is None or number.row is None:
        return set()
    return {_place_of(number), (number.block, "column", number.column)}


def _several_tasks(evidence: Evidence) -> bool:
    """Say whether groups are of unlike tasks: the best of one is not the best of all."""
    groups = evidence.facts.groups if evidence.facts is not None else ()
    return len({(group.task.kind, group.task.name) for group in groups}) > 1


def _searched(
    manuscript: Manuscript, numbers: tuple[Claiming, ...], catalogues: Sequence[Catalogue]
) -> dict[str, Verdict]:
    """Return the verdicts of tables and sentences held against each part of the evidence."""
    found: dict[str, Verdict] = {}
    said = _said(manuscript)
    forms = [form_of(one.number.printed) for one in numbers if not one.reason]
    for one in catalogues:
        one.index.learn(forms)
        for judged in (table_verdicts(numbers, one, said), sentence_verdicts(numbers, one)):
            for name, verdict in judged.items():
                if name not in found or (_is_told(found[name]) and not _is_told(verdict)):
                    found[name] = verdict
    for one in catalogues:
        for name, verdict in grid_verdicts(numbers, dict(found), one):
            if name not in found or (found[name].outcome != "traced" and not _is_told(verdict)):
                found[name] = verdict
    for one in catalogues:
        for name, verdict in leaf_verdicts(numbers, dict(found), one):
            found.setdefault(name, verdict)
    found.update(dict(slip_verdicts(numbers, dict(found), catalogues)))
    for name in [*_means_of_others(found, numbers), *_borne_by_tables(found, numbers)]:
        found.pop(name, None)
    return found


def _borne_by_tables(found: Mapping[str, Verdict], numbers: Sequence[Claiming]) -> Iterator[str]:
    """Yield numbers of sentences that are denied, and that a table has under a word of theirs."""
    cells: dict[str, list[Number]] = {}
    for one in numbers:
        number = one.number
        verdict = found.get(number.id)
        if number.row is not None and not (verdict and _is_told(verdict)):
            cells.setdefault(number.printed.text, []).append(number)
    for one in numbers:
        number, printed = one.number, one.number.printed
        verdict = found.get(number.id)
        telling = len(printed.value.as_tuple().digits) >= _TELLING
        if verdict and _is_told(verdict) and number.row is None and telling:
            words = {*tokens_of(number.context.sentence)}
            rows = [{*tokens_of(cell.context.row)} for cell in cells.get(printed.text, ())]
            if any(len(word) > 2 and word.isalpha() for row in rows for word in words & row):
                yield number.id


def _means_of_others(found: Mapping[str, Verdict], numbers: Sequence[Claiming]) -> Iterator[str]:
    """Yield the numbers held against one run whose spread beside them is of several."""
    for before, one in pairwise(numbers):
        denied, spread = found.get(before.number.id), found.get(one.number.id)
        if one.number.spread and denied and spread and denied.traces and spread.traces:
            of, over = denied.traces[0], spread.traces[0]
            if (
                _is_told(denied)
                and not _is_told(spread)
                and ", " in over.run
                and ", " not in of.run
            ):
                yield before.number.id


def _is_told(verdict: Verdict) -> bool:
    return verdict.outcome == "contradicted"


def _stronger(verdict: Verdict, old: Verdict | None) -> bool:
    """Say whether what a setting's name says goes before what was found by search."""
    if old is None or verdict.outcome == "traced":
        return old is None or old.outcome != "traced"
    if _is_told(old):
        return False
    return not (old.outcome == "traced" and "words" in old.bindings)


def _by_evidence(verdict: Verdict) -> bool:
    return verdict.outcome == "contradicted" and verdict.rule in _EVIDENCE


_OF_VALUES = frozenset({"column", "difference"})
_FOLLOWS = _OF_VALUES | {"arithmetic"}
_BORNE_OUT = frozenset({"series", "sentence"})
_EVIDENCE = frozenset({"series", "sentence", "search", "setting", "count", "statement"})
_OF_OTHERS = "hardly a number of this report stands in the evidence: it seems to be of other runs"
_LEAST_TRACED = 1.0
_LEAST_SHARE = 0.05
_LEAST_RESULTS, _MANY_RESULTS = 0.1, 5
_FEW_CLAIMS = 6
"""Of fewer numbers nobody can say whose they are."""
_RESULTS = frozenset({"series", "sentence", "search", "named"})


def _of_others(
    verdicts: Iterable[Verdict], numbers: Sequence[Claiming], evidence: Evidence
) -> bool:
    """Say whether so little of a report stands in the evidence that it is another one's.

    Settings agree with many an experiment: where none of the results is in the logs, they say
    nothing.
    """
    told = [one for one in verdicts if one.rule in _EVIDENCE | _RESULTS]
    wrong = sum(one.outcome == "contradicted" for one in told)
    traced = len(told) - wrong
    claims = [one.number for one in numbers if not one.reason]
    measured = sum(number.printed.decimals > 1 for number in claims)
    placed = sum(one.rule in _RESULTS for one in told)
    logged = evidence.facts is not None and bool(evidence.facts.runs)
    without = logged and placed < _LEAST_RESULTS * measured and measured >= _MANY_RESULTS
    least = max(_LEAST_TRACED * wrong, _LEAST_SHARE * len(claims))
    return wrong > 0 and len(claims) >= _FEW_CLAIMS and (traced < least or without)


_TELLING, _FEW_TELLING = 3, 3


def _of_settings_alone(found: Mapping[str, Verdict], numbers: Sequence[Claiming]) -> bool:
    """Say whether none of the numbers with three digits or more stands in the evidence.

    Settings of two experiments are alike by chance: there they say nothing.
    """
    claims = (one.number for one in numbers if not one.reason)
    telling = [one for one in claims if len(one.printed.value.as_tuple().digits) >= _TELLING]
    held = [found[one.id] for one in telling if one.id in found]
    placed = any(not _is_told(one) and one.rule in _EVIDENCE | _RESULTS for one in held)
    return len(telling) >= _FEW_TELLING and not placed


def _is_told_setting(verdict: Verdict) -> bool:
    return _is_told(verdict) and verdict.rule == "setting"


def _said(manuscript: Manuscript) -> Words:
    """Return which definition of a standard deviation a report says that it uses."""
    texts = (block.text[:2000] for block in manuscript.blocks if block.type != "table")
    words = (one for text in texts for one in said(text) if one.slot == "definition")
    definitions = frozenset(one.value for one in words)
    return Words(definitions=definitions if len(definitions) == 1 else frozenset())


def _open(one: Claiming) -> Verdict:
    """Return the verdict on a number that nothing in the evidence was found for."""
    number, context = one.number, one.number.context
    end, math = context.offset + number.end - number.start, number.type == "equation"
    factor = is_coefficient(context.sentence, context.offset, end, math=math)
    held = one.reason or ("coefficient" if factor else "")
    reason = held or "it stands nowhere in the evidence under its words"
    return verdict_on(number, "", "no_claim" if held else "untraced", reason=reason)


_Named = tuple[str, str]
_LEAST = {"model": 1, "part": 4}
"""How many times as many numbers have to be traced as told, of a model and below a heading."""
_VARIANT = re.compile(r"(?:[- _]?[A-Za-z]{0,2}\d{1,4})?")


def of_others(
    found: Mapping[str, Verdict], numbers: Sequence[Claiming], catalogues: Sequence[Catalogue]
) -> frozenset[str]:
    """Return the ids of contradicted numbers whose texts speak of something else.

    That is what a text aims at, cites, or tells of others: its words are rows of the lexicon. What
    a run is called is no other; nor is a model in whose texts, or a table under whose heading, most
    numbers stand in the evidence.

    Args:
        found: Verdicts by the ids of their numbers.
        numbers: All numbers of a report.
        catalogues: The evidence.
    """
    runs = " ".join(_plain(run.id) for one in catalogues for run in one.runs)
    cited = {_place(one.number) for one in numbers if one.reason == "citation"}
    traced, told, rows = Counter[_Named](), Counter[_Named](), Counter[tuple[int, int]]()
    models: dict[str, tuple[tuple[int, int], frozenset[_Named]]] = {}
    others = set()
    for one in numbers:
        verdict = found.get(one.number.id)
        if verdict is None or verdict.outcome not in {"traced", "contradicted"}:
            continue
        wrong = verdict.outcome == "contradicted"
        row = one.number.block, -1 if one.number.row is None else one.number.row
        rows[row] += -1 if wrong else 1
        words = [(kind, word) for kind, word in _others_in(one.number) if word not in runs]
        named = frozenset(one for one in words if one[0] in _LEAST)
        (told if wrong else traced).update(named)
        if wrong:
            models[one.number.id] = row, named
            if any(kind == "other" for kind, _ in words) or _place(one.number) in cited:
                others.add(one.number.id)
    strange = {one for one in told if traced[one] <= _LEAST[one[0]] * told[one]}
    # A row most of whose numbers stand in the evidence is of no other thing.
    own = {row for row, more in rows.items() if row[1] >= 0 and more > 1}
    theirs = (name for name, (row, named) in models.items() if named & strange and row not in own)
    return frozenset((*others, *theirs))


def _others_in(number: Number) -> Iterator[_Named]:
    """Yield the words of a number's text for other things, and its models with their sizes.

    They are of kind `other`, `model`, or `part` for those of the table, with its block.

    A model in the title of a report is that of all its numbers.
    """
    context = number.context
    above = " | ".join((*context.headings[-1:], context.row, context.caption))
    for text in (above, context.sentence, *context.headings[:-1]):
        for one in said(text):
            if one.slot == "guard" and one.value == "model":
                size = _VARIANT.match(text, one.end)
                yield one.value, _plain(text[one.start : size.end() if size else one.end])
            elif one.slot == "guard" and one.value == "other" and text not in context.headings:
                word = _plain(text[one.start : one.end])
                # What a heading or a caption says is of its whole table, or paragraph.
                yield ("part", f"{word} {number.block}") if text == above else ("other", word)


def _place(number: Number) -> tuple[int, int | None, int | None, int]:
    return number.block, number.row, number.column, number.start - number.context.offset


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
