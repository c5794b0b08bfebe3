"""A store that speaks S3, for the files of either program: loaded where a storage URL of the settings names one."""

from __future__ import annotations

from typing import Any, NoReturn

from botocore.config import Config
from storages.backends.s3 import S3Storage

# A store that does not answer is given up before the request is; a file beyond this size is read through the disk.
CONNECT_S, READ_S, TRIES = 3, 20, 3
IN_MEMORY_BYTES = 5 * 1024 * 1024


class PrivateBucket(S3Storage):
    """A bucket of which nobody is given an address, not even a signed one for a while: files leave by our own views."""

    def __init__(self, **options: Any) -> None:
        client = Config(
            connect_timeout=CONNECT_S, read_timeout=READ_S, retries={"total_max_attempts": TRIES, "mode": "standard"},
            signature_version="s3v4", s3={"addressing_style": "path" if options.get("endpoint_url") else "auto"},
            # Sums of the newest kind are not understood by every store.
            request_checksum_calculation="when_required", response_checksum_validation="when_required",
        )  # fmt: skip
        # Without an ACL of its own a file has the bucket's owner alone, and buckets without ACLs take it, too.
        settings = {"client_config": client, "default_acl": None, "max_memory_size": IN_MEMORY_BYTES} | options
        super().__init__(**settings)  # type: ignore[no-untyped-call]

    def url(self, *_: object, **__: object) -> NoReturn:
        """NotImplementedError: there is no address that could be passed on."""
        raise NotImplementedError("A file of this store is read through the program alone.")
