"""Texts to token ids, once for all epochs and seeds.

Two kinds of tokenizer: a Hugging Face folder, and the pair that fairseq's fine-tunes use, a
sentencepiece model beside fairseq's `dict.txt`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from reportgen.records.errors import EvidenceError, UsageError
from reportgen.records.training import RANDOM, TrainPlan
from reportgen.train.engine.examples import Encoded, Examples, lines_of, words_of
from reportgen.train.engine.libraries import refusing

SPECIAL = ("<s>", "<pad>", "</s>", "<unk>")
"""fairseq's first four words, by id. Source: `fairseq/data/dictionary.py`."""

_MODELS = ("sentencepiece.bpe.model", "spm.model", "sentencepiece.model")
_DICTIONARY = "dict.txt"
_OF_HUGGING_FACE = (
    *("tokenizer.json", "tokenizer_config.json", "vocab.json", "vocab.txt", "tokenizer.model"),
)

_OFFSET = frozenset(
    {"roberta", "camembert", "xlm-roberta", "roberta-prelayernorm", "data2vec-text"}
)
"""Models that count positions from the padding id on."""


Row = tuple[list[int], list[int]]
"""Token ids with the special ones, and for each the number of its text; none of single texts."""


_Where = tuple[Path, Path | None]
"""Files of a tokenizer; the second, a dictionary, is None for a Hugging Face folder."""


def open_tokenizer(plan: TrainPlan, start: str) -> Tokenizer:
    """Open the tokenizer that a plan names, or the one that lies beside the start.

    Args:
        plan: Its `tokenizer`, `dictionary`, `config` and `max_length` count.
        start: Hugging Face folder, fairseq checkpoint, or `"random"`.

    Raises:
        EvidenceError: There is none, it is damaged, or it cannot fill up a batch; the message
            says where it was looked for.
    """
    path, dictionary = _find(plan, start)
    if dictionary is None:
        return HuggingFace(path, plan.max_length)
    return SentencePiece(path, read_dictionary(dictionary), plan.max_length)


def tokenise(
    examples: Examples, truth: Sequence[int] | Sequence[float], tokenizer: Tokenizer
) -> Encoded:
    """Tokenise the texts, or pairs of texts, of one split; of each a class or a number is told.

    Raises:
        EvidenceError: A text has no token, or holds the padding token itself.
    """
    rows = tokenizer.encode(examples.texts, examples.pairs)
    _check_rows([ids for ids, _ in rows], tokenizer.pad, examples)
    types = tuple(own for _, own in rows)
    return Encoded(
        ids=tuple(ids for ids, _ in rows),
        truth=tuple([value] for value in truth),
        pad=tokenizer.pad,
        types=types if any(types) else (),
        notes=tokenizer.notes,
    )


def tokenise_words(
    examples: Examples, truth: Sequence[Sequence[int]], tokenizer: Tokenizer
) -> Encoded:
    """Tokenise the words of one split; of each word the first token tells its class.

    Raises:
        EvidenceError: A text has no word, or holds the padding token itself.
        UsageError: The tokenizer does not tell where a word begins.
    """
    words = [words_of(text) for text in examples.texts]
    rows = tokenizer.encode_words(words)
    _check_rows([ids if places else [] for ids, places in rows], tokenizer.pad, examples)
    short = sum(len(places) < len(own) for (_, places), own in zip(rows, words, strict=True))
    cut = f"{short} of {len(rows)} texts are cut; their last words are not counted"
    return Encoded(
        ids=tuple(ids for ids, _ in rows),
        truth=tuple(list(own[: len(p)]) for own, (_, p) in zip(truth, rows, strict=True)),
        pad=tokenizer.pad,
        places=tuple(places for _, places in rows),
        notes=(*tokenizer.notes, *([cut] if short else [])),
    )


def _check_rows(rows: Sequence[list[int]], pad: int, examples: Examples) -> None:
    for number, row in enumerate(rows):
        if not row or pad in row:
            what = "holds the padding token" if row else "has no token"
            raise EvidenceError(
                f"{examples.where(number)}: the text {what}", remedy="change or remove it"
            )


def counts_from_padding(model_type: str) -> bool:
    """Tell whether a kind of model counts positions from the padding id on."""
    return model_type in _OFFSET


def load_hugging_face(folder: Path, **options: Any) -> Any:
    """Load transformers' tokenizer from a folder; code that lies in it is never run."""
    from transformers import AutoTokenizer

    remedy = "save it with save_pretrained, or set tokenizer under [train]"
    with refusing(f"the tokenizer in {folder} cannot be read", remedy):
        return AutoTokenizer.from_pretrained(
            str(folder), local_files_only=True, use_fast=True, trust_remote_code=False, **options
        )


