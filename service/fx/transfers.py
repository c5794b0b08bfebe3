"""Moving money between two wallets of a business, after votes where a mandate asks for them.

Between two currencies by a live quote. Postings: source wallet → FX_CLEARING of its currency; FX_CLEARING of the other →
target wallet; and the spread, as a transaction of its own, FX_CLEARING → FX_INCOME. Each currency sums to zero by itself.
Between two wallets of one currency as an internal transfer (decisions F.6): one posting, source → target, at rate 1.
"""

from decimal import Decimal

from django.db import transaction
from django.utils import timezone

from service import effects, errors, grants, money
from service.accounts.wallets import Wallet, usable_wallet
from service.approvals import services as approvals
from service.approvals.models import ActionType, Approval, ApprovalStatus
from service.approvals.subjects import ApprovalSubject
from service.auth import Caller
from service.businesses.models import Business, Role
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.fx import pricing, quotes, rates, serializers
from service.fx.models import FxTransfer, Quote, TransferStatus
from service.fx.schemas import FxTransferBody
from service.journal import services as journal
from service.ledger.chart import system_account
from service.ledger.models import LedgerHold
from service.ledger.post import Leg, PostedTransaction, capture_legs, hold, post, release, today
from service.wallet_policies import limits

KIND = "FX_TRANSFER"
MOVERS = frozenset({Role.APPROVER})
# How much worse than quoted the rate may be when the last vote comes, in parts of ten thousand.
MAY_MOVE_BPS = 100


def create_transfer(caller: Caller, body: FxTransferBody) -> FxTransfer:
    """Exchanges at a quote's rate, or moves between wallets of one currency; PENDING_APPROVAL with the money held where
    a mandate asks for votes.

    404 for a wallet or quote, 403 without role or grant on the paying wallet, 409 quote_expired, 409 duplicate for a
    quote that was used, 422 for an amount or wallets that do not fit the quote or each other, 422 insufficient_funds.
    """
    with transaction.atomic():
        source = usable_wallet(caller.business, body.from_org_wallet_ref)
        grants.check(caller, MOVERS, "WALLET_FX", source.id)
        transfers = FxTransfer.objects.filter(business_id=caller.business.id)
        if (done := effects.earlier(caller, transfers.select_related("source_wallet", "target_wallet"))) is not None:
            return done
        target = usable_wallet(caller.business, body.to_org_wallet_ref, locked=True)
        row = FxTransfer(
            id=effects.new_id(caller),
            business=caller.business,
            source_wallet=source,
            target_wallet=target,
            note=body.note,
            status=TransferStatus.PENDING_APPROVAL,
            requested_by=caller.label,
        )
        if body.quote_id is not None:
            _by_quote(caller, row, body.quote_id, body.amount)
        else:
            _at_par(row, body.amount)
        limits.check(caller, source, "WALLET_FX", row.source_minor, ref=_ref(row))
        if approvals.request_approval(caller, _subject(caller, row)):
            row.ledger_hold_id = hold(caller.business, source.ledger_account_id, row.source_minor, _ref(row)).pk
            row.save(force_insert=True)
            _record_change(caller, row, "fx.transfer.requested", "fx.request")
        else:
            row.save(force_insert=True)
            _book(caller, row)
    return row


def _by_quote(caller: Caller, row: FxTransfer, quote_id: str, amount: Decimal | None) -> None:
    """What the quote promises, for a transfer that is not saved yet."""
    quote = _quote(caller, quote_id)
    _check_wallets(quote, row.source_wallet, row.target_wallet)
    priced = quotes.price(quote, _minor(quote, amount), "amount")
    _check_bounds(row.source_wallet.currency, priced.source_minor)
    row.quote, row.rate = quote, quote.sell
    row.source_minor, row.target_minor, row.fee_minor = priced.source_minor, priced.target_minor, priced.fee_minor


