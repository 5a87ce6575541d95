import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.documents._inline import clean, leaves_open
from reportgen.records.manuscript import Line


def cleaned(text, **options):
    return clean(Line(text=text, number=1), **options).text


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("**80.5** %", "80.5 %"),
        ("**Total:**80", "Total:80"),
        ("**RoBERTa**80.5**%**", "RoBERTa80.5%"),
        ("*target\\_modules*: a", "target_modules: a"),
        ("_best_ of n_hid and lora_alpha", "best of n_hid and lora_alpha"),
        ("__init__ and __bold__", "init and bold"),
        ("2**10 and 4 * 3 and 4*3 and d**2", "2**10 and 4 * 3 and 4*3 and d**2"),
        ("p < 0.05* and 3 < 4", "p < 0.05* and 3 < 4"),
        ("***both*** here", "both here"),
        ("`lora_alpha=32` and ``a ` b``", "lora_alpha=32 and a ` b"),
        ("open ` tick", "open ` tick"),
        ("lora\\_alpha=32 \\* \\[1\\]", "lora_alpha=32 * [1]"),
        ('[Table 1](#t "Title 2") and [\\[3\\]](#x)', "Table 1 and [3]"),
        ("[text][ref] and [1] and [a](b(c)d)", "text and [1] and a"),
        ("<https://arxiv.org/abs/1907.11692>", "https://arxiv.org/abs/1907.11692"),
        ("![alt 5](a.png) after", " after"),
        ("see ![x](y){width=50%} now", "see  now"),
        ("a<br>b <b>80</b> <a id='x3'></a>c", "a b 80 c"),
        ("10<sup>-5</sup>, d<sub>model</sub>, d<sup>2</sup>", "10^-5, d_model, d^2"),
        ("accuracy<sup>1</sup> is", "accuracy is"),
        ("<sub>Difference: 7</sub>", "Difference: 7"),
        ("80&nbsp;% &plusmn; 0.5 &amp; &unknown; &#58;", "80 % ± 0.5 & &unknown; :"),
        ("~~80~~ 81 and ~ 5", " 81 and ~ 5"),
        ("text[^1] and [^note]: 3", "text and : 3"),
        ("[^1]: the note", " the note"),
        ("- [x] done", "- done"),
        ("end of a line\\", "end of a line"),
        ("more](http://a/b3) text", "more text"),
        ("before <!-- 77 --> after", "before  after"),
    ],
)
def test_marks_are_gone_and_the_text_stays(text, seen):
    assert cleaned(text) == seen


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("$d_{model}=512$", "$d_{model}=512$"),
        ("$`L \\, {d}^{2}`$", "$L \\, {d}^{2}$"),
        ("$lora\\_alpha = 32$", "$lora\\_alpha = 32$"),
        ("\\(y = 4\\)", "$y = 4$"),
        ("\\[ z = 5 \\]", "$ z = 5 $"),
        ("$$x = 3$$", "$x = 3$"),
        (" $W_q$ ,  $W_k$ ", " $W_q$ ,  $W_k$ "),
        ("$5 and $10", "$5 and $10"),
        ("\\$5 and \\$6", "\\$5 and \\$6"),
        ("$a * b * c$ and *d*", "$a * b * c$ and d"),
        ("$80.6 \\pm 0.7$ %", "80.6 ± 0.7 %"),
        ("$+$7.00", "+7.00"),
        ("one $ alone", "one $ alone"),
    ],
)
def test_mathematics_stays_as_it_is_written(text, seen):
    assert cleaned(text) == seen


def test_mathematics_over_two_lines_is_not_touched():
    assert leaves_open("and $a_1 *")
    assert not leaves_open("and $a$ `$` \\$")
    assert cleaned("and $a_1 * b\\_c", opens=True) == "and $a_1 * b\\_c"
    assert cleaned("*c* + d$ is *e*", inside=True) == "*c* + d$ is e"


@given(st.text(st.sampled_from("ab1 *_`$\\[]()<>!&~.#/"), max_size=60))
def test_what_is_kept_stands_where_it_says(text):
    line = clean(Line(text=text, number=1))

    columns = line.columns or tuple(range(1, len(line.text) + 1))
    assert len(columns) == len(line.text)
    assert list(columns) == sorted(columns)
    for char, column in zip(line.text, columns, strict=True):
        if char.isalnum():
            assert text[column - 1] == char


@given(st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=80))
def test_any_line_is_read(text):
    clean(Line(text=text, number=1))
