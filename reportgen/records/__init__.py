"""Frozen records: what passes between the stages."""
