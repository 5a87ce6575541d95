"""Keep pytest from importing scripts that need more than the tests do."""

collect_ignore_glob = ["*/make.py", "*/make_*.py"]
