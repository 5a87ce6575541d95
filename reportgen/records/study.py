"""The study: what should exist, what is measured, how it is summarised."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from reportgen.records.record import field, record

if TYPE_CHECKING:
    from reportgen.records.quantity import Evidence

DEFAULT, INFERRED, COMMAND_LINE = "default", "inferred", "command line"
"""Where a setting comes from that is in no file."""

STEPS_PER_EPOCH = "epochs.steps_per_epoch"
"""Key of a study file whose value, where it is stated, holds for runs without a clock."""


@record
class Decision:
    """One thing that was inferred, with its reason, printed and written by `init`.

    Attributes:
        key: Key of the study file that overrides it (`metric.name`).
        value: What was decided, as it would be written in the file.
        reason: Why, in words.
        alternatives: Other readings that were possible, each as it would be written in the file.
        asks: True where nothing but the reader can tell which one is meant: the decision is
            printed as a question, and its alternatives as answers to it.
    """

    key: str
    value: str
    reason: str
    alternatives: tuple[str, ...] = ()
    asks: bool = False


@record
class GroupPlan:
    """A declared group: runs equal but for the seed.

    Attributes:
        name: Key in the study file and in JSON.
        label: What the report calls it.
        short: The same where there is little room: in figures, heads of columns and sentences.
        match: Pattern (as in `fnmatch`) on the run's path; empty matches on the group's name.
        seeds: Seeds that should exist; empty means whatever is found.
        start: What its fine-tunes start from: a Hugging Face folder, a fairseq checkpoint
            (paths relative to the study file), or `"random"`; empty cannot be trained.
        adapter: `adapter_config.json` of the adapter they train; empty trains every weight.
        place: Path of a run's logs with `{seed}` in it; empty follows the runs that are there.
    """

    name: str
    label: str = ""
    short: str = ""
    match: str = ""
    seeds: tuple[int, ...] = ()
    start: str = ""
    adapter: str = ""
    place: str = ""


@record
class GridPlan:
    """A declared grid: groups, each of which should have all seeds.

    Attributes:
        groups: Names of groups; empty means every group.
        seeds: Seeds of each; empty means every seed that one of them has.
    """

    groups: tuple[str, ...] = ()
    seeds: tuple[int, ...] = ()


@record
class MetricPlan:
    """Which metric decides, where it is selected and where it is reported.

    Attributes:
        name: Metric name in one spelling (`accuracy`).
        direction: `"higher"` or `"lower"` is better.
        unit: `"percent"`, `"fraction"` or `""`: unit in the logs; empty is inferred.
        select_on: Split on which the best step is chosen.
        report_on: Split whose value at that step is reported.
        ties: `"first"` or `"last"` of equal best values.
        tags: Which of several tags measure it, with their split folders (`valid1/accuracy`).
        others: Metrics shown beside it at the same steps, by name or pattern (as in
            `fnmatch`); `"*"` takes what every run was evaluated on, nothing shows none.
        chance: What guessing reaches, in the unit of the logs; None where nobody says.
    """

    name: str = ""
    direction: str = ""
    unit: str = ""
    select_on: str = "validation"
    report_on: str = "test"
    ties: str = "first"
    tags: tuple[str, ...] = ()
    others: tuple[str, ...] = ("*",)
    chance: float | None = None


@record
class StatisticsPlan:
    """How values are summarised over seeds."""

    ddof: int = 1
    confidence: float = 0.95
    smoothing: float = 0.6


@record
class ModelPlan:
    """The model whose parameters are counted; paths are relative to the study file."""

    name: str = ""
    config: str = ""
    checkpoint: str = ""


@record
class AdapterPlan:
    """An adapter and the configuration (or checkpoint) of its base model."""

    name: str = ""
    config: str = ""
    base: str = ""


@record
class TablePlan:
    """How a file of rows is read: CSV, or JSON lines.

    Attributes:
        match: Pattern (as in `fnmatch`) on the file's path below the logs.
        format: `"csv"` or `"jsonl"`; empty is CSV where the file's name says so, or a
            delimiter is named.
        delimiter: Between the columns of a CSV file; empty goes by its first line.
        step: Column of the step, a whole number.
        epoch: Column of the epoch; it is the step where none is named.
        time: Column of the time: seconds since 1970, or ISO 8601.
        split: Column that says of a row to which split it belongs.
        runs: Columns that together tell the runs of one file apart.
        tag: Column with the name of what is measured, where each row holds one value.
        value: Column with that value.
        columns: Column, or where `tag` is named its content, to the tag of its values; others
            are left out. Empty takes every column with numbers under its own name.
    """

    match: str = ""
    format: str = ""
    delimiter: str = ""
    step: str = ""
    epoch: str = ""
    time: str = ""
    split: str = ""
    runs: tuple[str, ...] = ()
    tag: str = ""
    value: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)


@record
class ReportPlan:
    """Front matter, and what the pages look like.

    Attributes:
        title, authors, abstract, lang: Front matter.
        course, assignment: What the report is handed in for.
        detail: `"brief"` (one page), `"standard"` (body and appendix) or `"full"`.
        theme: Name or folder of a theme.
        paper: `"a4"`, `"letter"`, or empty for the theme's.
        columns: 1, 2, or 0 for the theme's.
    """

    title: str = ""
    authors: tuple[str, ...] = ()
    abstract: str = ""
    lang: str = "en"
    course: str = ""
    assignment: str = ""
    detail: str = "standard"
    theme: str = "plain"
    paper: str = ""
    columns: int = 0


DETAILS = ("brief", "standard", "full")


@record
class QuestionPlan:
    """A question of the assignment.

    Attributes:
        id: What it is called ("Task 3"), printed before its answer.
        title: The question in a few words; empty takes what answers it.
        answers: Topics that answer it (`parameters.weights`, `comparison`).
        line: Line of the study file where it is asked.
    """

    id: str
    title: str = ""
    answers: tuple[str, ...] = ()
    line: int = 1


POSITIONS = ("before", "after", "replace-intro")


@record
class ProsePlan:
    """Words of the author's own, in Markdown.

    Attributes:
        section: Id of the section they stand in; empty for a section of their own.
        position: Where in it, one of `POSITIONS`.
        title: Title of a section of their own.
        after: Id of the section that one follows; empty puts it last.
        text: Markdown.
        file: File with the Markdown, relative to the study file.
        line: Line of the study file where they are named.
    """

    section: str = ""
    position: str = "after"
    title: str = ""
    after: str = ""
    text: str = ""
    file: str = ""
    line: int = 1


@record
class SectionPlan:
    """A section that a Python file of the author's builds.

    Attributes:
        file: The file, relative to the study file.
        after: Id of the section it follows; empty puts it last.
        line: Line of the study file where it is named.
    """

    file: str = ""
    after: str = ""
    line: int = 1


@record
class Study:
    """Everything a study file can say; empty fields are inferred.

    Attributes:
        path: The file it was read from, or empty.
        runs_path: Folder with the logs, relative to the study file.
        pattern: Regular expression on a run's path with the named groups `group`, `seed`
            and `split`; empty lets the layouts decide.
        layout: Name of a layout; empty lets each one look.
        repeats: Which runs repeat one another: those that differ in their `"seeds"`, in
            running `"numbers"` and the clock as well, or `"none"`; empty is the first, and asks.
        groups: Declared groups in the order the report shows them.
        grid: Which cells should exist.
        compare: Names of the two groups that the headline compares, (better, baseline).
        split_names: Folder or tag prefix in the logs to split (`{"valid": "validation"}`).
        split_tags: Tag in the logs, or pattern on it (as in `fnmatch`), to split; it counts before
            any name.
        split_sizes: Split to number of examples.
        steps_per_epoch: 0 is inferred from the logged epochs.
        decisions: What was inferred, filled in by the layouts.
        tables: Files of rows that no loader knows by itself; the first that matches counts.
        train: How missing cells are made; None only plans them.
        questions: What the report answers, in this order.
        prose: Words of the author's own.
        sections: Sections of the author's own.
        stated: Key to who stated it: the study file's name, or `"command line"`.
    """

    path: str = ""
    report: ReportPlan = ReportPlan()
    runs_path: str = ""
    pattern: str = ""
    layout: str = ""
    repeats: str = ""
    groups: tuple[GroupPlan, ...] = ()
    grid: GridPlan = GridPlan()
    compare: tuple[str, ...] = ()
    metric: MetricPlan = MetricPlan()
    statistics: StatisticsPlan = StatisticsPlan()
    split_names: Mapping[str, str] = field(default_factory=dict)
    split_tags: Mapping[str, str] = field(default_factory=dict)
    split_sizes: Mapping[str, int] = field(default_factory=dict)
    steps_per_epoch: int = 0
    model: ModelPlan = ModelPlan()
    adapters: tuple[AdapterPlan, ...] = ()
    tables: tuple[TablePlan, ...] = ()
    train: TrainPlan | None = None
    decisions: tuple[Decision, ...] = ()
    questions: tuple[QuestionPlan, ...] = ()
    prose: tuple[ProsePlan, ...] = ()
    sections: tuple[SectionPlan, ...] = ()
    stated: Mapping[str, str] = field(default_factory=dict)
    _labels: Mapping[str, str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Look labels up by name: there may be thousands of groups, asked for at each value."""
        labels = {group.name: group.label for group in reversed(self.groups) if group.label}
        object.__setattr__(self, "_labels", labels)

    @property
    def reruns(self) -> str:
        """Folder in which finished re-runs appear, relative to the study file."""
        return (self.train or TrainPlan()).reruns

    @property
    def models(self) -> tuple[str, ...]:
        """Files and folders of the model and of adapters that it names."""
        adapters = (path for plan in self.adapters for path in (plan.config, plan.base))
        return tuple(filter(None, (self.model.config, self.model.checkpoint, *adapters)))

    def label(self, group: str) -> str:
        """Return what the report calls a group."""
        return self._labels.get(group, group)

    def short(self, group: str) -> str:
        """Return what a group is called where there is little room."""
        return next((g.short for g in self.groups if g.name == group and g.short), "")

    def cite(self, key: str, value: float | str | None) -> Evidence:
        """Return where a setting comes from, as evidence.

        The path is the study file or `"command line"` where that stated the key, `"inferred"`
        for what was decided from the logs, and `"default"` for what the program has by itself.

        Args:
            key: Key of the study file (`statistics.ddof`, `splits.sizes.test`).
            value: The value in use.

        Example:
            >>> study = Study(path="study.toml", stated={"splits.sizes.test": "study.toml"})
            >>> study.cite("splits.sizes.test", 2000).path
            'study.toml'
            >>> study.cite("statistics.ddof", 1).path
            'default'
        """
        inferred = any(decision.key == key for decision in self.decisions)
        path = self.stated.get(key, INFERRED if inferred else DEFAULT)
        from reportgen.records.quantity import Evidence

        return Evidence(path=path, tag=key, value=value)


