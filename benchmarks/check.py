"""Check a class of 200 submissions, beside reading the text of their PDFs and nothing else.

Each submission is a PDF of five pages and the logs of six runs. Both contenders are whole
processes and use as many processes of their own; the peer takes every page's text with the library
that reads PDFs here, pypdfium2, and throws it away. Seconds a submission are printed for
orientation only: what counts is the ratio, round by round.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks._timing import Contender, ratios, time_in_turn

ROOT = Path(__file__).resolve().parent.parent

TEXT = """\
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
import pypdfium2
def text_of(path):
    with pypdfium2.PdfDocument(path) as document:
        return sum(len(page.get_textpage().get_text_range()) for page in document)
if __name__ == "__main__":
    files = sorted(Path(sys.argv[1]).glob("*/report.pdf"))
    with ProcessPoolExecutor(int(sys.argv[2])) as pool:
        print(sum(pool.map(text_of, files)))
"""


def main() -> None:
    """Time the contenders and print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--count", type=int, default=200)
    arguments, _ = parser.parse_known_args()
    sys.path.insert(0, str(ROOT / "tests"))
    from fakes.course_class import write_class

    from reportgen.executors.hardware import count_cores

    cores = str(count_cores())
    with tempfile.TemporaryDirectory() as temporary:
        folder = write_class(Path(temporary) / "class", arguments.count)
        reader = Path(temporary) / "text.py"
        reader.write_text(TEXT, encoding="utf-8")
        ours = [sys.executable, "-m", "reportgen", "check", str(folder), "--jobs", cores]
        ours += ["--format", "json", "--out", str(Path(temporary) / "out"), "--fail-on", "never"]
        seconds = time_in_turn(
            [
                Contender("check", ours),
                Contender("text", [sys.executable, str(reader), str(folder), cores]),
            ],
            rounds=arguments.rounds,
            cwd=ROOT,
            environment={"OPENBLAS_NUM_THREADS": "1"},
        )
    low, middle, high = ratios(seconds["check"], seconds["text"])
    each = {name: statistics.median(times) / arguments.count for name, times in seconds.items()}
    print(
        f"{arguments.count} submissions, {arguments.rounds} rounds, {cores} processes: "
        f"check / text {low:.2f} / {middle:.2f} / {high:.2f} (min / median / max); "
        f"{1000 * each['check']:.0f} ms and {1000 * each['text']:.1f} ms a submission"
    )


if __name__ == "__main__":
    main()
