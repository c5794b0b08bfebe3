"""HAProxy in front of both programs: whoever does not answer is left out, and the other one asked."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from config.cluster.programs import find_program
from config.embedded import CannotStart, spawn

# A request that can be repeated is, at the other one, where its first server went away. One that changes something is sent
# a second time only where nothing of it had been sent: whether it was done would not be known.
HEAD = """global
    maxconn 2000
defaults
    mode http
    option http-server-close
    option redispatch 1
    option forwardfor
    retries 4
    retry-on conn-failure empty-response response-timeout 503
    timeout connect 2s
    timeout client 90s
    timeout server 90s
    timeout queue 10s
    timeout check 5s
    option httpchk GET /healthz
    http-check send ver HTTP/1.1 hdr Host localhost
    default-server check inter 2s fall 2 rise 1 observe layer4 error-limit 1 on-error mark-down
"""
PART = """frontend {program}
    bind 127.0.0.1:{port}
    default_backend {program}
backend {program}
    http-request disable-l7-retry unless METH_GET
"""


def configuration(program: str, port: int, servers: Sequence[int]) -> str:
    """What stands in front of one program: a port for everybody, and the ports of those that answer there."""
    lines = (f"    server {program}-{number} 127.0.0.1:{server}\n" for number, server in enumerate(servers, 1))
    return PART.format(program=program, port=port) + "".join(lines)


def start(data: Path, parts: Sequence[tuple[str, int, Sequence[int]]]) -> subprocess.Popen[bytes]:
    """Starts it for some programs, each (name, port for everybody, ports of its servers)."""
    program = find_program("haproxy")
    if program is None:
        raise CannotStart("haproxy is not here: install Debian's package haproxy.")
    file = data / "cluster" / "haproxy.cfg"
    file.parent.mkdir(exist_ok=True, mode=0o700)
    file.write_text(HEAD + "".join(configuration(*part) for part in parts))
    return spawn([program, "-db", "-f", str(file)], log=data / "log" / "proxy.log")
