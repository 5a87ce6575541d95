"""What the path of a run and its settings say: its seed, its group, what only tells it apart."""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, takewhile
from typing import NamedTuple

from reportgen.records.run import Log
from reportgen.runs._layout import Draft, folders_above, leaf, parent
from reportgen.runs._words import ordered_words, words

LARGEST_SEED = 2**32 - 1
"""The largest that numpy and study files take."""

_BEGIN, _END = r"(?:^|(?<=[_\-. /]))", r"(?=$|[_\-. /#])"
_TOKENS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?i:{_BEGIN}seed[_\-= ]?(\d{{1,10}}){_END})",
        rf"{_BEGIN}s=?(\d{{1,5}}){_END}(?!\.\d)",
        r"(?i:seed)[_\-= ]?(\d{1,10})(?!\d)",
        # `Hopper-v4__ppo__3__1700000000`: as CleanRL calls a run, its seed before the clock.
        r"(?<=[^_]__)(\d{1,10})(?=__1\d{9}$)",
    )
)
"""What may be a seed by its letters: a word, an `s`, a word behind another, a place."""
_NUMBER = re.compile(r"\d{1,6}")
_BARE_NUMBER = re.compile(r"(?<![^_\-. /])(?<!\de_)(?<!\d\.)(\d{1,4})(?=$|[_\- /]|\.(?!\d))")
_INDEX = re.compile(rf"(?i:{'|'.join(sorted(words('names', 'counters')))})[_\- ]?\d+")
_MADE_UP = re.compile(r"[a-z]+-[a-z]+-\d+")
MAKE_NAMES_UP = frozenset({"wandb", "mlflow"})
"""Layouts of programs that call a run `lucky-fire-3` where its owner does not call it."""
_ID = re.compile(r"(?=.*\d)[0-9a-f]{6,}|(?=[a-z]*\d+[a-z])[a-z0-9]{8}|[a-z]\d+")
"""Digests, ids of trackers, and a letter with a number."""
_NUMBERED = re.compile(r"[_\-. ]\d+$|(?:(?<=/)|^)(?:job|run|exp|trial)\d+$")
FOLD_PATH = re.compile(rf"(?i:{_BEGIN}fold[_\- ]?\d+)$")
_PROGRAM = re.compile(
    r"(?i)version_\d+|(?:lightning_|tb_|tensorboard_|csv_)?logs?|csv|tb|tensorboard|runs|multirun"
    r"|wandb"
)
"""Folders that programs make below a run or above all runs, and nobody named."""
_GENERAL = words("names", "general")
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_DATE = r"(?:\d{2}-\d{2}-\d{4}|\d{4}-\d{2}-\d{2}|(?:19|20)\d{2}[01]\d[0-3]\d)"
_TIME = r"(?:[_\-T ]\d{2}[-:.]?\d{2}(?:[-:.]?\d{2}(?:\.\d{3,6})?)?|/\d{2}[-:.]\d{2}[-:.]\d{2})"
_STAMP = re.compile(
    rf"(?:^|(?<=/)|[_\-. ,])(?:{_DATE}(?:{_TIME})?|1\d{{9}}(?:\.\d+)?"
    rf"|(?:{_MONTHS})\d{{2}}(?:{_TIME}(?:_[^_/]+)?)?|[0-9a-f]{{5}}_\d{{5}}(?:_\d+)?)"
    r"(?=$|/|[_\-. ,])"
    r"|(?:^|(?<=/))(?:1[5-9]|2\d|3[0-5])(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$"
)
"""Clock readings, the host behind one, and what Ray calls a trial: `8f2a1_00000_0`."""
WITH_NUMBERS = words("settings", "with_numbers")
_LAST_WORD = re.compile(r"([a-zA-Z]+)[_\-. =/]*$")
_HYPERPARAMETER = re.compile(
    r"(?i)(?:ms|mu|lr|me|bs|bsz|ep|epochs?|wd|wu|warmup|steps|batch|dropout|do|max[a-z]*)"
    r"[=\-]?\d[\d.e+\-]*"
)
_OF_DATA = re.compile(r"(?i)(?:data|dataset|split|shuffle|sampler|fold|cv)[_\-. ]?$")
"""What stands before a seed that is not the run's own."""
_FOLDER_OF_SEEDS = frozenset({"seed", "seeds"})
_LOOKED_AT = 8
"""Numbers and folders of a path that are looked at: a stranger's folder may have a thousand."""

