"""Event files of random tags, steps, clocks and forms of values, as no program would mix them."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import numpy as np
from fakes import event_file as make
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.compat.proto.tensor_pb2 import TensorProto

STEPS = (0, 0, 100, 16_000, 2**21 - 50, 2**40, 2**62, -5)
WALLS = (1.7e9, 1.7e9, 0.0, -3.5, 1e300)
LENGTHS = (0, 1, 4, 4, 4, 9, 30, 200, 1100)
VALUES = (0.1, 0.0, -0.0, math.inf, math.nan, 1e-30, 3.0)
WHOLE = (0, 1, -7, 2**40, 2**53)


def random_file(rng: Random, most: int = 400) -> bytes:
    """Return a file of up to `most` events; each tag keeps its form, or mixes several."""
    tags = [
        "".join(rng.choices("abcdé/ ", k=rng.choice(LENGTHS))) for _ in range(rng.randint(1, 12))
    ]
    forms = {tag: rng.choice(["simple", "simple", *TENSORS, "mixed"]) for tag in tags}
    events = [make.header()]
    step, wall = rng.choice(STEPS), rng.choice(WALLS)
    for _ in range(rng.randint(0, most)):
        if rng.random() < 0.9:
            step = min(step + rng.choice([0, 1, 1, 1, 1, 7, -3]), 2**63 - 1)
        wall += rng.random()
        tag = rng.choice(tags)
        other = _other(rng, tag, tags, step, wall) if rng.random() < 0.08 else None
        events.append(other or _point(rng, tag, forms[tag], step, wall))
    return make.encode(events)


def _other(rng: Random, tag: str, tags: list[str], step: int, wall: float) -> Event:
    """Return an event that is no single point."""
    value = rng.choice(VALUES)
    pair = [Summary.Value(tag=one, simple_value=value) for one in (tag, tags[0])]
    choices: list[Any] = [
        lambda: make.image(tag, step, rng.choice([10, 300, 3000])),
        lambda: make.histogram(tag, step),
        lambda: make.audio(tag, step),
        make.graph,
        lambda: make.text("words", f"at {step}", step),
        lambda: make.starts(step, wall),
        lambda: make.hyperparameters(lr=step / 7),
        lambda: make.tensor("curve", step, make.content("FLOAT", "f", value), plugin="pr_curves"),
        lambda: make.summary(step, *pair, wall_time=wall),
    ]
    return rng.choice(choices)()


def _point(rng: Random, tag: str, form: str, step: int, wall: float) -> Event:
    form = rng.choice(["simple", "double", "int64", "float"]) if form == "mixed" else form
    if form == "simple":
        return make.scalar(tag, step, rng.choice([*VALUES, rng.random()]), wall)
    plugin = "scalars" if rng.random() < 0.3 else ""
    return make.tensor(tag, step, TENSORS[form](rng), plugin=plugin, wall_time=wall)


def _number(rng: Random) -> float:
    return rng.choice([*VALUES, rng.random()])


def _half(rng: Random) -> TensorProto:
    return make.fields("HALF", half_val=[int(np.float16(_number(rng)).view(np.uint16))])


TENSORS = {
    "float": lambda rng: make.content("FLOAT", "f", _number(rng)),
    "float_val": lambda rng: make.fields("FLOAT", float_val=[_number(rng)]),
    "double": lambda rng: make.content("DOUBLE", "d", _number(rng)),
    "double_val": lambda rng: make.fields("DOUBLE", double_val=[_number(rng)]),
    "half": lambda rng: make.content("HALF", "e", _number(rng)),
    "half_val": _half,
    "bfloat16": lambda rng: make.content("BFLOAT16", "H", rng.randrange(1 << 16)),
    "int64": lambda rng: make.content("INT64", "q", rng.choice(WHOLE)),
    "int64_val": lambda rng: make.fields("INT64", int64_val=[rng.choice(WHOLE)]),
    "int32": lambda rng: make.content("INT32", "i", rng.randint(-500, 500)),
    "bool": lambda rng: make.content("BOOL", "?", rng.random() < 0.5),
}
