import pytest

from reportgen.read.documents import _shapes as shapes


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("1 Question 1", 1),
        ("2     Accuracies on the Roberta model", 1),
        ("2.1    Using fairseq", 2),
        ("3.1.2 Découpage des données", 3),
        ("IV. Results", 1),
        ("2 Tensorboard Pretrain Vs Random:", 1),
        ("3 epochs were enough", 0),
        ("1125 Training steps", 0),
        ("4 Encoder layers are used here.", 0),
        ("2 https://example.org/a", 0),
        ("5 N = 3", 0),
        ("We see 3", 0),
    ],
)
def test_a_numbered_heading_is_told_from_a_sentence(text, level):
    assert shapes.heading_of(text) == level


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Table 1: Accuracy", ("table", True)),
        ("Table 1. Accuracy", ("table", True)),
        ("Tableau 2 : Précision par époque", ("table", True)),
        ("TABLE IV", None),
        ("Figure 3 – Courbes", ("figure", True)),
        ("Fig. 2: Loss", ("figure", True)),
        ("Table 3.2 — Loss", ("table", True)),
        ("Table 2 Mean accuracy", ("table", False)),
        ("Table 2 shows the mean", None),
        ("Table 2 We show", None),
        ("Tables are fine", None),
        ("Figure 1-2 compare", None),
        ("Listing 1: Training", ("figure", True)),
    ],
)
def test_a_caption_is_told_from_a_reference(text, found):
    assert shapes.caption_of(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("• 79.9%", (0, 2)),
        ("  - a", (2, 4)),
        ("10. Tenth", (0, 4)),
        ("(a) first", (0, 4)),
        ("iv) fourth", (0, 4)),
        ("— a", (0, 2)),
        ("— : the difference is the same for each seed.", None),
        ("- ", None),
        ("-3.5 points", None),
        ("80. ", None),
        ("2.5 points", None),
    ],
)
def test_a_mark_of_a_list_is_told_from_a_number(text, found):
    assert shapes.bullet_of(text) == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("          = 32000 × 512        (2)", True),
        ("   4 × (Embed Dimension × D)      (7)", True),
        ("= 20,578,304", True),
        ("+ 4 × (a + b) (14)", True),
        ("as is shown in equation      (3)", False),
        ("- 3 seeds", False),
        ("+ 3 seeds", False),
        ("- 79.9%", False),
        ("With 8 heads, this becomes:", False),
        ("= what we have seen is 3", False),
    ],
)
def test_a_display_equation_is_told_from_text(text, said):
    assert shapes.is_display(text) is said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("N = 4 × 512 + 3", True),
        ("d_model = 512", False),
        ("We get N = 4 × 512", False),
        ("N = 4 * 512 + 3.", False),
    ],
)
def test_a_formula_is_told_from_a_setting(text, said):
    assert shapes.is_formula(text) is said


@pytest.mark.parametrize("text", ["12", " - 3 - ", "Page 4", "3/10", "page 2 of 9"])
def test_page_numbers_are_known(text):
    assert shapes.is_page_number(text)


@pytest.mark.parametrize("text", ["12 runs", "80.5", "a", ""])
def test_what_is_no_page_number_is_kept(text):
    assert not shapes.is_page_number(text)


@pytest.mark.parametrize("text", ["References", "7 References", "Bibliographie", "RÉFÉRENCES :"])
def test_the_bibliography_is_known_by_its_title(text):
    assert shapes.is_references(text)


@pytest.mark.parametrize(
    "text", ["Average Accuracy", "Training details", "Validation", "Analyse des résultats"]
)
def test_a_short_title_is_known(text):
    assert shapes.is_title(text)


@pytest.mark.parametrize(
    "text", ["The results", "We obtain", "accuracy", "Accuracy: 80", "It works.", "Results,", ""]
)
def test_a_short_sentence_is_no_title(text):
    assert not shapes.is_title(text)