# How a missing cell is made: what a study says of training.

RANDOM = "random"
"""The start of a group whose weights are drawn, not loaded."""

MEASURED: Mapping[str, Mapping[str, str]] = {
    "classification": {
        "accuracy": "higher", "f1": "higher", "matthews_correlation": "higher", "loss": "lower",
    },
    "token_classification": {"accuracy": "higher", "f1": "higher", "loss": "lower"},
    "regression": {"pearson": "higher", "spearman": "higher", "mse": "lower", "loss": "lower"},
    "causal_lm": {"accuracy": "higher", "perplexity": "lower", "loss": "lower"},
}  # fmt: skip
"""Task to what an evaluation measures, each with the end that is better; the first is the usual."""


@record
class DataPlan:
    r"""The examples; paths are relative to the study file.

    Attributes:
        files: Split to file: CSV, TSV, JSON lines, or a file of texts, one a line.
        labels: Split to a file of labels, one a line, beside a file of texts.
        text: Column or key of the text (of the question, for `task = "causal_lm"`).
        pair: Column or key of a second text that is read with the first; empty for single texts.
        label: Column or key of the label (of the answer). For `task = "token_classification"`
            text and label are words and their labels, parted by blanks, or lists of JSON.
        prompt: Template of a training text with `{text}` and `{label}`; causal language
            modelling only, and the loss counts the tokens of the answer alone. Empty is
            `"### QUESTION\n{text}\n\n### ANSWER\n{label}"`; the tokenizer's end token follows.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    text: str = "text"
    pair: str = ""
    label: str = "label"
    prompt: str = ""


@record
class TrainPlan:
    """Hyperparameters and inputs of a fine-tune; they are the same for every cell.

    Attributes:
        task: A key of `MEASURED`: classes of texts (or of pairs of them), classes of words, a
            number for each text, or answers of a language model.
        data: The examples.
        tokenizer: Hugging Face folder, or a sentencepiece model; empty takes the one that lies
            in the folder of the start.
        dictionary: fairseq's `dict.txt`, beside a sentencepiece model.
        config: `config.json` of a group whose start is random.
        batch_size: Examples of one update.
        epochs: Passes over the training split.
        learning_rate: Peak.
        warmup: Share of all updates, 0 to 1, over which the rate rises from 0.
        schedule: `"linear"` falls to 0 at the last update, `"constant"` does not fall.
        weight_decay: Decoupled; biases and normalisations are spared.
        beta1, beta2, epsilon: Adam's.
        clip_norm: Largest norm of a run's gradient; 0 leaves it.
        dropout: Of embeddings, attention and hidden layers, and of the head. Training an adapter
            it is not looked at: there its own `lora_dropout` counts, and the base drops nothing.
        max_length: Tokens of an example; longer ones are cut.
        precision: `"auto"` is bf16 on a GPU that has it and float32 elsewhere; `"float32"`.
        quantize: `"none"`, or `"nf4"` for the frozen base of an adapter (QLoRA; CUDA only).
        layout: Layout of the logs, `"fairseq"` or `"hf_trainer"`; empty is that of the runs
            beside.
        reruns: Folder in which finished runs appear.
        keep: `"best"` keeps the weights of the best step, `"none"` keeps no weights.
    """

    task: str = "classification"
    data: DataPlan = DataPlan()
    tokenizer: str = ""
    dictionary: str = ""
    config: str = ""
    batch_size: int = 8
    epochs: int = 5
    learning_rate: float = 1e-5
    warmup: float = 0.06
    schedule: str = "linear"
    weight_decay: float = 0.0
    beta1: float = 0.9
    beta2: float = 0.98
    epsilon: float = 1e-6
    clip_norm: float = 1.0
    dropout: float = 0.1
    max_length: int = 256
    precision: str = "auto"
    quantize: str = "none"
    layout: str = ""
    reruns: str = "reruns"
    keep: str = "best"
