"""Reviews made by hand: one of every outcome, hostile ones, a class, and very many."""

from collections.abc import Sequence
from decimal import Decimal
from functools import cache

from reportgen.checking.projections import FINDINGS, Rendering
from reportgen.records.manuscript import Block, Cell, Line, Manuscript, Place
from reportgen.records.source import Problem
from reportgen.records.verdict import Context, Number, Printed, Review, Trace, Verdict

HOSTILE = (
    "]]>",
    "::error::",
    "::error file=a,line=1::b",
    "</script><script>alert(1)</script>",
    "<!-- <script>",
    "<img src=x onerror=alert(1)>",
    "\"quoted\" & 'single'",
    "&amp;",
    "\x00nul\x07bel\x1b[31mred\x1b[0m",
    "\x85next\x9bcsi",
    "a\rb\nc\tv\x0bf\x0c",
    "\u202eright to left\u202c \u2066isolate\u2069 \u200fmark",
    "\u2028line\u2029paragraph",
    "\ufffe\uffff",
    "half \ud800 surrogate \udfff",
    "a%0Ab%25c:d,e",
    "| pipe | `tick` *star* [link](http://x) ![i](y)",
    "=cmd|' /C calc'!A0",
    "##[error]old style",
    "x" * 3000,
    "Ωμέγα Привет 日本語 🚀 e\u0301",
    "{{ 7*7 }} {% raw %} <%= 7*7 %>",
)
LOG = "logs/pretrained-1/events.out.tfevents"


def shown(form: str, *reviews: Review, **options: object) -> str:
    """Reviews in a findings format, under options of `Rendering`."""
    text: str = FINDINGS.load(form)(reviews, Rendering(**options))
    return text


