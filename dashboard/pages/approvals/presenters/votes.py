"""Items of requests for votes: a payout, a bill's payment, an exchange, a fund, a policy's exception; and their chain."""

from dashboard.access.actor import Actor
from dashboard.decisions.bills import bill_of
from dashboard.decisions.described_requests import described_request
from dashboard.decisions.desk_items import (
    APPROVAL_STATES,
    PAYMENT_KINDS,
    ChainStep,
    DecisionChoice,
    DeskItem,
    choices_on,
    level_of,
    open_on,
    undo_of,
)
from dashboard.decisions.mandates import approval_rule_of
from dashboard.decisions.movements import FUND, fund_movement, money_leaves
from dashboard.decisions.preconditions import fingerprint_of
from dashboard.mirror.mappers import moment
from dashboard.mirror.mappers.mapper import Payload, day_of
from dashboard.mirror.models import Approval, ApprovalRequest
from dashboard.mirror.scopes import visible_employees, visible_wallets
from dashboard.money import text, to_minor
from dashboard.pages.approvals.presenters.balances import balance_after
from dashboard.pages.approvals.presenters.documents import bill_file_papers, flags_of_bill
from dashboard.pages.approvals.presenters.red_flags import flags_of_approval
from dashboard.policies.rule_links import rules_of_approval
from dashboard.times import day, day_and_time

MOST_NAMES = 3
# Of such a risk a request asks for one vote more than its rule does (decisions B.13).
EXTRA_APPROVAL_LEVELS = frozenset({"HIGH", "CRITICAL"})
# What follows once the last vote is in, where nobody is paid by it.
CONSEQUENCES = {
    "POLICY": "The policy exception is granted and the expense goes to review. No money moves.",
    "CARD_REQUEST": "The single-use card is created. Money moves only when it is used.",
}
ENDS = {"POLICY": "Review", "CARD_REQUEST": "Card created"}
# Of an account in a fund and of its movements, each its sentence and the end of its chain.
OPENS = "The fund account is opened. No money moves yet.", "Fund account opened"
MOVES = {
    "INVEST": ("{amount} on hold in the wallet buys units{when}.", "Invested"),
    "TOP_UP": ("{amount} on hold in the wallet moves to the fund account immediately.", "Topped up"),
    "WITHDRAW": (
        "Units are sold at the price of their day{when}; {amount} was estimated when it was requested.",
        "Paid out",
    ),
}
# Where the copy does not know yet which of them it is.
MOVES_SOMEHOW = "It is carried out as its title says.", "Carried out"


def approval_item(actor: Actor, approval: Approval) -> DeskItem:
    """The item of a request for votes, with what this actor may decide on it."""
    state, tone = APPROVAL_STATES.get(approval.status, (approval.status.capitalize(), ""))
    choices = choices_on(actor, approval)
    subject = described_request(approval)
    bill = bill_of(actor, subject) if subject is not None and subject.kind == "bill_payment" else None
    return DeskItem(
        kind="payment",
        id=approval.remote_id,
        kind_label=PAYMENT_KINDS.get(approval.kind, "Payment request"),
        ref=approval.ref,
        amount=approval.amount_text,
        title=approval.title,
        sub=f"to {approval.payee}" if approval.payee else "",
        requester=approval.requested_by_name,
        state=state,
        tone=tone,
        level=approval.risk_level.lower() or level_of(approval.risk),
        risk=approval.risk,
        facts=_facts(actor, approval, subject, bill, choices),
        chain=_chain(actor, approval),
        flags=flags_of_approval(actor.business, approval)
        + (flags_of_bill(actor, approval, bill) if bill is not None else []),
        choices=choices,
        fingerprint=fingerprint_of(approval),
        papers=bill_file_papers(actor, approval, bill) if bill is not None else None,
        open=open_on(actor, "approval", approval.remote_id, votes=True),
        rules=rules_of_approval(actor, approval, subject),
        subject=approval,
    )


