"""Check that LoRA's keys and values exist, and that they are those of the adapter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from reportgen.checking.numbers._gated import gated
from reportgen.checks._ladder import Candidate, judge, unbound
from reportgen.checks._reading import Plain, Reading, plain_value, show
from reportgen.checks._setting_readings import model_readings, run_readings
from reportgen.checks._settled import settled
from reportgen.claims._setting_keys import condensed
from reportgen.parameters.adapters import LORA_KEYS, legal, lint_keys
from reportgen.records.checkpoint import AdapterConfig
from reportgen.records.claim import LIKELY, Claim, Setting
from reportgen.records.facts import Facts
from reportgen.records.finding import Case, Finding
from reportgen.records.quantity import Evidence
from reportgen.records.source import Problem, Source

RULE = "lora_config"
_UNREAD = Source(path="", kind="adapter", size=0, sha256="")
_ATTENTION = re.compile(
    r"(?:query|key|value|attn|attention|qkv|^[qkvo](?:_proj)?$|[qkvo]_proj|out_proj|q_lin|k_lin|v_lin)",
    re.IGNORECASE,
)
_SAYS_ATTENTION = gated(r"\battention\b", re.IGNORECASE)
_SAYS_MORE = gated(
    r"\b(?:all (?:the )?linear|and (?:the )?(?:mlp|feed-?\s?forward))", re.IGNORECASE
)


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for every LoRA key, value and formula of scaling that a report states.

    What PEFT would refuse or ignore is a warning without any evidence; a legal value is held
    against the adapter's configuration where one was given.

    Args:
        case: The report and its evidence.
    """
    for claim in case.claims:
        if not isinstance(claim.content, Setting):
            continue
        if claim.kind == "lora_formula":
            yield _scaling(claim, claim.content, case.facts)
        elif claim.kind == "lora_config":
            yield from _stated(claim, claim.content, case.facts)


def _stated(claim: Claim, setting: Setting, facts: Facts | None) -> Iterator[Finding]:
    """Yield the verdict on one key and its value."""
    problem = _refused(claim, setting)
    if problem is not None:
        cause = problem.remedy if problem.remedy.startswith("did you mean") else ""
        known = setting.key or cause
        loudest = "warning" if known and claim.confidence >= LIKELY else "note"
        yield settled(RULE, claim, "disagrees", problem.message, loudest=loudest, cause=cause)
        return
    if not setting.key:
        return
    found = adapter_readings(facts, setting.key)
    if claim.hints.get("options") == "legal values":
        yield settled(RULE, claim, "agrees", f"PEFT has these values of {setting.key}")
    elif found:
        yield _held(claim, setting, [*found, *_of_the_model(setting, facts)])
    elif facts is not None and facts.adapters:
        yield unbound(RULE, claim, f"the adapter's configuration does not state {setting.key}")
    elif setting.key in LORA_KEYS and LORA_KEYS[setting.key].choices:
        says = f"PEFT has this value of {setting.key}; no adapter was given to compare it with"
        yield settled(RULE, claim, "agrees", says)


def _refused(claim: Claim, setting: Setting) -> Problem | None:
    """Return what is the matter with a key or its value, None where PEFT takes both."""
    if "written" in claim.hints and setting.name not in LORA_KEYS:
        problems = lint_keys(_configuration({setting.name: 1}))
        return next(
            (p for p in problems if p.message.startswith(f"{setting.name[:80]} is no")), None
        )
    known = LORA_KEYS.get(setting.key)
    if known is None or claim.hints.get("options") == "words":
        return None
    for value in _values(setting.value, choice=bool(known.choices)):
        said = _as_configured(value)
        if legal(known, said) or any(condensed(str(said)) == condensed(c) for c in known.choices):
            continue
        found = lint_keys(_configuration({setting.key: said}))
        return next((p for p in found if p.message.startswith(f"{setting.key} is ")), None)
    return None


def _values(value: Plain, *, choice: bool) -> tuple[Plain, ...]:
    """Return the values to be tried one by one: of a choice, each of several."""
    return tuple(value) if choice and isinstance(value, tuple) else (value,)


