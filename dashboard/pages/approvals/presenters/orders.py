"""Items of orders, which one approver decides alone: card orders, single-use cards, fund opt-ins, transactions by hand."""

from dashboard.access.actor import Actor
from dashboard.decisions.fingerprints import fingerprint_of
from dashboard.decisions.items import (
    KIND_LABELS,
    REQUEST_STATES,
    Choice,
    Item,
    Step,
    choices_on,
    open_on,
    undo_of,
)
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Request
from dashboard.mirror.scopes import visible_employees, visible_wallets
from dashboard.pages.approvals.presenters.balances import balance_after
from dashboard.times import day, day_and_time

FOLLOWS = {
    "card_order": "The card is produced and shipped. No money moves.",
    "card_request": "The single-use card is created at once. Money moves only when it is used.",
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


def order_item(actor: Actor, order: Request) -> Item:
    """The item of an order, with what this actor may decide on it."""
    state, tone = REQUEST_STATES.get(order.status, (order.status.capitalize(), ""))
    choices, requester = choices_on(actor, order), _name(actor, order.requested_by_id) or order.holder_name
    return Item(
        kind=order.kind.replace("_", "-"),
        id=order.remote_id,
        kind_label=KIND_LABELS.get(order.kind, "Request"),
        ref="" if order.ref == order.remote_id else order.ref,
        amount=order.amount_text,
        title=order.title,
        sub=order.holder_name,
        requester=requester,
        state=state,
        tone=tone,
        level="",
        risk=0,
        facts=[(label, value) for label, value in _facts(actor, order, requester, choices) if value],
        chain=_chain(actor, order, requester),
        flags=[],
        choices=choices,
        fingerprint=fingerprint_of(order),
        notes=str(order.payload.get("note") or ""),
        open=open_on(actor, order.kind, order.remote_id),
        subject=order,
    )


def _facts(actor: Actor, order: Request, requester: str, choices: list[Choice]) -> list[tuple[str, str]]:
    business, payload = actor.business, order.payload
    wallet = visible_wallets(actor).filter(org_wallet_ref=order.org_wallet_ref).first()
    facts = [
        ("Description", order.title),
        ("For", order.holder_name),
        ("Merchant", order.payee if order.kind == "card_request" else ""),
        ("Counterparty", order.payee if order.kind == "hand_transaction" else ""),
        ("Limit", CARD_USES.get(str(payload.get("comparison") or ""), "")),
        ("Ships to", ", ".join(str(part) for part in (payload.get("shipping") or {}).values() if part)),
        ("Requested by", f"{requester or 'Somebody'}, {day_and_time(order.requested_at, business)}"),
        ("Wallet", wallet.name or wallet.org_wallet_ref if wallet else order.org_wallet_ref),
        ("Value date", day(moment(payload.get("value_date")), business)),
        ("Cut-off", day_and_time(order.due_at, business) if order.kind == "fund_opt_in" else ""),
        ("Checks", _checked(order)),
    ]
    if choices:
        facts += [
            ("Why you're approving", _why(actor, order, choices[0])),
            ("If approved", _if_approved(actor, order)),
            ("Balance after", balance_after(actor, order, wallet)),
            ("Undo", undo_of(choices)),
        ]
    return facts


def _checked(order: Request) -> str:
    card = order.payload.get("card")
    if order.kind == "card_order" and isinstance(card, dict):
        limits = (card.get("controls") or {}) if isinstance(card.get("controls"), dict) else {}
        return (
            f"{len(limits)} spending control{' is' if len(limits) == 1 else 's are'} set"
            if limits
            else "No spending controls are set yet"
        )
    if order.kind == "hand_transaction":
        count = len(order.payload.get("documents") or [])
        return f"{count} document{'' if count == 1 else 's'} attached" if count else "No document attached"
    return ""


def _why(actor: Actor, order: Request, first: Choice) -> str:
    rule = WHO_DECIDES.get(order.kind, "")
    if not first.verdict:
        return f"{first.verdict.reason} {rule}."
    yours = f"You are {'an' if actor.role.label[0] in 'Aa' else 'a'} {actor.role.label.lower()}"
    reviews = f"{yours} of this team" if order.team_id and order.team_id in actor.teams else yours
    return f"{reviews}. {rule}."


def _chain(actor: Actor, order: Request, requester: str) -> list[Step]:
    steps = [Step("done", f"Requested by {requester or 'somebody'}")]
    end = Step("next", ENDS.get(order.kind, "Done"))
    if order.status in {"PENDING", "REQUESTED"}:
        return [*steps, Step("now", "Decision"), end]
    who = _name(actor, str(order.payload.get("decided_by") or "")) or "Somebody"
    when = day_and_time(moment(order.payload.get("decided_at")), actor.business)
    ending = "rejected" if order.status == "REJECTED" else REQUEST_STATES.get(order.status, (order.status, ""))[0]
    state = "no" if order.status in {"REJECTED", "EXPIRED", "CANCELLED"} else "done"
    reason = order.payload.get("reason")
    sentence = f"{who}: {ending.lower()}{f', {when}' if when else ''}{f' “{reason}”' if reason else ''}"
    return [*steps, Step(state, sentence)]


def _name(actor: Actor, employee_id: str) -> str:
    names = visible_employees(actor).filter(remote_id=employee_id or "-").values_list("name", flat=True)
    return names.first() or ""


def _if_approved(actor: Actor, order: Request) -> str:
    if order.kind != "hand_transaction":
        return FOLLOWS.get(order.kind, "")
    business, incoming = actor.business, order.payload.get("direction") == "IN"
    later = moment(order.payload.get("value_date"))
    when = f"on {day(later, business)}" if later else "at once"
    return f"It is posted {when}: {order.amount_text} {'in' if incoming else 'out'}."
