"""Moving money into and out of a fund account: top-up at once, invest and withdraw by way of the fund manager.

Each waits for votes where a mandate asks for them (decisions F.4). A top-up that waits and an investment hold their cash, a withdrawal its units, from the request until it is settled or has failed. Locks: the
request for votes, then the fund account, then the movement.
"""

from datetime import date, timedelta
from decimal import Decimal

from django.db import transaction

from service import effects, errors, money
from service.accounts.wallets import Wallet, usable_wallet
from service.approvals import services as approvals
from service.approvals.models import ActionType
from service.approvals.subjects import ApprovalSubject
from service.auth import Caller
from service.investments import access, catalogue, changes, opt_ins, transitions, units
from service.investments.changes import write_down
from service.investments.models import (
    AccountStatus,
    FundAccount,
    Movement,
    MovementKind,
    MovementStatus,
)
from service.investments.schemas import InvestBody, TopUpBody, WithdrawBody
from service.ledger.models import LedgerHold
from service.ledger.post import Leg, capture_legs, hold, post, release, today
from service.wallet_policies import limits


def top_up(caller: Caller, account_id: str, body: TopUpBody) -> Movement:
    """Moves cash from a wallet of the business to the account's investment wallet: at once, or PENDING_APPROVAL with the
    cash held where a mandate asks for votes.

    404 for account or wallet, 403 without role or grant, 409 unless the account is ACTIVE, 422 for the amount.
    """
    access.check(caller, access.get_account(caller, account_id).id, "invest")
    with transaction.atomic():
        if (done := earlier(caller)) is not None:
            return done
        account = _open_account(caller, account_id)
        source = _wallet(caller, account, body.org_wallet_ref)
        minor = _minor(body.amount, account.fund.currency)
        row = _new(caller, account, MovementKind.TOP_UP, minor, source, today(caller.business))
        limits.check(caller, source, "WALLET_INVEST", minor, ref=row.ref)
        if approvals.request_approval(caller, _subject(caller, row)):
            row.ledger_hold_id = hold(caller.business, source.ledger_account_id, minor, row.ref).pk
            row.status = MovementStatus.PENDING_APPROVAL
            row.save(force_insert=True)
            changes.record_change(caller, row, "investment.topup_requested", "investment.top_up")
        else:
            row.status = MovementStatus.SETTLED
            _put_in(row)
            row.save(force_insert=True)
            write_down(caller, row, "OUT")
            changes.record_change(caller, row, "investment.topped_up", "investment.top_up")
    return row


def _put_in(row: Movement) -> None:
    """Posts a top-up, out of what is held for it where it waited for votes."""
    assert row.wallet is not None
    text = f"Top-up of {row.account.fund.name}"
    cash = _cash(row.account).ledger_account_id
    legs = [Leg(row.wallet.ledger_account_id, -row.amount_minor), Leg(cash, row.amount_minor)]
    if row.ledger_hold_id is not None:
        held = LedgerHold.objects.get(pk=row.ledger_hold_id)
        posted = capture_legs(held, legs, row.ref, kind="INVESTMENT", description=text)
    else:
        posted = post(row.business, row.ref, "INVESTMENT", legs, text)
    row.ledger_transaction_id = posted.id


def invest(caller: Caller, account_id: str, body: InvestBody) -> Movement:
    """Asks for units for cash, which is held from now on; PENDING_APPROVAL where a mandate asks for votes.

    Refusals as `top_up`, and 422 below the fund's minimum: the initial one first, then that of a top-up.
    """
    access.check(caller, access.get_account(caller, account_id).id, "invest")
    with transaction.atomic():
        if (done := earlier(caller)) is not None:
            return done
        account = _open_account(caller, account_id)
        source = _wallet(caller, account, body.org_wallet_ref) if body.org_wallet_ref else _cash(account)
        minor = _minor(body.amount, account.fund.currency)
        _check_least(account, minor)
        row = _new(caller, account, MovementKind.INVEST, minor, source, today(caller.business))
        limits.check(caller, source, "WALLET_INVEST", minor, ref=row.ref)
        row.ledger_hold_id = hold(caller.business, source.ledger_account_id, minor, row.ref).pk
        return _request_movement(caller, row)


