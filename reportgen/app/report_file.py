"""report.json, wherever a build put it: read with limits, every fault told."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Any

from reportgen.languages import LANGUAGES, message, message_from_json
from reportgen.records.errors import EvidenceError, other_than
from reportgen.records.record import record
from reportgen.records.source import Problem
from reportgen.records.verdict import Stated

if TYPE_CHECKING:
    from reportgen.records.facts import Facts
    from reportgen.records.manuscript import Manuscript


MAX_BYTES = 512 * 2**20
"""Largest report.json that is read; a thousand runs make a hundredth of it."""
SCHEMA = "reportgen-report/"
_FOLDERS_SEEN = 50
"""Folders that are looked into for a report that nobody named."""
_NAMES_TOLD = 4
_FORM: dict[str, Any] = {
    "numbers": [{"id": str, "printed": str, "value": object, "evidence?": [{}], "where?": str}],
    "equations?": [{"id": str, "printed": str, "values?": {}}],
    "groups?": [{"runs?": [{}]}],
    **{f"{key}?": [{}] for key in ("tables", "sections", "figures", "files", "problems")},
    "decisions?": [{}],
}
_WORDS = {list: "list", dict: "object", str: "text", int: "number"}


@record
class JsonFile:
    """A kind of JSON file, in the words of its faults.

    Attributes:
        name: What it is called.
        make: How one is made, or made again.
        ask: What is to be named instead of another file.
    """

    name: str
    make: str
    ask: str


_REPORT = JsonFile(
    name="report.json",
    make="build the report first: `reportgen build ... --out out/` writes it",
    ask="name the JSON that `reportgen build` wrote, its folder, or the PDF it is attached to",
)


@record
class ReportFile:
    """One report.json, read.

    Attributes:
        path: As the user named it.
        content: Everything in it; each of its lists is there, and a list of objects.
        numbers: Every printed number, and the result of every displayed equation, in order.
    """

    path: Path
    content: dict[str, Any]
    numbers: tuple[dict[str, Any], ...]

    @property
    def schema(self) -> str:
        """Name of its format."""
        return str(self.content.get("schema", ""))

    @property
    def lang(self) -> str:
        """Code of the language it is in; English where it names none that is known."""
        return lang_of(self.content)

    @property
    def generator(self) -> str:
        """Which version of the program wrote it."""
        return str(self.content.get("generated_by", ""))


def lang_of(content: Mapping[str, Any]) -> str:
    """Return the code of the language that a report.json is in; `en` where none is known."""
    code = str(content.get("lang") or "en").lower()
    return code if code.partition("-")[0] in LANGUAGES else "en"


def read_report(path: Path) -> ReportFile:
    """Read a report.json.

    Args:
        path: The file; the folder that holds it; or the PDF it is attached to.

    Raises:
        EvidenceError: There is none, it is cut off or damaged, or it is no report.json.
    """
    found = _in_folder(path) if path.is_dir() else path
    text = _bytes_of(found, _REPORT)
    if text.startswith(b"%PDF-"):
        from reportgen.app.reading_apart import ReadingApart

        with ReadingApart() as apart:
            text = apart.attached(found, _REPORT.name)
    return parse_report(found, text)


def find_report(here: Path) -> tuple[Path, list[Path]]:
    """Return the report that is meant where none is named, and the others that lie there.

    Args:
        here: A folder. `out/report.json` in it counts first, then the only report in the folder
            itself or in one of its folders. Without any it is `out/report.json`.

    Raises:
        EvidenceError: There are several, and none of that name.
    """
    usual = here / "out" / "report.json"
    inner = (path for path in sorted(here.iterdir()) if path.is_dir() and path.name[0] != ".")
    folders = [here, *islice(inner, _FOLDERS_SEEN)]
    found = [path for folder in folders for path in _json_files(folder) if _begins_as_report(path)]
    if usual in found or not found:
        return usual, [path for path in found if path != usual]
    if len(found) > 1:
        raise EvidenceError(
            f"there are several reports: {names_of(found)}", remedy="name one of them with --report"
        )
    return found[0], []


def names_of(reports: Sequence[Path]) -> str:
    """Return the names of some reports as a list, of many the first."""
    names = ", ".join(path.as_posix() for path in reports[:_NAMES_TOLD])
    return f"{names}, …" if len(reports) > _NAMES_TOLD else names


def _json_files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.glob("*.json") if path.is_file())
    except OSError:
        return []


def parse_report(found: Path, text: bytes) -> ReportFile:
    """Return what the bytes of a report.json say.

    Raises:
        EvidenceError: They are cut off or damaged, or no report.json.
    """
    content = _parse(found, text, _REPORT)
    _check_form(found, content)
    for name in (key.removesuffix("?") for key in _FORM):
        content[name] = content.get(name) or []
    _mark_messages(content)
    numbers = (*content["numbers"], *map(_of_equation, content["equations"]))
    return ReportFile(path=found, content=content, numbers=numbers)


def _mark_messages(content: dict[str, Any]) -> None:
    """Make the words of a report marked messages again, as the file says which they are."""
    told = content.get("messages")
    if not isinstance(told, dict):
        return
    runs = (run for group in content["groups"] for run in group.get("runs") or [])
    known: dict[str, str] = {}
    for entries, keys in (
        (content["numbers"], ("method", "reason")),
        (content["problems"], ("message", "remedy")),
        (runs, ("missing",)),
    ):
        for entry, key in product(entries, keys):
            words = entry.get(key)
            if isinstance(words, str) and words in told:
                if words not in known:
                    known[words] = message_from_json(words, told[words])
                entry[key] = known[words]


def read_json(path: Path, kind: JsonFile) -> dict[str, Any]:
    """Read a JSON file that holds an object.

    Raises:
        EvidenceError: There is none, it is cut off or damaged, or it holds something else.
    """
    return _parse(path, _bytes_of(path, kind), kind)


def _bytes_of(path: Path, kind: JsonFile) -> bytes:
    try:
        state = path.stat()
        regular, size = S_ISREG(state.st_mode), state.st_size
        content = path.read_bytes() if regular and size <= MAX_BYTES else b""
    except FileNotFoundError:
        remedy = f"{other_than(path)}; {kind.make}"
        raise EvidenceError(f"there is no {kind.name} at {path}", remedy=remedy) from None
    except OSError as fault:
        raise EvidenceError(
            f"{path} cannot be read: {fault.strerror or fault}", remedy="check its permissions"
        ) from None
    if not regular:
        raise EvidenceError(f"{path} is no regular file", remedy=kind.ask)
    if size > MAX_BYTES:
        raise EvidenceError(
            f"{path} has {size:,} bytes, more than the {MAX_BYTES:,} that are read",
            remedy=kind.ask,
        )
    return content


def _in_folder(folder: Path) -> Path:
    """Return the report.json of a folder: by that name, else the only one that is found there."""
    if (named := folder / "report.json").is_file():
        return named
    found, _ = find_report(folder)
    if not found.is_file():
        raise EvidenceError(f"no report.json in {folder}", remedy=_REPORT.make)
    return found


def _begins_as_report(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return SCHEMA.encode() in stream.read(200)
    except OSError:
        return False


def _parse(path: Path, text: bytes, kind: JsonFile) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except UnicodeDecodeError as fault:
        raise EvidenceError(
            f"{path} is not UTF-8 at byte {fault.start}: not a {kind.name}", remedy=kind.ask
        ) from None
    except json.JSONDecodeError as fault:
        raise _not_json(path, text, fault, kind) from None
    except (ValueError, RecursionError):
        raise EvidenceError(
            f"{path} is not a {kind.name}: a number too long or brackets too deep", remedy=kind.ask
        ) from None
    if not isinstance(content, dict):
        raise EvidenceError(f"{path} is not a {kind.name}", remedy=kind.ask)
    return content


def _not_json(
    path: Path, text: bytes, fault: json.JSONDecodeError, kind: JsonFile
) -> EvidenceError:
    """Tell a file that is cut off from one that never was JSON."""
    if not text.strip():
        return EvidenceError(f"{path} is empty", remedy=kind.make)
    rest = fault.doc[fault.pos :].strip()
    open_text = fault.msg.startswith("Unterminated string")
    if text.lstrip()[:1] == b"{" and (not rest or open_text or len(rest) <= 1):
        return EvidenceError(
            f"{path} is cut off: its JSON ends at byte {len(text):,}, in line {fault.lineno}, "
            "before it is closed",
            remedy="copy or build it again",
        )
    return EvidenceError(
        f"{path}:{fault.lineno}: not a {kind.name}: {fault.msg[:1].lower()}{fault.msg[1:]}",
        remedy=kind.ask,
    )


def _check_form(path: Path, content: dict[str, Any]) -> None:
    """Refuse what is JSON and no report, and entries that nothing can be made of."""
    schema = content.get("schema")
    if not (isinstance(schema, str) and schema.startswith(SCHEMA)) or "numbers" not in content:
        raise EvidenceError(
            f"{path} is not a report.json: its schema is {schema!r}, not {SCHEMA}1",
            remedy=_REPORT.ask,
        )
    for fault in form_faults(content, _FORM):
        raise EvidenceError(f"{path} is a damaged report.json: {fault}", remedy=_REPORT.make)


def form_faults(value: Any, form: Any, where: str = "") -> Iterator[str]:
    """Yield what of a value of JSON is not as a form has it.

    Args:
        value: The value.
        form: A class, a list of one form, or an object of forms by key; of a key that ends with a
            question mark, the value may be absent or empty.
        where: What the value is called.

    Example:
        >>> list(form_faults({"a": [{"b": 1}]}, {"a": [{"b": str}], "c": str, "d?": str}, "file"))
        ['`file.a[0].b` is no text', '`file` has no c']
    """
    kind: Any = form if isinstance(form, type) else type(form)
    if not isinstance(value, kind):
        yield f"`{where}` is no {_WORDS[kind]}"
    elif isinstance(form, list):
        for index, one in enumerate(value):
            yield from form_faults(one, form[0], f"{where}[{index}]")
    elif isinstance(form, dict):
        for key, inner in form.items():
            name = key.removesuffix("?")
            needed = name == key
            if value.get(name) or (needed and name in value):
                yield from form_faults(value[name], inner, f"{where}.{name}" if where else name)
            elif needed:
                yield f"`{where}` has no {name}"


def _of_equation(equation: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a displayed equation in the form of a printed number."""
    values = equation.get("values") or {}
    return {
        "id": equation["id"],
        "printed": equation["printed"],
        "value": equation.get("result"),
        "unit": equation.get("unit", ""),
        "method": message("equation {number}", number=str(equation.get("number", ""))),
        "formula": equation.get("formula", ""),
        "evidence": [
            {"path": "equation", "tag": key, "value": value} for key, value in values.items()
        ],
        "where": equation["id"],
    }


