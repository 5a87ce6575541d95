"""How a run's points lie in files must change no printed number of the whole report.

Event files are written by TensorBoard's own writer and read as `build` reads them.
"""

import shutil
import tempfile
from itertools import pairwise
from pathlib import Path

from fakes import made_runs as made
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter

from reportgen.app.analysis import analyse
from reportgen.app.options import BuildOptions
from reportgen.records.document import numbers
from reportgen.report import compose_report

TAGS = ("train/loss", "valid/accuracy", "test/accuracy", "valid/loss")
# An example takes a while: what fails is not worth minutes of making it smaller.
SETTINGS = settings(max_examples=12, phases=(Phase.explicit, Phase.generate))
BEGIN = 1.7e9


@st.composite
def labs(draw):
    """(group, seed) to the events of a run, in the order in which they are logged."""
    lab = {}
    for group in "ab":
        epochs = draw(st.integers(2, 5))
        for seed in range(draw(st.integers(1, 3))):
            events = []
            for epoch in range(1, epochs + 1):
                for tag in TAGS:
                    value = draw(st.integers(500, 900)) / 10
                    events.append((tag, 100 * epoch, value, BEGIN + len(events)))
            lab[group, seed] = events
    return lab


def write(folder, events):
    """Write one event file, the name of which tells when it was begun."""
    writer = EventFileWriter(str(folder))
    for tag, step, value, wall_time in events:
        summary = Summary(value=[Summary.Value(tag=tag, simple_value=value)])
        writer.add_event(Event(step=step, wall_time=wall_time, summary=summary))
    writer.close()


def printed(lab, change=None):
    """Write a lab and return every printed number of its report but those about its files."""
    with tempfile.TemporaryDirectory() as home:
        root = Path(home, "logs")
        for (group, seed), events in lab.items():
            folder = root / f"{group}_seed{seed}"
            if change is None:
                write(folder, events)
            else:
                change(folder, events)
        facts = analyse(BuildOptions(out=Path(home), runs=root, cache=None))
        report = compose_report(facts, metadata={})
    found = {n.id: made.words((n,)) for n in numbers(report)}
    left = ("settings.", "problems.", "files.")
    return {name: said for name, said in found.items() if not name.startswith(left)}


@SETTINGS
@given(labs(), st.data())
def test_an_event_file_split_into_several(lab, data):
    def split(folder, events):
        cuts = data.draw(st.sets(st.integers(1, len(events) - 1), max_size=3))
        ends = [0, *sorted(cuts), len(events)]
        for begin, end in pairwise(ends):
            write(folder, events[begin:end])

    before = printed(lab)
    assert len(before) > 20
    assert printed(lab, split) == before


@SETTINGS
@given(labs(), st.sampled_from(("{name}.copy", "{name}.1", "backup/{name}", "old-{name}")))
def test_a_log_copied_beside_itself(lab, name):
    def copy(folder, events):
        write(folder, events)
        (original,) = folder.iterdir()
        other = folder / name.format(name=original.name)
        other.parent.mkdir(exist_ok=True)
        shutil.copyfile(original, other)

    assert printed(lab, copy) == printed(lab)
