"""Quotes: a rate, and where an amount is named both sides of it, promised for a minute."""

from datetime import timedelta

from django.utils import timezone

from service import errors, money
from service.auth import Caller
from service.fx import pricing, rates
from service.fx.models import Quote
from service.fx.schemas import RateBody

LIFE = timedelta(seconds=60)


def create_quote(caller: Caller, body: RateBody) -> Quote:
    """A stored quote at the rate of now; 422 for currencies or amounts that cannot be, 503 rate_unavailable."""
    source, target = rates.known(body.from_, "from"), rates.known(body.to, "to")
    if source == target:
        raise errors.validation_failed("to", "It is the same currency.")
    minor = _minor(body)
    rates.refresh()
    mid = rates.current(source, target)
    now = timezone.now()
    row = Quote(
        business=caller.business,
        source_currency=source,
        target_currency=target,
        side=Quote.Side(body.side),
        amount_minor=minor,
        mid=mid.mid,
        buy=pricing.buy_rate(mid.mid),
        sell=pricing.sell_rate(mid.mid),
        markup_bps=pricing.MARKUP_BPS,
        source=mid.source,
        as_of=mid.as_of,
        expires_at=now + LIFE,
    )
    if minor is not None:
        price(row, minor, "amount")
    row.save(force_insert=True)
    return row


def price(quote: Quote, minor: int, field: str) -> pricing.Amounts:
    """Both sides at the quote's rate; 422 where the amount is too small or too large for it."""
    try:
        return pricing.amounts(
            quote.source_currency,
            quote.target_currency,
            minor=minor,
            fixed_source=quote.side == Quote.Side.SELL,
            mid=quote.mid,
            sell=quote.sell,
        )
    except pricing.NothingLeftError as refusal:
        raise errors.validation_failed(field, str(refusal), "range") from None


def fixed_currency(quote: Quote) -> str:
    """The currency that the quote's amount is in."""
    return quote.source_currency if quote.side == Quote.Side.SELL else quote.target_currency


def _minor(body: RateBody) -> int | None:
    if body.amount is None:
        return None
    currency = body.from_ if body.side == Quote.Side.SELL else body.to
    try:
        return money.to_minor(body.amount, currency)
    except money.MoneyError as refusal:
        raise errors.validation_failed("amount", str(refusal)) from None
