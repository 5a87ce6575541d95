"""What a start needs: a study file of what was inferred, templates, an autograder."""

from __future__ import annotations

import base64
import difflib
import hashlib
import importlib.metadata
import io
import os
import re
import shlex
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from reportgen import __version__
from reportgen.app.analysis import load_originals
from reportgen.app.options import Told, silent
from reportgen.app.reading import real
from reportgen.read.remote import Url, read_url
from reportgen.read.store import write_files
from reportgen.records.errors import (
    DISTRIBUTION,
    EvidenceError,
    UnknownNameError,
    UsageError,
    other_than,
)
from reportgen.records.record import replace
from reportgen.records.study import ModelPlan, Study

# What a study starts from: a study file of what was inferred, and templates to change.


def make_study(runs: Path | str, out: Path) -> tuple[str, tuple[Told, ...]]:
    """Return a study file for a folder of runs, and the decisions it records.

    Args:
        runs: Folder with the logs, or its URL. What lies beside logs in an object store is left
            out of the file, and found again by whoever reads it.
        out: Where the file will lie; paths inside it are relative to there.

    Raises:
        EvidenceError: There is no such folder, or no run below it.
    """
    from reportgen.app.remote import at_hand
    from reportgen.read.study import describe_decision, write_study

    with at_hand(runs) as here:
        found, study = load_originals(here, Study(), silent)
        if not found.runs:
            raise EvidenceError(f"no training logs under {here}", remedy="point --runs at the logs")
    named = read_url(str(runs))
    study = (
        replace(study, runs_path=str(named), model=ModelPlan(), adapters=())
        if isinstance(named, Url)
        else _beside(study, named, Path() if str(out) == "-" else out.parent)
    )
    return write_study(study), tuple(map(describe_decision, study.decisions))


def _beside(study: Study, runs: Path, place: Path) -> Study:
    """Return a study whose paths are relative to a folder."""

    def beside(path: str) -> str:
        return _relative(runs / path, place) if path else ""

    return replace(
        study,
        runs_path=_relative(runs, place),
        model=replace(
            study.model,
            config=beside(study.model.config),
            checkpoint=beside(study.model.checkpoint),
        ),
        adapters=tuple(
            replace(plan, config=beside(plan.config), base=beside(plan.base))
            for plan in study.adapters
        ),
    )


def _relative(path: Path, place: Path) -> str:
    return Path(os.path.relpath(path.absolute(), place.absolute())).as_posix()


