"""Somebody's own item was decided on, something was asked about it, or what was asked was answered: told from the
service's events, whoever did it and wherever."""

from collections.abc import Mapping
from dataclasses import dataclass

from dashboard.access.models import Business, Membership
from dashboard.access.subject import person
from dashboard.mirror.events import EventResource
from dashboard.mirror.mappers.mapper import amount_in, remote_id
from dashboard.mirror.models import ApprovalRequest, Employee
from dashboard.money import text
from dashboard.notifications import topics
from dashboard.notifications.services import notify
from dashboard.notifications.topics import QUESTION


@dataclass(frozen=True)
class DecidedKind:
    """What whoever asked reads of a decision: what one is called in a sentence, what each status of it says (one that is
    not here decided nothing), and the kind that its notice leads to, as the copy calls it."""

    noun: str
    phrases: Mapping[str, str]
    kind: str


EXPENSE_PHRASES = {
    "APPROVED": "was approved",
    "REJECTED": "was rejected",
    "DETAILS_REQUESTED": "needs an answer from you",
}
VOTE_PHRASES = {"APPROVED": "was approved", "REJECTED": "was rejected", "EXPIRED": "has expired"}
# By the noun of its events. The kinds that one person's word decides are registered from decisions/registry.py.
DECIDED_KINDS: dict[str, DecidedKind] = {
    "expense": DecidedKind("expense", EXPENSE_PHRASES, "expense"),
    "approval": DecidedKind("request", VOTE_PHRASES, "approval"),
}
VERBS = frozenset(
    {"approved", "rejected", "details_requested", "decided", "expired", "posted"}
    | {f"optin_{verb}" for verb in ("approved", "rejected", "expired")}
)


def register_decided(event_noun: str, decided: DecidedKind) -> None:
    """Makes known what is told of the decisions on a kind, by the noun of its events; a noun has one kind."""
    if DECIDED_KINDS.setdefault(event_noun, decided) != decided:
        raise TypeError(f"there are two kinds whose events are called {event_noun}")


def notify_of_decision(business: Business, noun: str, event_verb: str, resource: EventResource) -> int:
    """Tells whoever spent or asked for it, once per decision; nobody where it was not decided or was their own doing."""
    decided = DECIDED_KINDS.get(noun)
    phrase = decided.phrases.get(str(resource.get("status") or "")) if decided else None
    if decided is None or phrase is None or event_verb not in VERBS or not _was_requested(business, noun, resource):
        return 0
    owner = _owner(noun, resource)
    by = person(resource.get("reviewed_by")) or person(resource.get("decided_by"))
    if not owner or owner == by:
        return 0
    members = Membership.objects.filter(business=business, employee_id=owner, is_active=True)
    version = resource.get("version") or resource.get("updatedAt") or resource.get("updated_at") or ""
    key = f"decided:{noun}:{remote_id(resource)}:{resource['status']}:{version}"
    sentence = f"Your {decided.noun} {_title(business, resource)} {phrase}{_by(business, by)}.{_why(resource)}"
    topic = QUESTION if resource["status"] == "DETAILS_REQUESTED" else topics.DECIDED
    return notify(members, topic, sentence, key=key, kind=decided.kind, remote_id=remote_id(resource))


def _owner(noun: str, resource: EventResource) -> str:
    """Who spent it or asked for it; who wrote a transaction, since its employee is whose money it was."""
    if noun == "transaction":
        return person(resource.get("created_by"))
    return person(resource.get("employee_id")) or person(resource.get("requested_by"))


def _was_requested(business: Business, noun: str, resource: EventResource) -> bool:
    """Of transactions those that were written by hand; of what votes are asked for, the request for votes speaks."""
    if noun == "transaction":
        kind = DECIDED_KINDS[noun].kind
        written = ApprovalRequest.objects.filter(business=business, kind=kind, remote_id=remote_id(resource))
        return written.exists()
    return noun != "fund_opt_in" or not resource.get("approval_id")


def notify_of_answer(business: Business, noun: str, event_verb: str, resource: EventResource) -> int:
    """Tells the reviewer who asked that the spender has answered, once per question; nobody for any other event.

    An expense waits again with its last review still on it only where that was a question (decisions B.15).
    """
    reviewer, at = person(resource.get("reviewed_by")), str(resource.get("reviewed_at") or "")
    owner = person(resource.get("employee_id"))
    if (noun, event_verb) != ("expense", "updated") or resource.get("status") != "PENDING" or not reviewer or not at:
        return 0
    if owner == reviewer:
        return 0
    members = Membership.objects.filter(business=business, employee_id=reviewer, is_active=True)
    who = str(resource.get("person") or "") or "The spender"
    sentence = f"{who} answered your question about expense {_title(business, resource)}."
    key = f"answered:{remote_id(resource)}:{at}"
    return notify(members, topics.ANSWERED, sentence, key=key, kind=noun, remote_id=remote_id(resource))


def _title(business: Business, resource: EventResource) -> str:
    titles = (
        resource.get("title"), resource.get("receiver"), resource.get("merchant"), resource.get("person_or_merchant"),
        resource.get("description"), resource.get("fund_name"), resource.get("name"), resource.get("transaction_ref"),
        resource.get("ref"),
    )  # fmt: skip
    title = next((str(text) for text in titles if text), "")
    minor, currency = amount_in(resource)
    money = text(minor, currency, business.locale) if minor is not None and currency else ""
    return " ".join(part for part in (title[:200], f"({money})" if money else "") if part) or "without a title"


def _by(business: Business, employee_id: str) -> str:
    name = Employee.objects.filter(business=business, remote_id=employee_id).values_list("name", flat=True).first()
    return f" by {name}" if employee_id and name else ""


def _why(resource: EventResource) -> str:
    reason = str(resource.get("review_reason") or resource.get("reason") or "")
    return f" “{reason[:200]}”" if reason else ""
