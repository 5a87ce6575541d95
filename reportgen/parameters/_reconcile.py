"""Terms of a ledger beside the tensors that a checkpoint really holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce

from reportgen.languages import message
from reportgen.parameters._words import told
from reportgen.records.checkpoint import Checkpoint, Ledger, LedgerRow, TensorSpec, Term
from reportgen.records.formula import Constant
from reportgen.records.record import record, replace

# Weights stored in fewer bits than a number has: how many numbers they stand for.
#
# A 4-bit weight lies two to a byte; the file's shapes count bytes. Beside it lie tensors
# that undo the packing, which are no parameters.
#
# Source: bitsandbytes `functional.py`, `QuantState.as_dict` (names) and `quantize_4bit` (two
# weights a byte, rows of one); `nn/modules.py`, `Linear8bitLt` (`SCB`); Frantar et al. 2023
# (arXiv:2210.17323) and Lin et al. 2023 (arXiv:2306.00978) for `qweight`, whose scales have
# one column for each output.

FOUR_BITS = re.compile(r"(.+)\.quant_state\.bitsandbytes__(nf4|fp4)")
# What undoes the packing of one weight.
CONSTANTS = re.compile(
    r".+\.(absmax|quant_map|nested_absmax|nested_quant_map|SCB|weight_format|qzeros|scales|g_idx)"
    r"|.+\.quant_state\.bitsandbytes__.+"
)
SIGNS = re.compile(r".+\.(weight\.(absmax|quant_map|quant_state\..+)|SCB|qweight|qzeros)")
MATRIX = 2


@record(kw_only=False)
class Unpacked:
    """A checkpoint's tensors with packed weights at their true size.

    Attributes:
        tensors: Everything that can be a parameter.
        packed: The weights among them that were packed, as they were stored.
        constants: What undoes the packing.
        unclear: Weights that look packed, without the tensor that would tell how.
    """

    tensors: tuple[TensorSpec, ...]
    packed: tuple[TensorSpec, ...] = ()
    constants: tuple[TensorSpec, ...] = ()
    unclear: tuple[TensorSpec, ...] = ()


def unpack(tensors: Iterable[TensorSpec]) -> Unpacked:
    """Give packed weights their true number of elements, and set their constants apart."""
    tensors = tuple(tensors)
    if not any(SIGNS.fullmatch(t.name) or looks_packed(t) for t in tensors):
        return Unpacked(tensors)
    names = {tensor.name: tensor for tensor in tensors}
    four = {found[1] for name in names if (found := FOUR_BITS.fullmatch(name))}
    plain: list[TensorSpec] = []
    packed: list[TensorSpec] = []
    constants: list[TensorSpec] = []
    unclear: list[TensorSpec] = []
    for tensor in tensors:
        whole = logical(tensor, names, four)
        if whole is not None:
            packed.append(tensor)
            plain.append(whole)
        elif CONSTANTS.fullmatch(tensor.name):
            constants.append(tensor)
        else:
            plain.append(tensor)
            if looks_packed(tensor):
                unclear.append(tensor)
    return Unpacked(tuple(plain), tuple(packed), tuple(constants), tuple(unclear))


def logical(tensor: TensorSpec, names: dict[str, TensorSpec], four: set[str]) -> TensorSpec | None:
    """Return a packed weight with the elements it stands for, None for any other tensor."""
    if tensor.name in four:
        return replace(tensor, shape=(2 * tensor.count,))
    stem = tensor.name.removesuffix(".qweight")
    scales = names.get(f"{stem}.scales")
    if stem == tensor.name or scales is None or len(tensor.shape) != MATRIX or not scales.shape:
        return None
    outputs, index = scales.shape[-1], names.get(f"{stem}.g_idx")
    # GPTQ packs inputs and lists the group of each; AWQ packs outputs.
    if tensor.shape[1] != outputs:
        inputs = tensor.shape[0]
    elif index is not None:
        inputs = index.count
    else:
        return None
    return replace(tensor, name=f"{stem}.weight", shape=(outputs, inputs))


def looks_packed(tensor: TensorSpec) -> bool:
    """Return whether a weight's bytes lie in rows of one, as packed weights do."""
    return (
        tensor.dtype == "uint8"
        and tensor.name.endswith(".weight")
        and len(tensor.shape) == MATRIX
        and tensor.shape[1] == 1
    )