def check_fit(splits: Iterable[Encoded], config: Mapping[str, object]) -> None:
    """Check that a model has an embedding for every id and every position.

    RoBERTa and its kin count positions from the padding id on, so that their table has
    `pad_token_id + 1` rows that no token uses.

    Raises:
        EvidenceError: An id or a length is beyond the model.

    Example:
        >>> rows = Encoded(ids=([0, 9, 2],), truth=([0],), pad=1)
        >>> check_fit([rows], {"model_type": "roberta", "vocab_size": 10, "pad_token_id": 1,
        ...                    "max_position_embeddings": 5})
        >>> check_fit([rows], {"vocab_size": 9})
        Traceback (most recent call last):
        ...
        reportgen.records.errors.EvidenceError: the tokenizer gives the id 9; the model knows 9 ids
          remedy: set tokenizer under [train] to the one the model was trained with
    """
    rows = [row for split in splits for row in split.ids]
    highest = max((max(row) for row in rows), default=0)
    longest = max(map(len, rows), default=0)
    size = config.get("vocab_size")
    # GPT-2 and its kin have a name of their own for it.
    positions = config.get("max_position_embeddings", config.get("n_positions"))
    if isinstance(size, int) and highest >= size:
        raise EvidenceError(
            f"the tokenizer gives the id {highest}; the model knows {size} ids",
            remedy="set tokenizer under [train] to the one the model was trained with",
        )
    if isinstance(positions, int):
        pad = config.get("pad_token_id")
        offset = counts_from_padding(str(config.get("model_type")))
        room = positions - (pad + 1 if offset and isinstance(pad, int) else 0)
        if longest > room:
            raise EvidenceError(
                f"an example has {longest} tokens; the model has positions for {room}",
                remedy=f"set max_length = {room} under [train]",
            )


def read_dictionary(path: Path) -> dict[str, int]:
    """Read fairseq's `dict.txt`: a word and its count a line, the most frequent one first.

    The four special words come before the first line; padding words (`madeupword0000`) are words
    like others; `<mask>` comes last, where the file does not hold it.

    Returns:
        Word to id: line i (from 0) is `4 + i`.

    Raises:
        EvidenceError: The file is missing, over 1 GiB, no UTF-8, or a line is no word with a
            count, or names a word twice.

    Source: `fairseq/data/dictionary.py` (`add_from_file`), fairseq 0.12.2.
    """
    ids = {word: number for number, word in enumerate(SPECIAL)}
    count = len(SPECIAL)
    for number, line in enumerate(lines_of(path), start=1):
        word, _, frequency = line.rstrip().rpartition(" ")
        again = frequency == "#fairseq:overwrite"
        if again:
            word, _, frequency = word.rpartition(" ")
        if not word or not frequency.isdecimal():
            raise EvidenceError(
                f"{path}:{number}: no word and its count", remedy="pass fairseq's dict.txt"
            )
        if word in ids and not again:
            raise EvidenceError(
                f"{path}:{number}: the word {word[:80]!r} stands twice",
                remedy="remove the line, or end it with #fairseq:overwrite",
            )
        ids[word] = count
        count += 1
    ids.setdefault("<mask>", count)
    return ids


def _find(plan: TrainPlan, start: str) -> _Where:
    """Return the files of the tokenizer that the plan names, else of the one by the start."""
    if plan.tokenizer:
        path = Path(plan.tokenizer)
        if path.is_dir():
            return _in_folder(path, plan) or (path, None)
        return path, Path(plan.dictionary) if plan.dictionary else path.parent / _DICTIONARY
    beside = Path(plan.config if start == RANDOM else start)
    folder = beside if beside.is_dir() else beside.parent
    found = _in_folder(folder, plan)
    if found is None:
        raise EvidenceError(
            f"no tokenizer lies in {folder}",
            remedy="set tokenizer under [train] to a Hugging Face folder or a sentencepiece model",
        )
    return found


def _in_folder(folder: Path, plan: TrainPlan) -> _Where | None:
    if any((folder / name).is_file() for name in _OF_HUGGING_FACE):
        return folder, None
    given = Path(plan.dictionary) if plan.dictionary else folder / _DICTIONARY
    models = [folder / name for name in _MODELS if (folder / name).is_file()]
    if models and given.is_file():
        return models[0], given
    return None