def withdraw(caller: Caller, account_id: str, body: WithdrawBody) -> Movement:
    """Asks for cash for units, which are held from now on; paid out after the fund's notice, at the price of then.

    404, 403 as `top_up`; 409 unless the account is ACTIVE or SUSPENDED; 422 insufficient_funds for more units than
    are free, 422 below the minimum unless all is withdrawn.
    """
    access.check(caller, access.get_account(caller, account_id).id, "withdraw")
    with transaction.atomic():
        if (done := earlier(caller)) is not None:
            return done
        account = access.lock_account(caller, account_id)
        if account.status not in (AccountStatus.ACTIVE, AccountStatus.SUSPENDED):
            raise errors.invalid_state(f"The fund account is {account.status}.")
        target = _wallet(caller, account, body.org_wallet_ref) if body.org_wallet_ref else _cash(account)
        requested_units, estimate = _measure(account, body)
        free = account.units - account.held_units
        if requested_units > free:
            raise errors.insufficient_funds(f"{free.normalize():f} units are free to withdraw.")
        if requested_units < free and estimate < account.fund.min_withdrawal_minor:
            least = money.Money(account.fund.min_withdrawal_minor, account.fund.currency)
            raise errors.validation_failed("amount", f"At least {least} is withdrawn, or all.", "range")
        due = today(caller.business) + timedelta(days=account.fund.notice_days)
        row = _new(caller, account, MovementKind.WITHDRAW, estimate, target, due)
        row.units = requested_units
        account.held_units += requested_units
        account.version += 1
        account.save(update_fields=["held_units", "version", "updated_at"])
        return _request_movement(caller, row)


def earlier(caller: Caller) -> Movement | None:
    """What the same request made before, however long ago; None for the first."""
    rows = Movement.objects.filter(business_id=caller.business.id)
    return effects.earlier(caller, rows.select_related("account__fund", "wallet"))


def decide_movement(caller: Caller, movement_id: str, *, approved: bool) -> None:
    """After the votes: a top-up is made, another movement waits for its value date, and what was refused is cancelled and
    gives back what it held. 409 for a top-up of an account that takes no money now: the vote can be given again."""
    row = lock_movement(movement_id)
    if approved and row.kind == MovementKind.TOP_UP:
        _approve_top_up(caller, row)
        return
    previous = transitions.move(row, "approve" if approved else "cancel")
    if not approved:
        give_back(row)
    changes.save(row)
    verb = "approved" if approved else "cancelled"
    changes.record_change(caller, row, f"investment.{verb}", f"investment.{verb}", previous)


def _approve_top_up(caller: Caller, row: Movement) -> None:
    if row.account.status != AccountStatus.ACTIVE:
        raise errors.invalid_state(f"The fund account is {row.account.status}: it takes no money.")
    previous = transitions.move(row, "approve top-up")
    _put_in(row)
    changes.save(row)
    write_down(caller, row, "OUT")
    changes.record_change(caller, row, "investment.topped_up", "investment.approved", previous)


def lock_movement(movement_id: str) -> Movement:
    """A movement with its account, fund and wallet, locked for a change: the account first, as everywhere."""
    account_id = Movement.objects.values_list("account_id", flat=True).get(pk=movement_id)
    FundAccount.objects.select_for_update(no_key=True, of=("self",)).get(pk=account_id)
    rows = Movement.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "account__fund", "account__cash", "account__holding", "wallet", "business"
    )
    return rows.get(pk=movement_id)


def give_back(row: Movement) -> None:
    """Ends what the movement held: cash, or units."""
    if row.ledger_hold_id and row.wallet is not None:
        release(LedgerHold.objects.get(pk=row.ledger_hold_id), f"{row.ref}:end")
        limits.undo(row.wallet, row.ref)
    if row.kind == MovementKind.WITHDRAW:
        row.account.held_units -= row.units
        row.account.version += 1
        row.account.save(update_fields=["held_units", "version", "updated_at"])