# What wrappers put in front of every name.
WRAPPERS = re.compile(r"^(module|_orig_mod|base_model\.model)\.")
# fairseq 0.12 keeps a second copy of each layer's weights for its fast path.
PHANTOM = re.compile(
    r"(encoder|decoder)\.sentence_encoder\.layers\.\d+\.(in_proj|out_proj|fc1|fc2)_(weight|bias)"
)
BUFFER = re.compile(
    r".*(position_ids|token_type_ids|\.version|_float_tensor|inv_freq|masked_bias"
    r"|final_logits_bias)"
    r"|.*h\.\d+\.attn\.bias"
)
FUSED = re.compile(r"(.*self_attn\.)in_proj_(weight|bias)")
LAYER = re.compile(r"(?<=\.)\d+(?=\.)")
NUMBER = re.compile(r"\d+")
SHOWN_NAMES = 6
LONGEST_NAME = 160
# Names of layers and modules that are looked for; a model of 100 layers of 300 experts has fewer.
MOST_EXPECTED = 100_000
MOST_DIGITS = 18


@record(kw_only=False)
class Sorted:
    """A checkpoint's tensors, sorted by whether they count."""

    counted: tuple[TensorSpec, ...]
    phantoms: tuple[TensorSpec, ...]
    buffers: tuple[TensorSpec, ...]
    unpacked: Unpacked


def reconcile(ledger: Ledger, checkpoint: Checkpoint | None) -> tuple[LedgerRow, ...]:
    r"""Put every term beside what is stored; a difference is zero or names its tensors.

    Tensors that no term covers get rows of their own, so that nothing stored is dropped.
    fairseq's per-layer copies and buffers are named and not counted; a tied tensor counts
    once, at the word embeddings; a packed weight counts the numbers it stands for.

    Args:
        ledger: The terms.
        checkpoint: The tensors, or None to leave the stored column empty.

    Units: parameters.

    Example:
        >>> from reportgen.records.formula import Symbol
        >>> from reportgen.records.run import Source
        >>> term = Term(name="w", label="weights", role="ffn", formula=Symbol("d") ** 2,
        ...             values={"d": 3}, tensors=r"fc\.weight")
        >>> source = Source(path="m", kind="manifest", size=0, sha256="")
        >>> tensor = TensorSpec(name="fc.weight", shape=(3, 2))
        >>> stored = Checkpoint(source=source, tensors=(tensor,))
        >>> row, = reconcile(Ledger(family="", terms=(term,), scopes=()), stored)
        >>> row.stored, row.difference, row.explanation
        (6, -3, 'stored: fc.weight (3 × 2)')
    """
    if checkpoint is None:
        return tuple(LedgerRow(term=term) for term in ledger.terms)
    tensors = sort_tensors(checkpoint.tensors, ledger)
    word = next((t for t in ledger.terms if t.name == "embeddings.word"), None)
    fairseq = any("sentence_encoder" in tensor.name for tensor in checkpoint.tensors)
    found, left = assign(tensors.counted, ledger.terms)
    rows = [
        tied_row(term, own, word)
        if term.formula == Constant(0)
        else plain_row(term, own, fairseq=fairseq)
        for term, own in zip(ledger.terms, found, strict=True)
    ]
    rows += unexpected_rows(left)
    rows += uncounted_rows(tensors)
    return tuple(rows)


def plain_name(name: str) -> str:
    """Return the name that a tensor has in the bare model."""
    return WRAPPERS.sub("", name)


def assign(
    tensors: Iterable[TensorSpec], terms: Sequence[Term]
) -> tuple[list[list[TensorSpec]], list[TensorSpec]]:
    """Return the tensors of each term, and those that no term covers.

    Tensors whose names differ in their numbers alone mostly belong to one term, which is tried
    first: the time grows with the number of tensors, not with that of terms times tensors.
    """
    fits = [re.compile(term.tensors or "(?!)").fullmatch for term in terms]
    found: list[list[TensorSpec]] = [[] for _ in terms]
    left: list[TensorSpec] = []
    last: dict[str, int | None] = {}
    for tensor in tensors:
        kind = NUMBER.sub("*", tensor.name)
        place = last.get(kind, -1)
        if place is None:
            left.append(tensor)
            continue
        if place < 0 or not fits[place](tensor.name):
            place = next((n for n, fit in enumerate(fits) if fit(tensor.name)), None)
            last[kind] = place
        (left if place is None else found[place]).append(tensor)
    return found, left


def sort_tensors(tensors: Iterable[TensorSpec], ledger: Ledger | None = None) -> Sorted:
    """Take wrappers off the names, unpack, split fused projections, set apart what never counts."""
    unpacked = unpack(
        replace(t, name=plain_name(t.name)) if WRAPPERS.match(t.name) else t for t in tensors
    )
    plain = unpacked.tensors
    names = {tensor.name: tensor for tensor in plain}
    fused = set(fused_names(names, ledger.terms if ledger else ()))
    counted: list[TensorSpec] = []
    phantoms: list[TensorSpec] = []
    buffers: list[TensorSpec] = []
    for tensor in plain:
        if PHANTOM.fullmatch(tensor.name):
            phantoms.append(tensor)
        elif not tensor.trainable or BUFFER.fullmatch(tensor.name) or tensor.dtype == "bool":
            buffers.append(tensor)
        elif is_second_name(tensor, names, ledger):
            continue  # the head's bias, counted under its first name
        else:
            counted += split_fused(tensor) if tensor.name in fused else [tensor]
    return Sorted(tuple(counted), tuple(phantoms), tuple(buffers), unpacked)


