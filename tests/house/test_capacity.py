"""docs/scale.md says what the model of capacity computes, from figures that stand where they were measured."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_equals_what_the_model_computes() -> None:
    command = [sys.executable, "benchmarks/capacity.py"]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stderr) == (0, "")
    # Of ten, a thousand and a hundred thousand businesses, and of what is full first.
    assert "| businesses | 10 | 1,000 | 100,000 |" in answer.stdout
    assert "| part | full at so many businesses | then |" in answer.stdout
