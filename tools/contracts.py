"""The project's own import contract: a package is spoken to through its `__init__` alone.

import-linter finds it under `contract_types` in pyproject.toml.
"""

from __future__ import annotations

import grimp
from importlinter import Contract, ContractCheck, fields, output


class InterfaceContract(Contract):  # type: ignore[misc]
    """A module is imported by its own package alone; everybody else imports the package.

    Configuration:
        root: The package whose packages have interfaces.
        open: Packages each module of which is an interface.
    """

    type_name = "interface"

    root = fields.StringField()
    open = fields.ListField(subfield=fields.StringField(), required=False)

    def check(self, graph: grimp.ImportGraph, verbose: bool) -> ContractCheck:
        """Find every import that passes an interface by."""
        del verbose
        found = [
            f"{importer} imports {module}"
            for module in sorted(graph.modules)
            if self._is_inside(module, graph)
            for importer in sorted(graph.find_modules_that_directly_import(module))
            if not f"{importer}.".startswith(f"{module.rpartition('.')[0]}.")
        ]
        return ContractCheck(kept=not found, metadata={"found": found})

    def _is_inside(self, module: str, graph: grimp.ImportGraph) -> bool:
        """Say whether a module is one that its own package alone may import."""
        package, _, name = module.rpartition(".")
        if not module.startswith(f"{self.root}.") or package in {self.root, *(self.open or ())}:
            return False
        return name.startswith("_") or not graph.find_children(module)

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print each import, and what to do about it."""
        for line in check.metadata["found"]:
            output.print_error(f"- {line}: import the package it lies in", bold=False)
