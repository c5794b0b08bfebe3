"""Single-use cards: what the business lets people ask for, their requests, and what follows from a decision.

Locks: the request for votes (where there is one), then the request for the card.
"""

from datetime import timedelta
from decimal import Decimal

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from service import effects, errors, money, periods
from service.accounts.wallets import usable_wallet
from service.approvals import services as approvals
from service.approvals.models import ActionType, Approval, ApprovalStatus, Vote
from service.approvals.subjects import ApprovalSubject
from service.auth import Caller
from service.businesses.models import Business, Employee, Role, TeamReviewer
from service.cards import serializers, services, transitions
from service.cards.models import Card, RequestStatus, SingleUsePolicy, SingleUseRequest
from service.cards.schemas_single_use import NewRequest, PolicyChange, RequestQuery
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.teams.selectors import reviewed_teams

KIND = "CARD_REQUEST"
ADMINS = (Role.ADMIN, Role.SUPER_ADMIN)
DECIDERS = (Role.APPROVER, Role.ADMIN)


def policy(business: Business) -> SingleUsePolicy:
    """The business's policy, or the defaults, not saved."""
    return SingleUsePolicy.objects.filter(business_id=business.id).first() or SingleUsePolicy(business=business)


def change_policy(caller: Caller, policy_change: PolicyChange) -> SingleUsePolicy:
    """Replaces the policy; 409 concurrent_update for another version."""
    with transaction.atomic():
        # Before the first change there is no row of the policy to lock: the business's row keeps two of them apart.
        Business.objects.select_for_update(no_key=True, of=("self",)).only("id").get(id=caller.business.id)
        row = policy(caller.business)
        if policy_change.version is not None and policy_change.version != row.version:
            raise errors.concurrent_update()
        before = serializers.single_use_policy(row)
        row.enabled, row.valid_days, row.max_open = (
            policy_change.enabled,
            policy_change.valid_days,
            policy_change.max_open,
        )
        row.limits = [limit.model_dump() for limit in policy_change.limits]
        row.version += 1
        row.save()
        after = serializers.single_use_policy(row)
        record_event(
            caller.business,
            "single_use_policy.updated",
            {"_id": caller.business.id, "type": "SINGLE_USE_CARDS", **after},
            actor=caller,
        )
        record_audit(caller, "single_use_policy.update", "single_use_policy", caller.business.id, before, after)
    return row


def single_use_requests(caller: Caller, query: RequestQuery | None = None) -> QuerySet[SingleUseRequest]:
    """Own for a card user, those of the reviewed teams and own for a reviewer, else all of the business."""
    rows = SingleUseRequest.objects.filter(business_id=caller.business.id).select_related("employee")
    is_own = Q(employee_id=caller.employee_id or "")
    if caller.role == Role.CARD_USER:
        rows = rows.filter(is_own)
    if caller.role == Role.REVIEWER:
        rows = rows.filter(Q(employee__team_id__in=reviewed_teams(caller)) | is_own)
    filters = {"status": query.status, "employee_id": query.employee_id} if query else {}
    return rows.filter(**{name: value for name, value in filters.items() if value})


def get_single_use_request(caller: Caller, request_id: str) -> SingleUseRequest:
    """One request; 404 when it is none of the caller's to see."""
    row = single_use_requests(caller).filter(id=request_id).first()
    if row is None:
        raise errors.not_found("request")
    return row


def request_card(caller: Caller, new: NewRequest) -> SingleUseRequest:
    """Asks for a card for the acting employee (403 without one).

    403 policy_blocked where the business has none of them, 422 for an amount above its maximum or too many open
    requests. Where no mandate applies and the policy approves such an amount by itself, the card is there at once.
    """
    if caller.employee is None:
        raise errors.insufficient_role("A client that acts for nobody asks for no card: name the employee.")
    with transaction.atomic():
        if (done := effects.earlier(caller, single_use_requests(caller))) is not None:
            return done
        person = Employee.objects.select_for_update(no_key=True, of=("self",)).get(pk=caller.employee.pk)
        rules, paying = policy(caller.business), usable_wallet(caller.business, new.org_wallet_ref, locked=True)
        amount = _minor(new.amount, paying.currency)
        _check_policy(rules, person, paying.currency, amount)
        row = SingleUseRequest(
            id=effects.new_id(caller),
            business_id=caller.business.id,
            employee=person,
            org_wallet_ref=paying.org_wallet_ref,
            currency=paying.currency,
            amount_minor=amount,
            comparison=new.comparison,
            merchant=new.merchant or "",
            purpose=new.purpose,
        )
        approval = approvals.request_approval(caller, _subject(row))
        row.approval_id = approval.id if approval else ""
        row.save(force_insert=True)
        payload = serializers.single_use_request(row)
        record_event(caller.business, "card_request.requested", payload, actor=caller)
        record_audit(caller, "card_request.ask", "card_request", row.id, after=payload)
        if not approval and amount <= _limit(rules, paying.currency).get("auto_approve_up_to", 0):
            _decide(caller, row, transitions.APPROVE, "", by="policy")
    return row


def _minor(amount: Decimal, currency: str) -> int:
    try:
        return money.to_minor(amount, currency)
    except money.MoneyError as refusal:
        raise errors.validation_failed("amount", str(refusal)) from None


def _limit(rules: SingleUsePolicy, currency: str) -> dict[str, int]:
    return next((limit for limit in rules.limits if limit["currency"] == currency), {})


