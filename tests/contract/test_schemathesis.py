"""The running service against its own OpenAPI document: no 500, no answer that is not documented, whatever is sent.

What valid data may be answered with besides success (409, 422 insufficient_funds, …) stands per operation in
docs/openapi/v2.json, which is checked in: a change of it is read in the diff.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.sandbox import sandbox_headers

# Not asked: that valid data is accepted and invalid data refused. Whether an amount is covered or a request waits is
# state, which no schema knows; the refusals are tested one by one in tests/service.
CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance",
    "response_headers_conformance", "unsupported_method", "ignored_auth",
)  # fmt: skip
FULL = bool(os.environ.get("FULL"))
QUICK, MANY = 4, 200
# Each value at its limits and beyond is asked in the full run: that takes twice as long as the rest.
PHASES = "examples,coverage,fuzzing" if FULL else "examples,fuzzing"


def sandbox(service: str) -> dict[str, Any]:
    """A fresh business."""
    answer = requests.post(f"{service}/sandbox/businesses", json={}, headers=sandbox_headers(), timeout=30)
    assert answer.ok, answer.text
    made: dict[str, Any] = answer.json()
    return made


def token(service: str, made: dict[str, Any]) -> str:
    """A token of its client, with every scope."""
    answer = requests.post(
        f"{service}/oauth/token",
        data={"grant_type": "client_credentials"},
        auth=(made["client_id"], made["client_secret"]),
        timeout=30,
    )
    assert answer.ok, answer.text
    bearer: str = answer.json()["access_token"]
    return bearer


def run(service: str, folder: Path, role: str, examples: int, *more: str) -> None:
    """Asks every operation (or those of `more`) so many times, for an employee of the role in a fresh business."""
    made = sandbox(service)
    acting = next(one["employee_id"] for one in made["employees"] if one["role"].replace(" ", "_") == role)
    # Fetched here: schemathesis gives up after ten seconds, and a busy machine may need longer to put it together.
    document = folder / "v2.json"
    document.write_bytes(fetched(service))
    command = [
        sys.executable, "-m", "schemathesis.cli", "run", str(document), "--url", f"{service}/v2",
        "--phases", PHASES, "--max-examples", str(examples), "--checks", ",".join(CHECKS),
        "--workers", "2", "--request-timeout", "30", "--warnings", "off",
        "-H", f"Authorization: Bearer {token(service, made)}",
        "-H", f"business_id: {made['business_id']}",
        "-H", f"X-Acting-Employee: {acting}",
        *more,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, (done.stdout + done.stderr)[-6000:]
    # A run that generated nothing would pass as well.
    generated = re.search(r"(\d+) generated", done.stdout)
    assert generated
    assert int(generated[1]) > 50 * (examples // QUICK)


@pytest.mark.parametrize(
    "role",
    ["APPROVER", pytest.param("ADMIN", marks=pytest.mark.full), pytest.param("CARD_USER", marks=pytest.mark.full)],
)
def test_every_answer_is_one_that_is_documented(service_address: str, tmp_path: Path, role: str) -> None:
    # The same each time: what only chance finds is the test below's to find.
    run(service_address, tmp_path, role, QUICK, "--generation-deterministic")


@pytest.mark.full
@pytest.mark.parametrize("role", ["ADMIN", "APPROVER", "SUPER_ADMIN"])
def test_two_hundred_examples_of_each_operation_by_a_role_that_may_call_it(
    service_address: str, tmp_path: Path, role: str
) -> None:
    named = [f"--include-operation-id={name}" for name in played_by(service_address, role)]
    assert named
    run(service_address, tmp_path, role, MANY, *named)


def fetched(service: str) -> bytes:
    """The document that the running service publishes."""
    answer = requests.get(f"{service}/v2/openapi.json", timeout=120)
    assert answer.ok, answer.text
    return answer.content


def played_by(service: str, role: str) -> list[str]:
    """The operations that a role plays: each is played once, by an admin where they may, else by an approver."""
    document = json.loads(fetched(service))
    operations = [one for path in document["paths"].values() for one in path.values() if "operationId" in one]
    turns = ("ADMIN", "APPROVER", "SUPER_ADMIN")
    return [
        one["operationId"]
        for one in operations
        if next(turn for turn in turns if turn in (one.get("x-roles") or turns)) == role
    ]
