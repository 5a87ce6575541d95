"""How a number was computed: English in the record, and said again in the language of a page."""

import pytest
from fakes.html_tree import parse

from reportgen.languages import message, noun_later, retell, speaking
from reportgen.records.document import Number, Paragraph, Report, Section
from reportgen.records.quantity import Evidence, Quantity
from reportgen.records.study import StatisticsPlan
from reportgen.render import render
from reportgen.report.numbers import count_of
from reportgen.stats import summarise_sampling_error, summarise_values

READINGS = [Quantity(value=value, unit="fraction") for value in (0.814, 0.804, 0.801)]


def what():
    accuracy, test = noun_later("accuracy"), noun_later("test")
    return message("best-step {metric} on {split}", metric=accuracy, split=test)


def in_french(text):
    with speaking("fr"):
        return retell(text)


def test_a_summary_says_in_both_languages_what_it_is():
    with speaking("fr"):
        summary = summarise_values(READINGS, StatisticsPlan(), what=what())
    methods = [q.method for q in (summary.mean, summary.std, summary.std_other, summary.interval)]
    assert methods == [
        "mean of best-step accuracy on test over 3 runs",
        "sample standard deviation of best-step accuracy on test over 3 runs",
        "population standard deviation of best-step accuracy on test over 3 runs",
        "half width of the 0.95 t interval of the mean of best-step accuracy on test",
    ]
    of_it = "de l’exactitude sur le test au meilleur pas"
    assert [in_french(method) for method in methods] == [
        f"moyenne sur 3 exécutions {of_it}",
        f"écart type d’échantillon sur 3 exécutions {of_it}",
        f"écart type de population sur 3 exécutions {of_it}",
        f"demi-largeur de l’intervalle de Student à 0,95 de la moyenne {of_it}",
    ]


def test_a_name_of_ones_own_stays_as_it_is():
    mine = message("best-step {metric} on {split}", metric=noun_later("wer"), split="test")
    summary = summarise_values(READINGS, StatisticsPlan(), what=mine)
    assert (
        in_french(summary.mean.method)
        == "moyenne sur 3 exécutions du wer sur le test au meilleur pas"
    )


def test_a_group_without_values_names_them_in_the_language():
    empty = summarise_values([], StatisticsPlan(), what=what()).mean
    assert empty.reason == "no run has this best-step accuracy on test"
    assert "exactitude sur le test au meilleur pas" in in_french(empty.reason)


def test_a_long_list_of_evidence_keeps_what_was_counted():
    many = [Evidence(path=f"{i}.log") for i in range(120)]
    method = count_of(120, message("runs found"), many).method
    assert method == "runs found; the first 100 of 120 pieces of evidence are listed"
    assert in_french(method).startswith("exécutions trouvées\u202f; les 100 premiers")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_page_spells_values_and_formulas_with_its_mark(lang):
    error = summarise_sampling_error(READINGS[0], 2000, 0.95).half_width
    quantity = Quantity(
        value=0.5, unit="fraction", method=error.method, formula="(0.25 + 0.75) / 2"
    )
    text = (Number(id="a", quantity=quantity),)
    section = Section(id="s", title="S", blocks=(Paragraph(text=text),))
    page = render(Report(title="T", sections=(section,), lang=lang), "html")["report.html"]
    (entry,) = [node for node in parse(page) if node.attributes.get("id") == "e:1"]
    value, method, formula = (cell.text() for cell in entry.children[1:4])
    shown = [*value.split(" ", 1), method, formula]
    assert shown == {
        "en": ["0.5", "fraction", "half width of the 0.95 Wilson interval for 2000 examples",
               "(0.25 + 0.75) / 2"],
        "fr": ["0,5", "(fraction)",
               "demi-largeur de l’intervalle de Wilson à 0,95 pour 2000 exemples",
               "(0,25 + 0,75) / 2"],
    }[lang]  # fmt: skip
