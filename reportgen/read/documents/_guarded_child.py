"""The process that reads strangers' reports for another: one request a line, one answer each.

An answer is its length in eight bytes, then JSON. The first one, before any request, says that the
process is ready.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from reportgen.errors import ReportgenError
from reportgen.read.documents._guarded import dump_manuscript
from reportgen.read.documents._pdf_library import attached_file
from reportgen.read.documents._read import read_document
from reportgen.read.documents._source import Limits

_FILES = 256
"""Files that it may hold open: its libraries', a report's and what that brings in."""


Answer = Callable[[dict[str, Any], Limits, int], bytes]


def serve(memory: int, output: int, answer: Answer | None = None) -> None:
    """Answer the requests of a `GuardedReader` in this process, until there are no more.

    Args:
        memory: Bytes of address space that it may take.
        output: Bytes of the longest answer.
        answer: What answers a request with some limits, in so many bytes; else the readers.
    """
    answer = answer or _answer
    answers = _own_output()
    _limit(memory)
    _send(answers, b'"ready"')
    for line in sys.stdin.buffer:
        request = json.loads(line)
        limits = Limits(**request["limits"])
        _limit_time(limits.seconds)
        _send(answers, answer(request, limits, output))


def _own_output() -> BinaryIO:
    """Return the standard output, and put nothing in its place for libraries that print."""
    answers = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    return answers


def _limit(memory: int) -> None:
    """Limit memory, forbid files to be written and processes to be started, where one can."""
    with contextlib.suppress(ImportError):
        import resource

        wanted = [
            (resource.RLIMIT_AS, memory),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_NOFILE, _FILES),
            (resource.RLIMIT_NPROC, 0),
        ]
        for kind, value in wanted:
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(kind, (value, value))


def _limit_time(seconds: float) -> None:
    """Let the system end this process if nobody is left who would."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        end = int(used.ru_utime + used.ru_stime + seconds) + 2
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (end, hard))


def _answer(request: dict[str, Any], limits: Limits, output: int) -> bytes:
    """Return the manuscript, or the file that is attached to it, or why there is none."""
    path = Path(request["path"])
    try:
        if name := request.get("attached"):
            told, kind = attached_file(path.read_bytes(), name, str(path)), b"attached"
        else:
            told, kind = dump_manuscript(read_document(path, limits)), b"manuscript"
    except ReportgenError as error:
        return _told(refused=[error.message, error.remedy])
    except MemoryError:
        return _told(memory=True)
    except Exception as error:  # noqa: BLE001 - a fault of one report is not one of its class
        return _told(fault=f"{type(error).__name__}: {error}"[:300])
    if len(told) > output:
        return _told(long=True)
    return b'{"%s":' % kind + told + b"}"


def _told(**answer: Any) -> bytes:
    return json.dumps(answer).encode()


def _send(answers: BinaryIO, content: bytes) -> None:
    answers.write(len(content).to_bytes(8, "big") + content)
    answers.flush()
