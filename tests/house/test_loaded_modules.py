"""What a web process loads at its start is what most requests need: the rest is loaded by the first that needs it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
# By the program: libraries of files, pictures, other people's protocols and telemetry, each with who loads it.
LATER = {
    "dashboard": {
        "lxml": "SAML, and the QR code of a second factor",
        "mt940": "a bank's statement",
        "ofxtools": "a bank's statement",
        "onelogin": "SAML",
        "openpyxl": "an uploaded workbook",
        "opentelemetry.sdk.trace": "the first span, where spans are sent",
        "PIL": "the program that opens documents",
        "pypdfium2": "a text as a PDF, and the program that opens documents",
        "pywebpush": "a message to a phone",
        "qrcode": "somebody sets a second factor up",
        "scim2_models": "a request of an identity provider",
        "xlsxwriter": "an export as a workbook",
    },
    "service": {
        "lxml": "nothing in the service",
        "openpyxl": "an export as a workbook",
        "opentelemetry.sdk.trace": "the first span, where spans are sent",
        "PIL": "receipts put together as one file, and the sandbox",
        "pypdf": "a PDF that is sent",
    },
}
LOADED = "import sys, config.wsgi as wsgi; wsgi.{program}; print(*sorted(sys.modules))"


def environ_of(program: str) -> dict[str, str]:
    """An environment in which a program can be loaded, and no store is there."""
    secrets = ("SECRET_KEY", "SERVICE_SECRET_KEY")
    return {name: value for name, value in os.environ.items() if not name.startswith("OTEL_")} | {
        "COUNTERSIGN_DEVELOPMENT": "1", "PYTHONPATH": str(ROOT), "REDIS_URL": "redis://localhost:1",
        "DATABASE_URL": "postgres://a@localhost/a", "SERVICE_DATABASE_URL": "postgres://a@localhost/a",
        "ENCRYPTION_KEYS": "MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDA=", **dict.fromkeys(secrets, "no secret"),
        "DJANGO_SETTINGS_MODULE": f"config.settings.{program}",
    }  # fmt: skip


def loaded(program: str) -> set[str]:
    """The modules of a web process of a program as it waits for its first request."""
    command = [sys.executable, "-W", "ignore", "-c", LOADED.format(program=program)]
    answer = subprocess.run(command, cwd=ROOT, env=environ_of(program), capture_output=True, text=True, timeout=120)
    assert answer.returncode == 0, answer.stderr
    return set(answer.stdout.split())


@pytest.mark.parametrize("program", LATER)
def test_what_few_requests_need_is_not_loaded_at_the_start(program: str) -> None:
    modules = loaded(program)
    assert "django.core.wsgi" in modules
    assert f"{program}.apps" in modules or any(name.startswith(f"{program}.") for name in modules)
    assert sorted(modules & LATER[program].keys()) == []
