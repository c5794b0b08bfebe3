"""What the settings read: the members with their second factors, who may be invited as whom, and what waits."""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import TypedDict

from allauth.mfa.models import Authenticator
from django.db import connection
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone

from dashboard.access.actor import Actor
from dashboard.access.models import Business, Membership
from dashboard.access.roles import Role
from dashboard.audit.models import AuditWaiting
from dashboard.client.models import OutboundOperation, OutboundState, ServiceAccount
from dashboard.decisions.models import Decision
from dashboard.enqueue import jobs_by_queue
from dashboard.mirror.drift import roles_that_differ
from dashboard.mirror.models import Drift, InboxEvent, InboxState, SyncCursor
from dashboard.mirror.schedule import INTERVALS_S, period
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.settings.forms.settings import ConnectionForm, InviteForm
from dashboard.pages.settings.presenters import (
    DECISION_WORDS,
    WRITES_IN_DOUBT,
    BandRow,
    band_rows,
    feed_text,
    queue_text,
    version_text,
)
from dashboard.proposals.four_eyes import requires_second_admin
from dashboard.proposals.models import OF_MEMBERS, OPEN_PROPOSAL_STATES, Proposal
from dashboard.proposals.selectors import visible_proposals
from dashboard.proposals.setting_proposals import labels_of
from dashboard.single_sign_on.certificates import ENDING, facts_of
from dashboard.single_sign_on.models import IdentityProvider
from dashboard.times import day_and_time
from dashboard.web.freshness import Freshness, freshness_of
from dashboard.web.models import FactorReset
from dashboard.web.person_field import PersonChoices, person_choices

MOST_DRIFTS = 100
FACTORS = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member: whether they have a second factor, whether they are the actor, and their role at the service if it differs.

    `suspended` says by whom they are suspended and since when, "" where they can enter; `stopped` whether the finance
    service keeps them out as well; `is_new` whether they have never signed in, so that a new link helps them.
    """

    member: Membership
    secured: bool
    is_self: bool
    service_role: Role | None
    suspended: str
    stopped: bool
    is_new: bool


def service_account(actor: Actor) -> ServiceAccount | None:
    """The account by which the business reaches its service; None before it is connected."""
    return ServiceAccount.objects.filter(business=actor.business).first()


class ConnectionContext(TypedDict):
    """What settings/connection.html reads: `findings` of its last test, made when (`tested`, "" for never), and the address
    that webhooks come to (`hook`)."""

    form: ConnectionForm
    account: ServiceAccount | None
    findings: Mapping[str, object] | None
    tested: str
    hook: str


def connection_context(actor: Actor, hook: str, form: ConnectionForm | None) -> ConnectionContext:
    """The service account as it is stored, but for its secret; `form` where it was not taken as it was typed."""
    account = service_account(actor)
    initial = {name: getattr(account, name, "") for name in ("base_url", "remote_business_id", "client_id")}
    return {
        "form": form or ConnectionForm(initial=initial),
        "account": account,
        "findings": account.findings if account else None,
        "tested": day_and_time(account.tested_at, actor.business) if account else "",
        "hook": hook,
    }


class SettingsContext(TypedDict):
    """What the overview reads; `fresh` is of the copy, `members` their number, `factor_roles` and `override_roles` are labels;
    `certificate_state` is "ends soon" or "has ended" where the provider's certificate does."""

    account: ServiceAccount | None
    fresh: Freshness
    members: int
    factor_roles: list[str]
    override_roles: str
    identity_provider: IdentityProvider | None
    certificate_state: str


class MembersContext(TypedDict):
    """What the members' page reads; `needs_second` says whether changes of access wait for a second admin, `resets` have
    when they were asked for."""

    rows: list[MemberRow]
    roles: list[tuple[str, str]]
    needs_second: bool
    proposals: QuerySet[Proposal]
    resets: list[tuple[FactorReset, str]]
    invite_form: InviteForm


def settings_context(actor: Actor) -> SettingsContext:
    """The connection of the business and who belongs to it, in short."""
    return {
        "account": service_account(actor),
        "fresh": freshness_of(actor.business),
        "members": actor.business.memberships.filter(is_active=True).count(),
        "factor_roles": [Role(role).label for role in actor.business.second_factor_roles],
        "override_roles": labels_of(actor.business.override_roles),
        "identity_provider": (provider := identity_provider(actor)),
        "certificate_state": _certificate_state(provider),
    }


def _certificate_state(provider: IdentityProvider | None) -> str:
    """How the certificate of a SAML provider stands that ends last; "" where nothing has to be done: so while it begins
    later than now, and an earlier one is in use."""
    facts = list(map(facts_of, provider.certificates)) if provider and provider.is_on else []
    state = max(facts, key=attrgetter("ends_at")).state if facts else ""
    return state if state in ENDING else ""


class WebhookCounts(TypedDict):
    """Webhooks of the last 30 days, which is how long they are kept: when the last came, how many wait and how many failed."""

    last: str
    waiting: int
    failed: int


class StatusContext(TypedDict):
    """What the status page reads: `fresh` is of the copy, `failing_since` since when the service does not answer; `bands`
    are the parts of the copy, `drifts` its open differences, `waiting` what is not settled, `queue` what no worker has
    begun yet."""

    account: ServiceAccount | None
    fresh: Freshness
    failing_since: str
    error: str
    feed: str
    webhooks: WebhookCounts
    bands: list[tuple[BandRow, str]]
    drifts: list[tuple[Drift, str]]
    waiting: list[tuple[str, int]]
    unsealed: int
    queue: str
    version: str


