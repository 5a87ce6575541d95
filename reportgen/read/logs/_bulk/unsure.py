"""What makes bulk reading give up."""


class UnsureError(Exception):
    """A file is not what bulk reading takes for granted; the plain reader must read it."""
