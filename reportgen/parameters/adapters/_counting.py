"""How many parameters an adapter trains, from its configuration and its base's shapes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from math import isqrt, prod

from reportgen.parameters.adapters._matching import (
    branches,
    compile_safely,
    is_named,
    names_of,
    pattern_value,
    refuse_many,
    targets_of,
)
from reportgen.parameters.adapters._site import (
    MODULES,
    OUTPUTS,
    AdapterCount,
    Site,
    adapter_term,
    checked,
    find_site,
    template,
)
from reportgen.parameters.adapters._table import (
    DEFAULT_ALPHA,
    DEFAULT_RANK,
    DEFAULT_TARGETS,
    KINDS,
    PROMPTS,
    Size,
)
from reportgen.parameters.modules import Module, tensors_of
from reportgen.records.checkpoint import AdapterConfig, TensorSpec, Term
from reportgen.records.errors import EvidenceError
from reportgen.records.formula import evaluate
from reportgen.records.record import replace

# Prompt, prefix and P-tuning: trained rows in front of the inputs, or of every layer.
#
# Source: Lester et al. 2021 (arXiv:2104.08691), section 2; Li and Liang 2021 (arXiv:2101.00190),
# section 4; Liu et al. 2021 (arXiv:2103.10385), section 3; peft 0.21
# `tuners/{prompt,prefix,p}_tuning/model.py` and `utils/other.py`,
# `_prepare_prompt_learning_config`, for grouped queries; torch `nn.LSTM` (four gates, two bias
# vectors each).

LAYER = re.compile(r"(?<=\.)\d+(?=\.)|^\d+(?=\.)")


def prompt_term(site: Site, kind: str) -> Term:
    """Return the term of what is trained in front of the inputs or layers."""
    name, values, repeat = "plain", dict[str, int](), 1
    label = "keys and values in front of every layer"
    tokens = site.size("num_virtual_tokens", least=0)
    if kind == "PREFIX_TUNING":
        width = site.width
        values |= {"v": tokens, "d_kv": width, "L": count_layers(site)}
        if site.values.get("prefix_projection"):
            name, values["h"] = "network", inner_width(site, width)
    else:
        # A model with encoder and decoder gets rows in front of both.
        usual = 2 if site.values.get("task_type") == "SEQ_2_SEQ_LM" else 1
        stated = site.values.get("num_transformer_submodules") or usual
        stacks = checked(stated, "num_transformer_submodules", site.path)
        values |= {"v": tokens * stacks, "d": site.width}
        label, repeat = "rows in front of the input embeddings", stacks
    if kind == "P_TUNING":
        name, label, repeat = network(site), f"{label}, network", 1
        values |= {"h": inner_width(site, site.width), "k": site.size("encoder_num_layers", 2)}
    place = ("prompt_encoder", 0, 0)
    term = adapter_term(site.kind.tensors, place, repeat, site.kind.formula(name), **values)
    return replace(term, label=label)


def inner_width(site: Site, width: int) -> int:
    """Return the inner width of the network that makes the rows."""
    stated = site.values.get("encoder_hidden_size") or width
    return checked(stated, "encoder_hidden_size", site.path)


def count_layers(site: Site) -> int:
    """Return `num_layers`, or the number of layers that the base model has."""
    if site.values.get("num_layers") is not None:
        return site.size("num_layers")
    numbers = {found[0] for m in site.modules if (found := LAYER.search(m.name))}
    # Layers that share their weights stand in ALBERT once.
    if not numbers or site.model_type == "albert":
        fault = f"{site.path} needs the number of layers of the base model, which is not known"
        raise EvidenceError(fault, remedy="set num_layers")
    return len(numbers)


def network(site: Site) -> str:
    """Return the network that makes the rows of P-tuning."""
    kind = site.values.get("encoder_reparameterization_type")
    if kind is None:
        return "MLP"
    if not isinstance(kind, str) or kind not in site.kind.formulas:
        raise EvidenceError(
            f"encoder_reparameterization_type in {site.path} is {str(kind)[:40]!r}, which is "
            "neither MLP nor LSTM",
            remedy="write MLP or LSTM",
        )
    return kind


# Which formula of its kind an adapted module has, and which sizes stand in it.
#
# Most kinds have one formula and read its sizes as they stand. The rules here choose between
# formulas, or fit a size to the matrix.
#
# Source: peft 0.21 `tuners/*/layer.py`, `update_layer`, and the papers named at each rule.

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


def replaced(site: Site, module: Module) -> Row:
    """DEFT: no more ranks than outputs; where only directions are removed, one matrix is trained.

    PEFT caps the rank at the outputs, for no more directions can be told apart.
    """
    rank = min(plain(site, module)[1]["r"], module.out_features)
    return "para" if site.values.get("para") else "plain", {"r": rank}


RULES: Mapping[str, Callable[[Site, Module], Row]] = {
    "BOFT": butterflies,
    "DEFT": replaced,
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


def count_adapter(
    adapter: AdapterConfig,
    modules: Iterable[Module],
    model_type: str,
    tensors: Iterable[TensorSpec] = (),
) -> AdapterCount:
    """Count what an adapter trains on a base model.

    Args:
        adapter: Its configuration.
        modules: Leaf modules of the base model, the head of its task included.
        model_type: The base's `model_type`, for default targets.
        tensors: The base's stored tensors, for `target_parameters` outside its modules.

    Units: parameters.

    Raises:
        EvidenceError: The kind has no formula, or the configuration cannot be counted: an
            illegal size, a key outside the formulas, no targets and no default for this model
            type, targets that match nothing, or something that PEFT itself refuses.

    Source: the modules beside this one name the papers and PEFT's code for each kind.

    Example:
        >>> from reportgen.records.source import Source
        >>> source = Source(path="adapter_config.json", kind="adapter", size=0, sha256="")
        >>> adapter = AdapterConfig(source=source, peft_type="LORA",
        ...                         values={"r": 2, "target_modules": ["q"]})
        >>> q = Module(name="layer.0.q", kind="linear", in_features=10, out_features=5)
        >>> count_adapter(adapter, [q], "").trainable
        30
    """
    modules, kind = tuple(modules), adapter.peft_type
    if kind not in KINDS:
        raise EvidenceError(no_formula(kind), remedy="count the tensors of the saved adapter")
    refuse_uncounted(adapter)
    if kind == "LORA":
        site, parameters = lora_site(adapter, modules, model_type, tensors)
        terms = [*module_terms(site), *parameter_terms(site, parameters)]
        return site.count([*terms, *token_terms(site)])
    if kind == "TRAINABLE_TOKENS":
        return trained_rows(adapter, modules, model_type)
    targets = [] if kind in PROMPTS else targets_of(adapter, model_type)
    site = find_site(adapter, modules, model_type, targets, needed=kind not in PROMPTS)
    if kind in PROMPTS:
        return site.count([prompt_term(site, kind)])
    counted = site.count([*module_terms(site), *shared_terms(site)])
    if kind != "ADALORA":
        return counted
    # PEFT also keeps the number of ranks of each module as a frozen parameter.
    return replace(counted, frozen=len(site.targeted), notes=(budget(site),))


def no_formula(kind: str) -> str:
    """Say that a kind of adapter is not counted."""
    return f"no formula is known for adapters of the kind {kind or '(none)'}"


def refuse_uncounted(adapter: AdapterConfig) -> None:
    """Refuse a key that changes what is trained in a way that no formula describes."""
    for key in KINDS[adapter.peft_type].uncounted:
        if adapter.values.get(key):
            raise EvidenceError(
                f"{adapter.source.path} sets {key}, which changes what is trained in a way that "
                "is not counted here",
                remedy="count the tensors of the saved adapter",
            )


def module_terms(site: Site) -> list[Term]:
    """Return one term for all modules of one name, shape and formula."""
    kind, found = site.kind, []
    if set(kind.formulas) == {"shared"}:
        return []

    def own(module: Module) -> tuple[str, tuple[tuple[str, int], ...]]:
        name, sizes = sizes_of(site, kind.name, module)
        return name, tuple(sizes.items())

    for (pattern, inputs, outputs, (name, sizes)), n in site.groups(own).items():
        values, place = dict(sizes), (pattern, inputs, outputs)
        term = adapter_term(kind.tensors, place, n, kind.formula(name), **values)
        if kind.name == "LORA":
            short = pattern.rsplit(".", 1)[-1]
            term = replace(term, label=f"adapters on {short}, rank {values['r']}")
        found.append(term)
    return found


def shared_terms(site: Site) -> list[Term]:
    """Return the term of what all adapted modules of a kind share."""
    row = site.kind
    if "shared" not in row.formulas:
        return []
    return [
        Term(
            name=f"{row.tensors}.shared",
            label=f"{row.tensors}, shared by all modules",
            role="adapter",
            formula=row.formula("shared"),
            values={name: site.size(size.key, size.default) for name, size in row.sizes.items()},
        )
    ]


def budget(site: Site) -> str:
    """Say what becomes of AdaLoRA's ranks in training."""
    rank, pattern = site.size("init_r", 12), site.values.get("rank_pattern")
    start = f"counted at the start, with {rank} ranks a module; "
    if isinstance(pattern, dict) and pattern:
        kept = sum(sum(map(bool, kept)) for kept in pattern.values() if isinstance(kept, list))
        return f"{start}rank_pattern says that {kept} of {rank * len(pattern)} ranks are left"
    return (
        f"{start}training prunes them to an average of target_r = "
        f"{site.values.get('target_r', 8)}, and which are left depends on the data"
    )


