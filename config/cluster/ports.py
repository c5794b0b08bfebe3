"""Ports on loopback for several programs at once."""

from __future__ import annotations

import socket
from contextlib import ExitStack


def free_ports(count: int) -> list[int]:
    """So many different ports that nobody listens on now."""
    with ExitStack() as probes:
        bound = [probes.enter_context(socket.socket()) for _ in range(count)]
        for probe in bound:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in bound]
