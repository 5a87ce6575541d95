"""`python -m reportgen`, and what the installed command calls.

Nothing is imported here before an interrupt can be caught: loading the command line takes a good
part of a second, and an interrupt in it is no defect to show a traceback of.
"""

import sys


def main() -> int:
    """Load the command line, run it, and return its exit code."""
    try:
        import atexit
        import gc

        # What is there at the end goes with the process: it need not be searched for cycles.
        atexit.register(gc.freeze)
        from reportgen.cli import main as run

        return run()
    except KeyboardInterrupt:
        print("\ninterrupted; no file was left half-written", file=sys.stderr)  # noqa: T201
        return 130


if __name__ == "__main__":
    sys.exit(main())
