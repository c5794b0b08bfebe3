"""A store that speaks S3, beside the tests: empty, and in memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import quote, urlencode
from uuid import uuid4

import boto3
from moto.server import ThreadedMotoServer

PREFIX = "kept/here"
KEY, SECRET = "a-key", "s/cret+of&the tests"


class Store:
    """A bucket as its owner sees it; `url` is what the settings are given."""

    def __init__(self, endpoint: str) -> None:
        self.client = boto3.client(
            "s3", endpoint_url=endpoint, region_name="eu-west-1", aws_access_key_id=KEY, aws_secret_access_key=SECRET
        )
        # All stores of a process share what they hold: each has a bucket of its own.
        self.bucket = f"countersign-{uuid4()}"
        self.client.create_bucket(Bucket=self.bucket, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
        query = urlencode({"endpoint": endpoint, "region": "eu-west-1"})
        self.url = f"s3://{KEY}:{quote(SECRET, safe='')}@{self.bucket}/{PREFIX}?{query}"

    def names(self) -> list[str]:
        """What is in the bucket, by its full name."""
        return [entry["Key"] for entry in self.client.list_objects_v2(Bucket=self.bucket).get("Contents", [])]

    def content(self, name: str) -> bytes:
        """The bytes under a full name."""
        return bytes(self.client.get_object(Bucket=self.bucket, Key=name)["Body"].read())

    def readers(self, name: str) -> set[str]:
        """Whom the ACL of an object names: the owner's id, or the address of a group such as everybody."""
        grants = self.client.get_object_acl(Bucket=self.bucket, Key=name)["Grants"]
        return {grant["Grantee"].get("URI") or grant["Grantee"]["Type"] for grant in grants}


@contextmanager
def running_store() -> Iterator[Store]:
    """Starts one on a free port of this machine."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        yield Store(f"http://{host}:{port}")
    finally:
        server.stop()
