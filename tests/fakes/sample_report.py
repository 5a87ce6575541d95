"""A hand-made report with every kind of block, and with names nobody would choose."""

from reportgen.records.document import (
    Block,
    Bullets,
    Chart,
    Cite,
    Code,
    Emphasis,
    EquationGroup,
    Figure,
    Indent,
    Listing,
    Math,
    Number,
    Paragraph,
    Ref,
    Reference,
    References,
    Report,
    Section,
    Strong,
    Table,
    TableColumn,
    TableRow,
    Text,
)
from reportgen.records.formula import Equation, Product, Quotient, Root, Sum, Symbol
from reportgen.records.quantity import Missing, Quantity

HOSTILE = (
    "100%", "a_b^c~d", "{x}", "}{", "\\input{/etc/hostname}", "\\", "\\\\", "^^41", "$x$", "$",
    "#1",
    "&", "a & b", '"quoted"', "it's", "`tick`", "<script>alert(1)</script>", "<b>", "|pipe|",
    "[link](http://x)", "[0]", "*star*", "**", "_under_", "--flag", "---", "=cmd|' /C calc'!A0",
    "#{1+1}", "#eval", "@import", "//comment", "/* c */", "%%rg x y", "// rg x y", "\x00nul\x07bel",
    "tab\there", "line\nbreak", "\u202eright to left\u202c", "naïve café", "Łódź šč őű",
    "Ωμέγα", "Привет", "日本語", "🚀 launch", "e\u0301", "a\u200bb", "a\u00adb", "½ ± 3 µm ≤ ∞",
    "“smart” ‘quotes’ – — …", "€5 £4 ©®™", "x" * 300, "fairseq/roberta_small_fr/books.1e-5-seed=0",
    "<<>>", ",,low''", "?`!`", "1. item", "- item", "+ item", "> quote", "~~strike~~", "{{ 7*7 }}",
    "<%= 7*7 %>", "{% raw %}", "&amp;", "\\end{document}", "$) #panic()", '"; #panic("', "]",
    "'; DROP", "A" * 30 + "/" + "b" * 30,
)  # fmt: skip


def number(identifier: str, value: float | None, style: str = "plain", decimals: int | None = None):
    """Return a printed number, or one that is missing."""
    quantity = Missing(reason="no log") if value is None else Quantity(value=value)
    return Number(id=identifier, quantity=quantity, style=style, decimals=decimals)


def percent(identifier: str, value: float | None, decimals: int = 1) -> Number:
    """Return an accuracy."""
    return number(identifier, value, "percent", decimals)


def plus_minus(identifier: str, mean: float, std: float, decimals: int = 1) -> Text:
    """Return a cell with mean and standard deviation."""
    return (
        percent(f"{identifier}.mean", mean, decimals),
        " ± ",
        percent(f"{identifier}.std", std, decimals),
    )


def best_step_table() -> Table:
    """Return a table with a point in every column, a missing cell, and a bold row."""
    values = [
        ("pretrained", 0, 2250, 0.814, 0.799),
        ("pretrained", 1, 675, 0.804, 0.785),
        ("pretrained", 2, 12375, 0.801, 0.801),
        ("scratch", 0, 450, 0.662, 0.654),
        ("scratch", 1, 1125, 0.67, 0.667),
    ]
    rows = [
        TableRow(
            cells=(
                (group,),
                (number(f"{group}{seed}.seed", seed),),
                (number(f"{group}{seed}.step", step, "count"),),
                (percent(f"{group}{seed}.validation", validation),),
                (percent(f"{group}{seed}.test", test),),
            )
        )
        for group, seed, step, validation, test in values
    ]
    rows.append(
        TableRow(
            cells=(
                ("scratch",),
                (number("scratch2.seed", 2),),
                (number("scratch2.step", None),),
                (percent("scratch2.validation", None),),
                (percent("scratch2.test", None),),
            )
        )
    )
    rows.append(
        TableRow(
            kind="summary",
            cells=(("mean ± std, pretrained",), (), (), plus_minus("v", 0.8063, 0.0068),
                   plus_minus("t", 0.795, 0.0087)),
        )
    )  # fmt: skip
    return Table(
        id="best-step",
        caption=(
            "Best step of every run: highest validation accuracy (earliest of equal ones), ",
            "and the test accuracy there, in percent. Mean and sample standard deviation over ",
            number("best.n", 3), " seeds.",
        ),
        columns=(
            TableColumn(title=("group",)),
            TableColumn(title=("seed",), align="center"),
            TableColumn(title=("best step",), align="decimal"),
            TableColumn(title=("validation",), align="decimal", group=("accuracy (%)",)),
            TableColumn(title=("test",), align="decimal", group=("accuracy (%)",)),
        ),
        rows=tuple(rows),
        notes=(("— : the run has no log of this split.",), ("See ", Ref("params"), ".")),
    )  # fmt: skip