def _at_par(row: FxTransfer, amount: Decimal | None) -> None:
    """The same amount on both sides, for a transfer that is not saved yet."""
    source, target = row.source_wallet, row.target_wallet
    if source.id == target.id:
        raise errors.validation_failed("to_org_wallet_ref", "It is the wallet that pays.", "same")
    if source.currency != target.currency:
        message = f"From {source.currency} to {target.currency} it takes a quote: ask for one first."
        raise errors.validation_failed("quote_id", message, "missing")
    if amount is None:
        raise errors.validation_failed("amount", "Say how much is moved.", "missing")
    row.rate, row.fee_minor = Decimal(1), 0
    row.source_minor = row.target_minor = _in_minor(amount, source.currency)


def voted(caller: Caller, approval: Approval) -> None:
    """After the last vote: exchanged at the rate of now, or failed where it moved too far against the business.

    503 rate_unavailable undoes the vote itself: it can be given again when the feed is back.
    """
    rows = FxTransfer.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "source_wallet", "target_wallet", "quote"
    )
    row = rows.get(pk=approval.subject_id)
    if row.status != TransferStatus.PENDING_APPROVAL:
        raise errors.invalid_state(f"The transfer is {row.status} already.")
    if approval.status != ApprovalStatus.APPROVED:
        _end(caller, row, TransferStatus.REJECTED, approval.status.lower())
        return
    if row.quote is None:
        _book(caller, row)
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
    _book(caller, row)


def _ref(row: FxTransfer) -> str:
    return f"fx:{row.id}"


def _book(caller: Caller, row: FxTransfer) -> None:
    """Posts what moves, writes it down, and ends the transfer."""
    business, source, target = caller.business, row.source_wallet, row.target_wallet
    posted = _exchange(business, row) if row.quote else _move(business, row)
    row.status = TransferStatus.COMPLETED
    row.ledger_hold_id, row.ledger_transaction_id, row.effective_on = None, posted.id, today(business)
    row.save()
    for paying, minor, direction, other in (
        (source, row.source_minor, "OUT", target),
        (target, row.target_minor, "IN", source),
    ):
        journal.record_movement(
            caller,
            type="IFT",
            org_wallet_ref=paying.org_wallet_ref,
            currency=paying.currency,
            amount_minor=minor,
            direction="OUT" if direction == "OUT" else "IN",
            ref=_ref(row),
            ledger_transaction_id=posted.id,
            counterparty=other.name,
            channel="FX" if row.quote else "WALLET",
        )
    _record_change(caller, row, "fx.transfer.completed", "fx.transfer")


def _exchange(business: Business, row: FxTransfer) -> PostedTransaction:
    """Both legs by way of the pool, and the spread as a posting of its own."""
    source, target = row.source_wallet, row.target_wallet
    clearing = system_account(business, "FX_CLEARING", target.currency).pk
    legs = [
        Leg(source.ledger_account_id, -row.source_minor),
        Leg(system_account(business, "FX_CLEARING", source.currency).pk, row.source_minor),
        Leg(clearing, -row.target_minor),
        Leg(target.ledger_account_id, row.target_minor),
    ]
    text = f"{source.currency} to {target.currency} at {row.rate:f}"
    posted = _post(business, row, "FX", legs, text)
    if row.fee_minor:
        income = system_account(business, "FX_INCOME", target.currency).pk
        spread = [Leg(clearing, -row.fee_minor), Leg(income, row.fee_minor)]
        post(business, f"{_ref(row)}:spread", "FX_SPREAD", spread, f"Spread: {text}")
    return posted


def _move(business: Business, row: FxTransfer) -> PostedTransaction:
    """Out of one wallet and into the other."""
    source, target = row.source_wallet, row.target_wallet
    legs = [Leg(source.ledger_account_id, -row.source_minor), Leg(target.ledger_account_id, row.target_minor)]
    return _post(business, row, "IFT", legs, row.note or f"{source.name} to {target.name}")


