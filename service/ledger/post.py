"""The only writer of the ledger: thin typed Python over the functions of function.sql, one round trip each.

Refusals of the functions come out as service.errors: 422 insufficient_funds, 409 duplicate (a reference used with
other content), 409 invalid_state (book closed, wallet suspended, hold over, already reversed), 404 for accounts of
another business. A set of legs that does not balance is our own mistake and raises UnbalancedError.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import DatabaseError, connection
from django.utils import timezone

from service import errors, sql
from service.businesses.models import Business
from service.ledger.models import LedgerAccount, LedgerHold
from service.ledger.retry import retried, sqlstate_of
from telemetry import tracing


class UnbalancedError(AssertionError):
    """Legs that are no posting: not summing to zero in each currency, fewer than two, or of nothing."""


@dataclass(frozen=True, slots=True)
class Leg:
    """A change of one account in minor units: positive credits its holder, negative debits."""

    account_id: int
    amount_minor: int
    note: str | None = None


@dataclass(frozen=True, slots=True)
class PostedTransaction:
    """A transaction in the ledger; `already` where this reference had been posted before with the same content."""

    id: int
    already: bool


_POST = "SELECT ledger_post(%s, %s, %s, %s::bigint[], %s::bigint[], %s, %s::date, %s::text[], %s::bigint, %s, %s, NULL)"


def post(
    business: Business,
    ref: str,
    kind: str,
    legs: Sequence[Leg],
    description: str = "",
    effective_on: date | None = None,
) -> PostedTransaction:
    """Posts legs that balance in each currency, once for ever under `ref`; see the module for what it raises."""
    return _post(business, ref, kind, legs, description, effective_on, None, over=False, force=False)


def post_forced(
    business: Business, ref: str, kind: str, legs: Sequence[Leg], description: str = ""
) -> PostedTransaction:
    """Posts money that was taken elsewhere already (a card network's force-post), as `post` does.

    An account may go below zero by it, and be frozen.
    """
    return _post(business, ref, kind, legs, description, None, None, over=False, force=True)


def _post(
    business: Business,
    ref: str,
    kind: str,
    legs: Sequence[Leg],
    description: str,
    effective_on: date | None,
    hold_id: int | None,
    *,
    over: bool,
    force: bool,
) -> PostedTransaction:
    notes = [leg.note for leg in legs] if any(leg.note is not None for leg in legs) else None
    day = effective_on or today(business)
    row = _call(
        _POST,
        [
            business.id,
            ref,
            kind,
            _array(leg.account_id for leg in legs),
            _array(leg.amount_minor for leg in legs),
            description,
            day,
            notes,
            hold_id,
            over,
            force,
        ],
    )
    return _posted(row[0])


def _array(numbers: Iterable[int]) -> str:
    """An array of PostgreSQL, as it writes one."""
    return f"{{{','.join(map(str, numbers))}}}"


def _posted(answer: int) -> PostedTransaction:
    """The functions answer the id of a transaction that was there before as a negative number."""
    return PostedTransaction(abs(answer), answer < 0)


def today(business: Business) -> date:
    """The day it is in the business's time zone, which a posting belongs to unless it says otherwise."""
    return timezone.now().astimezone(ZoneInfo(business.time_zone)).date()


def reverse(
    business: Business, transaction_id: int, ref: str, description: str = "", *, force: bool = False
) -> PostedTransaction:
    """Posts the exact opposite of a transaction, once: a second reversal under another reference is refused (409)."""
    row = _call(
        "SELECT ledger_reverse(%s, %s, %s, %s, %s::date, %s)",
        [business.id, transaction_id, ref, description, today(business), force],
    )
    return _posted(row[0])


def hold(
    business: Business,
    account: LedgerAccount | int,
    amount_minor: int,
    ref: str,
    expires_at: datetime | None = None,
    *,
    incoming: bool = False,
) -> LedgerHold:
    """Reserves funds, once under `ref`; with `incoming`, notes money that is expected (pending_in) instead."""
    row = _call(
        "SELECT hold_id, already FROM ledger_place_hold(%s, %s, %s, %s, %s::timestamptz, %s)",
        [business.id, _id(account), amount_minor, ref, expires_at, incoming],
    )
    return LedgerHold.objects.get(pk=row[0])


def capture(
    held: LedgerHold,
    amount_minor: int,
    ref: str,
    to_account: LedgerAccount | int,
    *,
    kind: str = "CAPTURE",
    description: str = "",
    over: bool = False,
    force: bool = False,
) -> PostedTransaction:
    """Moves held funds to another account: in part, in full, or more than was held.

    `over` takes the excess from what is available; `force` posts even below zero and after the hold has ended (a card
    network's late capture). What a partial capture leaves stays held until captured or released.
    """
    legs = [Leg(held.account_id, -amount_minor), Leg(_id(to_account), amount_minor)]
    return capture_legs(held, legs, ref, kind=kind, description=description, over=over, force=force)


def capture_legs(
    held: LedgerHold,
    legs: Sequence[Leg],
    ref: str,
    *,
    kind: str = "CAPTURE",
    description: str = "",
    over: bool = False,
    force: bool = False,
) -> PostedTransaction:
    """Like `capture`, for many legs in one transaction (a payout's group): its debits of the hold's account use it."""
    business = Business.objects.get(pk=held.business_id)
    return _post(business, ref, kind, legs, description, None, held.pk, over=over, force=force)


def release(held: LedgerHold, ref: str) -> bool:
    """Gives back what is left of a hold; False where it had ended before."""
    return bool(_call("SELECT ledger_release_hold(%s, %s, %s)", [held.business_id, held.pk, ref])[0])


def freeze(account: LedgerAccount, *, frozen: bool) -> None:
    """A frozen account refuses debits and takes credits; captures of holds placed before still go through."""
    _call("SELECT ledger_freeze(%s, %s, %s)", [account.business_id, account.pk, frozen])


@retried
def expire_holds(limit: int = 500) -> list[int]:
    """Ends up to `limit` holds whose time is over; answers their ids."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT ledger_expire_holds(%s)", [limit])
        return [row[0] for row in cursor.fetchall()]


def _id(account: LedgerAccount | int) -> int:
    return account if isinstance(account, int) else account.pk


@retried
def _execute(call: str, params: Sequence[Any]) -> Sequence[Any]:
    row = sql.row(call, params)
    assert row is not None
    return row


def _call(call: str, params: Sequence[Any]) -> Sequence[Any]:
    # By the function's name, "ledger_post" for example; never by what it is given.
    name = call.partition("(")[0].rpartition(" ")[2]
    try:
        with tracing.span(name, attributes={"db.system.name": "postgresql"}):
            return _execute(call, params)
    except DatabaseError as error:
        refusal = _refusal(error)
        if refusal is None:
            raise
        raise refusal from error


def _refusal(error: DatabaseError) -> Exception | None:
    """What a function's SQLSTATE means to the caller."""
    state = sqlstate_of(error)
    if state == "23505" and "ledger_transaction_reversed_once" in str(error):
        return errors.invalid_state("The transaction was reversed before.")
    make = _REFUSALS.get(state)
    return make() if make else None


_REFUSALS: dict[str, Callable[[], Exception]] = {
    "LD001": errors.insufficient_funds,
    "23514": errors.insufficient_funds,  # the balance row's own check: the second wall behind the function's
    "LD002": lambda: errors.duplicate("This reference was posted before with other content."),
    "LD003": lambda: UnbalancedError("The legs are no balanced posting."),
    "LD004": lambda: errors.not_found("account"),
    "LD005": lambda: errors.invalid_state("The book of that day is closed."),
    "LD006": lambda: errors.invalid_state("The wallet is suspended: it takes credits only."),
    "LD007": lambda: errors.invalid_state("The funds on hold have been used or released."),
    "LD008": lambda: errors.invalid_state("This transaction cannot be reversed."),
    "LD009": lambda: errors.limit_exceeded("The amount is more than what is on hold."),
}
