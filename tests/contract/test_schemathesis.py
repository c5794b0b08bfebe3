"""The running service against its own OpenAPI document: no 500, no answer that is not documented, whatever is sent.

What valid data may be answered with besides success (409, 422 insufficient_funds, …) stands per operation in
service/openapi.json, which is checked in: a change of it is read in the diff.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import requests

# Not asked: that valid data is accepted and invalid data refused. Whether an amount is covered or a request waits is
# state, which no schema knows; the refusals are tested one by one in tests/service.
CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance",
    "response_headers_conformance", "unsupported_method", "ignored_auth",
)  # fmt: skip
FULL = bool(os.environ.get("FULL"))
EXAMPLES = 200 if FULL else 10


def sandbox(service: str) -> dict[str, Any]:
    """A fresh business."""
    answer = requests.post(f"{service}/sandbox/businesses", json={}, timeout=30)
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


@pytest.mark.parametrize(
    "role",
    ["APPROVER", pytest.param("ADMIN", marks=pytest.mark.full), pytest.param("CARD_USER", marks=pytest.mark.full)],
)
def test_every_answer_is_one_that_is_documented(service_address: str, tmp_path: Path, role: str) -> None:
    made = sandbox(service_address)
    acting = next(one["employee_id"] for one in made["employees"] if one["role"].replace(" ", "_") == role)
    command = [
        sys.executable, "-m", "schemathesis.cli", "run", f"{service_address}/v2/openapi.json",
        "--phases", "examples,coverage,fuzzing", "--max-examples", str(EXAMPLES), "--checks", ",".join(CHECKS),
        "--workers", "2", "--request-timeout", "30", "--warnings", "off",
        "-H", f"Authorization: Bearer {token(service_address, made)}",
        "-H", f"business_id: {made['business_id']}",
        "-H", f"X-Acting-Employee: {acting}",
    ]  # fmt: skip
    if not FULL:  # the short run is the same each time; what only chance finds is the full run's to find
        command.append("--generation-deterministic")
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert run.returncode == 0, (run.stdout + run.stderr)[-6000:]
    # A run that generated nothing would pass as well.
    generated = re.search(r"(\d+) generated", run.stdout)
    assert generated
    assert int(generated[1]) > 500
