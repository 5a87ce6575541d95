"""Seeds and groups: what a run's path and configuration say about them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reportgen.languages import message
from reportgen.runs._config import LARGEST_SEED

_WORD_SEED = re.compile(r"(?:^|(?<=[_\-. /]))seed[_\-= ]?(\d{1,10})(?=$|[_\-. /#])", re.IGNORECASE)
_SHORT_SEED = re.compile(r"(?:^|(?<=[_\-. /]))s=?(\d{1,5})(?=$|[_\-. /#])", re.IGNORECASE)
_GLUED_SEED = re.compile(r"seed[_\-= ]?(\d{1,10})(?!\d)", re.IGNORECASE)
_BEFORE_CLOCK = re.compile(r"(?<=[^_]__)(\d{1,10})(?=__1\d{9}$)")
"""`Hopper-v4__ppo__3__1700000000`: as CleanRL calls a run, its seed before the clock."""
_NUMBER = re.compile(r"\d{1,6}")
_INDEX = re.compile(
    r"(?:run|version|trial|exp|try|rep|replicate|repeat|fold)[_\- ]?\d+", re.IGNORECASE
)
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_DAY = (
    r"(?:\d{2}-\d{2}-\d{4}|\d{4}-\d{2}-\d{2}|(?:19|20)\d{2}[01]\d[0-3]\d|(?:" + _MONTHS + r")\d{2})"
)
_TIME = r"[_\-T ]\d{2}[-:.]?\d{2}(?:[-:.]?\d{2})?(?:_[\w.\-]+)?"
_STAMP = re.compile(
    rf"(?:^|(?<=/)|[_\-. ])(?:{_DAY}(?:{_TIME})?|1[0-9]{{9}}(?:\.\d+)?)(?=$|/|[_\-. ])"
    r"|(?:^|(?<=/))(?:1[5-9]|2\d|3[0-5])(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$"
)
_HYPERPARAMETER = re.compile(
    r"(?:ms|mu|lr|me|bs|bsz|ep|epochs?|wd|wu|warmup|steps|batch|dropout|do|max[a-z]*)"
    r"[=\-]?\d[\d.e+\-]*",
    re.IGNORECASE,
)
_SETTING = re.compile(
    r"(?:.*[_\-. ])?(?:lr|learning[_\- ]?rate|batch(?:[_\- ]?size)?|bs|bsz|epochs?|steps?|iters?|"
    r"iterations?|warmup|wd|decay|dropout|rank|r|alpha|depth|layers?|width|hidden|heads?|dims?|size|"
    r"sizes?|len|length|k|n|t|temp|temperature|beta|gamma|lambda|tau|eps|shots?|samples?|params?|"
    r"checkpoints?)",
    re.IGNORECASE,
)
"""Names of settings: a number in a folder of such a name is a value of it, no seed."""

_OF_DATA = re.compile(r"(?:data|dataset|split|shuffle|sampler|fold|cv)[_\-. ]?$", re.IGNORECASE)
"""What stands before a seed that is not the run's own."""

TOKEN = message("a seed in its name")
FOLDER = message("its folder's number")
FILE = message("its file's number")
INDEX = message("a running number")
NOTHING = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PathReading:
    """What a run's path says.

    Attributes:
        seed: The seed, or None.
        rest: The path without its seed or running number, clock readings kept.
        bare: The same without clock readings.
        origin: Where the seed or number stood.
        span: Where in the path the seed's token begins, its digits begin, and it ends.
    """

    seed: int | None
    rest: str
    bare: str
    origin: str
    span: tuple[int, int, int] = (0, 0, 0)


def read_path(path: str) -> PathReading:
    """Read seed and group off a run's path.

    Example:
        >>> [(r.seed, r.bare) for r in map(read_path, ("roberta/2", "model-s1", "a/run_seed3"))]
        [(2, 'roberta'), (1, 'model'), (3, 'a/run')]
        >>> read_path("q2_default_s2_Pendulum-v4_27-05-2024_22-37-22").bare
        'q2_default_Pendulum-v4'
        >>> read_path("Hopper-v4__ppo__3__1700000000").seed, read_path("batch_size/16").seed
        (3, None)
    """
    seed, rest, origin, span = _take_seed(path)
    return PathReading(seed=seed, rest=rest, bare=without_clock(rest), origin=origin, span=span)


def seed_beside(path: str, group: str) -> int | None:
    """Return the seed that a path states beside a stated group: what the group holds is no seed.

    Example:
        >>> seed_beside("lab/bert_s3", "bert"), seed_beside("lab/bert_s3", "bert_s3")
        (3, None)
    """
    reading = read_path(path)
    begin, _, end = reading.span
    token = re.escape(path[begin:end])
    inside = re.search(rf"(?:^|[_\-. /]){token}(?:$|[_\-. /])", group)
    return None if inside else reading.seed


def stamps_in(path: str) -> list[tuple[int, int]]:
    """Return where in a path the clock was written down, each with the separator before it.

    Example:
        >>> stamps_in("sgd_2022-11-25_14-01-26/1669384886")
        [(3, 23), (24, 34)]
    """
    return [found.span() for found in _STAMP.finditer(path)]


