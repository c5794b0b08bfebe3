"""The proxy of deploy/: haproxy reads its configuration, and what is for the inside alone is not reached."""

from __future__ import annotations

import http.client
import os
import re
import ssl
import subprocess
import threading
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from config.cluster.ports import free_ports
from config.cluster.programs import find_program
from config.embedded import die_with_parent, work_of
from tests.house.test_deploy import DEPLOY
from tests.lifecycle.processes import until

HOSTS = {"DASHBOARD_HOST": "countersign.test", "SERVICE_HOST": "finance.test"}


def haproxy_configuration(tmp_path: Path) -> Path:
    """The file that haproxy is to read, with a certificate of ours."""
    pem, key = tmp_path / "certificates" / "localhost.pem", tmp_path / "key"
    pem.parent.mkdir()
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "2"]
    subprocess.run([*command, "-keyout", str(key), "-out", str(pem)], check=True, capture_output=True)
    pem.write_text(pem.read_text() + key.read_text())
    file = tmp_path / "haproxy.cfg"
    file.write_text((DEPLOY / "haproxy.cfg").read_text().replace("/certificates/", f"{pem.parent}/"))
    return file


@pytest.fixture
def haproxy() -> str:
    program = find_program("haproxy")
    if program is None:
        pytest.skip("haproxy is not here (Debian's package haproxy)")
    return program


@pytest.mark.full
def test_haproxy_reads_its_configuration(haproxy: str, tmp_path: Path) -> None:
    file = haproxy_configuration(tmp_path)
    run = subprocess.run(
        [haproxy, "-c", "-f", str(file)], env=os.environ | HOSTS, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert "warning" not in run.stderr.lower(), run.stderr


@pytest.mark.full
def test_what_is_for_the_inside_alone_is_not_reached_however_its_path_is_written(haproxy: str, tmp_path: Path) -> None:
    """A program decodes a path before it looks at it."""

    class Open(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    behind = ThreadingHTTPServer(("127.0.0.1", 0), Open)
    threading.Thread(target=behind.serve_forever, args=[0.05], daemon=True).start()
    tls, plain = free_ports(2)
    file = haproxy_configuration(tmp_path)
    # On loopback, and of names that nobody here knows the addresses.
    text = re.sub(r"(server \S+) \S+:8000", rf"\1 127.0.0.1:{behind.server_port}", file.read_text())
    text = text.replace(" resolvers docker init-addr none", "").replace(":8443", f"127.0.0.1:{tls}")
    file.write_text(text.replace(":8080", f"127.0.0.1:{plain}"))
    process = subprocess.Popen(
        [haproxy, "-db", "-f", str(file)], env=os.environ | HOSTS, stdout=subprocess.DEVNULL,
        preexec_fn=partial(die_with_parent, parent=os.getpid()),
    )  # fmt: skip

    def status(path: str) -> int:
        connection = http.client.HTTPSConnection("127.0.0.1", tls, timeout=20, context=ssl._create_unverified_context())
        with suppress(OSError):
            connection.request("GET", path, headers={"Host": "countersign.test"})
            return connection.getresponse().status
        return 0

    try:
        until(lambda: status("/healthz") == 204, 20, "the proxy does not answer", lambda: work_of([process.pid]))
        for inside in ("/metrics", "/-/metrics/", "/readyz"):
            first = f"/%{ord(inside[1]):02x}{inside[2:]}"
            for path in (inside, first, f"/{inside}", f"/%2F{inside[1:]}", f"{inside}?a=b"):
                assert (path, status(path)) == (path, 404)
        for path in ("/", "/-/account/login/", "/metrics-of-a-month/"):
            assert (path, status(path)) == (path, 204)
    finally:
        process.terminate()
        process.wait(20)
        behind.shutdown()
        behind.server_close()
