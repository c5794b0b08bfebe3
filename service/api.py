"""Every router of the service on one screen: v2, v1, and what a sandbox twin adds."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI, Swagger
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation

from service import errors, problems
from service.accounting import v2 as accounting
from service.accounting import v2_journal_exports as journal_exports
from service.accounting import v2_reconciliation as reconciliation
from service.accounts import v2 as accounts
from service.approvals import v2 as approvals
from service.bill_schedules import v2 as bill_schedules
from service.bills import v2 as bills
from service.bills import v2_payments as bill_payments
from service.budgets import v2 as budgets
from service.business_policies import v2 as business_policies
from service.cards import v2 as cards
from service.cards import v2_static as cards_static
from service.categories import v2 as categories
from service.credit_notes import v2 as credit_notes
from service.customers import v2 as customers
from service.employees import v1 as employees_v1
from service.employees import v2 as employees
from service.employees import v2_funds as employee_funds
from service.events import v2 as events
from service.expenses import v1 as expenses_v1
from service.expenses import v2 as expenses
from service.expenses import v2_receipts as receipts
from service.expenses import v2_reports as expense_reports
from service.fx import v2 as fx
from service.investments import v2 as investments
from service.investments import v2_portfolio as portfolio
from service.json_body import ExactParser
from service.openapi import document
from service.payments import v2 as payments
from service.permissions import v2 as permissions
from service.respond import JsonObject, Renderer, refuse
from service.sandbox import v2 as play
from service.sandbox import v2_demo as demo
from service.statements import v1 as statements_v1
from service.subscriptions import v2 as subscriptions
from service.taxes import v2 as taxes
from service.teams import v1 as teams_v1
from service.teams import v2 as teams
from service.transactions import v2 as transactions
from service.vendors import v2 as vendors
from service.vendors import v2_records as vendor_records
from service.wallet_policies import v2 as wallet_policies
from service.webhooks import v2 as webhooks

DESCRIPTION = """Money movement, spend and cards, ledger, master data and governance of a business.

Fetch a token with the client credentials grant at `/oauth/token`, send it as `Authorization: Bearer`, and name the
business in the header `business_id`. Every operation that moves money needs an `Idempotency-Key`. Refusals are
RFC 9457 problem details with a machine `code`. A number may be sent as a text of digits, too; days are YYYY-MM-DD.
"""
DESCRIPTION_V1 = """The older interface: an API key in the header `x-api-key`, plain answers, refusals of two fields.

Use v2 for anything new. A body that is not valid is a 400 here.
"""


class ServiceAPI(NinjaAPI):
    """A ninja API whose OpenAPI document also holds the shared components (security schemes, the Problem schema)."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._documents: dict[str, OpenAPISchema] = {}

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: JsonObject | None = None
    ) -> OpenAPISchema:
        """The document, put together once per process: seconds of work, and the same for everybody who asks."""
        # Paths as published: relative to the server's address, which ends with the version.
        prefix = path_prefix or ""
        if prefix not in self._documents:
            self._documents[prefix] = document.finish(document.Document(self, prefix), self)
        return self._documents[prefix]

    def get_openapi_operation_id(self, operation: Operation) -> str:
        """The view's own name: what a generated client calls it."""
        return operation.view_func.__name__


def _api(version: str, namespace: str, **options: Any) -> NinjaAPI:
    api = ServiceAPI(
        title="Business Finance Service",
        version=version,
        urls_namespace=namespace,
        renderer=Renderer(),
        parser=ExactParser(),
        **options,
    )
    problems.install(api)
    return api


v2 = _api(
    "2.0.0",
    "v2",
    description=DESCRIPTION,
    docs=Swagger(settings={"defaultModelsExpandDepth": 0, "docExpansion": "none", "filter": True}),
)
v1 = _api("1.0.0", "v1", description=DESCRIPTION_V1, docs_url=None)
sandbox = _api("2.0.0-sandbox", "sandbox", docs_url=None, openapi_url=None, auth=play.may_play)

v2.add_router("/expenses", expenses.router)
v2.add_router("/expenses", receipts.router)
v2.add_router("/expenses", expense_reports.router)
v2.add_router("/accounts", accounts.router)
v2.add_router("/approvals", approvals.router)
v2.add_router("/payments", payments.router)
v2.add_router("/categories", categories.router)
v2.add_router("/customers", customers.router)
v2.add_router("/employees", employee_funds.router)
v2.add_router("/employees", employees.router)
v2.add_router("/teams", teams.router)
v2.add_router("/cards", cards_static.router)
v2.add_router("/cards", cards.router)
v2.add_router("/permissions", permissions.router)
v2.add_router("/business-policies", business_policies.router)
v2.add_router("/wallet-policies", wallet_policies.router)
v2.add_router("/transactions", transactions.router)
v2.add_router("/fx", fx.router)
v2.add_router("/accounting", journal_exports.router)
v2.add_router("/accounting", reconciliation.router)
v2.add_router("/accounting", accounting.router)
v2.add_router("/investments", portfolio.router)
v2.add_router("/investments", investments.router)
v2.add_router("/vendors", vendors.router)
v2.add_router("/vendors", vendor_records.router)
v2.add_router("/taxes", taxes.router)
v2.add_router("/subscriptions", subscriptions.router)
v2.add_router("/bill-schedules", bill_schedules.router)
v2.add_router("/credit-notes", credit_notes.router)
v2.add_router("/bills/budgets", budgets.router)
v2.add_router("/bills", bill_payments.router)
v2.add_router("/bills", bills.router)
v2.add_router("", events.router)
v2.add_router("/webhook-endpoints", webhooks.router)
v2.add_router("", demo.router)

v1.add_router("/expenses", expenses_v1.router)
v1.add_router("/teams", teams_v1.router)
v1.add_router("/wallet", statements_v1.router)
v1.add_router("/employees", employees_v1.router)

sandbox.add_router("", play.router)


def unknown_path(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """handler404: an address that does not exist is refused in the same shape as a thing that does not."""
    return refuse(request, errors.not_found("address"))


def unreadable(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """handler400: a request that Django could not take apart."""
    return refuse(request, errors.malformed_request("The request cannot be read."))


def failed(request: HttpRequest) -> HttpResponse:
    """Django's handler500: a failure outside of the API, as a problem like any other."""
    return refuse(request, errors.internal())
