"""Which digits belong to a name, and which are a value behind one."""

from __future__ import annotations

import pytest

from reportgen.checking.numbers._names import name_spans


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("GPT 2, GPT 3.5 and gpt 4o", ["GPT 2", "GPT 3.5", "gpt 4o"]),
        ("Llama 3.1 8B beside YOLO 11n", ["Llama 3.1", "YOLO 11n"]),
        ("on an RTX 4090 with release 22.04", ["RTX 4090", "release 22.04"]),
        ("au pas 250 : adam-yolo 68,7 ; unet 61,05", []),
        ("at step 250: adam-yolo 68.7, unet 61.05", []),
        ("yolo 0.456 is above llama 0.382", []),
    ],
)
def test_a_value_behind_a_family_of_models_is_no_version(text: str, names: list[str]) -> None:
    assert [text[start:end] for start, end in name_spans(text)] == names
