"""With how many decimals values are printed, and that this is not worked out for every cell."""

from __future__ import annotations

import time
from dataclasses import replace

from reportgen.records.study import GroupPlan
from reportgen.sections._compose import compose_report
from reportgen.sections._decimals import decimals_of


def test_groups_are_told_apart_by_what_they_are_and_not_by_when_they_were_asked(made):
    coarse = made.facts({("pretrained", 1): ([80.0, 81.0], [79.0, 80.0])}).groups
    fine = made.facts({("pretrained", 1): ([80.25, 81.75], [79.25, 80.5])}).groups
    for _ in range(2):
        for groups, decimals in ((coarse, 0), (fine, 2)):
            percent, values, spread = decimals_of(groups)
            assert percent
            assert values[id(groups[0])] == decimals
            assert spread is None
    copied = tuple(replace(group) for group in fine)
    assert decimals_of(copied)[1][id(copied[0])] == 2


def test_a_report_of_many_groups_takes_no_time_that_grows_with_their_square(made):
    spent = {}
    for count in (20, 80):
        table = {
            (f"model {group}", seed): (
                [70.0 + group / 8 + seed, 80.5 + group / 8 + seed],
                [69.0 + group / 8 + seed, 79.5 + group / 8 + seed],
            )
            for group in range(count)
            for seed in (1, 2, 3)
        }
        plans = tuple(GroupPlan(name=f"model {group}") for group in range(count))
        facts = made.facts(table, groups=plans)
        assert len(facts.groups) == count
        took = []
        for _ in range(3):
            begun = time.process_time()
            compose_report(facts, metadata={}, date="2026-03-14")
            took.append(time.process_time() - begun)
        spent[count] = min(took)
    assert spent[80] < 7 * spent[20]
