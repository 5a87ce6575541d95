"""Where the bytes of tensors lie, against what torch itself reads there."""

import io

import pytest

from reportgen.read.weights import locate_torch, read_torch
from reportgen.records.errors import EvidenceError

torch = pytest.importorskip("torch")


@pytest.fixture
def state():
    table = torch.arange(60, dtype=torch.float32).reshape(6, 10)
    return {
        "table": table,
        "view": table[2:4, 3:7],
        "turned": table.t(),
        "half": torch.tensor([1.5, -2.0], dtype=torch.float16),
        "whole": torch.tensor(7),
        "none": torch.zeros(0, 3),
    }


@pytest.mark.parametrize("zipped", [True, False])
def test_the_bytes_of_every_view_are_where_it_says(tmp_path, state, zipped):
    path = tmp_path / "model.pt"
    torch.save({"model": state}, path, _use_new_zipfile_serialization=zipped)
    content = path.read_bytes()
    places = {place.name: place for place in locate_torch(path, "model.pt")}
    assert set(places) == set(state)
    for name, tensor in state.items():
        place = places[name]
        assert (place.shape, place.stride) == (tuple(tensor.shape), tensor.stride())
        assert place.dtype == str(tensor.dtype).removeprefix("torch.")
        if tensor.numel():
            flat = torch.frombuffer(bytearray(content[place.begin : place.end]), dtype=tensor.dtype)
            assert torch.equal(flat.as_strided(place.shape, place.stride), tensor)


def test_numbers_with_the_highest_byte_first_are_not_located(tmp_path, state):
    torch.save(state, tmp_path / "model.pt")
    saved = bytearray((tmp_path / "model.pt").read_bytes())
    reader = torch.PyTorchFileReader(io.BytesIO(bytes(saved)))
    assert reader.get_record("byteorder") == b"little"
    writer = torch.PyTorchFileWriter(str(tmp_path / "big.pt"))
    for name in reader.get_all_records():
        if name not in {"version", ".data/serialization_id"}:
            record = b"big" if name == "byteorder" else reader.get_record(name)
            writer.write_record(name, record, len(record))
    writer.write_end_of_file()
    assert read_torch(tmp_path / "big.pt", "big.pt").tensors
    with pytest.raises(EvidenceError, match="highest byte first"):
        locate_torch(tmp_path / "big.pt", "big.pt")
