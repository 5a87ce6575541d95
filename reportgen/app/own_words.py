"""The author's own words and sections: read, run, checked, and put into the report."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.app.reading import real
from reportgen.records.document import (
    Number,
    Section,
    Text,
    faults_of,
    inlines,
    texts,
    walk,
)
from reportgen.records.errors import StudyError
from reportgen.records.study import ProsePlan, SectionPlan

if TYPE_CHECKING:
    from reportgen.read.study import Source
    from reportgen.records.facts import Facts


_UNSAFE = re.compile(r"[^a-z0-9]+")


@dataclass(slots=True)
class OwnWords:
    """What a study adds to the report; called with the sections and the numbers outside of them.

    Attributes:
        facts: What the analysis found.
        study: Where the study file lies.
        warnings: What could not be placed or printed as it was meant, in words.
    """

    facts: Facts
    study: Path
    warnings: list[str] = field(default_factory=list)

    def __call__(self, sections: Sequence[Section], outside: Text) -> tuple[Section, ...]:
        """Return the sections with those of the author's own, then with his words.

        Raises:
            StudyError: A file cannot be used, or names what the report does not have.
        """
        from reportgen.report import after

        found = tuple(sections)
        plans = self.facts.study
        for program in plans.sections:
            self._check_name(program.after, found, program.line)
            own = build_section(self.study.parent, program, self.facts, taken=_ids(found))
            if own is not None:
                found = after(found, own, program.after)
        every = (outside, *(text for block in walk(found) for text in texts(block)))
        numbers = {n.id: n for text in every for n in inlines(text) if isinstance(n, Number)}
        for index, plan in enumerate(plans.prose, start=1):
            found = self._with_prose(found, plan, index, numbers)
        return found

    def _with_prose(
        self, found: tuple[Section, ...], plan: ProsePlan, index: int, numbers: dict[str, Number]
    ) -> tuple[Section, ...]:
        from reportgen.read.study import Source, read_prose
        from reportgen.report import after, with_words

        there = self._check_name(plan.section or plan.after, found, plan.line)
        text, file, line = self._markdown(plan)
        source: Source = Source(
            id=f"prose.{index}",
            file=file,
            line=line,
            numbers=numbers,
            targets=frozenset(_ids(found)) - {""},
            title=plan.title or next((s.title for s in found if s.id == plan.section), "") or file,
        )
        prose = read_prose(text, source)
        self.warnings += prose.warnings
        if plan.title:
            name = _free_id(plan.title, _ids(found))
            return after(found, Section(id=name, title=plan.title, blocks=prose.blocks), plan.after)
        if not there:
            return found
        return tuple(
            with_words(s, prose.blocks, plan.position) if s.id == plan.section else s for s in found
        )

    def _check_name(self, name: str, found: Sequence[Section], line: int) -> bool:
        """Say whether there is a section of a name; one that can never be is refused."""
        from reportgen.report import SECTIONS

        there = [section.id for section in found]
        if not name or name in there:
            return True
        legal = [*dict.fromkeys((*there, *SECTIONS, *SECTIONS.brought))]
        if name not in legal:
            near = difflib.get_close_matches(name, legal, n=1, cutoff=0.5)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise StudyError(
                f"{self.study}:{line}: no section is called {name!r}{hint}",
                remedy=f"sections are: {', '.join(legal)}",
            )
        self.warnings.append(
            f"{self.study.name}:{line}: this report has no section {name!r}: what the study adds "
            "to it was left out, and what should follow it stands at the end"
        )
        return False

    def _markdown(self, plan: ProsePlan) -> tuple[str, str, int]:
        """Return Markdown, and the file and line where it begins."""
        if not plan.file:
            return plan.text, str(self.study), plan.line + ("\n" in plan.text)
        path = file_of(self.study.parent, plan.file, f"{self.study}:{plan.line}")
        try:
            return path.read_text("utf-8-sig"), str(path), 1
        except UnicodeDecodeError as fault:
            raise StudyError(
                f"{path}: byte {fault.start} is not UTF-8", remedy="save the file as UTF-8"
            ) from None
        except OSError as fault:
            raise StudyError(
                f"{path} cannot be read: {fault.strerror}", remedy="check its permissions"
            ) from None


def _free_id(title: str, taken: Iterable[str]) -> str:
    """Return an id for a section of this title that no other block has."""
    base = _UNSAFE.sub("_", title.lower()).strip("_") or "own"
    used = set(taken)
    names = (base, *(f"{base}_{number}" for number in range(2, len(used) + 3)))
    return next(name for name in names if name not in used)


def _ids(sections: Sequence[Section]) -> set[str]:
    return {block.id for block in walk(tuple(sections))}


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
    faults = list(faults_of(built, taken))
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
