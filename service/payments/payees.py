"""Accounts that a payout would pay to and that are held back: they wait for a second person, were rejected, or were replaced."""

from collections.abc import Mapping
from typing import Final

from service import errors
from service.payments.models import Batch, Kind
from service.vendors import destinations
from service.vendors.instructions import held_back
from service.vendors.models import InstructionStatus

# Why a payout with such an account is not paid, the strongest first.
PAYEE_HOLDS: Final[Mapping[InstructionStatus, str]] = {
    InstructionStatus.QUARANTINED: "payee_quarantined",
    InstructionStatus.REJECTED: "payee_rejected",
    InstructionStatus.REPLACED: "payee_changed",
}
ACCOUNTS: Final[Mapping[InstructionStatus, str]] = {
    InstructionStatus.QUARANTINED: "a vendor's account that waits for a second person's confirmation",
    InstructionStatus.REJECTED: "a vendor's account that a second person rejected",
    InstructionStatus.REPLACED: "a vendor's account that was replaced",
}
# What to do with a draft that pays there, and where nothing was made.
WITH_DRAFT: Final[Mapping[InstructionStatus, str]] = {
    InstructionStatus.QUARANTINED: "initiate it once that is confirmed",
    InstructionStatus.REJECTED: "cancel it, and pay to a confirmed account",
    InstructionStatus.REPLACED: "cancel it, and pay to the account in use",
}
WITHOUT_DRAFT: Final[Mapping[InstructionStatus, str]] = {
    InstructionStatus.QUARANTINED: "make the transfer once that is confirmed",
    InstructionStatus.REJECTED: "pay to a confirmed account",
    InstructionStatus.REPLACED: "pay to the account in use",
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
    # A single transfer is initiated while it is made: refused, it was not made at all (intents.py). One that came back is a draft.
    is_unmade = batch.kind == Kind.BANK_TRANSFER and not batch.round
    was_not, advice = (
        ("The transfer was not made", WITHOUT_DRAFT) if is_unmade else ("Nobody was asked to approve it", WITH_DRAFT)
    )
    held = held_statuses(batch)
    for status, code in PAYEE_HOLDS.items():
        places = [place for place, state in held.items() if state == status]
        if places:
            names = batch.items.filter(position__in=places[:MOST_NAMED]).order_by("position")
            named = ", ".join(
                name if is_unmade else f"{name} (row {place + 1})"
                for name, place in names.values_list("receiver_name", "position")
            )
            more = f" and {len(places) - MOST_NAMED} more" if len(places) > MOST_NAMED else ""
            goes = "goes" if len(places) == 1 else "go"
            why = f"{named}{more} {goes} to {ACCOUNTS[status]}: {advice[status]}."
            raise errors.conflict(code, f"{was_not}. {why}")
