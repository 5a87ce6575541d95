"""Derive the table of families: the symbolic shape of every tensor of a model type."""
