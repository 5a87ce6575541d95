"""Checking that waits until it may: for tests that kill a worker amid it."""

import os

from fakes.killed_worker import wait_for_go

from reportgen.app.checking import judge as judge_at_once
from reportgen.app.submissions import Submission
from reportgen.records.verdict import Review


def judge(submission: Submission) -> Review:
    """Check a report once the other worker is killed; this process is a worker's child."""
    wait_for_go(os.getppid(), (submission.name,))
    return judge_at_once(submission)
