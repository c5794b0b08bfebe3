"""What can be decided here: on which kinds of items, by which request, and what the item looks like once it is done.

One row per operation that can be decided here. An operation without a row cannot be taken.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.shortcuts import get_object_or_404

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.decisions.described_requests import described_request
from dashboard.errors import NotFound
from dashboard.mirror.models import Approval, ApprovalRequest, Expense, Mirrored
from dashboard.mirror.scopes import visible_approvals, visible_expenses, visible_requests

# A row of the copy that can be decided on.
DecidedRow = Expense | Approval | ApprovalRequest
# What an approved request for votes allows without paying anybody: the expense is paid already, a card is only made.
ALLOWS = frozenset({"POLICY", "CARD_REQUEST"})


def kind_of(subject: Any) -> str:
    """The kind of an item, as decisions and the audit name it."""
    if isinstance(subject, Expense):
        return "expense"
    return "approval" if isinstance(subject, Approval) else str(subject.kind)


def visible(actor: Actor, kind: str) -> Any:
    """The rows of a kind that the actor sees, as a queryset."""
    if kind == "expense":
        return visible_expenses(actor)
    return visible_approvals(actor) if kind == "approval" else visible_requests(actor).filter(kind=kind)


def subject_of_kind(actor: Actor, kind: str, remote_id: str) -> DecidedRow:
    """The row of a kind ("expense", "approval" or that of a request) as the actor sees it; Http404 where it is not theirs."""
    row: DecidedRow = get_object_or_404(visible(actor, kind), remote_id=remote_id)
    return row


def model_of_kind(kind: str) -> type[Mirrored]:
    """The mirror's model for a kind."""
    return {"expense": Expense, "approval": Approval}.get(kind, ApprovalRequest)


def is_vote(operation: Operation, kind: str) -> bool:
    """Whether it is one of several words on the same item; any other decision stands alone."""
    return kind == "approval" and "mandate" in operation.rules