# What only LoRA can do: keep ties, adapt bare parameters, train single rows, replicate layers.
#
# Every adapted matrix of `d_in` inputs and `d_out` outputs gets two matrices of rank r,
# r × d_in and d_out × r; a parameter with one matrix an expert gets such a pair for every expert.
#
# Source: Hu et al. 2021 (arXiv:2106.09685), section 4.1; Liu et al. 2024
# (arXiv:2402.09353), section 4 (DoRA); peft 0.21 `tuners/lora/{config,layer,model}.py` and
# `tuners/trainable_tokens/model.py`.

MOST_LAYERS = 10_000
LARGEST_SCALE = 1e300
PAIR = 2
# Sizes of a parameter that holds one matrix for every expert.
STACKED = 3
# The lists of layers that PEFT can replicate.
LAYER_LIST = re.compile(r"((?:model\.)*layers|(?:bert\.)?encoder\.layer|h)\.(\d{1,9})\.(.+)")


def scaling_of(values: Mapping[str, object]) -> tuple[float, float, bool] | None:
    """Return (alpha, rank, rsLoRA), or None where one of them is no number."""
    alpha, rank = values.get("lora_alpha", DEFAULT_ALPHA), values.get("r", DEFAULT_RANK)
    for number in (alpha, rank):
        if isinstance(number, bool) or not isinstance(number, int | float):
            return None
        if not 0 < number < LARGEST_SCALE:
            return None
    return alpha, rank, bool(values.get("use_rslora"))  # type: ignore[return-value]


