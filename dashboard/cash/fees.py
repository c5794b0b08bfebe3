"""What a payment costs beside its amount, by the channel that it goes over, as the service says it now."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError
from dashboard.money import exponent, text
from dashboard.schemas.payments import Channel

FEES_S = 1.5


@dataclass(frozen=True, slots=True)
class ChannelFees:
    """The fee of a payment by the code of its channel, in whole units of the payment's currency; without those that the
    service does not say."""

    by_channel: Mapping[str, Decimal] = field(default_factory=dict)

    def minor(self, channel: str, currency: str) -> int | None:
        """The fee in minor units of the currency, cut to whole ones as the service does; None where it is not known."""
        fee = self.by_channel.get(channel)
        return None if fee is None else int(fee * 10 ** exponent(currency))

    def text(self, channel: str, currency: str, locale: str) -> str:
        """The fee as a choice says it: "fee KES 50.00", "no fee", or that it is not known now."""
        minor = self.minor(channel, currency)
        if minor is None:
            return "fee not known now"
        return f"fee {text(minor, currency, locale)}" if minor else "no fee"


def channel_fees(actor: Actor) -> ChannelFees:
    """The fees as the service says them now: none where it does not answer, or tells the actor of no channels."""
    if not can_open(actor, operations.LIST_PAYMENT_CHANNELS):
        return ChannelFees()
    try:
        answer = read_live(actor, operations.LIST_PAYMENT_CHANNELS, deadline=FEES_S, tries=1)
        channels = typed(read_page(answer.data).rows, Channel)
    except (FinanceError, ValueError):
        return ChannelFees()
    return ChannelFees({channel.code: channel.fee for channel in channels if channel.fee is not None})
