"""`python -m reportgen`."""

import sys

if __name__ == "__main__":
    try:
        from reportgen.cli import main
    except KeyboardInterrupt:
        sys.exit(130)  # before there was anything to tidy up or to say
    sys.exit(main())
