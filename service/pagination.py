"""Pages of a list (decisions B.3): one envelope, a Link header, and a cursor for those who read all of it."""

import base64
import binascii
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import TypeVar, cast
from urllib.parse import urlencode

from django.db.models import DateTimeField, Model, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from ninja import Schema
from pydantic import Field

from service import errors, inputs
from service.auth import ApiRequest
from service.json_body import load_json
from service.respond import answer
from service.totals import total_of

Row = TypeVar("Row", bound=Model)
Shape = TypeVar("Shape", bound=Mapping[str, object])

LARGEST_PAGE = 1_000_000_000


class PageQuery(Schema):
    """The query parameters of every list."""

    page: inputs.Whole = Field(1, ge=1, le=LARGEST_PAGE, description="From 1.")
    limit: inputs.Whole = Field(50, ge=1, le=1000, description="Rows on a page.")
    cursor: str | None = Field(
        None,
        max_length=400,
        pattern="^[A-Za-z0-9_-]+$",
        description="`next_cursor` of the page before; `page` is ignored then.",
    )
    updated_since: inputs.Moment | None = Field(None, description="Only what changed at or after this moment.")


class Envelope(Schema):
    """What surrounds the rows of a list; `docs` holds them."""

    total: int
    limit: int
    page: int
    pages: int
    hasNextPage: bool  # noqa: N815  the published spelling
    nextPage: int | None  # noqa: N815
    next_cursor: str | None = None


def page_of(
    rows: QuerySet[Row],
    request: HttpRequest,
    query: PageQuery,
    serialize: Callable[[Row], Shape] | None = None,
    *,
    show_all: Callable[[list[Row]], Sequence[Shape]] | None = None,
    order: str = "created_at",
    time_zone: str = "",
) -> HttpResponse:
    """One page, newest first by (`order`, a moment or a day, and id); the answer with its envelope and Link header.

    `serialize` shows one row; `show_all` shows a whole page at once, where rows need something read for all of them.
    Built from typed rows and written as it is: hot lists do without a second validation.
    """
    if query.updated_since:
        rows = rows.filter(updated_at__gte=query.updated_since)
    total = total_of(rows, cast(ApiRequest, request).caller.business.id)
    ordered = rows.order_by(f"-{order}", "-id")
    if query.cursor:
        by_day = not isinstance(rows.model._meta.get_field(order), DateTimeField)
        ordered = ordered.filter(_after(query.cursor, order, by_day=by_day))
    if query.cursor:
        fetched = list(ordered[: query.limit + 1])
        more = len(fetched) > query.limit
    else:
        start = (query.page - 1) * query.limit
        fetched = list(ordered[start : start + query.limit + 1]) if start < total else []
        more = len(fetched) > query.limit
    page_rows = fetched[: query.limit]
    response = answer(
        {
            "docs": show_all(page_rows) if show_all else [serialize(row) if serialize else row for row in page_rows],
            "total": total,
            "limit": query.limit,
            "page": query.page,
            "pages": max(1, -(-total // query.limit)),
            "hasNextPage": more,
            "nextPage": query.page + 1 if more and not query.cursor else None,
            "next_cursor": _cursor(page_rows[-1], order) if more else None,
        }
    )
    response["Link"] = _links(request, query, total)
    if time_zone:
        response["X-Business-Timezone"] = time_zone
    return response


def _cursor(row: Model, order: str) -> str:
    value = getattr(row, order)
    plain = [value.isoformat() if isinstance(value, date) else value, row.pk]
    return base64.urlsafe_b64encode(json.dumps(plain).encode()).decode().rstrip("=")


def _after(cursor: str, order: str, *, by_day: bool) -> Q:
    refusal = errors.invalid_parameters("cursor", "It is none that a page of this list gave.", "cursor")
    try:
        value, last = load_json(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        since = date.fromisoformat(value) if by_day else datetime.fromisoformat(value)
    except (binascii.Error, ValueError, TypeError):
        raise refusal from None
    is_zoned = by_day or (isinstance(since, datetime) and since.tzinfo is not None)
    if not is_zoned or not isinstance(last, str):
        raise refusal
    return Q(**{f"{order}__lte": since}) & (Q(**{f"{order}__lt": since}) | Q(pk__lt=last))


def _links(request: HttpRequest, query: PageQuery, total: int) -> str:
    last = max(1, -(-total // query.limit))
    pages = {"first": 1, "last": last}
    if query.page > 1:
        pages["prev"] = min(query.page - 1, last)
    if query.page < last:
        pages["next"] = query.page + 1
    query_params = {name: request.GET[name] for name in request.GET if name not in ("page", "cursor")}
    base = request.build_absolute_uri(request.path)
    return ", ".join(
        f'<{base}?{urlencode({**query_params, "page": number})}>; rel="{rel}"' for rel, number in sorted(pages.items())
    )
