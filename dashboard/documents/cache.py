"""Documents and the pictures of their pages, by the hash of their content: a folder of ours that never grows past its size.

Nothing in it is needed: what is gone is fetched and drawn again.
"""

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

import structlog
from django.conf import settings

log = structlog.get_logger(__name__)

# What is removed at once where the folder is full: down to this part of its size, in tenths.
TENTHS_LEFT = 8


def digest(*parts: bytes | str) -> str:
    """A name for what these parts say, which nobody can choose."""
    hashed = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        hashed.update(len(data).to_bytes(8, "big") + data)
    return hashed.hexdigest()


def load(name: str) -> bytes | None:
    """What is stored under a name that `digest` has made; None where nothing is."""
    path = _folder() / name[:2] / name
    try:
        content = path.read_bytes()
        os.utime(path)  # the ones used last stay
    except OSError:
        return None
    return content


def store(name: str, content: bytes) -> None:
    """Stores bytes under a name; where the disk does not take them they are only made again."""
    if len(content) > settings.DOCUMENTS_CACHE_BYTES // 4:
        return
    folder = _folder() / name[:2]
    try:
        for directory in (_folder(), folder):
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(folder / name)
    except OSError as error:
        log.warning("document not stored", error=type(error).__name__)
        return
    _prune()


def _folder() -> Path:
    return Path(settings.DOCUMENTS_FOLDER)


def _prune() -> None:
    """Removes what was not used for longest, once the folder is larger than it may be."""
    files = []
    for path in _folder().glob("*/*"):
        with contextlib.suppress(OSError):
            status = path.stat()
            files.append((status.st_mtime_ns, status.st_size, path))
    total = sum(size for _, size, _ in files)
    if total <= settings.DOCUMENTS_CACHE_BYTES:
        return
    for _, size, path in sorted(files):
        with contextlib.suppress(OSError):
            path.unlink()
        total -= size
        if total <= settings.DOCUMENTS_CACHE_BYTES * TENTHS_LEFT // 10:
            return
