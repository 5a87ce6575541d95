"""Which formula of its kind an adapted module has, and which sizes stand in it.

Most kinds have one formula and read its sizes as they stand. The rules here choose between
formulas, or fit a size to the matrix.

Source: peft 0.21 `tuners/*/layer.py`, `update_layer`, and the papers named at each rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isqrt, prod

from reportgen.parameters.adapters._matching import compile_safely, names_of, pattern_value
from reportgen.parameters.adapters._site import Site, checked
from reportgen.parameters.adapters._table import DEFAULT_TARGETS, Size
from reportgen.parameters.modules import Module
from reportgen.records.errors import EvidenceError
from reportgen.records.formula import evaluate

# What may stand in front of a pattern, and what must where PEFT wants a dot before it.
START, DOTTED = r"(.*\.)?", r".*\."

Sizes = dict[str, int]
Row = tuple[str, Sizes]
"""Name of a formula, and the values of the symbols in it."""
SIDES = {"inputs": "in_features", "outputs": "out_features"}


def sizes_of(site: Site, kind: str, module: Module) -> Row:
    """Return the formula of an adapted module, and the sizes in it."""
    name, sizes = RULES.get(kind, plain)(site, module)
    if site.kind.divides:
        refuse_uneven(site, module, sizes[site.kind.divides], *SIDES)
    if site.kind.sparse:
        sides = {"d_in": module.in_features, "d_out": module.out_features}
        trained = evaluate(site.kind.formula(name), {"n": 1} | sides | sizes)
        if trained > prod(sides.values()):
            refuse_unfit(site, module, f"{trained:,} numbers are more than those of")
    return name, sizes


def refuse_unfit(site: Site, module: Module, fault: str) -> None:
    """Refuse a module whose shape PEFT refuses with the sizes that are set."""
    fault = f"{site.path}: {fault} {module.name[:80]}, which PEFT refuses"
    raise EvidenceError(fault, remedy="choose another size, or other modules")


def refuse_uneven(site: Site, module: Module, size: int, *sides: str) -> None:
    """Refuse a module with a side that a size does not divide."""
    for side in sides:
        if (numbers := getattr(module, SIDES[side])) % size:
            refuse_unfit(site, module, f"{size} does not divide the {numbers} {side} of")


def read_size(site: Site, module: Module, size: Size, words: str = "") -> int:
    """Return how large a size is on a module; `words` name its key in messages."""
    patterns, start = site.values.get(size.pattern), DOTTED if size.dotted else START
    value = pattern_value(patterns, module.name, size.pattern, start)
    if value is None:
        value = site.values.get(size.key, size.default)
    least = 0 if site.kind.keys[size.key].kind == "count" else 1
    return checked(value, size.key, site.path, least, words)


def plain(site: Site, module: Module) -> Row:
    """Read every size of the formula as it stands."""
    sizes = site.kind.sizes.items()
    return "plain", {symbol: read_size(site, module, size) for symbol, size in sizes}


def low_rank(site: Site, module: Module) -> Row:
    """LoRA: DoRA's magnitudes or a bias add one number an output."""
    extra = any(site.values.get(key) for key in ("use_dora", "lora_bias"))
    rank = read_size(site, module, site.kind.sizes["r"], "the rank")
    return "extra" if extra else "plain", {"r": rank}


def kronecker(site: Site, module: Module) -> Row:
    """LoKr, arXiv:2309.14859, section 3: two factors, each whole or of low rank.

    Inputs and outputs are split near the square root, or near `decompose_factor`. The second
    matrix is a product of rank r where r is less than half of its larger side, the first too
    where `decompose_both` is set.
    """
    near, rank = site.size("decompose_factor", -1, least=-1), plain(site, module)[1]["r"]
    (b, e), (a, c) = factors(module.in_features, near), factors(module.out_features, near)
    first, second = 2 * rank < max(a, b), 2 * rank < max(c, e)
    if first and site.values.get("decompose_both"):
        name = "both" if second else "first"
    else:
        name = "second" if second else "plain"
    return name, {"r": rank, "a": a, "b": b, "c": c, "e": e}


