"""Reading lists: a tolerant reader of the envelope, and a generator that walks pages without trusting them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from dashboard.errors import BadAnswer, Rejected, TimedOut
from dashboard.inputs import LARGEST_MINOR, whole_number
from dashboard.money import UnknownCurrencyError
from dashboard.schemas.base import JsonObject

M = TypeVar("M", bound=BaseModel)
FIRST_SIZE = 500
FALLS_TO = 100
SMALLEST_SIZE = 25


@dataclass(frozen=True)
class Page:
    """One page of a list: the rows as they came, and what the service says of the whole (None: it does not say)."""

    rows: list[dict[str, Any]]
    total: int | None = None
    number: int | None = None
    pages: int | None = None
    # Behind which the next page goes on by key; "" at the end, and where the service gives none.
    cursor: str = ""


class Drifted(BadAnswer):
    """The list changed while its pages were read: read it again."""

    happened = "The list changed while it was being read."


def read_page(data: Any) -> Page:
    """The page in any of the envelopes we know (docs, data, items, results), or a bare list. BadAnswer for no list."""
    if isinstance(data, list):
        return Page(_rows(data), total=len(data), number=1, pages=1)
    if not isinstance(data, dict):
        raise BadAnswer(code="no_list")
    rows = next((data[name] for name in ("docs", "data", "items", "results") if isinstance(data.get(name), list)), None)
    if rows is None:
        raise BadAnswer(code="no_list")
    total = _integer(data, "total", "totalDocs", "count")
    cursor = data.get("next_cursor")
    return Page(
        _rows(rows), total, _integer(data, "page"), _integer(data, "pages", "totalPages"),
        cursor if isinstance(cursor, str) else "",
    )  # fmt: skip


def _rows(rows: list[Any]) -> list[dict[str, Any]]:
    if not all(isinstance(row, dict) for row in rows):
        raise BadAnswer(code="no_rows")
    return rows


def _integer(data: dict[str, Any], *names: str) -> int | None:
    # v1 sends page and limit of statements as text.
    for name in names:
        value = data.get(name)
        if isinstance(value, str) and (number := whole_number(value, LARGEST_MINOR)) is not None:
            return number
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    return None


def typed(rows: Iterable[JsonObject], model: type[M]) -> list[M]:
    """The rows as models; BadAnswer naming the first field that is wrong (never its value)."""
    return [parsed(row, model) for row in rows]


def parsed(data: Any, model: type[M]) -> M:
    """What a read answered as a model; BadAnswer naming the first field that is wrong, and its value where that is a currency
    that is not known."""
    try:
        return model.model_validate(data)
    except ValidationError as invalid:
        wrong = invalid.errors()[0]
        where = ".".join(str(part) for part in wrong["loc"])
        cause = wrong.get("ctx", {}).get("error")
        if isinstance(cause, UnknownCurrencyError):
            raise BadAnswer(f"The finance service sent an amount: {cause}", code="unknown_currency") from None
        raise BadAnswer(f"The finance service sent a wrong {where or model.__name__}.", code="unreadable") from None


def every_row(
    fetch: Callable[[int, int], Page], *, max_pages: int = 100, size: int = FIRST_SIZE
) -> Iterator[JsonObject]:
    """All rows of a list, page after page; `fetch(page, limit)` reads one.

    Each id once: a row that moved to the next page while we read is not given twice. The size halves where a page is
    refused or too slow, and falls to 100 where the limit itself is refused. Drifted where the total is not the same on
    the last page as on the first, or rows are missing: whoever needs the whole list reads it again.
    """
    number, seen, first_total = 1, set[str](), None
    for _ in range(max_pages):
        page, fitting = _fetch_page(fetch, number, size)
        if fitting != size and number > 1:
            raise Drifted(code="page_size")
        size = fitting
        first_total = page.total if number == 1 else first_total
        if page.total != first_total:
            raise Drifted(code="total")
        for row in page.rows:
            row_id = str(row.get("_id") or row.get("id") or "")
            if row_id and row_id in seen:
                raise Drifted(code="twice")
            seen.add(row_id)
            yield row
        if len(page.rows) < size or (page.pages is not None and number >= page.pages):
            if first_total is not None and len(seen) < first_total:
                raise Drifted(code="missing")
            return
        number += 1
    raise BadAnswer(f"The list has more than {max_pages} pages.", code="too_long")


def _fetch_page(fetch: Callable[[int, int], Page], number: int, size: int) -> tuple[Page, int]:
    while True:
        try:
            return fetch(number, size), size
        except (Rejected, TimedOut) as refused:
            limit_refused = any(problem.field == "limit" for problem in getattr(refused, "fields", ()))
            smaller = FALLS_TO if limit_refused and size > FALLS_TO else size // 2
            if smaller < SMALLEST_SIZE or (isinstance(refused, Rejected) and refused.upstream_status not in {400, 413}):
                raise
            size = smaller
