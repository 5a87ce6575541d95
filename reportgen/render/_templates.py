"""Templates: where they are found, how values are escaped, how faults are told."""

from __future__ import annotations

import difflib
import marshal
import os
import re
import string
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, TypeVar

import jinja2
from jinja2 import nodes
from jinja2.bccache import Bucket
from jinja2.exceptions import SecurityError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from reportgen.records.errors import ReportgenError, TemplateError
from reportgen.render._context import packaged_templates
from reportgen.render._inline import Raw
from reportgen.render._limits import LIMITS

LARGEST = 10_000_000
"""Characters or items that one operation of a template may make."""
_EVERY = 1024
_COUNTED = "counted by the sandbox"
_WIDTHS = ("center", "indent")


class LimitedEnvironment(ImmutableSandboxedEnvironment):
    """A sandbox in which a template ends: by itself, or by a limit that names its line."""

    intercepted_binops = frozenset({"*", "**", "%"})

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.filters[_COUNTED] = _Watched
        for name in _WIDTHS:
            self.filters[name] = _bounded(self.filters[name])

    def _generate(self, source: nodes.Template, *args: Any, **kwargs: Any) -> str:
        """Put the clock around whatever a loop goes over."""
        for loop in list(source.find_all(nodes.For)):
            loop.iter = nodes.Filter(loop.iter, _COUNTED, [], [], None, None, lineno=loop.lineno)
        return super()._generate(source, *args, **kwargs)

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Refuse a product or a power that would fill the memory."""
        if _size(operator, left, right) > LARGEST:
            raise SecurityError(f"{operator} makes more than {LARGEST:,} characters or digits")
        return super().call_binop(context, operator, left, right)


def _size(operator: str, left: Any, right: Any) -> float:
    """Return about how large the result of an operation is, in items or digits."""
    if operator == "*":
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Sized) and isinstance(other, int):
                return len(one) * max(other, 0)
    elif operator == "**" and isinstance(left, int) and isinstance(right, int):
        return abs(left).bit_length() * abs(right) / 3
    elif operator == "%" and isinstance(left, str):
        digits = "".join(c if c.isdigit() else " " for c in left).split()
        return max((int(number[:12]) for number in digits), default=0)
    return 0


def _bounded(filter_: Any) -> Any:
    """Return a filter that refuses to make text wider than the limit."""

    def bounded(value: object, width: Any = 80, *args: Any, **kwargs: Any) -> Any:
        if isinstance(width, int) and width * max(1, str(value).count("\n")) > LARGEST:
            raise SecurityError(f"a width of {width:,} is more than {LARGEST:,}")
        return filter_(value, width, *args, **kwargs)

    return bounded


class _Watched:
    """What is looped over, handed out until the time is over.

    What has a length keeps it: `loop.length` and `loop.last` ask for it.
    """

    def __init__(self, items: Iterable[Any]) -> None:
        self._items = items if isinstance(items, Sized) else list(_until(iter(items)))

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Any]:
        return _until(iter(self._items))


def _until(items: Iterator[Any]) -> Iterator[Any]:
    end = time.thread_time() + LIMITS.loop_seconds
    for count, item in enumerate(items):
        # The first rounds may each take long: a loop in a loop.
        looks = count < _EVERY or count % _EVERY == 0
        if looks and time.thread_time() > end:
            raise SecurityError(f"a loop was ended after {LIMITS.loop_seconds:.0f} seconds")
        yield item


# --- faults ---------------------------------------------------------------------------

Result = TypeVar("Result")
LONGEST = 80
"""Characters of a line or value that are shown."""
_UNDEFINED = re.compile(r"'([^']+)' is undefined")
# What a template is given as a text, Python calls by the name of our own type.
_RAW = re.compile(r"(?<=')Raw(?=')|(?<=type )Raw\b")
_NAME = re.compile(r"\b[A-Za-z_]\w*\b")
_REMEDY = "mend the template, or remove it to get the packaged one back"
_WORDS = frozenset({"for", "in", "if", "set", "raw", "not", "and", "or", "is", "loop", "range"})


class NamedUndefined(jinja2.StrictUndefined):
    """A missing name; where it is an attribute, the nearest one that is there is told."""

    @property
    def _undefined_message(self) -> str:
        owner, name = self._undefined_obj, self._undefined_name
        # The sandbox says itself what it refuses.
        if owner is jinja2.utils.missing or name is None or self._undefined_hint:
            return super()._undefined_message
        whose = f"the text {_repr(owner)}" if isinstance(owner, str) else f"a {_kind(owner)}"
        if not isinstance(name, str):
            return f"{whose} has no element {name!r}"
        message = f"{whose} has no attribute {name!r}"
        names = owner if isinstance(owner, Mapping) else dir(owner)
        public = [str(name) for name in names if not str(name).startswith("_")]
        return message + near(name, public)


def near(name: str, names: Iterable[str]) -> str:
    """Return the nearest names as a hint, or else what there is.

    Example:
        >>> near("captoin", ["caption", "rows"])
        "; did you mean 'caption'?"
        >>> near("x", ["caption", "rows"])
        '; there are: caption, rows'
    """
    known = sorted(set(names))
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there are: {', '.join(known[:12])}" if known else ""


def shorten(text: str, longest: int = LONGEST) -> str:
    """Return a text on one line, its middle left out where it is long.

    Example:
        >>> shorten("a" * 20, 9)
        'aaaa…aaaa'
    """
    one = " ".join(text.split())
    if len(one) <= longest:
        return one
    half = (longest - 1) // 2
    return f"{one[:half]}…{one[-half:]}"


def guarded(
    action: Callable[[], Result],
    block: str,
    variables: Mapping[str, object] | None = None,
    *,
    known: Callable[[], Iterable[str]] = tuple,
) -> Result:
    """Run `action`; turn any fault of a template into a `TemplateError` that names it.

    Args:
        action: What uses the template.
        block: Id or kind of the block it renders.
        variables: What the template may use.
        known: Lists the templates there are.
    """
    try:
        return action()
    except ReportgenError:
        raise
    except jinja2.TemplateSyntaxError as fault:
        where = (fault.filename or fault.name or "", fault.lineno)
        raise _letter(str(fault.message), block, where) from fault
    except jinja2.TemplateNotFound as fault:
        hint = near(str(fault), [name for name in known() if not name.startswith("base/")])
        message = f"the template {str(fault)!r} was not found{hint}"
        raise _letter(message, block, _line_of(fault)) from fault
    except RecursionError as fault:
        message = "a template includes or calls itself without an end"
        raise _letter(message, block, _line_of(fault)) from fault
    except Exception as fault:
        message = _RAW.sub("text", f"{fault}") or type(fault).__name__
        name = _UNDEFINED.search(message) if isinstance(fault, jinja2.UndefinedError) else None
        if name and message == name[0]:
            message += near(name[1], variables or ())
        raise _letter(message, block, _line_of(fault), _values(fault)) from fault


def _letter(message: str, block: str, where: tuple[str, int], values: str = "") -> TemplateError:
    file, line = where
    place = f"{file}:{line}" if file else "unknown template"
    details = {"block": block, "template": place, "line": _text_of(file, line), "value": values}
    return TemplateError(
        f"{place}: {message} (while rendering {block!r})",
        remedy=_REMEDY,
        stage="template",
        details=details,
    )


def _text_of(file: str, line: int) -> str:
    """Return the text of a line of a template."""
    try:
        lines = Path(file).read_text("utf-8", "replace").split("\n") if file else []
    except (OSError, ValueError):
        return ""
    return shorten(lines[line - 1]) if 0 < line <= len(lines) else ""


def _inside(fault: BaseException) -> tuple[FrameType, int] | None:
    """Return the frame of the innermost template in a traceback, and its line."""
    trace: TracebackType | None = fault.__traceback__
    found = None
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.endswith(".j2"):
            found = trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next
    return found


def _line_of(fault: BaseException) -> tuple[str, int]:
    """Return file and line of the innermost template in a traceback."""
    inside = _inside(fault)
    return (inside[0].f_code.co_filename, inside[1]) if inside else ("", 0)


def _values(fault: BaseException) -> str:
    """Return what the names on the line stand for, as a template's author would write it."""
    inside = _inside(fault)
    if inside is None:
        return ""
    frame, line = inside
    there: dict[str, Any] = frame.f_locals
    names = dict.fromkeys(_NAME.findall(_text_of(frame.f_code.co_filename, line)))
    shown = [
        f"{name} = {_repr(there[name])}"
        for name in names
        if name in there and name not in _WORDS and not isinstance(there[name], jinja2.Undefined)
    ]
    return ", ".join(shown[:3])