def lora_site(
    adapter: AdapterConfig,
    modules: tuple[Module, ...],
    model_type: str,
    tensors: Iterable[TensorSpec],
) -> tuple[Site, list[TensorSpec]]:
    """Return where a LoRA adapter sits, and the parameters that it adapts directly."""
    values, sources = adapter.values, dict[str, str]()
    start = str(values.get("init_lora_weights")).lower()
    if start == "eva" and not values.get("rank_pattern"):
        raise EvidenceError(
            f"{adapter.source.path} starts with EVA, which shares the ranks out among the modules "
            "by what the training examples do",
            remedy="count the tensors of the saved adapter",
        )
    if start == "mica":
        fault = f"{adapter.source.path} starts with MiCA, which trains one matrix of each pair"
        raise EvidenceError(fault, remedy="count the first matrix of each pair that is saved")
    if values.get("layer_replication"):
        modules, sources = replicate_layers(modules, values["layer_replication"])
    parameters = select_parameters(adapter, modules, tensors)
    tied = tuple(m.name for m in modules if m.tied and m.kind != "embedding")
    table = next((m.name for m in modules if m.kind == "embedding"), "")
    # The word embeddings and what is tied to them, where the adapter keeps them tied.
    tied = (table, *tied) if tied and values.get("ensure_weight_tying") else ()
    targets = lora_targets(adapter, model_type, tied)
    site = find_site(adapter, modules, model_type, targets, sources=sources, needed=not parameters)
    refuse_combinations(site)
    if tied:
        # The copies of tied modules stay tied: the word embeddings alone are a copy.
        site = replace(site, saved=tuple(m for m in site.saved if not m.tied))
    return site, parameters


