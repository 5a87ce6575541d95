"""reportgen: lab reports that write themselves and prove every number.

The public names are imported on first use, so that `import reportgen` stays light:

    >>> import reportgen
    >>> sorted(reportgen.__all__)[:3]
    ['BuildOptions', 'BuiltReport', 'Bullets']
"""

from __future__ import annotations

# As type checkers know it: `typing` takes longer to import than all else here, and an interrupt
# meanwhile could not be caught.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from reportgen.app import (
        BuildOptions,
        BuiltReport,
        CheckOptions,
        GridOptions,
        RerunOptions,
        build,
        check,
        frame_of_findings,
        inspect,
        load,
        make_study,
        open_report,
        plan,
        rerun,
    )
    from reportgen.records.document import (
        Bullets,
        Chart,
        Code,
        Emphasis,
        Figure,
        Link,
        Listing,
        Number,
        Paragraph,
        Ref,
        Section,
        Strong,
        Table,
        TableColumn,
        TableRow,
    )
    from reportgen.records.quantity import Evidence, Missing, Quantity

__version__ = "0.2.0"

__all__ = [
    "BuildOptions",
    "BuiltReport",
    "Bullets",
    "Chart",
    "CheckOptions",
    "Code",
    "Emphasis",
    "Evidence",
    "Figure",
    "GridOptions",
    "Link",
    "Listing",
    "Missing",
    "Number",
    "Paragraph",
    "Quantity",
    "Ref",
    "RerunOptions",
    "Section",
    "Strong",
    "Table",
    "TableColumn",
    "TableRow",
    "build",
    "check",
    "frame_of_findings",
    "inspect",
    "load",
    "make_study",
    "open_report",
    "plan",
    "rerun",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first asked for."""
    if name in __all__:
        from reportgen.records.registry import lazy_names

        return lazy_names(__name__)(name)
    raise AttributeError(f"module 'reportgen' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names with the module's own."""
    return sorted({*globals(), *__all__})
