"""Files that want to run code, exhaust the machine, or be read in two ways; written by name."""

import io
import json
import struct
import zipfile

from fakes.checkpoint_file import (
    archive,
    gguf,
    metadata,
    model_file,
    name,
    number,
    part,
    pickled,
    sharded_tensor,
    table,
    tensor,
    text,
    tuple_of,
)

SOUND = pickled(table({"w": tensor()}))
STACK = b"\x93"


def beside(content):
    """A sound model with something else beside it."""
    return archive(pickled(table({"w": tensor(), "more": content})))


def commands(command):
    """Ways to have a loader run a shell command."""
    line = text(command)
    system = name("os", "system")
    return {
        "reduce": system + tuple_of(line) + b"R",
        "inst": b"(" + line + b"ios\nsystem\n",
        "obj": b"(" + system + line + b"o",
        "newobj": system + tuple_of(line) + b"\x81",
        "newobj_ex": system + tuple_of(line) + b"}\x92",
        "stack_global": text("os") + text("system") + STACK + tuple_of(line) + b"R",
        "dotted": text("torch.serialization") + text("os.system") + STACK + tuple_of(line) + b"R",
        "through_getattr": name("builtins", "getattr")
        + tuple_of(name("os", "path"), text("os"))
        + b"R"
        + tuple_of(line)
        + b"R",
        "as_class": name("torch._utils", "_rebuild_from_type_v2")
        + tuple_of(system, name("torch", "Tensor"), tuple_of(line), b"}")
        + b"R",
        "eval": name("builtins", "eval")
        + tuple_of(text(f"__import__('os').system('{command}')"))
        + b"R",
        "memoized": system + b"q\x000h\x00" + tuple_of(line) + b"R",
        "build": name("torch.nn.modules.module", "Module")
        + b")\x81"
        + b"}("
        + text("__setstate__")
        + system
        + b"ub",
    }


def nested(levels, opener=b"]", closer=b"a"):
    return opener * levels + b"N" + closer * levels


def shared_bomb(levels):
    """A tuple of two of itself, and so on: its hash or its text would never end."""
    return b"N" + b"q\x00h\x00\x86" * levels


def keyed(key):
    return b"}(" + key + b"Nu"


def entries(*pairs, compression=zipfile.ZIP_STORED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as file:
        for label, content in pairs:
            file.writestr(label, content)
    return stream.getvalue()


def doubled():
    """Two entries of one name; a reader takes the first or the last."""
    content = bytearray(
        entries(("m/data.pkl", SOUND), ("m/dat2.pkl", SOUND), ("m/data/0", bytes(24)))
    )
    while (at := content.find(b"dat2")) >= 0:
        content[at : at + 4] = b"data"
    return bytes(content)


def overlapping():
    """Two entries whose content is the same bytes."""
    content = bytearray(model_file())
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        where = {entry.filename: entry.header_offset for entry in file.infolist()}
    at = content.rfind(b"model/data/0") - 4
    content[at : at + 4] = struct.pack("<I", where["model/version"])
    return bytes(content)


def patched(at, form, *values, content=None):
    content = bytearray(content or model_file())
    struct.pack_into(form, content, at if at >= 0 else len(content) + at, *values)
    return bytes(content)


def flipped():
    content = bytearray(model_file())
    at = content.find(b"_rebuild_tensor_v2")
    content[at + 17 : at + 18] = b"3"
    return bytes(content)


def zip64(count, begin, length):
    """A directory whose 64-bit end claims what it likes."""
    end = struct.pack("<4sQ2H2I4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, length, begin)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, 4, 1)
    last = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 2**32 - 1, 2**32 - 1, 0)
    return b"PK\x03\x04" + end + locator + last


def safetensors(header, data=b"", length=None):
    raw = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(raw) if length is None else length) + raw + data


def entry(shape, end, begin=0):
    return {"dtype": "F32", "shape": shape, "data_offsets": [begin, end]}


