"""Templates: where they are found, how values are escaped, how faults are told.

Every value a template prints is escaped unless it is `Raw` or a bare number; there is nothing
to remember and nothing to forget. What a template itself produces (`super()`, macros,
blocks) is `Raw`.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from reportgen.errors import ReportgenError, TemplateError
from reportgen.formats._inline import Raw

ANGLE: dict[str, Any] = {
    "block_start_string": "<%",
    "block_end_string": "%>",
    "variable_start_string": "<%=",
    "variable_end_string": "%>",
    "comment_start_string": "<%#",
    "comment_end_string": "#%>",
}
Result = TypeVar("Result")
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")


def _join(pieces: Iterable[str]) -> Raw:
    return Raw("".join(pieces))


class _Environment(jinja2.Environment):
    """An environment whose own output is `Raw`."""

    concat = staticmethod(_join)


class _SandboxedEnvironment(ImmutableSandboxedEnvironment):
    """The same for templates of strangers: no private attributes, no mutation."""

    concat = staticmethod(_join)


class _FolderLoader(jinja2.FileSystemLoader):
    """Loads templates that lie inside one folder; a link that leads out is refused."""

    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        source, filename, fresh = super().get_source(environment, template)
        root = Path(self.searchpath[0]).resolve()
        if not Path(filename).resolve().is_relative_to(root):
            raise TemplateError(
                f"the template {filename} is a link that leads out of {root}",
                remedy="copy the file into the template folder",
            )
        return source, filename, fresh


def packaged_templates() -> Path:
    """Return the folder of the templates that come with the program.

    In an installed wheel that is `reportgen/_templates`, in a checkout `templates/`.
    """
    package = Path(__file__).resolve().parent.parent
    installed = package / "_templates"
    return installed if installed.is_dir() else package.parent / "templates"


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
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        autoescape=False,
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


def find_block_template(
    environment: jinja2.Environment, kind: str, identifier: str
) -> jinja2.Template:
    """Return the template of one block: its own override, or that of its kind."""
    names = [f"blocks/{kind}.{_UNSAFE.sub('-', identifier)}.j2"] if identifier else []
    return _guarded(
        lambda: environment.select_template([*names, f"blocks/{kind}.j2"]), identifier or kind
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
    return Raw(_guarded(lambda: template.render(variables), block).strip("\n"))


def render_report(environment: jinja2.Environment, variables: Mapping[str, object]) -> str:
    """Render `report.j2` around the rendered blocks; ends in one newline.

    Raises:
        TemplateError: The template cannot be parsed or rendered.
    """
    template = _guarded(lambda: environment.get_template("report.j2"), "report")
    return str(render_template(template, "report", variables)) + "\n"


def _guarded(action: Callable[[], Result], block: str) -> Result:
    """Run `action`; turn any fault of a template into a `TemplateError` that names it."""
    try:
        return action()
    except ReportgenError:
        raise
    except jinja2.TemplateSyntaxError as fault:
        where = f"{fault.filename or fault.name}:{fault.lineno}"
        raise _template_error(where, block, str(fault.message)) from fault
    except jinja2.TemplateNotFound as fault:
        raise _template_error("no template", block, f"{fault} was not found") from fault
    except Exception as fault:
        raise _template_error(_line_of(fault), block, f"{fault}") from fault


def _line_of(fault: Exception) -> str:
    """Return `file:line` of the innermost template in a traceback."""
    frames = traceback.extract_tb(fault.__traceback__)
    inside = [frame for frame in frames if frame.filename.endswith(".j2")]
    return f"{inside[-1].filename}:{inside[-1].lineno}" if inside else "unknown template"


def _template_error(where: str, block: str, message: str) -> TemplateError:
    return TemplateError(
        f"{where}: {message} (while rendering {block!r})",
        remedy="mend the template, or remove it to get the packaged one back",
    )
