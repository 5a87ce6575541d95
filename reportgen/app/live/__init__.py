"""What a running training needs: noticing that files have changed, and showing it in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import lazy_names

if TYPE_CHECKING:
    from reportgen.app.live.server import Board, Shown, serving
    from reportgen.app.live.watching import State, Watched, Weigh, changed_lately, everything

PORT = 8377
"""Where a report is served if nobody says otherwise."""

__getattr__ = lazy_names(__name__)
