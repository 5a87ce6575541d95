"""Ids of numbers: one thing each, and not worked out anew for every row."""

import weakref

from reportgen.records.study import GroupPlan
from reportgen.report import compose_report
from reportgen.report.names import group_key


def test_groups_of_one_spelling_have_ids_of_their_own(made):
    plans = (GroupPlan(name="a b"), GroupPlan(name="a_b"))
    facts = made.facts(
        {(plan.name, 1): ([80.0, 81.0], [79.0, 80.0]) for plan in plans}, groups=plans
    )
    spaced, plain = (group_key(facts, group) for group in facts.groups)
    assert plain == "a_b"
    assert spaced.startswith("a_b-")


def test_no_run_outlives_its_report(made):
    facts = made.facts({("pretrained", seed): ([80.0], [79.0]) for seed in (0, 1, 2)})
    compose_report(facts, metadata={})
    run = facts.groups[0].cells[0].run
    logged = weakref.ref(next(iter(run.scalars.values())).values)
    del facts, run
    assert logged() is None
