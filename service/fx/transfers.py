"""Exchanging between two wallets of a business: by a live quote, after votes where a mandate asks for them.

Postings: source wallet → FX_CLEARING of its currency; FX_CLEARING of the other → target wallet; and the spread, as a
transaction of its own, FX_CLEARING → FX_INCOME. Each currency sums to zero by itself.
"""

from decimal import Decimal

from django.db import transaction
from django.utils import timezone

from service import errors, grants, money
from service.accounts import schemas as accounts
from service.accounts.actions import wallets
from service.accounts.wallets import Wallet, usable_wallet
from service.approvals import actions as approvals
from service.approvals.models import ActionType, Approval, ApprovalStatus
from service.approvals.subjects import Asked
from service.auth import Caller
from service.businesses.models import Role
from service.events.audit import note
from service.events.outbox import record
from service.fx import pricing, quotes, rates, schemas
from service.fx.models import FxTransfer, Quote, TransferStatus
from service.fx.schemas import FxTransferBody
from service.ledger.chart import system_account
from service.ledger.models import LedgerHold
from service.ledger.post import Leg, capture_legs, hold, post, release, today
from service.transactions import book
from service.wallet_policies import limits

KIND = "FX_TRANSFER"
MOVERS = frozenset({Role.APPROVER})
# How much worse than quoted the rate may be when the last vote comes, in parts of ten thousand.
MAY_MOVE_BPS = 100


def transfer(caller: Caller, body: FxTransferBody) -> FxTransfer:
    """Exchanges at a quote's rate; PENDING_APPROVAL with the money held where a mandate asks for votes.

    404 for a wallet or quote, 403 without role or grant on the paying wallet, 409 quote_expired, 409 duplicate for a
    quote that was used, 422 for an amount or wallets that do not fit the quote, 422 insufficient_funds.
    """
    with transaction.atomic():
        source = usable_wallet(caller.business, body.from_org_wallet_ref)
        grants.check(caller, MOVERS, "WALLET_FX", source.id)
        target = usable_wallet(caller.business, body.to_org_wallet_ref)
        quote = _quote(caller, body.quote_id)
        _check_wallets(quote, source, target)
        priced = quotes.price(quote, _minor(quote, body.amount), "amount")
        _check_bounds(source.currency, priced.source_minor)
        row = FxTransfer(
            business=caller.business,
            quote=quote,
            source_wallet=source,
            target_wallet=target,
            source_minor=priced.source_minor,
            target_minor=priced.target_minor,
            fee_minor=priced.fee_minor,
            rate=quote.sell,
            note=body.note,
            status=TransferStatus.PENDING_APPROVAL,
            requested_by=caller.label,
        )
        limits.check(caller, source, "WALLET_FX", row.source_minor, ref=_ref(row))
        if approvals.request(caller, _asked(caller, row)):
            row.ledger_hold_id = hold(caller.business, source.ledger_account_id, row.source_minor, _ref(row)).pk
            row.save(force_insert=True)
            _tell(caller, row, "fx.transfer.requested", "fx.request")
        else:
            row.save(force_insert=True)
            _book(caller, row, priced.fee_minor)
    return row


def voted(caller: Caller, approval: Approval) -> None:
    """After the last vote: exchanged at the rate of now, or failed where it moved too far against the business.

    503 rate_unavailable undoes the vote itself: it can be given again when the feed is back.
    """
    rows = FxTransfer.objects.select_for_update(of=("self",)).select_related("source_wallet", "target_wallet", "quote")
    row = rows.get(pk=approval.subject_id)
    if row.status != TransferStatus.PENDING_APPROVAL:
        raise errors.invalid_state(f"The transfer is {row.status} already.")
    if approval.status != ApprovalStatus.APPROVED:
        _end(caller, row, TransferStatus.REJECTED, approval.status.lower())
        return
    mid = rates.current(row.source_wallet.currency, row.target_wallet.currency)
    sell = pricing.sell_rate(mid.mid)
    if sell * 10_000 < row.rate * (10_000 - MAY_MOVE_BPS):
        _end(caller, row, TransferStatus.FAILED, "rate_moved")
        return
    priced = pricing.amounts(
        row.source_wallet.currency,
        row.target_wallet.currency,
        minor=row.source_minor,
        fixed_source=True,
        mid=mid.mid,
        sell=sell,
    )
    row.rate, row.target_minor, row.fee_minor = sell, priced.target_minor, priced.fee_minor
    _book(caller, row, priced.fee_minor)


def _ref(row: FxTransfer) -> str:
    return f"fx:{row.id}"


