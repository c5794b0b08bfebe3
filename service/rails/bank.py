"""The bank rail: transfers to bank accounts (PesaLink, EFT, RTGS, SWIFT)."""

from datetime import datetime
from typing import Protocol

from service.rails.outcomes import Order, Outcome, simulated_send, simulated_status


class BankRail(Protocol):
    """Sends transfers and says what became of them; both are safe to repeat for one reference."""

    def send(self, order: Order) -> Outcome:
        """Hands the transfer over; RailTimeoutError where no answer came in time."""

    def status(self, order: Order, now: datetime) -> Outcome:
        """What became of it."""


class SimulatedBank:
    """Decides by the last four digits of the account number (docs/rails.md)."""

    def send(self, order: Order) -> Outcome:
        """See BankRail."""
        return simulated_send("BNK", order)

    def status(self, order: Order, now: datetime) -> Outcome:
        """See BankRail."""
        return simulated_status("BNK", order, now)


rail: BankRail = SimulatedBank()
