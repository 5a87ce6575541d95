"""The logarithm behind a loss, where the program that logged it is known."""

from __future__ import annotations

from reportgen.languages import message, say
from reportgen.records.document import Text

_UNITS = {
    "fairseq": message("Losses are in bits: fairseq divides them by the logarithm of 2."),
    "fairseq_console": message("Losses are in bits: fairseq divides them by the logarithm of 2."),
    "hf_trainer": message(
        "Losses are as the Hugging Face Trainer logs them: cross-entropies are in nats."
    ),
}


def loss_unit(layout: str) -> Text:
    """Return the sentence about the losses of a layout; nothing where its program is unknown."""
    return say(_UNITS[layout]) if layout in _UNITS else ()