TOKEN, SHORT, FOLDER, FOLD, INDEX = "seed_in_name", "s_in_name", "folder_number", "fold", "index"
NOTHING = ""
"""Codes of where a seed or a number stood."""


class PathReading(NamedTuple):
    """What a run's path says.

    Attributes:
        seed: The seed, or None.
        bare: The path without its seed, its running number and clock readings.
        origin: Code of where the seed or number stood.
        token: The letters and digits of the seed.
    """

    seed: int | None
    bare: str
    origin: str
    token: str = ""


def read_path(path: str, layout: str = "") -> PathReading:
    """Read seed and group off a run's path, or off the name that its program knows it by.

    Example:
        >>> [(r.seed, r.bare) for r in map(read_path, ("roberta/2", "model-s1", "a/run_seed3"))]
        [(2, 'roberta'), (1, 'model'), (3, 'a/run')]
        >>> read_path("q2_default_s2_Pendulum-v4_27-05-2024_22-37-22").bare
        'q2_default_Pendulum-v4'
        >>> read_path("Hopper-v4__ppo__3__1700000000").seed, read_path("batch_size/16").seed
        (3, None)
        >>> read_path("logs/vit_seed7/seed7").bare, read_path("data_seed1/vit_seed2").bare
        ('logs/vit', 'data_seed1/vit')
    """
    tokens = find_tokens(path)
    if tokens:
        return _read_token(path, tokens)
    head, _, name = path.rpartition("/")
    bare = without_clock(head)
    if _NUMBER.fullmatch(name) and not is_setting(head) and not _STAMP.search(path, len(head)):
        if head and bare == without_clock(parent(head)):
            # Below a clock reading a program counts its jobs.
            return PathReading(None, bare, INDEX)
        if leaf(head).lower() in _FOLDER_OF_SEEDS:
            return PathReading(int(name), without_clock(parent(head)), TOKEN, name)
        return PathReading(int(name), bare, FOLDER, name)
    if _INDEX.fullmatch(name) or (layout in MAKE_NAMES_UP and _MADE_UP.fullmatch(name)):
        return PathReading(None, bare, INDEX)
    if fold := FOLD_PATH.search(path):
        return PathReading(None, without_clock(cut_token(path, *fold.span())), FOLD)
    return PathReading(None, without_clock(path), NOTHING)


def _read_token(path: str, tokens: Sequence[tuple[int, int, int, int]]) -> PathReading:
    """Take a word before an s, the deepest folder, and inside a folder's name the first."""
    tokens = [token for token in tokens if not is_short(token)] or tokens
    last = path.rfind("/", 0, tokens[-1][1])
    of_runs = [t for t in tokens if not _OF_DATA.search(path[max(0, t[1] - 10) : t[1]])]
    inside = [token for token in tokens if token[1] > last]
    own = [token for token in of_runs if token[1] > last]
    seed, begin, _, end = token = (own or inside)[0]
    rest, origin = cut_token(path, begin, end), SHORT if is_short(token) else TOKEN
    for same in [t for t in of_runs[::-1] if t[0] == seed and t[3] <= begin and origin == TOKEN]:
        # `a_seed1/seed1`: said again, it is the same seed.
        rest = cut_token(rest, same[1], same[3])
    rest = without_clock(rest)
    if leaf(rest).lower() in _FOLDER_OF_SEEDS:
        rest, origin = parent(rest), TOKEN
    return PathReading(seed, rest, origin, path[begin:end])


def seed_beside(path: str, group: str) -> int | None:
    """Return the seed that a path states beside a stated group: what the group holds is no seed.

    Example:
        >>> seed_beside("lab/bert_s3", "bert"), seed_beside("lab/bert_s3", "bert_s3")
        (3, None)
    """
    reading = read_path(path)
    inside = re.search(rf"(?:^|[_\-. /]){re.escape(reading.token)}(?:$|[_\-. /])", group)
    return None if reading.token and inside else reading.seed


