"""Check that a stated setting is that of the configuration, of the runs, or of the study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from reportgen.checks._beside import sentence_of
from reportgen.checks._ladder import Candidate, compare, judge, sentence, unbound
from reportgen.checks._logged import logbook_of
from reportgen.checks._reading import Reading, show
from reportgen.checks._setting_readings import readings, stated_everywhere
from reportgen.checks._settled import settled
from reportgen.checks._subjects import group_called, groups_named
from reportgen.checks._symbol_readings import symbol_readings
from reportgen.checks._weigh import quieter
from reportgen.checks._whose import not_among_the_evidence, speaks_of_another
from reportgen.records.claim import LIKELY, Claim, Counted, Printed, Setting
from reportgen.records.facts import Facts
from reportgen.records.finding import Case, Finding

RULE = "hyperparameter"
_KINDS = frozenset({"hyperparameter", "arch_count", "count"})
_ANY_OF_SEVERAL = frozenset({"input_size", "output_size"})
_NAMED = 0.7
"""How sure a value is whose column is headed by a group of the logs."""
_PRINTED = frozenset({"code", "output"})
_LENGTHS = frozenset({"num_train_epochs", "max_steps"})
# Of these a report may state another than the one that was logged.
_LOUDEST: Mapping[str, str] = {
    **dict.fromkeys(("seed", "dropout", "num_labels", "max_length", "label_smoothing"), "warning"),
    **dict.fromkeys(("optimizer", "lr_scheduler_type", "hidden_act", "eval_batch_size"), "warning"),
    **dict.fromkeys(("train_examples", "validation_examples", "test_examples"), "warning"),
    **dict.fromkeys(("warmup_steps", "warmup_ratio", "effective_batch_size"), "warning"),
}
_SCHEDULES = {"linear": ("linear", "polynomial"), "linearly": ("linear", "polynomial")}
_FRENCH = {"linéaire": "linear", "cosinus": "cosine"}


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for every setting and every count that a configuration also states.

    Args:
        case: The report and its evidence.
    """
    for claim in case.claims:
        if claim.kind not in _KINDS:
            continue
        if "written" in claim.hints:
            yield _slip(claim)
        key, value = _stated(claim)
        meaning = claim.hints.get("meaning", "")
        if case.facts is None or not (key or meaning):
            continue
        bound, own = _of_its_group(case, claim)
        facts = own.facts or case.facts
        bases = bool({"adapter", "model"} & claim.hints.keys())
        found = readings(own, key, bases=bases) if key else symbol_readings(facts, meaning)
        other = speaks_of_another(claim, facts)
        if other:
            yield unbound(RULE, claim, f"it speaks of {other}, which was not given")
        elif not found:
            if claim.kind == "hyperparameter":
                what = key or f"“{meaning}”"
                yield unbound(RULE, claim, f"no configuration or log that was given states {what}")
        else:
            finding = replace(_held(bound, key, value, found, facts), claim=claim)
            finding = _without_others(case, finding, key, value)
            printed = case.manuscript.blocks[claim.block].type in _PRINTED
            if printed and finding.verdict in {"disagrees", "borderline"}:
                finding = unbound(RULE, claim, f"{found[0].where}, and code may be of another run")
            yield finding


def _of_its_group(case: Case, claim: Claim) -> tuple[Claim, Case]:
    """Return a claim with the runs that it speaks of: those of the group that heads its column.

    Values that differ from column to column are nobody's until it is known whose they are.
    """
    label, printed = claim.hints.get("group", ""), claim.printed
    book = logbook_of(case)
    name = group_called(case, book, label) if label and book is not None else ""
    if not name or book is None or case.facts is None:
        return claim, case
    ids = {run.id for run in book.runs(name)}
    runs = tuple(run for run in case.facts.runs if run.id in ids)
    own = replace(case, facts=replace(case.facts, runs=replace(case.facts.runs, runs=runs)))
    alone = printed is not None and claim.quote.rpartition("|")[2].strip(" `$*") == printed.text
    return (replace(claim, confidence=max(claim.confidence, _NAMED)) if alone else claim), own


