"""The lives of an opt-in, a fund account and a movement, each in one table."""

from dataclasses import dataclass

from service import errors
from service.investments.models import AccountStatus, FundAccount, Movement, MovementStatus, OptIn, OptInStatus

OPT_IN: dict[str, dict[str, str]] = {
    "approve": {OptInStatus.PENDING: OptInStatus.APPROVED},
    "reject": {OptInStatus.PENDING: OptInStatus.REJECTED},
    "expire": {OptInStatus.PENDING: OptInStatus.EXPIRED},
}

ACCOUNT: dict[str, dict[str, str]] = {
    "activate": {AccountStatus.PENDING_OPT_IN: AccountStatus.ACTIVE},
    "abandon": {AccountStatus.PENDING_OPT_IN: AccountStatus.CLOSED},
    "suspend": {AccountStatus.ACTIVE: AccountStatus.SUSPENDED},
    "resume": {AccountStatus.SUSPENDED: AccountStatus.ACTIVE},
}

# A movement that needs no votes begins REQUESTED; a top-up, which no manager settles, and interest are SETTLED at once.
MOVEMENT: dict[str, dict[str, str]] = {
    "approve": {MovementStatus.PENDING_APPROVAL: MovementStatus.REQUESTED},
    "approve top-up": {MovementStatus.PENDING_APPROVAL: MovementStatus.SETTLED},
    "cancel": {MovementStatus.PENDING_APPROVAL: MovementStatus.CANCELLED},
    "send": {MovementStatus.REQUESTED: MovementStatus.PROCESSING},
    "settle": {MovementStatus.PROCESSING: MovementStatus.SETTLED},
    "fail": {MovementStatus.PROCESSING: MovementStatus.FAILED, MovementStatus.REQUESTED: MovementStatus.FAILED},
}


@dataclass(frozen=True, slots=True)
class _Life:
    name: str
    table: dict[str, dict[str, str]]


_LIVES: dict[type, _Life] = {
    OptIn: _Life("opt-in", OPT_IN),
    FundAccount: _Life("fund account", ACCOUNT),
    Movement: _Life("movement", MOVEMENT),
}


def move(row: OptIn | FundAccount | Movement, name: str) -> str:
    """Puts a locked row into its next state (unsaved); answers the state before. 409 invalid_state otherwise."""
    life = _LIVES[type(row)]
    previous = str(row.status)
    target = life.table[name].get(previous)
    if target is None:
        raise errors.invalid_state(f"The {life.name} is {previous}: it cannot {name} now.")
    row.status = target
    return previous
