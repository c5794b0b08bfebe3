"""W3C Trace Context: the header `traceparent`, by which one trace goes on from process to process."""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

HEADER = re.compile(
    r"(?P<version>[0-9a-f]{2})-(?P<trace>[0-9a-f]{32})-(?P<span>[0-9a-f]{16})-(?P<flags>[0-9a-f]{2})(?:-.*)?"
)
# Version, trace, span and flags: what a column that keeps one has room for.
HEADER_LENGTH = 55


@dataclass(frozen=True, slots=True)
class TraceContext:
    """Where a process stands in a trace. `recorded`: whether somebody writes its spans down."""

    trace_id: str
    span_id: str
    recorded: bool = False

    @property
    def header(self) -> str:
        """The value of `traceparent` for whoever is called from here."""
        return f"00-{self.trace_id}-{self.span_id}-{'01' if self.recorded else '00'}"

    @classmethod
    def continued(cls, header: str) -> TraceContext:
        """A step of its own in the trace of a header, or in a new trace where there is none that can be read."""
        before = parse(header)
        return cls(
            before.trace_id if before else secrets.token_hex(16), secrets.token_hex(8), bool(before and before.recorded)
        )


def parse(header: str) -> TraceContext | None:
    """The context that a `traceparent` names; None for what is no such header."""
    parts = HEADER.fullmatch(header.strip())
    if parts is None or parts["version"] == "ff" or not int(parts["trace"], 16) or not int(parts["span"], 16):
        return None
    return TraceContext(parts["trace"], parts["span"], bool(int(parts["flags"], 16) & 1))