def _check_policy(rules: SingleUsePolicy, person: Employee, currency: str, amount_minor: int) -> None:
    if not rules.enabled:
        raise errors.policy_blocked("The business has no single-use cards.")
    most = _limit(rules, currency).get("max_amount")
    if most is not None and amount_minor > most:
        raise errors.limit_exceeded(f"At most {currency} {money.to_number(most, currency)} may be asked for.")
    waiting = SingleUseRequest.objects.filter(employee=person, status=RequestStatus.PENDING).count()
    if waiting >= rules.max_open:
        raise errors.limit_exceeded(f"{waiting} requests wait already: at most {rules.max_open} may.")


def _subject(row: SingleUseRequest) -> ApprovalSubject:
    return ApprovalSubject(
        kind=KIND,
        action_type=ActionType.CARD_REQUEST,
        ref=f"CR{row.id}",
        subject_id=row.id,
        title=f"Single-use card: {row.purpose}"[:150],
        payee=row.merchant or row.employee.name,
        amount_minor=row.amount_minor,
        currency=row.currency,
        org_wallet_ref=row.org_wallet_ref,
        maker_ids=[row.employee_id],
    )


def decide_request(caller: Caller, request_id: str, action: str, reason: str) -> SingleUseRequest:
    """Approves, rejects or cancels; where a mandate asks for votes, approving and rejecting is the caller's vote.

    403 for whoever asked (save for cancelling), for a role that decides nothing, and for a read-only reviewer; 409 once
    it is decided.
    """
    with transaction.atomic():
        unlocked = get_single_use_request(caller, request_id)
        if action == "cancel":
            return _cancel(caller, unlocked, reason)
        if caller.employee_id == unlocked.employee_id:
            raise errors.self_approval_forbidden("Nobody decides on a card of their own.")
        if unlocked.approval_id:
            verb = Vote.Decision.APPROVE if action == transitions.APPROVE else Vote.Decision.REJECT
            approvals.vote(caller, unlocked.approval_id, verb, reason)
        else:
            _check_decides(caller, unlocked)
            _decide(caller, _locked(unlocked.id), action, reason)
    return get_single_use_request(caller, request_id)


def _check_decides(caller: Caller, row: SingleUseRequest) -> None:
    if caller.role in DECIDERS:
        return
    seats = TeamReviewer.objects.filter(employee_id=caller.employee_id or "", team_id=row.employee.team_id or "")
    if caller.role != Role.REVIEWER or not seats.filter(read_only=False).exists():
        raise errors.insufficient_role("A reviewer of the team, an approver or an admin decides on it.")


def _cancel(caller: Caller, unlocked: SingleUseRequest, reason: str) -> SingleUseRequest:
    """The rule requester_or_admin."""
    if caller.employee_id != unlocked.employee_id and caller.role not in ADMINS:
        raise errors.insufficient_role("Whoever asked for it, or an admin, withdraws it.")
    vote = approvals.lock_open(caller.business, KIND, unlocked.id)
    row = _locked(unlocked.id)
    _decide(caller, row, "cancel", reason)
    if vote is not None:
        approvals.end(caller, vote, ApprovalStatus.WITHDRAWN)
    return row


def _locked(request_id: str) -> SingleUseRequest:
    return (
        SingleUseRequest.objects.select_for_update(no_key=True, of=("self",))
        .select_related("employee")
        .get(pk=request_id)
    )


VERBS = {ApprovalStatus.APPROVED: transitions.APPROVE, ApprovalStatus.EXPIRED: transitions.EXPIRE}


def voted(caller: Caller, approval: Approval) -> None:
    """What follows from a decided vote, in its transaction."""
    last = approval.votes.order_by("-created_at", "-id").first()
    reason = last.reason if last and approval.status == ApprovalStatus.REJECTED else ""
    verb = VERBS.get(ApprovalStatus(approval.status), transitions.REJECT)
    _decide(caller, _locked(approval.subject_id), verb, reason)


EVENTS = {
    transitions.APPROVE: "approved",
    transitions.REJECT: "rejected",
    "cancel": "cancelled",
    transitions.EXPIRE: "expired",
}


def _decide(caller: Caller, row: SingleUseRequest, verb: str, reason: str, *, by: str = "") -> None:
    """Moves a locked request on; an approved one gets its card. 409 where the employee is not active any more."""
    previous = transitions.move(row, verb)
    if verb == transitions.APPROVE:
        row.card = _card(caller, row)
    row.decided_by, row.decided_at, row.reason = by or caller.label, timezone.now(), reason
    row.version += 1
    row.save()
    payload = serializers.single_use_request(row)
    record_event(caller.business, f"card_request.{EVENTS[verb]}", payload, previous={"status": previous}, actor=caller)
    record_audit(
        caller,
        f"card_request.{verb}",
        "card_request",
        row.id,
        {"status": previous},
        {"status": row.status, "reason": reason},
    )


def _card(caller: Caller, row: SingleUseRequest) -> Card:
    if row.employee.status != Employee.Status.ACTIVE:
        raise errors.invalid_state("The account of whoever asked is not active.")
    card = services.blank(caller, row.employee, row.org_wallet_ref, row.currency, row.purpose[:100])
    days = timedelta(days=policy(caller.business).valid_days)
    card.type = Card.Type.SINGLE_USE
    card.controls = {
        "single_use": {"comparison": row.comparison, "amount": row.amount_minor},
        "auto_lock_at": periods.day_of(timezone.now() + days, caller.business).isoformat(),
        **({"merchants_allowed": [row.merchant]} if row.merchant else {}),
    }
    services.add_card(caller, card)
    return card
