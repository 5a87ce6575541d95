"""What a sentence says of one of its results: its own words, a list's, those before it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from reportgen.checking.numbers._gated import gated
from reportgen.claims._binding import GUESSED, HYPOTHETICAL, UNSAID, Binding
from reportgen.claims._conditions import beginning, condition, data_sets, narrowing
from reportgen.claims._context import Context
from reportgen.claims._gaps import gap_of
from reportgen.claims._mentions import Mention
from reportgen.claims._ordered import within
from reportgen.claims._segments import Piece
from reportgen.claims._some_seeds import Excluded, some
from reportgen.claims._speech import speaks_of_every_seed, subtracts_means
from reportgen.claims._table_words import with_framework
from reportgen.claims._unlisted import VERBS, unlisted_group
from reportgen.claims._vocabulary import SPREADS

SLOTS = (
    *("metric", "generic", "split", "aggregate", "extreme", "selection", "group"),
    *("seed", "epoch", "step", "tail"),
)
COUNTED = frozenset({"seed", "step", "epoch"})
_MOMENTS = frozenset({"selection", "step", "epoch"})
_LOCAL = frozenset({"selection", "step", "epoch"})
OWN, LISTED, CARRIED, AROUND, NAMED = 0.93, 0.92, 0.88, 0.85, 0.75
"""How sure a slot is that the words beside a number fill, a list that runs along, an earlier
result of the sentence, the rest of the sentence, a name that no vocabulary knows."""
FROM_REPORT = 0.6
"""How sure a metric is that only the rest of the report names."""
_NEAR = {"metric": 6, "generic": 6, "split": 12, "aggregate": 6}
_PRONOUN = gated(
    r"\s*(?:it|its|they|their|this|these|that|those|which|here|elle|il|elles|ils|ce|cela|celui"
    r"|celle|son|sa|ses)\b",
    re.IGNORECASE,
)
_ITS = re.compile(r"\s*[^,.;:()]{3,60},\s(?:it|its|elle|il|son|sa|ses)\b", re.IGNORECASE)
"""`At the end of the training, its loss is 0.42`."""
_GOES_ON = gated(
    r"which|where|then|corresponding\sto|qui|ce\squi|puis|→|⇒|and\s(?:which|that)", re.IGNORECASE
)
_AFTER_IT = re.compile(r"\W*(?:after\s(?:which|that)|après\s(?:quoi|cela))\b", re.IGNORECASE)
_BESIDE = re.compile(
    r"\W*(?:with|avec|for|pour|giving|yielding|and)\s(?:an?\s|une?\s|the\s)", re.IGNORECASE
)
_WITH = gated(r",\s(?:and\s|et\s)?(?:with|where|avec|où|for|pour)\b", re.IGNORECASE)
_OPENED = re.compile(r"\(\s?(?:(?:on|in|sur|en|at)\s)?(?:the\s|le\s|la\s|l['’])?$", re.IGNORECASE)
_ENTRY_END = re.compile(r";(?!\s?[+−-]?\d)")
_PICKED = gated(
    r"\b(?:best|worst|weakest|strongest|highest|lowest|meilleure?|pire)\b[^.;,()]{0,40}\b(?:runs?|seeds?|graines?)\b",
    re.IGNORECASE,
)
"""`the best PPO run`: a run that is told by its rank, and not the one before it."""
_FORMER = gated(
    r"\bthe\s(former|latter)\b|\bpour\sle\s(premier|second)(?:\sgroupe)?(?=\s?[,.;:)])",
    re.IGNORECASE,
)
_FIRST_OF_TWO = frozenset({"former", "premier"})
_RESULT = gated(
    rf"\b(?:{VERBS}|is|are|was|were|have|has|get|give|go(?:es)?|went|rises?|rose|falls?|fell"
    r"|drops?|dropped|increases?d?|decreases?d?|improves?d?|outperforms?|beats?|compared|versus"
    r"|pass(?:es|ed)?|climbs?|climbed|correspond(?:s|ed|ent)?|jumps?|jumped|grows?|grew|moves?"
    r"|moved|starts?|started|ends?|ended|passons|passent"
    r"|vs|est|sont|a|ont|donnent|atteignent|obtiennent|passe|monte|baisse)\b(?!\sused?\b)"
    r"|[=:]\s?[\d+(]",
    re.IGNORECASE,
)
_UNSPLIT_LOG = gated(r"\bval_")


@dataclass(eq=False)
class Sentence:
    """One sentence with its mentions and what is carried through it.

    Attributes:
        text: The block's text.
        start: Where it begins there.
        end: The position behind it.
        spoken: Its mentions, in order.
        context: What counts for its block.
        caption: Whether the block is a caption, whose first sentence is a title.
        supposed: Whether it speaks of what would be, or of others' results.
        topics: What the sentences before speak of: slot to its only value.
        compared: Whether a difference of two groups was told before.
        unit: Of the last value.
        last: Slots that the result before filled.
        carried: Slot to (value, how sure, whether it stood before the numbers).
        left_out: Seeds that some of its aggregates are not of.
    """

    text: str
    start: int
    end: int
    spoken: Sequence[Mention]
    context: Context
    caption: bool = False
    supposed: bool = False
    topics: Mapping[str, str] = field(default_factory=dict)
    compared: bool = False
    unit: str = ""
    last: frozenset[str] = frozenset()
    carried: dict[str, tuple[str, float, bool]] = field(default_factory=dict)
    left_out: Excluded | None = None

    @cached_property
    def words(self) -> str:
        """Its own text."""
        return self.text[self.start : self.end]

    @cached_property
    def by_slot(self) -> dict[str, tuple[str, ...]]:
        """The different values of each slot in the whole sentence, in order."""
        found: dict[str, dict[str, None]] = {}
        for mention in self.spoken:
            found.setdefault(mention.slot, {})[mention.value] = None
        return {slot: tuple(values) for slot, values in found.items()}

    @cached_property
    def tells(self) -> bool:
        """Whether it says that something has or reaches a value."""
        return self.caption or bool(_RESULT.search(self.words))

    @cached_property
    def is_log(self) -> bool:
        """Whether it is a line of a log, where only validation bears a prefix."""
        return bool(_UNSPLIT_LOG.search(self.words))

    @cached_property
    def every_seed(self) -> bool:
        """Whether it is about each run of a group."""
        return speaks_of_every_seed(self.words)

    @cached_property
    def gap(self) -> tuple[str, ...]:
        """The two groups whose gap it is about, itself or by a pronoun; empty for none."""
        return gap_of(self.words, self.values("group"), self.topics)

    def values(self, slot: str) -> tuple[str, ...]:
        """Return the different values of a slot in the whole sentence."""
        return self.by_slot.get(slot, ())

    def inside(self, piece: Piece, slot: str = "") -> list[Mention]:
        """Return the mentions (of a slot) among the words about one result."""
        near = within(self.spoken, piece.start, piece.end)
        return [mention for mention in near if slot in {"", mention.slot}]


def bind_piece(sentence: Sentence, piece: Piece, lists: Mapping[str, str]) -> Binding:
    """Gather what is said of one result.

    Args:
        sentence: Its sentence, which remembers what the results before said.
        piece: The result.
        lists: What lists that run along with the results say of it.
    """
    binding = Binding(base=OWN)
    placed = dict.fromkeys(lists, True)
    for slot, value in lists.items():
        binding.take(slot, value, LISTED)
    for slot in SLOTS:
        chosen = _own(sentence, piece, slot)
        if chosen is None and slot in COUNTED and sentence.inside(piece, slot):
            binding.values.setdefault(slot, "")
        elif chosen is not None and slot not in binding.values:
            mention, sure = chosen
            local = slot in _LOCAL and bool(sentence.carried)
            placed[slot] = mention.end <= piece.number.start and not local
            binding.take(slot, mention.value, sure)
    if not binding.said("group"):
        lead, tail = (piece.start, piece.number.start), (piece.stop, piece.end)
        binding.take("group", unlisted_group(sentence.text, lead, tail, sentence.spoken), NAMED)
    signed = piece.number.unit == "points" or piece.number.text.startswith("+")
    signed |= bool(sentence.gap)
    told = bool(sentence.gap) or "difference" in sentence.values("aggregate")
    compared = signed and not piece.ranged and told
    compared |= subtracts_means(sentence.text, piece.start, piece.number.start)
    if compared and binding.said("aggregate") in {"", "mean"}:
        binding.put("aggregate", "difference", AROUND)
        for slot, group in zip(("group", "against"), sentence.gap, strict=False):
            binding.put(slot, group, AROUND)
    _carry(binding, sentence, piece)
    _take_condition(binding, sentence, piece)
    _take_around(binding, sentence, piece)
    sentence.last = frozenset(slot for slot in SLOTS if binding.said(slot))
    for slot in sentence.last:
        before = placed.get(slot, sentence.carried.get(slot, ("", 0.0, True))[2])
        sentence.carried[slot] = (binding.said(slot), binding.sure[slot], before)
    return binding


def _take_condition(binding: Binding, sentence: Sentence, piece: Piece) -> None:
    """Keep the words that narrow a result down to some of the data or a variant of the runs.

    What holds for a named group under a condition may still be what its runs logged.
    """
    span = piece.start, piece.end
    narrow = narrowing(sentence.text, *span) or sentence.context.narrow
    several = sentence.context.data_sets > 1 and bool(data_sets(sentence.words))
    told = narrow or beginning(sentence.text, *span) or ("several data sets" if several else "")
    if not told and not binding.said("seed") and not sentence.left_out:
        told = some(sentence.text, sentence.start, piece.end)
    if not told and not binding.said("group"):
        told = condition(sentence.text, span, sentence.spoken)
    binding.take("condition", told)
    if told:
        binding.caps.append(HYPOTHETICAL)
    elif condition(sentence.text, span, sentence.spoken):
        binding.caps.append(NAMED)


def with_former(spoken: Sequence[Mention], text: str, start: int, end: int) -> list[Mention]:
    """Return the mentions of a sentence, `the former` and `the latter` as the groups they are."""
    groups = list(dict.fromkeys(m.value for m in spoken if m.slot == "group"))
    found = list(spoken)
    if len(groups) == 2:
        for match in _FORMER.finditer(text, start, end):
            first = (match[1] or match[2]).lower() in _FIRST_OF_TWO
            value = groups[0] if first else groups[1]
            found.append(Mention(match.start(), match.end(), "group", value))
    return sorted(found)


def _own(sentence: Sentence, piece: Piece, slot: str) -> tuple[Mention, float] | None:
    """Return the mention of a slot that a result's own words hold, the nearer of two."""
    inside = sentence.inside(piece, slot)
    before = [m for m in inside if m.end <= piece.number.start]
    behind = [m for m in inside if m.start >= piece.stop]
    if slot in COUNTED and len({m.value for m in before}) > 1:
        # `epoch 5 for seed 0, epoch 4 for seed 2` before one value: none of them is its own.
        return None
    if not before or not behind:
        return (before[-1], OWN) if before else (behind[0], OWN) if behind else None
    lead, tail = before[-1], behind[0]
    if lead.value == tail.value:
        return lead, OWN
    gap = tail.start - piece.stop
    if slot in _NEAR:
        return (tail, OWN) if gap <= _NEAR[slot] else (lead, OWN)
    nearer = tail if gap < piece.number.start - lead.end else lead
    return nearer, AROUND if slot in {"group", "selection"} else OWN