def _request_movement(caller: Caller, row: Movement) -> Movement:
    approval = approvals.request_approval(caller, _subject(caller, row))
    row.status = MovementStatus.PENDING_APPROVAL if approval else MovementStatus.REQUESTED
    row.save(force_insert=True)
    verb = "invest" if row.kind == MovementKind.INVEST else "withdraw"
    changes.record_change(caller, row, f"investment.{verb}_requested", f"investment.{verb}")
    return row


def _new(
    caller: Caller, fund_account: FundAccount, kind: MovementKind, minor: int, wallet: Wallet | None, due: date
) -> Movement:
    row_id = effects.new_id(caller)
    return Movement(
        id=row_id,
        account=fund_account,
        business=caller.business,
        ref=f"IN{row_id}",
        kind=kind,
        status=MovementStatus.REQUESTED,
        amount_minor=minor,
        wallet=wallet,
        value_date=due,
        requested_by=caller.label,
    )


def _open_account(caller: Caller, account_id: str) -> FundAccount:
    account = access.lock_account(caller, account_id)
    if account.status != AccountStatus.ACTIVE:
        raise errors.invalid_state(f"The fund account is {account.status}: it takes no money.")
    return account


def _cash(fund_account: FundAccount) -> Wallet:
    assert fund_account.cash is not None  # made when the opt-in was approved
    return fund_account.cash


def _wallet(caller: Caller, fund_account: FundAccount, ref: str) -> Wallet:
    wallet = usable_wallet(caller.business, ref)
    if wallet.currency != fund_account.fund.currency:
        raise errors.validation_failed("org_wallet_ref", f"The fund is in {fund_account.fund.currency}.")
    return wallet


def _minor(amount: Decimal, currency: str) -> int:
    try:
        return money.to_minor(amount, currency)
    except money.MoneyError as refusal:
        raise errors.validation_failed("amount", str(refusal)) from None


def _check_least(fund_account: FundAccount, minor: int) -> None:
    """The first money of an account is at least the fund's initial minimum; what was cancelled or failed never came."""
    gone = (MovementStatus.CANCELLED, MovementStatus.FAILED)
    first = not fund_account.movements.filter(kind=MovementKind.INVEST).exclude(status__in=gone).exists()
    least = fund_account.fund.min_initial_minor if first else fund_account.fund.min_topup_minor
    if minor < least:
        least_amount = money.Money(least, fund_account.fund.currency)
        raise errors.validation_failed("amount", f"At least {least_amount} is invested.", "range")


def _measure(fund_account: FundAccount, body: WithdrawBody) -> tuple[Decimal, int]:
    """How many units, and what they are worth at today's price."""
    fund = fund_account.fund
    # What is refused for its decimals has no price made for it.
    minor = None if body.amount is None else _minor(body.amount, fund.currency)
    price = catalogue.price_on(fund, today(fund_account.business))
    if minor is not None:
        requested_units = units.needed(minor, price, fund.currency)
    elif body.units is not None:
        requested_units = body.units.quantize(units.PLACES)
    else:
        requested_units = fund_account.units - fund_account.held_units
        if requested_units <= 0:
            raise errors.insufficient_funds("No units are free to withdraw.")
    return requested_units, units.worth(requested_units, price, fund.currency)


def _subject(caller: Caller, row: Movement) -> ApprovalSubject:
    verb = {MovementKind.INVEST: "Invest in", MovementKind.TOP_UP: "Top up"}.get(
        MovementKind(row.kind), "Withdraw from"
    )
    return ApprovalSubject(
        kind=opt_ins.KIND,
        action_type=ActionType.INVESTMENT,
        ref=row.ref,
        subject_id=row.id,
        title=f"{verb} {row.account.fund.name}",
        payee=row.account.fund.manager,
        amount_minor=row.amount_minor,
        currency=row.account.fund.currency,
        org_wallet_ref=row.wallet.org_wallet_ref if row.wallet else "",
        maker_ids=[caller.employee_id] if caller.employee_id else [],
    )
