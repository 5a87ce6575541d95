"""Reports on made-up labs as students write them, and each with one thing changed.

Every number and every sentence that can be changed is a `Slot`: what is printed, and what a named
mistake would have printed in its place.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal

from fakes.course_lab import Lab, mean, rounded, spread
from fakes.rows import rows_beside

ROWS = rows_beside(__file__)


@dataclass(frozen=True)
class Slot:
    """Something printed, and what each named mistake would print in its place."""

    text: str
    mistakes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[Slot, ...], ...]


@dataclass(frozen=True)
class Text:
    parts: tuple[Slot, ...]
    item: bool = False


@dataclass(frozen=True)
class Heading:
    title: str


Part = Table | Text | Heading


def plain(text: str) -> Slot:
    return Slot(text)


def number(true: Decimal, decimals: int, *, unit: str = "", **mistakes: Decimal) -> Slot:
    """Return a printed number; mistakes that rounding could explain are left out."""
    shown = rounded(true, decimals)
    one = Decimal(1).scaleb(-decimals)
    texts = {
        name.replace("_", " "): f"{rounded(value, decimals)}{unit}"
        for name, value in mistakes.items()
        if abs(rounded(value, decimals) - true) > 2 * one
    }
    return Slot(f"{shown}{unit}", texts)


def write_report(lab: Lab, random_state: random.Random, *, french: bool) -> list[Part]:
    """Draw a report on a lab: some of the tables and sentences that people write."""
    words = FRENCH if french else ENGLISH
    parts: list[Part] = [Heading(words["results"])]
    chosen = random_state.sample((_best_table, _best_items, _means, _epochs), 2)
    for make in chosen:
        parts.extend(make(lab, random_state, words))
    parts.extend(_model(words))
    parts.extend(_trend(lab, words))
    return parts


ENGLISH = ROWS["english"]
FRENCH = ROWS["french"]


def _fill(pattern: str, *slots: Slot, item: bool = False) -> Text:
    texts = pattern.split("{}")
    parts = [plain(texts[0])]
    for slot, text in zip(slots, texts[1:], strict=True):
        parts += [slot, plain(text)]
    return Text(tuple(parts), item=item)


def _cells(lab: Lab, group: str, seed: int, random_state: random.Random) -> tuple[Slot, ...]:
    """Return best step, validation value and test value of a run, each with its mistakes."""
    best = lab.best(group, seed)
    valid, test = (lab.values[split][group][seed] for split in ("validation", "test"))
    others = [n for n in range(lab.epochs) if n != best]
    other = random_state.choice(others)
    neighbour = lab.seeds[(lab.seeds.index(seed) + 1) % len(lab.seeds)]
    step = Slot(str(lab.steps * (best + 1)), {"another epoch's step": str(lab.steps * (other + 1))})
    return (
        step,
        number(valid[best], 1, copied_test=test[best], another_epoch=valid[other]),
        number(
            test[best],
            1,
            copied_validation=valid[best],
            last_epoch=test[-1],
            best_on_test=max(test),
            another_seed=lab.values["test"][group][neighbour][lab.best(group, neighbour)],
            smoothed=lab.smoothed("test", group, seed, best),
            swapped_digits=_swapped(test[best]),
            fraction=test[best] / 100,
        ),
    )


def _swapped(value: Decimal) -> Decimal:
    tens, ones, rest = str(value)[0], str(value)[1], str(value)[2:]
    return Decimal(ones + tens + rest)


def _best_table(lab: Lab, random_state: random.Random, words: dict[str, str]) -> Iterator[Part]:
    head = tuple(words[k] for k in ("group", "seed", "step", "valid", "test"))
    rows = [
        (plain(label), plain(str(seed)), *_cells(lab, group, seed, random_state))
        for group, label in lab.groups
        for seed in lab.seeds
    ]
    yield Table(words["best"], head, tuple(rows))


def _best_items(lab: Lab, random_state: random.Random, words: dict[str, str]) -> Iterator[Part]:
    for group, label in lab.groups:
        yield Text((plain(words["for"].format(label)),))
        for seed in lab.seeds:
            step, valid, test = _cells(lab, group, seed, random_state)
            yield _fill(words["item"], plain(str(seed)), valid, step, test, item=True)


def _means(lab: Lab, _: random.Random, words: dict[str, str]) -> Iterator[Part]:
    for group, label in lab.groups:
        test, valid = lab.at_best("test", group), lab.at_best("validation", group)
        last = [lab.values["test"][group][s][-1] for s in lab.seeds]
        oracle = [max(lab.values["test"][group][s]) for s in lab.seeds]
        yield _fill(
            words["means"],
            plain(label),
            number(
                mean(test),
                2,
                validation_as_test=mean(valid),
                last_epoch=mean(last),
                best_on_test=mean(oracle),
                swapped_digits=_swapped(rounded(mean(test), 2)),
            ),
            number(
                spread(test, 1),
                2,
                population=spread(test, 0),
                fraction=spread(test, 1) / 100,
                validation_as_test=spread(valid, 1),
            ),
            plain(str(len(lab.seeds))),
        )


def _epochs(lab: Lab, _: random.Random, words: dict[str, str]) -> Iterator[Part]:
    for group, label in lab.groups:
        rows = []
        for epoch in range(lab.epochs):
            test, valid = (
                [lab.values[split][group][s][epoch] for s in lab.seeds]
                for split in ("test", "validation")
            )
            near = [lab.values["test"][group][s][epoch - 1] for s in lab.seeds]
            row = (
                plain(str(epoch + 1)),
                number(mean(test), 2, validation_as_test=mean(valid), another_epoch=mean(near)),
                number(spread(test, 1), 2, fraction=spread(test, 1) / 100),
            )
            rows.append(row)
        head = tuple(words[k] for k in ("epoch", "mean", "std"))
        yield Table(words["epochs"].format(label), head, tuple(rows))


def _model(words: dict[str, str]) -> Iterator[Part]:
    """A count by hand of a small encoder, which needs no evidence but itself."""
    yield Heading(words["model"])
    total = 32000 * 512 + 258 * 512 + 4 * (4 * 512 * 512 + 2 * 512 * 512)
    yield _fill(words["count"], plain("4"), plain("512"), plain("32000"))
    yield Text(
        (
            plain("32000 × 512 + 258 × 512 + 4 × ("),
            Slot("4 × 512 × 512 + 2 × 512 × 512", {"term left out": "5 × 512 × 512"}),
            plain(") = "),
            Slot(str(total), {"positions left out": str(total - 258 * 512)}),
        )
    )


def _trend(lab: Lab, words: dict[str, str]) -> Iterator[Part]:
    """A sentence that holds by construction: at every epoch one group lies above the other."""
    (first, label), (second, other) = lab.groups
    pairs = [
        (
            mean([lab.values["test"][first][s][n] for s in lab.seeds]),
            mean([lab.values["test"][second][s][n] for s in lab.seeds]),
        )
        for n in range(lab.epochs)
    ]
    if all(one > two + 1 for one, two in pairs):
        sign = Slot(words["higher"], {"sentence turned round": words["lower"]})
        yield _fill(words["above"], plain(label), sign, plain(other))


def slots(parts: list[Part]) -> list[Slot]:
    """Return every slot with a mistake, in reading order."""
    found: list[Slot] = []
    for part in parts:
        if isinstance(part, Table):
            found += [cell for row in part.rows for cell in row]
        elif isinstance(part, Text):
            found += part.parts
    return [slot for slot in found if slot.mistakes]


def render(parts: list[Part], form: str, changed: tuple[Slot, str] | None = None) -> str:
    """Spell a report as Markdown, LaTeX, plain text or a notebook, one slot changed or none."""

    def show(slot: Slot) -> str:
        return slot.mistakes[changed[1]] if changed and slot is changed[0] else slot.text

    if form == "ipynb":
        cell = {"cell_type": "markdown", "metadata": {}, "source": render(parts, "md", changed)}
        return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    lines: list[str] = []
    tables = 0
    for count, part in enumerate(parts, 1):
        if isinstance(part, Heading):
            mark = {"md": "## {}", "tex": "\\section{{{}}}", "txt": f"{count}    {{}}"}[form]
            lines += [mark.format(part.title), ""]
        elif isinstance(part, Text):
            text = "".join(show(slot) for slot in part.parts)
            mark = {
                "md": "- {}",
                "tex": "\\begin{{itemize}}\\item {}\\end{{itemize}}",
                "txt": "• {}",
            }
            lines += [mark[form].format(text) if part.item else text, ""]
        else:
            rows = [part.head, *(tuple(show(cell) for cell in row) for row in part.rows)]
            tables += 1
            lines += [*_table(rows, f"Table {tables}: {part.caption}", form), ""]
    text = "\n".join(lines)
    if form == "tex":
        return _latex(text)
    return text


def _table(rows: list[tuple[str, ...]], caption: str, form: str) -> list[str]:
    if form == "md":
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        lines.insert(1, "|" + " --- |" * len(rows[0]))
        return [caption, "", *lines]
    if form == "tex":
        body = [" & ".join(row) + r" \\" for row in rows]
        body.insert(1, r"\midrule")
        columns = "l" * len(rows[0])
        title = caption.partition(": ")[2]
        return [
            rf"\begin{{table}}\caption{{{title}}}",
            rf"\begin{{tabular}}{{{columns}}}\toprule",
            *body,
            r"\bottomrule\end{tabular}\end{table}",
        ]
    widths = [max(len(row[n]) for row in rows) + 4 for n in range(len(rows[0]))]
    aligned = [
        "".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in rows
    ]
    return [*aligned, "", caption]


def _latex(text: str) -> str:
    for sign, command in (("%", r"\%"), ("±", r"$\pm$"), ("×", r"$\times$")):
        text = text.replace(sign, command)
    return (
        "\\documentclass{article}\\usepackage{booktabs}\n\\begin{document}\n"
        f"{text}\n\\end{{document}}\n"
    )
