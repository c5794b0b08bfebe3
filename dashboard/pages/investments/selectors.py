"""What the investments' pages read: accounts that somebody may see, the service live, and who and what may be chosen."""

from datetime import datetime

from django.db.models import Case, IntegerField, Value, When
from django.shortcuts import get_object_or_404
from pydantic import ValidationError

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.access.subject import Subject
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.client.page import parsed, read_page, typed
from dashboard.client.reads import read_live
from dashboard.commands.investments import operators_of, subject_about
from dashboard.errors import FinanceError
from dashboard.mirror.models import FundAccount
from dashboard.mirror.scopes import visible_employees, visible_fund_accounts, visible_wallets
from dashboard.schemas.investments import Access, Fund, FundPosition, Operators, Performance, Portfolio

LIVE_S = 2.0
MOST_WALLETS = 100
MOST_PEOPLE = 200


def fund_account_of(actor: Actor, remote_id: str) -> FundAccount:
    """The fund account of this id, if the actor may see it; else raises Http404."""
    account: FundAccount = get_object_or_404(visible_fund_accounts(actor), remote_id=remote_id)
    return account


def read_portfolio(actor: Actor) -> list[tuple[Portfolio, Performance | None]]:
    """What is held in each currency, with how its value came about in the last ninety days. Raises the FinanceError tree."""
    rows = typed(read_page(read_live(actor, operations_extra.READ_PORTFOLIO, deadline=LIVE_S).data).rows, Portfolio)
    answer = read_live(actor, operations_extra.READ_PERFORMANCE, deadline=LIVE_S)
    by_currency = {row.currency: row for row in typed(read_page(answer.data).rows, Performance)}
    return [(row, by_currency.get(row.currency)) for row in rows]


def read_funds(actor: Actor) -> list[Fund]:
    """The funds on offer, open ones first, then by name. Raises the FinanceError tree."""
    rows = typed(read_page(read_live(actor, operations_extra.LIST_FUNDS, deadline=LIVE_S).data).rows, Fund)
    return sorted(rows, key=lambda fund: (fund.status != "OPEN", fund.name))


def fund_name_of(actor: Actor, fund_id: str) -> str:
    """What a fund on offer is called, for the audit; "" where it is not on offer, or cannot be asked for now."""
    try:
        return next((fund.name for fund in read_funds(actor) if fund.id == fund_id), "")
    except FinanceError:
        return ""


def read_account(actor: Actor, account: FundAccount) -> tuple[FundPosition, datetime]:
    """What the business has in a fund now, with its movements; and when it was read. Raises the FinanceError tree."""
    path = {"fundAccountId": account.remote_id}
    answer = read_live(actor, operations_extra.READ_FUND_ACCOUNT, path=path, subject=account, deadline=LIVE_S)
    return parsed(answer.data, FundPosition), answer.as_of


def read_access(actor: Actor, account: FundAccount) -> Access | None:
    """What the actor may do with an account and why, as the service says; None where it does not answer."""
    try:
        answer = read_live(
            actor, operations.READ_OWN_FUND_ACCESS, path={"fundAccountId": account.remote_id},
            subject=_own(actor, account), deadline=LIVE_S,
        )  # fmt: skip
        return Access.model_validate(answer.data)
    except (FinanceError, ValidationError):
        return None


def _own(actor: Actor, account: FundAccount) -> Subject:
    # A person asks for their own access alone, so the row is their own.
    return Subject(
        business_id=account.business_id, kind="fund_account", id=account.remote_id, title=account.fund_name,
        holder_id=actor.employee_id,
    )  # fmt: skip


def can_replace_operators(actor: Actor, account: FundAccount) -> bool:
    """Whether the actor may name the operators of an account."""
    return bool(can(actor, operations.REPLACE_TREASURY_OPERATORS, subject_about(account)))


def current_operators(actor: Actor, account: FundAccount) -> Operators | None:
    """The operators of now with their version, for who names or confirms them; None for others, and without an answer."""
    if not can_replace_operators(actor, account):
        return None
    try:
        return operators_of(actor, account)
    except FinanceError:
        return None


def last_replacement_by(actor: Actor, account: FundAccount) -> str:
    """Who was the last here to replace the operators of an account, by the audit."""
    entries = AuditEntry.objects.filter(
        chain=actor.business.pk, object_type="fund_account", object_id=account.remote_id, outcome=Outcome.DONE,
        operation=operations.REPLACE_TREASURY_OPERATORS.name,
    )  # fmt: skip
    name = entries.order_by("-id").values_list("actor_name", flat=True).first()
    return name or "Somebody outside this dashboard"


def fund_wallet_choices(actor: Actor, account: FundAccount) -> list[tuple[str, str]]:
    """The wallets on the other side of a fund's money: active ones of its currency; reference and name, by name."""
    rows = visible_wallets(actor).filter(currency=account.currency, status="ACTIVE")
    ordered = rows.exclude(wallet_type="INVESTMENT").order_by("name", "org_wallet_ref")
    return [(row.org_wallet_ref, row.name or row.org_wallet_ref) for row in ordered[:MOST_WALLETS]]


def operator_choices(actor: Actor, chosen: list[str]) -> list[tuple[str, str]]:
    """Who may be chosen as an operator, id and name; those who are chosen come first.

    So however many people there are, replacing the set drops nobody unseen. The actor is not among them: nobody names
    themselves.
    """
    ids = [employee_id for employee_id in chosen if employee_id.isalnum()]
    first = Case(When(remote_id__in=ids, then=Value(0)), default=Value(1), output_field=IntegerField())
    rows = visible_employees(actor).filter(status="ACTIVE").exclude(remote_id=actor.employee_id)
    return list(rows.order_by(first, "sort_name", "pk").values_list("remote_id", "name")[:MOST_PEOPLE])
