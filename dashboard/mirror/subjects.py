"""What the gate must know of each kind of mirrored row, as its table has it. Read at start-up by the app."""

from dashboard.access.roles import Role
from dashboard.access.subject import Seat, Subject, people, person, subject_of
from dashboard.mirror.models import (
    Approval,
    Card,
    Category,
    Customer,
    Employee,
    Expense,
    FundAccount,
    Request,
    Subscription,
    Team,
    Transaction,
    Vendor,
    Wallet,
    WalletPolicy,
)

# The tables that the audit asks for the name of an id, in this order.
NAMED = (Employee, Team, Wallet, Category, Customer, Vendor, Card, FundAccount)


@subject_of.register
def _(thing: Expense) -> Subject:
    edited = (thing.payload.get(name) for name in ("created_by", "submitted_by", "edited_by", "last_edited_by"))
    return Subject(
        business_id=thing.business_id,
        kind="expense",
        id=thing.remote_id,
        title=thing.merchant or thing.transaction_ref or thing.remote_id,
        holder_id=thing.employee_id,
        team_id=thing.team_id,
        makers=people(thing.employee_id, *edited) or None,
        about=people(thing.employee_id) or None,
        amount_minor=thing.amount_minor,
    )


@subject_of.register
def _(thing: Approval) -> Subject:
    # A request that the business's account made for nobody has no maker: its list is there, and empty.
    told = thing.payload.get("makers")
    edited = (thing.payload.get(name) for name in ("created_by", "initiated_by", "edited_by", "last_edited_by"))
    makers = people(thing.requested_by_id, *edited, *(told or []))
    return Subject(
        business_id=thing.business_id,
        kind="approval",
        id=thing.remote_id,
        title=thing.title or thing.ref or thing.remote_id,
        holder_id=thing.requested_by_id,
        makers=makers if makers or isinstance(told, list) else None,
        requester_id=thing.requested_by_id or None,
        seats=tuple(Seat(person(seat), seat.get("max_amount_minor")) for seat in thing.eligible),
        voters=people(*thing.voters),
        at_turn=people(*turn) if isinstance(turn := thing.payload.get("at_turn"), list) else None,
        amount_minor=thing.amount_minor,
    )


@subject_of.register
def _(thing: Request) -> Subject:
    # No mandate asks for votes: the word of any one approver is enough.
    alone = thing.kind == "fund_opt_in" and not thing.voted
    approvers = Employee.objects.filter(
        business_id=thing.business_id, role=Role.APPROVER, status="ACTIVE", tombstoned_at=None
    )
    return Subject(
        business_id=thing.business_id,
        kind=thing.kind,
        id=thing.remote_id,
        title=thing.title or thing.ref,
        holder_id=thing.holder_id,
        team_id=thing.team_id,
        makers=people(thing.holder_id, thing.requested_by_id),
        requester_id=thing.requested_by_id or None,
        seats=tuple(Seat(each) for each in approvers.values_list("remote_id", flat=True)) if alone else None,
        amount_minor=thing.amount_minor,
    )


@subject_of.register
def _(thing: Employee) -> Subject:
    return Subject(
        business_id=thing.business_id,
        kind="employee",
        id=thing.remote_id,
        title=thing.name,
        holder_id=thing.remote_id,
        team_id=thing.team_id,
        makers=frozenset({thing.remote_id}),
        about=frozenset({thing.remote_id}),
    )


@subject_of.register
def _(thing: Team) -> Subject:
    return Subject(
        business_id=thing.business_id, kind="team", id=thing.remote_id, title=thing.name, team_id=thing.remote_id
    )


@subject_of.register
def _(thing: Category) -> Subject:
    return Subject(business_id=thing.business_id, kind="category", id=thing.remote_id, title=thing.name)


@subject_of.register
def _(thing: Wallet) -> Subject:
    title = thing.name or thing.org_wallet_ref
    return Subject(business_id=thing.business_id, kind="wallet", id=thing.remote_id, title=title)


@subject_of.register
def _(thing: WalletPolicy) -> Subject:
    return Subject(
        business_id=thing.business_id,
        kind="wallet_policy",
        id=thing.remote_id,
        title=thing.employee_name or thing.employee_id,
        holder_id=thing.employee_id,
        about=people(thing.employee_id) or None,
    )


@subject_of.register
def _(thing: Customer) -> Subject:
    return Subject(business_id=thing.business_id, kind="customer", id=thing.remote_id, title=thing.name)


@subject_of.register
def _(thing: Transaction) -> Subject:
    made = (thing.payload.get(name) for name in ("created_by", "employee_id"))
    return Subject(
        business_id=thing.business_id,
        kind="transaction",
        id=thing.remote_id,
        title=thing.counterparty or thing.ref or thing.remote_id,
        holder_id=thing.employee_id,
        team_id=thing.team_id,
        makers=people(*made) or None,
        amount_minor=abs(thing.amount_minor),
    )


@subject_of.register
def _(thing: FundAccount) -> Subject:
    return Subject(business_id=thing.business_id, kind="fund_account", id=thing.remote_id, title=thing.fund_name)


@subject_of.register
def _(thing: Vendor) -> Subject:
    return Subject(business_id=thing.business_id, kind="vendor", id=thing.remote_id, title=thing.name)


@subject_of.register
def _(thing: Subscription) -> Subject:
    return Subject(
        business_id=thing.business_id,
        kind="subscription",
        id=thing.remote_id,
        title=thing.name,
        holder_id=thing.employee_id,
        team_id=thing.team_id,
    )


@subject_of.register
def _(thing: Card) -> Subject:
    title = f"{thing.name or thing.employee_name} …{thing.last_four}"
    return Subject(
        business_id=thing.business_id,
        kind="card",
        id=thing.remote_id,
        title=title,
        holder_id=thing.employee_id,
        team_id=thing.team_id,
        makers=people(thing.employee_id) or None,
        about=people(thing.employee_id) or None,
        blocked_by_id=_blocker(thing),
        is_virtual=thing.kind != "PHYSICAL",
    )


def _blocker(card: Card) -> str | None:
    # On the holder's side it is the holder's, whatever name the service gives; a platform's block is nobody's to lift.
    if card.blocked_by == "USER":
        return card.employee_id or None
    return None if card.blocked_by == "SYSTEM" else card.blocker_id or card.blocked_by or None
