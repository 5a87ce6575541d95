"""French words of ours before a name that begins with a vowel."""

import pytest
from fakes.rows import rows_beside

from reportgen.languages import say, speaking
from reportgen.records.document import Code, Emphasis

ROWS = rows_beside(__file__)
NONE = "no run of {group} has a value"


@pytest.mark.parametrize(("name", "said"), ROWS["of_is_elided_before_a_vowel"])
def test_of_is_elided_before_a_vowel(name, said):
    with speaking("fr"):
        assert say(NONE, group=name) == (f"{said} n’a de valeur",)


@pytest.mark.parametrize("node", [Code("adam"), Emphasis(("adam",)), Emphasis((Code("adam"),))])
def test_a_name_in_another_face_is_heard_too(node):
    with speaking("fr"):
        assert say(NONE, group=node) == ("aucune exécution d’", node, " n’a de valeur")