def without_clock(path: str) -> str:
    """Return a path without clock readings, and the host that PyTorch writes behind one.

    Example:
        >>> without_clock("Adam/20221125-140126"), without_clock("a_2022-11-25/b")
        ('Adam', 'a/b')
        >>> without_clock("2025-02-16 15:40:03.009243")
        ''
        >>> without_clock("runs/May02_10-00-00_hostA_lr0.01"), without_clock("2024-05-01/10-00-00")
        ('runs/lr0.01', '')
    """
    # A separator goes with a clock that nothing of the name stands before.
    parts = _STAMP.sub("\0", path).split("/")
    bare = (re.sub(r"^\0[_\-. ]*", "", part).replace("\0", "") for part in parts)
    return "/".join(part for part in bare if part)


@lru_cache(maxsize=4096)
def without_seed_and_clock(text: str) -> str:
    """Return a text that may name a run without its seed and its clock."""
    for token in reversed(find_tokens(text)):
        text = text if is_short(token) else cut_token(text, token[1], token[3])
    return without_clock(text)


def is_program(name: str) -> bool:
    """Tell whether a program made a folder of this name, and no owner chose it."""
    return bool(_PROGRAM.fullmatch(name))


def without_programs(paths: Iterable[str]) -> dict[str, str]:
    """Return each path without the folders at its end that programs made and nothing tells apart.

    Example:
        >>> without_programs(["a/seed1/csv/version_0", "b/version_0", "b/version_1"])["b/version_1"]
        'b/version_1'
    """
    found = {path: path for path in paths}
    beside: dict[str, set[str]] = {}
    for path in found:
        for above in islice(folders_above(path), _LOOKED_AT):
            beside.setdefault(above, set()).add(path[len(above) :].lstrip("/").partition("/")[0])
    for path in found:
        for above in islice(folders_above(path), _LOOKED_AT):
            alone = len(beside[above]) < 2 or bool(find_tokens(above))
            if not (above and alone and is_program(found[path][len(above) + 1 :])):
                break
            found[path] = above
    return found


def counted_paths(paths: Iterable[str]) -> dict[str, tuple[str, int]]:
    """Return (path without it, number) of paths that a number counts through from 0 or 1.

    Example:
        >>> counted_paths(["dqn_1_Pong", "dqn_2_Pong", "ac_10", "ac_100"])
        {'dqn_1_Pong': ('dqn_Pong', 1), 'dqn_2_Pong': ('dqn_Pong', 2)}
    """
    families: dict[str, dict[str, tuple[str, int]]] = {}
    for path in dict.fromkeys(paths):
        for match in list(_BARE_NUMBER.finditer(path))[-_LOOKED_AT:]:
            before, after = path[: match.start(1)], path[match.end(1) :]
            if not is_setting(before):
                cut = cut_token(path, *match.span(1)), int(match[1])
                families.setdefault(f"{before}\0{after}", {})[path] = cut
    found: dict[str, tuple[str, int]] = {}
    for family in families.values():
        numbers = sorted(number for _, number in family.values())
        if len(numbers) > 1 and counts_through(numbers):
            found.update(family)
    return found


def counts_through(numbers: Sequence[int]) -> bool:
    """Tell whether numbers are all there are from 0 or 1 on."""
    return list(numbers) in ([*range(len(numbers))], [*range(1, len(numbers) + 1)])


def without_letter(path: str) -> str:
    """Return a path without a folder that a letter alone names: it says no more than a number."""
    above, _, name = path.rpartition("/")
    return above if above and len(name) == 1 and name.isalpha() else path


def without_id(path: str) -> str:
    """Return a path without an id of a run, which says nothing, or a number at its end.

    Example:
        >>> [without_id(path) for path in ("lab/3f9a1c", "wandb/abc0xyz0", "r11", "a/slow-cow-3")]
        ['lab', 'wandb', '', 'a/slow-cow']
        >>> without_id("logs/job3"), without_id("lab/resnet50"), without_id("lab/facade")
        ('logs/', 'lab/resnet50', 'lab/facade')
    """
    above, _, name = path.rpartition("/")
    return above if _ID.fullmatch(name) else _NUMBERED.sub("", path)


