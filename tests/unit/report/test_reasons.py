"""Why values are missing: one line a reason, in the language spoken."""

import math

from reportgen.languages import speaking
from reportgen.records.document import Code
from reportgen.records.quantity import Missing
from reportgen.records.run import Runs
from reportgen.records.study import MetricPlan
from reportgen.report.phrases import by_reason
from reportgen.stats import never_logged

NOT_LOGGED = "aucune valeur de l’exactitude sur le test n’est journalisée"


def missing(facts):
    return [
        (cell, cell.report_value)
        for group in facts.groups
        for cell in group.cells
        if isinstance(cell.report_value, Missing)
    ]


def reasons_words(missing):
    return [words for words, _ in by_reason(missing)]


def without_test(made, *seeds):
    """The pretrained runs, of which some were never evaluated on test."""
    runs = []
    for (group, seed), (valid, test) in made.SIX.items():
        members = [made.series("validation", valid)]
        if group == "random" or seed not in seeds:
            members.append(made.series("test", test))
        runs.append(made.run(group, seed, *members))
    return made.facts(runs=Runs(root="logs", runs=tuple(runs)))


def test_runs_with_the_same_reason_stand_in_one_line(made):
    facts = without_test(made, 0, 2)
    assert reasons_words(missing(facts)) == [
        "pretrained/0 and pretrained/2 never logged accuracy on test"
    ]


def test_a_run_that_is_the_folder_itself_is_called_the_run(made):
    lone = made.run("a", None, made.series("validation", [50.0, 60.0]), name=".")
    plan = MetricPlan(name="accuracy", direction="higher")
    facts = made.facts(runs=Runs(root="logs", runs=(lone,)), groups=(), metric=plan)
    cell = facts.groups[0].cells[0]
    why = Missing(reason=never_logged(cell.run, "accuracy", "test"))
    assert reasons_words([(cell, why)]) == ["the run never logged accuracy on test"]
    with speaking("fr"):
        assert reasons_words([(cell, why)]) == [f"{NOT_LOGGED} dans l’exécution"]


def test_a_reason_names_a_metric_as_its_field_writes_it(made):
    cell = made.facts().groups[0].cells[0]
    why = Missing(reason=never_logged(cell.run, "mean_iou", "test"))
    assert reasons_words([(cell, why)]) == [f"{cell.run.id} never logged mIoU on test"]
    with speaking("fr"):
        [told] = reasons_words([(cell, why)])
    assert told.startswith("aucune valeur de la mIoU sur le test")


def test_words_of_somebody_with_braces_stay_as_they_are(made):
    cell = made.facts().groups[0].cells[0]
    with speaking("fr"):
        [told] = reasons_words([(cell, Missing(reason="no {such} thing"))])
    assert told == Code("no {such} thing")


def test_a_seed_without_logs_and_a_value_that_is_no_number(made):
    table = {**made.SIX, ("random", 2): ([50.0, math.nan], [50.0, math.nan])}
    table.pop(("pretrained", 1))
    facts = made.facts(table)
    with speaking("fr"):
        found = reasons_words(
            (cell, cell.last_value)
            for group in facts.groups
            for cell in group.cells
            if isinstance(cell.last_value, Missing)
        )
    assert found == [
        "aucun journal trouvé pour pretrained, graine\u00a01",
        "test/accuracy vaut nan au pas\u00a0450 dans random/2",
    ]
