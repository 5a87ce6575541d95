"""Check that numbers of runs, seeds and groups are those of the logs, or of the report itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal

from reportgen.checks._ladder import unbound
from reportgen.checks._settled import settled
from reportgen.records.claim import LIKELY, Claim, Counted, Meaning
from reportgen.records.facts import Facts
from reportgen.records.finding import Case, Finding

RULE = "counted"
_WHATS = frozenset({"runs", "models", "seeds", "groups", "folds"})


def check(case: Case) -> Iterator[Finding]:
    """Yield a finding for every number of seeds, runs, models and groups.

    A report may speak of fewer runs than the logs hold, or of others. Only more seeds than any
    group of the logs has, and other seeds than the report's own tables show, are worth a word;
    and other seeds than those of the group that is said to have them.

    Args:
        case: The report and its evidence.
    """
    own = _shown(case)
    logged = _logged(case.facts) if case.facts and "logs" in case.given else {}
    for claim in case.claims:
        content = claim.content
        if claim.kind != "count" or not isinstance(content, Counted) or claim.printed is None:
            continue
        owned = _of_its_group(claim, case.facts) if logged and case.facts else None
        if owned is not None:
            yield owned
        elif content.what in _WHATS:
            yield from _verdict(claim, content.what, own, logged, case.facts)


def _of_its_group(claim: Claim, facts: Facts) -> Finding | None:
    """Return the verdict on `a2c has three seeds`, which is of no other group than a2c."""
    named = claim.hints.get("owner", "").casefold()
    names = {name: {name, facts.study.label(name)} for name in facts.runs.groups()}
    [*owners] = (name for name, own in names.items() if named in map(str.casefold, own))
    if len(owners) != 1 or claim.printed is None or claim.confidence < LIKELY:
        return None
    runs = facts.runs.groups()[owners[0]]
    counts = {len(runs), len({run.seed for run in runs if run.seed is not None})}
    verdict = "agrees" if claim.printed.value in counts else "disagrees"
    says = f"the logs have {len(runs)} runs of {owners[0]}"
    return settled(RULE, claim, verdict, says, loudest="warning")


def _logged(facts: Facts) -> dict[Decimal, str]:
    """Return the numbers that the logs give to runs, with what each is."""
    groups = facts.runs.groups()
    found: dict[Decimal, str] = {}
    for name, runs in groups.items():
        found.setdefault(Decimal(len(runs)), f"the logs have {len(runs)} runs of {name}")
        seeds = {run.seed for run in runs if run.seed is not None}
        if seeds:
            found.setdefault(Decimal(len(seeds)), f"the logs have {len(seeds)} seeds of {name}")
    found.setdefault(Decimal(len(groups)), f"the logs have {len(groups)} groups")
    found.setdefault(Decimal(len(facts.runs)), f"the logs have {len(facts.runs)} runs")
    sizes = [len(runs) for runs in groups.values()]
    if len(facts.study.compare) == 2:
        pair = sum(len(groups.get(name, ())) for name in facts.study.compare)
        found.setdefault(Decimal(pair), f"the logs have {pair} runs of the two groups compared")
    for count in range(2, len(sizes) + 1):
        together = sum(sorted(sizes)[:count])
        found.setdefault(Decimal(together), f"the logs have {together} runs in {count} groups")
    return found


def _shown(case: Case) -> Mapping[str, set[Decimal]]:
    """Return how many seeds, groups and runs the report's own values belong to."""
    seeds: dict[str, set[int]] = defaultdict(set)
    for claim in case.claims:
        meaning = claim.content
        if isinstance(meaning, Meaning) and meaning.seed is not None and not meaning.aggregate:
            seeds[meaning.group].add(meaning.seed)
    each = {Decimal(len(found)) for found in seeds.values()}
    total = Decimal(sum(len(found) for found in seeds.values()))
    groups = {Decimal(len(seeds))} if seeds else set()
    return {"seeds": each, "groups": groups, "runs": {total, *each} if seeds else set()}


def _most_seeds(facts: Facts) -> int:
    """Return how many runs the largest group has."""
    return max((len(runs) for runs in facts.runs.groups().values()), default=0)


def _verdict(
    claim: Claim,
    what: str,
    own: Mapping[str, set[Decimal]],
    logged: Mapping[Decimal, str],
    facts: Facts | None,
) -> Iterator[Finding]:
    """Yield the verdict on one number of runs."""
    value = claim.printed.value if claim.printed else Decimal(0)
    if value in logged:
        yield settled(RULE, claim, "agrees", logged[value])
        return
    shown = own["runs"] | own["groups"] if what in {"models", "runs"} else own.get(what, set())
    if value in shown or value in own["seeds"]:
        yield settled(RULE, claim, "agrees", f"the report shows values of {value:f} {what}")
        return
    if what == "seeds" and claim.confidence >= LIKELY:
        most = _most_seeds(facts) if logged and facts else None
        if most is not None and value > most:
            says = f"no group of the logs has more than {most} seeds"
            yield settled(RULE, claim, "disagrees", says, loudest="warning")
            return
        if not logged and len(own["seeds"]) == 1 and (there := next(iter(own["seeds"]))) > 1:
            says = f"the report shows values of {there:f} seeds"
            yield settled(RULE, claim, "disagrees", says, level="note")
            return
    if logged:
        yield unbound(RULE, claim, "the report may speak of runs that are not among the logs")
