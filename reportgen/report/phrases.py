"""Words that the sections share: names, captions, definitions, the words inside the diagrams."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from reportgen.languages import (
    Message,
    message,
    noun,
    noun_later,
    retell,
    say,
    spoken,
    tell,
    tell_count,
)
from reportgen.records import metrics
from reportgen.records.document import (
    Block,
    Cite,
    Code,
    Emphasis,
    Excerpt,
    Inline,
    Number,
    Reference,
    References,
    Section,
    Table,
    TableColumn,
    TableRow,
    Text,
    inlines,
    texts,
    walk,
)
from reportgen.records.facts import Facts, GroupResult, RunResult
from reportgen.records.quantity import Missing
from reportgen.records.rows import Rows, read_rows
from reportgen.records.run import Run, Runs
from reportgen.records.study import Study
from reportgen.report.numbers import Printing, counted, of_result

# The table of words, and the words inside the diagrams.


@cache
def words_of(section: str) -> Mapping[str, str]:
    """Return a section of the table of words: name to a marked message.

    Example:
        >>> words_of("biases")["none"]
        'no bias of the base model is trained'
    """
    return {name: message(text) for name, text in _rows()[section].items()}


def title_of_box(name: str) -> str:
    """Return the title of a box of a diagram."""
    return tell(words_of("boxes")[name])


@cache
def lists_of(section: str) -> Mapping[str, tuple[str, ...]]:
    """Return a section whose rows are lists: words for people to names of a program.

    Example:
        >>> lists_of("settings")["Optimizer"]
        ('optimizer', 'optim')
    """
    return {message(name): tuple(row.split()) for name, row in _rows()[section].items()}


@cache
def _rows() -> Rows:
    return read_rows("reportgen.report", "words.ini")


# Blocks that are drawn as others are.
FILLS = {"experts": "ffn", "state": "cross", "convolution": "cross", "other": "plain"}


def adapted_modules(count: int) -> str:
    """Return of how many adapted matrices one is drawn.

    Example:
        >>> adapted_modules(1), adapted_modules(24)
        ('The only adapted matrix.', 'One of 24 adapted matrices.')
    """
    return tell_count(
        "The only adapted matrix.", "One of {n} adapted matrices.", count, n=grouped(count)
    )


def grouped(number: int) -> str:
    """Write a whole number with its thousands apart.

    Example:
        >>> grouped(1234567)
        '1,234,567'
    """
    return f"{number:,}".replace(",", spoken().group_mark)


def heads_words(heads: int, size: int | None, grouped_heads: int | None) -> str:
    """Return how many attention heads there are.

    Example:
        >>> heads_words(32, 128, 8), heads_words(1, None, None)
        ('32 heads of width 128, 8 for keys and values', '1 head')
    """
    text = tell_count("{n} head", "{n} heads", heads, n=grouped(heads))
    if size:
        text = tell("{heads} of width {width}", heads=text, width=grouped(size))
    if grouped_heads:
        text = tell("{heads}, {n} for keys and values", heads=text, n=grouped(grouped_heads))
    return text


def experts_words(experts: int, active: int | None) -> str:
    """Return how many experts there are, and through how many a token passes.

    Example:
        >>> experts_words(8, 2)
        '8 experts, 2 for each token'
    """
    if not active:
        return tell("{n} experts", n=grouped(experts))
    return tell("{n} experts, {used} for each token", n=grouped(experts), used=grouped(active))


def about_layers(layers: int, sets: int) -> str:
    """Return what is said of a stack beside the number of its layers.

    Example:
        >>> about_layers(12, 12), about_layers(12, 1), about_layers(12, 2)
        ('', 'all with the same weights', 'with 2 sets of weights')
    """
    if layers == sets:
        return ""
    if sets == 1:
        return tell("all with the same weights")
    return tell("with {n} sets of weights", n=grouped(sets))


def sum_of_layers(one: int | None, sets: int, total: int) -> str:
    """Return the parameters of a stack; of one layer, where all are alike.

    Example:
        >>> sum_of_layers(70, 2, 140), sum_of_layers(70, 1, 70), sum_of_layers(None, 3, 9)
        ('2 × 70 = 140 parameters', '70 parameters', '9 parameters in all layers')
    """
    if one is None:
        return tell("{n} parameters in all layers", n=grouped(total))
    if sets == 1:
        return tell("{n} parameters", n=grouped(total))
    factors = {"sets": grouped(sets), "one": grouped(one), "n": grouped(total)}
    return tell("{sets} × {one} = {n} parameters", **factors)


def joined_names(words: Iterable[str]) -> str:
    """Join names of matrices of one shape; a name that occurs twice is counted.

    Example:
        >>> joined_names(["query", "key"]), joined_names(["first", "first"])
        ('query, key', '2 × first')
    """
    listed = list(words)
    counts = {word: listed.count(word) for word in listed}
    return ", ".join(word if n == 1 else f"{n} × {word}" for word, n in counts.items())


# Words that the sections about results share: names, captions, definitions.

_SPLITS = {"validation": ("val", "valid", "dev", "eval"), "train": ("training",)}
"""What metrics are called whose names begin with a split."""
ROOT = frozenset(["", "."])  # id of a run that is the folder loaded itself
_WORDS = (
    *(message("no"), message("one"), message("two"), message("three"), message("four")),
    *(message("five"), message("six"), message("seven"), message("eight"), message("nine")),
    message("ten"),
)


# --- names of groups ------------------------------------------------------------------


def name_of(group: GroupResult) -> Emphasis:
    """Return a group's label as running text has it: it may hold commas."""
    return Emphasis((group.label,))


