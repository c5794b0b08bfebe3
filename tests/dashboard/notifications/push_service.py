"""A push service of the tests' own on loopback: takes messages as a browser's would, and opens them with the device's key."""

from __future__ import annotations

import base64
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def written(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@dataclass
class Phone:
    """A device: its private key and its secret, which no server ever sees."""

    name: str
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    def keys(self) -> dict[str, str]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": written(point), "auth": written(self.secret)}

    def open(self, body: bytes) -> dict[str, str]:
        """What a message says, decrypted as a browser does (RFC 8291)."""
        plain = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        message: dict[str, str] = json.loads(plain)
        return message


@dataclass
class PushService:
    """What came in, per device, and what is answered next."""

    address: str = ""
    received: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    answers: dict[str, tuple[int, dict[str, str]]] = field(default_factory=dict)

    def endpoint(self, phone: Phone) -> str:
        return f"{self.address}/push/{phone.name}"

    def subscription(self, phone: Phone) -> dict[str, str]:
        """The fields of the form that a browser's script fills in."""
        return {"endpoint": self.endpoint(phone), **phone.keys()}

    def messages(self, phone: Phone) -> list[dict[str, str]]:
        """What a device was sent, decrypted."""
        return [phone.open(body) for path, _, body in self.received if path == f"/push/{phone.name}"]


@contextmanager
def push_service() -> Iterator[PushService]:
    service = PushService()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.received.append((self.path, dict(self.headers.items()), body))
            status, headers = service.answers.get(self.path, (201, {}))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        server.server_close()
