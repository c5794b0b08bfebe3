"""An item as a person decides on it: the decision card, the chain, the flags with their numbers, what happened so far."""

from dataclasses import dataclass, field

from dashboard.access.actor import Actor
from dashboard.access.check import Verdict
from dashboard.access.operation import Operation
from dashboard.audit.models import AuditEntry
from dashboard.decisions.models import OPEN, Decision
from dashboard.web.person import membership_of
from dashboard.web.times import day_and_time

EXPENSE_STATES = {
    "PENDING": ("Waiting", "info"),
    "APPROVED": ("Approved", "ok"),
    "REJECTED": ("Rejected", "bad"),
    "DETAILS_REQUESTED": ("Details asked for", "warn"),
    "REFUNDED": ("Refunded", ""),
}
APPROVAL_STATES = {
    "PENDING": ("Waiting", "info"),
    "APPROVED": ("Approved", "ok"),
    "REJECTED": ("Rejected", "bad"),
    "AWAITING_CODE": ("Waits for a code", "warn"),
    "EXPIRED": ("Expired", "bad"),
}
PAYMENT_KINDS = {"BULK_PAYOUT": "Payout batch", "BANK_TRANSFER": "Payment request"}


@dataclass(frozen=True)
class Step:
    """A link of the chain: `state` is done, no, now or next."""

    state: str
    text: str


@dataclass(frozen=True)
class Flag:
    """A reason to look twice: what it weighs, in words, and whether it is a red one."""

    weight: str
    text: str
    red: bool


@dataclass(frozen=True)
class Line:
    """Something that happened: who, what, when."""

    who: str
    what: str
    when: str


@dataclass(frozen=True)
class Choice:
    """Something that can be decided: its operation, its words, and whether it is allowed or why not."""

    operation: Operation
    verb: str
    label: str
    letter: str
    verdict: Verdict
    reason_needed: bool


@dataclass(frozen=True)
class Item:
    """Everything the pane shows of one item."""

    kind: str
    id: str
    kind_label: str
    ref: str
    amount: str
    title: str
    sub: str
    asker: str
    state: str
    tone: str
    level: str
    risk: int
    facts: list[tuple[str, str]]
    chain: list[Step]
    flags: list[Flag]
    choices: list[Choice]
    fingerprint: str
    receipts: list[tuple[str, str, bool]] = field(default_factory=list)
    notes: str = ""
    activity: list[Line] = field(default_factory=list)
    open: list[Decision] = field(default_factory=list)

    @property
    def key(self) -> str:
        """What names it in the inbox: kind and id."""
        return f"{self.kind}/{self.id}"

    @property
    def allowed(self) -> list[Choice]:
        """What this person can decide now."""
        return [] if self.open else [choice for choice in self.choices if choice.verdict]

    @property
    def refusal(self) -> str:
        """Why nothing can be decided here, told before the click; empty when something can."""
        if self.allowed or not self.choices:
            return ""
        return "A decision on this is on its way." if self.open else self.choices[0].verdict.reason


def level_of(risk: int) -> str:
    """The word of a score (decisions B.13)."""
    return "low" if risk < 30 else "medium" if risk < 60 else "high" if risk < 85 else "critical"


def activity_of(actor: Actor, kind: str, remote_id: str) -> list[Line]:
    """The last lines of the audit about this very thing."""
    lines = AuditEntry.objects.filter(chain=actor.business.pk, object_type=kind, object_id=remote_id)
    return [
        Line(
            line.actor_name,
            f"{line.sentence} · {line.get_outcome_display().lower()}{f' “{line.reason}”' if line.reason else ''}",
            day_and_time(line.at, actor.business),
        )
        for line in lines.order_by("-id")[:8]
    ]


def open_on(actor: Actor, kind: str, remote_id: str, *, votes: bool = False) -> list[Decision]:
    """The decisions on it that are on their way; of votes, one's own alone, for others vote beside."""
    found = Decision.objects.filter(business=actor.business, object_type=kind, object_id=remote_id, state__in=OPEN)
    return list(found.filter(membership_id=membership_of(actor)) if votes else found)