def factors(size: int, near: int = -1) -> tuple[int, int]:
    """Split a size into two factors, the smaller first, near one asked for or the root (-1)."""
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
    """Return the divisors of a size in order, in a time that grows with its root alone."""
    small = [number for number in range(1, isqrt(size) + 1) if size % number == 0]
    return sorted({*small, *(size // number for number in small)})


def nearest_divisor(size: int, wanted: int) -> int:
    """Return the divisor nearest to the one wanted, the smaller of two equally near."""
    return min(divisors(size), key=lambda divisor: abs(divisor - wanted))


def scales(site: Site, module: Module) -> Row:
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
    if isinstance(inner, str):
        found = compile_safely(inner, "feedforward_modules").fullmatch(module.name) is not None
    else:
        # PEFT compares lists with `endswith` and no dot.
        found = module.name.endswith(names_of(inner))
    return "inner" if found else "plain", {}


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


def rotations(site: Site, module: Module) -> Row:
    """OFT, arXiv:2306.07280, section 3: b(b − 1)/2 angles for a block of b inputs.

    Where the size does not divide the inputs, PEFT (from 0.15) takes the nearest that does.
    """
    blocks, size = blocks_or_size(site, "r", "oft_block_size", 32)
    # The width of a table is rotated, not its rows.
    width = module.out_features if module.kind == "embedding" else module.in_features
    own = nearest_divisor(width, size) if size else width // nearest_divisor(width, blocks)
    return "plain", {"k": 1 if site.values.get("block_share") else width // own, "b": own}


def butterflies(site: Site, module: Module) -> Row:
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
    refuse_uneven(site, module, size or blocks, "inputs")
    own = size or module.in_features // blocks
    return "plain", {"k": module.in_features // own, "b": own}


def copies(_: Site, module: Module) -> Row:
    """LayerNorm tuning, arXiv:2312.11420: every number of the modules that it names."""
    if module.in_features:
        return "matrix_bias" if module.bias else "matrix", {}
    return "bias" if module.bias else "plain", {}


def wavelets(site: Site, module: Module) -> Row:
    """WaveFT: as many coefficients of each update, or shares of them by the matrix's size."""
    if not site.values.get("proportional_parameters"):
        return plain(site, module)
    budget = site.size("n_frequency", 2592) * len(site.targeted)
    share = module.in_features * module.out_features / site.weights
    return "plain", {"f": max(1, round(share * budget))}


def bases(site: Site, module: Module) -> Row:
    """RandLoRA, arXiv:2502.00987: as many random matrices as make the update of full rank."""
    rank, short = site.size("r", 32), min(module.in_features, module.out_features)
    return "plain", {"r": rank, "k": -(-short // rank), "m": short}


def shards(site: Site, module: Module) -> Row:
    """MiSS, arXiv:2409.15371: r rows of d_out numbers, or of `mini_r` where it starts so."""
    rank, start = site.size("r", 64), site.values.get("init_weights")
    few = site.size("mini_r", 1) if start == "mini" else 0
    sides = {"bat": ("inputs", "outputs"), "mini": ("outputs",)}.get(str(start), ())
    refuse_uneven(site, module, few or rank, *sides)
    if rank > module.in_features:
        refuse_unfit(site, module, f"{rank} is more than the {module.in_features} inputs of")
    return ("mini", {"r": rank, "m": few}) if few else ("plain", {"r": rank})


def pairs(site: Site, module: Module) -> Row:
    """RoAd, arXiv:2409.00119: an angle and a scale for one, two or all four of a rotation."""
    variant, group = str(site.values.get("variant", "road_1")), site.size("group_size", 64)
    if variant not in site.kind.formulas or group % 2:
        raise EvidenceError(
            f"{site.path} sets variant = {variant[:40]} and group_size = {group}, which PEFT "
            "refuses",
            remedy="write road_1, road_2 or road_4, and an even group_size",
        )
    refuse_uneven(site, module, group, "outputs")
    return variant, {}


def blocked(site: Site, module: Module) -> Row:
    """GraLoRA: r ranks in every block, and `hybrid_r` in the whole matrix."""
    hybrid, sizes = site.size("hybrid_r", 0, least=0), plain(site, module)[1]
    if sizes["r"] % sizes["k"]:
        refuse_unfit(site, module, f"gralora_k = {sizes['k']} does not divide the rank of")
    return ("hybrid", sizes | {"r_lora": hybrid}) if hybrid else ("plain", sizes)


RULES: Mapping[str, Callable[[Site, Module], Row]] = {
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
