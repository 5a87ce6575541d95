"""Names that a pickled checkpoint may ask for without doing harm; every other one is said.

A loader that runs pickles imports and calls what a file names. A list of what is bad has
holes; this is a list of what is known to build plain values.
"""

from __future__ import annotations

import re

from reportgen.records.source import Problem

MOST_LISTED = 10
# What an ordinary file of weights names: known without the long expression below, which takes
# longer to compile than such a file takes to read.
ORDINARY = frozenset(
    {
        "collections.OrderedDict",
        "torch._utils._rebuild_parameter",
        "torch._utils._rebuild_tensor_v2",
        "torch.BFloat16Storage",
        "torch.FloatStorage",
        "torch.HalfStorage",
        "torch.LongStorage",
    }
)
HARMLESS = (
    r"torch\.(?:\w*Storage|Size|device|Tensor|(?:b?float|u?int|complex|q?u?int)\d+\w*|bool|double"
    r"|float|half|long|int|short|strided|sparse_coo|sparse_csr|per_\w+)"
    r"|torch\.storage\.(?:\w*Storage)"
    r"|torch\._utils\._rebuild_\w+|torch\._tensor\._rebuild_from_type_v2"
    r"|torch\.nn\.parameter\.(?:Parameter|Buffer|UninitializedParameter)"
    r"|torch\.serialization\._get_layout"
    r"|torch\.distributed\.checkpoint\.(?:metadata\._?[A-Z]\w*|filesystem\._StorageInfo)"
    r"|torch\.nn\.modules\.\w+\.[A-Z]\w*"
    r"|__torch__\.[\w.]+"
    r"|collections\.(?:OrderedDict|defaultdict|Counter|deque)"
    r"|argparse\.Namespace"
    r"|omegaconf\.dictconfig\.DictConfig|omegaconf\.listconfig\.ListConfig"
    r"|omegaconf\.base\.(?:Metadata|ContainerMetadata)"
    r"|omegaconf\.nodes\.(?:Any|String|Integer|Float|Boolean|Enum|Path|Bytes)Node"
    r"|(?:pytorch_lightning\.utilities\.parsing|lightning(?:_fabric|\.fabric)\.utilities\.data)"
    r"\.AttributeDict"
    r"|_codecs\.encode|copy_?reg\._reconstructor|typing\.Any|datetime\.(?:datetime|timedelta|date)"
    r"|pathlib\.(?:_local\.)?(?:Pure)?(?:Posix|Windows)?Path"
    r"|numpy\.(?:dtype|ndarray|_?core\.multiarray\.(?:_reconstruct|scalar)|dtypes\.\w+DType)"
    r"|(?:builtins|__builtin__)\.(?:dict|list|set|frozenset|int|float|str|bytes|bytearray|tuple"
    r"|bool|complex|long|unicode|object|slice|range|NoneType)"
)


def warn_of_names(names: tuple[str, ...], path: str) -> tuple[Problem, ...]:
    """Return one line about the names that are not known to be harmless, if there are any.

    Example:
        >>> [problem.message for problem in warn_of_names(("torch.Size", "os.system"), "model.pt")]
        ['this file names code that a loader would run: os.system']
        >>> warn_of_names(("collections.OrderedDict",), "model.pt")
        ()
    """
    unknown = [name for name in names if name not in ORDINARY and not re.fullmatch(HARMLESS, name)]
    if not unknown:
        return ()
    more = f" and {len(unknown) - MOST_LISTED} more" if len(unknown) > MOST_LISTED else ""
    listed = ", ".join(unknown[:MOST_LISTED])
    return (
        Problem(
            path=path,
            message=f"this file names code that a loader would run: {listed}{more}",
            remedy="nothing was run here; do not load it with pickle unless you trust its author",
        ),
    )