def epoch_table(epochs: int = 40) -> Table:
    """Return a table longer than a page, with means and deviations in two groups."""
    rows = tuple(
        TableRow(
            cells=(
                (number(f"e{epoch}", epoch),),
                plus_minus(f"e{epoch}.a", 0.7 + epoch / 400, 0.0087 + epoch / 900),
                plus_minus(f"e{epoch}.b", 0.6 + epoch / 500, 0.12 / epoch, 2),
                (percent(f"e{epoch}.c", 0.5 if epoch % 7 else None, 2),),
                (number(f"e{epoch}.gap", 0.1 - epoch / 300, "points", 1),),
            )
        )
        for epoch in range(1, epochs + 1)
    )
    return Table(
        id="per-epoch",
        caption=("Accuracy after each epoch, in percent.",),
        columns=(
            TableColumn(title=("epoch",), align="decimal"),
            TableColumn(title=("mean ± std",), align="decimal", group=("pretrained",)),
            TableColumn(title=("mean ± std",), align="decimal", group=("from scratch",)),
            TableColumn(title=("last",), align="decimal", group=("from scratch",)),
            TableColumn(title=("difference (points)",), align="decimal"),
        ),
        rows=rows,
    )


def parameter_table() -> Table:
    """Return the ledger: a tree, counts, wide text, a total."""
    lines = [
        (0, "embeddings.word_embeddings.weight", 16_384_000, "token embeddings, tied to LM head"),
        (0, "embeddings.position_embeddings.weight", 132_096, "258 learned positions"),
        (1, "encoder.layer.*.attention.self.{query,key,value}.weight", 3_145_728,
         "three projections of width 512 in each of four layers, before the heads are split"),
        (2, "encoder.layer.*.output.LayerNorm.bias", 2_048, "norm"),
    ]  # fmt: skip
    rows = [
        TableRow(
            cells=(
                (Indent(depth), Code(name)),
                (number(f"p.{name}", count, "count"),),
                (number(f"p.{name}.share", count / 22_829_056, "percent_sign", 2),),
                (note,),
            )
        )
        for depth, name, count, note in lines
    ]
    total = (number("p.total", 22_829_056, "count"),)
    rows.append(TableRow(kind="total", cells=(("total",), total, ("100.00%",), ("whole encoder",))))
    return Table(
        id="params",
        caption=("Parameters of the encoder, term by term, see ", Ref("eq-total"), "."),
        columns=(
            TableColumn(title=("tensor",)),
            TableColumn(title=("count",), align="decimal"),
            TableColumn(title=("share",), align="decimal"),
            TableColumn(title=("meaning",), wide=True),
        ),
        rows=tuple(rows),
    )