def _carry(binding: Binding, sentence: Sentence, piece: Piece) -> None:
    """Take what earlier results of the sentence say, as far as it still holds."""
    own = frozenset(binding.values)
    for slot in SLOTS:
        if slot in sentence.carried and slot not in binding.values:
            value, sure, before = sentence.carried[slot]
            goes_on = bool(
                piece.listed
                or piece.ranged
                or _GOES_ON.fullmatch(piece.begins_with)
                or _is_beside(sentence, piece, own)
            )
            if _still_holds(slot, sentence, piece, own, goes_on=goes_on):
                # Another metric may be of another split, though none is named.
                loose = slot == "split" and "metric" in own
                firm = (before or goes_on) and not loose
                binding.take(slot, value, min(sure, CARRIED if firm else UNSAID))
            elif slot in {"epoch", "step"} and not _MOMENTS & own and not binding.said("seed"):
                # `A is at 78 after epoch 1, when B has 52`: of the same moment, or of its own best.
                binding.caps.append(HYPOTHETICAL)


def _is_beside(sentence: Sentence, piece: Piece, own: frozenset[str]) -> bool:
    """Say whether a value is of the moment before it: `81.5 at step 5, with a test value of 80`."""
    begins = _BESIDE.match(sentence.text, piece.start)
    return bool(begins) and "split" in own and not own & ({"seed", "group"} | _MOMENTS)


