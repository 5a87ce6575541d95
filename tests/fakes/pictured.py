"""What a picture says, from the records that it is drawn from."""

from collections.abc import Iterator
from dataclasses import fields, is_dataclass


def drawn(part: object) -> Iterator[str]:
    """Yield every text of a chart or a diagram."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, tuple):
        for each in part:
            yield from drawn(each)
    elif is_dataclass(part):
        for field in fields(part):
            if field.name != "kind":
                yield from drawn(getattr(part, field.name))
