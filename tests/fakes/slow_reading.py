"""Reading that waits until it may: for tests that kill a worker amid it."""

import os
from collections.abc import Sequence

from fakes.killed_worker import wait_for_go

from reportgen.read.logs import LogFile, Reading
from reportgen.read.logs import read_chunk as read


def read_chunk(files: Sequence[LogFile], reading: Reading) -> bytes:
    """Read a chunk of logs once the other worker is killed."""
    wait_for_go(os.getpid(), (file.name for file in files))
    return read(files, reading)
