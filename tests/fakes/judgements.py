"""Judgements made by hand: one of every verdict, hostile ones, a class, and very many."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import cache

from reportgen.records.claim import Claim, Counted, Equation, Meaning, Printed, Setting, Statement
from reportgen.records.finding import Expected, Finding, Judgement
from reportgen.records.manuscript import Block, Cell, Line, Manuscript, Place
from reportgen.records.quantity import Evidence
from reportgen.records.source import Problem

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


def line(number: int, text: str) -> Line:
    return Line(text=text, number=number)


def printed_in(text: str, number: str, **known: object) -> Printed:
    """A number as it stands in a text, its first occurrence."""
    start = text.index(number)
    plain = Decimal(number.replace(",", "").replace(" ", ""))
    decimals = max(0, -int(plain.as_tuple().exponent))
    return Printed(
        **{
            "text": number, "value": plain, "decimals": decimals,
            "start": start, "end": start + len(number), **known,
        }
    )  # fmt: skip


class Writer:
    """Makes a manuscript and the claims in it, block by block."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.claims: list[Claim] = []
        self.next_line = 1

    def block(self, type_: str, text: str, **known: object) -> int:
        self.blocks.append(Block(type=type_, lines=(line(self.next_line, text),), **known))
        self.next_line += 2
        return len(self.blocks) - 1

    def table(self, rows: Sequence[Sequence[str]], caption: str) -> int:
        lines, cells = [], []
        for number, row in enumerate(rows, self.next_line):
            text = " | ".join(row)
            lines.append(line(number, text))
            start, found = 0, []
            for cell in row:
                found.append(Cell(text=cell, line=lines[-1], start=start))
                start += len(cell) + 3
            cells.append(tuple(found))
        self.next_line += len(rows) + 1
        block = Block(type="table", lines=tuple(lines), rows=tuple(cells), head=1, caption=caption)
        self.blocks.append(block)
        return len(self.blocks) - 1

    def claim(self, kind: str, block: int, number: str = "", **known: object) -> Claim:
        text = self.blocks[block].text
        printed = printed_in(text, number) if number else None
        start, end = (printed.start, printed.end) if printed else (0, len(text))
        made = {
            "id": f"c{len(self.claims) + 1}", "kind": kind, "quote": text[:200], "block": block,
            "place": self.blocks[block].place(start, end), "start": start, "end": end,
            "printed": printed, **known,
        }  # fmt: skip
        self.claims.append(Claim(**made))
        return self.claims[-1]

    def cell(self, kind: str, block: int, row: int, column: int, **known: object) -> Claim:
        table = self.blocks[block]
        cell = table.rows[row][column]
        start = sum(len(one.text) + 1 for one in table.lines[:row]) + cell.start
        return self.claim(
            kind, block, place=cell.place(), start=start, end=start + len(cell.text),
            printed=Printed(
                text=cell.text, value=Decimal(cell.text), end=len(cell.text),
                decimals=len(cell.text.partition(".")[2]), unit="percent",
            ),
            quote=" | ".join(one.text for one in table.rows[row]),
            table=block, row=row, column=column, **known,
        )  # fmt: skip


def logged(value: float, definition: str, step: int = 675) -> Expected:
    point = Evidence(path=LOG, tag="test/accuracy", step=step, value=value, run="pretrained/1")
    return Expected(value=value, definition=definition, evidence=(point,))


