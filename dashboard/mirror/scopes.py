"""What an actor may see: one function per mirrored table, used for lists, counts, search, exports and files alike.

There is no unscoped default: every query about the mirrored rows of a business begins here.
"""

from typing import TypeVar

from django.db.models import Q, QuerySet

from dashboard import operations, operations_extra, operations_payables
from dashboard.access.actor import Actor
from dashboard.access.operation import Operation
from dashboard.access.roles import Role
from dashboard.mirror.models import (
    Approval,
    ApprovalRequest,
    Bill,
    Card,
    CardDecline,
    Category,
    Customer,
    Employee,
    Expense,
    FundAccount,
    Mirrored,
    SpendPolicy,
    Subscription,
    Team,
    Transaction,
    Vendor,
    Wallet,
    WalletPolicy,
    Workflow,
)

Row = TypeVar("Row", bound=Mirrored)


def visible_expenses(actor: Actor) -> QuerySet[Expense]:
    """A card user's own; a reviewer's of the teams reviewed now, and own; for the others all of the business.

    A row follows the team stored on the expense, even when its holder has moved since.
    """
    return _scoped(Expense.objects.all(), actor, operations.LIST_EXPENSES, holder="employee_id", team="team_id")


def visible_approvals(actor: Actor) -> QuerySet[Approval]:
    """Payment requests: for those whose role lists them, all of the business."""
    return _scoped(Approval.objects.all(), actor, operations.LIST_APPROVALS)


# The operation that lists requests of a kind: its roles and rows say who sees them. The mappers say which there are.
LIST_OPERATIONS: dict[str, Operation] = {}


def register_requests(kind: str, listed_by: Operation) -> None:
    """Makes known what lists the requests of a kind; TypeError where another operation is known to."""
    if LIST_OPERATIONS.setdefault(kind, listed_by) is not listed_by:
        raise TypeError(f"two operations list requests of the kind {kind}")


def visible_requests(actor: Actor) -> QuerySet[ApprovalRequest]:
    """Requests, each kind by what lists it: all for finance; a reviewer's teams and own; else one's own."""
    if not LIST_OPERATIONS:
        raise RuntimeError("no kind of request is known yet")
    kinds = {kind: operation for kind, operation in LIST_OPERATIONS.items() if actor.role in operation.roles}
    narrowed = sorted(kind for kind, operation in kinds.items() if not operation.rows.reaches_all(actor.role))
    rows = _of_business(ApprovalRequest.objects.all(), actor)
    if not narrowed:
        return rows if len(kinds) == len(LIST_OPERATIONS) else rows.filter(kind__in=sorted(kinds))
    scoped = _scoped(rows, actor, kinds[narrowed[0]], holder="holder_id", team="team_id")
    unscoped = rows.filter(kind__in=sorted(kinds.keys() - set(narrowed)))
    return unscoped | scoped.filter(kind__in=narrowed)


def visible_payouts(actor: Actor) -> QuerySet[ApprovalRequest]:
    """Payouts, paid ones too: all of the business for those whose role lists them."""
    return visible_requests(actor).filter(kind="payout")


def visible_employees(actor: Actor, *, deleted: bool = False) -> QuerySet[Employee]:
    """Own row for everyone; a reviewer's teams; for the others all of the business. With `deleted` those too that the service has
    no longer: what they owned may still be there."""
    rows = Employee.objects.all()
    return _scoped(rows, actor, operations.READ_EMPLOYEE, holder="remote_id", team="team_id", deleted=deleted)


def visible_teams(actor: Actor, *, deleted: bool = False) -> QuerySet[Team]:
    """The teams reviewed now; for the others all of the business. With `deleted` those too that the service has no longer."""
    return _scoped(Team.objects.all(), actor, operations.LIST_TEAMS, team="remote_id", deleted=deleted)


def visible_categories(actor: Actor, *, deleted: bool = False) -> QuerySet[Category]:
    """All of the business, for everyone: they are the choices of a form. With `deleted` those too that the service has no
    longer, for what was posted under them stays."""
    return _scoped(Category.objects.all(), actor, operations.LIST_CATEGORIES, deleted=deleted)


def visible_customers(actor: Actor) -> QuerySet[Customer]:
    """All of the business for those whose role lists them."""
    return _scoped(Customer.objects.all(), actor, operations.LIST_CUSTOMERS)


