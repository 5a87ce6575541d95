"""Harm that the outer gate lets through: what is broken is not the form but what it says.

A flipped byte of JSON, TOML, XML, a zip or a pickle is mostly refused by whoever reads the form,
and nothing behind is tried. What comes out of these is a file of the right form, whose lengths and
checksums are right.
"""

import copy
import io
import itertools
import pickletools
import re
import struct
import tomllib
import warnings
import zipfile
from collections.abc import Callable
from random import Random
from xml.etree import ElementTree as ET

from fakes import damage
from fakes.checkpoint_file import STOP, name, number, text
from fakes.damage import Damage

from fire import harm

ODD_TOML = (
    *("-1", "0", "1", "1e308", "nan", "-inf", "true", "[]", "{}", '[1, "a"]', "[[1]]", "{a = 1}"),
    *("1979-05-27T07:32:00Z", "07:32:00", "9223372036854775808", f"0x{'f' * 5000}", "1e-400"),
    *('""', '"\\u0000"', f'"{"x" * 5000}"', "'../../../../etc/passwd'", "'{{ 7 * 7 }}'", "'/'"),
    *('"\\U0010ffff"', "'''a\nb'''", "'https://evil.example/x'", "'(?P<group>(a+)+)$'", "'*/**'"),
    *('"<script>alert(1)</script>"', "'\\input{/etc/passwd}'", "['a', 'a']", "{a = {b = []}}"),
    *("[" * 90 + "]" * 90, "'..'", "'a/b'", '"\\u202e"', "0.1", "100000000", '["x", ["y"]]'),
)
ODD_XML = (
    *("", "0", "-1", "nan", "1e999", "9" * 5000, "x" * 5000, "url(#p)", "url(http://evil/x)"),
    *("#p", "#q", "javascript:alert(1)", "M0 0 Q", "0 0 0 0", "0,0", "1px", "100%", "&<>\"'"),
    *("rotate(9 9 9)", "matrix(0 0 0 0 0 0)", "\u202e", "\U0001f600", "fill:url(http://evil)"),
)
ODD_TAGS = ("script", "image", "use", "g", "style", "foreignObject", "animate", "a", "svg", "text")
ODD_CODES = (
    *(b"N", b"}", b"]", b")", b"(", b"0", b"2", b"1", b"\x88", b"\x89", b"a", b"e", b"s", b"u"),
    *(b"t", b"\x85", b"\x86", b"\x87", b"R", b"b", b"\x81", b"\x93", b"Q", b"o", b"\x8f", b"\x94"),
    *(name("os", "system"), name("builtins", "eval"), name("collections", "OrderedDict")),
    *(name("torch", "FloatStorage"), name("torch", "Size"), name("__main__", "X"), b"h\x00"),
    *(b"j\xff\xff\xff\x7f", b"p99999999999\n", b"g0\n", b"I9\n", b"Fnan\n", b"L-1L\n", b"S'a'\n"),
    *(b"G\x7f\xf0" + bytes(6), b"\x95" + b"\xff" * 8, b"\x8e" + b"\xff" * 8, b"\x80\x05", b"."),
    b"\x8b" + struct.pack("<i", 5000) + b"\x7f" * 5000,
)
ODD_NUMBERS = (*harm.LENGTHS, -1, -(2**63), 2**200, 10**30, 3, 7)


def toml_value(content: bytes, rng: Random) -> bytes:
    """Have a value of a TOML text replaced, lost, named otherwise, moved or there as a table."""
    parts = content.decode("utf-8", "replace").splitlines(keepends=True)
    hits = [at for at, line in enumerate(parts) if re.match(r'[\w."-]+\s*=|\[', line)]
    for _ in range(8 if hits else 0):
        lines, at = list(parts), rng.choice(hits)
        key, is_key, _ = lines[at].partition("=")
        if not is_key:
            head = lines[at].strip()
            lines[at] = rng.choice(
                (f"[{head}]\n", head.strip("[]") + " = 3\n", "[a.b]\n", head * 2)
            )
        else:
            lines[at] = rng.choice((*[f"{key}= {rng.choice(ODD_TOML)}\n"] * 5, "", f"x{lines[at]}"))
        if not rng.randrange(8):
            lines.insert(rng.choice(hits), lines.pop(at))
        harmed = "".join(lines)
        try:
            tomllib.loads(harmed)
        except (tomllib.TOMLDecodeError, RecursionError, ValueError):
            continue
        return harmed.encode()
    return harm.lines(content, rng)