def every_verdict(path: str = "report.md") -> Judgement:
    """One report with a claim of each content and a finding of each verdict and level."""
    w = Writer()
    w.block("heading", "Fine-tuning of a small encoder", level=1)
    w.block("heading", "Parameters", level=2)
    equation = w.block("equation", "4 \\times 512 \\times 512 = 1,048,567")
    total = w.block("paragraph", "In all the encoder has about 22.8M parameters, d_model = 512.")
    w.block("heading", "Results", level=2)
    table = w.table(
        (("Seed", "Validation", "Test"), ("1", "81.5", "80"), ("2", "80.0", "78.50")),
        "Table 1: accuracy at the best validation step",
    )
    text = w.block(
        "paragraph", "The test accuracy is 79.3 on average with a deviation of 0.61 over the seeds."
    )
    trend = w.block("item", "The loss falls in every epoch until the fifth.", level=1)
    code = w.block("code", "config = LoraConfig(r=16, lora_alpha=32)")
    value = {"metric": "accuracy", "unit": "percent"}

    nine = w.claim(
        "equation", equation, "1,048,567",
        content=Equation(
            sides=("4 \\times 512 \\times 512", "1,048,567"), trees=(None, None), name=""
        ),
    )  # fmt: skip
    count = w.claim(
        "param_count", total, "22.8",
        content=Counted(what="parameters", scope=("encoder",)), confidence=0.6,
    )  # fmt: skip
    width = w.claim(
        "hyperparameter", total, "512",
        content=Setting(name="d_model", key="hidden_size", value=Decimal(512), scope="model"),
    )  # fmt: skip
    best = w.cell("metric_value", table, 1, 1, content=Meaning(split="validation", seed=1, **value))
    copied = w.cell(
        "metric_value", table, 1, 2,
        content=Meaning(split="test", seed=1, run_group="pretrained", run_seed=1, **value),
    )  # fmt: skip
    fine = w.cell("metric_value", table, 2, 2, content=Meaning(split="test", seed=2, **value))
    mean = w.claim(
        "aggregate_mean", text, "79.3", content=Meaning(split="test", aggregate="mean", **value)
    )
    spread = w.claim(
        "aggregate_std", text, "0.61", content=Meaning(split="test", aggregate="std", **value)
    )
    falls = w.claim(
        "trend", trend,
        content=Statement(
            predicate="falls", subjects=(Meaning(metric="loss"),), every=True, over=("epochs",)
        ),
    )  # fmt: skip
    rank = w.claim(
        "lora_config", code, "16",
        content=Setting(name="r", key="r", value=Decimal(16), scope="adapter"),
    )  # fmt: skip
    findings = (
        Finding(
            rule="arithmetic", level="error", verdict="disagrees", claim=nine,
            message="the report says 1,048,567 (line 5); 4 × 512 × 512 is 1,048,576; "
            "two digits stand the other way round",
            expected=Expected(value=1048576, definition="4 × 512 × 512"), delta=Decimal(-9),
            readings=("as written: 1048576",),
            likely_cause="two digits stand the other way round",
        ),
        Finding(
            rule="parameter_count", level="warning", verdict="disagrees", claim=count,
            message="the report says 22.8M (line 7); the checkpoint has 23,388,418 with all terms",
            expected=Expected(value=23388418, low=22750000.0, high=22850000.0, definition="all"),
            readings=("all terms: 23388418", "without embeddings: 6739968"),
        ),
        Finding(
            rule="hyperparameter", level="none", verdict="agrees", claim=width,
            message="the report says 512 (line 7); the configuration has 512 at hidden_size",
            expected=Expected(
                value=512, definition="hidden_size",
                evidence=(Evidence(path="model/config.json", tag="hidden_size", value=512),),
            ),
            delta=Decimal(0),
        ),
        Finding(
            rule="value", level="none", verdict="agrees", claim=best,
            message="the report says 81.5 (Table 1, line 12); the logs have 81.5",
            expected=logged(81.5, "validation accuracy at step 675"), delta=Decimal("0.0"),
        ),
        Finding(
            rule="value", level="error", verdict="disagrees", claim=copied,
            message="the report says 80 (Table 1, line 12); the logs have 78.5 at pretrained/seed "
            "1, test accuracy, step 675; 80.0 is the validation value at that step",
            expected=logged(78.5, "test accuracy at the best validation step"),
            delta=Decimal("1.5"),
            readings=(
                "test accuracy at the best validation step: 78.5",
                "test accuracy at the last step: 79.1",
            ),
            likely_cause="80.0 is the validation value at that step",
        ),
        Finding(
            rule="copied", level="warning", verdict="disagrees", claim=copied,
            message="the report says 80 (Table 1, line 12); the column repeats that of validation",
        ),
        Finding(
            rule="value", level="none", verdict="agrees within rounding", claim=fine,
            message="the report says 78.50 (Table 1, line 13); the logs have 78.4983",
            expected=logged(78.4983, "test accuracy at the best validation step"),
            delta=Decimal("0.0017"),
        ),
        Finding(
            rule="aggregate", level="note", verdict="borderline", claim=mean,
            message="the report says 79.3 (line 15); the logs have 79.22 as the mean over 3 seeds",
            expected=Expected(value=79.22, definition="mean over 3 seeds"), delta=Decimal("0.08"),
        ),
        Finding(
            rule="definition", level="note", verdict="not checkable", claim=spread,
            message="the report says 0.61 (line 15); it is not said which deviation that is",
            reason="no definition is stated",
        ),
        Finding(
            rule="trend", level="none", verdict="not checkable", claim=falls,
            message="the report says “The loss falls in every epoch until the fifth.” (line 17); "
            "not checked: no logs were given for the loss",
            reason="no logs were given for the loss",
        ),
        Finding(
            rule="unchecked", level="none", verdict="not checkable", claim=rank,
            message="the report says 16 (line 19); not checked: no adapter was given",
            reason="no adapter was given",
        ),
    )  # fmt: skip
    manuscript = Manuscript(path=path, format="markdown", sha256="a" * 64, blocks=tuple(w.blocks))
    return Judgement(
        manuscript=manuscript,
        findings=findings,
        claims=tuple(w.claims),
        numbers=24,
        evidence=(
            ("e1", LOG, "b" * 64),
            ("e2", "model/config.json", "c" * 64),
        ),
        problems=(Problem(path=LOG, message="the last record is cut off", remedy="copy it again"),),
        assumed=(("seeds of pretrained", "1 is 0, 2 is 1", "the values fit no other numbering"),),
    )