def find_tokens(path: str) -> list[tuple[int, int, int, int]]:
    """Return (seed, begin, begin of its digits, end) of what may be a seed by its letters.

    Example:
        >>> find_tokens("data_seed1/model_s2")
        [(1, 5, 9, 10), (2, 17, 18, 19)]
    """
    found: dict[int, tuple[int, int, int, int]] = {}
    at = 0
    for part in path.split("/"):
        for pattern in _TOKENS:
            for match in pattern.finditer(part):
                if (seed := int(match[1])) <= LARGEST_SEED:
                    begin, digits, end = at + match.start(), at + match.start(1), at + match.end()
                    found.setdefault(digits, (seed, begin, digits, end))
        at += len(part) + 1
    return [found[digits] for digits in sorted(found)]


def is_short(token: tuple[int, int, int, int]) -> bool:
    """Tell whether an `s`, and no word, stands before the digits of a token."""
    _, begin, digits, _ = token
    return 0 < digits - begin <= len("s=")


def is_setting(path: str) -> bool:
    """Tell whether a path ends in the name of a setting, so that a number behind it is its value.

    Example:
        >>> is_setting("sweep/batch_size"), is_setting("roberta"), is_setting("bc_train-step_")
        (True, False, True)
    """
    found = _LAST_WORD.search(path[-40:])
    return found is not None and found[1].lower() in WITH_NUMBERS


def cut_token(path: str, begin: int, end: int) -> str:
    """Return a path without a token in a folder's name, and without a separator beside it.

    Example:
        >>> cut_token("bert-seed42-lr3e-5", 5, 11), cut_token("seed_2/model", 0, 6)
        ('bert-lr3e-5', 'model')
    """
    above, _, before = path[:begin].rpartition("/")
    after, _, below = path[end:].partition("/")
    head, tail = before.rstrip("_-. ,"), after.lstrip("_-. ,")
    separator = before[-1:] if head and tail else ""
    parts = (above.rstrip("/"), f"{head}{separator}{tail}", below.lstrip("/"))
    return "/".join(part for part in parts if part)


def name_groups(paths: Sequence[str], fallback: str) -> dict[str, str]:
    """Return a short, telling name for each group path.

    Folders that all groups share are dropped, and those that only programs made; so are
    hyperparameters at the end of a name that all share. No name is emptied or given twice.

    Example:
        >>> names = name_groups(["books/small_ms8_lr1e-05", "books/small_random_ms8_lr1e-05"], "x")
        >>> list(names.values())
        ['small', 'small_random']
    """
    parts = {path: [p for p in path.split("/") if p not in {"", "."}] for path in paths}
    if len(parts) == 1:
        ((path, found),) = parts.items()
        own = [part for part in found if not is_program(part)]
        while len(own) > 1 and own[-1].lower() in _GENERAL:
            own.pop()
        return _drop_hyperparameters({path: own[-1] if own else fallback})
    # Leading folders that all paths share; each keeps at least one part.
    leading = zip(*(found[:-1] for found in parts.values()), strict=False)
    above = len(list(takewhile(lambda folders: len(set(folders)) == 1, leading)))
    cut = {path: found[above:] for path, found in parts.items()}
    named = {path: [p for p in found if not is_program(p)] for path, found in cut.items()}
    every = set.intersection(*map(set, named.values())) if named else set()
    telling = {path: [p for p in found if p not in every] for path, found in named.items()}
    chosen = telling if all(telling.values()) else named
    short = {path: "/".join(found) for path, found in chosen.items()}
    counted = Counter(short.values())
    names = {path: "/".join(found) for path, found in cut.items()}
    plain = {path: s if s and counted[s] == 1 else names[path] for path, s in short.items()}
    names = plain if len(set(plain.values())) == len(plain) else names
    return {path: name or fallback for path, name in _drop_hyperparameters(names).items()}


