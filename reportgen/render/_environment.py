"""Templates: where they are found, how values are escaped, how faults are told.

Every value a template prints is escaped unless it is `Raw` or a bare number; there is nothing
to remember and nothing to forget. What a template itself produces (`super()`, macros,
blocks) is `Raw`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from reportgen.errors import TemplateError
from reportgen.render._inline import Raw
from reportgen.render._template_faults import NamedUndefined, guarded
from reportgen.render._template_limits import LimitedEnvironment

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
        undefined=NamedUndefined,
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
