"""The scripts that write the tables need libraries that the tests do not."""

collect_ignore_glob = ["make_*.py"]
