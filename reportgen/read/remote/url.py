"""URLs of object stores: told from paths, and refused where they would be printed with secrets."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

from reportgen.records.errors import UsageError
from reportgen.records.record import record
from reportgen.records.source import printable

# Two letters at least, so that a drive of Windows is none.
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")
_LOCAL = frozenset({"file", "local"})
_SECRET = re.compile(r"^[^/]*@|[?#]")


@record(kw_only=False)
class Url:
    """A folder or an object of a store.

    Attributes:
        text: As it is asked for and printed, without a slash at its end; it holds no secret.
        protocol: What stands before `://`, in small letters.
        name: Its last part: what the folder is called.
    """

    text: str
    protocol: str
    name: str

    def __str__(self) -> str:
        return self.text


def is_url(text: object) -> bool:
    """Say whether a text is a URL and no path.

    Example:
        >>> is_url("s3://bucket/runs"), is_url("logs/"), is_url("C:/logs")
        (True, False, False)
    """
    return isinstance(text, str) and _SCHEME.match(text) is not None


def read_url(text: str) -> Url | Path:
    """Read a URL; one of this machine (`file://`) is a path.

    Raises:
        UsageError: It may hold a secret, or names no folder.

    Example:
        >>> read_url("s3://bucket/lab//"), read_url("file:///srv/runs")
        (Url(text='s3://bucket/lab', protocol='s3', name='lab'), PosixPath('/srv/runs'))
    """
    match = _SCHEME.match(text)
    if match is None:
        return Path(text)
    protocol, rest = match[1].lower(), text[match.end() :]
    if protocol in _LOCAL:
        return Path(unquote(rest) if "%" in rest else rest)
    if _SECRET.search(rest) or "::" in rest:
        raise UsageError(
            f"a {protocol}:// URL with a user, a query, a fragment or a chain in it is not read",
            remedy="a URL is printed, and a secret has no place in it: put credentials into the "
            "environment (docs/how-to/object-stores.md)",
        )
    parts = rest.rstrip("/").split("/")
    if not parts[0] or any(part in {"", ".", ".."} or not _plain(part) for part in parts):
        raise UsageError(
            f"no URL of a folder in an object store: {printable(text)}",
            remedy="write it as s3://bucket/folder",
        )
    return Url(text=f"{protocol}://{'/'.join(parts)}", protocol=protocol, name=parts[-1])


def _plain(part: str) -> bool:
    return part.isprintable() and "\\" not in part
