"""French words of ours before a name that begins with a vowel."""

import pytest

from reportgen.languages import say, speaking
from reportgen.records.document import Code, Emphasis, Number
from reportgen.records.quantity import Missing

NONE = "no run of {group} has a value"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("adam", "aucune exécution d’adam"),
        ("Étalon", "aucune exécution d’Étalon"),
        ("IoU-loss", "aucune exécution d’IoU-loss"),
        ("sgd", "aucune exécution de sgd"),
        ("hinge", "aucune exécution de hinge"),
        ("yolo", "aucune exécution de yolo"),
        ("11", "aucune exécution de 11"),
        ("a", "aucune exécution de a"),
        ("a/b", "aucune exécution de a/b"),
        ("", "aucune exécution de "),
    ],
)
def test_of_is_elided_before_a_vowel(name, said):
    with speaking("fr"):
        assert say(NONE, group=name) == (f"{said} n’a de valeur",)


@pytest.mark.parametrize("node", [Code("adam"), Emphasis(("adam",)), Emphasis((Code("adam"),))])
def test_a_name_in_another_face_is_heard_too(node):
    with speaking("fr"):
        assert say(NONE, group=node) == ("aucune exécution d’", node, " n’a de valeur")


def test_before_a_number_nothing_is_elided():
    number = Number(id="n", quantity=Missing(reason="none"))
    with speaking("fr"):
        assert say(NONE, group=number) == ("aucune exécution de ", number, " n’a de valeur")


def test_english_elides_nothing():
    assert say(NONE, group="adam") == ("no run of adam has a value",)