def visible_transactions(actor: Actor) -> QuerySet[Transaction]:
    """A card user's own; a reviewer's of the teams reviewed now, and own; for the others all of the business."""
    return _scoped(Transaction.objects.all(), actor, operations.LIST_TRANSACTIONS, holder="employee_id", team="team_id")


def visible_fund_accounts(actor: Actor) -> QuerySet[FundAccount]:
    """All of the business for finance; for anybody else those that they operate."""
    rows = _of_business(FundAccount.objects.all(), actor)
    if actor.role in operations_extra.LIST_FUND_ACCOUNTS.roles:
        return rows
    grant = operations_extra.LIST_FUND_ACCOUNTS.grant
    return rows.filter(remote_id__in=[account_id for permission, account_id in actor.grants if permission == grant])


def visible_vendors(actor: Actor) -> QuerySet[Vendor]:
    """All of the business for those whose role lists them."""
    return _scoped(Vendor.objects.all(), actor, operations.LIST_VENDORS)


def visible_bills(actor: Actor) -> QuerySet[Bill]:
    """All of the business for those whose role lists them."""
    return _scoped(Bill.objects.all(), actor, operations_payables.LIST_BILLS)


def visible_subscriptions(actor: Actor) -> QuerySet[Subscription]:
    """A reviewer's of the teams reviewed now, and own; for finance all of the business."""
    return _scoped(
        Subscription.objects.all(), actor, operations.LIST_SUBSCRIPTIONS, holder="employee_id", team="team_id"
    )


def visible_cards(actor: Actor) -> QuerySet[Card]:
    """A card user's own; a reviewer's of the teams reviewed now, and own; for the others all of the business."""
    return _scoped(Card.objects.all(), actor, operations.READ_CARD, holder="employee_id", team="team_id")


def visible_declines(actor: Actor) -> QuerySet[CardDecline]:
    """Declined uses of the cards that one sees, whoever held them then."""
    cards = visible_cards(actor).values("remote_id")
    return _of_business(CardDecline.objects.all(), actor).filter(card_id__in=cards)


def visible_wallets(actor: Actor) -> QuerySet[Wallet]:
    """All of the business for those whose role lists them, and those a grant names."""
    wallets = _scoped(Wallet.objects.all(), actor, operations.LIST_ACCOUNTS)
    granted = [wallet_id for permission, wallet_id in actor.grants if permission == operations.LIST_ACCOUNTS.grant]
    if granted:
        wallets = wallets | _of_business(Wallet.objects.all(), actor).filter(remote_id__in=granted)
    return wallets


def visible_policies(actor: Actor) -> QuerySet[WalletPolicy]:
    """Who may use which wallet: one's own policies; for those whose role reads everybody's, all of the business."""
    return _scoped(WalletPolicy.objects.all(), actor, operations.LIST_EMPLOYEE_WALLET_POLICIES, holder="employee_id")


def visible_spend_policies(actor: Actor) -> QuerySet[SpendPolicy]:
    """Spend policies, deleted ones too: all of the business for those whose role reads them."""
    return _scoped(SpendPolicy.objects.all(), actor, operations.READ_POLICY)


def visible_workflows(actor: Actor) -> QuerySet[Workflow]:
    """Approval workflows of bills and of policies: all of the business for those whose role reads them."""
    return _scoped(Workflow.objects.all(), actor, operations.READ_BILL_WORKFLOW)


def visible_holders(actor: Actor) -> QuerySet[Employee]:
    """The people whose wallet policies one may look at: oneself, or everybody."""
    return _scoped(Employee.objects.all(), actor, operations.LIST_EMPLOYEE_WALLET_POLICIES, holder="remote_id")


def _of_business(rows: QuerySet[Row], actor: Actor) -> QuerySet[Row]:
    return rows.filter(business=actor.business, tombstoned_at__isnull=True)


def _scoped(
    rows: QuerySet[Row], actor: Actor, operation: Operation, *, holder: str = "", team: str = "", deleted: bool = False
) -> QuerySet[Row]:
    if actor.role not in operation.roles:
        return rows.none()
    rows = rows.filter(business=actor.business) if deleted else _of_business(rows, actor)
    if operation.rows.reaches_all(actor.role):
        return rows
    mine = Q()
    if holder and actor.employee_id:
        mine |= Q(**{holder: actor.employee_id})
    if team and actor.role is Role.REVIEWER and operation.rows.word == "scoped" and actor.teams:
        mine |= Q(**{f"{team}__in": sorted(actor.teams)})
    return rows.filter(mine) if mine else rows.none()
