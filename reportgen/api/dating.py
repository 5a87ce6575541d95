"""The day of a report: that of its logs, so that the same logs give the same bytes on any day."""

from __future__ import annotations

import datetime as dt
import math
import os

from reportgen.records.facts import Facts

# ZIP archives cannot date anything earlier, and no training log is older.
EARLIEST = dt.datetime(1980, 1, 1, tzinfo=dt.UTC)


def stated_epoch() -> str:
    """Return `SOURCE_DATE_EPOCH` as it is set; empty where it is not."""
    return os.environ.get("SOURCE_DATE_EPOCH", "")


def moment_of(facts: Facts) -> dt.datetime | None:
    """Return the time the report carries, or None where nothing tells one.

    `SOURCE_DATE_EPOCH` where it is set; else the time of the last logged point, so that the
    same logs give the same bytes on any day.
    """
    if stated_epoch().isdigit():
        seconds = [float(stated_epoch())]
    else:
        series = [s for run in facts.runs for s in run.scalars.values() if len(s)]
        seconds = [t for s in series if math.isfinite(t := float(s.wall_times[-1]))]
    try:
        moment = dt.datetime.fromtimestamp(max(seconds), dt.UTC)
    except (OverflowError, OSError, ValueError):
        return None
    return moment if moment >= EARLIEST else None
