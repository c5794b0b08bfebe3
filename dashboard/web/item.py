"""An item as a person decides on it: the decision card, the chain, the flags with their numbers, what happened so far."""

from dataclasses import dataclass, field
from typing import Any

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.access.operation import Operation
from dashboard.audit.models import AuditEntry
from dashboard.client.money import text
from dashboard.decisions.fingerprints import fingerprint_of
from dashboard.decisions.models import OPEN, Decision
from dashboard.decisions.requests import wire_of
from dashboard.mirror.models import Approval, Expense
from dashboard.mirror.rows import moment
from dashboard.web.person import membership_of
from dashboard.web.signals import in_words
from dashboard.web.times import day, day_and_time

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


def expense_item(actor: Actor, expense: Expense) -> Item:
    """The item of an expense, with what this actor may decide on it."""
    business, payload = actor.business, expense.payload
    state, tone = EXPENSE_STATES.get(expense.status, (expense.status.capitalize(), ""))
    facts = [
        ("What", " · ".join(part for part in (expense.merchant, expense.category_name) if part) or "no description"),
        ("From", " · ".join(part for part in (expense.employee_name, expense.team_name) if part)),
        ("Paid", f"{day(expense.transaction_date, business)} from wallet {expense.org_wallet_ref or 'not named'}"),
        ("Why you", _why_expense(actor, expense)),
        ("Checked", _checked(expense)),
        ("If approved", "It counts as approved spend; no money moves, the card has paid already."),
        ("Undo", f"{operations.APPROVE_EXPENSE.undo_s} seconds, before it is sent"),
    ]
    original = payload.get("original_currency")
    if original and original != expense.currency:
        rate = payload.get("fx_rate") or "not told"
        facts.insert(3, ("Exchange", f"{original} {payload.get('original_amount', '')} at {rate}"))
    if payload.get("fees"):
        facts.insert(3, ("Fees", f"{expense.currency} {payload['fees']}"))
    return Item(
        kind="expense",
        id=expense.remote_id,
        kind_label="Expense",
        ref=expense.transaction_ref or expense.remote_id,
        amount=expense.amount_text,
        title=expense.merchant or "Expense",
        sub=f"{expense.employee_name}{' · ' + expense.team_name if expense.team_name else ''}",
        asker=expense.employee_name,
        state=state,
        tone=tone,
        level=level_of(expense.risk),
        risk=expense.risk,
        facts=[(label, value) for label, value in facts if value],
        chain=_expense_chain(actor, expense),
        flags=_expense_flags(expense),
        choices=_expense_choices(actor, expense),
        fingerprint=fingerprint_of(expense),
        receipts=_receipts(payload.get("receipts")),
        notes=expense.notes,
        activity=_activity(actor, "expense", expense.remote_id),
        open=_open(actor, "expense", expense.remote_id),
    )


def approval_item(actor: Actor, approval: Approval) -> Item:
    """The item of a payment request, with what this actor may decide on it."""
    business = actor.business
    state, tone = APPROVAL_STATES.get(approval.status, (approval.status.capitalize(), ""))
    left = approval.approvals_required - approval.approvals_given
    facts = [
        ("What", approval.title),
        ("To", approval.payee),
        ("From", f"{approval.requested_by_name} asked on {day_and_time(approval.requested_at, business)}"),
        ("Wallet", approval.org_wallet_ref),
        ("Why you", _why_vote(actor, approval)),
        ("Cut-off", day_and_time(approval.due_at, business)),
        ("Expires", day_and_time(approval.expires_at, business)),
        ("If approved", "Yours is the last vote needed: the money leaves." if left == 1 else f"{left - 1} more votes."),
        ("Undo", "not possible once approved: asks you to show that it is you"),
    ]
    return Item(
        kind="payment",
        id=approval.remote_id,
        kind_label=PAYMENT_KINDS.get(approval.kind, "Payment request"),
        ref=approval.ref,
        amount=approval.amount_text or "no amount",
        title=approval.title,
        sub=f"to {approval.payee}" if approval.payee else "",
        asker=approval.requested_by_name,
        state=state,
        tone=tone,
        level=approval.risk_level.lower() or level_of(approval.risk),
        risk=approval.risk,
        facts=[(label, value) for label, value in facts if value],
        chain=_votes(approval),
        flags=[
            Flag(f"+{each.get('weight', 0)}", in_words(each), int(each.get("weight", 0)) >= 30)
            for each in approval.signals
        ],
        choices=_vote_choices(actor, approval) if approval.status == "PENDING" else [],
        fingerprint=fingerprint_of(approval),
        activity=_activity(actor, "approval", approval.remote_id),
        open=_open(actor, "approval", approval.remote_id, votes=True),
    )


def _expense_choices(actor: Actor, expense: Expense) -> list[Choice]:
    rows = (
        (operations.APPROVE_EXPENSE, "approve", "Approve", "A", False),
        (operations.REJECT_EXPENSE, "reject", "Reject", "R", True),
        (operations.REQUEST_EXPENSE_DETAILS, "ask", "Ask for details", "D", True),
    )
    return [
        Choice(row[0], row[1], row[2], row[3], can(actor, row[0], expense), row[4])
        for row in rows
        if expense.status in wire_of(row[0]).waiting_in
    ]


