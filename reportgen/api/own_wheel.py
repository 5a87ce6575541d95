"""This very installation as a wheel, for machines that should have the same one."""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from reportgen import __version__

NAME = f"reportgen-{__version__}-py3-none-any.whl"
_INFO = f"reportgen-{__version__}.dist-info"
_LIBRARY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
# Fixed, so that the same installation makes the same archive.
_MOMENT = (2020, 1, 1, 0, 0, 0)


def own_wheel() -> bytes:
    """Return the installed program as a wheel: the package, its templates, what it requires.

    It does not matter whether a wheel, a checkout or an editable checkout is installed.
    """
    files = dict(_package())
    distribution = importlib.metadata.distribution("reportgen")
    files[f"{_INFO}/METADATA"] = (distribution.read_text("METADATA") or "").encode()
    files[f"{_INFO}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: reportgen\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    files[f"{_INFO}/entry_points.txt"] = b"[console_scripts]\nreportgen = reportgen.__main__:main\n"
    lines = [f"{path},{_digest(content)},{len(content)}" for path, content in files.items()]
    files[f"{_INFO}/RECORD"] = "\n".join([*lines, f"{_INFO}/RECORD,,", ""]).encode()
    return zipped(files)


def _package() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the package, templates among them, by their paths in a wheel."""
    import reportgen
    from reportgen.render._environment import packaged_templates

    home = Path(reportgen.__file__).parent
    templates = packaged_templates()
    for folder, name in ((home, "reportgen"), (templates, "reportgen/_templates")):
        for path in sorted(folder.rglob("*")):
            inner = path.relative_to(folder)
            again = folder == home and inner.parts[0] == "_templates"
            if path.is_file() and "__pycache__" not in inner.parts and not again:
                yield f"{name}/{inner.as_posix()}", path.read_bytes()


def _digest(content: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    return f"sha256={digest}"


def own_constraints() -> str:
    """Return the libraries that are installed for the program, with their versions.

    A library that a requirement names and that is not installed here, for another system or an
    extra, is left out.
    """
    found: dict[str, str] = {}
    waiting = ["reportgen"]
    while waiting:
        try:
            distribution = importlib.metadata.distribution(waiting.pop())
        except importlib.metadata.PackageNotFoundError:
            continue
        name = distribution.metadata["Name"]
        if name in found:
            continue
        found[name] = distribution.version
        needed = [line for line in distribution.requires or () if "extra ==" not in line]
        waiting += [library[0] for library in map(_LIBRARY.match, needed) if library]
    del found["reportgen"]
    return "".join(f"{name}=={found[name]}\n" for name in sorted(found, key=str.lower))


def zipped(files: Mapping[str, bytes], *, programs: frozenset[str] = frozenset()) -> bytes:
    """Return files as a zip archive, the same for the same files.

    Args:
        files: Path in the archive to content.
        programs: Those of them that may be executed.
    """
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            info = zipfile.ZipInfo(path, _MOMENT)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3  # Unix, whose permissions these are
            info.external_attr = (0o100755 if path in programs else 0o100644) << 16
            archive.writestr(info, content)
    return stream.getvalue()
