"""What is read before training needs none of the heavy libraries."""

import subprocess
import sys

HEAVY = {"torch", "transformers", "sentencepiece", "tensorboard", "safetensors"}
MODULES = ("examples", "tokens", "starts", "course")


def test_importing_the_readers_imports_nothing_heavy():
    names = ", ".join(f"reportgen.train.engine.{name}" for name in MODULES)
    code = f"import sys, {names}; print(*{HEAVY!r}.intersection(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