def lora_targets(adapter: AdapterConfig, model_type: str, tied: tuple[str, ...]) -> object:
    """Return the targets, with what is tied to them where they are kept tied."""
    unset = adapter.values.get("target_modules") is None
    unknown = unset and model_type not in DEFAULT_TARGETS["LORA"]
    if unknown and adapter.values.get("target_parameters"):
        return []
    targets = targets_of(adapter, model_type)
    if tied and any(name in names_of(targets) for name in ("embed_tokens", "lm_head")):
        return [*names_of(targets), *tied]
    return targets


def refuse_combinations(site: Site) -> None:
    """Refuse what PEFT refuses: a bias with DoRA, or on an embedding."""
    if not site.values.get("lora_bias"):
        return
    table = any(module.kind == "embedding" for module in site.targeted)
    if table or site.values.get("use_dora"):
        other = "on an embedding" if table else "together with use_dora"
        fault = f"{site.path} sets lora_bias {other}, which PEFT refuses"
        raise EvidenceError(fault, remedy="take lora_bias out")


def select_parameters(
    adapter: AdapterConfig, modules: Iterable[Module], tensors: Iterable[TensorSpec]
) -> list[TensorSpec]:
    """Return the parameters that `target_parameters` names; all have to be matrices."""
    values = adapter.values
    names = frozenset(names_of(values.get("target_parameters")))
    if not names:
        return []
    stored = {t.name: t for t in (*tensors_of(modules), *tensors)}
    found = [t for t in stored.values() if is_named(t.name, names)]
    for key in ("lora_dropout", "fan_in_fan_out", "lora_bias", "use_dora"):
        if found and values.get(key):
            fault = f"{adapter.source.path} sets {key} with target_parameters, which PEFT refuses"
            raise EvidenceError(fault, remedy=f"take {key} out")
    odd = next((t.name for t in found if len(t.shape) not in {2, STACKED}), "")
    if odd:
        raise EvidenceError(
            f"target_parameters in {adapter.source.path} match {odd[:80]}, which is no matrix; "
            "PEFT refuses it",
            remedy="name matrices only",
        )
    return found


def parameter_terms(site: Site, parameters: Iterable[TensorSpec]) -> list[Term]:
    """Return the terms of parameters adapted directly, one pair of matrices an expert."""
    found = []
    for tensor in parameters:
        name, experts = tensor.name, tensor.shape[0] if len(tensor.shape) == STACKED else 1
        outputs, inputs = tensor.shape[-2:]
        module = Module(name=name, kind="", in_features=inputs, out_features=outputs)
        rank = read_size(site, module, site.kind.sizes["r"], "the rank")
        formula = site.kind.formula("experts")
        term = adapter_term("lora", (name, inputs, outputs), 1, formula, r=rank, E=experts)
        found.append(replace(term, label=f"adapters on {template(name)}, rank {rank}"))
    return found


