"""`python -m reportgen.training JOB.json STORE`: train one job."""

from __future__ import annotations

import sys

from reportgen.training.worker import main

sys.exit(main(sys.argv[1:]))
