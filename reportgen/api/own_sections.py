"""A section that a Python file of the author's builds: run, and what it gives checked.

Naming a file in a study runs it, as an import would: it is the author's own program. Nothing
but a file in the study's own folder is run, and none that a log or a report names.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.api.paths import real
from reportgen.errors import StudyError
from reportgen.records.document import (
    BLOCK_KINDS,
    Block,
    Cite,
    Code,
    Emphasis,
    Indent,
    Link,
    Mark,
    Math,
    Number,
    Ref,
    Section,
    Strong,
    Table,
    Text,
    inlines,
    texts,
)
from reportgen.records.quantity import Missing, Quantity
from reportgen.records.study import SectionPlan

if TYPE_CHECKING:
    from reportgen.records.facts import Facts

_NODES = (str, Number, Math, Ref, Cite, Code, Emphasis, Strong, Indent, Mark, Link)
_REMEDY = "docs/how-to/own-words.md shows a file that works"


def build_section(
    home: Path, plan: SectionPlan, facts: Facts, *, taken: Collection[str] = ()
) -> Section | None:
    """Run a file of the author's and return the section it builds.

    Args:
        home: Folder of the study file.
        plan: Which file.
        facts: What its `build` is called with.
        taken: Ids of the report's other blocks.

    Raises:
        StudyError: There is no such file, it fails, or what it builds cannot be printed.
    """
    path = file_of(home, plan.file, f"line {plan.line} of the study")
    build = _program(path).get("build")
    if not callable(build):
        raise _letter(path, 0, "has no function build(facts)")
    built = _run(path, lambda: build(facts))
    if built is None:
        return None
    faults = list(_faults(built, taken))
    if faults:
        listed = "\n".join(f"  {fault}" for fault in faults[:20])
        raise _letter(path, 0, f"builds what cannot be printed\n{listed}")
    section: Section = built
    return section


def file_of(home: Path, name: str, where: str) -> Path:
    """Return a file that a study names, which has to lie in the study's folder.

    Raises:
        StudyError: There is no such file, or it lies elsewhere.
    """
    path = home / name
    if not real(path).is_relative_to(real(home)):
        raise StudyError(
            f"{where}: {name} leads out of the study's folder", remedy="copy the file into it"
        )
    if not path.is_file():
        raise StudyError(f"{where}: no file {path}", remedy="paths are relative to the study file")
    return path


def _program(path: Path) -> dict[str, Any]:
    """Return the names that a file defines."""
    try:
        code = compile(path.read_text("utf-8-sig"), str(path), "exec")
    except SyntaxError as fault:
        raise _letter(path, fault.lineno or 0, f"SyntaxError: {fault.msg}") from None
    except (OSError, ValueError) as fault:
        raise _letter(path, 0, f"cannot be read: {fault}") from None
    names: dict[str, Any] = {"__name__": path.stem, "__file__": str(path)}
    _run(path, lambda: exec(code, names))  # noqa: S102 - the author's own program; see SECURITY.md
    return names


def _run(path: Path, action: Any) -> Any:
    """Run what the author wrote; its faults are told with the line in his file."""
    try:
        return action()
    except (Exception, SystemExit) as fault:
        line, trace = 0, fault.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == str(path):
                line = trace.tb_lineno
            trace = trace.tb_next
        raise _letter(path, line, f"{type(fault).__name__}: {fault}".rstrip(": ")) from fault


def _letter(path: Path, line: int, message: str) -> StudyError:
    lines = path.read_text("utf-8", "replace").split("\n") if line else []
    shown = lines[line - 1].strip()[:100] if 0 < line <= len(lines) else ""
    place = f"{path}:{line}" if line else str(path)
    return StudyError(
        f"{place}: {message}", remedy=_REMEDY, stage="section", details={"line": shown}
    )


def _faults(built: object, taken: Collection[str]) -> Iterator[str]:
    """Yield what is the matter with what a file built."""
    if not isinstance(built, Section):
        yield f"build returned {type(built).__name__}, not a Section or None"
        return
    seen: set[str] = set(taken) - {""}
    for block in _all(built):
        if type(block) not in BLOCK_KINDS:
            yield f"{type(block).__name__} is no block: {str(block)[:60]!r}"
            continue
        kind = BLOCK_KINDS[type(block)]
        if block.id in seen:
            yield f"two blocks have the id {block.id!r}"
        if not block.id and kind not in {"paragraph", "bullets"}:
            yield f"a {kind} needs an id"
        seen |= {block.id} - {""}
        yield from _faults_of(block)


def _all(block: object) -> Iterator[Any]:
    yield block
    if isinstance(block, Section):
        for child in block.blocks:
            yield from _all(child)


def _faults_of(block: Block) -> Iterator[str]:
    named = block.id or BLOCK_KINDS[type(block)]
    if isinstance(block, Table):
        for number, row in enumerate(block.rows, start=1):
            if len(row.cells) != len(block.columns):
                yield f"{named}: row {number} has {len(row.cells)} cells, not {len(block.columns)}"
    for text in texts(block):
        if not isinstance(text, tuple):
            yield f"{named}: {str(text)[:60]!r} is no text: write a tuple, ('words',)"
            continue
        for node in _nodes(text):
            yield from (f"{named}: {fault}" for fault in _faults_in(node))


def _nodes(text: Text) -> Iterator[object]:
    try:
        yield from inlines(text)
    except TypeError:
        yield text


def _faults_in(node: object) -> Iterator[str]:
    if not isinstance(node, _NODES):
        yield f"{type(node).__name__} is no part of a text: {str(node)[:60]!r}"
    elif isinstance(node, Link):
        if not all(
            isinstance(inner, str | Code | Emphasis | Strong) for inner in inlines(node.content)
        ):
            yield f"the words of the link to {node.url!r} hold more than words"
    elif isinstance(node, Number):
        quantity = node.quantity
        if isinstance(quantity, Missing):
            if not quantity.reason:
                yield f"the number {node.id!r} is missing without a reason"
        elif not isinstance(quantity, Quantity):
            yield f"the number {node.id!r} has no Quantity"
        elif not quantity.sources:
            yield f"the number {node.id!r} has no evidence: give its Quantity sources"
        if not node.id:
            yield "a number needs an id"
