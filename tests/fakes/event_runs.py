"""Long event files of several kinds, where a reader may take many records at a time."""

import random
from collections.abc import Callable, Sequence

from fakes import event_file as made
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary

Tags = Sequence[str]


def steady(rng: random.Random, tags: Tags) -> list[Event]:
    """Every tag at every step, in one order: what most programs write."""
    first, stride = rng.choice([0, 1, 100, 2**20]), rng.choice([1, 1, 25, 1000])
    return [made.scalar(tag, first + n * stride, rng.gauss(0, 1), 1e9 + n + rng.random())
            for n in range(300) for tag in tags]  # fmt: skip


def shuffled(rng: random.Random, tags: Tags) -> list[Event]:
    """Tags and steps as they come."""
    return [made.scalar(rng.choice(tags), rng.randrange(400), rng.gauss(0, 1), rng.random() * 2e9)
            for _ in range(900)]  # fmt: skip


def in_turn(rng: random.Random, tags: Tags) -> list[Event]:
    """Stretches of one tag, of another, of pictures between them."""
    events: list[Event] = []
    while len(events) < 900:
        tag, first = rng.choice(tags), rng.randrange(2 ** rng.randrange(1, 50))
        events += made.scalars(tag, [(first + n, rng.random()) for n in range(rng.randrange(60))])
        if rng.random() < 0.5:
            events.append(made.image("picture", first, rng.randrange(5000)))
        if rng.random() < 0.05:
            events.append(made.starts(first))
    return events


def in_forms(rng: random.Random, tags: Tags) -> list[Event]:
    """Every tag in a form of its own, its plug-in named the first time."""
    packs = [("FLOAT", "f"), ("DOUBLE", "d"), ("INT64", "q"), ("HALF", "e")]
    kinds = {tag: rng.choice(packs) for tag in tags}
    return [made.tensor(tag, step, made.content(*kinds[tag], rng.randrange(2000)),
                        plugin="" if step else "scalars")
            for step in range(300) for tag in tags]  # fmt: skip


def in_packs(rng: random.Random, tags: Tags) -> list[Event]:
    """All tags of a step in one event, now and then one alone."""
    events: list[Event] = []
    for step in range(400):
        some = rng.sample(tags, rng.randrange(1, len(tags) + 1))
        events.append(made.summary(
            step, *(Summary.Value(tag=tag, simple_value=rng.random()) for tag in some)
        ))  # fmt: skip
    return events


Shape = Callable[[random.Random, Tags], list[Event]]
SHAPES: tuple[Shape, ...] = (steady, shuffled, in_turn, in_forms, in_packs)


def tags_of(rng: random.Random) -> list[str]:
    """Return some tags: of one length, or of many."""
    if rng.random() < 0.5:
        return [f"tag_{n:02d}" for n in rng.sample(range(100), rng.randrange(2, 7))]
    return [f"{'part/' * rng.randrange(8)}{n}" for n in range(rng.randrange(2, 7))]


def long_file(shape: Shape, seed: int) -> list[Event]:
    """Return the events of file `seed` of a kind."""
    rng = random.Random(f"{shape.__name__} {seed}")
    return [made.header(), *shape(rng, tags_of(rng))]
