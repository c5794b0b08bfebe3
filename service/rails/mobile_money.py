"""The mobile-money rail (M-Pesa): payments to phones, tills and paybills, and pushes that ask a phone for money."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol, Required, TypedDict

from service.rails.outcomes import Order, Outcome, ending, provider_ref, simulated_send, simulated_status

PUSH_TIMEOUT = timedelta(seconds=90)


@dataclass(frozen=True, slots=True)
class Push:
    """A request that a phone confirms with its PIN. Amount in minor units of the currency."""

    reference: str
    phone: str
    amount_minor: int
    currency: str
    sent_at: datetime


@dataclass(frozen=True, slots=True)
class Ticket:
    """What the provider gave for a push: the keys by which its callback names it."""

    checkout_request_id: str
    merchant_request_id: str


class CallbackValue(TypedDict, total=False):
    """A value of a callback by its name, such as Amount: a text, a number, or none."""

    Name: Required[str]
    Value: Any


class CallbackMetadata(TypedDict, total=False):
    """The values of a callback, by name, as the network lists them."""

    Item: list[CallbackValue]


class StkCallback(TypedDict, total=False):
    """What became of a request to a phone, as the network calls back: ResultCode 0 where it was paid."""

    MerchantRequestID: str
    CheckoutRequestID: Required[str]
    ResultCode: Required[int]
    ResultDesc: str
    CallbackMetadata: CallbackMetadata


class CallbackBody(TypedDict):
    """The object that holds the callback."""

    stkCallback: StkCallback


class Callback(TypedDict):
    """A callback as the provider sends it: nothing of it has been checked."""

    Body: CallbackBody


@dataclass(frozen=True, slots=True)
class PushResult:
    """What the callback said. `code` 0 is success, 1 insufficient funds, 1001 subscriber locked, 1032 cancelled."""

    checkout_request_id: str
    code: int
    description: str
    receipt: str = ""
    amount_minor: int | None = None

    @classmethod
    def from_callback(cls, body: Callback, currency_exponent: int) -> "PushResult":
        """Reads the provider's callback (Body.stkCallback); ValueError where it is none."""
        try:
            callback = body["Body"]["stkCallback"]
            items = {item["Name"]: item.get("Value") for item in callback.get("CallbackMetadata", {}).get("Item", [])}
            amount = items.get("Amount")
            return cls(
                str(callback["CheckoutRequestID"]),
                int(callback["ResultCode"]),
                str(callback.get("ResultDesc", ""))[:200],
                str(items.get("MpesaReceiptNumber") or ""),
                round(amount * 10**currency_exponent) if amount is not None else None,
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a callback: {error}") from None


class MobileMoneyRail(Protocol):
    """Pays out, and asks for money; all safe to repeat for one reference."""

    def send(self, order: Order) -> Outcome:
        """Hands a payment over; RailTimeoutError where no answer came in time."""

    def status(self, order: Order, now: datetime) -> Outcome:
        """What has become of a payment that was sent, found again by its reference, as of `now`."""

    def push(self, push: Push) -> Ticket:
        """Makes the phone ask for the PIN."""

    def push_result(self, push: Push, now: datetime) -> PushResult | None:
        """What the phone's owner did, None while nothing is known: for a callback that got lost."""


# By the last four digits of the phone: seconds until the result, its code and what it says.
PUSH_RESULTS: dict[str, tuple[int, int, str]] = {
    "0001": (2, 1, "The balance is insufficient for the transaction."),
    "0002": (2, 1001, "Unable to lock subscriber, a transaction is already in process."),
    "0003": (2, 1032, "Request cancelled by user."),
    "0005": (100, 0, "The service request is processed successfully."),  # after we have given up: still wins
}
NEVER = "0004"


class SimulatedMobileMoney:
    """Decides by the last four digits of the phone or account (docs/rails.md)."""

    def send(self, order: Order) -> Outcome:
        """Takes the payment, refuses it or does not answer, by the end of the phone or account (see
        MobileMoneyRail)."""
        return simulated_send("MPX", order)

    def status(self, order: Order, now: datetime) -> Outcome:
        """What has become of the payment by `now`, by the end of the phone or account (see MobileMoneyRail)."""
        return simulated_status("MPX", order, now)

    def push(self, push: Push) -> Ticket:
        """A ticket whose ids follow from the push's reference (see MobileMoneyRail)."""
        return Ticket(provider_ref("ws_CO_", push.reference), provider_ref("MR-", push.reference))

    def push_result(self, push: Push, now: datetime) -> PushResult | None:
        """What became of the push by `now`, by the end of its phone number; None while nobody has answered (see
        MobileMoneyRail)."""
        magic = ending(push.phone)
        seconds, code, text = PUSH_RESULTS.get(magic, (2, 0, "The service request is processed successfully."))
        if magic == NEVER or now < push.sent_at + timedelta(seconds=seconds):
            return None
        checkout = self.push(push).checkout_request_id
        if code:
            return PushResult(checkout, code, text)
        return PushResult(checkout, 0, text, provider_ref("R", push.reference), push.amount_minor)


rail: MobileMoneyRail = SimulatedMobileMoney()
