"""A single payment before it is initiated: whom it pays, its fee, and what the wallet holds after it."""

from dataclasses import dataclass
from hashlib import sha256

from dashboard.access.actor import Actor
from dashboard.mirror.models import Wallet
from dashboard.money import text
from dashboard.pages.payouts.presenters.payouts import available_after
from dashboard.pages.payouts.presenters.repeats import PossibleRepeats
from dashboard.pages.payouts.selectors.payouts import PayoutDestinations
from dashboard.pages.payouts.services.lines import PaymentLine

LAST = 4


@dataclass(frozen=True, slots=True)
class SingleReview:
    """What is shown of a payment before it is initiated: facts as label and text, the balance before and after, None where it
    is not known, and the digest of exactly this payment and of what it may be the same as."""

    facts: list[tuple[str, str]]
    after: tuple[str, str] | None
    digest: str


def single_review(
    actor: Actor, wallet: Wallet, line: PaymentLine, payout_destinations: PayoutDestinations, doubles: PossibleRepeats
) -> SingleReview:
    """The review of a payment that was checked: `line` has its body; `doubles` is what it may be the same as."""
    locale, currency = actor.business.locale, wallet.currency
    fee = payout_destinations.fee_minor(line.body["channel"], currency)
    total = line.amount_minor + (fee or 0)
    facts = [
        ("Receiver", line.body["receiver_name"]),
        ("Account", f"{payout_destinations.name(line.body['channel'])} ···{line.body['account'][-LAST:]}"),
        ("Amount", text(line.amount_minor, currency, locale)),
        ("Fee", text(fee, currency, locale) if fee is not None else "not known before it is initiated"),
        ("Total with fee" if fee is not None else "Total before the fee", text(total, currency, locale)),
        ("Wallet", f"{wallet.name or wallet.org_wallet_ref} ({currency})"),
    ]
    seen = "\x1f".join(f"{name}={value}" for name, value in sorted({**line.body}.items()))
    digest = sha256(
        f"{seen}\x1f{wallet.org_wallet_ref}\x1f{currency}\x1f{fee}\x1f{doubles.digest}".encode()
    ).hexdigest()
    return SingleReview(facts, available_after(actor, wallet, total), digest)
