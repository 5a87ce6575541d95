"""reportgen: lab reports that write themselves, prove themselves, and check others."""

__version__ = "0.1.0"