class Writer:
    """Makes a manuscript and the numbers in it, block by block."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.headings: tuple[str, ...] = ()
        self.numbers = 0
        self.line = 1

    def block(self, type_: str, text: str, level: int = 0) -> int:
        line = Line(text=text, number=self.line)
        self.blocks.append(Block(type=type_, lines=(line,), level=level))
        self.line += 2
        if type_ == "heading":
            self.headings = (*self.headings[: level - 1], text)
        return len(self.blocks) - 1

    def table(self, rows: Sequence[Sequence[str]], caption: str) -> int:
        lines, cells = [], []
        for number, row in enumerate(rows, self.line):
            lines.append(Line(text=" | ".join(row), number=number))
            start, found = 0, []
            for cell in row:
                found.append(Cell(text=cell, line=lines[-1], start=start))
                start += len(cell) + 3
            cells.append(tuple(found))
        self.line += len(rows) + 1
        block = Block(type="table", lines=tuple(lines), rows=tuple(cells), head=1, caption=caption)
        self.blocks.append(block)
        return len(self.blocks) - 1

    def number(self, block: int, text: str, *cell: int) -> Number:
        """A number that stands in a block, its first occurrence, or in a cell of a table."""
        inside = self.blocks[block]
        held = inside.rows[cell[0]][cell[1]] if cell else inside
        start = held.text.index(text)
        context = Context(sentence=held.text, offset=start, headings=self.headings)
        if cell:
            context = Context(
                row=inside.rows[cell[0]][0].text,
                head=inside.rows[0][cell[1]].text,
                caption=inside.caption,
                headings=self.headings,
                sentence=text,
            )
        self.numbers += 1
        return Number(
            id=f"n{self.numbers}",
            printed=Printed(text=text, value=Decimal(text.replace(",", ""))),
            place=held.place(start, start + len(text)),
            block=block,
            type=inside.type,
            start=start,
            end=start + len(text),
            context=context,
            row=cell[0] if cell else None,
            column=cell[1] if cell else None,
        )

    def said(self, outcome: str, rule: str, number: Number, **known: object) -> Verdict:
        return Verdict(
            **{
                "outcome": outcome, "rule": rule, "place": number.place, "number": number,
                "quote": number.context.sentence, **known,
            }
        )  # fmt: skip


def logged(value: float, what: str, step: int = 675) -> tuple[Trace, ...]:
    return (Trace(what=what, value=value, path=LOG, tag="test/accuracy", run="p/1", step=step),)


def every_outcome(path: str = "report.md") -> Review:
    """One report with a number of each outcome and level, and two statements."""
    w = Writer()
    w.block("heading", "Fine-tuning of a small encoder, version 2", level=1)
    version = w.number(0, "2")
    w.block("heading", "Parameters", level=2)
    equation = w.block("equation", "4 \\times 512 \\times 512 = 1,048,567")
    total = w.block("paragraph", "In all the encoder has about 22.8M parameters, d_model = 512.")
    nine = w.number(equation, "1,048,567")
    count, width = w.number(total, "22.8"), w.number(total, "512")
    w.block("heading", "Results", level=2)
    table = w.table(
        (("Seed", "Validation", "Test"), ("1", "81.5", "80"), ("2", "80.0", "78.50")),
        "Table 1: accuracy at the best validation step",
    )
    best, copied = w.number(table, "81.5", 1, 1), w.number(table, "80", 1, 2)
    fine = w.number(table, "78.50", 2, 2)
    text = w.block("paragraph", "The mean of the test accuracy is 79.3, its deviation 0.61.")
    mean, spread = w.number(text, "79.3"), w.number(text, "0.61")
    trend = w.block("item", "The loss falls in every epoch until the fifth.", level=1)
    order = w.block("paragraph", "Pre-training is always better.")
    verdicts = (
        w.said("no_claim", "", version, reason="version"),
        w.said(
            "contradicted", "arithmetic", nine, level="error", bindings=("formula", "words"),
            expected="1,048,576", cause="two digits stand the other way round",
            message="the report says 1,048,567; 4 × 512 × 512 is 1,048,576; "
            "two digits stand the other way round",
            traces=(Trace(what="4 × 512 × 512", value=1048576.0),),
        ),
        w.said(
            "contradicted", "count", count, level="warning", bindings=("words",),
            expected="23.4", message="the report says 22.8M; the checkpoint has 23,388,418",
        ),
        w.said(
            "traced", "setting", width,
            traces=(Trace(what="hidden_size", value=512.0, path="model/config.json",
                          tag="hidden_size"),),
        ),
        w.said("traced", "series", best, bindings=("vote", "key"),
               traces=logged(81.5, "validation accuracy at step 675")),
        w.said(
            "contradicted", "series", copied, level="error", bindings=("vote", "key"),
            expected="78.5", cause="80.0 is the validation value of seed 2",
            message="the report says 80 (Table 1); the logs have 78.5 at step 675",
            traces=logged(78.5, "test accuracy at step 675"),
        ),
        w.said("traced", "series", fine, traces=logged(78.4983, "test accuracy at step 675")),
        w.said(
            "contradicted", "column", mean, level="note", bindings=("formula",), expected="79.2",
            message="the report says 79.3; the column has a mean of 79.25",
            traces=(Trace(what="mean of 2 rows", value=79.25),),
        ),
        w.said("untraced", "", spread, reason="it stands nowhere in the evidence"),
        Verdict(
            outcome="contradicted", rule="statement", level="warning", bindings=("words",),
            place=w.blocks[trend].place(0, 10), quote=w.blocks[trend].text,
            message="the loss rises in epoch 3",
            traces=(Trace(what="loss in epoch 3", value=0.5, path=LOG, tag="loss", step=3),),
        ),
        Verdict(
            outcome="untraced", rule="statement", place=w.blocks[order].place(0, 10),
            quote="Pre-training is always better.", reason="the logs have one group",
        ),
    )  # fmt: skip
    return Review(
        manuscript=Manuscript(
            path=path, format="markdown", sha256="a" * 64, blocks=tuple(w.blocks)
        ),
        verdicts=verdicts,
        evidence=(("e1", LOG, "b" * 64), ("e2", "model/config.json", "c" * 64)),
        problems=(Problem(path=LOG, message="the last record is cut off", remedy="copy it again"),),
        assumed=(("seeds of pretrained", "1 is 0, 2 is 1", "the values fit no other numbering"),),
    )  # fmt: skip


def empty(path: str = "empty.md") -> Review:
    return Review(manuscript=Manuscript(path=path, format="markdown", sha256="0" * 64, blocks=()))


def unreadable(path: str = "broken.pdf") -> Review:
    return Review(
        manuscript=Manuscript(path=path, format="", sha256="", blocks=()),
        fault=f"{path} could not be checked: the file ends in the middle of a page",
    )


def verdict(
    index: int,
    *,
    text: str = "81.5",
    outcome: str = "contradicted",
    level: str = "error",
    rule: str = "series",
    **known: object,
) -> Verdict:
    """One verdict on a number of its own; its words are those of `text`."""
    place = Place(line=index + 1, column=2, end_column=4)
    number = Number(
        id=f"n{index}",
        printed=Printed(text=text, value=Decimal("81.5"), decimals=1),
        place=place,
        start=0,
        end=min(4, len(text)),
        context=Context(row=text, head=text, caption=text, headings=(text,), sentence=text),
    )
    trace = Trace(what=text, value=float("nan"), path=text, tag=text, run=text, step=index)
    loud = outcome == "contradicted"
    made = {
        "outcome": outcome, "rule": rule, "place": place, "number": number, "quote": text,
        "level": level if loud else "none", "bindings": (text,), "traces": (trace,),
        "expected": text, "cause": text if loud else "", "message": f"{text}; {text}",
        "reason": "" if loud or outcome == "traced" else text, **known,
    }  # fmt: skip
    return Verdict(**made)


def reviewed(verdicts: Sequence[Verdict], path: str = "report.md", **known: object) -> Review:
    """A review of verdicts whose report is one paragraph."""
    quotes = dict.fromkeys(one.quote for one in verdicts)
    lines = tuple(Line(text=quote, number=i) for i, quote in enumerate(quotes, 1))
    blocks = (Block(type="paragraph", lines=lines),)
    made = {
        "manuscript": Manuscript(path=path, format="markdown", sha256="d" * 64, blocks=blocks),
        "verdicts": tuple(verdicts),
        **known,
    }
    return Review(**made)


def hostile(path: str = "]]>::error::</script>\u202e&\x1b.md") -> Review:
    """Every hostile text in every place where a stranger's words may stand."""
    kinds = (
        ("contradicted", "error"), ("contradicted", "warning"), ("contradicted", "note"),
        ("traced", "none"), ("untraced", "none"), ("no_claim", "none"),
    )  # fmt: skip
    verdicts = [
        verdict(6 * i + j, text=text, rule=text[:40], outcome=outcome, level=level)
        for i, text in enumerate(HOSTILE)
        for j, (outcome, level) in enumerate(kinds)
    ]
    statements = [
        Verdict(outcome="contradicted", rule="statement", level="error", quote=text, message=text,
                place=Place(line=i + 1))
        for i, text in enumerate(HOSTILE)
    ]  # fmt: skip
    types = ("heading", "paragraph", "item", "equation", "code", "output", "caption", "reference")
    lines = tuple(Line(text=text, number=i + 1) for i, text in enumerate(HOSTILE))
    blocks = tuple(
        Block(type=types[i % len(types)], lines=(line,), level=1, caption=line.text)
        for i, line in enumerate(lines)
    )
    rows = tuple(tuple(Cell(text=text, line=line) for text in HOSTILE[:4]) for line in lines)
    table = Block(type="table", lines=lines, rows=rows, head=1, caption=HOSTILE[3])
    return reviewed(
        [*verdicts, *statements],
        path,
        manuscript=Manuscript(
            path=path, format="markdown", sha256="d" * 64, blocks=(*blocks, table)
        ),
        evidence=tuple((f"e{i}", text, "e" * 64) for i, text in enumerate(HOSTILE)),
        problems=tuple(Problem(path=text, message=text, remedy=text) for text in HOSTILE),
        assumed=tuple((text, text, text) for text in HOSTILE),
        remark="".join(HOSTILE[1:]),
    )


@cache
def very_many(count: int = 5000) -> Review:
    kinds = (("contradicted", "error"), ("contradicted", "note"), ("traced", "none"))
    verdicts = [
        verdict(i, text=f"row {i}: 81.5", outcome=kinds[i % 3][0], level=kinds[i % 3][1])
        for i in range(count)
    ]
    return reviewed(verdicts, "long.md")


SETS = {
    "none": (),
    "empty": (empty(),),
    "every outcome": (every_outcome(),),
    "unreadable": (unreadable(),),
    "hostile": (hostile(),),
    "class": (every_outcome("ana/report.md"), unreadable("ben/report.pdf"),
              empty("eve/report.md"), hostile()),
    "many": (very_many(600),),
}  # fmt: skip