def list_templates(name: str = "") -> tuple[str, ...]:
    """Return templates as `format/path`, sorted.

    Args:
        name: What `eject_templates` takes; empty lists every one.

    Raises:
        UnknownNameError: No template has this name; the nearest ones are named.
    """
    from reportgen.render import FORMATS, packaged_templates

    root = packaged_templates()
    every = sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file())
    begun, slash, short = name.strip("/").partition("/")
    # `build --format md` calls a format by the ending of its files.
    form = next((f for f, entry in FORMATS.items() if f"*.{begun}" in entry.match), begun)
    wanted = f"{form}{slash}{short}"
    paths = (wanted, f"{wanted}.j2", f"{form}/blocks/{short}.j2")
    chosen = [t for t in every if t in paths or not wanted or t.startswith(f"{wanted}/")]
    if not chosen:
        near = difflib.get_close_matches(wanted, [*every, *(t[:-3] for t in every)], n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise UnknownNameError(
            f"no template is called {wanted!r}{hint}",
            remedy="`reportgen templates list` names them all",
        )
    return tuple(chosen)


def eject_templates(name: str, to: Path, *, force: bool = False) -> tuple[Path, ...]:
    """Copy one template, or all of a folder, to where a build looks first.

    Args:
        name: `latex/blocks/table.j2`, for short `latex/table`; a folder (`latex`); empty is all.
        to: Folder to copy into; `templates` beside the study is found by itself.
        force: Replace files that are there.

    Raises:
        UnknownNameError: No template has this name.
        UsageError: A file is there already.
    """
    from reportgen.render import packaged_templates

    chosen = list_templates(name)
    there = [template for template in chosen if (to / template).exists()]
    if there and not force:
        raise UsageError(
            f"{to / there[0]} is there already", remedy="add --force to replace it, or change --out"
        )
    root = packaged_templates()
    return write_files(to, {template: (root / template).read_bytes() for template in chosen})


# An autograder for Gradescope: the evidence, what checks reports by it, and this program.

_EVIDENCE = "evidence"
_STUDY = f"{_EVIDENCE}/study/study.toml"
_RUBRIC = "rubric.toml"
_PROGRAMS = {"setup.sh": "_autograder_setup.sh", "run_autograder": "_autograder_run.sh"}
# What may be named without a study, each in a folder of its own.
_KINDS = ("runs", "checkpoint", "adapter", "base")


@dataclass(frozen=True, slots=True, kw_only=True)
class AutograderOptions:
    """What an autograder takes along.

    Attributes:
        study: Study file; what it names has to lie in its folder.
        runs, checkpoint, adapter, base: Evidence beside or without a study.
        rubric: Points by rule; without one the results are informational.
    """

    study: Path | None = None
    runs: Path | None = None
    checkpoint: Path | None = None
    adapter: Path | None = None
    base: Path | None = None
    rubric: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Autograder:
    """The archive.

    Attributes:
        content: The zip file.
        names: Paths in it, in order.
        arguments: What `reportgen check` is given for each submission.
    """

    content: bytes
    names: tuple[str, ...]
    arguments: tuple[str, ...]


def make_autograder(options: AutograderOptions) -> Autograder:
    """Return the archive that Gradescope takes as an autograder.

    It holds `setup.sh`, which installs this very version of the program from a wheel beside it,
    `run_autograder`, and the evidence. What was put in is checked to be usable as it lies there.

    Raises:
        EvidenceError: Something that was named is not there, or cannot be used.
        StudyError: The study or the rubric cannot be used.
        UsageError: The study names what lies outside its folder.
    """
    files: dict[str, bytes] = {}
    arguments: dict[str, str] = {}
    if options.study is not None:
        files |= dict(_of_study(options.study))
        arguments["--study"] = _STUDY
    for kind in _KINDS:
        path = getattr(options, kind)
        if path is not None:
            place = f"{_EVIDENCE}/{kind}/{path.absolute().name}"
            files |= dict(_below(path, place))
            arguments[f"--{kind}"] = place
    _check_usable(files, arguments)
    if options.rubric is not None:
        from reportgen.read.study import read_rubric

        read_rubric(options.rubric)
        files[_RUBRIC] = options.rubric.read_bytes()
        arguments["--rubric"] = _RUBRIC
    told = tuple(word for pair in arguments.items() for word in pair)
    files = {**_programs(told), **files}
    content = zipped(files, programs=frozenset(_PROGRAMS))
    return Autograder(content=content, names=tuple(files), arguments=told)


def _programs(arguments: tuple[str, ...]) -> dict[str, bytes]:
    """Return the two scripts, the program and the versions of what it needs."""
    # Paths lie in the unpacked archive, wherever that is.
    words = [
        word if word.startswith("--") else f'"$here"/{shlex.quote(word)}' for word in arguments
    ]
    files = {}
    for name, source in _PROGRAMS.items():
        text = resources.files("reportgen.app").joinpath(source).read_text(encoding="utf-8")
        files[name] = text.replace("@EVIDENCE@", " ".join(words)).encode()
    files[NAME] = own_wheel()
    files["constraints.txt"] = own_constraints().encode()
    return files


def _of_study(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the study file and what it names, each at its place beside it."""
    from reportgen.read.study import read_study

    study = read_study(path)
    home = path.absolute().parent
    yield _STUDY, path.read_bytes()
    for named in dict.fromkeys(filter(None, (study.runs_path, *study.models))):
        target = home / named
        if not real(target).is_relative_to(real(home)):
            raise UsageError(
                f"{path} names {named}, which lies outside its folder",
                remedy="copy it beside the study file, or name the logs with --runs",
            )
        yield from _below(target, f"{_EVIDENCE}/study/{target.relative_to(home).as_posix()}")


def _below(path: Path, place: str) -> Iterator[tuple[str, bytes]]:
    """Yield a file, or the files below a folder, as they are called in the archive."""
    if path.is_file():
        yield place, path.read_bytes()
        return
    if not path.is_dir():
        raise EvidenceError(f"no such file or folder: {path}", remedy=other_than(path))
    for file in sorted(path.rglob("*")):
        if file.is_file():
            yield f"{place}/{file.relative_to(path).as_posix()}", file.read_bytes()


def _check_usable(files: dict[str, bytes], arguments: dict[str, str]) -> None:
    """Hold a report that says nothing against the evidence as it lies in the archive."""
    from reportgen.app.checking import check

    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for name, content in files.items():
            target = home / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        report = home / "report.md"
        report.write_text("Nothing.\n", encoding="utf-8")
        named: dict[str, Any] = {name[2:]: str(home / place) for name, place in arguments.items()}
        (checked,) = check(report, **named)
    if fault := checked.review.fault:
        told = fault.replace(f"{folder}/", "")
        raise EvidenceError(f"the evidence cannot be used: {told}", remedy=checked.remedy)


_STEM = f"{DISTRIBUTION.replace('-', '_')}-{__version__}"
NAME = f"{_STEM}-py3-none-any.whl"
_INFO = f"{_STEM}.dist-info"
_LIBRARY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
# Fixed, so that the same installation makes the same archive.
_MOMENT = (2020, 1, 1, 0, 0, 0)


def own_wheel() -> bytes:
    """Return the installed program as a wheel: the package, its templates, what it requires.

    It does not matter whether a wheel, a checkout or an editable checkout is installed.
    """
    files = dict(_package())
    distribution = importlib.metadata.distribution(DISTRIBUTION)
    files[f"{_INFO}/METADATA"] = (distribution.read_text("METADATA") or "").encode()
    files[f"{_INFO}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: reportgen\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    files[f"{_INFO}/entry_points.txt"] = b"[console_scripts]\nreportgen = reportgen.__main__:main\n"
    lines = []
    for path, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        lines.append(f"{path},sha256={digest},{len(content)}")
    files[f"{_INFO}/RECORD"] = "\n".join([*lines, f"{_INFO}/RECORD,,", ""]).encode()
    return zipped(files)


def _package() -> Iterator[tuple[str, bytes]]:
    """Yield the files of the package, templates among them, by their paths in a wheel."""
    import reportgen
    from reportgen.render import packaged_templates

    home = Path(reportgen.__file__).parent
    templates = packaged_templates()
    for folder, name in ((home, "reportgen"), (templates, "reportgen/_templates")):
        for path in sorted(folder.rglob("*")):
            inner = path.relative_to(folder)
            again = folder == home and inner.parts[0] == "_templates"
            if path.is_file() and "__pycache__" not in inner.parts and not again:
                yield f"{name}/{inner.as_posix()}", path.read_bytes()


def own_constraints() -> str:
    """Return the libraries that are installed for the program, with their versions.

    A library that a requirement names and that is not installed here, for another system or an
    extra, is left out.
    """
    found: dict[str, str] = {}
    waiting = [DISTRIBUTION]
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
    del found[DISTRIBUTION]
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
