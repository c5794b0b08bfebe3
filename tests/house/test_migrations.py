"""Before its first release the product has no past to migrate: each app begins with one migration."""

from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("program", ["dashboard", "service"])
def test_each_app_has_one_migration(program: str) -> None:
    apps = sorted((ROOT / program).glob("*/migrations"))
    assert len(apps) > 10
    assert {app.parent.name: sorted(file.name for file in app.glob("0*.py")) for app in apps} == {
        app.parent.name: ["0001_initial.py"] for app in apps
    }
