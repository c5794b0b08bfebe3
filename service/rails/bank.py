"""The bank rail: transfers to bank accounts (PesaLink, EFT, RTGS, SWIFT)."""

from datetime import datetime
from typing import Protocol

from service.rails.outcomes import Order, Outcome, simulated_send, simulated_status


class BankRail(Protocol):
    """Sends transfers and says what became of them; both are safe to repeat for one reference."""

    def send(self, order: Order) -> Outcome:
        """Hands the transfer over; RailTimeoutError where no answer came in time."""

    def status(self, order: Order, now: datetime) -> Outcome:
        """What has become of an order that was sent, found again by its reference, as of `now`."""


class SimulatedBank:
    """Decides by the last four digits of the account number (docs/rails.md)."""

    def send(self, order: Order) -> Outcome:
        """Takes the transfer, refuses it or does not answer, by the end of the account number (see BankRail)."""
        return simulated_send("BNK", order)

    def status(self, order: Order, now: datetime) -> Outcome:
        """What has become of the transfer by `now`, by the end of the account number (see BankRail)."""
        return simulated_status("BNK", order, now)


rail: BankRail = SimulatedBank()
