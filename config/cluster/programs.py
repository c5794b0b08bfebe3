"""The programs of the system that a cluster needs beside Python's packages, and what is said where one is not there."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec

# By program: Debian's package that it comes in, and how a cluster goes on without it.
PACKAGES = {
    "etcd": ("etcd-server", "PostgreSQL runs alone, without Patroni and without a standby"),
    "haproxy": (
        "haproxy",
        "the first dashboard and the first service are reached directly, and nothing stands in for them",
    ),
}
# Where Debian puts servers, which is not on everybody's PATH.
FOLDERS = ("/usr/local/sbin", "/usr/sbin", "/sbin")


def find_program(name: str) -> str | None:
    """The path of a program of the system; None where there is none."""
    return shutil.which(name) or shutil.which(name, path=os.pathsep.join(FOLDERS))


def missing_programs() -> list[str]:
    """One line for each program that is not here: the package that has it, and how a cluster goes on without."""
    lines = [
        f"{name} is not here (Debian's package {package}): {consequence}."
        for name, (package, consequence) in PACKAGES.items()
        if find_program(name) is None
    ]
    if find_spec("patroni") is None:
        lines.append(f"Patroni is not here (requirements-cluster.txt): {PACKAGES['etcd'][1]}.")
    return lines


def has_patroni() -> bool:
    """Whether a primary and a standby can be had here."""
    return find_program("etcd") is not None and find_spec("patroni") is not None