def _kind(owner: object) -> str:
    """Return the name of a value's type: those of the document are words of their own."""
    return type(owner).__name__.lower()


def _repr(value: object) -> str:
    try:
        return shorten(repr(value))
    # A value may be anything, and an error about an error helps nobody.
    except Exception:  # noqa: BLE001
        return f"<{type(value).__name__}>"


# --- environments ---------------------------------------------------------------------

ANGLE: dict[str, Any] = {
    "block_start_string": "<%",
    "block_end_string": "%>",
    "variable_start_string": "<%=",
    "variable_end_string": "%>",
    "comment_start_string": "<%#",
    "comment_end_string": "#%>",
}
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")


def _join(pieces: Iterable[str]) -> Raw:
    return Raw("".join(pieces))


class _Environment(jinja2.Environment):
    """An environment whose own output is `Raw`."""

    concat = staticmethod(_join)


class _SandboxedEnvironment(LimitedEnvironment):
    """The same for templates of strangers: no private attributes, no mutation, with limits."""

    concat = staticmethod(_join)


class _FolderLoader(jinja2.FileSystemLoader):
    """Loads templates that lie inside one folder; a link that leads out is refused."""

    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        root = Path(self.searchpath[0]).resolve()
        try:
            source, filename, fresh = super().get_source(environment, template)
        except UnicodeDecodeError as fault:
            line = fault.object.count(b"\n", 0, fault.start) + 1
            message = "this line is not UTF-8; save the template as UTF-8"
            path = str(Path(self.searchpath[0], template))
            raise jinja2.TemplateSyntaxError(message, line, template, path) from fault
        if not Path(filename).resolve().is_relative_to(root):
            raise TemplateError(
                f"the template {filename} is a link that leads out of {root}",
                remedy="copy the file into the template folder",
            )
        return source, filename, fresh