# --- words ----------------------------------------------------------------------------


def what_of(facts: Facts, group: GroupResult) -> str:
    """Return the metric with the split that is reported, where its name does not tell."""
    metric = spelled(facts.study.metric.name)
    split = noun("training" if group.report_split == "train" else group.report_split)
    first = metric.lower().partition(" ")[0]
    if not split or first in {split.lower(), *_SPLITS.get(group.report_split, ())}:
        return metric
    return tell("{split} {metric}", split=split, metric=metric)


def things(groups: Sequence[GroupResult]) -> str:
    """Return what groups are called together: runs, where each is a single one."""
    alone = all(len(group.cells) <= 1 for group in groups)
    return noun("runs") if alone else noun("groups")


def cell_words(group: GroupResult, cell: RunResult) -> str:
    """Return what a run is called beside its group: its seed, else its folder or its path."""
    if cell.seed is not None and (has_seeds(group) or cell.run is None):
        return tell("seed {seed}", seed=str(cell.seed))
    return run_words(group, cell)


def run_words(group: GroupResult, cell: RunResult) -> str:
    """Return the folder of a run where that tells the runs of its group apart, else its path."""
    if cell.run is None:
        return tell("seed {seed}", seed=str(cell.seed))
    paths = [c.run.id for c in group.cells if c.run is not None]
    folders = [path.rpartition("/")[2] for path in paths]
    folder = cell.run.id.rpartition("/")[2]
    name = folder if folders.count(folder) == 1 else cell.run.id
    return group.label if name in ROOT else name


def path_words(run: Run, runs: Runs) -> str:
    """Return the path of a run; of one that is the root itself, the name of the root.

    Example:
        >>> run = Run(id=".", group="g", seed=None, layout="plain", scalars={})
        >>> path_words(run, Runs(root="logs/first/", runs=(run,)))
        'first'
    """
    if run.id not in ROOT:
        return run.id
    folder = runs.root.rstrip("/").rpartition("/")[2]
    return folder if folder.strip(".") else run.group


def shared_folder(paths: Sequence[str]) -> str:
    """Return the folder above several paths, with its slash; nothing for a single path.

    Example:
        >>> shared_folder(["a/b/1/x.log", "a/b/2/x.log"]), shared_folder(["a/x.log"])
        ('a/b/', '')
    """
    if len(paths) < 2:
        return ""
    folders = [path.split("/")[:-1] for path in paths]
    shared = 0
    while all(len(f) > shared and f[shared] == folders[0][shared] for f in folders):
        shared += 1
    return "".join(f"{part}/" for part in folders[0][:shared])


def plural(word: str, count: int) -> str:
    """Return a word in the number that a count asks for.

    Example:
        >>> plural("run", 1), plural("run", 3)
        ('run', 'runs')
    """
    return noun(word if spoken().is_one(count) else f"{word}s")


def in_words(count: int) -> str:
    """Return a small count of runs, epochs or evaluations as a word.

    Other languages give numbers the gender of these three.

    Example:
        >>> in_words(3), in_words(12), in_words(2069)
        ('three', '12', '2,069')
    """
    return tell(_WORDS[count]) if 0 <= count < len(_WORDS) else grouped(count)


def capital(text: str) -> str:
    """Return a sentence with its first letter in upper case, unless its first word has its own.

    Example:
        >>> capital("accuracy of a"), capital("nDCG of a")
        ('Accuracy of a', 'nDCG of a')
    """
    own = any(letter.isupper() for letter in text.partition(" ")[0][1:])
    return text if own else text[:1].upper() + text[1:]


