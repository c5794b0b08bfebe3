"""What is read for a request and is not held to one business: each with its reason, and never more than there were."""

from __future__ import annotations

import csv
from pathlib import Path

from tests import distribution

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "tests" / "one_business.csv"
# A number that goes down and never up (docs/scale.md).
MOST = 90


def rows() -> list[dict[str, str]]:
    with FILE.open(newline="") as file:
        return list(csv.DictReader(file))


def test_each_is_of_a_file_and_a_distributed_table_and_has_its_reason() -> None:
    for row in rows():
        assert (ROOT / row["place"]).is_file(), row
        program = row["place"].partition("/")[0]
        assert distribution.listed(program)[row["table"]].placement == "distributed", row
        assert row["reason"].endswith("."), row


def test_they_become_fewer() -> None:
    assert len(rows()) == MOST
