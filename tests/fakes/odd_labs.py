"""Labs of odd shapes, written as files: `odd_labs.yaml` holds their values."""

import csv
import json
from pathlib import Path

from fakes.rows import rows_beside

LABS = rows_beside(__file__)


def write_lab(name: str, folder: Path) -> None:
    """Write the files of a lab below a folder."""
    for path, content in LABS[name].items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.suffix == ".json":
            place.write_text(json.dumps(content), encoding="utf-8")
            continue
        count = len(next(iter(content.values())))
        clock = {} if "step" in content else {"epoch": range(1, count + 1)}
        columns = clock | content
        with place.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([columns, *zip(*columns.values(), strict=True)])
