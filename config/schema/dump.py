"""`manage.py write_schema`: writes the snapshot of both programs' tables from databases that their migrations have made."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from config.dev_stack import House
from config.embedded import CannotStart, free_port
from config.schema.snapshot import COMMAND, HEADER, ROOT, digest, file_of

# What owns the tables connects itself; the schema, its rights and the roles are Postgres.prepare()'s.
OPTIONS = ("--no-owner", "--column-inserts", "--rows-per-insert=1000", "--schema=public", "--encoding=UTF8")
# What pg_dump says before each object, with the lines between: the file holds statements alone.
BEFORE_OBJECTS = re.compile(r"\n+(?:--\n-- .*\n--\n+)+")
# psql's own commands (with a word by chance in each file), and what a session of psql is set to.
FOR_PSQL = re.compile(r"^(?:\\(?:un)?restrict .*|SET (?!check_function_bodies).*|-- Dumped .*)\n", re.MULTILINE)
OF_SCHEMA = re.compile(r"^(?:CREATE SCHEMA|(?:GRANT|REVOKE) .* ON SCHEMA|COMMENT ON SCHEMA) .*;\n", re.MULTILINE)
# When a row was written is when the database is filled.
ROW = re.compile(r"^\t\(.*\)[,;]$", re.MULTILINE)
MOMENT = re.compile(r"'\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\+00'")


def run(arguments: list[str]) -> int:
    """Writes both files; 1 with a sentence where that cannot be done."""
    # The stores must not be those of a running `up`, nor anything given from outside.
    environ = {
        name: value
        for name, value in os.environ.items()
        if not name.endswith(("DATABASE_URL", "OWNER_URL", "REDIS_URL", "REPLICA_URL", "STORAGE_URL", "APP_ROLE"))
    }
    with tempfile.TemporaryDirectory(prefix="countersign-schema-") as folder:
        house = House(Path(folder), free_port(), free_port(), durable=False, environ=environ)
        try:
            house.open_folder()
            house.start_stores()
            house.run_migrations()
            for program in ("dashboard", "service"):
                file = file_of(program)
                file.write_text(text_of(house, program), encoding="utf-8")
                sys.stdout.write(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1024} KB\n")
        except CannotStart as problem:
            sys.stderr.write(f"{problem}\n")
            return 1
        finally:
            house.close()
    return 0


def text_of(house: House, program: str, database: str = "") -> str:
    """What the snapshot of a program holds, made of a database that its migrations have made: the same text each time."""
    assert house.postgres is not None
    url = house.postgres.url(f"{program}_owner", database or program)
    dump = subprocess.run(
        [str(house.postgres.programs / "pg_dump"), *OPTIONS, url], check=True, capture_output=True, text=True
    )
    return normalised(dump.stdout, program)


def normalised(dump: str, program: str) -> str:
    """A dump without what differs from one to the next, and with the rights of its tables as the migrations left them."""
    dump = OF_SCHEMA.sub("", FOR_PSQL.sub("", f"\n{dump}\n"))
    dump = ROW.sub(lambda row: MOMENT.sub("now()", row[0]), dump)
    statements = BEFORE_OBJECTS.sub("\n", dump).strip()
    # What new tables are granted by default comes last in a dump, as it is; until then it must not be granted to those
    # whose rights were taken away.
    defaults = "".join(
        f"ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON {kind} FROM {program}_app;\n"
        for kind in ("TABLES", "SEQUENCES")
    )
    header = f"-- Written by `{COMMAND}`; not by hand.\n{HEADER}{digest(program)}\n"
    return f"{header}{defaults}{statements}\n"
