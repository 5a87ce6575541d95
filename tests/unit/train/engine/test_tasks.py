"""Tasks beside single texts, and what is measured of each."""

import json

import numpy as np
import pytest
import torch
import transformers
from fakes.languages import a_tokenizer
from fakes.rows import rows_beside
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from reportgen.records.errors import EvidenceError, UsageError
from reportgen.records.job import Job, Member
from reportgen.records.study import MEASURED, DataPlan, TrainPlan
from reportgen.train.engine.assembly import assemble, encode_splits
from reportgen.train.engine.tasks import measure

ROWS = rows_beside(__file__)

TAGS = ("B-MISC", "B-PER", "I-MISC", "I-PER", "O")


def numbers_of(*rows):
    return np.array([TAGS.index(tag) for row in rows for tag in row.split()])


# ---- Metrics: examples of the documentations of scikit-learn and seqeval, and scipy itself


@pytest.mark.parametrize(
    ("name", "truth", "told", "labels", "value"), ROWS["classes_are_measured_as_scikit_learn_does"]
)
def test_classes_are_measured_as_scikit_learn_does(name, truth, told, labels, value):
    found = measure("classification", np.array(told), np.array(truth), labels=labels)
    assert found[name] == pytest.approx(value, abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=30))
def test_numbers_are_measured_as_scipy_does(pairs):
    told, truth = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    found = measure("regression", told, truth)
    if len(set(told)) > 1 and len(set(truth)) > 1:
        assert found["pearson"] == pytest.approx(stats.pearsonr(told, truth).statistic, abs=1e-9)
        assert found["spearman"] == pytest.approx(stats.spearmanr(told, truth).statistic, abs=1e-9)
    else:
        assert np.isnan(found["pearson"])
    assert found["mse"] == pytest.approx(np.mean((told - truth) ** 2))


@pytest.mark.parametrize(
    ("truth", "told", "value"), ROWS["names_are_held_together_as_seqeval_does"]
)
def test_names_are_held_together_as_seqeval_does(truth, told, value):
    lengths = [len(row.split()) for row in truth]
    values = {"labels": TAGS, "lengths": lengths}
    found = measure("token_classification", numbers_of(*told), numbers_of(*truth), **values)
    assert found["f1"] == pytest.approx(value)


@pytest.mark.parametrize("task", MEASURED)
def test_a_task_measures_what_it_is_said_to(task):
    found = measure(task, np.array([0.0, 1]).astype(int), np.array([0, 1]), labels=("O", "x"))
    assert set(MEASURED[task]) == {*found, "loss", *(["perplexity"] if task == "causal_lm" else [])}


# ---- Data


@pytest.fixture
def start(tmp_path):
    """A small BERT with a tokenizer of words, for every head."""
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=300, hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=20, max_position_embeddings=64, hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
    )  # fmt: skip
    transformers.BertModel(config).save_pretrained(tmp_path / "bert")
    a_tokenizer(tmp_path / "bert")
    return tmp_path / "bert"


@pytest.fixture
def plan_of(tmp_path, start):
    def make(task, rows, **columns):
        path = tmp_path / "all.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        data = DataPlan(files=dict.fromkeys(("train", "validation"), str(path)), **columns)
        return TrainPlan(task=task, data=data, dropout=0.0, tokenizer=str(start), max_length=40)

    return make


def job_of(plan, start):
    member = Member(group="g", seed=1, start=str(start), place="g/1", key="k")
    return Job(id="j", members=(member,), train=plan)


WORDS = [
    {"text": ["two", "plus three", "answer"], "label": ["O", "B-X", "O"]},
    {"text": ["what", "is"], "label": ["B-X", "I-X"]},
    {"text": ["question"], "label": ["O"]},
]


def test_pairs_are_what_the_tokenizer_makes_of_two_texts(plan_of, start):
    rows = [{"text": "two", "other": "plus three", "label": i % 2} for i in range(4)]
    _, data = encode_splits(plan_of("classification", rows, pair="other"), str(start))
    own = transformers.AutoTokenizer.from_pretrained(start)
    assert data["train"].ids[0] == own("two", "plus three").input_ids


