"""Which formula of its kind an adapted module has, and which sizes stand in it.

Most kinds have one formula and read its sizes as they stand. The rules here choose between
formulas, or fit a size to the matrix.

Source: peft 0.21 `tuners/*/layer.py`, `update_layer`, and the papers named at each rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isqrt, prod

from reportgen.errors import EvidenceError
from reportgen.parameters.adapters._matching import named_by, names_of, pattern_value
from reportgen.parameters.adapters._site import Site, checked
from reportgen.parameters.adapters._table import DEFAULT_TARGETS, Size
from reportgen.parameters.modules import Module
from reportgen.records.formula import evaluate

# What may stand in front of a pattern, and what must where PEFT wants a dot before it.
START, DOTTED = r"(.*\.)?", r".*\."

Sizes = dict[str, int]
Rule = Callable[[Module], tuple[str, Sizes]]
"""From a module to the name of its formula and the values of the symbols in it."""


def rule_of(site: Site, kind: str) -> Rule:
    """Return the rule of a kind, which refuses what PEFT refuses on a module."""
    rule = RULES.get(kind, plain)(site)
    row = site.kind
    weights = {name: row.formula(name) for name in row.formulas if row.sparse}

    def checked_rule(module: Module) -> tuple[str, Sizes]:
        name, sizes = rule(module)
        if row.divides:
            refuse_uneven(site, module, sizes[row.divides])
        if row.sparse:
            sides = {"d_in": module.in_features, "d_out": module.out_features}
            trained = evaluate(weights[name], {"n": 1} | sides | sizes)
            if trained > prod(sides.values()):
                refuse_unfit(site, module, f"{trained:,} numbers are more than those of")
        return name, sizes

    return checked_rule


def refuse_unfit(site: Site, module: Module, fault: str) -> None:
    """Refuse a module whose shape PEFT refuses with the sizes that are set."""
    raise EvidenceError(
        f"{site.path}: {fault} {module.name[:80]}, which PEFT refuses",
        remedy="choose another size, or other modules",
    )


def refuse_uneven(site: Site, module: Module, size: int, sides: str = "inputs outputs") -> None:
    """Refuse a module with a side that a size does not divide."""
    known = {"inputs": module.in_features, "outputs": module.out_features}
    for side in sides.split():
        if known[side] % size:
            refuse_unfit(site, module, f"{size} does not divide the {known[side]} {side} of")


def size_reader(site: Site, size: Size, words: str = "") -> Callable[[Module], int]:
    """Return the question how large a size is on a module; `words` name it in messages."""
    usual, own = site.values.get(size.key, size.default), site.values.get(size.pattern)
    start = DOTTED if size.start == "dotted" else START

    def read(module: Module) -> int:
        stated = pattern_value(own, module.name, size.pattern, start)
        return checked(usual if stated is None else stated, size.key, site.path, words=words)

    return read


def plain(site: Site) -> Rule:
    """Read every size of the formula as it stands."""
    readers = {symbol: size_reader(site, size) for symbol, size in site.kind.sizes.items()}
    return lambda module: ("plain", {symbol: read(module) for symbol, read in readers.items()})


def low_rank(site: Site) -> Rule:
    """LoRA: DoRA's magnitudes or a bias add one number an output."""
    extra = any(site.values.get(key) for key in ("use_dora", "lora_bias"))
    rank = size_reader(site, site.kind.sizes["r"], "the rank")
    return lambda module: ("extra" if extra else "plain", {"r": rank(module)})


def kronecker(site: Site) -> Rule:
    """LoKr, arXiv:2309.14859, section 3: two factors, each whole or of low rank.

    Inputs and outputs are split near the square root, or near `decompose_factor`. The second
    matrix is a product of rank r where r is less than half of its larger side, the first too
    where `decompose_both` is set.
    """
    near = site.size("decompose_factor", -1, least=-1)
    both, rank_of = bool(site.values.get("decompose_both")), plain(site)

    def rule(module: Module) -> tuple[str, Sizes]:
        rank = rank_of(module)[1]["r"]
        (b, e), (a, c) = factors(module.in_features, near), factors(module.out_features, near)
        low = (both and 2 * rank < max(a, b), 2 * rank < max(c, e))
        name = "both" if all(low) else "first" if low[0] else "second" if low[1] else "plain"
        return name, {"r": rank, "a": a, "b": b, "c": c, "e": e}

    return rule