def joined(parts: Sequence[Text]) -> Text:
    """Return texts as an enumeration in a sentence.

    Example:
        >>> "".join(joined([("a",), ("b",), ("c",)]))
        'a, b and c'
    """
    if len(parts) < 2:
        return parts[0] if parts else ()
    text: Text = parts[0]
    for part in parts[1:-1]:
        text += (", ", *part)
    return say("{first} and {last}", first=text, last=parts[-1])


def metric_words(study: Study) -> str:
    """Return the metric of a study as words of a sentence, without an article."""
    return spelled(study.metric.name) or noun("metric")


def level(study: Study) -> str:
    """Return the confidence level as it is written before the word interval."""
    number = f"{100 * study.statistics.confidence:g}".replace(".", spoken().decimal_mark)
    return f"{number}{spoken().percent_mark}"


def unit_words(printing: Printing) -> str:
    """Return the unit of a column as a caption says it."""
    return f" {tell('in percent')}" if printing.style == "percent" else ""


def chose_its_own(facts: Facts) -> str:
    """Return the clause that says the values are those of the split that chose, or nothing.

    A test split that chose is named whatever is reported: it can judge nothing any more.
    """
    select = facts.study.metric.select_on
    if select == "test":
        return tell("the test split itself chose each step, which makes its values optimistic")
    if facts.groups and all(group.report_split == select for group in facts.groups):
        return tell(
            "the {select} split that chose each step also gives the values: they are optimistic",
            select=noun(select),
        )
    return ""


def has_seeds(group: GroupResult) -> bool:
    """Return whether every cell of a group has a seed of its own."""
    seeds = [cell.seed for cell in group.cells]
    return None not in seeds and len(set(seeds)) == len(seeds)


_FOLD = re.compile(r"(?i)(?:^|[/_\-. ])fold[_\- ]?\d+$")


def has_folds(groups: Sequence[GroupResult]) -> bool:
    """Return whether the runs that repeat one another are the folds of a cross-validation."""
    again = [cell.run for group in groups if len(group.cells) > 1 for cell in group.cells]
    return bool(again) and all(run is not None and _FOLD.search(run.id) for run in again)


def split_noun(split: str) -> str:
    """Return what a split is called before a metric: the one that trains is that of training."""
    return noun("training" if split == "train" else split)


def split_size(identifier: str, split: str, study: Study) -> Number:
    """Return the number of examples the study states for a split."""
    size = study.split_sizes[split]
    stated = (study.cite(f"splits.sizes.{split}", size),)
    return counted(
        identifier, size, message("examples of {split}", split=noun_later(split)), stated
    )


def result_n(identifier: str, group: GroupResult, study: Study) -> Number:
    """Return how many runs of a group have a reported value."""
    runs = of_result(study, group, group.report)
    return counted(
        identifier, group.report.n, message("runs of {group} with a value", group=group.label), runs
    )


# --- metrics --------------------------------------------------------------------------


def spelled(metric: str) -> str:
    """Return the name of a metric as words of a sentence in the spoken language.

    Example:
        >>> spelled("mean_iou"), spelled("macro_f1")
        ('mIoU', 'macro F1')
    """
    return noun(metrics.metric_words(metric))


# --- sentences and quotations ---------------------------------------------------------


# The language in which loaders and counts say what they refuse.
OWN = "en"


def quoted(words: str) -> Inline:
    """Return what the program said: in the spoken language where it can be, else as code.

    Example:
        >>> from reportgen.languages import speaking
        >>> quoted("no such file")
        'no such file'
        >>> with speaking("fr"):
        ...     quoted("no such file")
        Code(text='no such file')
    """
    if isinstance(words, Message) or spoken().code == OWN:
        return retell(words)
    return Code(words)


def quotes_any(texts: Iterable[str]) -> bool:
    """Return whether some of these words would be quoted in the language of the program."""
    return any(isinstance(quoted(text), Code) for text in texts if text)


def sentences(texts: Iterable[Text]) -> Text:
    """Return sentences one behind the other, without empty ones.

    Example:
        >>> sentences([("One.",), (), ("Two ", "halves.")])
        ('One.', ' ', 'Two ', 'halves.')
    """
    return listed(filter(None, texts), " ")


def listed(texts: Iterable[Text], between: str = "") -> Text:
    """Return texts in a row, with a semicolon or another mark between each two.

    Example:
        >>> listed([("a",), ("b",)])
        ('a', '; ', 'b')
    """
    found: Text = ()
    between = between or tell("; ")
    for place, text in enumerate(texts):
        found += (between, *text) if place else text
    return found


