"""A class among whose submissions somebody is out to hurt: each one is small, and made to cost."""

import json
import os
import zlib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from fakes.pdf import lines, pdf, stream

Files = dict[str, bytes]
"""Path inside a submission to content."""

_FORM = "/Type /XObject /Subtype /Form /BBox [0 0 500 500] /Resources"
_PAGE = (
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 500 500] /Contents 5 0 R"
    b" /Resources << /XObject << /X 1000 0 R >> >> >>"
)

GOOD: dict[str, Files] = {
    "ada": {
        "report.md": b"# Results\n\nThe test accuracy is 79.9 %, and 2 * 3 = 7 layers are frozen.\n"
    },
    "bob": {
        "report.tex": b"\\begin{document}\nWe train 12 x 12 = 144 heads. The test accuracy is"
        b" $80.1\\,\\%$.\n\\end{document}\n"
    },
    "zoe": {"report.pdf": pdf(lines("1 Results", "", "We train 5 + 5 = 11 seeds."))},
}
"""Submissions by people who mean well; two of them have a slip in their arithmetic."""


def repeated(chunk: bytes, times: int) -> bytes:
    """Return a zlib stream (RFC 1950) of a chunk many times over, which is packed only once."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(chunk) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 1
    for _ in range(times):
        checksum = zlib.adler32(chunk, checksum)
    return b"\x78\xda" + packed * times + b"\x03\x00" + checksum.to_bytes(4, "big")


def layered_pdf(megabytes: int) -> bytes:
    """Return a PDF whose page is packed twice over."""
    inner = zlib.compress(repeated(b"0 0 m\n" * 170_000, megabytes), 9)
    entries = f"<< /Length {len(inner)} /Filter [/FlateDecode /FlateDecode] >>".encode()
    return pdf(b"", objects={5: entries + b"\nstream\n" + inner + b"\nendstream"})


def forms_pdf(depth: int, width: int = 10) -> bytes:
    """Return a PDF whose page shows a form that shows the next one `width` times, and so on."""
    objects = {4: _PAGE}
    for i in range(depth):
        inner = f"<< /XObject << /X {1001 + i} 0 R >> >>" if i < depth - 1 else "<< >>"
        objects[1000 + i] = stream(b"/X Do " * width, entries=f"{_FORM} {inner}")
    return pdf(b"/X Do", objects=objects)


def crowded_pdf(count: int) -> bytes:
    """Return a PDF with that many characters on one page."""
    return pdf(b"BT /F 1 Tf 10 10 Td " + b"(abcdefgh 12.34 ) Tj " * (count // 15) + b"ET")


def notebook(*outputs: str) -> bytes:
    """Return a notebook of one cell that has printed these texts."""
    printed = [{"output_type": "stream", "name": "stdout", "text": text} for text in outputs]
    cell = {"cell_type": "code", "source": "run()", "outputs": printed}
    return json.dumps({"cells": [cell], "nbformat": 4}).encode()


def laughs(depth: int) -> bytes:
    """Return LaTeX whose commands each use the one before them ten times."""
    names = [f"\\lol{chr(97 + i)}" for i in range(depth)]
    defined = [f"\\newcommand{{{names[0]}}}{{lol 79.9 }}"]
    for below, name in pairwise(names):
        defined.append(f"\\newcommand{{{name}}}{{{f'{below} ' * 10}}}")
    body = f"\\begin{{document}}{names[-1]}\\end{{document}}"
    return "\n".join([*defined, body]).encode()


def locked_pdf() -> bytes:
    """Return a PDF that asks for a password nobody knows."""
    lock = (
        b"<< /Filter /Standard /V 1 /R 2 /P -4 /O (" + b"o" * 32 + b") /U (" + b"u" * 32 + b") >>"
    )
    page = pdf(lines("The accuracy is 79.9 %."), objects={1000: lock})
    mark = f"/Encrypt 1000 0 R /ID [<{'00' * 16}> <{'00' * 16}>] >>\nstartxref"
    return page.replace(b">>\nstartxref", mark.encode())


def deep(depth: int) -> bytes:
    """Return a notebook whose JSON goes down that many levels."""
    return b'{"cells":' + b"[" * depth + b"]" * depth + b"}"


_NESTED = b"".join(
    [
        (b"[" * 300 + b"\n") * 20,
        (b"**_" * 100 + b"\n\n") * 20,
        (b"|" * 300 + b"\n") * 20,
        (b"<table><tr><td>" * 20 + b"\n") * 20,
    ]
)
_ENDS = b"\n\nWe train 5 + 5 = 11 seeds.\n"

REFUSED: dict[str, tuple[Callable[[], Files], str]] = {
    "bomb": (lambda: {"report.pdf": layered_pdf(600)}, ""),
    "forms": (lambda: {"report.pdf": forms_pdf(24)}, ""),
    "cycle": (lambda: {"report.pdf": pdf(lines("a page"), kids="2 0 R")}, ""),
    "pages": (lambda: {"report.pdf": pdf(*[lines("a page")] * 10_000)}, "more than 400 pages"),
    "crowded": (lambda: {"report.pdf": crowded_pdf(1_700_000)}, "more than 1,500,000 characters"),
    "cut": (lambda: {"report.pdf": GOOD["zoe"]["report.pdf"][:300]}, "cannot be read as a PDF"),
    "locked": (lambda: {"report.pdf": locked_pdf()}, "is encrypted"),
    "nested-json": (lambda: {"report.ipynb": deep(300_000)}, "is damaged at its JSON"),
    "zeros": (lambda: {"report.md": bytes(100_000)}, "holds no text"),
}
"""Submissions that cannot be checked, made when asked for, with words of the reason."""

ORDINARY: dict[str, tuple[Callable[[], Files], str]] = {
    "outputs": (
        lambda: {"report.ipynb": notebook(*["ok " * 9_000] * 3, *["ok"] * 2_000)},
        "were left out",
    ),
    "recursive": (
        lambda: {
            "report.tex": b"\\input{a}\\input{/etc/passwd}\\input{../../secret}\n" + _ENDS,
            "a.tex": b"\\input{b}\\input{b}\n",
            "b.tex": b"\\input{a}\\input{report}\n",
        },
        "brings in itself",
    ),
    "laughs": (lambda: {"report.tex": laughs(12)}, "too deeply or too often"),
    "braces": (lambda: {"report.tex": b"{" * 100_000 + _ENDS}, "100,000 characters"),
    "endless": (lambda: {"report.tex": b"ok\n" * 51_000}, "lines were left out"),
    "brackets": (lambda: {"report.md": _NESTED + _ENDS}, ""),
    "digits": (lambda: {"report.md": b"7" * 10**6 + b"\n\n" + b"a" * 10**6 + _ENDS}, "1,000,000"),
    "numbers": (
        lambda: {"report.md": (b"12.5 " * 1_000 + b"\n\n") * 11},
        "more than 10,000 numbers",
    ),
}
"""Submissions that are read, in part, with words of the problem that says in which."""

STRANGE = (
    "line\nbreak",
    "\x1b[31mred",
    "<script>alert(1)<",
    "=cmd()|calc",
    "quote\"'&",
    os.fsdecode(b"no-utf8-\xff"),
)
"""Names of submissions that are markup, formulas or orders to a terminal somewhere."""

OUTSIDE = "swordfish"
"""What stands in files outside the class, and may not be read."""


def write_class(home: Path) -> Path:
    """Write `home/class`, with what lies outside of it, and return it."""
    (home / "secret.tex").write_text(f"The {OUTSIDE} accuracy is 12.5.\n", encoding="utf-8")
    (home / "secret").mkdir()
    (home / "secret" / "metrics.csv").write_text(f"step,{OUTSIDE}\n1,0.5\n", encoding="utf-8")
    told = {name: make() for name, (make, _) in {**REFUSED, **ORDINARY}.items()}
    named = {name: {"report.md": _ENDS} for name in STRANGE}
    for name, files in {**GOOD, **told, **named}.items():
        for path, content in files.items():
            (home / "class" / name).mkdir(parents=True, exist_ok=True)
            (home / "class" / name / path).write_bytes(content)
    _write_links(home / "class")
    return home / "class"


def _write_links(folder: Path) -> None:
    """Write submissions whose links, study and logs lead elsewhere or nowhere."""
    for name in ("link", "study", "fifo"):
        (folder / name).mkdir()
    (folder / "link" / "report.md").symlink_to("../../secret.tex")
    (folder / "study" / "report.md").write_bytes(_ENDS)
    (folder / "study" / "study.toml").write_text('[runs]\npath = "../../secret"\n')
    logs = folder / "fifo" / "logs"
    logs.mkdir()
    (folder / "fifo" / "report.md").write_bytes(_ENDS)
    os.mkfifo(logs / "events.out.tfevents.1")
    os.mkfifo(logs / "metrics.csv")
    (logs / "events.out.tfevents.2").write_bytes(bytes(range(256)) * 400)
    (logs / "again").symlink_to(".")
    (logs / "out").symlink_to("../../../secret")
    (logs / "trainer_state.json").write_bytes(b"[" * 100_000)
