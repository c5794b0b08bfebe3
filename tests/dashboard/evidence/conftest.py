"""Packs that are made here: the tests are the worker; and the script of a pack, run as a stranger runs it."""

from __future__ import annotations

import io
import subprocess
import sys
import uuid
import zipfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from dashboard.evidence import worker
from dashboard.evidence.models import EvidencePack
from tests.dashboard.conftest import World
from tests.days import business_day


@pytest.fixture(autouse=True)
def handed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was handed to the worker."""
    given: list[str] = []
    monkeypatch.setattr("dashboard.evidence.services.enqueue_on_commit", lambda _, pack, **__: given.append(pack))
    return given


def newest(world: World) -> EvidencePack:
    """The newest pack of a business."""
    return EvidencePack.objects.filter(business=world.business).latest("created_at")


def made(world: World, answer: Any) -> EvidencePack:
    """The pack that an answer leads to, once a worker has made it."""
    assert answer.status_code == 302, answer.content.decode()
    pack = newest(world)
    assert answer["Location"] == world.address(f"audit/packs/{pack.pk}/")
    assert worker.run(pack.pk)
    pack.refresh_from_db()
    assert pack.state == "DONE", pack.trouble
    return pack


def days_of_pack(days: int = 2) -> dict[str, str]:
    """The form of a pack of so many days, up to tomorrow: the day at the business may be another than here."""
    last = business_day() + timedelta(days=1)
    return {"first": (last - timedelta(days=days)).isoformat(), "last": last.isoformat(), "key": uuid.uuid4().hex}


def person_pack(world: World, name: str = "Rita", days: int = 2) -> dict[str, bytes]:
    """The files of a pack of somebody, of these days."""
    address = world.address(f"audit/packs/person/{world.employee(name)['employee_id']}/")
    return files_of(made(world, world.client("Ada").post(address, days_of_pack(days))))


def files_of(pack: EvidencePack) -> dict[str, bytes]:
    """The files of a pack."""
    with zipfile.ZipFile(io.BytesIO(bytes(pack.content))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def written(files: dict[str, bytes], folder: Path) -> Path:
    """A ZIP file of these files, and the script of the pack beside it, in a folder that knows nothing of us."""
    place = folder / "pack.zip"
    with zipfile.ZipFile(place, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    (folder / "verify.py").write_bytes(files["verify.py"])
    return place


def verified(files: dict[str, bytes], folder: Path, *more: str) -> tuple[int, str]:
    """What the script answers: its code, and what it prints. Alone (`-I`), outside the project, without its packages."""
    place = written(files, folder)
    answer = subprocess.run(
        [sys.executable, "-I", "-S", "verify.py", str(place), *more], cwd=folder, env={}, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip
    return answer.returncode, answer.stdout + answer.stderr
