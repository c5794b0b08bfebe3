"""How a job reads the service: a list whole, page after page, or one resource; each call is tried several times."""

from __future__ import annotations

from collections.abc import Iterator

from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.client.page import Page, every_row, read_page
from dashboard.client.reads import read_live
from dashboard.mirror.mappers import Payload

JOB_TRIES = 6


def read_list(
    reader: Actor, operation: Operation, *, path: dict[str, str] | None = None, **query: str | int
) -> Iterator[Payload]:
    """The rows of a list operation as the service gives them, page after page; each page is tried up to six times.

    Raises Drifted where the list changed meanwhile, and the FinanceError of a page that could not be read.
    """

    def fetch(number: int, size: int) -> Page:
        page_query: dict[str, str | int] = {**query, "page": number, "limit": size}
        return read_page(read_live(reader, operation, path=path, query=page_query, tries=JOB_TRIES).data)

    return every_row(fetch)


def read_resource(reader: Actor, operation: Operation, path: dict[str, str]) -> Payload:
    """One resource as the service gives it; tried up to six times. Raises the FinanceError of a read that failed."""
    resource: Payload = read_live(reader, operation, path=path, tries=JOB_TRIES).data
    return resource
