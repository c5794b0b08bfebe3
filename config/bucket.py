"""A store that speaks S3, for the files of either program: loaded where a storage URL of the settings names one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3Storage

# What one request to a store that does not answer may take: 2 × (1 + 3) s and up to a second between the tries, less than
# the 10 s that a transaction of the database may stand idle (DATABASE_IDLE_S). A store that answers slowly, piece by piece,
# may take longer.
CONNECT_S, READ_S, TRIES = 1, 3, 2
# A document is at most 10 MB, and one request; only what is larger goes in parts of several.
SINGLE_REQUEST_BYTES = 16 * 1024 * 1024
# A file beyond this size is read through the disk: all of it is fetched before its first byte is handed out.
IN_MEMORY_BYTES = 5 * 1024 * 1024


@contextmanager
def _as_os_errors() -> Iterator[None]:
    """OSError for whatever stands between us and the store, as of a folder: who uses a storage knows of no client."""
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise OSError(f"the store failed: {type(error).__name__}") from error


class PrivateBucket(S3Storage):
    """A bucket of which nobody is given an address, not even a signed one for a while: files leave by our own views.

    Each operation raises OSError where the store does not answer or refuses; FileNotFoundError for a file that is not there.
    """

    def __init__(self, **options: Any) -> None:
        client = Config(
            connect_timeout=CONNECT_S, read_timeout=READ_S, retries={"total_max_attempts": TRIES, "mode": "standard"},
            signature_version="s3v4", s3={"addressing_style": "path" if options.get("endpoint_url") else "auto"},
            # Sums of the newest kind are not understood by every store.
            request_checksum_calculation="when_required", response_checksum_validation="when_required",
        )  # fmt: skip
        # Without an ACL of its own a file has the bucket's owner alone, and buckets without ACLs take it, too.
        settings = {"client_config": client, "default_acl": None, "max_memory_size": IN_MEMORY_BYTES} | options
        super().__init__(**settings)
        self.transfer_config.multipart_threshold = SINGLE_REQUEST_BYTES

    def _open(self, name: str, mode: str = "rb") -> Any:
        with _as_os_errors():
            file = super()._open(name, mode)
            if "w" not in mode:
                # It is fetched here, and not with the first byte that somebody reads of it.
                file.open()
            return file

    def _save(self, name: str, content: Any) -> Any:
        with _as_os_errors():
            return super()._save(name, content)

    def delete(self, name: str) -> None:
        """Deletes a file; nothing where there is none."""
        with _as_os_errors():
            super().delete(name)

    def exists(self, name: str) -> bool:
        """Whether the store holds an object of that name."""
        with _as_os_errors():
            return bool(super().exists(name))

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        """The names of the folders and of the files right under a path."""
        with _as_os_errors():
            folders, files = super().listdir(path)
            return folders, files

    def size(self, name: str) -> int:
        """The size of a file in bytes."""
        with _as_os_errors():
            return int(super().size(name))

    def url(self, *_: object, **__: object) -> NoReturn:
        """NotImplementedError: there is no address that could be passed on."""
        raise NotImplementedError("A file of this store is read through the program alone.")
