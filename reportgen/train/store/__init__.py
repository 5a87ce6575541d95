"""The run store: leases, checkpoints and finished runs as files, whatever trains them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import lazy_names

if TYPE_CHECKING:
    from reportgen.train.store.files import Failure
    from reportgen.train.store.store import Lease, LostLeaseError, RunStore, file_digest, run_key

__getattr__ = lazy_names(__name__)
