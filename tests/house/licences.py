"""Under which licence each package is that the programs are installed with: docs/licences.md, made by
`python -m tests.house.licences` from what the packages say of themselves."""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "licences.md"
HEAD = """# Licences of what Countersign stands on

Made by `python -m tests.house.licences` from what the packages of requirements.txt and requirements-cluster.txt say of themselves;
a package that is under none of the licences that `tests/house/test_licences.py` knows is looked at before it comes in.

| package | licence |
|---|---|
"""
ROW = re.compile(r"^\| ([a-z0-9.-]+) \| (.+) \|$", re.M)


def packages() -> list[str]:
    """The names in requirements.txt and in requirements-cluster.txt, whatever machine they are for."""
    files = (ROOT / name for name in ("requirements.txt", "requirements-cluster.txt"))
    return sorted({name for file in files for name in re.findall(r"^([a-z0-9][a-z0-9.-]*)==", file.read_text(), re.M)})


def licence_of(package: str) -> str | None:
    """What an installed package says: an expression, else its classifiers, else a word; None where it is not installed."""
    try:
        said = metadata(package)
    except PackageNotFoundError:
        return None
    classifiers = [one.split(" :: ")[-1] for one in said.get_all("Classifier") or [] if one.startswith("License ::")]
    expression = (said.get_all("License-Expression") or [""])[0]
    word = (said.get_all("License") or [""])[0].partition("\n")[0].strip()
    return expression or "; ".join(one for one in classifiers if one != "OSI Approved") or word or "not said"


def rows_of(page: str) -> dict[str, str]:
    """The licences that a page lists, by package."""
    return {name: licence for name, licence in ROW.findall(page) if name != "package"}


def write() -> None:
    """Writes the page; a package for other machines than this one keeps the row that it has."""
    before = rows_of(PAGE.read_text()) if PAGE.exists() else {}
    rows = (f"| {name} | {licence_of(name) or before.get(name, 'not said')} |\n" for name in packages())
    PAGE.write_text(HEAD + "".join(rows))


if __name__ == "__main__":
    write()
