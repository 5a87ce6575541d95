"""Written reports held against their evidence: search to agree, bind to accuse."""

from __future__ import annotations

from reportgen.checking.engine import review

__all__ = ["review"]