def token_terms(site: Site) -> list[Term]:
    """Return the terms of single rows of embeddings that are trained."""
    rows = site.values.get("trainable_token_indices")
    table = next((m for m in site.modules if m.kind == "embedding"), None)
    if rows is None or table is None:
        return []
    named = rows if isinstance(rows, Mapping) else {table.name: rows}
    refuse_many(named, "trainable_token_indices")
    parents = {branch for m in site.modules for branch in branches(m.name)[:-1]}
    found: dict[str, tuple[Module, list[object]]] = {}
    for name, indices in named.items():
        matched = [m for m in site.modules if m.name.endswith(str(name))]
        if (
            not matched
            or not isinstance(indices, list)
            or any(parent.endswith(str(name)) for parent in parents)
        ):
            raise EvidenceError(
                f"trainable_token_indices in {site.path} names {str(name)[:80]}, which is no "
                "embedding of the base model",
                remedy="name the embedding, or list the tokens alone",
            )
        found |= {module.name: (module, indices) for module in matched}
    own = found.get(table.name, (table, None))[1]
    return [
        token_term(module, len(indices))
        for module, indices in found.values()
        if not (module.tied and indices == own)
    ]


def token_term(module: Module, rows: int) -> Term:
    """Return the term of some rows of one embedding."""
    width = module.out_features if module.kind == "embedding" else module.in_features
    return Term(
        name=f"tokens.{module.name}",
        label=f"rows of {module.name} that are trained",
        role="embedding",
        formula=MODULES * OUTPUTS,
        values={MODULES.key: rows, OUTPUTS.key: width},
    )


def trained_rows(
    adapter: AdapterConfig, modules: tuple[Module, ...], model_type: str
) -> AdapterCount:
    """Count the rows of embeddings that are trained where nothing else is."""
    tables = [module.name for module in modules if module.kind == "embedding"]
    targets = adapter.values.get("target_modules")
    site = find_site(adapter, modules, model_type, tables[:1] if targets is None else targets)
    rows = site.values.get("token_indices", [])
    if not isinstance(rows, list):
        fault = f"token_indices in {site.path} is {str(rows)[:40]!r}, not a list of tokens"
        raise EvidenceError(fault, remedy="list the numbers of the tokens")
    return site.count(token_term(module, len(rows)) for module in site.targeted)


def replicate_layers(
    modules: Iterable[Module], ranges: object
) -> tuple[tuple[Module, ...], dict[str, str]]:
    """Stack layers as `layer_replication` asks, weights shared with the layers copied."""
    outside: tuple[list[Module], list[Module]] = ([], [])
    layers: dict[int, list[tuple[str, Module]]] = {}
    stem = ""
    for module in modules:
        if found := LAYER_LIST.fullmatch(module.name):
            stem = found[1]
            layers.setdefault(int(found[2]), []).append((found[3], module))
        else:
            outside[bool(layers)].append(module)
    if not layers:
        fault = "layer_replication: PEFT finds the layers of LLaMA, BERT and Falcon only"
        raise EvidenceError(fault, remedy="take layer_replication out")
    known = [layers[number] for number in sorted(layers)]
    stacked = [
        (module, f"{stem}.{place}.{rest}")
        for place, layer in enumerate(layer_numbers(ranges, len(layers)))
        for rest, module in known[layer]
    ]
    before, after = outside
    sources = {module.name: module.name for module in (*before, *after)}
    sources |= {name: module.name for module, name in stacked}
    return (*before, *(replace(module, name=name) for module, name in stacked), *after), sources


def layer_numbers(ranges: object, layers: int) -> list[int]:
    """Return the layers that the pairs of `layer_replication` list, in order."""
    numbers: list[int] = []
    for pair in ranges if isinstance(ranges, list | tuple) else [None]:
        first, last = pair if isinstance(pair, list | tuple) and len(pair) == PAIR else (-1, -1)
        if type(first) is not int or type(last) is not int or not 0 <= first <= last <= layers:
            raise EvidenceError(
                f"layer_replication has {str(pair)[:40]}, which is no range of the {layers} layers",
                remedy="give pairs of first layer and the layer behind the last",
            )
        numbers += range(first, last)
        if len(numbers) > MOST_LAYERS:
            fault = "layer_replication stacks too many layers to count"
            raise EvidenceError(fault, remedy="count the tensors of the saved adapter")
    return numbers
