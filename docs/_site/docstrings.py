"""What the reference makes of docstrings: examples as code, the way they are run."""

from __future__ import annotations

import re
from typing import Any

import griffe

_EXAMPLE = re.compile(r"^Example:$", re.MULTILINE)


class Examples(griffe.Extension):
    """Take `Example:` for the section of that kind, which griffe knows in the plural alone."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Rename the section in an object's docstring before it is parsed."""
        if obj.docstring is not None:
            obj.docstring.value = _EXAMPLE.sub("Examples:", obj.docstring.value)
