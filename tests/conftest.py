"""No test is timed: that a machine is slow is no error. And none writes into the checkout."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import settings

# Where the checkout cannot be written hypothesis would warn, and a warning is an error.
home = Path(".hypothesis")
if not os.access(home if home.exists() else home.parent, os.W_OK):
    folder = tempfile.mkdtemp(prefix="hypothesis-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", folder)

# `examples` of `effort` scales with these; `--hypothesis-profile thorough` takes the other one.
settings.register_profile("quick", deadline=None, max_examples=10)
settings.register_profile("thorough", deadline=None, max_examples=100)
settings.load_profile("quick")
