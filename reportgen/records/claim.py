"""What a written report says that can be true or not, bound by its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from reportgen.records.formula import Expression
from reportgen.records.manuscript import Place

CLAIM_KINDS = (
    "metric_value",
    "best_step",
    "aggregate_mean",
    "aggregate_std",
    "aggregate_other",
    "tail",
    "test_statistic",
    "comparison",
    "superlative",
    "trend",
    "range",
    "equation",
    "equation_symbolic",
    "arch_count",
    "arch_shape",
    "arch_formula",
    "arch_claim",
    "param_count",
    "hyperparameter",
    "lora_config",
    "lora_semantics",
    "lora_formula",
    "count",
    "provenance",
    "figure_claim",
    "claim_of_optimality",
    "speculation",
    "number",
)
"""`tail` is a mean over the last points of a run; `number` is bound to no meaning by the report."""

CONFIDENT, LIKELY = 0.8, 0.5
"""From `CONFIDENT` on a binding may carry an error, from `LIKELY` on a warning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A number as it is printed: its decimals and trailing zeros are data.

    Attributes:
        text: As printed, joined (`1,572, 864`).
        value: What it says: `Decimal("75.40")` for `75,40 %`; the unit is not applied.
        decimals: Digits behind the point of the value; negative for `22.8M` (its last
            printed digit stands for 10 ** -decimals).
        unit: `"percent"`, `"points"`, or `""`.
        start: Where it begins in the block's (or cell's) text.
        end: The position behind it.
        word: Whether it is written out (`six`).
        approximate: `""`, or the word that makes it so (`about`, `nearly`, `over`).
    """

    text: str
    value: Decimal
    decimals: int = 0
    unit: str = ""
    start: int = 0
    end: int = 0
    word: bool = False
    approximate: str = ""

    @property
    def half_unit(self) -> Decimal:
        """Half a unit of the last printed place."""
        return Decimal(5).scaleb(-self.decimals - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What a value of a metric belongs to.

    Attributes:
        metric: In the spelling of the layouts (`accuracy`, `loss`, `f1`).
        split: `"train"`, `"validation"`, `"test"` or `""`.
        group: Label of the group as written (`Pretrain Model`); empty where not said.
        seed: Seed or number of the run as written.
        step: Optimizer step.
        epoch: Epoch.
        aggregate: `""` for one run, or over the runs of the group: `"mean"`, `"std"`,
            `"se"`, `"interval"`, `"min"`, `"max"`, `"median"`, `"width"`, highest less lowest;
            `"q1"` and `"q3"`, the first and the third quartile, `"iqr"`, their distance;
            `"difference"` of two groups, and of a test of it `"t"`, `"degrees"`, `"p"`,
            `"p_floor"`, its smallest possible p.
        selection: How the step was chosen: `"best"` (on validation), `"last"`, `"first"`,
            `"oracle"` (best on the split itself), `""` where not said.
        unit: `"percent"`, `"fraction"`, `"points"` or `""`.
        ddof: Where the report states it.
        n: Number of runs, where the report states it.
        against: Of a difference: label of the group subtracted.
        run_group: The group of the evidence that `group` stands for; empty before it is
            solved, and where nothing fits.
        run_seed: The seed of the evidence that `seed` stands for.
        run_against: The group of the evidence that `against` stands for.
        run: Id of the run of the evidence that `group` stands for, where it names a single one.
        chosen_by: Metric by which the best step was chosen, where the report names it.
    """

    metric: str = ""
    split: str = ""
    group: str = ""
    seed: int | None = None
    step: int | None = None
    epoch: float | None = None
    aggregate: str = ""
    selection: str = ""
    unit: str = ""
    ddof: int | None = None
    n: int | None = None
    against: str = ""
    run_group: str = ""
    run_seed: int | None = None
    run_against: str = ""
    run: str = ""
    chosen_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equation:
    """Sides joined by equality signs; only those that were understood carry a tree.

    Attributes:
        sides: Text of each side, in order.
        trees: Its expression, or None where it could not be read.
        repaired: What had to be mended to read it (`one closing bracket added at the end`).
        fault: Why it cannot be read as it is written, or empty.
        name: What its left side names (`Nb of parameters`), or empty.
    """

    sides: tuple[str, ...]
    trees: tuple[Expression | None, ...]
    repaired: str = ""
    fault: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """A named value that the report states: `d_model = 512`, `lora_alpha=32`.

    Attributes:
        name: As written.
        key: The configuration's key (`hidden_size`, `num_attention_heads`, `lora_alpha`,
            `learning_rate`); empty where unknown.
        value: Number, text, truth value or names.
        scope: `"model"`, `"adapter"`, `"training"`, `"data"` or `""`.
    """

    name: str
    key: str
    value: Decimal | str | bool | tuple[str, ...]
    scope: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """A number of things: parameters, layers, heads, seeds, runs, examples.

    Attributes:
        what: `"parameters"`, `"trainable parameters"`, `"layers"`, `"heads"`, `"matrices"`,
            `"seeds"`, `"runs"`, `"groups"`, `"epochs"`, `"examples"`, ...
        scope: Words near it that say what is in and what is out (`without biases`).
        key: The configuration's key that says the same, or empty.
    """

    what: str
    scope: tuple[str, ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A sentence about series: a trend, an order, a range, a superlative.

    Attributes:
        predicate: `"rises"`, `"falls"`, `"improves"`, `"worsens"`, `"varies"`, `"converges"`,
            `"plateaus"`, `"overfits"`, `"diverges"`, `"higher"`, `"lower"`, `"better"`, `"worse"`,
            `"more_stable"`, `"less_stable"`, `"similar"`, `"equal"`, `"apart"`, `"highest"`,
            `"lowest"`, `"best"`, `"worst"`, `"between"`, `"spans"` (its ends are values),
            `"moves"` (from one value to another, or by so much, up or down),
            `"multiple"` (the first has so many times as many steps, epochs or parameters),
            `"above"`, `"below"`, `"gains"` (of two numbers, by a third: nobody is its subject).
        subjects: What it is said of; in a comparison the first is said to be the
            higher, lower, more stable one; of a superlative of a seed, the seed and then its
            group at the moment at which it is so, where one is named; of one of a group, the
            group and then that moment, of no group (at it too, where it is said to reach it).
        amounts: Numbers in it (`about 10 %`, `0.62-0.65`).
        every: Whether it claims all epochs, steps or seeds (`always`, `for each seed`).
        over: Which of them: `"epochs"`, `"seeds"`; `"end"` of a course that goes on to the end.
        vague: Whether a word leaves open how far it goes (`clearly`, `pretty`, `seems`).
        denied: Whether it says that it is not so (`is not decreasing`).
        share: How many of how many runs it is said of (`one of the three runs`).
        window: First and last epoch, or step, that it is said of; a first one below zero is
            how many there are at the end.
        clock: What `window` counts: `"epoch"` or `"step"`.
    """

    predicate: str
    subjects: tuple[Meaning, ...]
    amounts: tuple[Printed, ...] = ()
    every: bool = False
    over: tuple[str, ...] = ()
    vague: bool = False
    denied: bool = False
    share: tuple[int, int] | None = None
    window: tuple[float | None, float | None] = (None, None)
    clock: str = "epoch"


Content = Meaning | Equation | Setting | Counted | Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing the report says.

    Attributes:
        id: `c1`, `c2`, ... in reading order; empty until all are collected.
        kind: One of `CLAIM_KINDS`.
        quote: The words or the cells it was read from, at most 200 characters.
        place: Where the number (or the sentence) stands.
        block: Index of the block in the manuscript.
        start: Where in the block's text its number or sentence begins (of a table: in its
            lines' text).
        end: The position behind it.
        printed: The number; None for a sentence, a formula without a result, a name.
        content: Its meaning; None where nothing binds it.
        confidence: 0 to 1: how sure the binding is.
        reason: Why it cannot be bound, one clause; empty where it is.
        table: Index of the table's block, else None.
        row: Row in the table, from 0, heads included.
        column: Column in the table, from 0.
        hints: What else was seen (`caption`, `row`, `column`, `sentence`), for messages.
        named: Id that its source gives the number, or empty.
    """

    id: str = ""
    kind: str
    quote: str
    place: Place
    block: int = 0
    start: int = 0
    end: int = 0
    printed: Printed | None = None
    content: Content | None = None
    confidence: float = 1.0
    reason: str = ""
    table: int | None = None
    row: int | None = None
    column: int | None = None
    hints: Mapping[str, str] = field(default_factory=dict)
    named: str = ""