def _still_holds(
    slot: str, sentence: Sentence, piece: Piece, own: frozenset[str], *, goes_on: bool
) -> bool:
    """Say whether what an earlier result said of a slot counts for this one."""
    value, _, before = sentence.carried[slot]
    if slot in _LOCAL and _AFTER_IT.match(sentence.text, piece.start):
        return False
    if piece.ranged:
        return slot in sentence.last
    if slot == "aggregate":
        # A sentence about spreads alone goes on about them: `it is 0.58 at epoch 5`.
        spreads_only = set(sentence.values("aggregate")) <= SPREADS and "metric" not in own
        if _says_later(sentence, piece, value):
            return False
        return "seed" not in own and (value == "mean" or (value in SPREADS and spreads_only))
    if slot == "seed":
        alone = piece.spread is None or piece.bracket
        if "group" in own and _PICKED.search(sentence.text, piece.start, piece.end):
            return False
        return alone and "aggregate" not in own and ("group" not in own or before)
    if slot == "extreme":
        return False
    if slot == "tail" and own & _MOMENTS:
        return False
    if slot == "generic":
        return "metric" not in own
    if slot == "split" and "group" in own and not before and len(sentence.values("split")) > 1:
        # `A gets 68 (val) and 66 (test), B 71 and 69`: the last bracket is not for B.
        sentence.carried.pop(slot)
        return False
    if slot == "selection" and "split" in own and not goes_on and not own & {"seed", "group"}:
        return False
    return before or goes_on or slot not in _LOCAL


