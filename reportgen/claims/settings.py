"""Named values that a report states: sizes, rates, numbers of epochs, keys of adapters."""

from __future__ import annotations

from collections.abc import Iterator

from reportgen.claims._lora_sentences import scalings, sentences_of_keys
from reportgen.claims._passages import Passage, passages
from reportgen.claims._setting_numbers import numbers_of_settings
from reportgen.claims._setting_slips import slips_of_settings
from reportgen.claims._setting_tables import tables_of_settings
from reportgen.claims._setting_texts import texts_of_settings
from reportgen.claims._symbol_tables import symbols_in_table
from reportgen.records.claim import Claim
from reportgen.records.manuscript import Manuscript


def find(manuscript: Manuscript) -> tuple[Claim, ...]:
    """Return the settings that a report states, and what it says that LoRA's keys do.

    Args:
        manuscript: The report.

    Example:
        >>> from reportgen.records.manuscript import Block, Line
        >>> text = "We fine-tune with a batch size of 8 for 5 epochs."
        >>> block = Block(type="paragraph", lines=(Line(text=text, number=1),))
        >>> report = Manuscript(path="", format="markdown", sha256="", blocks=(block,))
        >>> [(claim.content.key, claim.content.value) for claim in find(report)]
        [('batch_size', Decimal('8')), ('num_train_epochs', Decimal('5'))]
    """
    return tuple(claim for passage in passages(manuscript) for claim in _claims(passage))


def _claims(passage: Passage) -> Iterator[Claim]:
    """Yield the claims of one passage in reading order."""
    if passage.block.type == "table":
        stated = tuple(tables_of_settings(passage))
        places = {(claim.row, claim.column) for claim in stated}
        letters = symbols_in_table(passage)
        yield from (*stated, *(c for c in letters if (c.row, c.column) not in places))
        return
    # What a program printed while it trained are moments, not settings.
    if passage.block.type in {"heading", "output"}:
        return
    found = [
        *numbers_of_settings(passage),
        *slips_of_settings(passage),
        *texts_of_settings(passage),
        *sentences_of_keys(passage),
        *scalings(passage),
    ]
    yield from sorted(found, key=lambda claim: (claim.start, claim.end))
