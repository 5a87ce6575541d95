"""French words of ours before a name that begins with a vowel."""

import pytest

from reportgen.languages import say, speaking
from reportgen.records.document import Code, Emphasis, Number
from reportgen.records.quantity import Missing

RUNS = "{n} runs of {group}"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("adam", "3 exécutions d’adam"),
        ("Étalon", "3 exécutions d’Étalon"),
        ("IoU-loss", "3 exécutions d’IoU-loss"),
        ("sgd", "3 exécutions de sgd"),
        ("hinge", "3 exécutions de hinge"),
        ("yolo", "3 exécutions de yolo"),
        ("11", "3 exécutions de 11"),
        ("a", "3 exécutions de a"),
        ("a/b", "3 exécutions de a/b"),
        ("", "3 exécutions de "),
    ],
)
def test_of_is_elided_before_a_vowel(name, said):
    with speaking("fr"):
        assert say(RUNS, n=3, group=name) == (said,)


@pytest.mark.parametrize("node", [Code("adam"), Emphasis(("adam",)), Emphasis((Code("adam"),))])
def test_a_name_in_another_face_is_heard_too(node):
    with speaking("fr"):
        assert say(RUNS, n=3, group=node) == ("3 exécutions d’", node)


def test_before_a_number_nothing_is_elided():
    number = Number(id="n", quantity=Missing(reason="none"))
    with speaking("fr"):
        assert say(RUNS, n=3, group=number) == ("3 exécutions de ", number)


def test_english_elides_nothing():
    assert say(RUNS, n=3, group="adam") == ("3 runs of adam",)
