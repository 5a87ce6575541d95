"""Folders of runs in object stores: at hand while a use case reads them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from reportgen.app.reading import Notify, silent
from reportgen.records.errors import EvidenceError, ReportgenError, UsageError
from reportgen.records.record import replace

if TYPE_CHECKING:
    from reportgen.app.grid import GridOptions
    from reportgen.app.options import BuildOptions
    from reportgen.read.remote import Mirrored, Url
    from reportgen.records.study import TablePlan

    Options = TypeVar("Options", bound=BuildOptions | GridOptions)

Limits = Callable[[str], int | None]
"""Of a name, how many bytes of it are worth fetching; None where it is of no use."""

CACHED = Path()
"""Stands for the usual cache folder."""

LARGE = frozenset({"tfevents", "wandb_run", "mlflow_db"})
LOG_LIMIT = 8 << 30
"""Most bytes of a file of these kinds; of others it is what their readers take."""

NAME = "{name}"


@contextmanager
def at_hand(
    root: Path | str,
    notify: Notify = silent,
    *,
    cache: Path | None = CACHED,
    pattern: str = "",
    study: Path | None = None,
) -> Iterator[Path]:
    """Give the folder of this machine that holds a folder of runs, wherever it lies.

    What is raised meanwhile names the URL, not the folder in the cache.

    Args:
        root: A path, or the URL of a folder or an object.
        notify: Called with (stage, done, total).
        cache: Cache folder; None fetches afresh, and leaves nothing.
        pattern: Only names that begin so, `{name}` standing for one part, are wanted.
        study: Study file whose tables are wanted as well.

    Raises:
        ReportgenError: See `reportgen.read.remote.tree.mirror`.
        UsageError: A URL was made a path.
    """
    place: Path | Url = Path(root)
    if not isinstance(root, Path) and "://" in root:
        from reportgen.read.remote import read_url

        # It is a path where it names this machine.
        place = read_url(root)
    if isinstance(place, Path):
        _refuse_collapsed(place)
        yield place
        return
    import tempfile

    from reportgen.read.remote import mirror
    from reportgen.read.store import default_cache

    with ExitStack() as stack:
        if cache is None:
            own = tempfile.TemporaryDirectory(prefix="reportgen-", ignore_cleanup_errors=True)
            cache = Path(stack.enter_context(own))
        folder = default_cache() if cache == CACHED else cache
        found = mirror(place, folder.absolute(), limits_of(pattern, _tables_in(study)), notify)
        with naming(found):
            yield found.path


def _refuse_collapsed(path: Path) -> None:
    """Refuse what was a URL before somebody made a path of it, which keeps one slash of two."""
    text = path.as_posix()
    if re.match(r"(s3|s3a|gs|gcs|az|abfs|memory):/[^/]", text) and not path.exists():
        raise UsageError(
            f"{text} is no path", remedy=f"pass the URL as a text: {text.replace(':/', '://', 1)}"
        )


@contextmanager
def naming(found: Mirrored | None) -> Iterator[None]:
    """Let errors name a URL where they name the folder that stands for it."""
    try:
        yield
    except ReportgenError as fault:
        if found is not None:
            fault.message = fault.message.replace(str(found.path), found.url)
            fault.remedy = fault.remedy.replace(str(found.path), found.url)
        raise


@contextmanager
def runs_at_hand(
    options: Options, notify: Notify, *, cache: Path | None = CACHED
) -> Iterator[Options]:
    """Give the options with a folder of this machine as the runs that they, or the study, name.

    Raises:
        ReportgenError: As `at_hand`.
    """
    named = options.runs if options.runs is not None else url_in(options.study)
    if named is None:
        yield options
        return
    with at_hand(named, notify, cache=cache, study=options.study) as folder:
        yield replace(options, runs=folder)


def url_in(study: Path | None) -> str | None:
    """Return the URL that a study file names as its runs; None where it names none.

    Raises:
        StudyError: The file cannot be used.
    """
    if study is None or not study.is_file():
        return None
    from reportgen.read.remote import is_url
    from reportgen.read.study import read_study

    named = read_study(study).runs_path
    return named if is_url(named) else None


def _tables_in(study: Path | None) -> tuple[TablePlan, ...]:
    """Return the tables that a study declares; what is wrong with it is said where it is used."""
    from reportgen.read.study import read_study

    with suppress(ReportgenError):
        return read_study(study).tables if study is not None else ()
    return ()


def beside(study: Path, named: str) -> Path:
    """Return the folder of runs that a study names.

    Raises:
        EvidenceError: It is a URL, and this study was not asked for: nothing is fetched on the
            word of a file that somebody handed in.
    """
    from reportgen.read.remote import is_url

    if is_url(named):
        raise EvidenceError(
            f"{study.name} names runs at a URL, which is not fetched on its word",
            remedy="name the URL with --runs if it is yours",
        )
    return study.parent / (named or ".")


def mirrored_at(path: Path | None) -> Mirrored | None:
    """Return what is known of a folder that stands for a URL; None where it stands for none."""
    # Most folders stand for none, and should not pay for asking.
    if path is None or not {"mirrors", "trees"} <= set(path.absolute().parts):
        return None
    from reportgen.read.remote import mirrored_at as look

    return look(path.absolute())


def named_as(path: str) -> str:
    """Return how a folder is called where it is printed: its URL, where it stands for one."""
    found = mirrored_at(Path(path))
    return found.url if found else path


@contextmanager
def evidence_at_hand(runs: str | None, study: str | None, notify: Notify) -> Iterator[str | None]:
    """Give the runs that reports are held against as a path, where they or the study name a URL.

    Of a URL with `{name}` in it, what lies above that part is listed once for all submissions.

    Raises:
        ReportgenError: As `at_hand`.
        UsageError: The bucket itself is not named.
    """
    from reportgen.read.remote import is_url

    named = runs
    own = Path(study) if study is not None and NAME not in study else None
    if runs is None:
        # What is wrong with the study is said of each report.
        with suppress(ReportgenError):
            named = url_in(own)
    if named is None or not is_url(named):
        yield runs
    elif NAME in named:
        above, below = split_at_name(named)
        if not is_url(above):
            raise UsageError(
                f"{named} names no bucket", remedy="write it as s3://bucket/folder/{name}"
            )
        with at_hand(above, notify, pattern=below, study=own) as folder:
            yield str(folder / below)
    else:
        with at_hand(named, notify, study=own) as folder:
            yield str(folder)


def split_at_name(text: str) -> tuple[str, str]:
    """Divide a URL before the first part that holds `{name}`.

    Example:
        >>> split_at_name("s3://bucket/lab/{name}/logs")
        ('s3://bucket/lab', '{name}/logs')
    """
    parts = text.split("/")
    first = next(index for index, part in enumerate(parts) if NAME in part)
    return "/".join(parts[:first]), "/".join(parts[first:])


def limits_of(pattern: str, tables: Sequence[TablePlan] = ()) -> Limits:
    """Return what says of a name how many bytes of it are worth fetching."""
    from reportgen.read import logs
    from reportgen.read.remote import UNREAD
    from reportgen.records.run import PRIVATE, RECORD

    inside = re.compile(re.escape(pattern).replace(re.escape(NAME), "[^/]+") + "(/|$)")
    configurations = {name for name in logs.NAMED if "*" not in name} | {RECORD}
    weights = [name for name in logs.NAMED if "*" in name]

    def limit_of(name: str) -> int | None:
        parts = name.split("/")
        if pattern and not inside.match(name):
            return None
        if any(part in logs.SKIPPED_FOLDERS | logs.TOOL_FOLDERS for part in parts):
            return None
        kind = logs.loader_of(name)
        if any(part.startswith(".") and part not in logs.ENTERED for part in parts):
            # Their names are looked at, to say that they were not read.
            return 0 if kind in logs.HIDDEN_KINDS or PRIVATE in parts else None
        if kind or parts[-1] in configurations or logs.plan_of(name, tables):
            return LOG_LIMIT if kind in LARGE else logs.TEXT_LIMIT
        return UNREAD if any(fnmatchcase(parts[-1], ending) for ending in weights) else None

    return limit_of