def _book(caller: Caller, row: FxTransfer, spread_minor: int) -> None:
    """Posts both legs and the spread, writes them down, and ends the transfer."""
    business, source, target = caller.business, row.source_wallet, row.target_wallet
    clearing = system_account(business, "FX_CLEARING", target.currency).pk
    legs = [
        Leg(source.ledger_account_id, -row.source_minor),
        Leg(system_account(business, "FX_CLEARING", source.currency).pk, row.source_minor),
        Leg(clearing, -row.target_minor),
        Leg(target.ledger_account_id, row.target_minor),
    ]
    text = f"{source.currency} to {target.currency} at {row.rate:f}"
    if row.ledger_hold_id:
        held = LedgerHold.objects.get(pk=row.ledger_hold_id)
        posted = capture_legs(held, legs, _ref(row), kind="FX", description=text)
    else:
        posted = post(business, _ref(row), "FX", legs, text)
    if spread_minor:
        income = system_account(business, "FX_INCOME", target.currency).pk
        spread = [Leg(clearing, -spread_minor), Leg(income, spread_minor)]
        post(business, f"{_ref(row)}:spread", "FX_SPREAD", spread, f"Spread: {text}")
    row.status = TransferStatus.COMPLETED
    row.ledger_hold_id, row.ledger_transaction_id, row.effective_on = None, posted.id, today(business)
    row.save()
    for paying, minor, direction, other in (
        (source, row.source_minor, "OUT", target),
        (target, row.target_minor, "IN", source),
    ):
        book.record(
            caller,
            type="IFT",
            org_wallet_ref=paying.org_wallet_ref,
            currency=paying.currency,
            amount_minor=minor,
            direction="OUT" if direction == "OUT" else "IN",
            ref=_ref(row),
            ledger_transaction_id=posted.id,
            counterparty=other.name,
            channel="FX",
        )
    _tell(caller, row, "fx.transfer.completed", "fx.transfer")
    for each in wallets(caller).filter(id__in=(source.id, target.id)):
        record(business, "wallet.balance_changed", accounts.wallet(each), actor=caller)


def _end(caller: Caller, row: FxTransfer, status: TransferStatus, code: str) -> None:
    """Gives the held money back."""
    if row.ledger_hold_id:
        release(LedgerHold.objects.get(pk=row.ledger_hold_id), f"{_ref(row)}:end")
    limits.undo(row.source_wallet, _ref(row))
    row.status, row.failure_code, row.ledger_hold_id = status, code, None
    row.version += 1
    row.save()
    _tell(caller, row, "fx.transfer.failed", "fx.end")


def _tell(caller: Caller, row: FxTransfer, event: str, action: str) -> None:
    shown = schemas.transfer(row)
    record(caller.business, event, shown, actor=caller)
    note(caller, action, "fx_transfer", row.id, after=shown)


def _quote(caller: Caller, quote_id: str) -> Quote:
    """The quote, locked: two transfers cannot both use it."""
    rows = Quote.objects.select_for_update(of=("self",))
    found = rows.filter(business_id=caller.business.id, id=quote_id).first()
    if found is None:
        raise errors.not_found("quote")
    if FxTransfer.objects.filter(quote=found).exists():
        raise errors.duplicate("This quote was used already.")
    if found.expires_at <= timezone.now():
        raise errors.quote_expired()
    return found


def _check_wallets(quote: Quote, source: Wallet, target: Wallet) -> None:
    for field, wallet, wanted in (
        ("from_org_wallet_ref", source, quote.source_currency),
        ("to_org_wallet_ref", target, quote.target_currency),
    ):
        if wallet.currency != wanted:
            raise errors.validation_failed(field, f"The quote is for {wanted}, the wallet holds {wallet.currency}.")


def _minor(quote: Quote, amount: Decimal | None) -> int:
    """The amount in the quote's fixed currency: the quote's own, or the one that it left open."""
    if amount is None:
        if quote.amount_minor is None:
            raise errors.validation_failed("amount", "The quote names no amount: name it here.", "missing")
        return quote.amount_minor
    try:
        minor = money.to_minor(amount, quotes.fixed_currency(quote))
    except money.MoneyError as refusal:
        raise errors.validation_failed("amount", str(refusal)) from None
    if quote.amount_minor not in (None, minor):
        raise errors.validation_failed("amount", "The quote was made for another amount.")
    return minor


def _check_bounds(currency: str, minor: int) -> None:
    least, most = schemas.limits(currency)
    if minor < least:
        raise errors.validation_failed("amount", f"At least {money.Money(least, currency)} is exchanged.", "range")
    if minor > most:
        raise errors.limit_exceeded(f"At most {money.Money(most, currency)} is exchanged at once.")


def _asked(caller: Caller, row: FxTransfer) -> Asked:
    source, target = row.source_wallet, row.target_wallet
    return Asked(
        kind=KIND,
        action_type=ActionType.FX_TRANSFER,
        ref=f"FX{row.id}",
        subject_id=row.id,
        title=f"Exchange {source.currency} to {target.currency}",
        payee=target.name,
        amount_minor=row.source_minor,
        currency=source.currency,
        org_wallet_ref=source.org_wallet_ref,
        maker_ids=[caller.employee_id] if caller.employee_id else [],
    )
