"""Items of orders, which one approver decides alone: card orders, single-use cards, fund opt-ins, transactions by hand."""

from dashboard.access.actor import Actor
from dashboard.decisions.desk_items import (
    KIND_LABELS,
    REQUEST_STATES,
    ChainStep,
    DecisionChoice,
    DeskItem,
    choices_on,
    open_on,
    undo_of,
)
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import ApprovalRequest
from dashboard.mirror.scopes import visible_employees, visible_wallets
from dashboard.pages.approvals.presenters.balances import balance_after
from dashboard.times import day, day_and_time

CONSEQUENCES = {
    "card_order": "The card is produced and shipped. No money moves.",
    "card_request": "The single-use card is created immediately. Money moves only when it is used.",
    "fund_opt_in": "The fund account is opened and the requester becomes its operator. No money moves yet.",
}
WHO_DECIDES = {
    "card_order": "An approver or an admin decides, never the requester or the cardholder",
    "card_request": "The reviewer of the team, an approver or an admin decides, never the requester",
    "fund_opt_in": "No mandate applies: any one approver decides, never the requester",
    "hand_transaction": "Any one approver decides, never whoever entered it or whose money it was",
}
ENDS = {
    "card_order": "Shipped",
    "card_request": "Card created",
    "fund_opt_in": "Fund account opened",
    "hand_transaction": "Posted",
}
CARD_USES = {"LTE": "up to this amount, once", "EQUALS": "exactly this amount, once"}


def request_item(actor: Actor, row: ApprovalRequest) -> DeskItem:
    """The item of a request, with what this actor may decide on it."""
    state, tone = REQUEST_STATES.get(row.status, (row.status.capitalize(), ""))
    choices, requester = choices_on(actor, row), _name(actor, row.requested_by_id) or row.holder_name
    return DeskItem(
        kind=row.kind.replace("_", "-"),
        id=row.remote_id,
        kind_label=KIND_LABELS.get(row.kind, "Request"),
        ref="" if row.ref == row.remote_id else row.ref,
        amount=row.amount_text,
        title=row.title,
        sub=row.holder_name,
        requester=requester,
        state=state,
        tone=tone,
        level="",
        risk=0,
        facts=[(label, value) for label, value in _facts(actor, row, requester, choices) if value],
        chain=_chain(actor, row, requester),
        flags=[],
        choices=choices,
        fingerprint=fingerprint_of(row),
        notes=str(row.payload.get("note") or ""),
        open=open_on(actor, row.kind, row.remote_id),
        subject=row,
    )


def _facts(actor: Actor, row: ApprovalRequest, requester: str, choices: list[DecisionChoice]) -> list[tuple[str, str]]:
    business, payload = actor.business, row.payload
    wallet = visible_wallets(actor).filter(org_wallet_ref=row.org_wallet_ref).first()
    facts = [
        ("Description", row.title),
        ("For", row.holder_name),
        ("Merchant", row.payee if row.kind == "card_request" else ""),
        ("Counterparty", row.payee if row.kind == "hand_transaction" else ""),
        ("Limit", CARD_USES.get(str(payload.get("comparison") or ""), "")),
        ("Ships to", ", ".join(str(part) for part in (payload.get("shipping") or {}).values() if part)),
        ("Requested by", f"{requester or 'Somebody'}, {day_and_time(row.requested_at, business)}"),
        ("Wallet", wallet.name or wallet.org_wallet_ref if wallet else row.org_wallet_ref),
        ("Value date", day(moment(payload.get("value_date")), business)),
        ("Cut-off", day_and_time(row.due_at, business) if row.kind == "fund_opt_in" else ""),
        ("Checks", _checked(row)),
    ]
    if choices:
        facts += [
            ("Why you're approving", _why(actor, row, choices[0])),
            ("If approved", _if_approved(actor, row)),
            ("Balance after", balance_after(actor, row, wallet)),
            ("Undo", undo_of(choices)),
        ]
    return facts


def _checked(row: ApprovalRequest) -> str:
    card = row.payload.get("card")
    if row.kind == "card_order" and isinstance(card, dict):
        limits = (card.get("controls") or {}) if isinstance(card.get("controls"), dict) else {}
        return (
            f"{len(limits)} spending control{' is' if len(limits) == 1 else 's are'} set"
            if limits
            else "No spending controls are set yet"
        )
    if row.kind == "hand_transaction":
        count = len(row.payload.get("documents") or [])
        return f"{count} document{'' if count == 1 else 's'} attached" if count else "No document attached"
    return ""


def _why(actor: Actor, row: ApprovalRequest, first_choice: DecisionChoice) -> str:
    rule = WHO_DECIDES.get(row.kind, "")
    if not first_choice.verdict:
        return f"{first_choice.verdict.reason} {rule}."
    yours = f"You are {'an' if actor.role.label[0] in 'Aa' else 'a'} {actor.role.label.lower()}"
    reviews = f"{yours} of this team" if row.team_id and row.team_id in actor.teams else yours
    return f"{reviews}. {rule}."


def _chain(actor: Actor, row: ApprovalRequest, requester: str) -> list[ChainStep]:
    steps = [ChainStep("done", f"Requested by {requester or 'somebody'}")]
    end = ChainStep("next", ENDS.get(row.kind, "Done"))
    if row.status in {"PENDING", "REQUESTED"}:
        return [*steps, ChainStep("now", "Decision"), end]
    who = _name(actor, str(row.payload.get("decided_by") or "")) or "Somebody"
    when = day_and_time(moment(row.payload.get("decided_at")), actor.business)
    ending = "rejected" if row.status == "REJECTED" else REQUEST_STATES.get(row.status, (row.status, ""))[0]
    state = "no" if row.status in {"REJECTED", "EXPIRED", "CANCELLED"} else "done"
    reason = row.payload.get("reason")
    sentence = f"{who}: {ending.lower()}{f', {when}' if when else ''}{f' “{reason}”' if reason else ''}"
    return [*steps, ChainStep(state, sentence)]


def _name(actor: Actor, employee_id: str) -> str:
    names = visible_employees(actor).filter(remote_id=employee_id or "-").values_list("name", flat=True)
    return names.first() or ""


def _if_approved(actor: Actor, row: ApprovalRequest) -> str:
    if row.kind != "hand_transaction":
        return CONSEQUENCES.get(row.kind, "")
    business, incoming = actor.business, row.payload.get("direction") == "IN"
    later = moment(row.payload.get("value_date"))
    when = f"on {day(later, business)}" if later else "immediately"
    return f"It is posted {when}: {row.amount_text} {'in' if incoming else 'out'}."
