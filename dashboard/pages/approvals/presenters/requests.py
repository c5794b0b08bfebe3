"""Items of what one person's word is enough for: card orders, single-use cards, fund opt-ins, transactions by hand."""

from dashboard.access.actor import Actor
from dashboard.decisions.fingerprints import fingerprint_of
from dashboard.decisions.items import REQUEST_STATES, Choice, Item, Step, choices_on, open_on, undo_of
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Request, Wallet
from dashboard.mirror.scopes import visible_employees, visible_wallets
from dashboard.money import text
from dashboard.times import as_of, day, day_and_time

LABELS = {
    "card_order": "Card order",
    "card_request": "Single-use card",
    "fund_opt_in": "Fund",
    "hand_transaction": "Transaction by hand",
}
FOLLOWS = {
    "card_order": "The card is made and shipped; no money moves.",
    "card_request": "The card is there at once, for one purchase; money moves only when it is used.",
    "fund_opt_in": "The fund account is opened, whoever asked operates it; no money moves yet.",
}
WHO_DECIDES = {
    "card_order": "An approver or an admin decides, never whoever ordered it or will hold it",
    "card_request": "The reviewer of the team, an approver or an admin decides, never whoever asked",
    "fund_opt_in": "No mandate asks for votes on it: any one approver decides, never whoever asked",
    "hand_transaction": "Any one approver decides, never whoever wrote it or whose money it was",
}
ENDS = {
    "card_order": "Made and shipped",
    "card_request": "Card",
    "fund_opt_in": "Fund account",
    "hand_transaction": "Books",
}
CARD_USES = {"LTE": "at most this, once", "EQUALS": "exactly this, once"}


def request_item(actor: Actor, request: Request) -> Item:
    """The item of a request, with what this actor may decide on it."""
    state, tone = REQUEST_STATES.get(request.status, (request.status.capitalize(), ""))
    choices, asker = choices_on(actor, request), _name(actor, request.requested_by_id) or request.holder_name
    return Item(
        kind=request.kind.replace("_", "-"),
        id=request.remote_id,
        kind_label=LABELS.get(request.kind, "Request"),
        ref="" if request.ref == request.remote_id else request.ref,
        amount=request.amount_text,
        title=request.title,
        sub=request.holder_name,
        asker=asker,
        state=state,
        tone=tone,
        level="",
        risk=0,
        facts=[(label, value) for label, value in _facts(actor, request, asker, choices) if value],
        chain=_chain(actor, request, asker),
        flags=[],
        choices=choices,
        fingerprint=fingerprint_of(request),
        notes=str(request.payload.get("note") or ""),
        open=open_on(actor, request.kind, request.remote_id),
        thing=request,
    )


def _facts(actor: Actor, request: Request, asker: str, choices: list[Choice]) -> list[tuple[str, str]]:
    business, payload = actor.business, request.payload
    wallet = visible_wallets(actor).filter(org_wallet_ref=request.org_wallet_ref).first()
    facts = [
        ("What", request.title),
        ("For", request.holder_name),
        ("At", request.payee if request.kind == "card_request" else ""),
        ("With", request.payee if request.kind == "hand_transaction" else ""),
        ("May take", CARD_USES.get(str(payload.get("comparison") or ""), "")),
        ("Ships to", ", ".join(str(part) for part in (payload.get("shipping") or {}).values() if part)),
        ("From", f"{asker or 'Somebody'} asked on {day_and_time(request.requested_at, business)}"),
        ("Wallet", wallet.name or wallet.org_wallet_ref if wallet else request.org_wallet_ref),
        ("Value date", day(moment(payload.get("value_date")), business)),
        ("Cut-off", day_and_time(request.due_at, business) if request.kind == "fund_opt_in" else ""),
        ("Checked", _checked(request)),
    ]
    if choices:
        facts += [
            ("Why you", _why(actor, request, choices[0])),
            ("If approved", _if_approved(actor, request, wallet)),
            ("Undo", undo_of(choices)),
        ]
    return facts


def _checked(request: Request) -> str:
    card = request.payload.get("card")
    if request.kind == "card_order" and isinstance(card, dict):
        limits = (card.get("controls") or {}) if isinstance(card.get("controls"), dict) else {}
        return (
            f"{len(limits)} control{'' if len(limits) == 1 else 's'} stand on the card"
            if limits
            else "No control stands on the card yet"
        )
    if request.kind == "hand_transaction":
        count = len(request.payload.get("documents") or [])
        return f"{count} document{'' if count == 1 else 's'} with it" if count else "No document with it"
    return ""


def _why(actor: Actor, request: Request, first: Choice) -> str:
    rule = WHO_DECIDES.get(request.kind, "")
    if not first.verdict:
        return f"{first.verdict.reason} {rule}."
    yours = f"You are {'an' if actor.role.label[0] in 'Aa' else 'a'} {actor.role.label.lower()}"
    reviews = f"{yours} of this team" if request.team_id and request.team_id in actor.teams else yours
    return f"{reviews}. {rule}."


def _chain(actor: Actor, request: Request, asker: str) -> list[Step]:
    steps = [Step("done", f"{asker or 'Somebody'} asked")]
    end = Step("next", ENDS.get(request.kind, "Done"))
    if request.status in {"PENDING", "REQUESTED"}:
        return [*steps, Step("now", "One word of somebody else"), end]
    who = _name(actor, str(request.payload.get("decided_by") or "")) or "Somebody"
    when = day_and_time(moment(request.payload.get("decided_at")), actor.business)
    said = "rejected" if request.status == "REJECTED" else REQUEST_STATES.get(request.status, (request.status, ""))[0]
    state = "no" if request.status in {"REJECTED", "EXPIRED", "CANCELLED"} else "done"
    reason = request.payload.get("reason")
    told = f"{who}: {said.lower()}{f', {when}' if when else ''}{f' “{reason}”' if reason else ''}"
    return [*steps, Step(state, told)]


def _name(actor: Actor, employee_id: str) -> str:
    known = visible_employees(actor).filter(remote_id=employee_id or "-").values_list("name", flat=True)
    return known.first() or ""


def _if_approved(actor: Actor, request: Request, wallet: Wallet | None) -> str:
    if request.kind != "hand_transaction":
        return FOLLOWS.get(request.kind, "")
    business, incoming = actor.business, request.payload.get("direction") == "IN"
    later = moment(request.payload.get("value_date"))
    when = f"on {day(later, business)}" if later else "at once"
    said = f"It is posted {when}: {request.amount_text} {'comes in' if incoming else 'goes out'}."
    if wallet is None or wallet.available_minor is None or request.amount_minor is None:
        return said
    after = wallet.available_minor + (request.amount_minor if incoming else -request.amount_minor)
    shown = text(after, wallet.currency, business.locale)
    return f"{said} {wallet.name or wallet.org_wallet_ref} after: {shown}, {as_of(wallet.last_seen, business)}."
