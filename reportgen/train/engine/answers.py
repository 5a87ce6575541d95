"""Questions and answers to token ids, with the place where each answer begins."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from reportgen.records.errors import EvidenceError, UsageError
from reportgen.records.training import RANDOM, TrainPlan
from reportgen.train.engine.examples import Encoded, Examples
from reportgen.train.engine.tokens import load_hugging_face

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
