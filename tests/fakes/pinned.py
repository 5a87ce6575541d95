"""Golden facts: a file of few lines that a test holds against what the program says today.

`make golden` writes them anew; the difference is then read like code.
"""

import math
import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from fakes.rows import rows_of

WRITE = bool(os.environ.get("REPORTGEN_GOLDEN"))
ANEW = "if the new one is right: `make golden` writes it; read the difference like code"


def shared(name: str) -> Path:
    """Return a folder that lies beside the checkout on some machines only."""
    folder = Path(__file__).resolve().parents[3] / "shared" / name
    if not folder.is_dir():
        pytest.skip(f"no shared/{name} beside the checkout")
    return folder


def rounded(value: Any) -> Any:
    """Return a value with nine significant digits, as deep as it goes."""
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(one) for one in value]
    if isinstance(value, float) and math.isfinite(value):
        short = float(f"{value:.9g}")
        return int(short) if short.is_integer() and abs(short) < 1e15 else short
    return value


def spelled(facts: dict[str, Any]) -> str:
    """Return YAML of two levels, one line an entry of the second."""
    lines = []
    for key, value in facts.items():
        if isinstance(value, dict) and value:
            lines += [f"{key}:", *(f"  {_flow(name)}: {_flow(one)}" for name, one in value.items())]
        else:
            lines.append(f"{key}: {_flow(value)}")
    return "\n".join([*lines, ""])


def _flow(value: Any) -> str:
    text = yaml.safe_dump(
        value, default_flow_style=True, width=math.inf, sort_keys=False, allow_unicode=True
    )
    return text.removesuffix("\n").removesuffix("\n...")


def hold(path: Path, facts: dict[str, Any]) -> None:
    """Hold facts against the golden file; write it where that is asked for."""
    facts = rounded(facts)
    if WRITE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(spelled(facts), encoding="utf-8")
    assert facts == rows_of(path), ANEW