def _drop_hyperparameters(names: Mapping[str, str]) -> dict[str, str]:
    result = dict(names)
    while True:
        tails = {name.rpartition("_")[2] for name in result.values()}
        tail = next(iter(tails), "")
        cut = {path: name.rpartition("_")[0] for path, name in result.items()}
        whole = all(cut.values()) and len(set(cut.values())) == len(cut)
        if len(tails) != 1 or not _HYPERPARAMETER.fullmatch(tail) or not whole:
            return result
        result = cut


_ARGUMENTS = "args/text_summary"
_COMMAND = ("sys.argv", "sys.argv/text_summary")
_SEED_KEYS = ordered_words("settings", "seeds")
_DATA_SECTIONS = words("settings", "of_data")
_NAMED = WITH_NUMBERS | words("settings", "chosen")
_BOOKKEEPING = words("settings", "bookkeeping")
_OF_A_START = words("settings", "of_a_start")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_HYDRA_KEY = re.compile(r"\+{0,2}[a-zA-Z_][\w./]*")
_DEEP, _LONG, _MANY, _DIGITS = 4, 200, 2000, 7
INTERNAL = ("purge_step",)
"""Keys that loaders state for the merging of files, not settings of a run."""

Settings = Mapping[str, str]


def config_of(log: Log) -> dict[str, object]:
    """Return every setting that one log states."""
    found = {key: value for key, value in log.config.items() if key not in INTERNAL}
    if _ARGUMENTS in log.texts:
        found.update(_read_arguments(log.texts[_ARGUMENTS]))
    for tag in _COMMAND:
        if tag in log.texts:
            found.update(read_command(log.texts[tag]))
    return found


def _read_arguments(text: str) -> dict[str, object]:
    """Read the JSON that the Trainer logs as `args`; anything else gives nothing."""
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return parsed if isinstance(parsed, dict) else {}