KNOWN = 0.9
"""Share of a report's ids that today's evidence has to know, or another study was meant."""
_REMEDY = "name the report.json of that build with --report"


def stated_for(
    manuscript: Manuscript, facts: Facts | None, given: Mapping[str, Stated]
) -> tuple[Mapping[str, Stated], tuple[Problem, ...]]:
    """Return what the ids in a report's source stand for, and why nothing can be told of them.

    Args:
        manuscript: The report.
        facts: Its evidence, where there is any.
        given: Numbers of the report.json that was named; empty without one.
    """
    if not manuscript.named and facts is not None and facts.groups and is_own(manuscript):
        return stated_by(facts), ()
    if not manuscript.named:
        message = "names none of its numbers: it was not held against report.json"
        remedy = r"only LaTeX that reportgen wrote names them: \rgnum{id}{79.9}"
        note = Problem(path=manuscript.path, message=message, remedy=remedy, level="note")
        return {}, (note,) if given else ()
    if given or facts is None or not facts.groups:
        return given, ()
    found = _renamed(stated_by(facts), [named.id for named in manuscript.named])
    known = sum(named.id in found for named in manuscript.named)
    if known >= KNOWN * len(manuscript.named):
        return found, ()
    if is_own(manuscript):
        # Its groups are called otherwise here: it is read by what it prints, not by its ids.
        return {str(at): one for at, one in enumerate(found.values())}, ()
    message = f"names {len(manuscript.named)} numbers, of which this evidence has {known}"
    return {}, (Problem(path=manuscript.path, message=message, remedy=_REMEDY, level="note"),)


