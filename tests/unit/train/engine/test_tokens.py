"""Tokens: a Hugging Face folder as transformers encodes, a sentencepiece model by its pieces."""

import numpy as np
import pytest

from reportgen.records.errors import EvidenceError
from reportgen.records.study import RANDOM, TrainPlan
from reportgen.train.engine.examples import Encoded, Examples
from reportgen.train.engine.tokens import check_fit, open_tokenizer, read_dictionary, tokenise

spm = pytest.importorskip("sentencepiece")


def some(*texts, labels=(), pairs=()):
    count = len(texts)
    return Examples(
        split="train",
        source="x.csv",
        texts=texts,
        labels=labels or ("0",) * count,
        lines=tuple(range(1, count + 1)),
        pairs=pairs,
    )


WORDS = ["un", "livre", "très", "bon", "mauvais", "ennuyeux", "lire", "chapitre", "fin", "début"]


@pytest.fixture(scope="module")
def texts():
    draw = np.random.default_rng(0)
    return [" ".join(draw.choice(WORDS, draw.integers(1, 10))) for _ in range(400)]


@pytest.fixture(scope="module")
def model(tmp_path_factory, texts):
    """A sentencepiece model, and its pieces as `spm_train` numbers them."""
    folder = tmp_path_factory.mktemp("spm")
    (folder / "text").write_text("\n".join(texts), encoding="utf-8")
    spm.SentencePieceTrainer.train(
        input=str(folder / "text"),
        model_prefix=str(folder / "sentencepiece.bpe"),
        vocab_size=32,
        minloglevel=2,
    )
    own = spm.SentencePieceProcessor(model_file=str(folder / "sentencepiece.bpe.model"))
    return folder, [own.id_to_piece(number) for number in range(3, own.get_piece_size())]


@pytest.fixture
def plan(model):
    def make(words, **values):
        folder, _ = model
        lines = "".join(f"{word} {100 - number}\n" for number, word in enumerate(words))
        (folder / "dict.txt").write_text(lines, encoding="utf-8")
        path = str(folder / "sentencepiece.bpe.model")
        return TrainPlan(tokenizer=path, dictionary=str(folder / "dict.txt"), **values)

    return make


def test_pieces_are_numbered_by_the_dictionary_whatever_its_order(model, plan):
    _, pieces = model
    shuffled = np.random.default_rng(1).permutation(pieces).tolist()
    words = [*shuffled[:20], "madeupword0000", *shuffled[20:]]
    tokenizer = open_tokenizer(plan(words), "model.pt")
    text = "un livre très bon"
    own = spm.SentencePieceProcessor(model_file=plan(words).tokenizer)
    surface = own.encode(text, out_type=str)
    ((row, _),) = tokenizer.encode([text])
    assert row == [0, *(4 + words.index(piece) for piece in surface), 2]
    # What the ids of sentencepiece plus one would give is something else.
    assert row[1:-1] != [number + 1 for number in own.encode(text)]


def test_a_character_unknown_to_sentencepiece_may_be_a_word_of_the_dictionary(model, plan):
    _, pieces = model
    known = open_tokenizer(plan([*pieces, "ß"]), "model.pt").encode(["un ß", "un ǂ"])
    assert known[0][0][-2] == 4 + len(pieces)
    assert known[1][0][-2] == 3


def test_a_long_text_keeps_its_end_mark_and_says_so(model, plan):
    tokenizer = open_tokenizer(plan(model[1], max_length=6), "model.pt")
    assert tokenizer.encode(["un"])[0][0][-1] == 2
    assert tokenizer.notes == ()
    ((row, _),) = tokenizer.encode(["un livre très bon mauvais ennuyeux lire"])
    assert (len(row), row[0], row[-1]) == (6, 0, 2)
    assert "</s>" in tokenizer.notes[0]


def test_two_texts_are_parted_as_fairseq_does_and_the_longer_one_is_cut(model, plan):
    tokenizer = open_tokenizer(plan(model[1], max_length=12), "model.pt")
    first, second = (tokenizer.encode([text])[0][0][1:-1] for text in ("un", "bon livre"))
    ((row, _),) = tokenizer.encode(["un"], ["bon livre"])
    assert row == [0, *first, 2, 2, *second, 2]
    ((row, _),) = tokenizer.encode(["un"], ["bon livre " * 9])
    assert (len(row), row[: len(first) + 3]) == (12, [0, *first, 2, 2])
    assert "</s>" in tokenizer.notes[0]


def test_a_model_and_its_dictionary_are_found_beside_the_start(model, plan):
    plan(model[1])
    folder, _ = model
    beside = open_tokenizer(TrainPlan(), str(folder / "checkpoint_best.pt"))
    config = open_tokenizer(TrainPlan(config=str(folder / "config.json")), RANDOM)
    named = open_tokenizer(TrainPlan(tokenizer=str(folder)), "/elsewhere/model.pt")
    assert beside.encode(["un livre"]) == config.encode(["un livre"]) == named.encode(["un livre"])


