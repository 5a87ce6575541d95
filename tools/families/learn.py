"""Learn from builds when each template is there, and what lost sides were made of."""

from __future__ import annotations

import ast
import functools
import itertools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from reportgen.parameters import tensors
from tools.families.builds import (
    KINDS,
    LETTERS,
    LOST,
    Build,
    Modes,
    Pairing,
    Template,
    fold,
    turn_of,
)
from tools.families.configs import Settings

OPPOSITE = {
    ast.NotEq: ("==", True),
    ast.Gt: ("<=", True),
    ast.GtE: ("<", True),
    ast.Eq: ("==", False),
    ast.LtE: ("<=", False),
    ast.Lt: ("<", False),
}
NEGATED = {"==": "!=", "<=": ">", "<": ">="}
# Kinds of what owns a tensor that are no classes of the library's own.
OUTSIDE = {"buffer", *(name for _, name in KINDS)}
MAX_LEAVES = 8
MAX_SPLITS = 6
MAX_CONSTANT = 32
MANY_ENDS = 3
Example = tuple[int, tuple[int, ...]]
Prior = dict[Template, list[str]]
"""Conditions that hold for the base class, to be taken over where they hold here too."""


def canonical(text: str) -> str | None:
    """Return a condition in its positive form, `a==b` for `a!=b`; None if it says nothing."""
    tree = ast.parse(text.replace("#", "_place"), mode="eval").body
    if isinstance(tree, ast.Compare) and type(tree.ops[0]) in OPPOSITE:
        sign, _ = OPPOSITE[type(tree.ops[0])]
        left, right = ast.unparse(tree.left), ast.unparse(tree.comparators[0])
        left, right = (_tight(tree.left), _tight(tree.comparators[0]))
        if left == right:
            return None
        text = f"{left}{sign}{right}"
    names = tensors.keys_in(text.replace("#", "_place"))
    if all(name.startswith("_place") for name in names) and not names:
        return None
    return text.replace("_place", "#")


def compared(text: str) -> tuple[str, str] | None:
    """Return the two sides of a comparison that no index is in."""
    if "#" in text:
        return None
    tree = ast.parse(text, mode="eval").body
    if not isinstance(tree, ast.Compare) or type(tree.ops[0]) not in OPPOSITE:
        return None
    return _tight(tree.left), _tight(tree.comparators[0])


def _tight(node: ast.expr) -> str:
    """Spell an expression with no blanks around its signs."""
    text = ast.unparse(node)
    return re.sub(r" *(\*\*|//|[-+*/%,]) *", r"\1", text)


@functools.cache
def keys_of(form: str) -> frozenset[str]:
    """Return the keys that a condition is about."""
    names = tensors.keys_in(form.replace("#", "_place"))
    return frozenset(name for name in names if not name.startswith("_place"))


def negation(text: str) -> str:
    """Spell the opposite of a condition in its positive form."""
    tree = ast.parse(text, mode="eval").body
    if isinstance(tree, ast.Compare) and len(tree.ops) == 1:
        for sign, other in NEGATED.items():
            left, found, right = text.partition(sign)
            if found and type(tree.ops[0]) in OPPOSITE and "'" not in left:
                return f"{left}{other}{right}"
    return f"not ({text})" if not re.fullmatch(r"[\w.]+", text) else f"not {text}"