def _as_configured(value: Plain) -> object:
    """Return a value as a configuration would hold it."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, tuple):
        return list(value)
    return None if isinstance(value, str) and value in {"None", "null"} else value


def _configuration(values: dict[str, object]) -> AdapterConfig:
    return AdapterConfig(source=_UNREAD, peft_type="LORA", values=values)


def adapter_readings(facts: Facts | None, key: str) -> list[Reading]:
    """Return what the configurations of adapters have under a key."""
    found = []
    for adapter in facts.adapters if facts else ():
        stored = adapter.config.values.get(key)
        value: Plain | None = (
            tuple(str(name) for name in stored)
            if key == "target_modules" and isinstance(stored, list)
            else stored  # "none" is a value here
            if isinstance(stored, str)
            else plain_value(stored)
        )
        if value is None:
            continue
        path = adapter.config.source.path
        cited = Evidence(path=path, tag=key, value=show(value))
        found.append(
            Reading(value=value, where=f"{path} has {key} = {show(value)}", evidence=(cited,))
        )
    return found


def _of_the_model(setting: Setting, facts: Facts | None) -> list[Reading]:
    """Return the model's own dropout, which a bare `dropout` beside an adapter may mean."""
    if setting.key != "lora_dropout" or "lora" in setting.name.casefold() or facts is None:
        return []
    return [*model_readings(facts.model, "dropout"), *run_readings(facts, "dropout")]


def _held(claim: Claim, setting: Setting, found: Sequence[Reading]) -> Finding:
    """Hold a stated value against those of the adapters."""
    says = " and ".join(dict.fromkeys(reading.where for reading in found[:2]))
    numbers = [r for r in found if isinstance(r.value, Decimal)]
    printed = claim.printed
    if printed is not None and numbers:
        scale = 2 if printed.unit == "percent" else 0
        candidates = [
            Candidate(value=r.value.scaleb(scale), definition=r.where, evidence=r.evidence)
            for r in numbers
            if isinstance(r.value, Decimal)
        ]
        finding = judge(RULE, claim, candidates, says=says, exact=True)
    elif setting.key == "target_modules":
        finding = _targets(claim, setting.value, found, says)
    else:
        said = condensed(show(setting.value))
        agrees = any(said == condensed(show(reading.value)) for reading in found)
        verdict = "agrees" if agrees else "disagrees"
        finding = settled(RULE, claim, verdict, says, found=found)
    if finding.verdict == "disagrees" and claim.confidence < LIKELY:
        return unbound(RULE, claim, "the sentence may speak of another adapter or a possible value")
    return finding


def _targets(claim: Claim, value: Plain, found: Sequence[Reading], says: str) -> Finding:
    """Hold the names of modules, or words for them, against those of the adapters."""
    configured = [r.value if isinstance(r.value, tuple) else (show(r.value),) for r in found]
    if claim.hints.get("options") == "words":
        words = show(value)
        attention = _SAYS_ATTENTION.search(words) and not _SAYS_MORE.search(words)
        if attention and any(
            all(_ATTENTION.search(name) for name in names) for names in configured
        ):
            return settled(RULE, claim, "agrees", says, found=found)
        return unbound(RULE, claim, f"it is said in words; {says}")
    names = value if isinstance(value, tuple) else (show(value),)
    said = {condensed(name) for name in names}
    sets = [{condensed(name) for name in group} for group in configured]
    if said in sets:
        return settled(RULE, claim, "agrees", says, found=found)
    if any(said < group for group in sets):
        return unbound(RULE, claim, f"it names a part of the targets; {says}")
    return settled(RULE, claim, "disagrees", says, found=found)


def _scaling(claim: Claim, setting: Setting, facts: Facts | None) -> Finding:
    """Return the verdict on a formula of LoRA's scaling."""
    form = show(setting.value)
    if form == "lost":
        return unbound(RULE, claim, "the bar of a fraction may be lost in its text")
    rooted = [r.value is True for r in adapter_readings(facts, "use_rslora")]
    legal_forms = {"alpha", "root"} if not rooted else {"root" if all(rooted) else "alpha"}
    if form in legal_forms or (rooted and any(rooted) and form == "root"):
        return settled(RULE, claim, "agrees", "LoRA multiplies its update by this")
    right = "lora_alpha / sqrt(r)" if rooted and all(rooted) else "lora_alpha / r"
    return settled(
        RULE, claim, "disagrees", f"LoRA multiplies its update by {right}", loudest="note"
    )
