"""What a caller in Python gives by name, as options of one command."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from typing import Any, TypeVar

from reportgen.errors import UsageError

Options = TypeVar("Options")


def options_of(kind: type[Options], options: Options | None, given: Mapping[str, Any]) -> Options:
    """Return options with what is given in place of what they say.

    Args:
        kind: A dataclass of options.
        options: Those to begin with, or none.
        given: Fields by name.

    Raises:
        UsageError: There is no such option, or one that is needed is not given.

    Example:
        >>> from reportgen.api.checking import CheckOptions
        >>> try:
        ...     options_of(CheckOptions, None, {"run": "logs"})
        ... except UsageError as fault:
        ...     print(fault.message, fault.remedy, sep="; ")
        there is no option 'run'; did you mean runs?
    """
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            remedy = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise UsageError(f"there is no option {name!r}", remedy=remedy)
    if options is not None:
        return replace(options, **given)  # type: ignore[type-var]
    lacking = [
        name
        for name, field in known.items()
        if name not in given and field.default is MISSING and field.default_factory is MISSING
    ]
    if lacking:
        raise UsageError(f"{lacking[0]} is not given", remedy=f"give {lacking[0]}=...")
    return kind(**given)