def factors(size: int, near: int = -1) -> tuple[int, int]:
    """Split a size into two factors, the smaller first, near one asked for or the root (-1).

    Example:
        >>> factors(128), factors(127), factors(128, 4)
        ((8, 16), (1, 127), (4, 32))
    """
    if near > 0 and size % near == 0:
        return near, size // near
    most = size if near == -1 else near
    small, large = 1, size
    for divisor in divisors(size)[1:]:
        if small >= large or divisor > most or divisor + size // divisor > small + large:
            break
        small, large = divisor, size // divisor
    return min(small, large), max(small, large)


def divisors(size: int) -> list[int]:
    """Return the divisors of a size in order, in a time that grows with its root alone.

    Example:
        >>> divisors(12)
        [1, 2, 3, 4, 6, 12]
    """
    small = [number for number in range(1, isqrt(size) + 1) if size % number == 0]
    return sorted({*small, *(size // number for number in small)})


def nearest_divisor(size: int, wanted: int) -> int:
    """Return the divisor nearest to the one wanted, the smaller of two equally near.

    Example:
        >>> nearest_divisor(48, 7), nearest_divisor(48, 100)
        (6, 48)
    """
    return min(divisors(size), key=lambda divisor: abs(divisor - wanted))


def scales(site: Site) -> Rule:
    """(IA)³, arXiv:2205.05638, section 3.3: one scale an output, or an input of inner matrices."""
    inner, kind = site.values.get("feedforward_modules"), site.model_type
    if inner is None:
        if kind not in DEFAULT_TARGETS["IA3"]:
            raise EvidenceError(
                f"feedforward_modules in {site.path} is null, and PEFT has no default "
                f"for model type {kind[:80]!r}",
                remedy="name the feed-forward modules",
            )
        # The last of each model type's own targets, but for mT5, which has none.
        inner = [] if kind == "mt5" else DEFAULT_TARGETS["IA3"][kind][-1:]
    ends, whole = names_of(inner), named_by(inner, "feedforward_modules")

    def rule(module: Module) -> tuple[str, Sizes]:
        # PEFT compares lists with `endswith` and no dot.
        found = whole(module.name) if isinstance(inner, str) else module.name.endswith(ends)
        return "inner" if found else "plain", {}

    return rule


def blocks_or_size(site: Site, blocks_key: str, size_key: str, usual: int) -> tuple[int, int]:
    """Return the number of blocks and the size of one, of which exactly one is not 0."""
    blocks, size = site.size(blocks_key, 0, least=0), site.size(size_key, usual, least=0)
    if bool(blocks) == bool(size):
        raise EvidenceError(
            f"{site.path} sets {blocks_key} = {blocks} and {size_key} = {size}: PEFT wants "
            "exactly one of them",
            remedy="set one of them to 0",
        )
    return blocks, size


def rotations(site: Site) -> Rule:
    """OFT, arXiv:2306.07280, section 3: b(b − 1)/2 angles for a block of b inputs.

    Where the size does not divide the inputs, PEFT (from 0.15) takes the nearest that does.
    """
    blocks, size = blocks_or_size(site, "r", "oft_block_size", 32)
    shared = bool(site.values.get("block_share"))

    def rule(module: Module) -> tuple[str, Sizes]:
        # The width of a table is rotated, not its rows.
        width = module.out_features if module.kind == "embedding" else module.in_features
        own = nearest_divisor(width, size) if size else width // nearest_divisor(width, blocks)
        return "plain", {"k": 1 if shared else width // own, "b": own}

    return rule


def butterflies(site: Site) -> Rule:
    """BOFT, arXiv:2311.06243, section 4, with one butterfly factor.

    With more, PEFT uses as many as are asked for only where a CUDA extension could be built,
    and one otherwise: no count follows from the configuration.
    """
    blocks, size = blocks_or_size(site, "boft_block_num", "boft_block_size", 4)
    if site.values.get("boft_n_butterfly_factor", 1) != 1:
        raise EvidenceError(
            f"{site.path} sets boft_n_butterfly_factor: how many factors are trained depends on "
            "whether PEFT could build its CUDA extension on the machine",
            remedy="count the tensors of the saved adapter",
        )

    def rule(module: Module) -> tuple[str, Sizes]:
        refuse_uneven(site, module, size or blocks, "inputs")
        own = size or module.in_features // blocks
        return "plain", {"k": module.in_features // own, "b": own}

    return rule


def copies(_: Site) -> Rule:
    """LayerNorm tuning, arXiv:2312.11420: every number of the modules that it names."""
    names = {
        (False, False): "plain",
        (False, True): "bias",
        (True, False): "matrix",
        (True, True): "matrix_bias",
    }
    return lambda module: (names[bool(module.in_features), module.bias], {})


def wavelets(site: Site) -> Rule:
    """WaveFT: as many coefficients of each update, or shares of them by the matrix's size."""
    if not site.values.get("proportional_parameters"):
        return plain(site)
    total = sum(m.in_features * m.out_features for m in site.targeted)
    budget = site.size("n_frequency", 2592) * len(site.targeted)

    def rule(module: Module) -> tuple[str, Sizes]:
        share = module.in_features * module.out_features / total
        return "plain", {"f": max(1, round(share * budget))}

    return rule


def bases(site: Site) -> Rule:
    """RandLoRA, arXiv:2502.00987: as many random matrices as make the update of full rank."""
    rank = site.size("r", 32)

    def rule(module: Module) -> tuple[str, Sizes]:
        short = min(module.in_features, module.out_features)
        return "plain", {"r": rank, "k": -(-short // rank), "m": short}

    return rule


def shards(site: Site) -> Rule:
    """MiSS, arXiv:2409.15371: r rows of d_out numbers, or of `mini_r` where it starts so."""
    rank, start = site.size("r", 64), site.values.get("init_weights")
    few = site.size("mini_r", 1) if start == "mini" else 0
    sides = {"bat": "inputs outputs", "mini": "outputs"}.get(str(start), "")

    def rule(module: Module) -> tuple[str, Sizes]:
        refuse_uneven(site, module, few or rank, sides)
        if rank > module.in_features:
            refuse_unfit(site, module, f"{rank} is more than the {module.in_features} inputs of")
        return ("mini", {"r": rank, "m": few}) if few else ("plain", {"r": rank})

    return rule


def pairs(site: Site) -> Rule:
    """RoAd, arXiv:2409.00119: an angle and a scale for one, two or all four of a rotation."""
    variant, group = str(site.values.get("variant", "road_1")), site.size("group_size", 64)
    if variant not in site.kind.formulas or group % 2:
        raise EvidenceError(
            f"{site.path} sets variant = {variant[:40]} and group_size = {group}, which PEFT "
            "refuses",
            remedy="write road_1, road_2 or road_4, and an even group_size",
        )

    def rule(module: Module) -> tuple[str, Sizes]:
        refuse_uneven(site, module, group, "outputs")
        return variant, {}

    return rule


def blocked(site: Site) -> Rule:
    """GraLoRA: r ranks in every block, and `hybrid_r` in the whole matrix."""
    hybrid, sizes_of = site.size("hybrid_r", 0, least=0), plain(site)

    def rule(module: Module) -> tuple[str, Sizes]:
        sizes = sizes_of(module)[1]
        if sizes["r"] % sizes["k"]:
            refuse_unfit(site, module, f"gralora_k = {sizes['k']} does not divide the rank of")
        return ("hybrid", sizes | {"r_lora": hybrid}) if hybrid else ("plain", sizes)

    return rule


RULES: Mapping[str, Callable[[Site], Rule]] = {
    "BOFT": butterflies,
    "GRALORA": blocked,
    "IA3": scales,
    "LN_TUNING": copies,
    "LOKR": kronecker,
    "LORA": low_rank,
    "MISS": shards,
    "OFT": rotations,
    "RANDLORA": bases,
    "ROAD": pairs,
    "WAVEFT": wavelets,
}