class _Compiled(jinja2.BytecodeCache):
    """Keeps the code of packaged templates where Python keeps that of modules, under its rules.

    Args:
        kind: What makes a template's code besides its source.
    """

    def __init__(self, *kind: str) -> None:
        self._folder = Path(cache_from_source(__file__)).parent
        made = (sys.version, jinja2.__version__, *kind)  # one folder serves several Pythons
        self._kind = sha256("\n".join(made).encode()).hexdigest()[:12]

    def _path(self, bucket: Bucket) -> Path:
        return self._folder / f"{self._kind}-{bucket.key}.jinja"

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read the code of a template whose source has not changed."""
        with suppress(OSError, EOFError, ValueError, TypeError):
            head, _, code = self._path(bucket).read_bytes().partition(b"\n")
            if head.decode() == bucket.checksum:
                bucket.code = marshal.loads(code)  # noqa: S302 - of our folder, as modules are

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write the code of a template, where that of modules is written."""
        path = self._path(bucket)
        part = path.with_suffix(f".{os.getpid()}")
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                self._folder.mkdir(parents=True, exist_ok=True)
                part.write_bytes(bucket.checksum.encode() + b"\n" + marshal.dumps(bucket.code))
                part.replace(path)


@cache
def make_environment(
    name: str,
    escape: Callable[[str], str],
    template_dirs: tuple[Path, ...] = (),
    *,
    braces: bool = False,
    theme: Path | None = None,
) -> jinja2.Environment:
    """Build the template environment of one format.

    A template is looked for in each of `template_dirs`, in the theme's folder, and then in the
    packaged one. `base/` always names the packaged one and `theme/` the theme's, so that an
    override can extend it.

    Args:
        name: Name of the format and of its folder (`latex`).
        escape: Spells a plain string in the format.
        template_dirs: Folders of the user's; where there is one, templates run sandboxed.
        braces: `{{ }}` and `{% %}` instead of `<%= %>` and `<% %>`.
        theme: Folder of the theme; sandboxed too unless it is a packaged one.
    """
    packaged = _FolderLoader(packaged_templates() / name)
    own = [_FolderLoader(folder / name) for folder in template_dirs]
    themed = [_FolderLoader(theme / name)] if theme else []
    strange = template_dirs or (theme and not theme.is_relative_to(packaged_templates()))
    kind = _SandboxedEnvironment if strange else _Environment
    layers = {"base": packaged, "theme": jinja2.ChoiceLoader([*themed, packaged])}
    environment: jinja2.Environment = kind(
        loader=jinja2.ChoiceLoader([*own, *themed, packaged, jinja2.PrefixLoader(layers)]),
        finalize=_finalize(escape),
        undefined=NamedUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        autoescape=False,
        bytecode_cache=None if strange else _Compiled(name, escape(string.punctuation)),
        **({} if braces else ANGLE),
    )
    environment.filters["raw"] = Raw
    environment.filters["join"] = _join_filter(escape)
    return environment