def test_the_dictionary_of_fairseq(tmp_path):
    path = tmp_path / "dict.txt"
    path.write_text("▁le 9\na b 7\n<s> 3 #fairseq:overwrite\n<mask> 1\n", encoding="utf-8")
    found = read_dictionary(path)
    assert found == {
        "<s>": 6, "<pad>": 1, "</s>": 2, "<unk>": 3, "▁le": 4, "a b": 5, "<mask>": 7
    }  # fmt: skip
    path.write_text("▁le 9\n▁un 7\n", encoding="utf-8")
    assert read_dictionary(path)["<mask>"] == 6


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a 1\na 2\n", ":2: the word 'a' stands twice"),
        (b"a 1\n<pad> 2\n", ":2: the word '<pad>' stands twice"),
        (b"a 1\n\nb 2\n", ":2: no word and its count"),
        (b"a 1\nb x\n", ":2: no word and its count"),
        (b"a 1\n\xff 2\n", ":2: byte 4 is no UTF-8"),
    ],
)
def test_a_damaged_dictionary(tmp_path, content, words):
    (tmp_path / "dict.txt").write_bytes(content)
    with pytest.raises(EvidenceError, match=words) as found:
        read_dictionary(tmp_path / "dict.txt")
    assert found.value.remedy


def test_no_tokenizer_and_no_dictionary(tmp_path, model):
    with pytest.raises(EvidenceError, match="no tokenizer lies in"):
        open_tokenizer(TrainPlan(), str(tmp_path / "model.pt"))
    path = tmp_path / "spm.model"
    path.write_bytes(b"not a model")
    with pytest.raises(EvidenceError, match=r"dict\.txt cannot be read"):
        open_tokenizer(TrainPlan(tokenizer=str(path)), "model.pt")
    (tmp_path / "dict.txt").write_text("a 1\n")
    with pytest.raises(EvidenceError, match="is no sentencepiece model"):
        open_tokenizer(TrainPlan(tokenizer=str(path)), "model.pt")


@pytest.fixture
def folder(tmp_path):
    """A byte-level BPE tokenizer of RoBERTa, saved by transformers."""
    transformers = pytest.importorskip("transformers")
    from tokenizers import ByteLevelBPETokenizer

    trained = ByteLevelBPETokenizer()
    specials = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trained.train_from_iterator(WORDS * 9, vocab_size=300, special_tokens=specials)
    trained.save_model(str(tmp_path))
    own = transformers.RobertaTokenizerFast(
        vocab=str(tmp_path / "vocab.json"), merges=str(tmp_path / "merges.txt")
    )
    own.save_pretrained(tmp_path)
    return tmp_path


def test_a_hugging_face_folder_encodes_as_transformers_does(folder, texts):
    from transformers import AutoTokenizer

    tokenizer = open_tokenizer(TrainPlan(max_length=8), str(folder))
    own = AutoTokenizer.from_pretrained(folder)
    found = tokenise(some(*texts), [0] * len(texts), tokenizer)
    assert found.ids == tuple(own(text, truncation=True, max_length=8).input_ids for text in texts)
    assert (found.pad, tokenizer.notes) == (1, ())
    assert max(map(len, found.ids)) == 8
    assert all(row[-1] == 2 for row in found.ids)


def test_a_folder_without_a_padding_token(folder):
    path = folder / "tokenizer_config.json"
    text = path.read_text()
    assert '"pad_token": "<pad>"' in text
    path.write_text(text.replace('"pad_token": "<pad>"', '"pad_token": null'))
    with pytest.raises(EvidenceError, match="no padding token"):
        open_tokenizer(TrainPlan(), str(folder))


def test_a_damaged_folder(folder):
    for path in folder.iterdir():
        path.write_text("{")
    with pytest.raises(EvidenceError, match="cannot be read") as found:
        open_tokenizer(TrainPlan(), str(folder))
    assert found.value.remedy


def test_an_example_that_holds_the_padding_token(folder):
    with pytest.raises(EvidenceError, match=r"x\.csv:2: the text holds the padding token"):
        tokenise(some("un", "un <pad>"), [0, 1], open_tokenizer(TrainPlan(), str(folder)))


def test_a_model_too_small_for_the_tokens():
    rows = [Encoded(ids=([0, 9, 9, 2],), truth=([0],), pad=1)]
    config = {"vocab_size": 10, "max_position_embeddings": 4, "pad_token_id": 1}
    check_fit(rows, {**config, "model_type": "bert"})
    with pytest.raises(EvidenceError, match="positions for 2") as found:
        check_fit(rows, {**config, "model_type": "roberta"})
    assert "max_length = 2" in found.value.remedy
    with pytest.raises(EvidenceError, match="the id 9; the model knows 9"):
        check_fit(rows, {**config, "vocab_size": 9})


def test_the_positions_of_gpt2_are_counted_too():
    rows = [Encoded(ids=([5, 6, 7],), truth=([0],), pad=1)]
    check_fit(rows, {"model_type": "gpt2", "vocab_size": 8, "n_positions": 3})
    with pytest.raises(EvidenceError, match="positions for 2"):
        check_fit(rows, {"model_type": "gpt2", "vocab_size": 8, "n_positions": 2})
