"""The catalogue of funds as their manager publishes it, and the price of a unit on a day."""

from datetime import date
from decimal import Decimal

from django.db import transaction
from django.utils import timezone

from service import errors
from service.auth import system_caller
from service.events.audit import record_audit
from service.investments import transitions
from service.investments.models import AccountStatus, Fund, FundAccount, FundPrice
from service.rails import fund_manager
from service.rails.fund_manager import Offer


def list_funds() -> list[Fund]:
    """All funds by code; the manager is asked the first time."""
    funds = list(Fund.objects.order_by("code"))
    return funds or refresh()


def get_fund(fund_id: str) -> Fund:
    """A fund of the catalogue by its id; 404 without it."""
    fund = next((candidate for candidate in list_funds() if candidate.id == fund_id), None)
    if fund is None:
        raise errors.not_found("fund")
    return fund


def refresh() -> list[Fund]:
    """Takes the manager's catalogue over; accounts of a fund that was closed are suspended, and resumed with it."""
    rows = [_upsert(offer) for offer in fund_manager.manager.catalogue()]
    for row in rows:
        closed = row.status == Fund.Status.CLOSED
        name = "suspend" if closed else "resume"
        status = AccountStatus.ACTIVE if closed else AccountStatus.SUSPENDED
        for account_id in FundAccount.objects.filter(fund=row, status=status).values_list("id", flat=True):
            _follow(account_id, name, status)
    return sorted(rows, key=lambda row: row.code)


def _upsert(offer: Offer) -> Fund:
    row, _ = Fund.objects.update_or_create(
        code=offer.code,
        defaults={
            "name": offer.name,
            "manager": fund_manager.manager.name,
            "currency": offer.currency,
            "type": offer.type,
            "annual_yield_bps": offer.annual_yield_bps,
            "yield_as_of": timezone.now().date(),
            "min_initial_minor": offer.min_initial_minor,
            "min_topup_minor": offer.min_topup_minor,
            "min_withdrawal_minor": offer.min_withdrawal_minor,
            "notice_days": offer.notice_days,
            "status": Fund.Status.OPEN if offer.open else Fund.Status.CLOSED,
        },
    )
    return row


def _follow(account_id: str, name: str, status: str) -> None:
    with transaction.atomic():
        rows = FundAccount.objects.select_for_update(no_key=True, of=("self",)).select_related("business")
        row = rows.filter(id=account_id, status=status).first()
        if row is None:
            return
        previous = transitions.move(row, name)
        row.version += 1
        row.save(update_fields=["status", "version", "updated_at"])
        caller = system_caller(row.business)
        record_audit(caller, f"investment.{name}", "fund_account", row.id, {"status": previous}, {"status": row.status})


def price_on(row: Fund, day: date) -> Decimal:
    """The price of a unit on a day, kept from the first time it is asked for."""
    known = FundPrice.objects.filter(fund=row, day=day).first()
    price: Decimal
    if known is not None:
        price = known.price
        return price
    price = fund_manager.manager.price(row.code, day)
    FundPrice.objects.bulk_create([FundPrice(fund=row, day=day, price=price)], ignore_conflicts=True)
    return price
