"""What others wrote and we serve ourselves is the very file that they published, under a licence that lies beside it."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

CHARTJS = Path(__file__).resolve().parents[2] / "static" / "vendor" / "chartjs"


def test_chartjs_is_the_file_of_its_version_with_its_licence() -> None:
    script, says = (CHARTJS / "chart.umd.min.js").read_bytes(), (CHARTJS / "README.md").read_text()
    version = re.search(rb"Chart\.js v([\d.]+)", script)
    assert version is not None
    assert f"Version: {version[1].decode()}," in says
    assert f"SHA-256: {hashlib.sha256(script).hexdigest()}" in says
    assert "MIT" in (CHARTJS / "LICENSE.md").read_text()


def test_chartjs_asks_for_no_evaluation_that_the_policy_forbids() -> None:
    assert not re.search(
        rb"\beval\(|new Function\(|createElement\([\"']style", (CHARTJS / "chart.umd.min.js").read_bytes()
    )