def _renamed(stated: Mapping[str, Stated], ids: Sequence[str]) -> dict[str, Stated]:
    """Return numbers by ids in which the only run is called as in a report's ids.

    A build calls a run without a name after its folder, which is no evidence.
    """
    names: Counter[str] = Counter()
    left = [one for one in ids if one not in stated]
    for known in (one for one in stated if left and _ONLY in one):
        before, _, behind = known.partition(_ONLY)
        ends = (one for one in left if one.startswith(before) and one.endswith(behind))
        names.update(one[len(before) : len(one) - len(behind)] for one in ends)
    name = next((name for name, _ in names.most_common(1)), _ONLY)
    return {**stated, **{one.replace(_ONLY, name, 1): of for one, of in stated.items()}}


_ONLY = ".run."
_OWN = re.compile(r"\breportgen \d+\.\d+")
"""What the last page of every report says of the program that wrote it."""


def is_own(manuscript: Manuscript) -> bool:
    """Say whether a report says that this program wrote it."""
    last = manuscript.blocks[-_LAST:]
    texts = (block.text for block in last)
    return any("reportgen " in text and _OWN.search(text) for text in texts)


_LAST = 60


def stated_in(path: Path) -> dict[str, Stated]:
    """Return the numbers of a report.json by their ids, as LaTeX spells them too.

    Raises:
        EvidenceError: It cannot be read.
    """
    report = read_report(path)
    numbers = [*report.content["numbers"], *_in_equations(report.content["equations"])]
    return _by_id(numbers, "report.json", settled=True)