def without_clock(path: str) -> str:
    """Return a path without clock readings.

    Example:
        >>> without_clock("Adam/20221125-140126"), without_clock("a_2022-11-25/b")
        ('Adam', 'a/b')
    """
    parts = (_STAMP.sub("", part) for part in path.split("/"))
    return "/".join(part for part in parts if part)


def find_tokens(path: str) -> list[tuple[int, int, int, int]]:
    """Return (seed, begin, begin of its digits, end) of what may be a seed by its letters.

    Example:
        >>> find_tokens("data_seed1/model_s2")
        [(1, 5, 9, 10), (2, 17, 18, 19)]
    """
    found: dict[int, tuple[int, int, int, int]] = {}
    at = 0
    for part in path.split("/"):
        for pattern in (_WORD_SEED, _SHORT_SEED, _GLUED_SEED, _BEFORE_CLOCK):
            for match in pattern.finditer(part):
                if int(match[1]) <= LARGEST_SEED:
                    begin, digits, end = match.start(), match.start(1), match.end()
                    seed = int(match[1])
                    found.setdefault(at + digits, (seed, at + begin, at + digits, at + end))
        at += len(part) + 1
    return [found[digits] for digits in sorted(found)]


def _take_seed(path: str) -> tuple[int | None, str, str, tuple[int, int, int]]:
    tokens = find_tokens(path)
    if tokens:
        # The deepest folder tells; inside a folder's name the first of several.
        last = path.count("/", 0, tokens[-1][1])
        inside = [t for t in tokens if path.count("/", 0, t[1]) == last]
        own = [t for t in inside if not _OF_DATA.search(path[max(0, t[1] - 10) : t[1]])]
        seed, begin, digits, end = (own or inside)[0]
        return seed, cut_token(path, begin, end), TOKEN, (begin, digits, end)
    head, slash, name = path.rpartition("/")
    begin = len(head) + len(slash)
    if _NUMBER.fullmatch(name) and not is_setting(head) and not _STAMP.search(path, len(head)):
        if head.rpartition("/")[2].lower() in {"seed", "seeds"}:
            token = len(head.rpartition("/")[0]) + bool("/" in head)
            return int(name), head.rpartition("/")[0], FOLDER, (token, begin, len(path))
        return int(name), head, FOLDER, (begin, begin, len(path))
    if _INDEX.fullmatch(name):
        digits = len(path.rstrip("0123456789"))
        return None, head, INDEX, (begin, digits, len(path))
    return None, path, NOTHING, (0, 0, 0)


def is_setting(path: str) -> bool:
    """Tell whether a path ends in the name of a setting, so that a number behind it is its value.

    Example:
        >>> is_setting("sweep/batch_size"), is_setting("roberta")
        (True, False)
    """
    return bool(_SETTING.fullmatch(path.rpartition("/")[2]))


def cut_token(path: str, begin: int, end: int) -> str:
    """Return a path without a token in one of its folders' names.

    Example:
        >>> cut_token("bert-seed42-lr3e-5", 5, 11), cut_token("seed_2/model", 0, 6)
        ('bert-lr3e-5', 'model')
    """
    top = path.rfind("/", 0, begin) + 1
    bottom = path.find("/", end)
    bottom = len(path) if bottom < 0 else bottom
    left = _cut(path[top:bottom], begin - top, end - top)
    parts = (path[:top].rstrip("/"), left, path[bottom:].lstrip("/"))
    return "/".join(part for part in parts if part)


def _cut(text: str, begin: int, end: int) -> str:
    """Take a token out of a name, with one of the separators beside it."""
    head, tail = text[:begin].rstrip("_-. "), text[end:].lstrip("_-. ")
    separator = text[begin - 1] if head and tail and begin else ""
    return f"{head}{separator}{tail}"


def name_groups(paths: Sequence[str], fallback: str) -> dict[str, str]:
    """Return a short, telling name for each group path.

    Folders that all groups share are dropped, and so are hyperparameters at the end of a
    name that all share.

    Example:
        >>> names = name_groups(["books/small_ms8_lr1e-05", "books/small_random_ms8_lr1e-05"], "x")
        >>> list(names.values())
        ['small', 'small_random']
    """
    unique = list(dict.fromkeys(paths))
    parts = {path: [part for part in path.split("/") if part not in {"", "."}] for path in unique}
    shared = _shared_length(list(parts.values()))
    short = {path: found[shared:] for path, found in parts.items()}
    names = {path: "/".join(found) for path, found in short.items()}
    names = _drop_hyperparameters(names)
    return {path: name or fallback for path, name in names.items()}


def _shared_length(parts: Sequence[list[str]]) -> int:
    """Return how many leading folders all paths share, leaving each at least one part."""
    count = 0
    limit = min((len(found) for found in parts), default=0) - 1
    while count < limit and len({found[count] for found in parts}) == 1:
        count += 1
    return count


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
