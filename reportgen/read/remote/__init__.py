"""Object stores: what lies under a URL is copied into the cache before anybody reads it.

A listing is held against what earlier calls fetched; what is new is fetched by range, and a
folder of links appears by one rename. Whoever reads it reads files of this machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reportgen.records.registry import lazy_names

# What other packages use, imported when it is first asked for.
if TYPE_CHECKING:
    from reportgen.read.remote.objects import (
        UNREAD,
        Earlier,
        Fetcher,
        Object,
        identity_of,
        list_objects,
    )
    from reportgen.read.remote.tree import Mirrored, mirror, mirrored_at
    from reportgen.read.remote.url import Url, is_url, read_url

__getattr__ = lazy_names(__name__)
