"""Texts to token ids, once for all epochs and seeds.

Two kinds of tokenizer: a Hugging Face folder, and the pair that fairseq's fine-tunes use, a
sentencepiece model beside fairseq's `dict.txt`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from reportgen.records.errors import EvidenceError, UsageError
from reportgen.records.study import RANDOM, TrainPlan
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


# Questions and answers to token ids, with the place where each answer begins.

PROMPT = "### QUESTION\n{text}\n\n### ANSWER\n{label}"
"""Template of a study that names none."""


class Prompt(NamedTuple):
    """A template, taken apart; what stands after the answer is learnt with it."""

    head: str
    middle: str
    end: str


def read_prompt(template: str) -> Prompt:
    r"""Take a template apart.

    Args:
        template: Text with `{text}` and, after it, `{label}`, each once; empty is `PROMPT`.

    Raises:
        UsageError: It is none.

    Example:
        >>> read_prompt("Q: {text}\nA: {label}.")
        Prompt(head='Q: ', middle='\nA: ', end='.')
    """
    head, text, rest = (template or PROMPT).partition("{text}")
    middle, label, end = rest.partition("{label}")
    again = "{text}" in rest or "{label}" in head + end
    if not text or not label or again:
        raise UsageError(
            f"the prompt {template[:120]!r} has not {{text}} once and, after it, {{label}} once",
            remedy=f"write a prompt like {PROMPT!r} under [train.data]",
        )
    return Prompt(head=head, middle=middle, end=end)


class AnswerTokenizer:
    """A fast tokenizer of transformers that cuts questions, and answers only where it must.

    Attributes:
        pad: Id that fills a batch up; attention never sees it.
        end: Id that ends an answer; None where the tokenizer has none.

    Raises:
        EvidenceError: The tokenizer is missing, damaged, or does not tell where a token stands.
        UsageError: The prompt is none.
    """

    def __init__(self, plan: TrainPlan, start: str) -> None:
        beside = Path(plan.config).parent if start == RANDOM else Path(start)
        folder = Path(plan.tokenizer) if plan.tokenizer else beside
        self._own: Any = load_hugging_face(folder)
        if not self._own.is_fast:
            raise EvidenceError(
                f"the tokenizer in {folder} does not tell where in the text a token stands",
                remedy="save its fast version there (tokenizer.json)",
            )
        self._prompt = read_prompt(plan.data.prompt)
        self._longest = plan.max_length
        self.end: int | None = self._own.eos_token_id
        pad = self._own.pad_token_id
        self.pad: int = next((i for i in (pad, self.end) if i is not None), 0)
        begin = self._own.bos_token_id
        # Whether a text begins with its token is the tokenizer's affair.
        first = self._own("", add_special_tokens=True)["input_ids"][:1]
        self._first = first if begin is not None and first == [begin] else []

    def tokenise(self, examples: Examples) -> Encoded:
        """Tokenise one split: the tokens of answers are to be told, each from those before it.

        The text is tokenised as one. A token that reaches into the answer is the answer's: so is
        a space before it, which most tokenizers write into its first token. What is too long
        loses the end of the question first, and then that of the answer.

        Raises:
            EvidenceError: An example has no token before its answer, or none in it; or the
                template alone is as long as the longest example.
        """
        prompt = self._prompt
        before = [f"{prompt.head}{text}" for text in examples.texts]
        whole = [
            f"{said}{prompt.middle}{label}{prompt.end}"
            for said, label in zip(before, examples.labels, strict=True)
        ]
        found = self._own(
            whole, add_special_tokens=False, return_offsets_mapping=True, truncation=False,
            padding=False, verbose=False,
        )  # fmt: skip
        ids, starts, cut, short = [], [], 0, 0
        for i, (row, spans) in enumerate(
            zip(found["input_ids"], found["offset_mapping"], strict=True)
        ):
            limits = (len(prompt.head), len(before[i]), len(before[i]) + len(prompt.middle))
            parts = _part(row, [stop for _, stop in spans], limits)
            if self.end is not None:
                parts[3].append(self.end)
            kept, start, lost = self._fit(parts, examples.where(i))
            ids.append(kept)
            starts.append(start)
            cut, short = cut + (lost > 0), short + (lost > len(parts[1]))
        return Encoded(
            ids=tuple(ids),
            truth=tuple(row[start:] for row, start in zip(ids, starts, strict=True)),
            pad=self.pad,
            places=tuple(
                list(range(start - 1, len(row) - 1)) for row, start in zip(ids, starts, strict=True)
            ),
            notes=self._notes(examples.split, len(ids), cut, short),
        )

    def _notes(self, split: str, total: int, cut: int, short: int) -> tuple[str, ...]:
        notes = []
        if self.end is None:
            notes.append("the tokenizer has no end token: nothing ends an answer")
        if cut:
            more = f", and {short} of their answers" if short else ""
            notes.append(
                f"{split}: {cut} of {total} questions are cut at {self._longest} tokens an "
                f"example{more}"
            )
        return tuple(notes)

    def _fit(self, parts: list[list[int]], where: str) -> tuple[list[int], int, int]:
        """Return the tokens that fit, the place of the answer, and how many were cut."""
        head, text, middle, answer = parts
        room = self._longest - len(self._first) - len(head) - len(middle)
        if room < 1:
            raise EvidenceError(
                f"{where}: the prompt alone has {self._longest - room} tokens, and "
                f"max_length is {self._longest}",
                remedy="raise max_length under [train], or shorten the prompt",
            )
        lost = max(len(text) + len(answer) - room, 0)
        answer = answer[:room]
        kept = [*self._first, *head, *text[: room - len(answer)], *middle]
        if not kept or not answer:
            what = "no token before" if answer else "no token in"
            raise EvidenceError(f"{where}: {what} its answer", remedy="change the prompt")
        return kept + answer, len(kept), lost


def _part(
    row: Sequence[int], stops: Sequence[int], limits: tuple[int, int, int]
) -> list[list[int]]:
    """Part tokens into head, question, middle and answer, each by the character it ends at."""
    parts: list[list[int]] = [[], [], [], []]
    for token, stop in zip(row, stops, strict=True):
        parts[sum(stop > limit for limit in limits)].append(token)
    return parts
