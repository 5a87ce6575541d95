"""The report of a folder of runs, from logs to finished files."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import math
import os
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reportgen.app.options import BuildOptions, BuildOutcome, Notify, Place, options_of, silent
from reportgen.app.reading import at_rest, check_apart, real
from reportgen.read import store
from reportgen.records.errors import (
    EvidenceError,
    ExitCode,
    ReportgenError,
    StudyError,
    TemplateError,
    UnknownNameError,
    UsageError,
)
from reportgen.records.record import replace
from reportgen.render import ENDINGS, FORMATS

if TYPE_CHECKING:
    from reportgen.app.own_words import OwnWords
    from reportgen.app.reruns import Current
    from reportgen.records.document import Report
    from reportgen.records.facts import Facts
    from reportgen.records.source import Problem
    from reportgen.render import Bundle, RenderContext, Rounds


CHOICES = (*ENDINGS, "zip")
"""What may be asked for: `zip` holds the LaTeX source and its figures."""
EVERY = ("pdf", "tex", "md", "html", "json")


def build(
    options: BuildOptions | Place | None = None, notify: Notify = silent, **given: Any
) -> BuildOutcome:
    """Write the report that `options` describe.

    Inputs that are as they were at an earlier build are not read again: its files are
    taken from the cache.

    Args:
        options: What to build, from what, into what; or the path of a study file.
        notify: Called with (stage, done, total) on long work.
        **given: Fields of `BuildOptions`, in place of options or of what they say.

    Raises:
        TemplateError: Of a template, also where an engine found it: the sources are written.
        ReportgenError: See its subclasses; nothing half-written is left behind.
    """
    from reportgen.app.remote import runs_at_hand

    options = options_of(BuildOptions, options, given)
    folder, stem, endings = targets(options)
    check_apart([folder / f"{stem}.{ending}" for ending in endings], inputs_of(options))
    store.check_writable(folder)
    with runs_at_hand(options, notify, cache=options.cache) as here:
        built, reused = built_files(here, stem, endings, notify)
    outcome = deliver(built, folder, reused=reused)
    if isinstance(built.fault, TemplateError):
        raise placed(built.fault, folder)
    return outcome


def placed(fault: TemplateError, folder: Path) -> TemplateError:
    """Return a fault with the path of the output it was found in, which was written."""
    if output := fault.details.get("output"):
        fault.details["output"] = str(folder / output)
    return fault


@at_rest()
def built_files(
    options: BuildOptions, stem: str, endings: tuple[str, ...], notify: Notify
) -> tuple[store.StoredBuild, bool]:
    """Return the build of some options, unwritten, and whether it is an earlier one."""
    cache = None
    if options.cache is not None:
        cache = store.BuildCache(
            store.default_cache() if options.cache == Path() else options.cache
        )
    before = _key(options, stem, endings) if cache else None
    if cache and before and (stored := cache.find(before)):
        return stored, True
    from reportgen.app.analysis import analyse

    facts = analyse(options, notify, current=current_settings(options))
    built = render(facts, options, stem, endings, notify)
    # A log that grew while it was read must not be remembered as what was read, nor one that a
    # file server refused for once.
    if (
        cache
        and before
        and not built.outcome["exit_code"]
        and not has_unread(facts)
        and before == _key(options, stem, endings)
    ):
        cache.keep(before, built)
    return built, False


def has_unread(facts: Facts) -> bool:
    """Tell whether the system refused a file, which it may give the next time."""
    from reportgen.read.logs import UNREAD

    return any(problem.message.startswith(UNREAD) for problem in facts.problems)


def current_settings(options: BuildOptions) -> Current | None:
    """Return what each fine-tune would be made with today; None where that cannot be told.

    A report can be built where neither data nor models are; then no re-run is called stale.
    """
    if options.study is None:
        return None
    from reportgen.app.analysis import read_plan

    study, home = read_plan(options.study), options.study.absolute().parent
    if study.train is None or not (home / study.reruns).is_dir():
        return None
    from reportgen.app.grid import settings_of

    try:
        return settings_of(study, home)
    except EvidenceError:
        return None


def targets(options: BuildOptions) -> tuple[Path, str, tuple[str, ...]]:
    """Return folder, stem and endings of the files to write."""
    out = options.out
    if str(out) == "-":
        raise UsageError(
            "a report is several files and cannot go to the standard output",
            remedy="name a file or a folder with --out; --json prints what was written",
        )
    ending = out.suffix.lower().removeprefix(".")
    single = ending and not out.is_dir()
    endings = _endings({*options.formats, ending} if single else options.formats)
    unknown = [name for name in options.formats if name not in endings]
    if unknown or (single and ending not in endings):
        name = unknown[0] if unknown else out.name
        raise UsageError(
            f"no format is called {name!r}" if unknown else f"cannot write a report as {name!r}",
            remedy=f"use one of: {', '.join(endings)}",
        )
    if single:
        default = EVERY if ending == "pdf" else (ending, *(() if ending == "json" else ("json",)))
        return out.parent, out.stem, options.formats or default
    return out, "report", options.formats or EVERY


def _endings(asked: Collection[str]) -> tuple[str, ...]:
    """Return the endings that can be written; other packages are asked for what is not ours."""
    if set(asked) <= set(CHOICES):
        return CHOICES
    return (*CHOICES, *FORMATS.brought)


def _key(options: BuildOptions, stem: str, endings: tuple[str, ...]) -> str | None:
    """Return a digest of everything that decides what the files will hold."""
    package = Path(__file__).resolve().parent.parent
    folders = [package]
    if not (package / "_templates").is_dir():
        folders.append(package.parent / "templates")
    state = store.signature([*folders, *looks_of(options), *inputs_of(options)])
    if state is None:
        return None
    choices = replace(options, out=Path(), cache=None, jobs=None, address="")
    parts = (store.installed(), state, repr(choices), stem, repr(endings), stated_epoch())
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def looks_of(options: BuildOptions) -> list[Path]:
    """Return the folders that decide what a report looks like, beside the packaged ones."""
    themes = [Path(named)] if (named := str(options.settings.get("theme", ""))) else []
    if options.study is not None and options.study.is_file():
        from reportgen.read.study import read_study

        theme = options.study.parent / read_study(options.study).report.theme
        themes += [theme] if theme.is_dir() and theme != options.study.parent else []
    return [*template_dirs(options), *themes]


def inputs_of(options: BuildOptions) -> list[Path]:
    """Return the files and folders that decide what a report says."""
    inputs = [options.study, options.checkpoint, options.adapter, options.base]
    inputs += [Path(options.runs)] if options.runs is not None else []
    return [path for path in (*inputs, *_study_inputs(options)) if path is not None]


def _study_inputs(options: BuildOptions) -> list[Path | None]:
    """Return what the study file names; a folder beside a file counts as a whole."""
    if options.study is None or not options.study.is_file():
        return []
    from reportgen.read.study import read_study

    study = read_study(options.study)
    home = options.study.parent
    own = [plan.file for plan in study.prose if plan.file]
    own += [plan.file for plan in study.sections]
    found: list[Path | None] = [home / path for path in (*study.models, *own)]
    found.append(home / study.reruns)
    if options.runs is None:
        found.append(home / (study.runs_path or "."))
    return found


def template_dirs(options: BuildOptions) -> tuple[Path, ...]:
    """Return the user's template folders: the one named, then the project's."""
    project = (options.study.parent if options.study else Path()) / "templates"
    packaged = Path(__file__).resolve().parent.parent.parent / "templates"
    own = (project,) if project.is_dir() and real(project) != packaged else ()
    return ((options.template,) if options.template else ()) + own


@at_rest()
def render(
    facts: Facts,
    options: BuildOptions,
    stem: str,
    endings: tuple[str, ...],
    notify: Notify,
    *,
    rounds: Rounds | None = None,
) -> store.StoredBuild:
    """Compose, draw and render a report; nothing is written.

    Args:
        facts: What it says.
        options: What was asked for.
        stem: Name of the main files without their endings.
        endings: Of the files wanted.
        notify: Called with (stage, done, total).
        rounds: What this process has made before, where it builds the same report again.

    Raises:
        ReportgenError: See `build`.
    """
    from reportgen.records.document import Figure, walk
    from reportgen.render import facts_metadata, metrics_csv, render_bundle
    from reportgen.render.figures import draw_figures
    from reportgen.report import compose_report

    if options.template is not None and not options.template.is_dir():
        raise UsageError(
            f"no template folder {options.template}",
            remedy="`reportgen templates eject` makes one",
        )
    moment = moment_of(facts)
    date = moment.date().isoformat() if moment else ""
    own = None
    if options.study is not None and (facts.study.prose or facts.study.sections):
        from reportgen.app.own_words import OwnWords

        own = OwnWords(facts=facts, study=options.study)
    report: Report = compose_report(facts, metadata=facts_metadata(facts), date=date, extend=own)
    notify("drawing figures", 0, 1)
    drawn = set(endings) != {"json"}
    planned = [b for b in walk(report.sections) if isinstance(b, Figure) and drawn]
    figures = draw_figures(planned, report.lang, rounds.kept if rounds else None)
    notify("setting pages", 0, 1)
    with at_rest():
        bundle = render_bundle(
            report,
            figures,
            endings=endings,
            context=replace(_context(facts, options, stem), siblings=endings),
            engine=options.engine,
            metrics=metrics_csv(facts),
            moment=moment or EARLIEST,
            rounds=rounds,
        )
    told = outcome_of(facts, bundle, own)
    return store.StoredBuild(files=bundle.files, outcome=told, fault=bundle.fault)


def _context(facts: Facts, options: BuildOptions, stem: str) -> RenderContext:
    from reportgen.render import RenderContext, find_theme

    plan, folders = facts.study.report, template_dirs(options)
    try:
        theme = find_theme(
            plan.theme,
            home=options.study.parent if options.study else Path(),
            template_dirs=folders,
            paper=plan.paper,
            columns=plan.columns,
        )
    except UnknownNameError as fault:
        raise _in_study(fault, options, "theme") from None
    return RenderContext(template_dirs=folders, stem=stem, theme=theme)


def _in_study(fault: UnknownNameError, options: BuildOptions, key: str) -> ReportgenError:
    """Return a fault with the line of the study file that names what there is not."""
    from reportgen.read.study import line_of_key

    if options.study is None or options.settings.get(key):
        return fault
    line = line_of_key(options.study, f"report.{key}")
    return StudyError(f"{options.study}:{line}: {fault.message}", remedy=fault.remedy)


def deliver(
    built: store.StoredBuild, folder: Path, *, reused: bool, writes: bool = True
) -> BuildOutcome:
    """Write what is not there yet, and say what was done."""
    drawn = drawn_before(folder, built.files) if writes else frozenset()
    changed = store.write_changed(folder, built.files) if writes else ()
    remove_unused(folder, drawn - built.files.keys())
    outcome = json.loads(json.dumps(built.outcome))
    return BuildOutcome(
        files=tuple(folder / name for name in built.files if writes and "/" not in name),
        written=tuple(folder / name for name in changed),
        unchanged=reused,
        warnings=tuple(outcome["warnings"]),
        decisions=tuple(outcome["decisions"]),
        engine=outcome["engine"],
        exit_code=outcome["exit_code"],
        notes=tuple(outcome.get("notes", ())),
    )


_BY_THE_TEST_SPLIT = (
    "the test split itself chooses each best step (select_on is test), which makes its values "
    "optimistic; choose by validation where that was logged"
)


def outcome_of(facts: Facts, bundle: Bundle, own: OwnWords | None) -> dict[str, object]:
    """Return what a build says of itself, as values that the cache keeps.

    Args:
        facts: What was found.
        bundle: What was rendered.
        own: The author's own words, which may have warned.
    """
    from reportgen.read.study import describe_decision

    warnings = [_line(p) for p in facts.problems if p.level == "warning"]
    warnings += [*_missing_warnings(facts), *(own.warnings if own else ()), *bundle.warnings]
    if bundle.fault is not None:
        told = "; ".join(part for part in (bundle.fault.message, bundle.fault.remedy) if part)
        warnings.append(f"no PDF was made: {told}")
    last, asked = facts.selection.is_last, "metric.select_on" in facts.study.stated
    there = not asked if last else any(group.report.n for group in facts.groups)
    if not there:
        warnings.append("no run has a result to report, for the reasons above: the exit code is 3")
    if facts.study.metric.select_on == "test" and "metric.select_on" in facts.study.stated:
        warnings.append(_BY_THE_TEST_SPLIT)
    complete = bundle.fault is None and there
    ran = [f"{facts.study.path}:{s.line}: Python was run: {s.file}" for s in facts.study.sections]
    damaged = [p for p in facts.problems if p.level == "note" and p.offset is not None]
    return {
        "warnings": list(dict.fromkeys(warnings)),
        "notes": list(dict.fromkeys([*ran, *map(_line, damaged)])),
        "decisions": [describe_decision(decision) for decision in facts.study.decisions],
        "engine": bundle.engine,
        "exit_code": int(ExitCode.OK if complete else ExitCode.EVIDENCE),
    }


def _line(problem: Problem) -> str:
    """Return a problem in one line; one of all the evidence has no place of its own."""
    place = "" if problem.path in {"", "."} else f"{problem.path}: "
    return f"{place}{problem.message}" + (f"; {problem.remedy}" if problem.remedy else "")


def _missing_warnings(facts: Facts) -> list[str]:
    """Return the runs without a result, but for those whose own problems have said why."""
    from reportgen.records.quantity import Missing
    from reportgen.runs import tells_lack

    return [
        f"{group.label}, {'seed ' + str(cell.seed) if cell.seed is not None else 'no seed'}: "
        f"missing: {why.reason}"
        for group in facts.groups
        for cell in group.cells
        if isinstance(why := cell.report_value, Missing)
        and not (cell.run is not None and tells_lack(cell.run, why.reason))
    ]


SOURCES = (".md", ".tex", ".typ", ".html")
"""Endings of reports that name the files of their figures."""
MOST = 1 << 26
"""Bytes of a report that are looked through."""


def drawn_before(folder: Path, files: Iterable[str]) -> frozenset[str]:
    """Return the figures of the reports that some files will replace, by name below a folder."""
    tops = [folder / name for name in files if "/" not in name and name.endswith(SOURCES)]
    return frozenset(figure for path in tops for figure in _figures_of(path))


def _figures_of(path: Path) -> Iterator[str]:
    """Yield what a report shows of the folder of its name, in which nobody else writes."""
    place = f"{path.stem}_files"
    with suppress(OSError):
        with path.open("rb") as stream:
            text = stream.read(MOST).decode("utf-8", "replace")
        yield from re.findall(rf"{re.escape(place)}/[\w.-]+", text)


def remove_unused(folder: Path, drawn: Iterable[str]) -> None:
    """Remove figures that no report in the folder shows any more.

    Args:
        folder: Where the reports lie.
        drawn: Figures of the reports that were replaced.
    """
    for name in drawn:
        stem, path = name.partition("_files/")[0], folder / name
        if path.name in {".", ".."} or path.is_symlink() or not path.is_file():
            continue
        if not any(name in _figures_of(folder / f"{stem}{ending}") for ending in SOURCES):
            with suppress(OSError):
                path.unlink()


# ZIP archives cannot date anything earlier, and no training log is older.
EARLIEST = dt.datetime(1980, 1, 1, tzinfo=dt.UTC)


def stated_epoch() -> str:
    """Return `SOURCE_DATE_EPOCH` as it is set; empty where it is not."""
    return os.environ.get("SOURCE_DATE_EPOCH", "")


def moment_of(facts: Facts) -> dt.datetime | None:
    """Return the time the report carries, or None where nothing tells one.

    `SOURCE_DATE_EPOCH` where it is set; else the time of the last logged point, so that the
    same logs give the same bytes on any day.
    """
    if stated_epoch().isdigit():
        seconds = [float(stated_epoch())]
    else:
        series = [s for run in facts.runs for s in run.scalars.values() if len(s)]
        seconds = [t for s in series if math.isfinite(t := float(s.wall_times[-1]))]
    try:
        moment = dt.datetime.fromtimestamp(max(seconds), dt.UTC)
    except (OverflowError, OSError, ValueError):
        return None
    return moment if moment >= EARLIEST else None
