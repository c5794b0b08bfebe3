"""Subscriptions made from patterns: what was charged regularly and is no subscription yet, as proposals or for good."""

from collections import Counter
from dataclasses import replace
from decimal import Decimal

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from service.auth import Caller
from service.cards.lineage import successors
from service.cards.models import Card
from service.expenses.models import Expense
from service.subscriptions.charges import LOOK_BACK, NOT_CHARGED
from service.subscriptions.models import Subscription
from service.subscriptions.patterns import LEAST_CHARGES, Proposal, Seen, merchant_key, proposals
from service.subscriptions.services import GONE, save_new

# What is charged more often than weekly is no subscription; and so many proposals are enough for one answer.
MOST_IN_LOOK_BACK = 165
MOST_PROPOSALS = 200


def propose(caller: Caller) -> list[Proposal]:
    """What the expenses of the last three years look like, without what is a subscription already."""
    known = set(
        Subscription.objects.filter(business=caller.business).values_list("merchant_key", "currency", "card_id")
    )
    proposed = [
        proposal
        for proposal in proposals(_charges(caller))
        if (merchant_key(proposal.last.merchant), proposal.last.currency, proposal.last.card_id or None) not in known
    ]
    return proposed[:MOST_PROPOSALS]


def generate(caller: Caller, least: Decimal) -> tuple[list[Proposal], list[Subscription]]:
    """Makes subscriptions of the proposals of at least this confidence; answers all proposals and what was made."""
    with transaction.atomic():
        proposed = propose(caller)
        sure = [proposal for proposal in proposed if Decimal(str(proposal.confidence)) >= least]
        cards = Card.objects.filter(business=caller.business).exclude(status__in=GONE)
        cards = cards.select_for_update(of=("self",), no_key=True).order_by("id")
        live = dict(cards.filter(id__in=[proposal.last.card_id for proposal in sure]).values_list("id", "employee_id"))
        return proposed, [save_new(caller, _row(caller, proposal, live)) for proposal in sure]


def _row(caller: Caller, proposal: Proposal, live: dict[str, str]) -> Subscription:
    last = proposal.last
    return Subscription(
        business=caller.business,
        name=last.merchant[:100],
        vendor=last.merchant,
        merchant_key=merchant_key(last.merchant),
        card_id=last.card_id if last.card_id in live else None,
        employee_id=last.employee_id,
        team_id=last.team_id,
        subcategory_id=last.subcategory_id,
        currency=last.currency,
        amount_minor=proposal.amount_minor,
        billing_frequency=proposal.frequency,
        generated=True,
    )


def _charges(caller: Caller) -> list[Seen]:
    """The expenses of receivers who were paid often enough, and not too often, to be read one by one."""
    since = timezone.now() - LOOK_BACK
    rows = Expense.objects.filter(business=caller.business, transaction_date__gte=since)
    rows = rows.exclude(status__in=NOT_CHARGED).exclude(receiver="")
    counted: Counter[str] = Counter()
    spellings: dict[str, list[str]] = {}
    for name, count in rows.order_by().values_list("receiver").annotate(n=Count("id")):
        key = merchant_key(name)
        counted[key] += count
        spellings.setdefault(key, []).append(name)
    charges = [
        name
        for key, count in counted.items()
        if key and LEAST_CHARGES <= count <= MOST_IN_LOOK_BACK
        for name in spellings[key]
    ]
    columns = (
        "id", "receiver", "currency", "amount_minor", "transaction_date", "card_id", "employee_id", "team_id",
        "subcategory_id",
    )  # fmt: skip
    # What was charged to a card before it was reissued is of the one in its place.
    now = successors(caller.business)
    charged = (Seen(*values) for values in rows.filter(receiver__in=charges).values_list(*columns))
    return [replace(charge, card_id=now.get(charge.card_id, charge.card_id)) for charge in charged]