def with_id(kind: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """The payload with the id that the copy keeps it by: an opt-in to a fund is named by its reference alone."""
    return {"_id": payload.get("ref"), **payload} if kind == "fund_opt_in" else dict(payload)


Path = Callable[[Any], dict[str, str]]


def no_path(_: Any) -> dict[str, str]:
    """No path parameters: the body names the item."""
    return {}


def by_id(name: str) -> Path:
    """The path's only parameter, of this name, is the item's id."""
    return lambda subject: {name: subject.remote_id}


def by_ref(name: str) -> Path:
    """The path's only parameter, of this name, is the item's reference."""
    return lambda subject: {name: subject.ref}


def by_bill(approval: Approval) -> dict[str, str]:
    """The path of a bill payment: `billId` and `paymentRef`. NotFound where the copy does not know its bill."""
    paid = described_request(approval)
    if paid is None or not paid.payload.get("bill_id"):
        raise NotFound("Its bill is no longer available.", code="hidden")
    return {"billId": str(paid.payload["bill_id"]), "paymentRef": approval.ref}


@dataclass(frozen=True)
class DecisionSpec:
    """How one decision is asked of the service.

    `answers` is the mirrored kind that the answer is, `row` its name in an answer for several; `path` fills the path's
    parameters, `id_field` names the item in the body instead; `becomes` are the statuses that show that it is done;
    `final` where nobody decides on it after that; `together` is the operation that does the same to several items in
    one call, of which `listed` ones are always asked that way; `extra` stands in every body.
    """

    answers: str
    path: Path = no_path
    id_field: str = ""
    becomes: frozenset[str] = frozenset()
    final: bool = True
    waiting_in: frozenset[str] = frozenset({"PENDING"})
    needs_reason: bool = False
    accepts_reason: bool = True
    together: Operation | None = None
    listed: bool = False
    most: int = 500
    row: str = "expense"
    extra: tuple[tuple[str, str], ...] = ()

    def body(self, object_id: str, reason: str) -> dict[str, str]:
        """The body: the item's id where the path has none, the reason where there is one."""
        subject_id = {self.id_field: object_id} if self.id_field else {}
        return {**dict(self.extra), **subject_id, **self._why(reason)}

    def body_for(self, ids: list[str], reason: str) -> Mapping[str, str | list[str]]:
        """The body of a call for several items: their ids, and the reason where there is one."""
        return {"ids": ids, **self._why(reason)}

    def _why(self, reason: str) -> dict[str, str]:
        return {"reason": reason} if reason and self.accepts_reason else {}


def _states(*names: str) -> frozenset[str]:
    return frozenset(names)


VOTED = DecisionSpec("approval", id_field="approval_id", becomes=_states("APPROVED"))
AGAINST = DecisionSpec("approval", id_field="approval_id", becomes=_states("REJECTED"), needs_reason=True)
SPECS: dict[Operation, DecisionSpec] = {
    operations.APPROVE_EXPENSE: DecisionSpec(
        "expense", by_id("expenseId"), becomes=_states("APPROVED"), together=operations.APPROVE_EXPENSES,
    ),
    operations.REJECT_EXPENSE: DecisionSpec(
        "expense", by_id("expenseId"), becomes=_states("REJECTED"), needs_reason=True,
        together=operations.REJECT_EXPENSES,
    ),
    operations.REQUEST_EXPENSE_DETAILS: DecisionSpec(
        "expense", by_id("expenseId"), becomes=_states("DETAILS_REQUESTED"), final=False, needs_reason=True,
    ),
    operations.APPROVE_PAYMENT_REQUEST: VOTED,
    operations.REJECT_PAYMENT_REQUEST: AGAINST,
    operations.APPROVE_BILL_PAYMENT: DecisionSpec(
        "bill_payment", by_bill, becomes=_states("APPROVED"),
    ),
    operations.REJECT_BILL_PAYMENT: DecisionSpec(
        "bill_payment", by_bill, becomes=_states("REJECTED"), needs_reason=True,
    ),
    operations.REJECT_BILL_PAYMENT_REQUEST: AGAINST,
    operations.APPROVE_FUND_OPT_IN: DecisionSpec(
        "fund_opt_in", by_ref("ref"), becomes=_states("APPROVED"), accepts_reason=False,
    ),
    operations_extra.REJECT_FUND_OPT_IN: DecisionSpec(
        "fund_opt_in", by_ref("ref"), becomes=_states("REJECTED"), needs_reason=True,
    ),
    operations.APPROVE_CARD_ORDERS: DecisionSpec(
        "card_order", becomes=_states("ORDERED", "SHIPPED", "DELIVERED"), waiting_in=_states("REQUESTED"),
        accepts_reason=False, together=operations.APPROVE_CARD_ORDERS, listed=True, most=200, row="order",
    ),
    operations.REJECT_CARD_ORDERS: DecisionSpec(
        "card_order", becomes=_states("REJECTED"), waiting_in=_states("REQUESTED"), needs_reason=True,
        together=operations.REJECT_CARD_ORDERS, listed=True, most=200, row="order",
    ),
    operations_extra.APPROVE_CARD_REQUEST: DecisionSpec(
        "card_request", by_id("id"), becomes=_states("APPROVED"), extra=(("action", "approve"),),
    ),
    operations_extra.REJECT_CARD_REQUEST: DecisionSpec(
        "card_request", by_id("id"), becomes=_states("REJECTED"), needs_reason=True, extra=(("action", "reject"),),
    ),
    operations.APPROVE_TRANSACTION: DecisionSpec(
        "hand_transaction", by_id("id"), becomes=_states("APPROVED", "POSTED"), accepts_reason=False,
    ),
    operations.REJECT_TRANSACTION: DecisionSpec(
        "hand_transaction", by_id("id"), becomes=_states("REJECTED"), needs_reason=True,
    ),
}  # fmt: skip
# The published operations and ours, by the name that is kept with a decision.
DECIDED: dict[str, Operation] = {operation.name: operation for operation in SPECS}
VERBS = ("approve", "reject", "ask")


def verb_of(operation: Operation) -> str:
    """Which of the verbs an operation is that decides."""
    verb = operation.name.partition("_")[0]
    return verb if verb in VERBS else "ask"


ON_EXPENSE = {
    "approve": operations.APPROVE_EXPENSE,
    "reject": operations.REJECT_EXPENSE,
    "ask": operations.REQUEST_EXPENSE_DETAILS,
}
ON_VOTES = {"approve": operations.APPROVE_PAYMENT_REQUEST, "reject": operations.REJECT_PAYMENT_REQUEST}
ON_BILL = {"approve": operations.APPROVE_BILL_PAYMENT, "reject": operations.REJECT_BILL_PAYMENT}
# Its bill is not known here: the request for votes itself is voted on.
ON_UNKNOWN_BILL = {"approve": operations.APPROVE_PAYMENT_REQUEST, "reject": operations.REJECT_BILL_PAYMENT_REQUEST}


@dataclass(frozen=True)
class ApprovalKind:
    """A kind of request that one person's word is enough for: what lists call one of it and several, the filter of the
    inbox that shows it, the operations that open it on the desk and decide on it, and whether somebody else may decide in
    one's absence.

    Whoever asked for one is told: `noun` is what a sentence calls it where that is not its label, `event` what its events
    call it where that is not its kind, `approved` the statuses that an approval itself brings about, and `statuses` what
    others say to them.
    """

    label: str
    plural: str
    inbox_filter: str
    opens: Operation
    approve: Operation
    reject: Operation
    is_delegable: bool = True
    noun: str = ""
    event: str = ""
    approved: tuple[str, ...] = ("APPROVED",)
    statuses: Mapping[str, str] = field(default_factory=dict)

    @property
    def verbs(self) -> dict[str, Operation]:
        """Its operations by verb: "approve" and "reject"."""
        return {"approve": self.approve, "reject": self.reject}

    @property
    def phrases(self) -> dict[str, str]:
        """What each status says to whoever asked."""
        approved = dict.fromkeys(self.approved, "was approved")
        return {**approved, "REJECTED": "was rejected", **self.statuses}


# By the kind of the mirrored request.
APPROVAL_KINDS: dict[str, ApprovalKind] = {
    "card_order": ApprovalKind(
        "Card order", "Card orders", "card",
        operations.LIST_CARD_ORDERS, operations.APPROVE_CARD_ORDERS, operations.REJECT_CARD_ORDERS,
        approved=("ORDERED",),
    ),
    "card_request": ApprovalKind(
        "Single-use card", "Single-use cards", "card",
        operations_extra.LIST_CARD_REQUESTS, operations_extra.APPROVE_CARD_REQUEST, operations_extra.REJECT_CARD_REQUEST,
    ),
    "fund_opt_in": ApprovalKind(
        "Fund", "Funds", "fund",
        operations.READ_FUND_OPT_IN, operations.APPROVE_FUND_OPT_IN, operations_extra.REJECT_FUND_OPT_IN,
        is_delegable=False, noun="request for the fund", statuses={"EXPIRED": "has expired"},
    ),
    "hand_transaction": ApprovalKind(
        "Manual transaction", "Manual transactions", "transaction",
        operations.LIST_TRANSACTIONS, operations.APPROVE_TRANSACTION, operations.REJECT_TRANSACTION,
        # Approved now, or for a later day that has come.
        event="transaction", statuses={"POSTED": "was approved and is posted"},
    ),
}  # fmt: skip
PLURALS = {"expense": "Expenses", "approval": "Payment requests", "bill_payment": "Bill payments"}


def subjects_title(operation: Operation) -> str:
    """What the subjects of a decision are called together, such as "Card orders"."""
    if operation == operations.REJECT_BILL_PAYMENT_REQUEST:
        return PLURALS["bill_payment"]
    kind = spec_for(operation).answers
    return APPROVAL_KINDS[kind].plural if kind in APPROVAL_KINDS else PLURALS[kind]


def spec_for(operation: Operation) -> DecisionSpec:
    """How the decision is sent; TypeError for an operation that nobody has described."""
    try:
        return SPECS[operation]
    except KeyError:
        raise TypeError(f"{operation} cannot be decided here yet") from None


def decided_as(kind: str) -> frozenset[str]:
    """The statuses that decisions bring about in things that are answered as this kind."""
    return frozenset[str]().union(*(spec.becomes for spec in SPECS.values() if spec.answers == kind))


def verbs_on(subject: Any) -> dict[str, Operation]:
    """What can be decided on an item, by verb; the same items of one kind always have the same."""
    if isinstance(subject, Expense):
        return ON_EXPENSE
    if isinstance(subject, ApprovalRequest):
        kind = APPROVAL_KINDS.get(subject.kind)
        return kind.verbs if kind else {}
    if isinstance(subject, Approval):
        return _on_votes(subject)
    raise TypeError(f"no decisions are registered for {type(subject).__name__}")


def _on_votes(approval: Approval) -> dict[str, Operation]:
    known = described_request(approval) if approval.kind in {"BILL_PAYMENT", "INVESTMENT"} else None
    if approval.kind == "BILL_PAYMENT":
        return ON_BILL if known is not None and known.payload.get("bill_id") else ON_UNKNOWN_BILL
    return APPROVAL_KINDS["fund_opt_in"].verbs if known is not None else ON_VOTES
