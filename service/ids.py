"""Identifiers of everything in the service: 24 hexadecimal digits that sort by the time they were made."""

import os
import threading
import time
from datetime import datetime

_lock = threading.Lock()
_last_ms = 0
_counter = 0


def object_id() -> str:
    """A fresh id: 48 bits of milliseconds, 16 bits counted within the millisecond, 32 random bits.

    Ids of one process sort strictly by age; ids of different processes sort by the millisecond.
    """
    global _last_ms, _counter
    with _lock:
        now = time.time_ns() // 1_000_000
        if now > _last_ms:
            _last_ms, _counter = now, 0
        else:
            _counter += 1
            if _counter > 0xFFFF:
                _last_ms, _counter = _last_ms + 1, 0
        return f"{_last_ms:012x}{_counter:04x}{os.urandom(4).hex()}"


def oldest_id(moment: datetime) -> str:
    """What no id of `object_id` made at that moment or later sorts before."""
    return f"{int(moment.timestamp() * 1000):012x}"
