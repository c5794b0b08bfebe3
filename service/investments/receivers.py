"""What the hooks of areas below reach here: decided votes on opt-ins and movements, and what keeps a wallet open."""

from service.accounts.hooks import MOST_NAMED
from service.accounts.wallets import Wallet
from service.approvals.models import Approval, ApprovalStatus
from service.auth import Caller
from service.errors import FieldError
from service.investments import movements, opt_ins
from service.investments.models import OPEN_MOVEMENTS, Movement, OptIn

KIND = opt_ins.KIND
VERBS = {ApprovalStatus.APPROVED: "approve", ApprovalStatus.EXPIRED: "expire"}


def voted(caller: Caller, approval: Approval) -> None:
    """Moves the opt-in or the movement on, in the transaction of the deciding vote."""
    row = OptIn.objects.select_for_update(no_key=True, of=("self",)).filter(pk=approval.subject_id).first()
    if row is not None:
        opt_ins.decide_opt_in(caller, row, VERBS.get(ApprovalStatus(approval.status), "reject"))
    else:
        movements.decide_movement(caller, approval.subject_id, approved=approval.status == ApprovalStatus.APPROVED)


def movements_on_wallet(wallet: Wallet) -> list[FieldError]:
    """The movements under way out of a wallet or into it."""
    rows = Movement.objects.filter(wallet=wallet, status__in=OPEN_MOVEMENTS).select_related("account__fund")
    return [
        {
            "field": "investments",
            "code": movement.ref,
            "message": f"movement {movement.ref} of {movement.account.fund.name}",
        }
        for movement in rows.order_by("id")[:MOST_NAMED]
    ]
