"""The item of an expense: what the desk says of it."""

from decimal import Decimal

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.decisions.desk_items import (
    ANSWERED,
    EXPENSE_STATES,
    ChainStep,
    DeskItem,
    ItemFlag,
    choices_on,
    level_of,
    open_on,
    undo_of,
)
from dashboard.decisions.preconditions import RECEIPT_MISSING, fingerprint_of
from dashboard.mirror.mappers import moment
from dashboard.mirror.models import Expense
from dashboard.mirror.scopes import visible_employees, visible_wallets
from dashboard.money import text, to_minor
from dashboard.pages.approvals.presenters.documents import flags_of_receipts, receipt_papers
from dashboard.pages.approvals.presenters.red_flags import flags_of_expense
from dashboard.policies.rule_links import rules_of_expense
from dashboard.times import day, day_and_time


def expense_item(actor: Actor, expense: Expense) -> DeskItem:
    """The item of an expense, with what this actor may decide on it.

    Its spender is shown what was bought, the receipts and the chain: the checks, the risk and the flags are for those who
    decide.
    """
    business, payload = actor.business, expense.payload
    state, tone = EXPENSE_STATES.get(expense.status, (expense.status.capitalize(), ""))
    state, tone = ANSWERED if expense.is_answered else (state, tone)
    is_own = bool(actor.employee_id) and actor.employee_id == expense.employee_id
    facts = [
        (
            "Purchase",
            " · ".join(part for part in (expense.merchant, expense.category_name) if part) or "no description",
        ),
        ("Requested by", " · ".join(part for part in (expense.employee_name, expense.team_name) if part)),
        (
            "Paid",
            f"{day(expense.transaction_date, business)} from {_wallet_name(actor, expense.org_wallet_ref) or 'an unnamed wallet'}",
        ),
        ("Checks", "" if is_own else _checked(expense)),
        ("Tags", ", ".join(str(tag) for tag in payload.get("tag") or [])),
    ]
    choices = choices_on(actor, expense)
    if choices and not is_own:
        facts += [
            ("Why you're approving", _why_expense(actor, expense)),
            ("If approved", "It counts as approved spend. No money moves: the card has already been charged."),
            ("Undo", undo_of(choices)),
        ]
    original = payload.get("original_currency")
    if original and original != expense.currency:
        rate = payload.get("fx_rate") or "an unknown rate"
        facts.insert(3, ("FX", f"{original} {payload.get('original_amount', '')} at {rate}"))
    if fees := Decimal(str(payload.get("fees") or 0)):
        facts.insert(3, ("Fees", text(to_minor(fees, expense.currency), expense.currency, business.locale)))
    return DeskItem(
        kind="expense",
        id=expense.remote_id,
        kind_label="Expense",
        ref=expense.transaction_ref or expense.remote_id,
        amount=expense.amount_text,
        title=expense.merchant or "Expense",
        sub=f"{expense.employee_name}{' · ' + expense.team_name if expense.team_name else ''}",
        requester=expense.employee_name,
        state=state,
        tone=tone,
        level="" if is_own else level_of(expense.risk),
        risk=0 if is_own else expense.risk,
        facts=[(label, value) for label, value in facts if value],
        chain=_expense_chain(actor, expense),
        flags=[] if is_own else [*_expense_flags(actor, expense), *flags_of_receipts(actor, expense)],
        choices=choices,
        fingerprint=fingerprint_of(expense),
        papers=receipt_papers(actor, expense),
        notes=expense.notes,
        open=open_on(actor, "expense", expense.remote_id),
        rules=rules_of_expense(actor, expense),
        subject=expense,
    )


def _why_expense(actor: Actor, expense: Expense) -> str:
    verdict = can(actor, operations.APPROVE_EXPENSE, expense)
    if not verdict:
        return verdict.reason
    if expense.team_id in actor.teams:
        return f"You review {expense.team_name or 'this team'}."
    return f"Your role, {actor.role.label.lower()}, reviews every team's expenses."


def _checked(expense: Expense) -> str:
    receipt = "receipt attached" if expense.has_receipt else "no receipt"
    needed = ", though one is required" if expense.payload.get("receipt_required") and not expense.has_receipt else ""
    flags = len(expense.payload.get("policy_flags") or [])
    flagged = "no policy flag" if not flags else f"{flags} policy flag{'s' if flags > 1 else ''}"
    return f"{receipt}{needed}; {flagged}".capitalize()


def _expense_chain(actor: Actor, expense: Expense) -> list[ChainStep]:
    payload = expense.payload
    steps = [ChainStep("done", f"Submitted by {expense.employee_name.split(' ')[0] or 'somebody'}")]
    when = day_and_time(moment(payload.get("reviewed_at")), actor.business)
    if expense.is_answered:
        steps += [ChainStep("done", f"Details requested{', ' + when if when else ''}"), ChainStep("done", "Answered")]
    if expense.status == "PENDING":
        return [*steps, ChainStep("now", "Review"), ChainStep("next", "Posted")]
    if expense.status == "DETAILS_REQUESTED":
        return [
            *steps,
            ChainStep("done", f"Details requested{', ' + when if when else ''}"),
            ChainStep("now", "Waiting for an answer"),
        ]
    reviewer = visible_employees(actor).filter(remote_id=payload.get("reviewed_by") or "")
    who = reviewer.values_list("name", flat=True).first() or "Reviewed"
    state = "no" if expense.status == "REJECTED" else "done"
    word = EXPENSE_STATES.get(expense.status, (expense.status.capitalize(), ""))[0].lower()
    return [*steps, ChainStep(state, f"{who}: {word}{', ' + when if when else ''}")]


def _wallet_name(actor: Actor, ref: str) -> str:
    # By its name for those who may see wallets.
    name = visible_wallets(actor).filter(org_wallet_ref=ref).values_list("name", flat=True).first() if ref else ""
    return name or ("a business wallet" if ref else "")


def _expense_flags(actor: Actor, expense: Expense) -> list[ItemFlag]:
    flags = flags_of_expense(actor.business, expense)
    if expense.payload.get("receipt_required") and not expense.has_receipt:
        flags.append(ItemFlag("!", RECEIPT_MISSING, False))
    return flags