def _facts(
    actor: Actor,
    approval: Approval,
    approval_request: ApprovalRequest | None,
    bill: Payload | None,
    choices: list[DecisionChoice],
) -> list[tuple[str, str]]:
    business = actor.business
    wallet = visible_wallets(actor).filter(org_wallet_ref=approval.org_wallet_ref).first()
    facts = [
        ("Description", approval.title),
        ("Payee", approval.payee),
        *(
            _of_bill(actor, approval_request, bill)
            if approval_request is not None and approval_request.kind == "bill_payment"
            else []
        ),
        ("Requested by", f"{approval.requested_by_name}, {day_and_time(approval.requested_at, business)}"),
        ("Wallet", wallet.name or wallet.org_wallet_ref if wallet else approval.org_wallet_ref),
        ("Cut-off", day_and_time(approval.due_at, business)),
        ("Expires", day_and_time(approval.expires_at, business)),
        ("Checks", _checked(approval)),
    ]
    if choices:
        facts += [
            ("Why you're approving", _why(actor, approval)),
            ("If approved", _if_approved(actor, approval, approval_request)),
            ("Balance after", balance_after(actor, approval, wallet)),
            ("Undo", undo_of(choices)),
        ]
    return [(label, value) for label, value in facts if value]


def _of_bill(actor: Actor, approval_request: ApprovalRequest, bill: Payload | None) -> list[tuple[str, str]]:
    paid, locale = approval_request.payload, actor.business.locale
    channel = str(paid.get("channel") or "").replace("_", " ").capitalize()
    identifiers = [str(paid[name]) for name in ("bank_code", "account", "account_reference") if paid.get(name)]
    account = " · ".join([channel, *identifiers]) if channel else " · ".join(identifiers)

    def money(name: str) -> str:
        minor = paid.get(f"{name}_minor")
        return text(minor, approval_request.currency, locale) if isinstance(minor, int) and minor else ""

    withheld = money("withheld_amount")
    lines = [str(line.get("description") or "") for line in (bill or {}).get("line_items") or []]
    return [
        ("Account", account),
        ("Withheld", f"{withheld}; the payee gets {money('net_amount')}" if withheld else ""),
        ("Fee", money("fee")),
        ("Bill", _bill_text(actor, bill)),
        ("Lines", "; ".join(lines[:5]) + (f" and {len(lines) - 5} more" if len(lines) > 5 else "")),
    ]


def _bill_text(actor: Actor, bill: Payload | None) -> str:
    if bill is None:
        return "could not be read"
    reason = str(bill.get("duplicate_reason") or "").replace("_", " ").lower()
    twin = f"; looks like another bill: {reason}" if reason else ""
    issued, due = (day(moment(str(bill.get(name) or "")), actor.business) for name in ("issued_at", "due_at"))
    total, balance = (_money(bill, name) for name in ("total", "balance"))
    return f"Issued {issued}, due {due}; total {total}, balance due {balance}{twin}"


def _money(bill: Payload, name: str) -> str:
    currency = str(bill.get("currency") or "")
    minor = bill.get(f"{name}_minor")
    return text(minor if isinstance(minor, int) else to_minor(bill.get(name) or 0, currency), currency)


def _checked(approval: Approval) -> str:
    now, before = approval.payload.get("risk") or {}, approval.payload.get("risk_at_request") or {}
    count = len(approval.signals)
    sentence = f"{count} risk signal{'' if count == 1 else 's'}" if count else "No risk signals"
    score = before.get("score")
    if isinstance(score, int) and score != approval.risk:
        sentence += f"; risk {score} when requested, {approval.risk} now"
    return f"{sentence} (model {now['model_version']})" if now.get("model_version") else sentence


def _why(actor: Actor, approval: Approval) -> str:
    rule = approval_rule_of(actor.business, approval)
    needed = f"{approval.approvals_given} of {approval.approvals_required} approvals given"
    high = (approval.payload.get("risk_at_request") or {}).get("level") in EXTRA_APPROVAL_LEVELS
    more = " High risk: one extra approval required, where another approver is available." if high else ""
    verdict = choices_on(actor, approval)[0].verdict
    if not verdict:
        return f"{f'{rule}: ' if rule else ''}{verdict.reason} {needed}.{more}"
    seat: Payload = next((seat for seat in approval.eligible if seat.get("employee_id") == actor.employee_id), {})
    cap = seat.get("max_amount_minor")
    up_to = f", you up to {text(cap, approval.currency, actor.business.locale)}" if isinstance(cap, int) else ""
    count = len(approval.eligible)
    others = "only you" if count == 1 else f"you among {count}"
    return f"{rule or 'The mandate'} names {others}{up_to}; {needed}.{more}"