class Columns(dict[str, tuple[int, int, str]]):
    """For each feature where it is true, where it is false, and the form that was asked."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._near: dict[frozenset[str], Columns] = {}
        self._choices: dict[frozenset[str], list[tuple[str, bool, int]]] = {}

    def near(self, path: frozenset[str]) -> Columns:
        """Return the features that were asked on the way."""
        if path not in self._near:
            self._near[path] = Columns({t: each for t, each in self.items() if each[2] in path})
        return self._near[path]

    def choices(self, path: frozenset[str]) -> list[tuple[str, bool, int]]:
        """Return literals with the examples where they hold, the likelier first."""
        if path not in self._choices:
            order = sorted(self, key=lambda text: (self[text][2] not in path, *_simple(text)))
            self._choices[path] = [
                (text, positive, self[text][0 if positive else 1])
                for text in order
                for positive in (True, False)
            ]
        return self._choices[path]


class Learner:
    """All builds of a class, and what they teach."""

    def __init__(
        self,
        builds: list[Build],
        settings: list[Settings],
        prior: dict[str, Prior] | None = None,
        modes: Modes | None = None,
        *,
        empty: bool = False,
    ) -> None:
        self.builds, self.settings = builds, settings
        self.prior: Prior = {}
        self.names: dict[Template, str] = {}
        for prefix, known in (prior or {}).items():
            for template, conditions in known.items():
                loops, kind = template.loops, template.kind
                moved = Template(prefix + template.name, template.sides, loops, kind)
                self.prior[moved] = conditions
                self.names[moved] = template.name
        asked = {form for build in builds for text in build.features if (form := canonical(text))}
        given = {name for build in builds for name in build.assignment}
        nulls = {name for name in given if any(each[name] is None for each in settings)}
        bounds = {bound for build in builds for bound in build.bounds if empty and "#" not in bound}
        none = {f"{bound}==0" for bound in bounds if not bound.isdigit()}
        self.features = sorted(asked | none | {f"{name}==None" for name in nulls})
        self._masks: dict[tuple[str, ...], Any] = {}
        self._examples: dict[tuple[str, ...], list[tuple[int, int, list[tuple[int, ...]]]]] = {}
        self._bits: dict[tuple[str, ...], dict[Example, int]] = {}
        self._places: dict[Any, int | None] = {}
        self._below: dict[Any, int] = {}
        self._known: dict[Any, list[str] | None] = {}
        self._held: dict[Any, int | None] = {}
        self.modes: Modes = {}
        self.modes |= modes or {}
        self.pairing = Pairing(builds, dict(self.modes))
        self.failed: set[str] = set()

    # ---------------------------------------------------------------- lost sides
    def templates(self) -> dict[Template, set[Example]]:
        """Return every template with lost sides found, and where it stands."""
        groups: dict[Template, dict[Example, tuple[int, ...]]] = defaultdict(dict)
        pool = {text for build in self.builds for text in build.bounds if "#" not in text}
        for at, build in enumerate(self.builds):
            for template, instances in build.under(self.pairing).found.items():
                pool |= {side for side in template.sides if side != LOST and not side.isdigit()}
                pool |= {side for side in template.loops if side != LOST and not side.isdigit()}
                for stars, shape in instances.items():
                    groups[template][at, stars] = shape
        self.pool = sorted(pool, key=len)[:120]
        result: dict[Template, set[Example]] = {}
        self.shapes = {
            (template.name, place): shape
            for template, places in groups.items()
            for place, shape in places.items()
        }
        for template, places in groups.items():
            for made, found in self._restored(template, places):
                result.setdefault(made, set()).update(found)
        return result

    def _restored(self, template: Template, places: dict[Example, Any]) -> Any:
        loops = tuple(
            self._bound(star, list(places)) if bound == LOST else bound
            for star, bound in enumerate(template.loops)
        )
        sides = list(template.sides)
        for at in [at for at, side in enumerate(sides) if side == LOST]:
            wanted = {place: shape[at] for place, shape in places.items()}
            sides[at] = self._side(wanted, self._before(template, at)) or LOST
        if None in loops or (LOST in sides and template.loops):
            self.failed.add(template.name)
        yield (
            Template(template.name, tuple(sides), tuple(b or LOST for b in loops), template.kind),
            set(places),
        )

    def _before(self, template: Template, at: int) -> list[str]:
        """Return what a side is in the base class."""
        alike = (each for each in self.prior if each.name == template.name)
        return [each.sides[at] for each in alike if len(each.sides) == len(template.sides)]

    def _side(self, wanted: dict[Example, int], before: Sequence[str] = ()) -> str | None:
        """Find what a lost side was made of: as before, a constant, or what is used elsewhere."""
        numbers = set(wanted.values())
        sample = list(wanted.items())
        for text in before:
            if all(self._gives(text, place, number) for place, number in sample):
                return text
        if len(numbers) == 1:
            number = numbers.pop()
            fits = (text for text in self.pool if number > MAX_CONSTANT)
            return next(
                (text for text in fits if all(self._gives(text, at, number) for at, _ in sample)),
                str(number),
            )
        products = (f"({a})*({b})" for a in self.pool[:25] for b in self.pool[:25] if a <= b)
        for text in itertools.chain(self.pool, products):
            if all(self._gives(text, place, number) for place, number in sample):
                return text
        return None

    def _gives(self, text: str, place: Example, number: int) -> bool:
        try:
            return bool(tensors.value(text, self.settings[place[0]], place[1]) == number)
        except Exception:  # noqa: BLE001 - any expression may be tried on any settings
            return False

    def _bound(self, star: int, places: list[Example]) -> str | None:
        """Find how often a star turns that no tagged loop moves."""
        turns: dict[Example, int] = {}
        for at, stars in places:
            before = at, stars[:star]
            turns[before] = max(turns.get(before, 0), stars[star] + 1)
        return self._side(turns)

    def covering(
        self, doubtful: list[Template], templates: dict[Template, set[Example]]
    ) -> dict[Template, Template]:
        """Return templates whose sides come out right also where another was taken for them.

        Of which class of the library's own a module is says nothing of its sides.
        """

        def key(each: Template) -> tuple[Any, ...]:
            kind = each.kind if each.kind in OUTSIDE else ""
            return each.name, each.loops, kind, len(each.sides)

        alike: dict[Any, list[Template]] = defaultdict(list)
        for each in templates:
            if LOST not in each.sides:
                alike[key(each)].append(each)
        found: dict[Template, Template] = {}
        for lost in doubtful:
            for other in alike[key(lost)]:
                if (
                    other != lost
                    and other not in found
                    and all(
                        self._gives(side, place, self.shapes[lost.name, place][at])
                        for place in templates[lost]
                        for at, side in enumerate(other.sides)
                    )
                ):
                    found[lost] = other
                    break
        return found

    def unlooped(self) -> set[str]:
        """Return names whose numbers run up to another end in each build, moved by no loop."""
        ends: dict[str, set[int]] = defaultdict(set)
        for build in self.builds:
            here: dict[tuple[str, int], set[int]] = defaultdict(set)
            for row in build.rows:
                moved = {star for star, *_ in self.pairing.places(row).values()}
                for star in set(range(len(row.stars))) - moved:
                    here[row.name, star].add(row.stars[star])
            for (name, star), numbers in here.items():
                if self.modes.get(name) != "pooled" and numbers == set(range(len(numbers))):
                    ends[f"{name} {star}"].add(len(numbers))
        return {key.split(" ")[0] for key, found in ends.items() if len(found) >= MANY_ENDS}

    # ---------------------------------------------------------------- conditions
    def examples(self, loops: tuple[str, ...]) -> list[tuple[int, int, list[tuple[int, ...]]]]:
        """Return for each build the bit of its first index, and its indices."""
        if loops not in self._examples:
            found: list[tuple[int, int, list[tuple[int, ...]]]] = []
            first = 0
            for at, settings in enumerate(self.settings):
                try:
                    here = list(tensors.numbered(loops, (), settings))
                except (TypeError, ValueError, IndexError, OverflowError):
                    continue
                if here:
                    found.append((at, first, here))
                first += len(here)
            self._examples[loops] = found
            self._bits[loops] = {
                (at, stars): first + n for at, first, here in found for n, stars in enumerate(here)
            }
        return self._examples[loops]

    def every(self, loops: tuple[str, ...]) -> int:
        """Return the bits of all examples."""
        _, first, here = next(reversed(self.examples(loops)), (0, 0, []))
        return (1 << first + len(here)) - 1

    def domain(self, loops: tuple[str, ...]) -> Columns:
        """Return for each feature where it is true and where it is false."""
        if loops in self._masks:
            return self._masks[loops]
        columns = Columns()
        every = self.every(loops)
        ends = [f"#0=={bound}-1" for bound in loops if bound != LOST and not bound.isdigit()]
        firsts = ["#0==0", "#0<2"] if loops else []
        forms = [*self.features, *firsts, *ends]
        for first, step in self.pairing.steps if loops else ():
            turn = turn_of("#0", first, step)
            forms += [f"#0>={first}", f"(#0-{first})%{step}==0"]
            forms += [form.replace("#0", turn) for form in [*self.features, *firsts]]
        for form in dict.fromkeys(forms):
            for text in placed(form, len(loops)):
                true = false = 0
                for at, first, here in self.examples(loops):
                    one, other = self._truth(text, loops, at, here)
                    true |= one << first
                    false |= other << first
                if (true | false) and every not in {true, false}:
                    columns[text] = true, false, form
        self._masks[loops] = columns
        return columns

    def _truth(
        self, text: str, loops: tuple[str, ...], at: int, here: list[tuple[int, ...]]
    ) -> tuple[int, int]:
        """Return where a feature is true and where false in one build; kept with the build."""
        truths = self.builds[at].truths
        if (text, loops) not in truths:
            repeats = tensors.repeats(text)
            true = false = 0
            for bit, stars in enumerate(here if repeats else here[:1]):
                try:
                    held = tensors.value(text, self.settings[at], stars)
                except Exception:  # noqa: BLE001 - not defined here
                    if " in " not in text:
                        continue
                    held = False
                if held:
                    true |= 1 << bit
                else:
                    false |= 1 << bit
            every = 1 if repeats else (1 << len(here)) - 1
            truths[text, loops] = true * every, false * every
        return truths[text, loops]

    def mask(self, loops: tuple[str, ...], places: set[Example]) -> int | None:
        """Write places as bits of the domain; None where one lies outside."""
        key = loops, frozenset(places)
        if key not in self._places:
            self.examples(loops)
            found = [self._bits[loops].get(place, -1) for place in places]
            self._places[key] = None if -1 in found else _bits(found)
        return self._places[key]

    def below(self, loops: tuple[str, ...], above: set[Example], stars: int) -> int:
        """Return the examples whose first indices are among those above."""
        key = loops, frozenset(above), stars
        if key not in self._below:
            self.examples(loops)
            bits = self._bits[loops].items()
            self._below[key] = _bits([n for (at, each), n in bits if (at, each[:stars]) in above])
        return self._below[key]

    def conditions(
        self, loops: tuple[str, ...], wanted: int, among: int, path: frozenset[str]
    ) -> list[str] | None:
        """Return conditions that hold exactly where it is wanted."""
        key = loops, wanted, among, path
        if key not in self._known:
            self._known[key] = self._conditions(loops, wanted, among & ~wanted, path)
        return self._known[key]

    def _conditions(
        self, loops: tuple[str, ...], wanted: int, unwanted: int, path: frozenset[str]
    ) -> list[str] | None:
        if not unwanted:
            return []
        columns = self.domain(loops)
        here = wanted | unwanted
        near = columns.near(path)
        for usable in (near, columns):
            found = conjunction(usable, wanted, unwanted, path)
            if found is not None:
                return self._guarded(found, columns, here)
        for usable in (near, columns):
            found = conjunction(usable, unwanted, wanted, path)
            if found is not None:
                guarded = self._guarded(found, columns, here)
                spelled = self._guarded([(text, not held) for text, held in found], columns, here)
                if len(guarded) == len(spelled) == len(found):
                    return [" or ".join(spelled)]
                return [f"not ({' and '.join(map(_held, guarded))})"]
        leaves = tree(columns, wanted, unwanted, path, MAX_LEAVES)
        if leaves is None:
            return None
        spelled = [map(_held, self._guarded(leaf, columns, here)) for leaf in leaves]
        return [" or ".join(" and ".join(each) for each in spelled)]

    def holding(self, loops: tuple[str, ...], conditions: list[str]) -> int | None:
        """Return the examples at which conditions hold; None if one is not defined."""
        key = loops, tuple(conditions)
        if key not in self._held:
            self._held[key] = self._holding(loops, conditions)
        return self._held[key]

    def _holding(self, loops: tuple[str, ...], conditions: list[str]) -> int | None:
        # What does not differ from index to index is asked once a build.
        fixed = list(itertools.takewhile(lambda text: not tensors.repeats(text), conditions))
        rest, bits = conditions[len(fixed) :], 0
        for at, first, here in self.examples(loops):
            try:
                if not tensors.holds(fixed, self.settings[at]):
                    continue
                if not rest:
                    bits |= (1 << len(here)) - 1 << first
                for n, indices in enumerate(here if rest else ()):
                    if tensors.holds(rest, self.settings[at], indices):
                        bits |= 1 << first + n
            except (TypeError, IndexError, ZeroDivisionError):
                return None
        return bits

    def _membership(self, text: str, positive: bool) -> tuple[str, list[str]]:
        """Spell a literal; nothing is in a list that is null."""
        spelled = text if positive else negation(text)
        _, found, name = text.partition(" in ")
        if not found or not any(settings[name] is None for settings in self.settings):
            return spelled, []
        return (spelled, [f"{name}!=None"]) if positive else (f"{name}==None or {spelled}", [])

    def _guarded(self, literals: list[tuple[str, bool]], columns: Columns, here: int) -> list[str]:
        """Spell literals, with a guard before what a null or a zero would break."""
        spelled, guards = [], []
        region = asked_here = here
        for text, positive in literals:
            region &= columns[text][0 if positive else 1]
        for text, positive in sorted(literals, key=lambda each: order(each[0])):
            true, false, _ = columns[text]
            undefined = here & ~(true | false)
            if undefined:
                nulls = [
                    name
                    for name in sorted(tensors.keys_in(text))
                    if any(settings[name] is None for settings in self.settings)
                ]
                guards += [f"{name}!=None" for name in nulls]
                found = [] if nulls else self._against(undefined, region, columns)
                guards += found
                if not (nulls or found) and undefined & asked_here:
                    spelled += self._against(undefined & asked_here, region, columns)
            asked_here &= true if positive else false
            asked, before = self._membership(text, positive)
            guards += before
            spelled.append(asked)
        return list(dict.fromkeys(guards + spelled))

    def _against(self, undefined: int, region: int, columns: Columns) -> list[str]:
        """Find a condition that keeps what is not defined away from a literal."""
        for text, positive, held in columns.choices(frozenset()):
            true, false, _ = columns[text]
            keeps = held & region == region and not held & undefined
            if keeps and (true | false) & undefined == undefined:
                return [text if positive else negation(text)]
        return []


def _bits(places: list[int]) -> int:
    """Return a number with these bits set."""
    flags = bytearray(max(places, default=0) // 8 + 1)
    for place in places:
        flags[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(flags, "little")


def _held(text: str) -> str:
    """Put parentheses around what is an alternative itself."""
    return f"({text})" if " or " in text else text


def placed(form: str, stars: int) -> list[str]:
    """Write a feature for each way to put indices of a template into its places."""
    places = sorted(set(re.findall(r"#\d", form)))
    if not places:
        return [form]
    texts = []
    for letters in itertools.permutations(LETTERS[:stars], len(places)):
        text = form
        for place, letter in zip(places, letters, strict=True):
            text = text.replace(f"({place})", letter).replace(place, letter)
        texts.append(text)
    return texts


def order(text: str) -> tuple[bool, bool, int, str]:
    """Sort conditions: nulls first, then what is asked once, then what each index is asked."""
    indexed = bool(re.search(rf"\b[{LETTERS}]\b", text))
    return "None" not in text, indexed, len(text), text


@functools.cache
def _simple(text: str) -> tuple[bool, bool, bool, int, str]:
    """Sort features: those of one key, without a null or a list's entry, come first."""
    several = len(tensors.keys_in(text)) > 1
    return "None" in text, bool(re.search(r"\[\d+\]", text)), several, len(text), text


