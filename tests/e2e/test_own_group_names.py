"""Our own reports on groups whose names are words of every day have no error nor warning."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.judged import LOUD, RISING
from fakes.right._right import write_tags

from reportgen.api.building import build
from reportgen.api.checking import judge
from reportgen.api.evidence import EvidencePaths
from reportgen.api.options import BuildOptions
from reportgen.api.submissions import Submission

PAIRS = (
    ("baseline", "dropout"),
    ("warmup", "baseline"),
    ("augmentation", "mixup"),
    ("scheduler", "cosine"),
    ("r8", "r16"),
    ("n5", "n10"),
)


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("names", PAIRS, ids="-".join)
def test_a_report_on_them_agrees_with_its_logs(names, lang, tmp_path: Path):
    curves = dict(zip(names, RISING, strict=True))
    test = {
        g: {s: [round(v - 0.013, 4) for v in c] for s, c in r.items()} for g, r in curves.items()
    }
    logs = tmp_path / "logs"
    write_tags(logs, {"val/acc": curves, "test/acc": test}, 50)
    options = {"formats": ("md", "tex"), "cache": None, "settings": {"lang": lang}}
    made = build(BuildOptions(out=tmp_path / "o" / "report.md", runs=logs, **options))
    for report in (path for path in made.files if path.suffix in {".md", ".tex"}):
        one = Submission(name="r", report=report, evidence=EvidencePaths(runs=logs))
        loud = [f.message for f in judge(one).findings if f.level in LOUD]
        assert loud == [], report.name