def _chain(actor: Actor, approval: Approval) -> list[ChainStep]:
    steps = [ChainStep("done", f"Requested by {approval.requested_by_name or 'somebody'}")]
    for vote in approval.payload.get("votes") or []:
        against = str(vote.get("decision") or vote.get("vote") or "").upper().startswith("REJECT")
        who = vote.get("name") or vote.get("employee_name") or "An approver"
        when = day_and_time(moment(vote.get("at")), actor.business)
        sentence = f"{who} {'rejected' if against else 'approved'}{f', {when}' if when else ''}"
        steps.append(ChainStep("no" if against else "done", sentence))
    if approval.status == "PENDING":
        approver = _who_is_next(actor, approval)
        count = f"Approval {approval.approvals_given + 1} of {approval.approvals_required}"
        steps.append(ChainStep("now", f"{count}: {approver}" if approver else count))
        if approval.payload.get("code_required"):
            steps.append(ChainStep("next", "One-time code"))
        steps.append(ChainStep("next", _of_fund(approval)[1] if approval.kind == FUND else _end(approval)))
    return steps


def _end(approval: Approval) -> str:
    return ENDS.get(approval.kind, "Transfer" if approval.kind == "FX_TRANSFER" else "Payment")


def _of_fund(approval: Approval) -> tuple[str, str]:
    """The sentence of what follows the last vote on a request for a fund, and the end of its chain."""
    kind = str(fund_movement(approval).get("kind") or "")
    if kind not in MOVES and described_request(approval) is not None:
        return OPENS
    return MOVES.get(kind, MOVES_SOMEHOW)


def _who_is_next(actor: Actor, approval: Approval) -> str:
    at_turn = approval.payload.get("at_turn")
    turn = at_turn if isinstance(at_turn, list) else [seat.get("employee_id") for seat in approval.eligible]
    ids = [employee_id for employee_id in turn if isinstance(employee_id, str) and employee_id not in approval.voters]
    name_by_id = dict(visible_employees(actor).filter(remote_id__in=ids).values_list("remote_id", "name"))
    names = ["you"] if actor.employee_id in ids else []
    names += [
        name_by_id[employee_id] for employee_id in ids if employee_id in name_by_id and employee_id != actor.employee_id
    ]
    if len(names) > MOST_NAMES:
        names = [*names[:MOST_NAMES], f"{len(ids) - MOST_NAMES} more"]
    return " or ".join(names)


def _if_approved(actor: Actor, approval: Approval, approval_request: ApprovalRequest | None) -> str:
    # What happens, and when.
    left = approval.approvals_required - approval.approvals_given - 1
    if left > 0:
        then = "before money leaves" if money_leaves(approval) else "before it takes effect"
        return f"{left} more approval{'s' if left > 1 else ''} required {then}."
    if approval.kind == FUND:
        due = day_of(fund_movement(approval).get("value_date"))
        when = f", value date {due.day} {due:%b %Y}" if due else ""
        return f"Yours is the last approval. {_of_fund(approval)[0].format(amount=approval.amount_text, when=when)}"
    if not money_leaves(approval):
        return f"Yours is the last approval. {CONSEQUENCES.get(approval.kind, 'It takes effect.')}"
    later = moment(approval_request.payload.get("scheduled_for")) if approval_request is not None else None
    when = f"on {day_and_time(later, actor.business)}" if later else "immediately"
    when = "after a one-time code" if approval.payload.get("code_required") else when
    movement = "moves to another wallet of the business" if approval.kind == "FX_TRANSFER" else "leaves"
    return f"Yours is the last approval: {approval.amount_text} {movement} {when}."
