"""Lines of the log as they are written in production, read back."""

from __future__ import annotations

import io
import json
import logging
import logging.config
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from telemetry import logs


class Lines:
    """What was written while somebody looked."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    def all(self) -> list[dict[str, Any]]:
        """Each line, which must be one JSON object."""
        return [json.loads(line) for line in self.stream.getvalue().splitlines()]

    def of(self, event: str) -> list[dict[str, Any]]:
        """Those of one event."""
        return [line for line in self.all() if line["event"] == event]


@contextmanager
def written_lines(level: str = "DEBUG") -> Iterator[Lines]:
    """Catches the lines of every logger, formatted as a production's handler does it."""
    lines = Lines()
    formatter = logging.config.DictConfigurator({}).configure_custom(  # type: ignore[no-untyped-call]
        dict(logs.configuration(as_json=True, level=level)["formatters"]["line"])
    )
    handler = logging.StreamHandler(lines.stream)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(level)
    try:
        yield lines
    finally:
        root.setLevel(before)
        root.removeHandler(handler)
