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
# A file that nobody writes by hand, and the command that does.
WRITTEN = re.compile(r"^- `(?P<file>[^`]+)`: `(?P<command>[^`]+)`$", re.M)
PART = "## The dashboard: a list in six places"
MIGRATION = "dashboard/mirror/migrations/0001_initial.py"
STATUS = "    status = models.CharField(max_length=20)\n"
MOST_PLACES = 6
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


def blocks(part: str = PART) -> list[Block]:
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


def commands() -> dict[str, str]:
    """What the page says is written by a command, and by which."""
    return {found["file"]: found["command"] for found in WRITTEN.finditer(text_of(PART))}


def files_of(program: Path) -> dict[str, bytes]:
    """What stands in the copy, by its name, but for bytecode."""
    files = (file for file in program.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return {str(file.relative_to(program)): file.read_bytes() for file in files}


def test_a_list_touches_six_places_by_hand_at_most() -> None:
    assert 1 < len({block.place for block in blocks()}) <= MOST_PLACES


def test_the_page_says_how_many_files_a_list_touches() -> None:
    """Those that somebody writes, by its blocks, and those that commands write."""
    by_hand = {block.file for block in blocks()}
    new = {block.file for block in blocks() if not block.after}
    assert f"{len(by_hand)} files, {len(new)} of them new" in text_of(PART)
    assert f"{len(commands())} files, below the six" in text_of(PART)
    assert not commands().keys() & by_hand


def test_what_a_command_writes_is_there_and_the_command_too() -> None:
    """Whether each is what its command writes is asked elsewhere, of the files as they are: by the check of migrations, by
    tests/house/test_schema.py, test_distribution.py and test_addresses.py."""
    own = (ROOT / "manage.py").read_text()
    assert len(commands()) == 4
    for file, command in commands().items():
        assert (ROOT / file).exists()
        words = command.split()
        if words[0].startswith("WRITE_"):
            variable, test = words[0].partition("=")[0], ROOT / words[-1]
            assert variable in test.read_text()
        else:
            assert words[:2] == ["python", "manage.py"]
            assert f'["{words[2]}"]' in own


def write_migration(program: Path) -> str:
    """What the command prints in the copy, whose own manage.py would begin with an environment of its own."""
    return run(program, "-c", "from config.schema.migration import run; raise SystemExit(run(['mirror']))")


def test_its_table_is_written_by_the_command_alone(program: Path) -> None:
    declared = files_of(program)
    assert commands()[MIGRATION] == "python manage.py write_migration mirror"
    assert "Create model Parcel" in write_migration(program)
    run(program, "-m", "django", "makemigrations", "--check", "--dry-run")
    assert {name for name, text in files_of(program).items() if declared.get(name) != text} == {MIGRATION}
    assert "is what its models say" in write_migration(program)


def test_a_column_comes_into_its_table_and_one_taken_away_is_left_to_a_person(program: Path) -> None:
    assert "Create model Parcel" in write_migration(program)
    model = program / "dashboard/mirror/models/parcels.py"
    columns = "    depth_mm = models.IntegerField()\n    weight_g = models.IntegerField()\n"
    model.write_text(model.read_text().replace(STATUS, STATUS + columns))
    assert "Add field weight_g to parcel" in write_migration(program)
    run(program, "-m", "django", "makemigrations", "--check", "--dry-run")
    migration = (program / MIGRATION).read_text()
    fields = migration.partition("name='Parcel'")[2].partition("options=")[0]
    # In the order in which Django finds them.
    assert fields.index("('depth_mm', models.IntegerField()),") < fields.index("('weight_g', models.IntegerField()),")

    model.write_text(model.read_text().replace(STATUS, ""))
    with pytest.raises(AssertionError, match="by hand: Remove field status from parcel"):
        write_migration(program)
    assert (program / MIGRATION).read_text() == migration


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
