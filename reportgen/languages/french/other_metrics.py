"""Other metrics at the best step."""

from __future__ import annotations

MESSAGES = {}
