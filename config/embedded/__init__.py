"""PostgreSQL and Redis for a machine that has none: the wheels' own programs, started, watched and stopped by us."""

from config.embedded.postgres import Postgres
from config.embedded.processes import (
    CannotStart,
    RunningProcess,
    die_with_parent,
    free_port,
    name_process,
    saved_secrets,
    spawn,
    stop,
    stop_all,
    stop_groups,
    work_of,
    write_private,
)
from config.embedded.redis import Redis

__all__ = [
    "CannotStart",
    "Postgres",
    "Redis",
    "RunningProcess",
    "die_with_parent",
    "free_port",
    "name_process",
    "saved_secrets",
    "spawn",
    "stop",
    "stop_all",
    "stop_groups",
    "work_of",
    "write_private",
]
