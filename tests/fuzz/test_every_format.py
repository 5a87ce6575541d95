"""Every format that is read, under fire: some hundred of the inputs that `make fire` reads.

The inputs are those of the lowest numbers of `fire.inputs`: cut at every byte or at some, then
drawn by a seed. What must hold of each is said in `tests/fire`.
"""

import json
import tempfile
from pathlib import Path

import pytest
from fire import inputs
from fire.inputs import bombard, cuts_of, make, table
from fire.record import FILE
from fire.watch import DeedError, watched

from reportgen.read.documents import READERS
from reportgen.read.logs import LOADERS
from reportgen.read.weights import CHECKPOINTS

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="measures memory as Linux does"
)

CUTS, DRAWN = 20, 30


@pytest.mark.parametrize("name", sorted(table()))
def test_damage_ends_in_a_result_or_a_letter(name, tmp_path, monkeypatch):
    monkeypatch.setattr(inputs, "WARM_UP", 8)
    cuts = cuts_of(name)
    step = max(1, cuts // CUTS)
    with tempfile.TemporaryDirectory(dir=tmp_path) as home:
        tally = bombard(name, [*range(0, cuts, step), *range(cuts, cuts + DRAWN)], Path(home))
    assert tally.inputs >= DRAWN
    assert not tally.faults, "\n".join(f"{name} {number}: {told}" for number, told in tally.faults)


def test_every_format_of_the_tables_is_under_fire():
    """A new loader, checkpoint or report format has to be added to `tests/fire`."""
    known = set(table())
    named = {
        "adapter": "adapter_config.json", "config_json": "config.json", "pytorch": "torch.zip",
    }  # fmt: skip
    for plug_ins in (LOADERS, CHECKPOINTS, READERS):
        assert {named.get(name, name) for name in plug_ins} <= known


@pytest.mark.parametrize("name", ["tfevents", "metrics_csv", "torch.zip", "markdown"])
def test_a_number_is_an_input_for_good(name):
    number = cuts_of(name) + 7
    assert make(name, number) == make(name, number) != make(name, number + 1)
    assert make(name, 5).content == table()[name].samples[0].content[:5]


def test_what_a_reader_may_not_do_is_noticed(tmp_path):
    import pickle
    import subprocess

    (tmp_path / "a").write_bytes(b"")
    deeds = [
        lambda: (tmp_path / "b").write_bytes(b""),
        lambda: Path("/etc/hostname").read_bytes(),
        (tmp_path / "a").unlink,
        lambda: subprocess.run(["true"], check=False),
        lambda: pickle.loads(b"cos\nsystem\n."),  # noqa: S301
        lambda: eval(compile("1 + 1", "from a file", "eval")),  # noqa: S307
    ]

    def watch(deed):
        with watched(tmp_path):
            deed()

    for deed in deeds:
        with pytest.raises(DeedError):
            watch(deed)
    with watched(tmp_path):
        assert (tmp_path / "a").read_bytes() == b""
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_the_record_knows_every_format_and_no_fault_that_is_open():
    rows = json.loads(FILE.read_text(encoding="utf-8"))
    assert set(rows) == set(table())
    assert {name: row["open"] for name, row in rows.items() if row["open"]} == {}
