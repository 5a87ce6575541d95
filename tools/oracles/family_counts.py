"""Write family_counts.csv: what the models of transformers hold, built plainly, row by row.

Not a test, and not needed to run the tests: it needs torch and transformers. A row is a
configuration as an owner would write it beside `model_type` and `architectures`. It is written
into a config.json, read back by `AutoConfig`, and its class is built on the meta device, which
holds shapes and no numbers. A parameter counts once, however many names it has. What the
library refuses is no row; it is told on the screen. A row that the table has of the same version is
kept as it is, unless `--again` is given.

    python tools/oracles/family_counts.py [--again]
"""

import collections
import csv
import json
import signal
import sys
import tempfile
import warnings
from pathlib import Path

import torch
import transformers
from family_cases import deep_sizes, hand_made, heads_of, idle_of, scaled_sizes
from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

HERE = Path(__file__).resolve().parents[2] / "tests" / "oracle"
TABLE = HERE / "family_counts.csv"
COLUMNS = ("model_type", "class", "config", "total", "source")
SOURCE = transformers.__version__
SECONDS = 60
ENOUGH = 4
LENGTH = 300


class TooLongError(Exception):
    """A model was not built within its time."""


def stop(_signal, _frame):
    """End a build that takes too long."""
    raise TooLongError(f"not built within {SECONDS} s")


def compact(config):
    """Return a configuration as one short line."""
    return json.dumps(config, separators=(",", ":"), ensure_ascii=False)


def read_config(model_type, name, config):
    """Return the configuration as the library reads it from a folder."""
    whole = {"model_type": model_type, "architectures": [name], **config}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "config.json").write_text(json.dumps(whole), encoding="utf-8")
        return transformers.AutoConfig.from_pretrained(folder)


def fits(made, kind):
    """Say whether a class that is built from one kind of configuration can take this one."""
    return isinstance(made, kind) or made.sub_configs.keys() == kind.sub_configs.keys()


def count(model_type, name, config):
    """Return how many parameters the class has with the configuration."""
    signal.alarm(SECONDS)
    try:
        made = read_config(model_type, name, config)
        kind = getattr(transformers, name)
        if kind.config_class is not None and not fits(made, kind.config_class):
            raise TypeError(f"{name} is not of {type(made).__name__}")
        with torch.device("meta"):
            model = kind(made)
        return sum(tensor.numel() for tensor in model.parameters())
    finally:
        signal.alarm(0)


class Table:
    """The rows so far, and what was refused."""

    def __init__(self, again):
        self.rows = {}
        self.kept = {}
        if TABLE.exists() and not again:
            with TABLE.open(encoding="utf-8", newline="") as file:
                held = [tuple(row) for row in csv.reader(file)][1:]
            self.kept = {row[:3]: row for row in held if row[4] == SOURCE}

    def add(self, model_type, name, config):
        """Add one row and return whether the library built it."""
        key = (model_type, name, compact(config))
        if key in self.rows:
            return True
        if key not in self.kept:
            try:
                total = count(model_type, name, config)
            except Exception as error:  # noqa: BLE001 - what is refused is told and left out
                told = f"{type(error).__name__}: {error}".splitlines()
                print("refused", *key, " ".join(told)[:300], sep="\t", flush=True)
                return False
            self.kept[key] = (*key, str(total), SOURCE)
        self.rows[key] = self.kept[key]
        return True

    def write(self):
        """Write the rows in order."""
        with TABLE.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows(self.rows[key] for key in sorted(self.rows))


def add_plain(table, model_type, by_hand):
    """Add the defaults of a type, its heads, many layers, and other sizes if few are by hand."""
    classes = heads_of(model_type, few=by_hand >= ENOUGH)
    built = [
        name for name, config in classes if table.add(model_type, name, config | idle_of(name))
    ]
    try:
        sizes = read_config(model_type, built[0], {}).to_dict()
    except Exception:  # noqa: BLE001 - a type without defaults has hand-made rows alone
        return
    for config in deep_sizes(model_type, sizes):
        if config and table.add(model_type, built[0], config):
            break
    for config in scaled_sizes(model_type, sizes) if by_hand < ENOUGH else ():
        name = built[len(model_type) % len(built)]
        if config and len(compact(config)) <= LENGTH and table.add(model_type, name, config):
            return


def main():
    """Write the table, type by type."""
    warnings.simplefilter("ignore")
    transformers.logging.set_verbosity_error()
    signal.signal(signal.SIGALRM, stop)
    table = Table(again="--again" in sys.argv)
    by_hand = collections.Counter(case[0] for case in hand_made() if table.add(*case))
    for model_type in sorted(CONFIG_MAPPING_NAMES):
        add_plain(table, model_type, by_hand[model_type])
    table.write()


if __name__ == "__main__":
    main()
