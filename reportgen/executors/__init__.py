"""Where jobs run: each executor is a standard `concurrent.futures.Executor`."""

from __future__ import annotations

from reportgen.registry import Registry

EXECUTORS = Registry("executor", {})
