"""The clock of played history: what the service's actions do inside happens, as far as they can tell, at another moment."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from unittest import mock

from django.utils import timezone


@contextmanager
def at(moment: datetime) -> Iterator[None]:
    """Lets `timezone.now()` answer `moment`, in this process: for the command that makes demo data, never in a server."""
    with mock.patch.object(timezone, "now", return_value=moment):
        yield