def _post(business: Business, row: FxTransfer, kind: str, legs: list[Leg], text: str) -> PostedTransaction:
    """Posts the transfer, out of the hold where it waited for votes."""
    if row.ledger_hold_id:
        held = LedgerHold.objects.get(pk=row.ledger_hold_id)
        return capture_legs(held, legs, _ref(row), kind=kind, description=text)
    return post(business, _ref(row), kind, legs, text)


def _end(caller: Caller, row: FxTransfer, transfer_status: TransferStatus, code: str) -> None:
    """Gives the held money back."""
    if row.ledger_hold_id:
        release(LedgerHold.objects.get(pk=row.ledger_hold_id), f"{_ref(row)}:end")
    limits.undo(row.source_wallet, _ref(row))
    row.status, row.failure_code, row.ledger_hold_id = transfer_status, code, None
    row.version += 1
    row.save()
    _record_change(caller, row, "fx.transfer.failed", "fx.end")


def _record_change(caller: Caller, row: FxTransfer, event: str, action: str) -> None:
    payload = serializers.transfer(row)
    record_event(caller.business, event, payload, actor=caller)
    record_audit(caller, action, "fx_transfer", row.id, after=payload)


def _quote(caller: Caller, quote_id: str) -> Quote:
    """The quote, locked: two transfers cannot both use it."""
    rows = Quote.objects.select_for_update(no_key=True, of=("self",))
    quote = rows.filter(business_id=caller.business.id, id=quote_id).first()
    if quote is None:
        raise errors.not_found("quote")
    if FxTransfer.objects.filter(quote=quote).exists():
        raise errors.duplicate("This quote was used already.")
    if quote.expires_at <= timezone.now():
        raise errors.quote_expired()
    return quote


def _check_wallets(quote: Quote, source_wallet: Wallet, target_wallet: Wallet) -> None:
    for field, wallet, currency in (
        ("from_org_wallet_ref", source_wallet, quote.source_currency),
        ("to_org_wallet_ref", target_wallet, quote.target_currency),
    ):
        if wallet.currency != currency:
            raise errors.validation_failed(field, f"The quote is for {currency}, the wallet holds {wallet.currency}.")


def _minor(quote: Quote, amount: Decimal | None) -> int:
    """The amount in the quote's fixed currency: the quote's own, or the one that it left open."""
    if amount is None:
        if quote.amount_minor is None:
            raise errors.validation_failed("amount", "The quote names no amount: name it here.", "missing")
        return quote.amount_minor
    minor = _in_minor(amount, quotes.fixed_currency(quote))
    if quote.amount_minor not in (None, minor):
        raise errors.validation_failed("amount", "The quote was made for another amount.")
    return minor


def _in_minor(amount: Decimal, currency: str) -> int:
    try:
        return money.to_minor(amount, currency)
    except money.MoneyError as refusal:
        raise errors.validation_failed("amount", str(refusal)) from None


def _check_bounds(currency: str, minor: int) -> None:
    least, most = serializers.limits(currency)
    if minor < least:
        raise errors.validation_failed("amount", f"At least {money.Money(least, currency)} is converted.", "range")
    if minor > most:
        raise errors.limit_exceeded(f"At most {money.Money(most, currency)} is converted at a time.")


def _subject(caller: Caller, row: FxTransfer) -> ApprovalSubject:
    source, target = row.source_wallet, row.target_wallet
    return ApprovalSubject(
        kind=KIND,
        action_type=ActionType.FX_TRANSFER,
        ref=f"FX{row.id}",
        subject_id=row.id,
        title=f"FX {source.currency} to {target.currency}" if row.quote else f"Transfer to {target.name}"[:200],
        payee=target.name,
        amount_minor=row.source_minor,
        currency=source.currency,
        org_wallet_ref=source.org_wallet_ref,
        maker_ids=[caller.employee_id] if caller.employee_id else [],
    )
