"""What a study that was put together says of itself, and settings of a run."""

import json


def decisions(study):
    """Decisions by their key."""
    return {d.key: d for d in study.decisions}


def messages(runs):
    """Every problem that is told, in words."""
    return [p.message for p in runs.all_problems()]


def args(**settings):
    """Arguments of a run, as a text of its event file."""
    return {"texts": {"args/text_summary": json.dumps(settings)}}
