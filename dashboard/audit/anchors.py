"""The chains' heads, kept outside the database: whoever may rewrite all of it cannot rewrite what was written elsewhere.

Two places. The anchor file (`AUDIT_ANCHOR_FOLDER`, a file a month, one line of JSON for each head, only ever appended
to) has every head that was sealed. The anchor store (`AUDIT_ANCHOR_URL`, where one is configured: an object store that
refuses to overwrite and to delete for as long as its retention says) has the head of each chain for each hour. A link
covers all before it, so that one anchored head proves everything up to it.
"""

import contextlib
import fcntl
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from pathlib import Path

import requests
import structlog
from django.conf import settings
from django.utils import timezone

log = structlog.get_logger(__name__)

TIMEOUT_S = 5
# How far back the heads in the store are read where nobody says since when: all of them, as a later hour's may be that of a
# chain grown anew.
LOOKBACK = timedelta(hours=48)
HOUR = timedelta(hours=1)
# What a store answers when something is there under that name already.
EXISTS_STATUSES = {HTTPStatus.PRECONDITION_FAILED, HTTPStatus.CONFLICT}


class AnchorsUnavailable(Exception):
    """The file cannot be read or written, or the store gives no answer that can be used."""


@dataclass(frozen=True)
class Anchor:
    """The head of a chain at a moment: its number and its hash."""

    chain: int
    number: int
    hash: str
    at: datetime

    def as_json(self) -> str:
        """One line of JSON; the time as ISO 8601 in UTC."""
        at = self.at.astimezone(UTC).isoformat(timespec="milliseconds")
        return json.dumps({"chain": self.chain, "number": self.number, "hash": self.hash, "at": at})

    @classmethod
    def from_json(cls, line: str | bytes) -> "Anchor":
        """The anchor of such a line; ValueError where it is none."""
        try:
            fields = json.loads(line)
            return cls(
                int(fields["chain"]), int(fields["number"]), str(fields["hash"]), datetime.fromisoformat(fields["at"])
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"not an anchor: {error}") from None


def append(anchors: Iterable[Anchor]) -> None:
    """Appends these heads to this month's file, on the disk before it returns; AnchorsUnavailable where it cannot be."""
    folder = Path(settings.AUDIT_ANCHOR_FOLDER)
    lines = "".join(f"{anchor.as_json()}\n" for anchor in anchors).encode()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = os.open(
            folder / f"{timezone.now().astimezone(UTC):%Y-%m}.jsonl", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600
        )
        try:
            # Several workers may seal: a long write of one is never cut in two by another's.
            fcntl.flock(file, fcntl.LOCK_EX)
            _write_all(file, lines)
            os.fsync(file)
        finally:
            os.close(file)
    except OSError as error:
        raise AnchorsUnavailable(f"the anchor file cannot be written: {error.strerror}") from error


def _write_all(file: int, content: bytes) -> None:
    while content:
        content = content[os.write(file, content) :]


def append_missing(heads: Iterable[Anchor]) -> None:
    """Appends those of these heads that the files do not have; AnchorsUnavailable where they cannot be."""
    newest = {anchor.chain: anchor.number for anchor in _all()}
    if missing := [head for head in heads if newest.get(head.chain, 0) < head.number]:
        append(missing)


def appended(chain: int) -> Iterator[Anchor]:
    """The heads of a chain in the files, in the order of writing; AnchorsUnavailable where they cannot be read."""
    return (anchor for anchor in _all() if anchor.chain == chain)


def _all() -> Iterator[Anchor]:
    # A line that is cut (the disk was full, the machine went down) is skipped: it anchors nothing.
    try:
        for file in sorted(Path(settings.AUDIT_ANCHOR_FOLDER).glob("*.jsonl")):
            with file.open("rb") as lines:
                for line in lines:
                    with contextlib.suppress(ValueError):
                        yield Anchor.from_json(line)
    except OSError as error:
        raise AnchorsUnavailable(f"the anchor file cannot be read: {error.strerror}") from error


def has_store() -> bool:
    """Whether a store outside is configured."""
    return bool(settings.AUDIT_ANCHOR_URL)


def put(anchor: Anchor) -> Anchor:
    """Puts a head into the store as that of its hour; what the store has for it: this one, or one put there before.

    AnchorsUnavailable where the store cannot be reached or refuses.
    """
    answer = _call_store("PUT", anchor.chain, anchor.at, anchor.as_json())
    if answer.status_code in EXISTS_STATUSES:
        present = _read(anchor.chain, anchor.at)
        if present is None:
            raise AnchorsUnavailable("the anchor store refused the head and shows none")
        return present
    if not answer.ok:
        raise AnchorsUnavailable(f"the anchor store answered {answer.status_code}")
    return anchor


def heads_in_store(chain: int, since: datetime, beat: Callable[[], None]) -> Iterator[Anchor]:
    """Every head of a chain in the store, hour by hour back to `since`, newest first; AnchorsUnavailable where it cannot be
    read. `beat` is called before each day's and may stop it by what it raises."""
    now = timezone.now()
    # Heads are named by the hour of the clock: from 09:50 to 10:10 there are two of them.
    hours = max(0, int((hour_of(now) - hour_of(since)) / HOUR))
    with requests.Session() as session:
        for hour in range(hours + 1):
            if hour % 24 == 0:
                beat()
            if (anchor := _read(chain, now - hour * HOUR, session)) is not None:
                yield anchor


def hour_of(at: datetime) -> datetime:
    """The beginning of a moment's hour (UTC), by which the store's objects are named."""
    return at.astimezone(UTC).replace(minute=0, second=0, microsecond=0)


def _read(chain: int, hour: datetime, session: requests.Session | None = None) -> Anchor | None:
    answer = _call_store("GET", chain, hour, session=session)
    if answer.status_code == HTTPStatus.NOT_FOUND:
        return None
    if not answer.ok:
        raise AnchorsUnavailable(f"the anchor store answered {answer.status_code}")
    try:
        return Anchor.from_json(answer.content)
    except ValueError:
        raise AnchorsUnavailable("the anchor store answered something that is no anchor") from None


def _call_store(
    method: str, chain: int, hour: datetime, body: str | None = None, session: requests.Session | None = None
) -> requests.Response:
    address = settings.AUDIT_ANCHOR_URL.replace("{chain}", str(chain))
    address = address.replace("{hour}", f"{hour.astimezone(UTC):%Y-%m-%dT%H}")
    # An object store writes once where it is asked to write only what is not there.
    headers = {"If-None-Match": "*", "Content-Type": "application/json"} if body else {}
    try:
        return (session or requests).request(
            method, address, data=body, headers=settings.AUDIT_ANCHOR_HEADERS | headers, timeout=TIMEOUT_S,
            allow_redirects=False,
        )  # fmt: skip
    except requests.RequestException as error:
        # The address may hold a signature: its text stays out of what is said and logged.
        raise AnchorsUnavailable(f"the anchor store cannot be reached: {type(error).__name__}") from None
