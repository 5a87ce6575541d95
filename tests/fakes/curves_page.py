"""Figures of made-up runs for pages: as logged, smoothed, mean and spread, and a long one."""

import math

from reportgen.records.document import Band, Chart, Figure, Line, Panel

DRAWING = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="100pt" height="50pt" viewBox="0 0 100 50">'
    b'<path d="M 0 0 L 100 50"/></svg>'
)
EPOCHS = (1.0, 2.0, 3.0, 4.0)
STEPS = (10, 20, 30, 40)
LOGGED = {
    ("a", 0): (50.0, 61.25, 70.5, 70.125),
    ("a", 1): (52.5, 60.0, 69.0, 71.0),
    ("b", 0): (40.0, 45.5, math.nan, 47.0),
}


def explored_figures(names: dict[str, str] | None = None) -> tuple[Figure, ...]:
    """Return the same runs in three figures; `names` renames groups."""
    called = {"a": "group a", "b": "group b", **(names or {})}
    raw = tuple(
        Line(label=f"seed {seed}", group=called[group], group_index="ab".index(group), member=seed,
             x=EPOCHS, y=values, steps=STEPS)
        for (group, seed), values in LOGGED.items()
    )  # fmt: skip
    smooth = tuple(
        Line(label=r.label, group=r.group, group_index=r.group_index, member=r.member, x=r.x, y=r.y,
             steps=r.steps, smoothed=tuple(v if math.isnan(v) else v - 1 for v in r.y))
        for r in raw
    )  # fmt: skip
    band = Band(group=called["a"], group_index=0, label=f"{called['a']} (n = 3)", x=EPOCHS,
                mean=(51.25, 60.625, 69.75, 70.5625), low=(50.0, 60.0, 69.0, 70.0),
                high=(52.5, 61.25, 70.5, 71.125))  # fmt: skip
    return (
        _figure("raw", "curves", lines=raw),
        _figure("smoothed", "curves", lines=smooth),
        _figure("bands", "curves", bands=(band,)),
    )


def long_figure(points: int = 5000) -> Figure:
    """Return a curve of many points with one spike."""
    y = tuple(99.0 if i == 1234 else math.sin(i / 300) for i in range(points))
    x = tuple(map(float, range(points)))
    line = Line(label="seed 0", group="long", group_index=0, member=0, x=x, y=y)
    panel = Panel(
        title="Training", x_label="step (optimizer updates)", y_label="loss", lines=(line,)
    )
    return Figure(
        id="long", caption=(), chart=Chart(kind="curves", panels=(panel,)), alt="A curve."
    )


def diverged_figure() -> Figure:
    """Return one run that learns and one that goes astray, on a logarithmic axis."""
    lines = tuple(
        Line(label=f"seed {seed}", group="net", group_index=0, member=seed, x=EPOCHS, y=values)
        for seed, values in enumerate([(2.0, 1.0, 0.6, 0.5), (2.0, 30.0, 4e3, 3e5)])
    )
    panel = Panel(title="Test", x_label="epoch", y_label="loss", lines=lines)
    chart = Chart(kind="curves", panels=(panel,))
    return Figure(id="raw", caption=(), chart=chart, alt="One curve falls, one rises.")


def _figure(name: str, kind: str, **drawn: tuple[Line | Band, ...]) -> Figure:
    panel = Panel(
        title="Validation", x_label="epoch", y_label="accuracy (%)", x_ticks=EPOCHS, **drawn
    )
    return Figure(id=name, caption=(), chart=Chart(kind=kind, panels=(panel,)), alt="Curves rise.")
