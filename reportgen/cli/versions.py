"""`reportgen --version`: what is installed here, by name and number; nothing of it is imported."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Iterator
from importlib import metadata

from reportgen import __version__

LIBRARIES = ("numpy", "matplotlib", "pandas", "pypdfium2", "jinja2")
OPTIONAL = {
    "tbparse": ("tbparse",),
    "train": ("torch", "transformers", "peft"),
    "qlora": ("bitsandbytes",),
    "cluster": ("distributed", "dask-jobqueue"),
    "docx": ("python-docx",),
    "remote": ("fsspec",),
    "s3": ("s3fs",),
    "gs": ("gcsfs",),
    "az": ("adlfs",),
    "hf": ("huggingface-hub",),
    "http": ("aiohttp", "requests"),
}
"""Extra to the packages that tell whether it is there."""

_SECONDS = 5


def version_lines() -> Iterator[str]:
    """Yield the version, the Python, what sets a PDF, libraries, and what extras bring."""
    yield f"reportgen {__version__}"
    python = f"{platform.python_implementation()} {platform.python_version()}"
    yield f"  Python: {python}, {platform.system()} {platform.machine()}"
    yield f"  PDF: typst {_version('typst') or 'not installed'}"
    yield f"  PDF with --engine latex: {_latex()}"
    yield f"  libraries: {', '.join(f'{name} {_version(name)}' for name in LIBRARIES)}"
    for extra, names in OPTIONAL.items():
        found = [f"{name} {version}" for name in names if (version := _version(name))]
        missing = [name for name in names if not _version(name)]
        if missing:
            found.append(f"{' and '.join(missing)} not installed")
        yield f"  extra {extra}: {', '.join(found)}"


def _version(name: str) -> str:
    """Return the version of an installed distribution; empty where there is none."""
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _latex() -> str:
    """Return the first line that pdflatex says of itself."""
    program = shutil.which("pdflatex")
    if program is None:
        return "pdflatex is not on the path"
    try:
        done = subprocess.run(  # noqa: S603 - the program that `--engine latex` runs
            [program, "--version"],
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as fault:
        return f"{program} does not answer: {type(fault).__name__}"
    return done.stdout.partition("\n")[0].strip() or f"{program} says nothing of itself"
