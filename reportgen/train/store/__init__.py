"""The run store: leases, checkpoints and finished runs as files, whatever trains them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import lazy_names

if TYPE_CHECKING:
    from reportgen.train.store.keys import file_digest, run_key
    from reportgen.train.store.lease import Lease, LostLeaseError
    from reportgen.train.store.record import Failure
    from reportgen.train.store.store import RunStore

_HOMES = {
    "keys": "file_digest run_key",
    "lease": "Lease LostLeaseError",
    "record": "Failure",
    "store": "RunStore",
}

__all__ = [
    "Failure",
    "Lease",
    "LostLeaseError",
    "RunStore",
    "file_digest",
    "run_key",
]

__getattr__ = lazy_names(__name__, _HOMES)
