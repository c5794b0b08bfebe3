"""Items made of mirrored rows: what the desk says of an expense, and of a payment request."""

from decimal import Decimal
from typing import Any

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.access.scopes import visible_employees, visible_wallets
from dashboard.client.money import text, to_minor
from dashboard.decisions.fingerprints import fingerprint_of
from dashboard.decisions.requests import wire_of
from dashboard.mirror.models import Approval, Expense, Wallet
from dashboard.mirror.rows import moment
from dashboard.web.item import (
    APPROVAL_STATES,
    EXPENSE_STATES,
    PAYMENT_KINDS,
    Choice,
    Flag,
    Item,
    Step,
    activity_of,
    level_of,
    open_on,
)
from dashboard.web.signals import in_words
from dashboard.web.times import as_of, day, day_and_time


def expense_item(actor: Actor, expense: Expense) -> Item:
    """The item of an expense, with what this actor may decide on it."""
    business, payload = actor.business, expense.payload
    state, tone = EXPENSE_STATES.get(expense.status, (expense.status.capitalize(), ""))
    facts = [
        ("What", " · ".join(part for part in (expense.merchant, expense.category_name) if part) or "no description"),
        ("From", " · ".join(part for part in (expense.employee_name, expense.team_name) if part)),
        (
            "Paid",
            f"{day(expense.transaction_date, business)} from {_wallet_name(actor, expense.org_wallet_ref) or 'a wallet that is not named'}",
        ),
        ("Checked", _checked(expense)),
        ("Tags", ", ".join(str(tag) for tag in payload.get("tag") or [])),
    ]
    choices = _expense_choices(actor, expense)
    if choices:
        facts += [
            ("Why you", _why_expense(actor, expense)),
            ("If approved", "It counts as approved spend; no money moves, the card has paid already."),
            ("Undo", f"{operations.APPROVE_EXPENSE.undo_s} seconds, before it is sent"),
        ]
    original = payload.get("original_currency")
    if original and original != expense.currency:
        rate = payload.get("fx_rate") or "not told"
        facts.insert(3, ("Exchange", f"{original} {payload.get('original_amount', '')} at {rate}"))
    if fees := Decimal(str(payload.get("fees") or 0)):
        facts.insert(3, ("Fees", text(to_minor(fees, expense.currency), expense.currency, business.locale)))
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
        flags=_expense_flags(actor, expense),
        choices=choices,
        fingerprint=fingerprint_of(expense),
        receipts=_receipts(payload.get("receipts")),
        notes=expense.notes,
        activity=activity_of(actor, "expense", expense.remote_id),
        open=open_on(actor, "expense", expense.remote_id),
    )


def approval_item(actor: Actor, approval: Approval) -> Item:
    """The item of a payment request, with what this actor may decide on it."""
    business = actor.business
    state, tone = APPROVAL_STATES.get(approval.status, (approval.status.capitalize(), ""))
    wallet = visible_wallets(actor).filter(org_wallet_ref=approval.org_wallet_ref).first()
    facts = [
        ("What", approval.title),
        ("To", approval.payee),
        ("From", f"{approval.requested_by_name} asked on {day_and_time(approval.requested_at, business)}"),
        ("Wallet", wallet.name or wallet.org_wallet_ref if wallet else approval.org_wallet_ref),
        ("Cut-off", day_and_time(approval.due_at, business)),
        ("Expires", day_and_time(approval.expires_at, business)),
    ]
    choices = _vote_choices(actor, approval) if approval.status == "PENDING" else []
    if choices:
        facts += [
            ("Why you", _why_vote(actor, approval)),
            ("If approved", _if_approved(actor, approval, wallet)),
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
            Flag(
                f"+{each.get('weight', 0)}",
                in_words(each, approval.currency, business),
                int(each.get("weight", 0)) >= 30,
            )
            for each in approval.signals
        ],
        choices=choices,
        fingerprint=fingerprint_of(approval),
        activity=activity_of(actor, "approval", approval.remote_id),
        open=open_on(actor, "approval", approval.remote_id, votes=True),
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
    reviewer = visible_employees(actor).filter(remote_id=payload.get("reviewed_by") or "")
    who = reviewer.values_list("name", flat=True).first() or "Reviewed"
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


def _if_approved(actor: Actor, approval: Approval, wallet: Wallet | None) -> str:
    # What happens, and what the wallet would hold by the copy's last balance.
    left = approval.approvals_required - approval.approvals_given - 1
    if left > 0:
        return f"{left} more vote{'s' if left > 1 else ''} needed before money leaves."
    said = f"Yours is the last vote: {approval.amount_text} leaves at once."
    if wallet is None or wallet.available_minor is None or approval.amount_minor is None:
        return said
    after = text(wallet.available_minor - approval.amount_minor, wallet.currency, actor.business.locale)
    return f"{said} {wallet.name or wallet.org_wallet_ref} after: {after}, {as_of(wallet.last_seen, actor.business)}."


def _wallet_name(actor: Actor, ref: str) -> str:
    # By its name for those who may see wallets; else by the number that the expense itself tells.
    found = visible_wallets(actor).filter(org_wallet_ref=ref).values_list("name", flat=True).first() if ref else ""
    return found or (f"wallet {ref}" if ref else "")


def _expense_flags(actor: Actor, expense: Expense) -> list[Flag]:
    notes = str(expense.payload.get("risk_notes") or "")
    told = [in_words(flag, expense.currency, actor.business) for flag in expense.payload.get("policy_flags") or []]
    flags = [Flag(f"+{expense.risk}", notes, expense.risk >= 60)] if notes else []
    flags += [Flag("!", words, True) for words in told if not notes.startswith(words)]
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