def _says_later(sentence: Sentence, piece: Piece, aggregate: str) -> bool:
    """Say whether the entry of a value names its own aggregate, but only behind the value.

    In `A: 70.8, 69.3, mean 70.1; B: 65.2, 65.8, mean 65.5` the mean of A speaks of no run of B.
    """
    begin = sentence.text.rfind(";", sentence.start, piece.number.start)
    if begin < 0:
        return False
    # Where decimals have a comma, values of one entry are parted by semicolons too.
    ending = _ENTRY_END.search(sentence.text, piece.number.end, sentence.end)
    stop = ending.start() if ending else sentence.end
    places = [
        m.start
        for m in sentence.spoken
        if (m.slot, m.value) == ("aggregate", aggregate) and begin < m.start < stop
    ]
    return bool(places) and min(places) > piece.number.start


def _take_around(binding: Binding, sentence: Sentence, piece: Piece) -> None:
    """Take what the rest of the sentence, the lead-ins, the headings and earlier ones say."""
    groups = sentence.values("group")
    if sentence.is_log and binding.said("metric") and not binding.said("split"):
        # `loss: 0.3 - val_loss: 0.4`: what has no prefix is of the training.
        binding.put("split", "train", NAMED)
    for slot in ("metric", "split"):
        values = sentence.values(slot)
        if len(values) == 1 and not (slot == "split" and _is_of_another(sentence, piece)):
            binding.take(slot, values[0], AROUND)
        elif values and slot == "split":
            binding.values.setdefault(slot, "")
    if len(groups) == 1:
        binding.take("group", groups[0], AROUND)
    generic = sentence.values("generic")
    if not binding.metric() and len(generic) == 1:
        binding.take("generic", generic[0], GUESSED)
    _take_leads(binding, sentence)
    if not groups and (_PRONOUN.match(sentence.words) or _ITS.match(sentence.words)):
        binding.take("group", sentence.topics.get("group", ""), UNSAID)
    for heading in sentence.context.headings:
        binding.take_from(heading, ("split",) if len(groups) > 1 else ("split", "group"), 0.8)
    program = sentence.context.framework
    if binding.said("group"):
        binding.values["group"] = with_framework(binding.said("group"), sentence.context)
    binding.take("group", program, 0.8)
    _take_topics(binding, sentence, piece)


def _is_of_another(sentence: Sentence, piece: Piece) -> bool:
    """Say whether the split is that of a value beside.

    `0.80 at step 675, with 0.785 on test`, and `0.80 (test: 0.785)`.
    """
    places = [m.start for m in sentence.spoken if m.slot == "split"]
    between = sentence.text[piece.number.end : min(places)] if places else ""
    another = _WITH.search(between) or _OPENED.search(between)
    return not piece.listed and min(places, default=0) >= piece.end and bool(another)


def _take_leads(binding: Binding, sentence: Sentence) -> None:
    """Take what the items and sentences that lead in to the block say."""
    for lead in sentence.context.leads:
        slots = ["metric", "generic", "split", "selection", "epoch", "step", "seed"]
        if len(sentence.values("group")) < 2:
            slots.append("group")
        if not {"aggregate", "seed"} & set(binding.values) and not lead.values("n"):
            slots.append("aggregate")
        binding.take_from(lead, slots, 0.9)


def _take_topics(binding: Binding, sentence: Sentence, piece: Piece) -> None:
    """Take what earlier sentences of the block, and the section, speak of alone."""
    sure = AROUND if sentence.caption else UNSAID
    for slot in ("metric", "split"):
        if sentence.tells and not (slot == "metric" and binding.metric()):
            binding.take(slot, sentence.topics.get(slot, ""), sure)
    if sentence.caption and "seed" not in binding.values and not piece.listed:
        binding.take("aggregate", sentence.topics.get("aggregate", ""), UNSAID)
    split, sure = sentence.context.split
    binding.take("split", split, min(sure, UNSAID))
    evident = binding.said("split") or binding.said("aggregate") or piece.spread is not None
    # `The validation maxima of BERT are 0.62, 0.65 and 0.63`.
    measured = piece.number.decimals > 0 and binding.said("split")
    printed = piece.number.unit or (
        binding.said("group") and (measured or piece.spread is not None)
    )
    if printed and evident and sentence.tells and not binding.metric():
        binding.take("metric", sentence.context.metric, FROM_REPORT)
    if len(sentence.values("group")) < 2:
        binding.take("group", sentence.topics.get("group", ""), UNSAID)