def stated_by(facts: Facts) -> dict[str, Stated]:
    """Return the numbers that a report of these facts would print, by their ids."""
    from reportgen.render import report_json
    from reportgen.report import compose_report

    report = compose_report(facts, metadata={})
    content: Mapping[str, Any] = report_json(report)
    told = [
        *(one.message for one in facts.problems),
        *(one.reason for one in facts.study.decisions),
    ]
    words = ({"id": f"problems.{at}", "printed": str(one)} for at, one in enumerate(told))
    numbers = [*content["numbers"], *_in_equations(content["equations"]), *words]
    return _by_id(numbers, "a report of this evidence", settled=False)


def _in_equations(equations: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """Yield the numbers of displayed equations: each result, and what each symbol is put as."""
    for equation in equations:
        yield {**equation, "value": equation.get("result")}
        for symbol, value in (equation.get("values") or {}).items():
            printed = f"{value:,}" if isinstance(value, int) else str(value)
            yield {"id": f"{equation['id']}.{symbol}", "printed": printed, "value": value}


def _by_id(
    numbers: Iterable[Mapping[str, Any]], source: str, *, settled: bool
) -> dict[str, Stated]:
    from reportgen.render import anchor_of

    found: dict[str, Stated] = {}
    for entry in numbers:
        value = entry.get("value")
        number = isinstance(value, int | float) and not isinstance(value, bool)
        one = Stated(
            id=entry["id"],
            printed=entry["printed"],
            value=float(value) if number and value is not None else None,
            source=source,
            settled=settled,
        )
        found.setdefault(one.id, one)
        found.setdefault(anchor_of(one.id), one)
    return found