def read_command(text: str) -> dict[str, object]:
    """Read a printed `sys.argv`: `--key value`, `--flag` and Hydra's `key=value`.

    Example:
        >>> read_command("['train.py', '--seed', '2', '--lr', '1e-05', '--fp16']")
        {'seed': 2, 'lr': 1e-05, 'fp16': True}
        >>> read_command("['train.py', 'model.name=small', '+seed=2']")
        {'model.name': 'small', 'seed': 2}
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parts = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        parts = text.split()
    if not isinstance(parts, list | tuple):
        return {}
    found: dict[str, object] = {}
    names = [str(part) for part in parts]
    for name, following in zip(names, [*names[1:], "--"], strict=True):
        key, equals, value = name.removeprefix("--").partition("=")
        if not key or not (name.startswith("--") or (_HYDRA_KEY.fullmatch(key) and equals)):
            continue
        if not equals:
            value = "" if following.startswith("--") else following
        found[key.lstrip("+").replace("-", "_")] = _literal(value) if value else True
    return found


def _literal(text: str) -> object:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def seed_in(config: Mapping[str, object]) -> int | None:
    """Return the seed that a configuration states, None where it states none.

    A seed inside a section (`trainer.seed`, `{"trainer": {"seed": 1}}`) counts where no other
    section states another one and it is not that of the data. Below 0 a program draws one.

    Example:
        >>> seed_in({"seed": 42, "data_seed": None}), seed_in({"lr": 1e-5}), seed_in({"seed": -1})
        (42, None, None)
        >>> seed_in({"model": {"seed": 3}, "data": {"seed": 1}}), seed_in({"trainer/seed": "7"})
        (3, 7)
    """
    for key in _SEED_KEYS:
        seed = _as_seed(config.get(key))
        if seed is not None:
            return seed
    inside = set()
    for key, value in leaves_of(config):
        *sections, name = re.split(r"[./]", key)
        if any(sections) and name.lower() in _SEED_KEYS and sections[-1] not in _DATA_SECTIONS:
            inside.add(_as_seed(value))
    inside.discard(None)
    return inside.pop() if len(inside) == 1 else None


def seed_of(draft: Draft) -> int | None:
    """Return the seed of a run: as the study or its settings state it, else as its name does."""
    stated = seed_in(draft.config) if draft.seed is None else draft.seed
    return read_path(draft.name or draft.place, draft.layout).seed if stated is None else stated


def without_seeds(config: Mapping[str, object]) -> dict[str, object]:
    """Return the settings of a configuration that several runs share."""
    return {k: v for k, v in config.items() if re.split(r"[./]", k)[-1].lower() not in _SEED_KEYS}


def _as_seed(value: object) -> int | None:
    """Return a whole number that may be a seed: not below 0, and of 32 bits."""
    if isinstance(value, str) and value.strip().isdecimal() and len(value) < 19:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    whole = isinstance(value, int) or value.is_integer()
    return int(value) if whole and 0 <= value <= LARGEST_SEED else None


def settings_of(config: Mapping[str, object]) -> dict[str, str]:
    """Return the settings that a run was trained with: no seeds, no names, no results.

    Example:
        >>> settings_of({"seed": 1, "model": {"name": "small"}, "output_dir": "out/1", "lr": 0.1})
        {'model.name': 'small', 'lr': '0.1'}
    """
    found: dict[str, str] = {}
    for key, value in leaves_of(config):
        if len(found) == _MANY:
            break
        if tells_apart(key) and value is not None:
            plain = without_seed_and_clock(value[:_LONG]) if isinstance(value, str) else str(value)
            found[key] = plain[:_LONG]
    return found


def contradict(one: Settings, other: Settings) -> bool:
    """Tell whether two runs state different values of a setting."""
    return any(one[key] != other[key] for key in one.keys() & other.keys())


def differing(several: Sequence[Settings]) -> tuple[str, ...]:
    """Return the keys by which runs of one name are different groups.

    What differs in every run may be a name or a count of the run itself: it tells groups apart
    where its key is the name of a setting, or its value is no such thing.

    Example:
        >>> differing([{"lr": "0.1", "trial": "7"}, {"lr": "0.2", "trial": "8"}])
        ('lr',)
    """
    keys = dict.fromkeys(key for settings in several for key in settings)
    return tuple(key for key in keys if _tells(key, [s[key] for s in several if key in s]))


def label_of(settings: Settings, keys: Sequence[str]) -> str:
    """Return what tells a group apart in words: the chosen value, or settings by name.

    Example:
        >>> label_of({"model": "small"}, ["model"]), label_of({"optim.lr": "0.1"}, ["optim.lr"])
        ('small', 'lr=0.1')
    """
    stated = [(key, settings[key][:40]) for key in keys if settings.get(key, "")]
    if len(stated) == 1 and stated[0][1][:1].isalpha() and stated[0][1] not in {"True", "False"}:
        return stated[0][1]
    return ",".join(f"{re.split(r'[./]', key)[-1]}={value}" for key, value in stated)


def leaves_of(
    config: Mapping[str, object], above: str = "", deep: int = _DEEP
) -> Iterator[tuple[str, object]]:
    """Yield every setting of a configuration, those of its sections with their names before."""
    for name, value in config.items():
        key = f"{above}.{name}" if above else str(name)
        if isinstance(value, Mapping) and deep:
            yield from leaves_of(value, key, deep - 1)
        elif isinstance(value, str | int | float | bool | list | tuple | None):
            yield key, value


def words_of(key: str) -> set[str]:
    """Return the words of a key, in small letters."""
    return {word.lower() for word in _WORDS.findall(key)}


@lru_cache(maxsize=4096)
def tells_apart(key: str) -> bool:
    """Tell whether a key is that of a setting, and not of a seed, a name or a result."""
    return key not in _OF_A_START and not _BOOKKEEPING & words_of(key)


def _tells(key: str, values: Sequence[str]) -> bool:
    distinct = set(values)
    if len(distinct) < 2:
        return False
    # A choice is neither a count nor a path, a digest or a measured number.
    choices = all(
        "/" not in value and not value.isdigit() and sum(map(str.isdigit, value)) < _DIGITS
        for value in distinct
    )
    return bool(_NAMED & words_of(key)) or len(distinct) < len(values) or choices