def _without_others(case: Case, finding: Finding, key: str, value: object) -> Finding:
    """Return a finding that agrees with no length of others than the group its sentence names.

    Who stopped earlier than the others is told by nothing else: no louder than not checkable.
    """
    claim, book, facts = finding.claim, logbook_of(case), case.facts
    prose = key in _LENGTHS and claim.table is None and finding.verdict.startswith("agrees")
    if not prose or book is None or facts is None or claim.block >= len(case.manuscript.blocks):
        return finding
    text = case.manuscript.blocks[claim.block].text
    named = groups_named(book, text[slice(*sentence_of(case, claim.block, claim.start))])
    if len(named) != 1:
        return finding
    ids = {run.id for run in book.runs(named[0])}
    runs = tuple(run for run in facts.runs if run.id in ids)
    own = readings(replace(case, facts=replace(facts, runs=replace(facts.runs, runs=runs))), key)
    if not own or _held(claim, key, value, own, facts).verdict.startswith("agrees"):
        return finding
    return unbound(RULE, claim, f"no run of {book.study.label(named[0])} has it, and others do")


def _stated(claim: Claim) -> tuple[str, object]:
    """Return the configuration's key and the value that a claim states."""
    match claim.content:
        case Setting(key=key, value=value):
            return key, value
        case Counted(key=key) if claim.printed is not None:
            return key, claim.printed.value
    return "", None


def _slip(claim: Claim) -> Finding:
    """Return the note on an equality that is written with another sign."""
    written, name = claim.hints["written"], claim.hints.get("where", "")
    number = claim.printed.text if claim.printed else ""
    says = f"it is written “{written}” and reads like {name} = {number}"
    return Finding(
        rule=RULE, level="note", verdict="borderline", claim=claim, message=sentence(claim, says)
    )


def _held(claim: Claim, key: str, value: object, found: Sequence[Reading], facts: Facts) -> Finding:
    """Return the verdict on a setting, given what the evidence has."""
    if isinstance(value, Decimal) and claim.printed is not None:
        finding = _judged(claim, key, found)
    else:
        finding = _compared(claim, key, value, found)
    if finding.verdict in {"disagrees", "borderline"}:
        reason = _excuse(claim, key, value, found)
        reason = reason or _of_a_model_not_given(claim, facts)
        shown_by_all = key in _LENGTHS and all(reading.derived for reading in found)
        if not reason and not shown_by_all and not stated_everywhere(facts, key):
            reason = f"{found[0].where}, and other runs do not state it"
        if reason:
            return unbound(RULE, claim, reason)
    return finding


def _of_a_model_not_given(claim: Claim, facts: Facts) -> str:
    """Return why a setting may be of a model that is not among the evidence, else nothing."""
    content = claim.content
    scope = content.scope if isinstance(content, Setting) else ""
    of_model = scope == "model" or claim.kind == "arch_count"
    if "meaning" in claim.hints or ("adapter" in claim.hints and (of_model or not facts.adapters)):
        return not_among_the_evidence(claim, facts)
    return ""


def _judged(claim: Claim, key: str, found: Sequence[Reading]) -> Finding:
    """Hold a number against the numbers of the evidence.

    What was computed may be rounded in print; what was chosen is printed as it is.
    """
    printed = claim.printed
    if printed is None:
        raise ValueError(f"{claim.quote} has no number")
    scale = 2 if printed.unit == "percent" else 0
    numbers = [r for r in found if isinstance(r.value, Decimal)]
    chosen = [_candidate(r, scale) for r in numbers if not r.derived]
    computed = [_candidate(r, scale) for r in numbers if r.derived]
    if not numbers:
        return unbound(RULE, claim, f"{found[0].where}, which is no number")
    hit = next((c for c in computed if compare(printed, c.value).startswith("agrees")), None)
    loudest = "warning" if claim.kind == "arch_count" else _LOUDEST.get(key, "error")
    loudest = quieter(loudest, _of_runs(key, numbers))
    if hit is not None or not chosen:
        says = hit.definition if hit else _says(found, printed, scale)
        return judge(RULE, claim, [hit] if hit else computed, says=says, loudest=loudest)
    says = _says([r for r in numbers if not r.derived], printed, scale)
    return judge(RULE, claim, chosen, says=says, loudest=loudest, exact=True)


