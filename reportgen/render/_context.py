"""What a format is told beside the report itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from reportgen.render._page import Page
from reportgen.render._themes import Theme


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderContext:
    """Choices of one build.

    Attributes:
        template_dirs: Folders with templates of the user's, first one first (`--template`,
            then the project's `templates/`); each holds a folder a format.
        stem: Name of the main file without its ending; figures lie in `<stem>_files/`.
        options: Choices of single formats (`"markdown.math": "dollars"`).
        theme: What the pages look like; None is the packaged look.
        siblings: Endings of the files that are made together.
    """

    template_dirs: tuple[Path, ...] = ()
    stem: str = "report"
    options: tuple[tuple[str, str], ...] = ()
    theme: Theme | None = None
    siblings: tuple[str, ...] = ()

    @property
    def page(self) -> Page:
        """The page that is set."""
        return self.theme.page if self.theme else Page()

    @property
    def theme_folder(self) -> Path | None:
        """Folder of the theme's templates."""
        return self.theme.folder if self.theme else None

    @property
    def foreign_dirs(self) -> tuple[Path, ...]:
        """Folders with templates that did not come with the program."""
        own = (self.theme.folder,) if self.theme and not self.theme.packaged else ()
        return (*self.template_dirs, *own)

    def option(self, name: str, default: str = "") -> str:
        """Return the choice of this name, or `default`."""
        return dict(self.options).get(name, default)

    def figure_path(self, anchor: str, ending: str) -> str:
        """Return the relative path of a figure's file.

        Example:
            >>> RenderContext(stem="lab").figure_path("curves", "svg")
            'lab_files/curves.svg'
        """
        return f"{self.stem}_files/{anchor}.{ending}"
