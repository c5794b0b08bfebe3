"""Opting in to a fund: asked for by one person, approved by others within seven days."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from service import effects, errors
from service.accounts.wallets import investment_wallet
from service.approvals import services as approvals
from service.approvals.models import ActionType, ApprovalStatus, Vote
from service.approvals.subjects import ApprovalSubject
from service.auth import Caller, system_caller
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.investments import catalogue, serializers, transitions
from service.investments.models import Fund, FundAccount, OptIn, OptInStatus
from service.investments.schemas import OptInBody
from service.ledger.chart import open_account

KIND = "INVESTMENT"
EXPIRES_AFTER = timedelta(days=7)


def request_opt_in(caller: Caller, body: OptInBody) -> OptIn:
    """Asks for a fund account; 404 for the fund, 409 where it is closed, or the business has or asked for it already."""
    fund = catalogue.get_fund(body.fund_id)
    if fund.status != Fund.Status.OPEN:
        raise errors.invalid_state("This fund takes no new money.")
    with transaction.atomic():
        opt_ins = OptIn.objects.filter(business_id=caller.business.id).select_related("account__fund")
        if (done := effects.earlier(caller, opt_ins)) is not None:
            return done
        account, row_id = _account(caller, fund), effects.new_id(caller)
        row = OptIn(
            id=row_id,
            business=caller.business,
            ref=f"OI{row_id}",
            account=account,
            note=body.note,
            requested_by=caller.label,
            maker_ids=[caller.employee_id] if caller.employee_id else [],
            expires_at=timezone.now() + EXPIRES_AFTER,
        )
        approval = approvals.request_approval(caller, _subject(row, fund))
        row.approval_id = approval.id if approval else ""
        row.save(force_insert=True)
        shape = serializers.opt_in(row)
        record_event(caller.business, "investment.optin_requested", {"_id": row.ref, **shape}, actor=caller)
        record_audit(caller, "investment.opt_in", "opt_in", row.id, after=shape)
    return row


def get_opt_in(caller: Caller, ref: str) -> OptIn:
    """One opt-in; 404 when it is none of the business's."""
    opt_in = OptIn.objects.filter(business_id=caller.business.id, ref=ref).select_related("account__fund").first()
    if opt_in is None:
        raise errors.not_found("opt-in")
    return opt_in


def approve(caller: Caller, ref: str) -> OptIn:
    """The caller's vote where a mandate asks for votes, else their approval alone.

    403 for whoever asked and whom the mandate does not name, 409 once it is decided or its seven days are over.
    """
    with transaction.atomic():
        opt_in = get_opt_in(caller, ref)
        if opt_in.status == OptInStatus.PENDING and opt_in.expires_at <= timezone.now():
            raise errors.invalid_state("The seven days to approve it are over.")
        if opt_in.approval_id:
            approvals.vote(caller, opt_in.approval_id, Vote.Decision.APPROVE)
        else:
            _decide_alone(caller, ref, "approve")
    return get_opt_in(caller, ref)


def reject(caller: Caller, ref: str, reason: str) -> OptIn:
    """Ends it; refusals as `approve`."""
    with transaction.atomic():
        opt_in = get_opt_in(caller, ref)
        if opt_in.approval_id:
            approvals.vote(caller, opt_in.approval_id, Vote.Decision.REJECT, reason)
        else:
            _decide_alone(caller, ref, "reject")
    return get_opt_in(caller, ref)


def _decide_alone(caller: Caller, ref: str, verb: str) -> None:
    row = OptIn.objects.select_for_update(no_key=True, of=("self",)).get(business_id=caller.business.id, ref=ref)
    if caller.employee_id in row.maker_ids:
        raise errors.self_approval_forbidden("Whoever asked for a fund does not approve it.")
    decide_opt_in(caller, row, verb)


def decide_opt_in(caller: Caller, row: OptIn, verb: str) -> None:
    """Moves a locked opt-in (approve, reject or expire) and its account with it; inside a transaction."""
    previous = transitions.move(row, verb)
    account = (
        FundAccount.objects.select_for_update(no_key=True, of=("self",)).select_related("fund").get(pk=row.account_id)
    )
    transitions.move(account, "activate" if verb == "approve" else "abandon")
    if verb == "approve":
        _open(caller, account)
    account.version += 1
    account.save()
    row.decided_by, row.decided_at = caller.label, timezone.now()
    row.version += 1
    row.save()
    row.account = account
    event = {"approve": "approved", "reject": "rejected", "expire": "expired"}[verb]
    shape = serializers.opt_in(row)
    payload = {"_id": row.ref, **shape}
    record_event(caller.business, f"investment.optin_{event}", payload, previous={"status": previous}, actor=caller)
    record_audit(caller, f"investment.{verb}_opt_in", "opt_in", row.id, {"status": previous}, {"status": row.status})


def expire_due(limit: int = 100) -> int:
    """Ends what nobody approved in time; answers how many."""
    due = OptIn.objects.filter(status=OptInStatus.PENDING, expires_at__lte=timezone.now()).order_by("expires_at")
    return sum(_expire(row_id) for row_id in due.values_list("id", flat=True)[:limit])


def _expire(row_id: str) -> int:
    """The request for votes is locked first, as it is by those who vote."""
    with transaction.atomic():
        business = OptIn.objects.select_related("business").get(pk=row_id).business
        approval = approvals.lock_open(business, KIND, row_id)
        row = (
            OptIn.objects.select_for_update(no_key=True, of=("self",))
            .filter(pk=row_id, status=OptInStatus.PENDING)
            .first()
        )
        if row is None:
            return 0
        caller = system_caller(business)
        if approval:
            approvals.end(caller, approval, ApprovalStatus.EXPIRED)
        decide_opt_in(caller, row, "expire")
    return 1


def _account(caller: Caller, fund: Fund) -> FundAccount:
    try:
        with transaction.atomic():
            return FundAccount.objects.create(business=caller.business, fund=fund)
    except IntegrityError:
        raise errors.duplicate("The business has an account in this fund, or asked for one.") from None


def _open(caller: Caller, fund_account: FundAccount) -> None:
    """The investment wallet, and the ledger account that carries the units. Nobody becomes an operator by it."""
    fund_account.cash = investment_wallet(caller.business, fund_account.id, fund_account.fund.currency)
    fund_account.holding = open_account(
        caller.business, "FUND_HOLDING", fund_account.fund.currency, "fund_account", fund_account.id
    )


def _subject(row: OptIn, fund: Fund) -> ApprovalSubject:
    return ApprovalSubject(
        kind=KIND,
        action_type=ActionType.INVESTMENT,
        ref=row.ref,
        subject_id=row.id,
        title=f"Opt in to {fund.name}",
        payee=fund.manager,
        amount_minor=fund.min_initial_minor,
        currency=fund.currency,
        org_wallet_ref="",
        maker_ids=list(row.maker_ids),
        due_at=row.expires_at,
    )
