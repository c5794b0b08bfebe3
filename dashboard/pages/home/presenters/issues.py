"""What needs a look: each issue counts something that the actor may see, and leads to the list where it stands."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from django.db.models import Count, Max, Min, Q
from django.urls import reverse
from django.utils import timezone

from dashboard import operations, operations_pages, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.check import can_open
from dashboard.access.person import membership_of
from dashboard.audit.models import AuditEntry
from dashboard.decisions.filters import Filters
from dashboard.decisions.models import Alert, Decision, DecisionState
from dashboard.decisions.preconditions import OVERRIDE
from dashboard.decisions.samples import problems_since, to_check
from dashboard.decisions.selectors import confirms
from dashboard.decisions.sources import PAYMENTS
from dashboard.decisions.weekly_checks import count_to_check as weekly_to_check
from dashboard.delegation.presenters import dead_end_sentences
from dashboard.forecast.bills import expected_bills
from dashboard.forecast.horizon import MAX_FORECAST_ROWS, Horizon
from dashboard.forecast.payments_due import sums_of
from dashboard.mirror.drift import roles_that_differ
from dashboard.mirror.models import Drift
from dashboard.mirror.schedule import today
from dashboard.mirror.scopes import visible_cards, visible_policies, visible_requests, visible_vendors
from dashboard.money import text
from dashboard.operations_pages import MEMBERS
from dashboard.policies.attention import troubles_of
from dashboard.proposals.models import ProposalState
from dashboard.proposals.selectors import visible_proposals, waiting_on
from dashboard.renewals.selectors import may_see, renewals_near
from dashboard.times import day, local
from dashboard.web.freshness import freshness_of

CUT_OFF = timedelta(days=1)
ACCESS_ENDS = timedelta(days=7)
RECENT_FAILURE = timedelta(days=7)
CHANGE_OVERDUE = timedelta(days=3)
OVERRIDES_COUNTED = timedelta(days=30)
SAMPLES_COUNTED = timedelta(days=30)
NAMED, MOST_ALERTS = 3, 5


@dataclass(frozen=True, slots=True)
class Issue:
    """Something that is not in order: a sentence, the label and the address of the page to look at, and how bad it is."""

    sentence: str
    link: str
    href: str
    urgent: bool


def issues_of(actor: Actor) -> list[Issue]:
    """All that is not in order, the urgent first; a fixed number of queries on the copy, however much there is."""
    sources = (
        _decisions,
        _copy,
        _failed_payments,
        _overdue_bills,
        _cards,
        _dead_ends,
        _governing,
        _vendors,
        _overrides,
        _samples,
        _renewals,
        _cut_offs,
        _changes,
        _access,
        _roles,
        _drift,
    )
    issues = [issue for source in sources for issue in source(actor)]
    return sorted(issues, key=lambda issue: not issue.urgent)


def counted(count: int, singular: str, plural: str = "") -> str:
    """ "1 card", "2 cards"; `plural` where it is not simply an s."""
    return f"{count:,} {singular if count == 1 else plural or singular + 's'}"


def _at(actor: Actor, urlname: str, *args: str, **query: str) -> str:
    address = reverse(urlname, args=[actor.business.slug, *args])
    return f"{address}?{urlencode(query)}" if query else address


def _decisions(actor: Actor) -> Iterator[Issue]:
    href, member = _at(actor, "decisions"), membership_of(actor)
    alerts = Alert.objects.filter(business=actor.business, membership_id=member, closed_at__isnull=True)
    for alert in alerts[:MOST_ALERTS]:
        yield Issue(alert.sentence, "Your decisions", href, urgent=True)
    unknown = Decision.objects.filter(membership_id=member, state=DecisionState.UNKNOWN).count()
    if unknown:
        sentence = f"{unknown} of your decisions have no confirmed result yet; we are finding out."
        yield Issue(sentence, "Your decisions", href, urgent=True)


def _copy(actor: Actor) -> Iterator[Issue]:
    fresh, href = freshness_of(actor.business), _at(actor, "expenses")
    if fresh.trouble:
        yield Issue(fresh.trouble, "Expenses", href, urgent=True)
    elif fresh.tone:
        yield Issue(f"The copy of the expenses is {fresh.text}.", "Expenses", href, urgent=fresh.tone == "red")


def _failed_payments(actor: Actor) -> Iterator[Issue]:
    # A bill's payment is tried again or stays as it is; a payout has ended, and is shown for a week.
    ended = Q(status__in=("FAILED", "PARTIALLY_COMPLETED"), remote_updated_at__gte=timezone.now() - RECENT_FAILURE)
    failed = visible_requests(actor).filter(Q(kind="bill_payment", status="FAILED") | Q(ended, kind="payout"))
    for row in failed.order_by("kind").values("kind").annotate(count=Count("pk")):
        count, bills = row["count"], row["kind"] == "bill_payment"
        # The newest few are named.
        newest = failed.filter(kind=row["kind"]).order_by("-requested_at", "-id")[:NAMED]
        columns = newest.values_list("payee" if bills else "title", "ref", "amount_text")
        named = "; ".join(f"{name or ref} {amount}".strip() for name, ref, amount in columns)
        more = f" and {count - NAMED} more" if count > NAMED else ""
        what = (
            f"{counted(count, 'bill payment')} failed"
            if bills
            else f"{counted(count, 'payout')} failed or failed in part"
        )
        link, kind = ("Decided bills", "bill") if bills else ("Decided payments", "payment")
        href = _at(actor, "approvals", show="decided", kind=kind)
        yield Issue(f"{what}: {named}{more}.", link, href, urgent=True)


def _overdue_bills(actor: Actor) -> Iterator[Issue]:
    # Of whoever sees the bills: those that no payment claims whole.
    if not can_open(actor, operations_payables.LIST_BILLS):
        return
    now = today(actor.business)
    late, more = expected_bills(Horizon(actor, now, now - timedelta(days=1)))
    if late:
        sums = " and ".join(text(minor, currency, actor.business.locale) for currency, minor in sums_of(late).items())
        count = f"more than {MAX_FORECAST_ROWS:,} bills" if more else counted(len(late), "bill")
        verb = "is" if len(late) == 1 and not more else "are"
        sentence = f"{count[:1].upper()}{count[1:]} {verb} overdue without a payment{'' if more else f': {sums}'}."
        yield Issue(sentence, "Overdue bills", _at(actor, "bills", show="OVERDUE"), urgent=True)


def _cards(actor: Actor) -> Iterator[Issue]:
    own = Count("pk", filter=Q(employee_id=actor.employee_id or "-"))
    blocked = visible_cards(actor).filter(status="BLOCKED").aggregate(count=Count("pk"), own=own)
    count, mine = blocked["count"], blocked["own"]
    if count:
        verb = "is" if count == 1 else "are"
        whose = f", {'it is' if count == 1 else f'{mine} of them'} yours" if mine and mine != count else ""
        sentence = f"{counted(count, 'card')} {verb} blocked{whose}."
        if mine == count:
            sentence = f"{counted(mine, 'of your cards', 'of your cards')} {verb} blocked."
        yield Issue(sentence, "Blocked cards", _at(actor, "cards", status="BLOCKED"), urgent=True)


def _dead_ends(actor: Actor) -> Iterator[Issue]:
    for sentence, urlname in dead_end_sentences(actor):
        yield Issue(sentence, "Approvals", _at(actor, urlname, show="others"), urgent=True)


def _vendors(actor: Actor) -> Iterator[Issue]:
    changed = visible_vendors(actor).filter(quarantined=True, status="ACTIVE").count()
    if changed:
        has, vendors = ("has", "vendor") if changed == 1 else ("have", "vendors")
        sentence = f"{changed:,} {vendors} {has} new payee details that need confirmation by a second person; they are not paid to until then."
        yield Issue(sentence, "Payee changes", _at(actor, "vendors_payee_changes"), urgent=False)


def _overrides(actor: Actor) -> Iterator[Issue]:
    if not can_open(actor, operations_pages.AUDIT_LOG):
        return
    since = local(timezone.now() - OVERRIDES_COUNTED, actor.business).date()
    begins = datetime.combine(since, time.min, ZoneInfo(actor.business.time_zone))
    count = AuditEntry.objects.filter(chain=actor.business.pk, operation=OVERRIDE, at__gte=begins).count()
    if count:
        sentence = f"{count:,} policy override{'' if count == 1 else 's'} since {day(begins, actor.business)}."
        href = _at(actor, "audit", kind=OVERRIDE, since=since.isoformat())
        yield Issue(sentence, "Overrides", href, urgent=False)


def _samples(actor: Actor) -> Iterator[Issue]:
    if not can_open(actor, operations_pages.SAMPLES):
        return
    count = to_check(actor).count()
    if count:
        waits = f"{counted(count, 'approval')} {'was' if count == 1 else 'were'} drawn for the audit sample"
        sentence = f"{waits} and {'waits' if count == 1 else 'wait'} for a check by someone other than the approver."
        yield Issue(sentence, "Audit sample", _at(actor, "approvals_samples"), urgent=False)
    weekly = weekly_to_check(actor)
    if weekly:
        sentence = (
            f"{counted(weekly, 'approval')} of the weekly sample {'waits' if weekly == 1 else 'wait'} for a check."
        )
        yield Issue(sentence, "Weekly sample", _at(actor, "approvals_weekly_samples"), urgent=False)
    problems = problems_since(actor, timezone.now() - SAMPLES_COUNTED)
    if problems:
        sentence = f"A problem was found in {counted(problems, 'sampled approval')} in the last 30 days."
        yield Issue(sentence, "Checked samples", _at(actor, "approvals_samples"), urgent=False)


def _renewals(actor: Actor) -> Iterator[Issue]:
    near = renewals_near(actor)
    for renewal in near[:NAMED]:
        row, by, on = renewal.row, renewal.act_by, renewal.renewal_on
        sentence = f"{row.name} renews on {on.day} {on:%b}: the last day to cancel it is {by.day} {by:%b %Y}."
        if may_see(actor, row):
            href, link = _at(actor, "subscriptions_item", row.remote_id), "Subscription"
        else:
            href, link = _at(actor, "notifications"), "Notifications"
        yield Issue(sentence, link, href, urgent=False)
    if len(near) > NAMED:
        sentence = f"The last day to cancel is near for {counted(len(near) - NAMED, 'more subscription')}."
        yield Issue(sentence, "Notifications", _at(actor, "notifications"), urgent=False)


def _cut_offs(actor: Actor) -> Iterator[Issue]:
    # What waits for oneself stands in the queue.
    if not can_open(actor, operations.LIST_APPROVALS):
        return
    now = timezone.now()
    others = PAYMENTS.waiting(actor, Filters(show="others"))
    due = others.filter(due_at__gt=now, due_at__lte=now + CUT_OFF).count()
    if due:
        reach = "reaches its" if due == 1 else "reach their"
        sentence = f"{counted(due, 'request')} waiting for others {reach} cut-off within a day."
        yield Issue(sentence, "Waiting for others", _at(actor, "approvals", show="others", sort="due"), urgent=False)


def _changes(actor: Actor) -> Iterator[Issue]:
    if not confirms(actor):
        return
    overdue = Q(state=ProposalState.WAITING, proposed_at__lte=timezone.now() - CHANGE_OVERDUE)
    count = visible_proposals(actor).filter(overdue).count()
    if count:
        waits = f"{counted(count, 'access change')} {'has' if count == 1 else 'have'} waited"
        sentence = f"{waits} for a second admin for more than 3 days."
        tab = "mine" if waiting_on(actor).filter(overdue).exists() else "others"
        yield Issue(sentence, "Access changes", _at(actor, "approvals", show=tab, kind="access"), urgent=False)


def _governing(actor: Actor) -> Iterator[Issue]:
    """For whoever can put them right."""
    if not can_open(actor, operations.UPDATE_POLICY):
        return
    troubles = troubles_of(actor)
    if count := troubles["workflows"]:
        sentence = f"{counted(count, 'approval workflow')} cannot always be completed: a step lacks approvers."
        yield Issue(sentence, "Approval workflows", _at(actor, "workflows"), urgent=True)
    if count := troubles["policies"]:
        policies = counted(count, "spend policy", "spend policies")
        sentence = f"{policies} can never match, contradict another one, or ask nobody for approval."
        yield Issue(sentence, "Spend policies", _at(actor, "policies"), urgent=False)


def _access(actor: Actor) -> Iterator[Issue]:
    now = timezone.now()
    ending = Q(status="ACTIVE", expires_at__gt=now, expires_at__lte=now + ACCESS_ENDS)
    ending &= Q(valid_from__isnull=True) | Q(valid_from__lte=now)
    count = visible_policies(actor).filter(ending).count()
    if not count:
        return
    wallets = counted(count, "wallet")
    if can_open(actor, operations.LIST_WALLET_POLICIES):
        sentence = (
            f"{counted(count, 'wallet policy', 'wallet policies')} {'ends' if count == 1 else 'end'} within 7 days."
        )
        yield Issue(sentence, "Ending soon", _at(actor, "wallet-policies", has="soon"), urgent=False)
    else:
        sentence = f"Your access to {wallets} ends within 7 days; ask an admin if you still need it."
        yield Issue(sentence, "Your access", _at(actor, "wallet-policies_own"), urgent=False)


def _roles(actor: Actor) -> Iterator[Issue]:
    if can_open(actor, MEMBERS) and (differing := roles_that_differ(actor.business)):
        have = "member has" if len(differing) == 1 else "members have"
        sentence = f"{len(differing):,} {have} a different role at the finance service; only what both roles allow is available."
        yield Issue(sentence, "Members", _at(actor, "settings_members"), urgent=True)


def _drift(actor: Actor) -> Iterator[Issue]:
    if not can_open(actor, operations.LIST_APPROVALS):
        return
    open_rows = Drift.objects.filter(business=actor.business, closed_at__isnull=True)
    drift = open_rows.aggregate(days=Count("day", distinct=True), first=Min("day"), last=Max("day"))
    if drift["days"]:
        differ = "Our copy and the service differ on"
        sentence = f"{differ} {counted(drift['days'], 'day')}; each is read again until they agree."
        href = _at(actor, "expenses", since=str(drift["first"]), until=str(drift["last"]))
        yield Issue(sentence, "View those days", href, urgent=False)
