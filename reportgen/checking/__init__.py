"""Written reports held against their evidence: search to agree, bind to accuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.registry import lazy_names

# Imported when it is first asked for: the formats of findings need none of it.
if TYPE_CHECKING:
    from reportgen.checking.engine import review

_HOMES = {"review": "engine"}
__getattr__ = lazy_names(__name__, _HOMES)

__all__ = ["review"]
