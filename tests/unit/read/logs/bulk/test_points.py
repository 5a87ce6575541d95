"""Columns that grow take the memory of what was written to them, and no more."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from reportgen.read.logs._bulk.points import Growing

GROW = """\
from pathlib import Path
import numpy as np
from reportgen.read.logs._bulk.points import Growing
def held():
    return int(Path("/proc/self/statm").read_text().split()[1])
array, values = Growing(np.uint8), np.ones(1 << 25, dtype=np.uint8)
before = held()
array.append(values)
array.append(values[:1])
print((held() - before) * __import__("resource").getpagesize() / len(values))
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not say")
def test_room_that_was_never_written_to_takes_no_memory():
    done = subprocess.run([sys.executable, "-c", GROW], check=True, capture_output=True, text=True)
    assert float(done.stdout) < 1.5


@pytest.mark.parametrize("parts", [[], [3], [1, 1, 5, 0, 70], [200_000, 1, 300_000]])
def test_what_was_appended_is_taken_once(parts):
    array, values = Growing(np.int64), np.arange(sum(parts))
    for part in np.split(values, np.cumsum(parts)[:-1]):
        array.append(part)
    assert array.take().tolist() == values.tolist()
    assert array.take().tolist() == []
