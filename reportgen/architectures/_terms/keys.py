"""Reading whole numbers and switches out of a configuration written by strangers."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.errors import EvidenceError
from reportgen.languages import message
from reportgen.records.checkpoint import ModelConfig

# No published model has a size near this; a number above it is a broken file, and refusing
# it here keeps every later product small.
LARGEST = 2**40
# What is spelled out one by one, where a file of a few bytes must not cost gigabytes.
MOST_REPEATED = 2**14
MOST_PRODUCT = 2**18
REPEATED = frozenset(
    {
        *("num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_decoder_layers"),
        *("encoder_layers", "decoder_layers", "num_hidden_groups", "inner_group_num"),
        *("num_experts", "num_local_experts"),
    }
)
# The first version of transformers with the new names.
MODERN = 5


class Keys:
    """A configuration read key by key, with the family's default values for what is absent.

    Args:
        config: The configuration as it stands.
        defaults: Values of the family's own configuration class, by key.

    Attributes:
        notes: One sentence for each default that was used, in order of use.

    Example:
        >>> from reportgen.records.run import Source
        >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
        >>> keys = Keys(ModelConfig(source=source, model_type="bloom", values={"n_embed": 1024}),
        ...             {"n_layer": 2})
        >>> keys.whole("hidden_size", "n_embed"), keys.whole("n_layer")
        (1024, 2)
        >>> keys.notes
        ['n_layer is not in config.json: the default value of the model family, 2, is used']
    """

    def __init__(self, config: ModelConfig, defaults: Mapping[str, int]) -> None:
        self.path = config.source.path
        self.values = config.values
        self.defaults = defaults
        self.notes: list[str] = []

    def has(self, *names: str) -> bool:
        """Return whether one of the keys has a value that is not null."""
        return any(self.values.get(name) is not None for name in names)

    def whole(self, *names: str, least: int = 1) -> int:
        """Return the whole number under the first key present, else the family's default.

        Args:
            names: Spellings of one key, the current one first.
            least: Smallest value that makes sense.

        Raises:
            EvidenceError: The value is no whole number in range, or is absent and the
                family has no default for it.
        """
        for name in names:
            value = self.values.get(name)
            if value is not None:
                return self._checked(name, value, least)
        known = next((name for name in names if name in self.defaults), None)
        if known is None:
            raise EvidenceError(
                f"{self.path} has no {names[0]}, and no default exists for it",
                remedy=f"add {names[0]} to the configuration",
            )
        default = self.defaults[known]
        note = message(
            "{key} is not in {file}: the default value of the model family, {default}, is used",
            key=names[0],
            file=self.path,
            default=default,
        )
        if note not in self.notes:
            self.notes.append(note)
        return default

    def optional(self, *names: str) -> int | None:
        """Return the whole number under the first key present, or None; no note is made."""
        return self.whole(*names) if self.has(*names) else None

    def switch(self, name: str, *, default: bool) -> bool:
        """Return the truth value under a key.

        Raises:
            EvidenceError: The value is neither true, false nor null.
        """
        value = self.values.get(name)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise EvidenceError(
                f"{name} in {self.path} is {str(value)[:80]!r}, not true or false",
                remedy="write true or false",
            )
        return value

    def refuse_many(self, count: int, what: str) -> None:
        """Refuse a product of two sizes that would be spelled out one by one.

        Raises:
            EvidenceError: It is too large.
        """
        if count > MOST_PRODUCT:
            raise EvidenceError(
                f"{self.path} describes {count:,} {what}, more than {MOST_PRODUCT:,}",
                remedy="check the configuration",
            )

    def refuse_cross_attention(self) -> None:
        """Refuse a decoder that attends to an encoder, whose layers have more parts.

        Raises:
            EvidenceError: `add_cross_attention` is set.
        """
        if self.switch("add_cross_attention", default=False):
            raise EvidenceError(
                f"add_cross_attention is set in {self.path}: layers that attend to an encoder are "
                "not counted for this family",
                remedy="count a saved checkpoint of the model",
            )

    def labels(self, default: int = 2) -> int:
        """Return the number of classes: `num_labels`, the size of `id2label`, or the default."""
        count = self.optional("num_labels", "num_classes")
        if count is not None:
            return count
        names = self.values.get("id2label")
        return len(names) if isinstance(names, Mapping) and names else default

    def modern(self) -> bool:
        """Return whether the file says that transformers 5 or later wrote it.

        Some families have other module names there; stored tensors keep the old ones.

        Example:
            >>> from reportgen.records.run import Source
            >>> source = Source(path="config.json", kind="config_json", size=0, sha256="")
            >>> values = {"transformers_version": "5.23.0"}
            >>> Keys(ModelConfig(source=source, model_type="vit", values=values), {}).modern()
            True
        """
        major = str(self.values.get("transformers_version") or "").split(".")[0]
        return major.isdigit() and int(major) >= MODERN

    def _checked(self, name: str, value: object, least: int) -> int:
        whole = int(value) if isinstance(value, float) and value.is_integer() else value
        most = MOST_REPEATED if name in REPEATED else LARGEST
        if isinstance(whole, bool) or not isinstance(whole, int) or not least <= whole <= most:
            large = isinstance(whole, int) and whole > most
            raise EvidenceError(
                f"{name} in {self.path} is {str(value)[:80]!r}, "
                + (f"more than {most:,}" if large else f"not a whole number of at least {least}"),
                remedy=f"write {name} as a whole number",
            )
        return whole
