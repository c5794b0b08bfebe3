"""What cards spend (decisions F.5): who may say so, which wallet pays, and what is left of it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from service import errors
from service.accounts.models import Funding, Wallet
from service.accounts.wallets import EMPLOYEE, funding_wallet
from service.auth import Caller
from service.businesses.models import Employee, Role
from service.cards.models import Card
from service.cards.schemas_shapes import ControlsShape
from service.ledger.balances import balance
from service.money import to_number

SHORT_CODES = {Funding.ALLOCATION: "insufficient_allocation", Funding.BUSINESS_WALLET: "insufficient_funds"}


def is_limited(controls: ControlsShape) -> bool:
    """Whether a limit over time bounds every purchase: one for some merchant codes alone bounds the others not."""
    return any(not limit.get("mcc") for limit in controls.get("limits") or [])


def check(caller: Caller, funding: str, controls: ControlsShape, *, set_now: bool) -> None:
    """403 insufficient_role unless an admin lets the card spend from a wallet of the business (`set_now`), 422 where no
    limit over time bounds what it may take from there."""
    if funding != Funding.BUSINESS_WALLET:
        return
    if set_now and caller.role != Role.ADMIN:
        raise errors.insufficient_role("Only an admin lets a card spend from a wallet of the business.")
    if not is_limited(controls):
        message = "A card that spends from a wallet of the business needs a spending limit for all purchases."
        raise errors.validation_failed("controls.limits", message, "missing")


def paying(card: Card, funding: str = "") -> Wallet:
    """The wallet that a use of the card takes money from and gives it back to: as the card is funded now, or as it was
    at the use. 404 where the wallet is not there."""
    holder = "" if card.employee.status == Employee.Status.DELETED else card.employee_id
    return funding_wallet(card.business, funding or card.funding, card.org_wallet_ref, holder, card.currency)


def allocations_of(wallet: Wallet) -> Funding:
    """What is spent where this wallet pays."""
    return Funding.ALLOCATION if wallet.holder_id else Funding.BUSINESS_WALLET


def remaining(wallet: Wallet) -> int:
    """What may still be taken from it, in minor units; never below nothing."""
    return max(0, balance(wallet.ledger_account_id).available)


def short(wallet: Wallet) -> errors.ServiceError:
    """422 by what it is that does not suffice, saying what is left of an allocation; of the business's wallet that is
    not everybody's to know."""
    if allocations_of(wallet) == Funding.BUSINESS_WALLET:
        return errors.insufficient_funds()
    left = to_number(remaining(wallet), wallet.currency)
    return errors.insufficient_allocation(f"{wallet.currency} {left} of the allocation is left.")


@dataclass(frozen=True, slots=True)
class AllocationBalance:
    """What an employee's wallet has for their cards, in minor units."""

    available_minor: int
    held_minor: int


def allocations(cards: Iterable[Card]) -> dict[str, AllocationBalance]:
    """Of each card that spends an allocation what that has, by card id; in one statement however many there are."""
    spending: Sequence[Card] = [card for card in cards if card.funding == Funding.ALLOCATION]
    if not spending:
        return {}
    rows = Wallet.objects.filter(
        business_id=spending[0].business_id, wallet_type=EMPLOYEE, holder_id__in={card.employee_id for card in spending}
    )
    balances = {
        (holder, currency): AllocationBalance(posted - pending, pending)
        for holder, currency, posted, pending in rows.values_list(
            "holder_id", "currency", "ledger_account__balance__posted", "ledger_account__balance__pending_out"
        )
    }
    nothing = AllocationBalance(0, 0)
    return {card.id: balances.get((card.employee_id, card.currency), nothing) for card in spending}
