"""URLs of object stores, and what stores answer instead of an object, as letters to the user."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote

from reportgen.records.errors import (
    EvidenceError,
    MissingExtraError,
    ReportgenError,
    UsageError,
    install_command,
)
from reportgen.records.record import record
from reportgen.records.source import printable

# URLs of object stores: told from paths, and refused where they would be printed with secrets.

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


# What object stores answer instead of an object, as letters to the user.

EXTRAS = {
    **dict.fromkeys(("s3", "s3a"), "s3"),
    **dict.fromkeys(("gs", "gcs"), "gs"),
    **dict.fromkeys(("az", "abfs", "abfss"), "az"),
    **dict.fromkeys(("http", "https"), "http"),
    "hf": "hf",
    "memory": "remote",
}
"""Protocol to the extra that brings it."""

_ANONYMOUS = {"s3": "FSSPEC_S3_ANON=true", "gs": "FSSPEC_GS_TOKEN=anon"}
_SIGNS_IN = {
    "s3": "AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    "gs": "GOOGLE_APPLICATION_CREDENTIALS",
}
_SECRET_NAMES = re.compile("KEY|SECRET|TOKEN|PASS|CREDENTIAL")
_LONGEST = 300


@contextmanager
def asking(url: Url, name: str = "") -> Iterator[None]:
    """Turn whatever a store's library raises into an error with a remedy.

    Args:
        url: What was asked for.
        name: The object below it, where it is one.

    Raises:
        EvidenceError: There is nothing, it may not be read, or the store cannot be reached.
    """
    place = f"{url}/{printable(name)}" if name else str(url)
    try:
        yield
    except ReportgenError:
        raise
    except FileNotFoundError:
        raise nothing_at(place) from None
    except Exception as fault:  # noqa: BLE001 - each library has errors of its own
        if _is_denial(fault):
            raise denied(url, place) from None
        raise EvidenceError(
            f"{place} could not be fetched: {_in_words(fault)}",
            remedy="check the network and the endpoint (docs/how-to/object-stores.md), or copy "
            "the folder to this machine and name the copy",
        ) from None


def nothing_at(place: str) -> EvidenceError:
    """Return the error of a URL under which nothing lies."""
    return EvidenceError(
        f"there is nothing under {place}",
        remedy="check the names of the bucket and the folder",
    )


def denied(url: Url, place: str = "") -> EvidenceError:
    """Return the error of a URL that may not be read."""
    family = EXTRAS.get(url.protocol, "")
    remedy = "name credentials that may list and read it"
    if family in _SIGNS_IN:
        remedy += f" ({_SIGNS_IN[family]}), or set {_ANONYMOUS[family]} where it is public"
    return EvidenceError(f"{place or url} may not be read: access was denied", remedy=remedy)


def missing_library(url: Url, fault: ImportError) -> MissingExtraError:
    """Return the error of a protocol whose package is not installed."""
    extra = EXTRAS.get(url.protocol)
    other = f"install the package that reads {url.protocol}:// for fsspec"
    return MissingExtraError(
        f"{url} cannot be read: {' '.join(str(fault).split())[:_LONGEST]}",
        remedy=install_command(extra) if extra else other,
    )


def _is_denial(fault: Exception) -> bool:
    words = ("Credential", "Unauthorized", "Forbidden", "AccessDenied")
    return isinstance(fault, PermissionError) or any(word in type(fault).__name__ for word in words)


def _in_words(fault: Exception) -> str:
    """Return what a library says, on one line, without the secrets that it may have been given."""
    text = " ".join(str(fault).split()) or type(fault).__name__
    for secret in sorted(_secrets(), key=len, reverse=True):
        text = text.replace(secret, "***")
    # A query of a URL may be a signature.
    return printable(re.sub(r"(://[^\s?]*)\?\S*", r"\1", text))[:_LONGEST]


def _secrets() -> set[str]:
    """Return what must not be printed: credentials of the environment and of fsspec's settings."""
    found = {value for name, value in os.environ.items() if _SECRET_NAMES.search(name)}
    settings = sys.modules.get("fsspec.config")
    found.update(_texts_in(settings.conf if settings else {}))
    return {value for value in found if len(value) > 5 and not value.startswith("http")}


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts_in(inner)