def status_context(actor: Actor) -> StatusContext:
    """How the copy and the connection of the actor's business stand, and what of theirs waits, at this moment."""
    business, now = actor.business, timezone.now()
    cursor = SyncCursor.objects.filter(business=business).first() or SyncCursor(business=business)
    drifts = Drift.objects.filter(business=business, closed_at=None).order_by("-day", "org_wallet_ref")
    rows = band_rows(cursor.bands, {name: period(name, business, cursor) for name in INTERVALS_S}, now)
    return {
        "account": service_account(actor),
        "fresh": freshness_of(business),
        "failing_since": day_and_time(cursor.failing_since, business),
        "error": cursor.error if cursor.failing_since else "",
        "feed": feed_text(has_feed=cursor.has_feed, sequence=cursor.sequence),
        "webhooks": _webhooks(business),
        "bands": [(row, day_and_time(row.read_at, business)) for row in rows],
        "drifts": [(drift, day_and_time(drift.opened_at, business)) for drift in drifts[:MOST_DRIFTS]],
        "waiting": _waiting(business),
        "unsealed": AuditWaiting.objects.filter(chain=business.pk).count(),
        "queue": queue_text(jobs_by_queue()),
        "version": version_text(connection.pg_version),  # type: ignore[attr-defined]  # PostgreSQL's own
    }


def _webhooks(business: Business) -> WebhookCounts:
    events = InboxEvent.objects.filter(business=business)
    last = events.order_by("-id").values_list("received_at", flat=True).first()
    return {
        "last": day_and_time(last, business),
        "waiting": events.filter(state=InboxState.RECEIVED).count(),
        "failed": events.filter(state=InboxState.FAILED).count(),
    }


def _waiting(business: Business) -> list[tuple[str, int]]:
    # One state at a time: each has a partial index.
    decisions = Decision.objects.filter(business=business)
    in_doubt = OutboundOperation.objects.filter(business=business, state=OutboundState.UNKNOWN).count()
    counts = [(words, decisions.filter(state=state).count()) for state, words in DECISION_WORDS.items()]
    return [*counts, (WRITES_IN_DOUBT, in_doubt)]


def identity_provider(actor: Actor) -> IdentityProvider | None:
    """The identity provider of the actor's business; None before there is one."""
    return IdentityProvider.objects.filter(business=actor.business).first()


def member_of(actor: Actor, member_id: int) -> Membership:
    """The member of the actor's business with this id, suspended or not; else raises Http404."""
    members = actor.business.memberships.filter(ended_at=None).select_related("user")
    member: Membership = get_object_or_404(members, pk=member_id)
    return member


def reset_of(actor: Actor, reset_id: int) -> FactorReset:
    """The reset of a second factor in the actor's business with this id; else raises Http404."""
    reset: FactorReset = get_object_or_404(FactorReset, pk=reset_id, membership__business=actor.business)
    return reset


def members_context(actor: Actor) -> MembersContext:
    """The members by name, the suspended ones after the others, the open proposals and resets about them, and a fresh form for an invitation."""
    members = actor.business.memberships.filter(ended_at=None).select_related("user")
    members = members.order_by("-is_active", "user__name", "pk")
    return {
        "rows": _rows(actor, list(members)),
        "roles": Role.choices,
        "needs_second": requires_second_admin(actor.business),
        "proposals": visible_proposals(actor)
        .filter(operation__in=OF_MEMBERS, state__in=OPEN_PROPOSAL_STATES)
        .order_by("pk"),
        "resets": [(reset, day_and_time(reset.asked_at, actor.business)) for reset in _open_resets(actor)],
        "invite_form": InviteForm(employees=employee_choices(actor)),
    }


def _rows(actor: Actor, members: list[Membership]) -> list[MemberRow]:
    users = [member.user_id for member in members]
    secured = set(Authenticator.objects.filter(user_id__in=users, type__in=FACTORS).values_list("user_id", flat=True))
    differing = roles_that_differ(actor.business)
    employees = visible_employees(actor).filter(remote_id__in=[member.employee_id for member in members])
    stopped = set(employees.exclude(status="ACTIVE").values_list("remote_id", flat=True))
    return [
        MemberRow(
            member, member.user_id in secured, member.pk == actor.membership_id, differing.get(member.pk),
            _suspension_of(actor, member), member.employee_id in stopped, member.user.last_login is None,
        )
        for member in members
    ]  # fmt: skip


def _suspension_of(actor: Actor, member: Membership) -> str:
    """By whom a member is suspended, and since when, as far as it is known; "" for one who can enter."""
    if member.is_active:
        return ""
    by = f" by {member.suspended_by}" if member.suspended_by else ""
    since = f" since {day_and_time(member.suspended_at, actor.business)}" if member.suspended_at else ""
    return f"Suspended{by}{since}"


def _open_resets(actor: Actor) -> QuerySet[FactorReset]:
    open_resets = FactorReset.objects.filter(membership__business=actor.business, settled_at=None)
    return open_resets.select_related("membership__user", "asked_by__user")


def employee_choices(actor: Actor) -> PersonChoices:
    """The employees who are no member yet, by name."""
    linked = actor.business.memberships.exclude(employee_id="").values("employee_id")
    rows = visible_employees(actor).exclude(remote_id__in=linked)
    return person_choices(actor, rows.order_by("sort_name", "pk"))