def wide_table() -> Table:
    """Return a table with more columns than a page holds at its usual size."""
    heads = ("learning rate", "batch size", "warm-up steps", "updates per run", "weight decay",
             "dropout rate", "best validation accuracy", "test accuracy at best step",
             "accuracy at last step", "training time (s)", "peak memory")  # fmt: skip
    columns = tuple(TableColumn(title=(head,), align="decimal") for head in heads)
    rows = tuple(
        TableRow(
            cells=(
                (Code(name),),
                (number(f"{name}.lr", 1e-5, "scientific"),),
                *((number(f"{name}.{i}", 12345.678 / (i + 1), "plain", 2),) for i in range(9)),
                (number(f"{name}.mem", 1.5 * 2**30, "bytes"),),
            )
        )
        for name in ("runs/pretrained_small/seed_0", "runs/scratch/seed_1")
    )
    return Table(
        id="wide",
        caption=("Hyperparameters and costs.",),
        columns=(TableColumn(title=("run",)), *columns),
        rows=rows,
    )


def hostile_table(names: tuple[str, ...] = HOSTILE) -> Table:
    """Return a table whose first cells are names of a stranger's choosing."""
    rows = tuple(
        TableRow(cells=((name,), (Code(name),), (number(f"h{i}", i),)))
        for i, name in enumerate(names)
    )
    return Table(
        id="hostile",
        caption=("Names: ", Code(names[0]), " and others."),
        columns=(
            TableColumn(title=("as words",), wide=True),
            TableColumn(title=("as code",), wide=True),
            TableColumn(title=("row",), align="decimal"),
        ),
        rows=rows,
    )


def roberta_equations() -> EquationGroup:
    """Return the parameter count of an encoder: sums longer than a line."""
    v, p, d, f, layers = (
        Symbol("V"), Symbol("P"), Symbol("d"), Symbol("d", "ffn"), Symbol("L"),
    )  # fmt: skip
    values = {"V": 32000, "P": 258, "d": 512, "d_ffn": 512, "L": 4}
    attention = Sum((4 * d**2, 4 * d))
    ffn = Sum((2 * d * f, f, d))
    norms = 4 * d
    layer = Sum((4 * d**2, 4 * d, 2 * d * f, f, d, 4 * d))
    return EquationGroup(
        id="eq-total",
        equations=(
            Equation(id="eq-emb", left=Symbol("N", "emb"), right=v * d + p * d + 2 * d,
                     values=values),
            Equation(id="eq-layer", left=Symbol("N", "layer"), right=Sum((attention, ffn, norms)),
                     values=values),
            Equation(id="eq-all", left=Symbol("N", "encoder"),
                     right=Sum((v * d, p * d, 2 * d, Product((layers, layer)))), values=values),
        ),
    )  # fmt: skip


def scaling_equations() -> EquationGroup:
    """Return fractions, roots, a difference of sums, and a result that is rounded."""
    r, d, a, b = Symbol("r"), Symbol("d"), Symbol("alpha"), Symbol("N", "base")
    values = {"r": 16, "d": 1024, "alpha": 32, "N_base": 559_214_592}
    trained = Product((r, Sum((d, 3 * d))))
    return EquationGroup(
        id="eq-lora",
        equations=(
            Equation(id="eq-scale", left=Symbol("s"), right=Quotient(a, Root(r)), values=values,
                     unit=""),
            Equation(id="eq-share", left=Symbol("rho"), right=Quotient(24 * trained, b),
                     values=values, unit="fraction"),
            Equation(id="eq-rest", left=Symbol("Delta"), right=b - (r * d + (r - 1) * (d - 1)),
                     values=values),
            Equation(id="eq-bytes", left=Symbol("M"), right=2 * b, values=values, unit="bytes"),
        ),
    )  # fmt: skip


def figure(identifier: str, words: str) -> Figure:
    """Return a figure without axes: its drawing is made apart."""
    return Figure(
        id=identifier,
        caption=(words, " Smoothed with weight ", number(f"{identifier}.w", 0.6), "."),
        chart=Chart(kind="curves", panels=()),
        alt=f"Line chart: {words}",
    )


