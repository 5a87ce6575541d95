"""A number that knows where it comes from, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Mapping

from reportgen.records.record import field, record


@record
class Evidence:
    """One logged point, file entry or configuration key that a number rests on.

    Attributes:
        path: File, relative to the evidence root it was found under.
        tag: Tag, tensor name or configuration key inside the file.
        step: Optimizer step of a logged point; None where there is no step.
        value: The value as it stands in the file (the log's own unit).
        run: Id of the run, where the file belongs to one.
    """

    path: str
    tag: str = ""
    step: int | None = None
    value: float | int | str | None = None
    run: str = ""


@record
class Quantity:
    """A computed number with its unit, its sample and its evidence.

    Attributes:
        value: The number, unrounded. Accuracies are fractions in [0, 1].
        unit: `"fraction"`, `"count"`, `"step"`, `"epoch"`, `"bytes"`, `"seconds"`, or `""`.
        n: Number of runs behind it; None for a single reading or an exact count.
        ddof: Delta degrees of freedom of a standard deviation, else None.
        method: What was computed, in words a caption can use.
        formula: The computation written out, `"(0.814 + 0.804 + 0.801) / 3"`.
        sources: What it was computed from.
    """

    value: float
    unit: str = ""
    n: int | None = None
    ddof: int | None = None
    method: str = ""
    formula: str = ""
    sources: tuple[Evidence, ...] = ()


@record
class Missing:
    """The absence of a number, with its reason. Never printed as 0 or NaN."""

    reason: str
    details: Mapping[str, str] = field(default_factory=dict)


Reading = Quantity | Missing