def _of_runs(key: str, numbers: Sequence[Reading]) -> str:
    """Return how loud a disagreement with the runs may be.

    Runs that differ may be some of those that a report speaks of; a log shows how far a run came,
    and not how far it should have come.
    """
    values = {r.value for r in numbers if not r.derived and any(e.run for e in r.evidence)}
    if len(values) > 1 and key != "seed":
        return "note"
    return "warning" if all(r.derived for r in numbers) else "error"


def _candidate(reading: Reading, scale: int) -> Candidate:
    value = reading.value if isinstance(reading.value, Decimal) else Decimal(0)
    return Candidate(value=value.scaleb(scale), definition=reading.where, evidence=reading.evidence)


def _compared(claim: Claim, key: str, value: object, found: Sequence[Reading]) -> Finding:
    """Hold a name against the names of the evidence."""
    said = str(value).casefold()
    agrees = any(means_the_same(key, said, show(reading.value).casefold()) for reading in found)
    verdict = "agrees" if agrees else "disagrees"
    return settled(
        RULE, claim, verdict, _says(found), loudest=_LOUDEST.get(key, "error"), found=found
    )


def means_the_same(key: str, said: str, known: str) -> bool:
    """Say whether two names of an optimizer, a schedule or an activation are one.

    Adam with decoupled weight decay is often called Adam, and fairseq calls a linear decay
    polynomial.

    Example:
        >>> means_the_same("optimizer", "adam", "adamw_torch_fused")
        True
        >>> means_the_same("lr_scheduler_type", "linear", "polynomial_decay")
        True
        >>> means_the_same("optimizer", "torch.optim.sgd", "adam")
        False
    """
    said = said.rsplit(".", 1)[-1]
    said = _FRENCH.get(said, said)
    names = _SCHEDULES.get(said, (said,)) if key == "lr_scheduler_type" else (said,)
    return any(known.startswith(name) or name.startswith(known) for name in names)


def _says(found: Sequence[Reading], printed: Printed | None = None, scale: int = 0) -> str:
    """Return what the evidence has: the reading that agrees, else the first two."""
    for reading in found:
        value = reading.value
        if printed and isinstance(value, Decimal) and value.scaleb(scale) == printed.value:
            return reading.where
    shown = list(dict.fromkeys(reading.where for reading in found))
    return " and ".join(shown[:2])


def _excuse(claim: Claim, key: str, value: object, found: Sequence[Reading]) -> str:
    """Return why a different value may be right all the same, or an empty string."""
    numbers = [reading.value for reading in found if isinstance(reading.value, Decimal)]
    if "model" in claim.hints and "own" not in claim.hints:
        return f"it speaks of {claim.hints['model']}, which may be another size of it"
    if claim.confidence < LIKELY:
        return "the sentence may speak of another run or model, or of a possible value"
    if value == 0 and numbers and min(numbers) >= 1:
        return "nothing has a size of 0, so that it may count something else"
    if key in _ANY_OF_SEVERAL:
        return f"{key.replace('_', ' ')} can mean several sizes of a model"
    derived = all(reading.derived for reading in found)
    longer = isinstance(value, Decimal) and bool(numbers) and value > max(numbers)
    if derived and key in _LENGTHS and longer:
        return f"{found[0].where}, and a training may be stopped early"
    if derived and key == "learning_rate":
        return "no configuration states it, and a schedule changes what is logged"
    if key == "max_length" and isinstance(value, Decimal) and numbers and value < max(numbers):
        return "inputs may be cut to less than the model takes"
    return ""
