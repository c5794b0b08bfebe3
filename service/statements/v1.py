"""Wallet statements in the old interface: `page` and `limit` are texts there, and 25 entries a page (decisions A.2)."""

from django.http import HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from service import inputs
from service.apikey import with_key
from service.auth import ApiRequest
from service.expenses.serializers_v1 import as_v1
from service.respond import JsonObject, answer
from service.statements import selectors
from service.statements.selectors import DaysPage, EntryShape

router = Router(tags=["v1"])


class StatementQuery(Schema):
    """The dates are taken in both spellings, as for expenses."""

    page: inputs.Whole = Field(default=1, ge=1, le=1_000_000_000)
    limit: inputs.Whole = Field(default=25, ge=1, le=1000)
    fromDate: inputs.Day | None = None  # noqa: N815  the published spelling
    fromdate: inputs.Day | None = None
    toDate: inputs.Day | None = None  # noqa: N815
    todate: inputs.Day | None = None

    def span(self) -> DaysPage:
        """The page and days that are asked for."""
        return DaysPage(self.page, self.limit, self.fromDate or self.fromdate, self.toDate or self.todate)


@router.get("/all-in-one/{org_wallet_ref}")
@with_key
def list_statements(request: ApiRequest, org_wallet_ref: str, query: Query[StatementQuery]) -> HttpResponse:
    """A page of all that happened on a wallet of the business, newest first, and how much there is; 404 without it."""
    return _page(query, *selectors.list_entries(request.caller, org_wallet_ref, query.span()))


@router.get("/topup-history/{accountNumber}/{org_wallet_ref}")
@with_key
def list_topups(
    request: ApiRequest,
    accountNumber: str,  # noqa: N803  the published name
    org_wallet_ref: str,
    query: Query[StatementQuery],
) -> HttpResponse:
    """What was put on an account from outside, or from the wallet `org_wallet_ref`; 404 without either. The account is
    that wallet's own, or one of an employee or a card in its currency."""
    return _page(query, *selectors.topups(request.caller, accountNumber, org_wallet_ref, query.span()))


def _page(query: StatementQuery, entries: list[EntryShape], total: int) -> HttpResponse:
    return answer(
        {
            "docs": [_entry(entry) for entry in entries],
            "total": total,
            "limit": str(query.limit),
            "page": str(query.page),
            "pages": max(1, -(-total // query.limit)),
        }
    )


def _entry(entry_shape: EntryShape) -> JsonObject:
    """Expenses within it, in the old interface's fields."""
    if expense := entry_shape.get("expense"):
        return {**entry_shape, "expense": as_v1(expense)}
    if (refund := entry_shape.get("refund")) and (expense := refund["expense"]):
        return {**entry_shape, "refund": {**refund, "expense": as_v1(expense)}}
    return entry_shape
