"""Files of PyTorch written opcode by opcode: no torch is needed, and every lie is possible."""

import io
import struct
import zipfile

STOP = b"."
SHARDED = "torch.distributed.checkpoint.metadata"


def text(value):
    raw = value.encode()
    return b"X" + struct.pack("<I", len(raw)) + raw


def number(value):
    raw = value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True)
    return b"\x8a" + bytes([len(raw)]) + raw


def name(module, attribute):
    return b"c" + f"{module}\n{attribute}\n".encode()


def tuple_of(*parts):
    return b"(" + b"".join(parts) + b"t"


def storage(key="0", numel=6, kind="Float"):
    label = name("torch", f"{kind}Storage")
    return tuple_of(text("storage"), label, text(key), text("cpu"), number(numel)) + b"Q"


def strides(shape):
    steps, step = [], 1
    for size in reversed(shape):
        steps.insert(0, step)
        step *= size
    return steps


def tensor(shape=(2, 3), key="0", numel=6, kind="Float", offset=0, stride=None):
    sizes = tuple_of(*map(number, shape))
    steps = tuple_of(*map(number, strides(shape) if stride is None else stride))
    hooks = name("collections", "OrderedDict") + b")R"
    parts = (storage(key, numel, kind), number(offset), sizes, steps, b"\x89", hooks)
    return name("torch._utils", "_rebuild_tensor_v2") + tuple_of(*parts) + b"R"


def table(items):
    pairs = b"".join(text(key) + value for key, value in items.items())
    return b"}(" + pairs + b"u"


def pickled(content):
    return b"\x80\x02" + content + STOP


def archive(pickle, storages=(("0", 24),), **more):
    """Return a zip as `torch.save` lays it out; `more` adds or replaces files."""
    files = {"data.pkl": pickle, "version": b"3\n"}
    files |= {f"data/{key}": bytes(size) for key, size in storages} | more
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as file:
        for label, content in files.items():
            file.writestr(f"model/{label}", content)
    return stream.getvalue()


def write_huge(path, pickle, size):
    """Write an archive with one storage of `size` bytes that take no room, as 64-bit zips do it."""
    wide, directory = 2**32 - 1, b""
    with path.open("wb") as file:
        for label, content, length in (
            (b"m/data.pkl", pickle, len(pickle)),
            (b"m/data/0", b"", size),
        ):
            at = file.tell()
            file.write(struct.pack("<4s5H3I2H", b"PK\3\4", 0, 8, 0, 0, 0, 0, 0, 0, len(label), 0))
            file.write(label + content)
            file.seek(at + 30 + len(label) + length)
            fixed = (b"PK\1\2", 0, 0, 8, 0, 0, 0, 0, wide, wide, len(label), 28, 0, 0, 0, 0, wide)
            extra = struct.pack("<2H3Q", 1, 24, length, length, at)
            directory += struct.pack("<4s6H3I5H2I", *fixed) + label + extra
        begin = file.tell()
        file.write(directory)
        ends = (2, 2, len(directory), begin)
        file.write(struct.pack("<4sQ2H2I4Q", b"PK\6\6", 44, 45, 45, 0, 0, *ends))
        file.write(struct.pack("<4sIQI", b"PK\6\7", 0, begin + len(directory), 1))
        file.write(struct.pack("<4s4H2IH", b"PK\5\6", 0, 0, 2, 2, wide, wide, 0))


def legacy(pickle, storages=(("0", 6),), width=4):
    """Return the stream that PyTorch wrote before 1.6."""
    system = {"protocol_version": number(1001), "little_endian": b"\x88"}
    keys = b"](" + b"".join(text(key) for key, _ in storages) + b"e"
    head = (number(0x1950A86A20F9469CFC6C), number(1001), table(system))
    stored = b"".join(struct.pack("<q", n) + bytes(n * width) for _, n in storages)
    return b"".join(map(pickled, head)) + pickle + pickled(keys) + stored


def gguf(tensors=(("w", (3, 2), 0),), keys=(), counts=None, version=3, order="<", data=None):
    """Return a GGUF file; tensors are (name, sizes from the fastest on, number of the type)."""

    def put(form, *values):
        return struct.pack(order + form, *values)

    def string(value):
        raw = value.encode()
        return put("Q", len(raw)) + raw

    many, few = counts or (len(tensors), len(keys))
    head = b"GGUF" + put("IQQ", version, many, few)
    head += b"".join(string(key) + put("I", kind) + raw for key, kind, raw in keys)
    at = 0
    for label, sizes, kind in tensors:
        head += string(label) + put("I", len(sizes)) + put(f"{len(sizes)}Q", *sizes)
        head += put("IQ", kind, at)
        at += 32
    return head + bytes(-len(head) % 32) + (bytes(at and at - 8) if data is None else data)


def instance(module, attribute, state):
    return name(module, attribute) + b")\x81" + state + b"b"


def part(key="w", file="__0_0.distcp", offset=0, length=24):
    """Return one line of a distributed checkpoint's list of where numbers lie."""
    place = {"relative_path": text(file), "offset": number(offset), "length": number(length)}
    files = "torch.distributed.checkpoint.filesystem"
    index = instance(SHARDED, "MetadataIndex", table({"fqn": text(key), "index": number(0)}))
    return index + instance(files, "_StorageInfo", table(place))


def sharded_tensor(shape=(2, 3), chunks=None):
    """Return the description of a tensor that is spread over files."""

    def sizes(of):
        return name("torch", "Size") + tuple_of(tuple_of(*map(number, of))) + b"R"

    properties = instance(SHARDED, "TensorProperties", tuple_of(name("torch", "float32")))
    parts = [
        instance(SHARDED, "ChunkStorageMetadata", table({"sizes": sizes(one)}))
        for one in (chunks or [shape])
    ]
    state = {
        "properties": properties,
        "size": sizes(shape),
        "chunks": b"](" + b"".join(parts) + b"e",
    }
    return instance(SHARDED, "TensorStorageMetadata", table(state))


def metadata(tensors=None, parts=b""):
    """Return the .metadata of a distributed checkpoint."""
    listed = table({"w": sharded_tensor()} if tensors is None else tensors)
    state = table({"state_dict_metadata": listed, "storage_data": b"}(" + parts + b"u"})
    return pickled(instance(SHARDED, "Metadata", state))


def model_file():
    """Return a small sound file: one tensor called w, of 2 by 3."""
    return archive(pickled(table({"w": tensor()})))
