"""What several checks ask of one case, worked out once and kept with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar, cast

from reportgen.records.finding import Case

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


def once(
    function: Callable[Concatenate[Case, _Arguments], _Result],
) -> Callable[Concatenate[Case, _Arguments], _Result]:
    """Return a function that does its work once a case and set of arguments.

    Every check asks for the values of single runs, for each of its claims. What is returned
    must not be changed; arguments must be hashable, and a case changed with `replace` starts
    with nothing.

    Args:
        function: One whose result depends on nothing but its arguments.

    Example:
        >>> from reportgen.records.manuscript import Manuscript
        >>> @once
        ... def size(case):
        ...     print("counts")
        ...     return len(case.claims)
        >>> report = Manuscript(path="r.md", format="markdown", sha256="", blocks=())
        >>> case = Case(manuscript=report, claims=())
        >>> size(case), size(case)
        counts
        (0, 0)
    """

    @wraps(function)
    def asked(case: Case, *args: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
        key = (function, args, *sorted(named.items()))
        if key not in case.worked_out:
            case.worked_out[key] = function(case, *args, **named)
        return cast("_Result", case.worked_out[key])

    return cast("Callable[Concatenate[Case, _Arguments], _Result]", asked)
