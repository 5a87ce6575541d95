"""Whatever a store holds and however it changes, its mirror is that, and in its own folder."""

import tempfile
from pathlib import Path

from fakes.object_store import ObjectStore
from hypothesis import given
from hypothesis import strategies as st

from reportgen.read.remote.tree import mirror
from reportgen.read.remote.url import read_url

PARTS = st.sampled_from(
    ["a", "A", "b.csv", "..", ".", "", "\\x", "é", "e\u0301", "nul\0", " ", "~"]
)
NAMES = st.lists(PARTS | st.text(min_size=1, max_size=5), min_size=1, max_size=4).map("/".join)
CONTENTS = st.binary(max_size=300)


def fetch(store: ObjectStore, cache: Path):
    found = mirror(read_url(f"{store.url}/lab"), cache, lambda _name: 1 << 20, lambda *_: None)
    files = (path for path in found.path.rglob("*") if path.is_file())
    return found, {p.relative_to(found.path).as_posix(): p.read_bytes() for p in files}


@given(st.dictionaries(NAMES, CONTENTS, min_size=1, max_size=6))
def test_every_object_is_here_as_it_is_there_or_named_as_refused(objects):
    objects = {name: content for name, content in objects.items() if not name.endswith("/")}
    objects["ok.csv"] = b"ok"
    store = ObjectStore()
    for name, content in objects.items():
        store.put(f"lab/{name}", content)
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "far" / "down" / "cache"
        found, files = fetch(store, cache)
        assert files.items() <= objects.items()
        assert len(files) + len(found.problems) == len(objects)
        assert all(problem.message.startswith("not fetched") for problem in found.problems)
        assert {path.name for path in Path(folder).iterdir()} == {"far"}
        assert {path.name for path in cache.iterdir()} == {"mirrors"}


@given(st.lists(st.dictionaries(st.sampled_from("abc"), CONTENTS, min_size=1), max_size=5))
def test_after_any_changes_the_mirror_is_what_is_there(states):
    store = ObjectStore()
    with tempfile.TemporaryDirectory() as folder:
        before = {"a": b"begin"}
        for state in [before, *states]:
            for name in before.keys() - state.keys():
                store.delete(f"lab/{name}")
            for name, content in state.items():
                # Some grow, some become others.
                whole = before.get(name, b"") + content if len(content) % 2 else content
                store.put(f"lab/{name}", whole)
                state[name] = whole
            before = dict(state)
            found, files = fetch(store, Path(folder))
            assert files == state
            assert found.problems == ()