def make_report(*, names: tuple[str, ...] = HOSTILE) -> Report:
    """Return the whole report."""
    d = Symbol("d", "model")
    prose: tuple[Block, ...] = (
        Paragraph(
            text=(
                "Pretraining raises test accuracy from ", percent("low", 0.665), "% to ",
                percent("high", 0.795), "%, a difference of ", number("gap", 0.13, "points", 1),
                " points (95% CI ", percent("ci.low", 0.096), " to ", percent("ci.high", 0.164),
                "; p = ", number("p", 0.0037, "p"), "), see ", Ref("best-step"), " and ",
                Ref("curves"), ". The learning rate is ", number("lr", 2e-5, "scientific"),
                ", the logs lie in ", Code("logs/fairseq/roberta_small_fr/books/valid"),
                ". Attention divides by ", Math(Root(d)), " with ", Math(d), " = ",
                number("d", 512), ", as ", Cite("vaswani"), " and ", Cite("liu"), " do.",
            )
        ),
        Bullets(
            items=(
                ("Order: ", Strong(("pretrained",)), " is above ", Emphasis(("scratch",)), "."),
                ("The run's gap shrinks; see ", Ref("appendix"), ", ", Ref("eq-lora"), " and ",
                 Ref("config"), "."),
                ("A difference of ", number("neg", -0.031, "points", 1), " points is not large."),
            )
        ),
    )  # fmt: skip
    config = (
        '{\n  "r": 16,\n  "target_modules": ["query_key_value"],\n\t"x": "\\end{x} $%#&_^~ é"\n}'
    )
    long_line = "--arch roberta_small " + " ".join(f"--option-{i} value_{i}" for i in range(20))
    return Report(
        title="Fine-tuning a small RoBERTa: 50% of A&B_C's results",
        authors=("A. Author", "B. Å. Writer-Łódź"),
        abstract=(
            "Six runs of two groups are compared on test accuracy. Pretraining is worth ",
            number("abstract.gap", 0.13, "points", 1), " points; the encoder has ",
            number("abstract.n", 22_829_056, "count"), " parameters.",
        ),
        date="2026-03-14",
        sections=(
            Section(id="summary", title="Summary", blocks=(*prose, best_step_table())),
            Section(
                id="model",
                title="Model & parameters",
                blocks=(
                    Paragraph(text=("Counted term by term in ", Ref("params"), ".")),
                    parameter_table(),
                    Section(
                        id="formulas",
                        title="Formulas",
                        blocks=(
                            Paragraph(text=("The encoder's count is",)),
                            roberta_equations(),
                            Paragraph(text=("and with an adapter", " it changes by")),
                            scaling_equations(),
                            Listing(id="config", caption=("Adapter ", Code("a_b.json"), "."),
                                    text=config, language="json"),
                            Listing(id="command", caption=("Command.",), text=long_line),
                        ),
                    ),
                ),
            ),
            Section(
                id="curves-section",
                title="Curves",
                blocks=(
                    Paragraph(text=("Both splits are in ", Ref("curves"), ".")),
                    figure("curves", "Accuracy over steps."),
                    figure("seeds/spread", "Spread over seeds."),
                    wide_table(),
                    epoch_table(),
                ),
            ),
            Section(id="appendix", title="Names #1 {of} runs_and_more",
                    blocks=(hostile_table(names),)),
            Section(
                id="refs",
                title="References",
                blocks=(
                    References(
                        entries=(
                            Reference(
                                key="vaswani",
                                text=(
                                    "A. Vaswani et al. ",
                                    Emphasis(("Attention is all you need",)),
                                    ". NeurIPS, 2017.",
                                ),
                                url="https://arxiv.org/abs/1706.03762",
                            ),
                            Reference(
                                key="liu",
                                text=("Y. Liu et al. RoBERTa. 2019.",),
                                url="https://example.org/a_b%20c?x=1&y=~2#frag",
                            ),
                        )
                    ),
                ),
            ),
        ),
    )  # fmt: skip