def empty(path: str = "empty.md") -> Judgement:
    return Judgement(
        manuscript=Manuscript(path=path, format="markdown", sha256="0" * 64, blocks=()),
        findings=(),
    )


def unreadable(path: str = "broken.pdf") -> Judgement:
    return Judgement(
        manuscript=Manuscript(path=path, format="", sha256="", blocks=()),
        findings=(),
        fault=f"{path} could not be checked: the file ends in the middle of a page",
    )


def finding(
    index: int,
    *,
    text: str = "81.5",
    rule: str = "value",
    level: str = "error",
    verdict: str = "disagrees",
    kind: str = "metric_value",
    block: int = 0,
) -> Finding:
    """One finding with a claim of its own; its words are those of `text`."""
    content = Meaning(metric=text, group=text, split="test", seed=index)
    claim = Claim(
        id=f"c{index}", kind=kind, quote=text, place=Place(line=index + 1, column=2, end_column=4),
        block=block, start=0, end=min(4, len(text)), content=content,
        printed=Printed(text=text, value=Decimal("81.5"), decimals=1, end=min(4, len(text))),
    )  # fmt: skip
    point = Evidence(path=text, tag=text, step=index, value=text, run=text)
    return Finding(
        rule=rule, level=level, verdict=verdict, claim=claim, message=f"{text}; {text}",
        expected=Expected(
            value=float("nan"), low=float("-inf"), high=float("inf"),
            definition=text, evidence=(point,),
        ),
        delta=Decimal("1E+5000"), readings=(text, text), likely_cause=text,
        reason=text if verdict == "not checkable" else "",
    )  # fmt: skip


def judged(findings: Sequence[Finding], path: str = "report.md", **known: object) -> Judgement:
    """A judgement of findings whose report is one paragraph."""
    quotes = dict.fromkeys(one.claim.quote for one in findings)
    blocks = (Block(type="paragraph", lines=tuple(line(i, q) for i, q in enumerate(quotes, 1))),)
    made = {
        "manuscript": Manuscript(path=path, format="markdown", sha256="d" * 64, blocks=blocks),
        "findings": tuple(findings),
        "claims": tuple({one.claim.id: one.claim for one in findings}.values()),
        "numbers": len(findings),
        **known,
    }
    return Judgement(**made)


def hostile(path: str = "]]>::error::</script>\u202e&\x1b.md") -> Judgement:
    """Every hostile text in every place where a stranger's words may stand."""
    verdicts = (
        ("error", "disagrees"), ("warning", "disagrees"), ("note", "borderline"),
        ("none", "agrees"), ("none", "not checkable"),
    )  # fmt: skip
    findings = [
        finding(5 * i + j, text=text, rule=text[:40], level=level, verdict=verdict)
        for i, text in enumerate(HOSTILE)
        for j, (level, verdict) in enumerate(verdicts)
    ]
    types = ("heading", "paragraph", "item", "equation", "code", "output", "caption", "reference")
    rows = tuple(
        tuple(Cell(text=text, line=line(i, text)) for text in HOSTILE[:4])
        for i, text in enumerate(HOSTILE)
    )
    blocks = tuple(
        Block(type=types[i % len(types)], lines=(line(i + 1, text),), level=1, caption=text)
        for i, text in enumerate(HOSTILE)
    )
    table = Block(
        type="table", lines=tuple(line(i, text) for i, text in enumerate(HOSTILE)),
        rows=rows, head=1, caption=HOSTILE[3],
    )  # fmt: skip
    return judged(
        findings,
        path,
        manuscript=Manuscript(
            path=path, format="markdown", sha256="d" * 64, blocks=(*blocks, table)
        ),
        evidence=tuple((f"e{i}", text, "e" * 64) for i, text in enumerate(HOSTILE)),
        problems=tuple(Problem(path=text, message=text, remedy=text) for text in HOSTILE),
        assumed=tuple((text, text, text) for text in HOSTILE),
    )


@cache
def very_many(count: int = 5000) -> Judgement:
    levels = (("error", "disagrees"), ("note", "borderline"), ("none", "agrees"))
    findings = [
        finding(i, text=f"row {i}: 81.5", level=levels[i % 3][0], verdict=levels[i % 3][1])
        for i in range(count)
    ]
    return judged(findings, "long.md")


SETS = {
    "none": (),
    "empty": (empty(),),
    "every verdict": (every_verdict(),),
    "unreadable": (unreadable(),),
    "hostile": (hostile(),),
    "class": (every_verdict("ana/report.md"), unreadable("ben/report.pdf"), empty("eve/report.md"),
              hostile()),
    "many": (very_many(600),),
}  # fmt: skip