class HuggingFace:
    """The tokenizer of a Hugging Face folder; long examples lose their end, not special tokens."""

    notes: tuple[str, ...] = ()

    def __init__(self, folder: Path, max_length: int) -> None:
        self._own = load_hugging_face(folder)
        if self._own.pad_token_id is None:
            raise EvidenceError(
                f"the tokenizer in {folder} has no padding token",
                remedy="name one as pad_token in its tokenizer_config.json",
            )
        self._folder = folder
        self._max_length = max_length
        self.pad: int = self._own.pad_token_id

    def encode(self, texts: Sequence[str], pairs: Sequence[str] = ()) -> list[Row]:
        """Return each text, or pair of texts, cut to the longest length."""
        if not texts:
            return []
        typed = bool(pairs) and "token_type_ids" in self._own.model_input_names
        found = self._own(
            list(texts),
            list(pairs) or None,
            truncation=True,
            max_length=self._max_length,
            padding=False,
            return_attention_mask=False,
            return_token_type_ids=typed,
        )
        types = found["token_type_ids"] if typed else [[]] * len(texts)
        return [(list(ids), list(own)) for ids, own in zip(found["input_ids"], types, strict=True)]

    def encode_words(self, texts: Sequence[Sequence[str]]) -> list[tuple[list[int], list[int]]]:
        """Return the ids of each list of words, and the places where those words begin that fit."""
        # Tokenizers that keep blanks take lists of words only so.
        own = load_hugging_face(self._folder, add_prefix_space=True)
        if not own.is_fast:
            raise UsageError(
                f"the tokenizer in {self._folder} does not tell where a word begins",
                remedy="save its fast version there (tokenizer.json)",
            )
        found = own(
            [list(words) for words in texts],
            is_split_into_words=True,
            truncation=True,
            max_length=self._max_length,
            padding=False,
        )
        rows = []
        for number, ids in enumerate(found["input_ids"]):
            firsts: dict[int, int] = {}
            for place, word in enumerate(found.word_ids(number)):
                if word is not None:
                    firsts.setdefault(word, place)
            # A word of no token would shift all labels behind it.
            whole = list(firsts) == list(range(len(firsts)))
            rows.append((list(ids), list(firsts.values()) if whole else []))
        return rows


class SentencePiece:
    """A sentencepiece model whose pieces fairseq's dictionary numbers.

    The ids of the two have nothing to do with each other where the dictionary is in the order
    of frequency, and a character that the model does not know may still be a word of it: only
    the surface of a piece tells.

    Args:
        path: The sentencepiece model.
        words: What `read_dictionary` gave.
        max_length: Most tokens of an example, `<s>` and `</s>` included.
    """

    def __init__(self, path: Path, words: Mapping[str, int], max_length: int) -> None:
        from sentencepiece import SentencePieceProcessor

        try:
            self._own = SentencePieceProcessor(model_file=str(path))
        except (OSError, RuntimeError):
            raise EvidenceError(
                f"{path} is no sentencepiece model",
                remedy="set tokenizer under [train] to a Hugging Face folder or such a model",
            ) from None
        self._words, self._max_length = words, max_length
        self.notes: tuple[str, ...] = ()
        self.pad = SPECIAL.index("<pad>")

    def encode(self, texts: Sequence[str], pairs: Sequence[str] = ()) -> list[Row]:
        """Return each text, or pair of texts, cut to the longest length."""
        begin, end = SPECIAL.index("<s>"), SPECIAL.index("</s>")
        found: list[Row] = []
        for i, first in enumerate(self._ids(texts)):
            parts = [first, *(self._ids(pairs[i : i + 1]) if pairs else [])]
            # fairseq parts two texts by </s> twice.
            room = self._max_length - (2 if len(parts) == 1 else 4)
            while sum(map(len, parts)) > room:
                max(parts, key=len).pop()
                cut = f"examples longer than {self._max_length} tokens are cut before </s>"
                theirs = "fairseq's shorten_method=truncate cuts </s> away with the rest"
                self.notes = (f"{cut}; {theirs}",)
            row = [begin, *parts[0], end, *([end, *parts[1], end] if pairs else [])]
            found.append((row, []))
        return found

    def encode_words(self, texts: Sequence[Sequence[str]]) -> list[tuple[list[int], list[int]]]:
        """Refuse: pieces are not told from words."""
        raise UsageError(
            f"classes of words need a Hugging Face tokenizer; {len(texts)} texts have another",
            remedy="set tokenizer under [train] to a Hugging Face folder",
        )

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        unknown = SPECIAL.index("<unk>")
        found = self._own.encode(list(texts), out_type=str)
        return [[self._words.get(piece, unknown) for piece in pieces] for pieces in found]


Tokenizer = HuggingFace | SentencePiece
"""What turns texts into ids; `pad` fills a batch up, `notes` are for a reader of the results."""