def refused():
    """Files of which nothing can be believed."""
    return {
        "billion_byte_text.pt": archive(b"\x80\x02X" + struct.pack("<I", 10**9)),
        "terabyte_bytes.pt": archive(b"\x80\x04\x8e" + struct.pack("<Q", 2**40)),
        "memo_missing.pt": archive(pickled(b"j" + struct.pack("<I", 2**31))),
        "negative_length.pt": archive(pickled(b"T" + struct.pack("<i", -5))),
        "negative_long.pt": archive(pickled(b"\x8b" + struct.pack("<i", -5))),
        "long_digits.pt": archive(pickled(b"\x8b" + struct.pack("<i", 2**20) + bytes(2**20))),
        "written_digits.pt": archive(pickled(b"I" + b"9" * 4000 + b"\n")),
        "endless_line.pt": archive(pickled(b"c" + b"a" * 10**6)),
        "extension.pt": archive(pickled(b"\x82\x01")),
        "buffer.pt": archive(pickled(b"\x97")),
        "text_persistent_id.pt": archive(pickled(b"Pstorage\n")),
        "odd_persistent_id.pt": archive(pickled(b"]Q")),
        "empty_stack.pt": archive(pickled(b"R")),
        "no_mark.pt": archive(pickled(b"t")),
        "store_in_number.pt": archive(pickled(b"K\x01K\x02K\x03s")),
        "append_to_table.pt": archive(pickled(b"}Na")),
        "odd_pairs.pt": archive(pickled(b"}(Nu")),
        "no_stop.pt": archive(SOUND[:-1]),
        "nothing.pt": b"",
        "text.pt": b"hello world, this is no checkpoint\n",
        "tar.pt": bytes(512),
        "two_data_pkl.pt": entries(
            ("m/data.pkl", SOUND), ("n/data.pkl", SOUND), ("m/data/0", bytes(24))
        ),
        "doubled_data_pkl.pt": doubled(),
        "no_data_pkl.pt": entries(("m/version", b"3")),
        "deep_data_pkl.pt": entries(("a/b/data.pkl", SOUND)),
        "overlap.pt": overlapping(),
        "two_archives.pt": model_file() + model_file(),
        "hidden_in_front.pt": b"PK\x03\x04" + bytes(26) + model_file(),
        "comment.pt": patched(-2, "<H", 4) + b"more",
        "trailing.pt": model_file() + b"\0",
        "bad_crc.pt": flipped(),
        "bomb.pt": entries(("m/data.pkl", bytes(50 * 2**20)), compression=zipfile.ZIP_DEFLATED),
        "encrypted.pt": patched(6, "<H", 1),
        "directory_outside.pt": patched(-6, "<I", 2**31),
        "billion_entries.pt": zip64(2**40, 4, 0),
        "directory_of_terabytes.pt": zip64(1, 4, 2**45),
        "negative_like_zip64.pt": zip64(1, 2**64 - 1, 1),
        "local_name.pt": patched(30, "<4s", b"evil"),
        "header_too_long.safetensors": safetensors({}, length=2**40),
        "header_past_end.safetensors": safetensors({}, length=1000),
        "deep_json.safetensors": safetensors(b'{"a":' + b"[" * 10**5),
        "digits.safetensors": safetensors(b'{"a":' + b"9" * 10**5 + b"}"),
        "shape_1e18.safetensors": safetensors({"w": entry([10**18, 10**18], 8)}, bytes(8)),
        "negative.safetensors": safetensors({"w": entry([-2, -3], 24)}, bytes(24)),
        "overlap.safetensors": safetensors({"a": entry([2], 8), "b": entry([2], 12, 4)}, bytes(12)),
        "type_is_a_list.safetensors": safetensors({"w": entry([2], 8) | {"dtype": []}}, bytes(8)),
        "no_name.safetensors": safetensors({"": entry([2], 8)}, bytes(8)),
        "past_end.safetensors": safetensors({"w": entry([10**12], 4 * 10**12)}),
        "counts.gguf": gguf(counts=(2**63, 2**63)),
        "tensors.gguf": gguf(counts=(199_999, 0)),
        "keys.gguf": gguf(counts=(1, 99_999)),
        "texts.gguf": gguf(keys=(("a", 9, struct.pack("<IQ", 8, 2**62)),)),
        "numbers.gguf": gguf(keys=(("a", 9, struct.pack("<IQ", 10, 2**61)),)),
        "nested.gguf": gguf(keys=(("a", 9, struct.pack("<IQ", 9, 1) * 1000),)),
        "dimensions.gguf": gguf(tensors=(("w", (1,) * 1000, 0),)),
        "shape.gguf": gguf(tensors=(("w", (2**62, 2**62), 0),)),
        "type.gguf": gguf(tensors=(("w", (2,), 77),)),
        "block.gguf": gguf(tensors=(("w", (33,), 2),)),
        "twice.gguf": gguf(tensors=(("w", (2,), 0), ("w", (2,), 0))),
        "version.gguf": gguf(version=99),
        "size.gguf": gguf(tensors=(("w", (10**9,), 0),)),
        ".metadata": metadata({"w": sharded_tensor((10**18, 10**18))}),
        "outside/.metadata": metadata(parts=part(file="../../etc/passwd")),
        "absolute/.metadata": metadata(parts=part(file="/etc/passwd")),
        "uncovered/.metadata": metadata({"w": sharded_tensor((2, 3), [(2, 2)])}),
        "index.bin.index.json": b'{"weight_map": {"w": "../secret.bin"}}',
        # Of a million bytes, each of which could come to keep a hundred.
        "lists.pt": archive(pickled(b"]" * 1_000_000)),
        "tables.pt": archive(pickled(b"}" * 1_000_000)),
        "calls.pt": archive(pickled(b"N)R" * 250_000)),
        "notes.pt": archive(pickled(b"N\x94" * 500_000)),
        "numbers.pt": archive(pickled(b"J\x00\x00\x00\x01" * 200_000)),
        "tuples.pt": archive(pickled(b"N\x85" * 500_000)),
    }


