"""Prompts, and where in the tokens an answer begins."""

import pytest
from fakes.languages import a_tokenizer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reportgen.records.errors import EvidenceError, UsageError
from reportgen.records.study import DataPlan, TrainPlan
from reportgen.train.engine.examples import Examples
from reportgen.train.engine.tokens import PROMPT, AnswerTokenizer, read_prompt


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("tokenizer")
    a_tokenizer(path)
    return path


@pytest.fixture(scope="module")
def plain(folder):
    return a_tokenizer(folder)


def some(*pairs):
    texts, labels = zip(*pairs, strict=True)
    return Examples(
        split="train", source="train.csv", texts=texts, labels=labels,
        lines=tuple(range(2, len(pairs) + 2)),
    )  # fmt: skip


def start_of(found, number=0):
    """The place of the first token of an answer: each is told at the place before it."""
    return found.places[number][0] + 1


def a_tokeniser(folder, prompt="", max_length=256):
    data = DataPlan(prompt=prompt)
    plan = TrainPlan(task="causal_lm", data=data, tokenizer=str(folder), max_length=max_length)
    return AnswerTokenizer(plan, "random")


def test_the_default_is_told_where_people_read_of_prompts():
    assert PROMPT.replace("\n", "\\n") in (DataPlan.__doc__ or "")


def test_the_answer_begins_behind_the_prompt(folder, plain):
    found = a_tokeniser(folder).tokenise(some(("what ?", "three plus two"), ("", "x")))
    for i, (text, label) in enumerate([("what ?", "three plus two"), ("", "x")]):
        ids, start = found.ids[i], start_of(found, i)
        assert found.truth[i] == ids[start:]
        assert found.places[i] == list(range(start - 1, len(ids) - 1))
        assert plain.decode(ids[:start]) == PROMPT.partition("{label}")[0].format(text=text)
        assert plain.decode(ids[start:]) == f"{label}</s>"
    assert found.notes == ()


def test_a_space_before_the_answer_is_the_answers(folder, plain):
    found = a_tokeniser(folder, "Q: {text} A: {label}").tokenise(some(("what", "plus")))
    assert plain.decode(found.ids[0][: start_of(found)]) == "Q: what A:"
    assert plain.decode(found.ids[0][start_of(found) :]) == " plus</s>"


def test_what_follows_the_answer_is_learnt_with_it(folder, plain):
    found = a_tokeniser(folder, "{text}\n{label}\n###").tokenise(some(("a", "b")))
    assert plain.decode(found.ids[0][start_of(found) :]) == "b\n###</s>"


def test_a_question_that_is_too_long_loses_its_end(folder, plain):
    tokenizer = a_tokeniser(folder, max_length=40)
    found = tokenizer.tokenise(some(("y" * 300, "three"), ("y", "three")))
    assert len(found.ids[0]) == 40
    assert plain.decode(found.ids[0][start_of(found) :]) == "three</s>"
    said = plain.decode(found.ids[0][: start_of(found)])
    assert said.startswith("### QUESTION\ny")
    assert said.endswith("y\n\n### ANSWER\n")
    assert found.notes == ("train: 1 of 2 questions are cut at 40 tokens an example",)


def test_an_answer_that_is_too_long_alone_loses_its_end(folder, plain):
    tokenizer = a_tokeniser(folder, "{text}:{label}", max_length=12)
    found = tokenizer.tokenise(some(("what ?", "z" * 50)))
    assert plain.decode(found.ids[0]) == ":" + "z" * 11
    assert found.notes[0].endswith("and 1 of their answers")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(max_size=40).filter(lambda s: "<" not in s),
    label=st.text(min_size=1, max_size=20).filter(lambda s: "<" not in s),
    longest=st.integers(40, 400),
)
def test_any_text_keeps_its_answer(folder, plain, text, label, longest):
    found = a_tokeniser(folder, max_length=longest).tokenise(some((text, label)))
    ids, start = found.ids[0], start_of(found)
    assert 1 <= start < len(ids) <= longest
    if not any("answers" in note for note in found.notes):
        assert plain.decode(ids[start:]) == f"{label}</s>"
    if not found.notes:
        assert plain.decode(ids) == f"{PROMPT.format(text=text, label=label)}</s>"


def test_a_tokenizer_that_begins_texts_begins_these(tmp_path):
    own = a_tokenizer(tmp_path, begin=True)
    found = a_tokeniser(tmp_path, "{text}{label}").tokenise(some(("", "x")))
    assert found.ids[0][0] == own.bos_token_id
    assert start_of(found) == 1


def test_a_tokenizer_without_an_end_is_told_of(tmp_path):
    a_tokenizer(tmp_path, end=False)
    tokenizer = a_tokeniser(tmp_path)
    found = tokenizer.tokenise(some(("a", "b")))
    assert len(found.ids[0]) - start_of(found) == 1
    assert "nothing ends an answer" in found.notes[0]


def test_nothing_before_an_answer_is_refused(folder):
    with pytest.raises(EvidenceError, match=r"train\.csv:2: no token before its answer"):
        a_tokeniser(folder, "{text}{label}").tokenise(some(("", "x")))


def test_a_prompt_that_leaves_no_room_is_refused(folder):
    with pytest.raises(EvidenceError, match=r"train\.csv:2: the prompt alone has \d+ tokens"):
        a_tokeniser(folder, max_length=5).tokenise(some(("what", "x")))


@pytest.mark.parametrize(
    "prompt", ["{text}", "{label} {text}", "{text} {text} {label}", "{label}{text}{label}", "no"]
)
def test_a_template_without_both_places_is_refused(prompt):
    with pytest.raises(UsageError, match=r"has not \{text\} once"):
        read_prompt(prompt)