def is_second_name(
    tensor: TensorSpec, names: Mapping[str, TensorSpec], ledger: Ledger | None
) -> bool:
    """Say whether a bias of the projection to the vocabulary is that beside it once more.

    It is where the two are one storage, and in a model whose projection is tied. In an untied
    one transformers 5 has two biases, and transformers 4 stores one alone.
    """
    start = tensor.name.removesuffix("decoder.bias")
    first = names.get(f"{start}bias")
    if start == tensor.name or first is None or first.shape != tensor.shape:
        return False
    if tensor.shares or first.shares:
        return bool(tensor.shares)
    terms = {term.name: term for term in ledger.terms} if ledger else {}
    projection, word = terms.get("lm_head.projection"), terms.get("embeddings.word")
    weight = names.get(f"{start}decoder.weight")
    if weight is not None and weight.shares:
        return True
    if projection is None or projection.formula != Constant(0):
        return projection is None and weight is None
    return weight is None or word is None or weight.count == word.count


def fused_names(names: Iterable[str], terms: Sequence[Term]) -> Iterator[str]:
    """Yield the names of fused projections that no term has as they are."""
    known: dict[str, bool] = {}
    for name in filter(FUSED.fullmatch, names):
        kind = NUMBER.sub("*", name)
        if kind not in known:
            known[kind] = any(t.tensors and re.fullmatch(t.tensors, name) for t in terms)
        if not known[kind]:
            yield name