def _vote_choices(actor: Actor, approval: Approval) -> list[Choice]:
    approve, reject = operations.APPROVE_PAYMENT_REQUEST, operations.REJECT_PAYMENT_REQUEST
    return [
        Choice(approve, "approve", "Approve", "A", can(actor, approve, approval), False),
        Choice(reject, "reject", "Reject", "R", can(actor, reject, approval), True),
    ]


def _why_expense(actor: Actor, expense: Expense) -> str:
    verdict = can(actor, operations.APPROVE_EXPENSE, expense)
    if not verdict:
        return verdict.reason
    if expense.team_id in actor.teams:
        return f"You review {expense.team_name or 'this team'}."
    return f"Your role, {actor.role.label.lower()}, reviews every team's expenses."


def _why_vote(actor: Actor, approval: Approval) -> str:
    needed = f"{approval.approvals_given} of {approval.approvals_required} votes are in"
    verdict = can(actor, operations.APPROVE_PAYMENT_REQUEST, approval)
    return (
        f"The mandate names you among {len(approval.eligible)}; {needed}." if verdict else f"{verdict.reason} {needed}."
    )


def _checked(expense: Expense) -> str:
    receipt = "receipt is here" if expense.has_receipt else "no receipt"
    needed = " although one is required" if expense.payload.get("receipt_required") and not expense.has_receipt else ""
    flags = len(expense.payload.get("policy_flags") or [])
    found = "no policy flag" if not flags else f"{flags} policy flag{'s' if flags > 1 else ''}"
    return f"{receipt}{needed}; {found}".capitalize()


def _expense_chain(actor: Actor, expense: Expense) -> list[Step]:
    payload = expense.payload
    steps = [Step("done", f"{expense.employee_name.split(' ')[0] or 'Somebody'} spent it")]
    when = day_and_time(moment(payload.get("reviewed_at")), actor.business)
    who = str(payload.get("reviewed_by_name") or "Reviewed")
    if expense.status == "PENDING":
        return [*steps, Step("now", "Review"), Step("next", "Books")]
    if expense.status == "DETAILS_REQUESTED":
        return [*steps, Step("done", f"Details asked for{', ' + when if when else ''}"), Step("now", "An answer")]
    state = "no" if expense.status == "REJECTED" else "done"
    word = EXPENSE_STATES.get(expense.status, (expense.status.capitalize(), ""))[0].lower()
    return [*steps, Step(state, f"{who}: {word}{', ' + when if when else ''}")]


def _votes(approval: Approval) -> list[Step]:
    steps = [Step("done", f"{approval.requested_by_name or 'Somebody'} asked")]
    for vote in approval.payload.get("votes") or []:
        against = str(vote.get("decision") or vote.get("vote") or "").upper().startswith("REJECT")
        who = vote.get("name") or vote.get("employee_name") or "An approver"
        steps.append(Step("no" if against else "done", f"{who} {'rejected' if against else 'approved'}"))
    if approval.status == "PENDING":
        steps.append(Step("now", f"Vote {approval.approvals_given + 1} of {approval.approvals_required}"))
        steps.append(Step("next", "Payment"))
    return steps


def _expense_flags(expense: Expense) -> list[Flag]:
    flags = [Flag("!", in_words(flag), True) for flag in expense.payload.get("policy_flags") or []]
    if notes := expense.payload.get("risk_notes"):
        flags.append(Flag(f"+{expense.risk}", str(notes), expense.risk >= 60))
    if expense.payload.get("receipt_required") and not expense.has_receipt:
        flags.append(Flag("!", "A receipt is required and none is here.", False))
    return flags


def _receipts(found: Any) -> list[tuple[str, str, bool]]:
    # (id, file name, whether a browser shows it as a picture)
    return [
        (
            str(one.get("_id") or number),
            str(one.get("file_name") or "receipt"),
            str(one.get("mime")).startswith("image/"),
        )
        for number, one in enumerate(found or [])
        if isinstance(one, dict)
    ]


def _activity(actor: Actor, kind: str, remote_id: str) -> list[Line]:
    # The last lines of the audit about this very thing.
    lines = AuditEntry.objects.filter(chain=actor.business.pk, object_type=kind, object_id=remote_id)
    return [
        Line(
            line.actor_name,
            f"{line.sentence} · {line.get_outcome_display().lower()}{f' “{line.reason}”' if line.reason else ''}",
            day_and_time(line.at, actor.business),
        )
        for line in lines.order_by("-id")[:8]
    ]


def _open(actor: Actor, kind: str, remote_id: str, *, votes: bool = False) -> list[Decision]:
    found = Decision.objects.filter(business=actor.business, object_type=kind, object_id=remote_id, state__in=OPEN)
    return list(found.filter(membership_id=membership_of(actor)) if votes else found)


def amount_text(minor: int, currency: str, actor: Actor) -> str:
    """An amount as this business writes it."""
    return text(minor, currency, actor.business.locale)