def _finalize(escape: Callable[[str], str]) -> Callable[[object], object]:
    """Return what every printed value goes through."""
    bare = (Raw, int, float, jinja2.Undefined)
    return lambda value: value if isinstance(value, bare) else escape(str(value))


def _join_filter(escape: Callable[[str], str]) -> Callable[..., Raw]:
    """Return a `join` that escapes what it joins and whose result is not escaped again."""

    def join(items: Iterable[object], separator: str = "") -> Raw:
        return Raw(separator.join(i if isinstance(i, Raw) else escape(str(i)) for i in items))

    return join


def forget_templates() -> None:
    """Read all templates afresh: one that is new in front of another would not be noticed."""
    make_environment.cache_clear()


def find_block_template(
    environment: jinja2.Environment, kind: str, identifier: str
) -> jinja2.Template:
    """Return the template of one block: its own override, or that of its kind."""
    names = [f"blocks/{kind}.{_UNSAFE.sub('-', identifier)}.j2"] if identifier else []
    return guarded(
        lambda: environment.select_template([*names, f"blocks/{kind}.j2"]),
        identifier or kind,
        known=environment.list_templates,
    )


def render_block(
    environment: jinja2.Environment, kind: str, identifier: str, variables: Mapping[str, object]
) -> Raw:
    """Render one block with its template.

    Raises:
        TemplateError: The template cannot be parsed or rendered; names file, line and block.
    """
    template = find_block_template(environment, kind, identifier)
    return render_template(template, identifier or kind, variables)


def render_template(template: jinja2.Template, block: str, variables: Mapping[str, object]) -> Raw:
    """Render a template found before; `block` is named in errors."""
    known = template.environment.list_templates
    rendered = guarded(lambda: template.render(variables), block, variables, known=known)
    return Raw(rendered.strip("\n"))


def render_report(environment: jinja2.Environment, variables: Mapping[str, object]) -> str:
    """Render `report.j2` around the rendered blocks; ends in one newline.

    Raises:
        TemplateError: The template cannot be parsed or rendered.
    """
    template = guarded(lambda: environment.get_template("report.j2"), "report")
    known = environment.list_templates
    pieces = guarded(lambda: list(template.generate(variables)), "report", variables, known=known)
    # Joined once, without a copy to strip: a page of thousands of runs has a hundred megabytes.
    while pieces and not pieces[0].strip("\n"):
        pieces.pop(0)
    while pieces and not pieces[-1].strip("\n"):
        pieces.pop()
    if pieces:
        pieces[0] = pieces[0].lstrip("\n")
        pieces[-1] = pieces[-1].rstrip("\n")
    return "".join((*pieces, "\n"))
