"""A small OpenID Connect provider on a loopback port: discovery, authorisation at once, tokens signed by a key of its own."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm


class IdentityProvider:
    """Whoever comes is `subject`; `asked` keeps what the token endpoint was sent."""

    def __init__(self, client_id: str) -> None:
        self.client_id, self.subject, self.email = client_id, "subject-1", "somebody@example.test"
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.asked: list[dict[str, str]] = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.address = f"http://localhost:{self.server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def id_token(self, nonce: str) -> str:
        now = int(time.time())
        claims = {
            "iss": self.address, "sub": self.subject, "aud": self.client_id, "iat": now, "exp": now + 300,
            "email": self.email, "email_verified": True, "nonce": nonce,
        }  # fmt: skip
        return jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": "one"})

    def answer(self, path: str, query: dict[str, list[str]], form: dict[str, str]) -> tuple[int, dict[str, str], Any]:
        if path == "/.well-known/openid-configuration":
            return 200, {}, {
                "issuer": self.address, "authorization_endpoint": f"{self.address}/authorize",
                "token_endpoint": f"{self.address}/token", "userinfo_endpoint": f"{self.address}/userinfo",
                "jwks_uri": f"{self.address}/keys", "id_token_signing_alg_values_supported": ["RS256"],
                "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            }  # fmt: skip
        if path == "/keys":
            return 200, {}, {"keys": [json.loads(RSAAlgorithm.to_jwk(self.key.public_key())) | {"kid": "one"}]}
        if path == "/authorize":
            back = urlencode({"code": "a-code", "state": query["state"][0]})
            return 302, {"Location": f"{query['redirect_uri'][0]}?{back}"}, ""
        if path == "/token":
            self.asked.append(form)
            token = self.id_token(form.get("nonce", ""))
            return 200, {}, {"access_token": "an-access-token", "token_type": "Bearer", "id_token": token}
        return 200, {}, {"sub": self.subject, "email": self.email}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def _respond(self) -> None:
                asked = urlsplit(self.path)
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                form = {name: values[0] for name, values in parse_qs(body).items()}
                status, headers, answer = provider.answer(asked.path, parse_qs(asked.query), form)
                content = json.dumps(answer).encode()
                self.send_response(status)
                for name, value in {**headers, "Content-Type": "application/json"}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = _respond  # noqa: N815 - the names http.server asks for

            def log_message(self, *_: object) -> None:
                """Silent."""

        return Handler