# --- reasons --------------------------------------------------------------------------


def by_reason(
    missing: Iterable[tuple[RunResult, Missing]],
) -> list[tuple[Inline, list[RunResult]]]:
    """Return why values are missing, in order of appearance, with the runs of each reason."""
    found: dict[object, list[tuple[RunResult, str]]] = {}
    for cell, why in missing:
        found.setdefault(_without_run(why.reason), []).append((cell, why.reason))
    return [
        (_said_of([why for _, why in own]), [cell for cell, _ in own]) for own in found.values()
    ]


def _without_run(reason: str) -> object:
    """Return what of a reason is the same of other runs."""
    if not isinstance(reason, Message) or "run" not in reason.places:
        return reason
    return reason.pattern, tuple(sorted(one for one in reason.places.items() if one[0] != "run"))


def _said_of(reasons: Sequence[str]) -> Inline:
    """Return reasons that are the same but for their run in the words of one."""
    first, places = reasons[0], (one.places for one in reasons if isinstance(one, Message))
    runs = dict.fromkeys(retell(run) for own in places if isinstance(run := own.get("run"), str))
    return retell(first, run=_few([*runs])) if len(runs) > 1 else quoted(first)


def _few(names: list[str]) -> str:
    first, second, *others = names
    if len(others) <= 1:
        return tell("{first} and {last}", first=", ".join(names[:-1]), last=names[-1])
    pattern = message("{first}, {second} and {count} others")
    return tell(pattern, first=first, second=second, count=len(others))


# --- tables ---------------------------------------------------------------------------


def plain_table(
    key: str,
    caption: Text,
    titles: Sequence[Text],
    rows: Iterable[Sequence[Text] | TableRow],
    *,
    wide: Sequence[int] = (0,),
    right: Sequence[int] = (),
    decimal: Sequence[int] = (),
    notes: Iterable[Text] = (),
    excerpt: Excerpt | None = None,
) -> Table:
    """Return a table.

    Args:
        key: Its id.
        caption: Its caption.
        titles: Heads of its columns.
        rows: Cells of each row, or rows of another kind than the body's.
        wide: Columns of prose.
        right: Columns of numbers.
        decimal: Columns of numbers that are aligned at their points.
        notes: What stands below it.
        excerpt: What of it is printed on pages.

    Example:
        >>> table = plain_table("t", ("Counts.",), [("Part",), ("n",)], [[("a",), ("1",)]],
        ...                     right=[1])
        >>> table.columns[1].align, table.rows[0].cells, table.rows[0].kind
        ('right', (('a',), ('1',)), 'body')
    """
    aligns = dict.fromkeys(right, "right") | dict.fromkeys(decimal, "decimal")
    return Table(
        id=key,
        caption=caption,
        columns=tuple(
            TableColumn(title=title, align=aligns.get(place, "left"), wide=place in wide)
            for place, title in enumerate(titles)
        ),
        rows=tuple(r if isinstance(r, TableRow) else TableRow(cells=tuple(r)) for r in rows),
        notes=tuple(notes),
        excerpt=excerpt,
    )


def total_row(*cells: Text) -> TableRow:
    """Return the sums below a table."""
    return TableRow(cells=cells, kind="total")


# --- works that a section may cite ----------------------------------------------------


@cache
def works() -> Mapping[str, Reference]:
    """Return every work that a report may cite, by key."""
    rows = read_rows("reportgen.report", "works.ini")
    return {
        key: Reference(key=key, text=(row["text"],), url=row.get("url", ""))
        for key, row in rows.items()
        if key
    }


def _keys(blocks: tuple[Block, ...]) -> Iterator[str]:
    for block in walk(blocks):
        for text in texts(block):
            yield from (node.key for node in inlines(text) if isinstance(node, Cite))


def references_section(body: tuple[Block, ...], appendix: tuple[Block, ...] = ()) -> Section | None:
    """Return the section of what is cited, or None where nothing is.

    It is the last one of the body, or of the appendix where only that cites. Works stand in the
    order of their first citation.

    Raises:
        KeyError: A section cites a key that no work has.
    """
    cited = tuple(works()[key] for key in dict.fromkeys(_keys((*body, *appendix))))
    if not cited:
        return None
    return Section(
        id="references-section",
        title=tell("References"),
        blocks=(References(entries=cited),),
        appendix=not any(_keys(body)),
    )