def conjunction(
    columns: Columns, wanted: int, unwanted: int, path: frozenset[str]
) -> list[tuple[str, bool]] | None:
    """Find few literals that hold at every wanted example and at no unwanted one."""
    usable = [each for each in columns.choices(path) if each[2] & wanted == wanted]
    chosen: list[tuple[str, bool, int]] = []
    left = unwanted
    while left:
        best = max(usable, key=lambda each: (left & ~each[2]).bit_count(), default=None)
        if best is None or not left & ~best[2]:
            return None
        chosen.append(best)
        left &= best[2]
    for each in list(chosen):
        rest = unwanted
        for other in chosen:
            rest &= other[2] if other is not each else -1
        if not rest:
            chosen.remove(each)
    return [(text, positive) for text, positive, _ in chosen]


def tree(
    columns: Columns, wanted: int, unwanted: int, path: frozenset[str], leaves: int
) -> list[list[tuple[str, bool]]] | None:
    """Split by one feature after another until every part is a conjunction."""
    if not wanted:
        return []
    found = conjunction(columns, wanted, unwanted, path) if unwanted else []
    if found is not None:
        return [found]
    if leaves <= 1:
        return None
    best: list[list[tuple[str, bool]]] | None = None
    splits = _splits(columns, wanted, unwanted, path)
    here = wanted | unwanted
    for at, text in enumerate(splits):
        if at >= MAX_SPLITS and (best or not _guards(text, columns, here)):
            continue
        true, false, _ = columns[text]
        result = []
        for positive, side in ((True, true), (False, false)):
            inner = tree(columns, wanted & side, unwanted & side, path, leaves // 2)
            if inner is None:
                break
            result += [[(text, positive), *leaf] for leaf in inner]
        else:
            if best is None or len(result) < len(best):
                best = result
            if len(best) <= 2:
                break
    return best


def _guards(text: str, columns: Columns, here: int) -> bool:
    """Tell whether one side of a split is where another feature is defined everywhere."""
    true, false, _ = columns[text]
    for one, other, _ in columns.values():
        undefined = here & ~(one | other)
        if undefined and here & one and (not undefined & true or not undefined & false):
            return True
    return False


def _splits(columns: Columns, wanted: int, unwanted: int, path: frozenset[str]) -> list[str]:
    """Return the features that split well: nulls first, then what leaves the least mixed."""
    here = wanted | unwanted
    scores = []
    for rank, (text, positive, true) in enumerate(columns.choices(path)):
        false = columns[text][1]
        if not positive or (true | false) & here != here:
            continue
        if not here & true or not here & false:
            continue
        mixed = sum(
            min((wanted & side).bit_count(), (unwanted & side).bit_count())
            for side in (true, false)
        )
        scores.append(("None" not in text, mixed, rank, text))
    return [text for *_, text in sorted(scores)]


def learned(learner: Learner) -> tuple[list[list[Any]], list[list[str]], set[str]]:
    """Return terms, ties, and the names for which nothing holds."""
    terms: list[list[Any]] = []
    for mode in ("", "pooled", "literal"):
        learner.failed = learner.unlooped()
        terms = _terms(learner)
        fresh = {
            folded
            for name in learner.failed
            if "*" in (folded := fold(name)[0]) and learner.modes.get(folded) != "literal"
        }
        if not fresh:
            break
        if mode != "literal":
            learner.modes |= dict.fromkeys(fresh, "literal" if mode else "pooled")
            learner.pairing = Pairing(learner.builds, dict(learner.modes))
    return terms, _ties(learner, terms), set(learner.failed)


class _Modules:
    """Every module of the templates: where it is there, and what was asked on the way to it."""

    def __init__(self, learner: Learner, templates: dict[Template, set[Example]]) -> None:
        self.learner = learner
        self.places: dict[tuple[str, tuple[str, ...]], set[Example]] = defaultdict(set)
        self.paths: dict[tuple[str, tuple[str, ...]], set[str]] = defaultdict(set)
        self._forms: dict[frozenset[str], set[str]] = {}
        asked: dict[str, set[str]] = defaultdict(set)
        for build in learner.builds:
            for template, path in build.under(learner.pairing).paths.items():
                asked[template.name] |= path
        for template, places in templates.items():
            forms = self._about(frozenset(asked[template.name]))
            for step, stars in steps(template.name):
                key = step, template.loops[:stars]
                self.places[key] |= {(at, indices[:stars]) for at, indices in places}
                self.paths[key] |= forms

    def _about(self, asked: frozenset[str]) -> set[str]:
        """Return all conditions about the keys of those that were asked."""
        if asked not in self._forms:
            forms = {form for text in asked if (form := canonical(text))}
            names = {name for form in forms for name in keys_of(form)}
            also = {form for form in self.learner.features if keys_of(form) <= names}
            self._forms[asked] = forms | also
        return self._forms[asked]

    def conditions(self, template: Template, places: set[Example]) -> list[str] | None:
        """Return the conditions of a template: those of its modules, then its own."""
        conditions: list[str] = []
        above: tuple[set[Example], int] = set(), -1
        chain = [
            (step, stars, self.places[step, template.loops[:stars]])
            for step, stars in steps(template.name)
        ]
        for step, stars, here in [*chain, (template.name, len(template.loops), places)]:
            loops = template.loops[:stars]
            wanted = self.learner.mask(loops, here)
            if wanted is None:
                return None
            among = -1 if above[1] < 0 else self.learner.below(loops, *above)
            among &= self.learner.every(loops)
            path = self.paths[(step, loops) if step != template.name else self._last(template)]
            found = self.learner.conditions(loops, wanted, among, frozenset(path))
            if found is None:
                if step != template.name:
                    continue
                return None
            conditions += found
            above = here, stars
        return sorted(dict.fromkeys(conditions), key=order)

    def _last(self, template: Template) -> tuple[str, tuple[str, ...]]:
        chain = list(steps(template.name))
        if not chain:
            return template.name, template.loops
        return chain[-1][0], template.loops[: chain[-1][1]]


def steps(name: str) -> list[tuple[str, int]]:
    """Return the modules above a tensor, a list with its index, and how many stars each has."""
    parts = name.split(".")
    found = []
    for end in range(1, len(parts)):
        if parts[end] != "*" or (end == len(parts) - 1 and parts[end] == "*"):
            step = parts[:end]
            if step:
                found.append((".".join(step), step.count("*")))
    return found


def _terms(learner: Learner) -> list[list[Any]]:
    templates = learner.templates()
    terms, lost = _rows_of(learner, templates)
    tangled = {(term[0], term[1]) for term in terms if any(" or " in each for each in term[4:])}
    doubtful = lost + [each for each in templates if (each.name, "|".join(each.sides)) in tangled]
    merged = learner.covering(doubtful, templates)
    merged = {each: other for each, other in merged.items() if other not in merged}
    if merged:
        for each, other in merged.items():
            templates[other] |= templates.pop(each)
        terms, lost = _rows_of(learner, templates)
    learner.failed |= {template.name for template in lost}
    return terms + _unseen(learner, templates)


def _rows_of(
    learner: Learner, templates: dict[Template, set[Example]]
) -> tuple[list[list[Any]], list[Template]]:
    """Write each template with its conditions; return also those that have none."""
    modules = _Modules(learner, templates)
    terms, lost = [], []
    for template, places in templates.items():
        if LOST in template.sides or LOST in template.loops:
            learner.failed.add(template.name)
            continue
        mask = learner.mask(template.loops, places)
        conditions = learner.prior.get(template)
        if conditions is None or learner.holding(template.loops, conditions) != mask:
            conditions = modules.conditions(template, places)
        if conditions is None or learner.holding(template.loops, conditions) != mask:
            lost.append(template)
        else:
            terms.append(row_of(template, conditions))
    return terms, lost


def row_of(template: Template, conditions: list[str]) -> list[Any]:
    """Write a template and its conditions as a row."""
    sides, loops = "|".join(template.sides), "|".join(template.loops)
    return [template.name, sides, loops, template.kind, *conditions]


def _unseen(learner: Learner, templates: dict[Template, set[Example]]) -> list[list[Any]]:
    """Take over what the base class has under conditions that no build here met."""
    shared = Counter(
        template.name.removesuffix(learner.names.get(template, ""))
        for template in templates
        if template in learner.prior
    )
    if not shared:
        return []
    prefix = shared.most_common(1)[0][0]
    terms = []
    for template, conditions in learner.prior.items():
        mine = template.name == prefix + learner.names.get(template, "")
        unmet = mine and template not in templates
        if unmet and not learner.holding(template.loops, conditions):
            terms.append(row_of(template, conditions))
    return terms


def _ties(learner: Learner, terms: list[list[Any]]) -> list[list[str]]:
    """Learn when one tensor is another's."""
    loops_of: dict[str, set[str]] = defaultdict(set)
    for term in terms:
        loops_of[term[0]].add(term[2])
    pairs: dict[tuple[str, str], set[Example]] = defaultdict(set)
    held: dict[str, set[Example]] = defaultdict(set)
    for at, build in enumerate(learner.builds):
        places = build.under(learner.pairing).where
        for name, indices in places.values():
            held[name].add((at, indices))
        for full, first in build.ties:
            name, indices = places[full]
            source, others = places[first]
            if others != indices[: len(others)]:
                source = first
            pairs[name, source].add((at, indices))
    ties = []
    for (name, source), there in sorted(pairs.items()):
        spelled = loops_of.get(name, set())
        if len(spelled) != 1:
            learner.failed.add(name)
            continue
        text = next(iter(spelled))
        loops = tuple(text.split("|")) if text else ()
        among = held[name]
        masks = learner.mask(loops, there), learner.mask(loops, among)
        found = None
        if masks[0] is not None and masks[1] is not None:
            usual = frozenset(form for form in learner.features if "tie_" in form)
            found = learner.conditions(loops, masks[0], masks[1], usual)
        if found is None or not there <= among:
            learner.failed.add(name)
            continue
        ties.append([name, source, *found])
    return ties


def tally(shapes: dict[str, tuple[int, ...]], fold: Any) -> Counter[Any]:
    """Count tensors by folded name and shape; one without elements is as good as none."""
    return Counter((fold(name)[0], shape) for name, shape in shapes.items() if math.prod(shape))
