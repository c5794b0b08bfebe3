"""A cache folder of its own for each test of documents, so that nothing is answered from an earlier one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def documents_folder(settings: Any, tmp_path: Path) -> Path:
    """Where documents and their pages are stored during the test."""
    folder = tmp_path / "documents"
    settings.DOCUMENTS_FOLDER = str(folder)
    return folder
