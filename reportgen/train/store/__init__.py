"""The run store: leases, checkpoints and finished runs as files, whatever trains them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import lazy_names

if TYPE_CHECKING:
    from reportgen.train.store.keys import file_digest, run_key
    from reportgen.train.store.lease import Holder, Lease, Leases, LostLeaseError
    from reportgen.train.store.record import Failure
    from reportgen.train.store.store import Contents, RunStore

_HOMES = {
    **dict.fromkeys(("Contents", "RunStore"), "store"),
    "Failure": "record",
    **dict.fromkeys(("Holder", "Lease", "Leases", "LostLeaseError"), "lease"),
    **dict.fromkeys(("file_digest", "run_key"), "keys"),
}

__all__ = [
    "Contents",
    "Failure",
    "Holder",
    "Lease",
    "Leases",
    "LostLeaseError",
    "RunStore",
    "file_digest",
    "run_key",
]

__getattr__ = lazy_names(__name__, _HOMES)