def split_fused(tensor: TensorSpec) -> list[TensorSpec]:
    """Return query, key and value of a fused projection as tensors of their own."""
    fused = FUSED.fullmatch(tensor.name)
    if fused is None or not tensor.shape or tensor.shape[0] % 3:
        return [tensor]
    shape = (tensor.shape[0] // 3, *tensor.shape[1:])
    return [
        replace(tensor, name=f"{fused.group(1)}{part}_proj.{fused.group(2)}", shape=shape)
        for part in "qkv"
    ]


def tied_row(term: Term, found: Sequence[TensorSpec], word: Term | None) -> LedgerRow:
    """Return the row of a projection that is the word embeddings under a second name."""
    own = [t for t in found if not t.shares and word is not None and t.count != word.count]
    stored = sum(tensor.count for tensor in own)
    explanation = ""
    if own:
        explanation = message(
            "stored with a shape of its own, so not tied: {tensors}", tensors=listed(own)
        )
    elif found:
        explanation = message(
            "{tensor} repeats the word embeddings; counted once, there", tensor=found[0].name
        )
    return LedgerRow(term=term, stored=stored, difference=stored, explanation=explanation)


def plain_row(term: Term, found: Sequence[TensorSpec], *, fairseq: bool) -> LedgerRow:
    """Return the row of a term with parameters of its own."""
    stored = sum(tensor.count for tensor in found if not tensor.shares)
    difference = stored - term.count
    return LedgerRow(
        term=term,
        stored=stored,
        difference=difference,
        explanation=why(term, found, fairseq=fairseq) if difference else "",
    )


def why(term: Term, found: Sequence[TensorSpec], *, fairseq: bool) -> str:
    """Say why stored and counted differ, naming the tensors."""
    if not found:
        if term.role == "token_type" and fairseq:
            return message("fairseq stores no token-type row; Hugging Face adds one")
        return message("not in this checkpoint")
    missing = missing_names(term, found)
    odd = odd_shapes(found)
    parts = []
    if missing:
        cut = [name[:LONGEST_NAME] for name in missing]
        parts.append(message("missing: {tensors}", tensors=shortened(cut)))
    if odd:
        parts.append(message("reshaped: {tensors}", tensors=listed(odd)))
    shared = [tensor for tensor in found if tensor.shares]
    if shared:
        parts.append(message("shared with another tensor: {tensors}", tensors=listed(shared)))
    if not parts:
        kinds: dict[str, TensorSpec] = {}
        for tensor in found:
            kinds.setdefault(LAYER.sub("#", tensor.name, count=1), tensor)
        return message("stored: {tensors}", tensors=listed([*kinds.values()]))
    return reduce(lambda one, other: message("{one}; {other}", one=one, other=other), parts)


def missing_names(term: Term, found: Sequence[TensorSpec]) -> list[str]:
    """Name the tensors that their neighbours in other layers or their own module lead to expect."""
    names = {tensor.name for tensor in found}
    expected: dict[str, None] = {}
    for name in names:
        for old, new in ((".weight", ".bias"), (".bias", ".weight")):
            if name.endswith(old):
                expected[name.removesuffix(old) + new] = None
    kinds = {tuple(LAYER.split(name, maxsplit=1)) for name in names if LAYER.search(name)}
    if len(kinds) * term.repeat <= MOST_EXPECTED:
        expected |= {str(n).join(kind): None for kind in kinds for n in range(term.repeat)}
    return sorted(
        (name for name in expected if name not in names and re.fullmatch(term.tensors, name)),
        key=natural,
    )


def odd_shapes(found: Sequence[TensorSpec]) -> list[TensorSpec]:
    """Return the tensors whose shape is not the usual one of their kind across layers."""
    shapes: dict[str, Counter[tuple[int, ...]]] = {}
    for tensor in found:
        shapes.setdefault(LAYER.sub("#", tensor.name, count=1), Counter())[tensor.shape] += 1
    usual = {kind: counted.most_common(1)[0][0] for kind, counted in shapes.items()}
    return [t for t in found if t.shape != usual[LAYER.sub("#", t.name, count=1)]]


def unexpected_rows(left: Sequence[TensorSpec]) -> list[LedgerRow]:
    """Return a row for every kind of tensor that no term covers."""
    kinds: dict[str, list[TensorSpec]] = {}
    for tensor in left:
        kinds.setdefault(LAYER.sub("#", tensor.name, count=1), []).append(tensor)
    rows = []
    for kind, found in kinds.items():
        stored = sum(tensor.count for tensor in found if not tensor.shares)
        term = extra_term(f"unexpected.{kind}", kind, "unexpected")
        rows.append(
            LedgerRow(
                term=term,
                stored=stored,
                difference=stored,
                explanation=message(
                    "in the checkpoint, not in the formula: {tensors}", tensors=listed(found)
                ),
            )
        )
    return rows


def uncounted_rows(tensors: Sorted) -> list[LedgerRow]:
    """Return rows that say which stored tensors are not parameters, or not what they seem."""
    found = {
        "fairseq.copies": tensors.phantoms,
        "buffers": tensors.buffers,
        "packed.weights": tensors.unpacked.packed,
        "packed.constants": tensors.unpacked.constants,
        "packed.unclear": tensors.unpacked.unclear,
    }
    words = told("uncounted")
    return [
        LedgerRow(
            term=extra_term(name, words[name], "uncounted"),
            stored=0,
            difference=0,
            explanation=message(
                "{tensors}: {reason}", tensors=sized(own), reason=words[f"{name} reason"]
            ),
        )
        for name, own in found.items()
        if own
    ]


def extra_term(name: str, label: str, role: str) -> Term:
    """Return a term that the formula does not have."""
    return Term(name=name, label=label, role=role, formula=Constant(0), values={})


def sized(tensors: Sequence[TensorSpec]) -> str:
    """Return how many tensors there are and how many numbers they hold."""
    numbers = sum(tensor.count for tensor in tensors)
    if len(tensors) == 1 and numbers == 1:
        return message("1 tensor of 1 number")
    if len(tensors) == 1:
        return message("1 tensor of {numbers:count} numbers", numbers=numbers)
    if numbers == 1:
        return message("{tensors} tensors of 1 number", tensors=len(tensors))
    return message(
        "{tensors} tensors of {numbers:count} numbers", tensors=len(tensors), numbers=numbers
    )


def listed(tensors: Sequence[TensorSpec]) -> str:
    """Return names with shapes, the first few of many."""
    return shortened(
        [
            f"{tensor.name} ({' × '.join(map(str, tensor.shape))})"[:LONGEST_NAME]
            if tensor.shape
            else message("{tensor} (scalar)", tensor=tensor.name[:LONGEST_NAME])
            for tensor in tensors
        ]
    )


def shortened(names: Sequence[str]) -> str:
    """Return names joined by commas, the first few of many."""
    more = len(names) - SHOWN_NAMES
    joined = reduce(
        lambda one, other: message("{one}, {other}", one=one, other=other), names[:SHOWN_NAMES]
    )
    return message("{names} and {more} more", names=joined, more=more) if more > 0 else joined


def natural(name: str) -> list[tuple[int, str]]:
    """Return a sort key that puts layer 2 before layer 10."""
    # Some signs are digits to isdigit and no number to int, and int refuses very many digits.
    return [
        (int(p), "") if p.isdecimal() and len(p) <= MOST_DIGITS else (-1, p)
        for p in re.split(r"(\d+)", name)
    ]
