"""Starting the provider from a test, setting it up, and signing in at it as a browser does."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from functools import partial
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from config.embedded import die_with_parent

ROOT = Path(__file__).parent.parent.parent
SECRET, PASSWORD = "the client's secret", "a provider's password"


@dataclass
class OpenIdProvider:
    """A provider that runs; `start` and `stop` may be called again and again: its people and clients stay."""

    folder: Path
    port: int = 0
    process: subprocess.Popen[bytes] | None = None
    kept: dict[str, Any] = field(default_factory=lambda: {"people": {}})

    def __post_init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        pem = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        (self.folder / "key.pem").write_bytes(pem)

    @property
    def origin(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def issuer(self) -> str:
        return f"{self.origin}/o"

    def start(self) -> None:
        environment = {
            "PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "tests.openid_provider.settings",
            "OPENID_FOLDER": str(self.folder), "OPENID_ORIGIN": self.origin, "OAUTHLIB_INSECURE_TRANSPORT": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.openid_provider.serve", str(self.port)], cwd=ROOT, env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            preexec_fn=partial(die_with_parent, parent=os.getpid()),
        )  # fmt: skip
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == b"ready\n", "the provider did not start"
        self.set_up()

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def set_up(self, **changes: Any) -> None:
        """Adds people (name: claims), a client ("id", "redirect") and the faults of the next tokens; without any, none."""
        for name, claims in changes.get("people", {}).items():
            self.kept["people"][name] = {"password": PASSWORD, "claims": claims}
        if client := changes.get("client"):
            self.kept["client"] = client | {"secret": SECRET}
        answer = requests.post(
            f"{self.origin}/set-up/", json=self.kept | {"faults": changes.get("faults", {})}, timeout=10
        )
        assert answer.status_code == 200, answer.text

    def sign_in(self, address: str, name: str, browser: requests.Session | None = None) -> str:
        """Follows a link to the provider, signs in there as somebody, and returns where it leads back to."""
        browser = browser or requests.Session()
        for _ in range(8):
            answer = browser.get(address, allow_redirects=False, timeout=10)
            if urlsplit(address).path == "/sign-in/":
                form = dict(re.findall(r'name="(csrfmiddlewaretoken|next)" value="([^"]*)"', answer.text))
                form = {field: unescape(value) for field, value in form.items()} | {
                    "username": name,
                    "password": PASSWORD,
                }
                answer = browser.post(address, data=form, allow_redirects=False, timeout=10)
            assert answer.status_code == 302, answer.text
            address = urljoin(address, answer.headers["Location"])
            if not address.startswith(self.origin):
                return address
        raise AssertionError("the provider leads round in circles")
