"""What needs a look: each line counts something that one may see, and leads to the list where it stands."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import urlencode

from django.db.models import Count, Max, Min, Q
from django.urls import reverse
from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.person import membership_of
from dashboard.decisions.filters import Filters
from dashboard.decisions.models import Alert, Decision, State
from dashboard.decisions.selectors import confirms
from dashboard.decisions.totals import waiting_approvals
from dashboard.delegation.presenters import dead_end_sentences
from dashboard.mirror.drift import roles_that_differ
from dashboard.mirror.models import Drift
from dashboard.mirror.scopes import visible_cards, visible_policies, visible_requests, visible_vendors
from dashboard.operations_pages import MEMBERS
from dashboard.proposals.models import State as ProposalState
from dashboard.proposals.selectors import visible_proposals, waiting_on
from dashboard.web.freshness import freshness_of

CUT_OFF = timedelta(days=1)
ACCESS_ENDS = timedelta(days=7)
FAILED_TOLD = timedelta(days=7)
CHANGE_LEFT = timedelta(days=3)
NAMED, MOST_ALERTS = 3, 5


@dataclass(frozen=True)
class Trouble:
    """Something that needs a look: a sentence, where to look and what that is, and whether it is a bad one."""

    sentence: str
    look: str
    href: str
    bad: bool


def troubles_of(actor: Actor) -> list[Trouble]:
    """All that is not in order, the bad first; a fixed number of looks at the copy, however much there is."""
    lines = (
        _decisions,
        _copy,
        _failed_payments,
        _cards,
        _dead_ends,
        _vendors,
        _cut_offs,
        _changes,
        _access,
        _roles,
        _drift,
    )
    found = [trouble for line in lines for trouble in line(actor)]
    return sorted(found, key=lambda trouble: not trouble.bad)


def counted(many: int, one: str, more: str = "") -> str:
    """ "1 card", "2 cards"; `more` where it is not simply an s."""
    return f"{many:,} {one if many == 1 else more or one + 's'}"


def _at(actor: Actor, urlname: str, *args: str, **query: str) -> str:
    address = reverse(urlname, args=[actor.business.slug, *args])
    return f"{address}?{urlencode(query)}" if query else address


def _decisions(actor: Actor) -> Iterator[Trouble]:
    href, member = _at(actor, "decisions"), membership_of(actor)
    alerts = Alert.objects.filter(business=actor.business, membership_id=member, closed_at__isnull=True)
    for alert in alerts[:MOST_ALERTS]:
        yield Trouble(alert.sentence, "Your decisions", href, bad=True)
    unknown = Decision.objects.filter(membership_id=member, state=State.UNKNOWN).count()
    if unknown:
        said = f"{unknown} of your decisions got no answer yet; we are finding out."
        yield Trouble(said, "Your decisions", href, bad=True)


def _copy(actor: Actor) -> Iterator[Trouble]:
    fresh, href = freshness_of(actor.business), _at(actor, "expenses")
    if fresh.trouble:
        yield Trouble(fresh.trouble, "Expenses", href, bad=True)
    elif fresh.tone:
        yield Trouble(f"The copy of the expenses is {fresh.text}.", "Expenses", href, bad=fresh.tone == "red")


def _failed_payments(actor: Actor) -> Iterator[Trouble]:
    # A bill's payment is tried again or stays as it is; a payout has ended, and is told for a week.
    ended = Q(status__in=("FAILED", "PARTIALLY_COMPLETED"), remote_updated_at__gte=timezone.now() - FAILED_TOLD)
    failed = visible_requests(actor).filter(Q(kind="bill_payment", status="FAILED") | Q(ended, kind="payout"))
    for row in failed.order_by("kind").values("kind").annotate(many=Count("pk")):
        many, bills = row["many"], row["kind"] == "bill_payment"
        # The newest few are named.
        newest = failed.filter(kind=row["kind"]).order_by("-requested_at", "-id")[:NAMED]
        named = newest.values_list("payee" if bills else "title", "ref", "amount_text")
        told = "; ".join(f"{name or ref} {amount}".strip() for name, ref, amount in named)
        more = f" and {many - NAMED} more" if many > NAMED else ""
        what = (
            f"{counted(many, 'bill payment')} failed"
            if bills
            else f"{counted(many, 'payout')} failed or failed in part"
        )
        look, kind = ("Decided bills", "bill") if bills else ("Decided payments", "payment")
        href = _at(actor, "approvals", show="decided", kind=kind)
        yield Trouble(f"{what}: {told}{more}.", look, href, bad=True)


def _cards(actor: Actor) -> Iterator[Trouble]:
    own = Count("pk", filter=Q(employee_id=actor.employee_id or "-"))
    found = visible_cards(actor).filter(status="BLOCKED").aggregate(every=Count("pk"), own=own)
    every, mine = found["every"], found["own"]
    if every:
        verb = "is" if every == 1 else "are"
        whose = f", {'it is' if every == 1 else f'{mine} of them'} yours" if mine and mine != every else ""
        said = f"{counted(every, 'card')} {verb} blocked{whose}."
        if mine == every:
            said = f"{counted(mine, 'of your cards', 'of your cards')} {verb} blocked."
        yield Trouble(said, "Blocked cards", _at(actor, "cards", status="BLOCKED"), bad=True)


def _dead_ends(actor: Actor) -> Iterator[Trouble]:
    for sentence, urlname in dead_end_sentences(actor):
        yield Trouble(sentence, "Approvals", _at(actor, urlname, show="others"), bad=True)


def _vendors(actor: Actor) -> Iterator[Trouble]:
    changed = visible_vendors(actor).filter(quarantined=True, status="ACTIVE").count()
    if changed:
        has, vendors = ("has", "vendor") if changed == 1 else ("have", "vendors")
        said = (
            f"{changed:,} {vendors} {has} new payee details that wait for a second person; payments to them are held."
        )
        yield Trouble(said, "Changed vendors", _at(actor, "vendors", changed="1"), bad=False)


def _cut_offs(actor: Actor) -> Iterator[Trouble]:
    # What waits for oneself stands in the queue.
    if not can_open(actor, operations.LIST_APPROVALS):
        return
    now = timezone.now()
    others = waiting_approvals(actor, Filters(show="others"))
    due = others.filter(due_at__gt=now, due_at__lte=now + CUT_OFF).count()
    if due:
        reach = "reaches its" if due == 1 else "reach their"
        said = f"{counted(due, 'request')} for votes of others {reach} cut-off within a day."
        yield Trouble(said, "Waiting for others", _at(actor, "approvals", show="others", sort="due"), bad=False)


def _changes(actor: Actor) -> Iterator[Trouble]:
    if not confirms(actor):
        return
    left = Q(state=ProposalState.WAITING, proposed_at__lte=timezone.now() - CHANGE_LEFT)
    many = visible_proposals(actor).filter(left).count()
    if many:
        waits = f"{counted(many, 'change')} of access {'has' if many == 1 else 'have'} waited"
        said = f"{waits} for a second admin for more than 3 days."
        tab = "mine" if waiting_on(actor).filter(left).exists() else "others"
        yield Trouble(said, "Access changes", _at(actor, "approvals", show=tab, kind="access"), bad=False)


def _access(actor: Actor) -> Iterator[Trouble]:
    now = timezone.now()
    ending = Q(status="ACTIVE", expires_at__gt=now, expires_at__lte=now + ACCESS_ENDS)
    ending &= Q(valid_from__isnull=True) | Q(valid_from__lte=now)
    many = visible_policies(actor).filter(ending).count()
    if not many:
        return
    wallets = counted(many, "wallet")
    if can_open(actor, operations.LIST_WALLET_POLICIES):
        said = f"{counted(many, 'access', 'accesses')} to a wallet {'ends' if many == 1 else 'end'} within 7 days."
        yield Trouble(said, "Ending soon", _at(actor, "wallet-policies", has="soon"), bad=False)
    else:
        said = f"Your access to {wallets} ends within 7 days; ask an admin if you still need it."
        yield Trouble(said, "Your access", _at(actor, "wallet-policies_own"), bad=False)


def _roles(actor: Actor) -> Iterator[Trouble]:
    if can_open(actor, MEMBERS) and (differing := roles_that_differ(actor.business)):
        have = "member has" if len(differing) == 1 else "members have"
        said = f"{len(differing):,} {have} another role at the finance service; only what both roles may do is open."
        yield Trouble(said, "Members", _at(actor, "settings_members"), bad=True)


def _drift(actor: Actor) -> Iterator[Trouble]:
    if not can_open(actor, operations.LIST_APPROVALS):
        return
    open_ones = Drift.objects.filter(business=actor.business, closed_at__isnull=True)
    found = open_ones.aggregate(days=Count("day", distinct=True), first=Min("day"), last=Max("day"))
    if found["days"]:
        differ = "Our copy and the service differ on"
        said = f"{differ} {counted(found['days'], 'day')}; each is read again until they agree."
        href = _at(actor, "expenses", since=str(found["first"]), until=str(found["last"]))
        yield Trouble(said, "Those days", href, bad=False)
