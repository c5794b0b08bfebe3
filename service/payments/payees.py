"""Accounts that a payout would pay to and that are held back: they wait for a second person, were rejected, or were replaced."""

from collections.abc import Mapping
from typing import Final

from service import errors
from service.payments.models import Batch
from service.vendors import destinations
from service.vendors.instructions import held_back
from service.vendors.models import InstructionStatus

# Why a payout with such an account is not paid, the strongest first.
PAYEE_HOLDS: Final[Mapping[InstructionStatus, str]] = {
    InstructionStatus.QUARANTINED: "payee_quarantined",
    InstructionStatus.REJECTED: "payee_rejected",
    InstructionStatus.REPLACED: "payee_changed",
}
REFUSALS: Final[Mapping[InstructionStatus, str]] = {
    InstructionStatus.QUARANTINED: "a vendor's account that waits for a second person's confirmation: initiate it once that is "
    "confirmed",
    InstructionStatus.REJECTED: "a vendor's account that a second person rejected: cancel it, and pay to a confirmed account",
    InstructionStatus.REPLACED: "a vendor's account that was replaced: cancel it, and pay to the account in use",
}
MOST_NAMED: Final = 3


def held_statuses(batch: Batch) -> dict[int, InstructionStatus]:
    """Which payments of a payout go to an account that is held back, by their position, and with which of these it is."""
    columns = ("position", "channel", "account", "bank_code", "account_reference")
    rows = [(place, destinations.payee(*account)) for place, *account in batch.items.values_list(*columns)]
    held = held_back(batch.business, [payee for _, payee in rows])
    return {place: held[payee] for place, payee in sorted(rows) if payee in held}


def refuse_held(batch: Batch) -> None:
    """409 with the code of PAYEE_HOLDS for a payout that pays to an account that is held back, naming who would be paid there."""
    held = held_statuses(batch)
    for status, code in PAYEE_HOLDS.items():
        places = [place for place, state in held.items() if state == status]
        if places:
            names = batch.items.filter(position__in=places[:MOST_NAMED]).order_by("position")
            named = ", ".join(
                f"{name} (row {place + 1})" for name, place in names.values_list("receiver_name", "position")
            )
            more = f" and {len(places) - MOST_NAMED} more" if len(places) > MOST_NAMED else ""
            goes = "goes" if len(places) == 1 else "go"
            raise errors.conflict(code, f"Nobody was asked to approve it. {named}{more} {goes} to {REFUSALS[status]}.")
