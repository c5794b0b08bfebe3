"""Every state × every move of opt-ins and movements, through the real actions: nothing outside the tables is reachable."""

from collections.abc import Callable

import pytest

from service.errors import ServiceError
from service.investments import movements, opt_ins, settlement
from service.investments.models import FundAccount, Movement, MovementStatus, OptIn, OptInStatus
from service.investments.transitions import ACCOUNT, MOVEMENT, OPT_IN
from service.rails import fund_manager
from service.rails.outcomes import Outcome, State
from tests.service.house import House
from tests.service.investments.conftest import move, opened, request_opt_in

STATES = list(MovementStatus)


def test_a_top_up_ends_with_its_votes(house: House) -> None:
    assert MOVEMENT["approve top-up"] == {MovementStatus.PENDING_APPROVAL: MovementStatus.SETTLED}


def moved(house: House, state: str) -> Movement:
    """An investment of 2,000 shillings in that state, with its cash held."""
    account = opened(house)
    row_id = move(house, account, "invest", amount=2000, org_wallet_ref="1").json()["_id"]
    Movement.objects.filter(id=row_id).update(status=state)
    return Movement.objects.get(id=row_id)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("approved", [True, False])
def test_votes_move_only_what_waits_for_them(house: House, state: str, approved: bool) -> None:
    row = moved(house, state)
    target = MOVEMENT["approve" if approved else "cancel"].get(state)
    if target is None:
        with pytest.raises(ServiceError, match="invalid_state"):
            movements.decide_movement(house.caller("Zawadi"), row.id, approved=approved)
    else:
        movements.decide_movement(house.caller("Zawadi"), row.id, approved=approved)
    row.refresh_from_db()
    assert row.status == (target or state)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("outcome", list(State))
def test_the_manager_decides_on_what_was_sent_only(
    house: House, monkeypatch: pytest.MonkeyPatch, state: str, outcome: State
) -> None:
    row = moved(house, state)
    manager = fund_manager.SimulatedManager()
    execute: Callable[..., Outcome] = lambda *_: Outcome(outcome, "X", "refused")  # noqa: E731
    monkeypatch.setattr(fund_manager.SimulatedManager, "execute", execute)
    monkeypatch.setattr(fund_manager, "manager", manager)
    settlement.settle(row.id)
    row.refresh_from_db()
    sent = {State.SUCCEEDED: "SETTLED", State.FAILED: "FAILED", State.PENDING: "PROCESSING"}[outcome]
    assert row.status == (sent if state in ("REQUESTED", "PROCESSING") else state)
    units = FundAccount.objects.get(id=row.account_id).units
    assert (units == 2000) == (state in ("REQUESTED", "PROCESSING") and outcome == State.SUCCEEDED)


@pytest.mark.parametrize("state", list(OptInStatus))
@pytest.mark.parametrize("verb", OPT_IN)
def test_an_opt_in_is_decided_once(house: House, state: str, verb: str) -> None:
    row = OptIn.objects.get(ref=request_opt_in(house)["ref"])
    OptIn.objects.filter(id=row.id).update(status=state)
    row.refresh_from_db()
    target = OPT_IN[verb].get(state)
    if target is None:
        with pytest.raises(ServiceError, match="invalid_state"):
            opt_ins.decide_opt_in(house.caller("Apollo"), row, verb)
    else:
        opt_ins.decide_opt_in(house.caller("Apollo"), row, verb)
    row.refresh_from_db()
    assert row.status == (target or state)
    account = FundAccount.objects.get(id=row.account_id)
    expected = {"approve": ACCOUNT["activate"], "reject": ACCOUNT["abandon"], "expire": ACCOUNT["abandon"]}[verb]
    assert account.status == (expected["PENDING_OPT_IN"] if target else "PENDING_OPT_IN")
