"""Settings of all tests: no deadlines, as machines may be slow, and no writing to the checkout."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

from hypothesis import settings

# If the checkout is read-only, hypothesis would warn, and warnings are errors.
home = Path(".hypothesis")
if not os.access(home if home.exists() else home.parent, os.W_OK):
    folder = tempfile.mkdtemp(prefix="hypothesis-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", folder)

# `examples` of `effort` scales with these; `--hypothesis-profile thorough` selects the second.
settings.register_profile("quick", deadline=None, max_examples=10)
settings.register_profile("thorough", deadline=None, max_examples=100)
settings.load_profile("quick")
