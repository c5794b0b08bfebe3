"""Spend policies as the service tells them now, or did when it last answered, and what their forms offer."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Q, QuerySet

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.subject import Subject
from dashboard.client.models import ServiceAccount
from dashboard.client.page import read_page, typed
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError, NotAllowed, NotFound, Unavailable
from dashboard.impact.mandate_reads import Snapshot
from dashboard.inputs import Choices
from dashboard.mirror.cached_responses import read_or_cached
from dashboard.mirror.choices import categories_of, teams_of
from dashboard.mirror.live_rows import store_rows
from dashboard.mirror.models import Expense
from dashboard.mirror.scopes import (
    visible_categories,
    visible_employees,
    visible_expenses,
    visible_spend_policies,
    visible_vendors,
    visible_wallets,
    visible_workflows,
)
from dashboard.pages.policies.forms.policy import PolicyChoices, own_vendor_choice, policy_channels
from dashboard.policies.policy_text import POLICY_TYPES
from dashboard.proposals.models import POLICY
from dashboard.schemas.policies import PolicyBody, PolicyGroup, PolicySummary, SpendPolicy
from dashboard.schemas.workflows import OF_POLICIES
from dashboard.times import as_of
from dashboard.web.person_field import PersonChoices, person_choices

LIVE_S = 4.0
MOST = 1000
MOST_CHOICES = 2000


def policy_groups(actor: Actor) -> Snapshot[list[PolicyGroup]]:
    """The policy groups of the business, in their order; [] where they were never read."""
    cached = read_or_cached(actor, operations.LIST_POLICY_GROUPS)
    rows = [] if cached.data is None else typed(read_page(cached.data).rows, PolicyGroup)
    return Snapshot(rows, as_of(cached.as_of, actor.business), cached.trouble)


def group_types_of(actor: Actor) -> Snapshot[list[PolicyGroup]]:
    """The policy groups with the types that each has policies of."""
    cached = read_or_cached(actor, operations.LIST_POLICY_GROUP_TYPES)
    rows = [] if cached.data is None else typed(read_page(cached.data).rows, PolicyGroup)
    return Snapshot(rows, as_of(cached.as_of, actor.business), cached.trouble)


def group_of(actor: Actor, group_id: str) -> Snapshot[PolicyGroup]:
    """A policy group with its policies; NotFound where there is none such, Unavailable where it was never read."""
    path = {"policyId": group_id}
    cached = read_or_cached(actor, operations.READ_POLICY_GROUP, item=group_id, path=path)
    if cached.data is None:
        raise NotFound(cached.trouble or "This group is not known here.", code="not_found")
    return Snapshot(typed([cached.data], PolicyGroup)[0], as_of(cached.as_of, actor.business), cached.trouble)


def policy_summary(actor: Actor) -> Snapshot[PolicySummary]:
    """All policies of the business that are not deleted, in their groups; empty where that was never read."""
    account = ServiceAccount.objects.filter(business=actor.business).first()
    path = {"businessId": account.remote_business_id if account else "-"}
    cached = read_or_cached(actor, operations.READ_POLICY_SUMMARY, path=path)
    summary = PolicySummary() if cached.data is None else typed([cached.data], PolicySummary)[0]
    return Snapshot(summary, as_of(cached.as_of, actor.business), cached.trouble)


def category_policies_of(actor: Actor, type_: str, status: str) -> Snapshot[list[SpendPolicy]]:
    """Policies on categories and subcategories: of one type and one status where these are given."""
    narrowed = {"type": type_, "status": status}
    query: dict[str, str | int] = {"limit": MOST, **{name: value for name, value in narrowed.items() if value}}
    cached = read_or_cached(actor, operations.LIST_CATEGORY_POLICIES, item=f"{type_}:{status}", query=query)
    rows = [] if cached.data is None else typed(read_page(cached.data).rows, SpendPolicy)
    return Snapshot(rows, as_of(cached.as_of, actor.business), cached.trouble)


def group_for_type(actor: Actor, type_: str) -> PolicyGroup:
    """The group that policies of a type belong to; NotFound for no type, Unavailable while nobody can say."""
    read = group_types_of(actor)
    group = next((row for row in read.value if type_ in row.types), None)
    if group is None:
        raise Unavailable(read.trouble) if read.trouble and type_ in POLICY_TYPES else NotFound(code="not_found")
    return group


def replaced_policy(actor: Actor, type_: str, body: PolicyBody) -> SpendPolicy | None:
    """The policy that one of this target, currency and period, per person or not, replaces; None where there is none."""
    rows = category_policies_of(actor, type_, "").value
    key = (body["target"], body["currency"] or "", body["period"] or "", body["per_person"])
    return next((row for row in rows if (row.target, row.currency, row.period, row.per_person) == key), None)


def spend_policy_for(actor: Actor, policy_id: str) -> Snapshot[SpendPolicy]:
    """A policy as it is now, or as the copy has it while the service is away; NotFound where neither knows it."""
    row = visible_spend_policies(actor).filter(remote_id=policy_id).first()
    path = {"businessPolicyId": policy_id}
    try:
        answer = read_live(actor, operations.READ_POLICY, path=path, subject=row, deadline=LIVE_S)
    except (NotAllowed, NotFound):
        raise
    except FinanceError as trouble:
        if row is None:
            raise
        stored = SpendPolicy.model_validate(row.payload)
        return Snapshot(stored, as_of(row.last_seen, actor.business), trouble.user_message)
    store_rows(actor, "policy", [answer.data])
    return Snapshot(typed([answer.data], SpendPolicy)[0], as_of(answer.as_of, actor.business), "")


def subject_of_policy(actor: Actor, spend_policy: SpendPolicy) -> Subject:
    """What the gate and the audit must know of a policy."""
    return Subject(
        business_id=actor.business.pk, kind=POLICY, id=spend_policy.id, title=spend_policy.name or spend_policy.type
    )


def policy_choices(actor: Actor, type_: str, spend_policy: SpendPolicy | None = None) -> PolicyChoices:
    """What the form of a policy of a type offers; what the policy has now is offered whatever became of it."""
    target = spend_policy.target if spend_policy else ""
    targets = _targets(actor, type_)
    if target and target not in {value for value, _ in targets}:
        targets = [(target, f"{target} (no longer offered)"), *targets]
    currency = spend_policy.currency if spend_policy else ""
    return PolicyChoices(
        targets=targets,
        currencies=wallet_currencies(actor, currency),
        workflows=_workflows(actor),
        teams=teams_of(actor),
        people=people_choices(actor, spend_policy.exempt.employee_ids if spend_policy else ()),
        hints={"target": f"{HINTS.get(type_, '')} {cut_hint(actor) if type_ == 'VENDOR' else ''}".strip()},
    )


HINTS = {
    "CHANNEL": "A family, such as any M-Pesa payment, holds all of its members.",
    "SUBCATEGORY": "Card purchases are categorised after the card was used: this does not stop them.",
    "CATEGORY": "All of its subcategories. Card purchases are categorised after the card was used: this does not stop them.",
    "VENDOR": "A card purchase counts where its merchant has the vendor's name.",
}


def _targets(actor: Actor, type_: str) -> list[tuple[str, str]]:
    match type_:
        case "CHANNEL":
            return policy_channels()
        case "SUBCATEGORY":
            return categories_of(actor)
        case "CATEGORY":
            rows = visible_categories(actor).order_by("category_name").values_list("category_id", "category_name")
            return list(dict.fromkeys(rows))
        case "VENDOR":
            return [own_vendor_choice(), *vendor_choices(actor)]
        case _:
            return []


def vendor_choices(actor: Actor) -> list[tuple[str, str]]:
    """The active vendors by name, at most two thousand."""
    rows = visible_vendors(actor).filter(status="ACTIVE").order_by("sort_name")
    return list(rows.values_list("remote_id", "name")[:MOST_CHOICES])


def cut_hint(actor: Actor) -> str:
    """That not all vendors are among the choices; "" where they are."""
    count = visible_vendors(actor).filter(status="ACTIVE").count()
    return f"The first {MOST_CHOICES:,} of {count:,} vendors by name are listed." if count > MOST_CHOICES else ""


def people_choices(actor: Actor, chosen: Iterable[str] = ()) -> PersonChoices:
    """The active people by name, and those who are chosen already, whatever became of them."""
    rows = visible_employees(actor).filter(Q(status="ACTIVE") | Q(remote_id__in=list(chosen)))
    return person_choices(actor, rows.order_by("sort_name", "pk"))


def waiting_expenses(actor: Actor) -> QuerySet[Expense]:
    """The expenses that wait for review, as far as the actor sees them."""
    return visible_expenses(actor).filter(status__in=("PENDING", "DETAILS_REQUESTED"))


def marked_expenses(actor: Actor, spend_policy: SpendPolicy) -> QuerySet[Expense]:
    """Those of them that a policy marks, or sends for approval."""
    marks = (f"{spend_policy.type}:{spend_policy.id}", f"APPROVAL:{spend_policy.id}")
    flagged, awaits_votes = (Q(payload__policy_flags__contains=[mark]) for mark in marks)
    return waiting_expenses(actor).filter(flagged | awaits_votes)


def approvers_of(actor: Actor, chosen: Iterable[str] = ()) -> PersonChoices:
    """The active approvers by name: the service lets nobody else vote in a workflow. With them those who are chosen already,
    whatever became of them."""
    rows = visible_employees(actor).filter(Q(status="ACTIVE", role="APPROVER") | Q(remote_id__in=list(chosen)))
    return person_choices(actor, rows.order_by("sort_name", "pk"))


def wallet_currencies(actor: Actor, currency: str = "") -> list[str]:
    """The currencies of the business's wallets, and the given one."""
    codes = set(visible_wallets(actor).values_list("currency", flat=True)) | {currency}
    return sorted(codes - {""})


def _workflows(actor: Actor) -> Choices:
    rows = visible_workflows(actor).filter(action_type=OF_POLICIES, is_active=True).order_by("priority", "remote_id")
    return list(rows.values_list("remote_id", "name"))
