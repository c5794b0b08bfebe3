"""What can be done with wallets: open, rename, suspend, activate, close."""

from django.db import transaction

from service import errors, money
from service.accounts import hooks, schemas, serializers
from service.accounts.models import Currency, Wallet
from service.accounts.selectors import get_wallet, wallets
from service.accounts.wallets import account_number
from service.auth import Caller
from service.businesses.models import Business
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.inputs import LARGEST, whole_number
from service.ledger import chart
from service.ledger.balances import balance
from service.ledger.post import freeze

Status = Wallet.Status
# From which state each move may start, and where it leads. To be where it leads already is no mistake: nothing happens.
MOVES: dict[str, tuple[frozenset[str], str, str]] = {
    "suspend": (frozenset({Status.ACTIVE}), Status.SUSPENDED, "wallet.suspended"),
    "activate": (frozenset({Status.PENDING, Status.SUSPENDED}), Status.ACTIVE, "wallet.activated"),
    "close": (frozenset({Status.PENDING, Status.ACTIVE, Status.SUSPENDED}), Status.CLOSED, "wallet.closed"),
}
# A wallet at another bank waits until somebody has seen that the link is right.
STARTS_PENDING = frozenset({"BANK_LINKED"})


def add_currency(caller: Caller, code: str) -> tuple[Currency, bool]:
    """The currency, made the first time (True then); 422 for a code that is none."""
    try:
        money.exponent(code)
    except money.MoneyError as error:
        raise errors.validation_failed("currency", str(error), "unknown") from None
    currency, fresh = Currency.objects.get_or_create(business_id=caller.business.id, code=code)
    if fresh:
        record_audit(caller, "currency.create", "currency", currency.id, after={"code": code})
    return currency, fresh


def create(caller: Caller, new: schemas.NewAccount, *, with_currency: bool = False) -> Wallet:
    """A new wallet. 409 currency_missing unless the currency exists or `with_currency` makes it; 409 wallet_exists.

    One in the place of a closed one has a reference, an account number and a book of its own: nothing of the old goes on.
    """
    with transaction.atomic():
        # One at a time per business: the references are numbered.
        Business.objects.select_for_update(of=("self",), no_key=True).get(pk=caller.business.id)
        if with_currency:
            add_currency(caller, new.currency)
        elif not Currency.objects.filter(business_id=caller.business.id, code=new.currency).exists():
            raise errors.currency_missing(new.currency)
        existing = Wallet.objects.filter(business_id=caller.business.id, holder_id="")
        alike = existing.filter(currency=new.currency, wallet_type=new.walletType)
        if alike.exclude(status=Status.CLOSED).exists():
            raise errors.wallet_exists()
        holder = f"{new.walletType}:{closed + 1}" if (closed := alike.count()) else new.walletType
        account = chart.open_account(caller.business, "WALLET", new.currency, "wallet", holder)
        pending = new.walletType in STARTS_PENDING
        if pending:
            freeze(account, frozen=True)
        numbers = [whole_number(ref, LARGEST) or 0 for ref in existing.values_list("org_wallet_ref", flat=True)]
        row = Wallet.objects.create(
            business=caller.business,
            org_wallet_ref=str(max(numbers, default=0) + 1),
            currency=new.currency,
            wallet_type=new.walletType,
            name=new.name or f"{new.currency} {new.walletType.lower()}",
            accno=account_number(account.pk),
            status=Status.PENDING if pending else Status.ACTIVE,
            ledger_account=account,
        )
        row = get_wallet(caller, row.id)
        payload = serializers.wallet(row)
        record_event(caller.business, "wallet.created", payload, actor=caller)
        record_audit(caller, "wallet.create", "wallet", row.id, after=payload)
    return row


def rename(caller: Caller, wallet_id: str, name: str) -> Wallet:
    """Gives the wallet another name."""
    with transaction.atomic():
        row = _locked(caller, wallet_id)
        if row.status == Status.CLOSED:
            raise errors.invalid_state("A closed wallet stays as it is.")
        before, row.name = row.name, name
        row.version += 1
        row.save(update_fields=["name", "version", "updated_at"])
        record_event(
            caller.business, "wallet.updated", serializers.wallet(row), previous={"name": before}, actor=caller
        )
        record_audit(caller, "wallet.rename", "wallet", row.id, {"name": before}, {"name": name})
    return row


def move(caller: Caller, wallet_id: str, verb: str) -> Wallet:
    """Suspends, activates or closes (MOVES); 409 from another state, and for closing one that holds or expects money, or
    on which something hangs (409 in_use, naming what).

    A suspended wallet refuses debits and takes credits; a closed one is closed for good.
    """
    starts, target, event = MOVES[verb]
    with transaction.atomic():
        row = _locked(caller, wallet_id)
        if row.status == target:
            return row
        if row.status not in starts:
            raise errors.invalid_state(f"A wallet that is {row.status} cannot {verb}.")
        before, row.status = row.status, target
        row.version += 1
        row.save(update_fields=["status", "version", "updated_at"])
        freeze(row.ledger_account, frozen=target != Status.ACTIVE)
        if target == Status.CLOSED:
            _check_empty(row)
            _check_nothing_attached(row)
        record_event(caller.business, event, serializers.wallet(row), previous={"status": before}, actor=caller)
        record_audit(caller, f"wallet.{verb}", "wallet", row.id, {"status": before}, {"status": target})
    return row


def _check_empty(row: Wallet) -> None:
    """Read after freezing, which holds the balance still until this is committed."""
    hot = balance(row.ledger_account_id)
    if hot.posted or hot.pending_out or hot.pending_in:
        raise errors.invalid_state("Only a wallet without money, reservations and expected money is closed.")


def _check_nothing_attached(row: Wallet) -> None:
    dependents = hooks.dependents_of(row)
    if dependents:
        named = "; ".join(dependent["message"] for dependent in dependents[:5])
        more = f"; and {len(dependents) - 5} more" if len(dependents) > 5 else ""
        raise errors.conflict("in_use", f"These still need the wallet: {named}{more}.", dependents)


def change(caller: Caller, wallet_id: str, changes: schemas.AccountChange) -> Wallet:
    """Renames an account, closes it, or both, in one transaction."""
    with transaction.atomic():
        if changes.name is not None:
            rename(caller, wallet_id, changes.name)
        if changes.status is not None:
            move(caller, wallet_id, "close")
        return get_wallet(caller, wallet_id)


def _locked(caller: Caller, wallet_id: str) -> Wallet:
    row = wallets(caller).select_for_update(no_key=True, of=("self",)).filter(id=wallet_id).first()
    if row is None:
        raise errors.not_found("account")
    return row
