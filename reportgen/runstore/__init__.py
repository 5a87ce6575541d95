"""The run store: leases, checkpoints and finished runs as files, whatever engine trains them."""