def sound():
    """Files with a sound model, and something beside it; they cost nothing."""
    return {
        "memo_index.pt": beside(b"Nr" + struct.pack("<I", 2**31)),
        "deep_lists.pt": beside(nested(200_000)),
        "deep_tuples.pt": beside(nested(200_000, b"", b"\x85")),
        "deep_tables.pt": beside(b"}K\x00" * 100_000 + b"N" + b"s" * 100_000),
        "deep_calls.pt": beside(name("a", "b") + b")R" * 100_000),
        "cycle.pt": beside(b"]q\x05h\x05a"),
        "hash_bomb.pt": beside(keyed(shared_bomb(64))),
        "shared_bomb.pt": beside(shared_bomb(64)),
        "shared_lists.pt": beside(b"N" + b"q\x00](h\x00h\x00e" * 64),
        "colliding_keys.pt": beside(
            b"}(" + b"".join(number(i * (2**61 - 1)) + b"N" for i in range(40_000)) + b"u"
        ),
        "callee_is_a_bomb.pt": beside(shared_bomb(64) + b")R"),
        "long_key.pt": beside(keyed(text("k" * 2**19))),
        "skipped_text.pt": beside(text("x" * 2**21)),
        "wrapped.pt": beside(
            (name("torch._utils", "_rebuild_parameter") + b"(") * 5000 + b"N" + b"tR" * 5000
        ),
        "many_names.pt": beside(b"".join(b"ca\nb%d\n0" % i for i in range(20_000)) + b"N"),
        "one_table_under_many_keys.pt": archive(
            pickled(
                b"}("
                + text("model")
                + table({"w": tensor()})
                + text("others")
                + tensor()
                + b"q\x010}("
                + b"".join(text(f"t{i}") + b"h\x01" for i in range(2000))
                + b"uq\x02"
                + b"".join(text(f"k{i}") + b"h\x02" for i in range(2000))
                + b"u"
            )
        ),
        "arguments.pt": archive(
            pickled(table({"w": tensor(), "args": shared_bomb(64), "cfg": nested(100_000)}))
        ),
    }
