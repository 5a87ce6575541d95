"""Everything that comes from disk: logs, the study file, folders in object stores."""
