"""An item as a person decides on it: the decision card, the chain, the flags with their numbers, what happened so far."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.access.person import membership_of
from dashboard.audit.models import AuditEntry
from dashboard.decisions.models import OPEN_DECISION_STATES, Decision
from dashboard.decisions.registry import APPROVAL_KINDS, spec_for, verbs_on
from dashboard.times import day_and_time

EXPENSE_STATES = {
    "PENDING": ("Waiting", "info"),
    "APPROVED": ("Approved", "ok"),
    "REJECTED": ("Rejected", "bad"),
    "DETAILS_REQUESTED": ("Details requested", "warn"),
    "REFUNDED": ("Refunded", ""),
}
# Of an expense that waits again because the spender has answered.
ANSWERED = ("Answered", "info")
APPROVAL_STATES = {
    "PENDING": ("Waiting", "info"),
    "APPROVED": ("Approved", "ok"),
    "REJECTED": ("Rejected", "bad"),
    "AWAITING_CODE": ("Awaiting code", "warn"),
    "EXPIRED": ("Expired", "bad"),
}
# What the lines of the inbox call each kind of item.
KIND_LABELS = {
    "BULK_PAYOUT": "Payout batch", "BANK_TRANSFER": "Payment request", "PAYMENT_REQUEST": "Payment request",
    "BILL_PAYMENT": "Bill payment", "CARD_REQUEST": "Single-use card", "INVESTMENT": "Fund", "POLICY": "Policy",
    "FX_TRANSFER": "Wallet transfer", "ALLOCATION": "Allocation", "access_change": "Access change",
    **{kind: declared.label for kind, declared in APPROVAL_KINDS.items()},
}  # fmt: skip
PAYMENT_KINDS = {
    "BULK_PAYOUT": "Payout batch",
    "BANK_TRANSFER": "Payment request",
    "BILL_PAYMENT": "Bill payment",
    "CARD_REQUEST": "Single-use card",
    "INVESTMENT": "Fund",
    "POLICY": "Policy exception",
    "FX_TRANSFER": "Wallet transfer",
    "ALLOCATION": "Allocation",
}
REQUEST_STATES = {
    "PENDING": ("Waiting", "info"),
    "REQUESTED": ("Waiting", "info"),
    "APPROVED": ("Approved", "ok"),
    "POSTED": ("Posted", "ok"),
    "ORDERED": ("Ordered", "ok"),
    "SHIPPED": ("Shipped", "ok"),
    "DELIVERED": ("Delivered", "ok"),
    "REJECTED": ("Rejected", "bad"),
    "EXPIRED": ("Expired", "bad"),
}


@dataclass(frozen=True)
class ChainStep:
    """A link of the chain: `state` is done, no, now or next."""

    state: str
    text: str


@dataclass(frozen=True)
class ItemFlag:
    """A reason to look twice: what it weighs, in words, whether it is a red one, and whether it is a policy's: that ends by
    an override, and cannot be dismissed."""

    weight: str
    text: str
    red: bool
    of_policy: bool = False

    @property
    def is_dismissible(self) -> bool:
        """Whether somebody who may decide may mark it as checked."""
        return self.red and not self.of_policy

    @property
    def key(self) -> str:
        """What it is known by: its words, in which its number stands. Another number is another flag."""
        return hashlib.blake2s(f"{self.weight} {self.text}".encode(), digest_size=16).hexdigest()


@dataclass(frozen=True)
class RuleLink:
    """A policy or a workflow that has a say in an item: its name, and the address of its versions, which marks that of then."""

    title: str
    address: str


@dataclass(frozen=True)
class ActivityLine:
    """One line of the activity of an item: who, what and when, as text."""

    who: str
    what: str
    when: str


@dataclass(frozen=True)
class Paper:
    """A receipt or a document: where it is, its name, and whether a browser shows it as a picture."""

    href: str
    name: str
    picture: bool


@dataclass(frozen=True)
class DecisionChoice:
    """Something that can be decided: its words, the seconds in which it can be undone, whether it is allowed or why not."""

    verb: str
    label: str
    letter: str
    verdict: Verdict
    reason_needed: bool
    undo_s: int | None = None
    # How long a reason may be.
    longest: int = 2000


@dataclass(frozen=True)
class DeskItem:
    """Everything the pane shows of one item."""

    kind: str
    id: str
    kind_label: str
    ref: str
    amount: str
    title: str
    sub: str
    requester: str
    state: str
    tone: str
    level: str
    risk: int
    facts: list[tuple[str, str]]
    chain: list[ChainStep]
    flags: list[ItemFlag]
    choices: list[DecisionChoice]
    fingerprint: str
    # None where there is no paper to be had; empty where one is missing.
    papers: list[Paper] | None = None
    notes: str = ""
    open: list[Decision] = field(default_factory=list)
    rules: list[RuleLink] = field(default_factory=list)
    # The mirrored row that it was made of, where it is one.
    subject: Any = None

    @property
    def key(self) -> str:
        """Its key in the inbox: "kind/id"."""
        return f"{self.kind}/{self.id}"

    @property
    def allowed(self) -> list[DecisionChoice]:
        """The choices that are allowed now; none while a decision on it is open."""
        return [] if self.open else [choice for choice in self.choices if choice.verdict]

    @property
    def refusal(self) -> str:
        """Why nothing can be decided here, told before the click; empty when something can."""
        if self.allowed or not self.choices:
            return ""
        return "A decision on this is in progress." if self.open else self.choices[0].verdict.reason


Presenter = Callable[[Actor, Any], DeskItem]
# How items are shown is said by the desk's pages, at start-up: by the class of the mirrored row.
PRESENTERS: dict[type, Presenter] = {}


def register_presenter(kind: type, presenter: Presenter) -> None:
    """Makes known how rows of a class become items; a class has one presenter."""
    if PRESENTERS.setdefault(kind, presenter) is not presenter:
        raise TypeError(f"there are two presenters of {kind.__name__}")


def desk_item_of(actor: Actor, subject: Any) -> DeskItem:
    """What is shown of an item, with what this actor may decide on it; TypeError for a kind that nobody presents."""
    presenter = PRESENTERS.get(type(subject))
    if presenter is None:
        raise TypeError(f"no presenter is registered for {type(subject).__name__}")
    return presenter(actor, subject)


def choices_on(actor: Actor, subject: Any) -> list[DecisionChoice]:
    """What can be decided on an item as it stands, each with whether this actor may."""
    rows = (("approve", "Approve", "A"), ("reject", "Reject", "R"), ("ask", "Request details", "D"))
    choices = []
    for verb, label, letter in rows:
        operation = verbs_on(subject).get(verb)
        if operation is not None and subject.status in spec_for(operation).waiting_in:
            needed = spec_for(operation).needs_reason
            verdict = can(actor, operation, subject)
            choices.append(DecisionChoice(verb, label, letter, verdict, needed, operation.undo_s))
    return choices


def undo_of(choices: list[DecisionChoice]) -> str:
    """The text of the fact "Undo": for how many seconds an approval can be undone, or that it cannot."""
    seconds = choices[0].undo_s
    if not seconds:
        return "not possible once approved; requires verification"
    return f"{seconds} seconds, before it is sent"


def level_of(risk: int) -> str:
    """The level of a risk score: low, medium, high or critical (decisions B.13)."""
    return "low" if risk < 30 else "medium" if risk < 60 else "high" if risk < 85 else "critical"


def activity_of(actor: Actor, kind: str, remote_id: str) -> list[ActivityLine]:
    """The last eight entries of the audit about the item, the newest first."""
    lines = AuditEntry.objects.filter(chain=actor.business.pk, object_type=kind, object_id=remote_id)
    return [
        ActivityLine(
            line.actor_name,
            f"{line.sentence} · {line.get_outcome_display().lower()}{f' “{line.reason}”' if line.reason else ''}",
            day_and_time(line.at, actor.business),
        )
        for line in lines.order_by("-id")[:8]
    ]


def open_on(actor: Actor, kind: str, remote_id: str, *, votes: bool = False) -> list[Decision]:
    """The decisions on it that are on their way; of votes, one's own alone, for others vote beside."""
    decisions = Decision.objects.filter(
        business=actor.business, object_type=kind, object_id=remote_id, state__in=OPEN_DECISION_STATES
    )
    return list(decisions.filter(membership_id=membership_of(actor)) if votes else decisions)
