"""docs/how-to-add-an-area.md is whole: an area that is added from its blocks alone, in a copy of the program, works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs" / "how-to-add-an-area.md"
# A block of the page: the file it is, or the words of the line after which it is added to a file that is there.
BLOCK = re.compile(
    r"^\*\*`(?P<file>[^`]+)`\*\*(, after `(?P<after>[^`]+)`)?\n```(?:python)?\n(?P<text>.*?)^```$", re.M | re.S
)
MOST_PLACES = 6
# Places that declare nothing of a list, and are touched all the same.
TOUCHED_BESIDE = 3
HANG_S = 120


@dataclass(frozen=True)
class Block:
    """Some lines of a file, and after which line they are added; "" where they are the file."""

    file: str
    after: str
    text: str

    @property
    def place(self) -> str:
        """Where somebody goes who adds it: a room of pages, the tables of the copy, or a file."""
        folder, _, _ = self.file.rpartition("/")
        if folder.startswith("dashboard/pages/"):
            return "/".join(folder.split("/")[:3])
        return folder if folder.endswith("/models") else self.file


def blocks(part: str = "## The dashboard: a list in nine places") -> list[Block]:
    """The blocks of a part of the page, in their order."""
    return [Block(found["file"], found["after"] or "", found["text"]) for found in BLOCK.finditer(text_of(part))]


def text_of(part: str) -> str:
    """What the page says in a part of it."""
    text = PAGE.read_text().partition(f"{part}\n")[2].partition("\n## ")[0]
    assert text, part
    return text


def add(root: Path, block: Block) -> None:
    """Does what the page says of one block."""
    file = root / block.file
    if not block.after:
        assert not file.exists(), f"{block.file} is there already"
        file.parent.mkdir(exist_ok=True)
        file.write_text(block.text)
        return
    lines = file.read_text().splitlines(keepends=True)
    [at] = [number for number, line in enumerate(lines) if block.after in line]
    file.write_text("".join([*lines[: at + 1], block.text, *lines[at + 1 :]]))


def copy_with(folder: Path, added: list[Block]) -> Path:
    """A copy of the program in the folder, with these blocks in it."""
    for name in ("config", "dashboard", "telemetry", "templates", "templates_jinja", "static"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("manage.py", "pyproject.toml"):
        shutil.copy(ROOT / name, folder / name)
    for block in added:
        add(folder, block)
    return folder


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A copy of the program with the area of the page in it."""
    return copy_with(tmp_path, blocks())


def run(program: Path, *command: str, **env: str) -> str:
    """What a command in the copy says, which must succeed."""
    done = subprocess.run(
        [sys.executable, *command],
        cwd=program,
        env=os.environ | {"PYTHONPATH": str(program)} | env,
        capture_output=True,
        text=True,
        timeout=HANG_S,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    return done.stdout


def test_a_list_is_declared_in_six_places_at_most() -> None:
    assert 1 < len({block.place for block in blocks()}) <= MOST_PLACES


def test_the_page_says_how_many_files_a_list_touches() -> None:
    """Those that it declares by its blocks, and those that it names beside them."""
    declared = {block.file for block in blocks()}
    new = {block.file for block in blocks() if not block.after}
    text = text_of("## The dashboard: a list in nine places")
    assert f"{len(declared)} files, {len(new)} of them new" in text
    lines = re.findall(r"^[789]\. (.+)$", text, re.M)
    beside = {name for line in lines for name in re.findall(r"`((?:dashboard|docs|tests)/[^`]+)`", line)}
    assert len(lines) == TOUCHED_BESIDE
    assert f"below the six: {len(beside)} files" in text
    assert {name for name in beside if not (ROOT / name).exists()} == set()
    assert not beside & declared


def test_the_area_of_the_page_is_listed_sorted_searched_and_kept_from_those_who_may_not(program: Path) -> None:
    # With the owner's account, whose transaction makes the table and takes it back.
    said = run(program, "-c", TRIAL, DATABASE_URL=os.environ["DATABASE_OWNER_URL"])
    assert said.splitlines()[-1] == "all of it holds"


def test_it_is_as_this_program_is_written(program: Path) -> None:
    files = sorted({block.file for block in blocks()})
    run(program, "-m", "ruff", "check", "--no-cache", *files)
    run(program, "-m", "ruff", "format", "--no-cache", "--check", *files)


TRIAL = """
import django

django.setup()

from django.db import connection, transaction
from django.test import Client
from django.test.utils import setup_test_environment
from django.utils import timezone

from dashboard.access.models import Business, Membership, User
from dashboard.mirror import schedule
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Employee, Origin, Parcel

setup_test_environment()
with transaction.atomic():
    with connection.schema_editor() as editor:
        editor.create_model(Parcel)
    business = Business.objects.create(slug=f"toy-{timezone.now():%H%M%S%f}", name="Toy")
    clients = {}
    for name, role in (("Ada", "ADMIN"), ("Carla", "CARD_USER")):
        user = User.objects.create_user(f"{name.lower()}@{business.slug}.test", name=name)
        Membership.objects.create(user=user, business=business, role=role, employee_id=f"{business.slug}-{name}")
        upsert("employee", business, [{"_id": f"{business.slug}-{name}", "name": name, "role": role, "status": "ACTIVE"}],
               Origin.POLL)
        clients[name] = Client()
        clients[name].force_login(user)
    parcels = [{"_id": f"{number:024x}", "name": f"Parcel {number}", "status": "SENT"} for number in range(1, 71)]
    upsert("parcel", business, parcels + [{"_id": "f" * 24, "name": "Crate", "status": "ARRIVED"}], Origin.POLL)

    def page(who, query=""):
        return clients[who].get(f"/{business.slug}/parcels/{query}")

    shown = page("Ada")
    text = shown.content.decode()
    assert shown.status_code == 200, text[-2000:]
    assert "Crate" in text and "Arrived" in text and "Parcel 1" in text
    assert 'href="/%s/parcels/"' % business.slug in text
    assert "Crate" not in page("Ada", "?status=SENT").content.decode()
    assert "Parcel 7" not in page("Ada", "?q=crate").content.decode()
    first = page("Ada", "?sort=-name").content.decode()
    assert first.index("Parcel 9") < first.index("Parcel 8")
    assert page("Carla").status_code == 403
    assert "71" in clients["Ada"].get(f"/{business.slug}/parcels/totals/").content.decode()
    assert schedule.INTERVALS_S["parcels"] == 3600
    transaction.set_rollback(True)

print("all of it holds")
"""
