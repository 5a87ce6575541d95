import hashlib
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reportgen.records.errors import EvidenceError
from reportgen.train.store import file_digest, run_key, store

settings = st.dictionaries(st.text(max_size=8), st.text(max_size=8), max_size=6)


def test_a_key_is_the_digest_of_canonical_json():
    canonical = '{"schema":2,"settings":{"epochs":"5","seed":"1"}}'
    expected = hashlib.sha256(canonical.encode()).hexdigest()[:20]
    assert run_key({"seed": "1", "epochs": "5"}) == expected


@given(settings, st.randoms())
def test_the_order_of_settings_is_of_no_matter(found, chance):
    items = list(found.items())
    chance.shuffle(items)
    assert run_key(dict(items)) == run_key(found)


@given(settings, settings)
def test_other_settings_have_another_key(one, other):
    assert (run_key(one) == run_key(other)) == (one == other)


def test_letters_of_no_encoding_have_a_key_too():
    assert run_key({"path": "a\udc80"}) != run_key({"path": "a"})


def test_a_new_schema_makes_every_run_stale(monkeypatch):
    before = run_key({"seed": "1"})
    monkeypatch.setattr(store, "SCHEMA", store.SCHEMA + 1)
    assert run_key({"seed": "1"}) != before


@pytest.mark.parametrize("found", [{"seed": 1}, {1: "seed"}, {"seed": None}])
def test_settings_are_text(found):
    with pytest.raises(TypeError, match="must be text"):
        run_key(found)


def test_the_digest_of_a_file_is_sha256(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"abc")
    assert file_digest(path) == hashlib.sha256(b"abc").hexdigest()


def test_a_changed_file_is_read_again(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"abc")
    before = file_digest(path)
    path.write_bytes(b"abd")
    # Within one tick of the file system's clock only these tell that it changed.
    os.utime(path, ns=(1, 1))
    assert file_digest(path) != before


def model(folder: Path) -> Path:
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"weights")
    (folder / "vocab.txt").write_text("a\nb\n")
    return folder


OTHERS = (
    *("README.md", "LICENSE.txt", ".gitattributes", "optimizer.pt", "trainer_state.json"),
    *("rng_state_0.pth", "training_args.bin", "events.out.tfevents.1", "logs/config.json"),
)
LOADED = ("config.json", "model.safetensors", "vocab.txt", "merges.txt", "spiece.model")


@pytest.mark.parametrize("name", [*OTHERS, *LOADED])
def test_files_that_are_loaded_count_and_no_others(tmp_path, name):
    folder = model(tmp_path / "model")
    before = file_digest(folder)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_bytes(b"something else")
    assert (file_digest(folder) == before) is (name in OTHERS)


def test_names_count_and_the_folder_does_not(tmp_path):
    one, other = model(tmp_path / "one"), model(tmp_path / "other")
    assert file_digest(one) == file_digest(other)
    (other / "vocab.txt").rename(other / "dict.txt")
    assert file_digest(one) != file_digest(other)


def test_links_of_a_download_cache_are_followed(tmp_path):
    folder = model(tmp_path / "model")
    before = file_digest(folder)
    (folder / "model.safetensors").rename(tmp_path / "blob")
    (folder / "model.safetensors").symlink_to(tmp_path / "blob")
    assert file_digest(folder) == before


def test_what_is_not_there_has_no_digest(tmp_path):
    with pytest.raises(EvidenceError, match="nowhere cannot be read"):
        file_digest(tmp_path / "nowhere")
    with pytest.raises(EvidenceError, match="holds no configuration"):
        file_digest(tmp_path)
