"""What another package may bring: a source of logs, a section and a format."""

import math
from collections.abc import Mapping

from reportgen.read.logs import LogSource
from reportgen.records.document import Number, Paragraph, Report, Section
from reportgen.records.facts import Facts
from reportgen.records.quantity import Evidence, Quantity
from reportgen.render import Labels, RenderContext

TICKS = LogSource(
    name="ticks",
    about="tables of the lab's own trainer",
    kind="metrics_csv",
    cut="rows",
    look=("tick", "goodness"),
    program="ticks",
    step=("tick",),
    tags={"goodness": "val/goodness"},
)


def checklist(facts: Facts) -> Section | None:
    """Say how many runs there are; nothing where there are none."""
    count = len(facts.runs.runs)
    if not count:
        return None
    words = Paragraph(text=(f"{count} runs were handed in.",))
    return Section(id="checklist", title="Checklist", blocks=(words,))


def render_outline(
    report: Report, labels: Labels, figures: Mapping[str, bytes], context: RenderContext
) -> dict[str, bytes]:
    """Return the titles of a report, one a line."""
    titles = [report.title, *(section.title for section in report.sections)]
    return {f"{context.stem}.outline": "\n".join(titles).encode()}


def fail(facts: Facts) -> Section:
    """Fail, as the section of a package that is not kept up."""
    return facts.no_such_field  # type: ignore[attr-defined, no-any-return]


def guess(facts: Facts) -> Section:
    """Print a number that nothing in the evidence says."""
    number = Number(id="guess.hours", quantity=Quantity(value=len(facts.groups)))
    words = Paragraph(text=("About ", number, " hours."))
    return Section(id="guess", title="A guess", blocks=(words,))


def leave(facts: Facts) -> Section:
    """End the program."""
    raise SystemExit(0)


def nan(facts: Facts) -> Section:
    """Print what is no number."""
    return _about(Number(id="own.nan", quantity=_own(math.nan)))


def styled(facts: Facts) -> Section:
    """Print a number in a style that there is not."""
    return _about(Number(id="own.style", quantity=_own(1.0), style="fancy"))


def _own(value: float) -> Quantity:
    return Quantity(value=value, sources=(Evidence(path="own"),))


def _about(number: Number) -> Section:
    words = Paragraph(text=("It is ", number, "."))
    return Section(id="own", title="Own", blocks=(words,))


def write_words(facts: Facts) -> str:
    """Return words where a section is asked for."""
    return f"{len(facts.groups)} groups"


def render_another(report: Report, *_: object) -> dict[str, bytes]:
    """Return a file that is called otherwise than the format."""
    return {"titles.txt": report.title.encode()}


def render_text(report: Report, *_: object) -> dict[str, str]:
    """Return text where bytes are asked for."""
    return {"report.outline": report.title}