def xml_tree(content: bytes, rng: Random) -> bytes:
    """Have an attribute, a text, a name or a branch of an XML file replaced, doubled or lost."""
    try:
        root = ET.fromstring(content)  # noqa: S314 - our own sample, harmed
    except ET.ParseError:
        return harm.word(content, rng)
    nodes = list(root.iter())
    node, other = rng.choice(nodes), rng.choice(nodes)
    match rng.randrange(6):
        case 0 | 1:
            keys = [*node.attrib, "href", "style", "onload", "transform", "fill", "viewBox"]
            node.set(rng.choice(keys), rng.choice(ODD_XML))
        case 2:
            node.text = rng.choice(ODD_XML)
        case 3:
            node.tag = f"{{http://www.w3.org/2000/svg}}{rng.choice(ODD_TAGS)}"
        case 4 if len(node):
            node.remove(rng.choice(list(node)))
        case _:
            copied = copy.deepcopy(other)
            copied.tail = None
            for _ in range(rng.choice((1, 1, 30, 300))):
                node.append(copied)
                if rng.random() < 0.5:
                    node = ET.SubElement(node, "{http://www.w3.org/2000/svg}g")
    return ET.tostring(root)


def opcodes(content: bytes, rng: Random) -> bytes:
    """Have an instruction of a pickle lost, doubled, moved or replaced, the others as they were.

    Several pickles may follow each other, and other bytes the last.
    """
    places = _instructions(content)
    if not places:
        return damage.flip(content, rng)
    spoken = [place for place in places if place[2] is not None]
    begin, end, argument = rng.choice(spoken if spoken and rng.random() < 0.6 else places)
    one, (a, b, _) = content[begin:end], rng.choice(places)
    match rng.randrange(14):
        case 0:
            one = b""
        case 1:
            one += one
        case 2:
            one = content[a:b]
        case 3:
            one += rng.choice(ODD_CODES)
        case 4:
            one = rng.choice(ODD_CODES)
        case _ if isinstance(argument, int) and content[begin : begin + 1] not in _NOT_NUMBERS:
            one = number(rng.choice(ODD_NUMBERS))
        case _ if isinstance(argument, str) and content[begin : begin + 1] != b"c":
            one = text(rng.choice(harm.ODD_WORDS).decode("utf-8", "replace"))
        case _:
            one = content[a:b] + one
    return content[:begin] + one + content[end:]


_NOT_NUMBERS = frozenset((b"\x80", b"q", b"r", b"h", b"j", b"p", b"g", b"\x95", b"\x94"))
"""Instructions whose number is a version, a size or a place in the memory."""


def _instructions(content: bytes) -> list[tuple[int, int, object]]:
    """Return (begin, end, argument) of every instruction but the last one of each pickle."""
    found: list[tuple[int, int, object]] = []
    at = 0
    while content[at : at + 1] == b"\x80":
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ops = [(argument, place) for _, argument, place in pickletools.genops(content[at:])]
        except (ValueError, IndexError, struct.error, OverflowError, MemoryError):
            break
        spans = itertools.pairwise(ops)
        found += [(at + begin, at + end, argument) for (argument, begin), (_, end) in spans]
        at += ops[-1][1] + len(STOP)
    return found


def entry(*hits: Damage) -> Damage:
    """Return a damage of a zip as `torch.save` writes it: of a file in it, or of its list."""

    def harm_one(content: bytes, rng: Random) -> bytes:
        files = _unpacked(content)
        if not files:
            return damage.flip(content, rng)
        pickle = max(files, key=lambda label: label.endswith("data.pkl"))
        label, few = rng.choice(list(files)), rng.randrange(12)
        if few == 0:
            files.pop(label)
        elif few == 1:
            files[label] = files[label][: rng.randrange(len(files[label]) + 1)]
        elif few == 2:
            files[label] += bytes(rng.choice((1, 4, 64, 5000)))
        elif few == 3:
            files[rng.choice(_UP)] = files[label]
        else:
            files[pickle] = rng.choice(hits)(files[pickle] or b"x", rng)
        return packed(files)

    return harm_one


_UP = ("../../up", "/etc/up", "a" * 4000, "c:\\up", "archive/data/0", "model/.data/x", "é/\u202e")


def _unpacked(content: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as held:
            return {one.filename: held.read(one) for one in held.infolist()}
    except Exception:  # noqa: BLE001 - what another hit has left is no file any more
        return {}


def packed(files: dict[str, bytes]) -> bytes:
    """Return a zip of files, not deflated."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as written:
        for label, inner in files.items():
            written.writestr(label, inner)
    return stream.getvalue()


def framed(begins: re.Pattern[bytes], pack: Callable[[bytes], bytes], *hits: Damage) -> Damage:
    """Return a damage of what a frame holds; the frame is made anew around it.

    Args:
        begins: What stands before it; its group `size` is the number of bytes.
        pack: Makes the file from what it holds.
        hits: One of them hits.
    """

    def harm_one(content: bytes, rng: Random) -> bytes:
        found = begins.search(content)
        held = content[found.end() :][: int(found["size"])] if found else b""
        return pack(rng.choice(hits)(held or b"x", rng)) if found else damage.flip(content, rng)

    return harm_one
