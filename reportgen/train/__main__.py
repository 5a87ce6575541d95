"""`python -m reportgen.train JOB.json STORE`: train the jobs of a file."""

from __future__ import annotations

import sys

from reportgen.train.engine import main

sys.exit(main(sys.argv[1:]))
