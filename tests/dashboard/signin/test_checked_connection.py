"""Calling an identity provider: the address that was checked is the one that is connected to, under the provider's name."""

from __future__ import annotations

import datetime
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.conf import LazySettings

from dashboard.web.signin.openid import CheckedSession

NAME = "login.provider.example"
PUBLIC = "93.184.215.14"
Resolve = Callable[..., list[Any]]


@contextmanager
def resolved(monkeypatch: pytest.MonkeyPatch, *answers: str) -> Iterator[list[str]]:
    """The name means these addresses, one after the other, the last for good; the hosts that were looked up."""
    left, asked, real = list(answers), list[str](), socket.getaddrinfo

    def lookup(host: str, port: int, *args: Any, **kwargs: Any) -> list[Any]:
        if host != NAME:
            return real(host, port, *args, **kwargs)
        asked.append(host)
        address = left.pop(0) if len(left) > 1 else left[0]
        return real(address, port, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    yield asked


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that a connection was begun to; none is made."""
    addresses: list[str] = []

    def connect(self: socket.socket, address: tuple[str, int]) -> None:
        addresses.append(address[0])
        raise ConnectionRefusedError("not in a test")

    monkeypatch.setattr(socket.socket, "connect", connect)
    return addresses


def test_a_name_that_means_another_host_after_the_check_leads_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, tried: list[str], settings: LazySettings
) -> None:
    settings.SIGN_ON_HTTP_ON_LOOPBACK = False
    with resolved(monkeypatch, PUBLIC, "127.0.0.1"), pytest.raises(requests.RequestException):
        CheckedSession().get(f"https://{NAME}/keys")
    assert set(tried) == {PUBLIC}


def test_a_name_within_our_own_network_is_not_connected_to(
    monkeypatch: pytest.MonkeyPatch, tried: list[str], settings: LazySettings
) -> None:
    settings.SIGN_ON_HTTP_ON_LOOPBACK = False
    for inside in ("127.0.0.1", "10.0.0.8", "169.254.169.254"):
        with resolved(monkeypatch, inside), pytest.raises(requests.exceptions.InvalidURL):
            CheckedSession().get(f"https://{NAME}/keys")
    assert tried == []


class Provider:
    """A server that answers one request by TLS with a certificate for a name, and notes which name it was asked as."""

    def __init__(self, folder: Path, name: str) -> None:
        self.asked_as: list[str | None] = []
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        now = datetime.datetime.now(datetime.UTC)
        certificate = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=1))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(key, hashes.SHA256())
        )
        self.certificate, secret = folder / f"{name}.pem", folder / f"{name}.key"
        self.certificate.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
        secret.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            )
        )
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(self.certificate, secret)
        self.context.sni_callback = lambda _socket, name, _context: self.asked_as.append(name)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._answer, daemon=True).start()

    def _answer(self) -> None:
        while True:
            try:
                plain, _ = self.listener.accept()
            except OSError:
                return
            try:
                with self.context.wrap_socket(plain, server_side=True) as connection:
                    connection.recv(4096)
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
            except OSError:
                continue


@pytest.fixture
def provider(tmp_path: Path) -> Iterator[Callable[[str], Provider]]:
    made: list[Provider] = []

    def make(name: str) -> Provider:
        made.append(Provider(tmp_path, name))
        return made[-1]

    yield make
    for each in made:
        each.listener.close()


def test_the_provider_is_asked_by_its_name_and_looked_up_once(
    monkeypatch: pytest.MonkeyPatch, provider: Callable[[str], Provider], settings: LazySettings
) -> None:
    settings.SIGN_ON_HTTP_ON_LOOPBACK = True
    server = provider(NAME)
    with resolved(monkeypatch, "127.0.0.1") as asked:
        answer = CheckedSession().get(f"https://{NAME}:{server.port}/keys", verify=str(server.certificate))
    assert (answer.status_code, server.asked_as, asked) == (200, [NAME], [NAME])


def test_a_certificate_of_another_name_is_refused(
    monkeypatch: pytest.MonkeyPatch, provider: Callable[[str], Provider], settings: LazySettings
) -> None:
    settings.SIGN_ON_HTTP_ON_LOOPBACK = True
    server = provider("somebody.example")
    with resolved(monkeypatch, "127.0.0.1"), pytest.raises(requests.exceptions.SSLError):
        CheckedSession().get(f"https://{NAME}:{server.port}/keys", verify=str(server.certificate))
