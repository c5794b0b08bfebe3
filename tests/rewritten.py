"""The bytecode of the tests with pytest's assertions in it, written once before the workers start.

Each worker takes apart and rewrites every file by itself otherwise, at the same time as the others, and in each run where
the environment forbids writing bytecode (PYTHONDONTWRITEBYTECODE): of the dashboard's tests that is 20 s of CPU each.
"""

from collections.abc import Iterable
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

REWRITTEN = ("test_*.py", "conftest.py")


def write(config: pytest.Config, folders: Iterable[Path]) -> int:
    """Writes what is missing or older than its source, where pytest looks for it; how many files that were. A folder that
    cannot be written costs only the time."""
    state, written = config.stash[rewrite.assertstate_key], 0
    for file in (file for folder in folders for pattern in REWRITTEN for file in sorted(folder.rglob(pattern))):
        bytecode = bytecode_of(file)
        if rewrite._read_pyc(file, bytecode) is None and rewrite.try_makedirs(bytecode.parent):
            stat, code = rewrite._rewrite_test(file, config)
            written += rewrite._write_pyc(state, code, stat, bytecode)
    return written


def bytecode_of(file: Path) -> Path:
    """Where pytest looks for the rewritten bytecode of a file."""
    return rewrite.get_cache_dir(file) / f"{file.stem}{rewrite.PYC_TAIL}"