def test_of_a_word_the_first_token_tells_its_class(plan_of, start):
    labels, data = encode_splits(plan_of("token_classification", WORDS), str(start))
    own = transformers.AutoTokenizer.from_pretrained(start)
    assert labels == ("B-X", "I-X", "O")
    found = data["train"]
    assert found.truth == ([2, 0, 2], [0, 1], [2])
    for row, ids, places in zip(WORDS, found.ids, found.places, strict=True):
        begins = [own.decode(ids[place]).strip() for place in places]
        assert all(word.startswith(begin) for word, begin in zip(row["text"], begins, strict=True))


@pytest.mark.parametrize(
    ("task", "row", "kind", "words"),
    [
        ("token_classification", {"text": "a b", "label": "O"}, EvidenceError, "2 words have 1"),
        ("token_classification", {"text": "a", "label": "Y"}, EvidenceError, "no training example"),
        ("regression", {"text": "a", "label": "much"}, EvidenceError, "no finite number"),
        ("regression", {"text": "a", "label": "nan"}, EvidenceError, "no finite number"),
    ],
)
def test_data_that_do_not_fit_a_task_are_named(plan_of, start, tmp_path, task, row, kind, words):
    plan = plan_of(task, WORDS if "token" in task else [{"text": "a", "label": 0.5}])
    path = tmp_path / "odd.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    plan.data.files["validation"] = str(path)
    with pytest.raises(kind, match=words) as found:
        encode_splits(plan, str(start))
    assert "odd.jsonl:1" in found.value.message


def test_classes_of_words_need_a_tokenizer_that_knows_words(tmp_path, plan_of, start):
    spm = pytest.importorskip("sentencepiece")
    (tmp_path / "text").write_text("un livre bon mauvais lire\n" * 20, encoding="utf-8")
    spm.SentencePieceTrainer.train(
        input=str(tmp_path / "text"), model_prefix=str(tmp_path / "spm"), vocab_size=18,
        minloglevel=2,
    )  # fmt: skip
    (tmp_path / "dict.txt").write_text("un 1\n", encoding="utf-8")
    plan = plan_of("token_classification", WORDS)
    object.__setattr__(plan, "tokenizer", str(tmp_path / "spm.model"))
    with pytest.raises(UsageError, match="need a Hugging Face tokenizer"):
        encode_splits(plan, str(start))


# ---- Training


def test_losses_of_words_are_those_of_transformers(plan_of, start):
    engine = assemble(job_of(plan_of("token_classification", WORDS), start)).engine
    model = transformers.AutoModelForTokenClassification.from_pretrained(start, num_labels=3)
    model.load_state_dict(engine.export(0))
    data = engine.task.data["train"]
    width = max(map(len, data.ids))
    ids = torch.full((3, width), data.pad)
    labels = torch.full((3, width), -100)
    for row in range(3):
        ids[row, : len(data.ids[row])] = torch.tensor(data.ids[row])
        labels[row, data.places[row]] = torch.tensor(data.truth[row])
    loss = model.eval()(ids, attention_mask=(ids != data.pad).long(), labels=labels).loss
    found = engine.evaluate("validation")[0]
    assert found["loss"] == pytest.approx(loss.item(), abs=1e-6)
    assert engine.step([[0, 1, 2]], 1e-3)[0] == pytest.approx(loss.item(), abs=1e-6)


@pytest.mark.parametrize(
    ("task", "metric"), [("token_classification", "f1"), ("regression", "pearson")]
)
def test_what_can_be_learnt_is_learnt(plan_of, start, task, metric):
    rows = WORDS if task == "token_classification" else [
        {"text": "two " * i, "label": i / 4} for i in range(1, 5)
    ]  # fmt: skip
    engine = assemble(job_of(plan_of(task, rows), start)).engine
    for _ in range(150):
        engine.step([list(range(len(rows)))], 3e-3)
    assert engine.evaluate("validation")[0][metric] > 0.95
