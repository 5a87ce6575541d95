"""What object stores answer instead of an object, as letters to the user."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from reportgen.read.remote.url import Url
from reportgen.records.errors import (
    EvidenceError,
    MissingExtraError,
    ReportgenError,
    install_command,
)
from reportgen.records.source import printable

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
