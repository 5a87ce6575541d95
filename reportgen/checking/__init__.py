"""Written reports held against their evidence: search to agree, bind to accuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import lazy_names

if TYPE_CHECKING:
    from reportgen.checking.engine import review
    from reportgen.checking.named import scale_of

# A kept check is shown again without any of it, and so are the formats of findings.
__getattr__ = lazy_names(__name__)
