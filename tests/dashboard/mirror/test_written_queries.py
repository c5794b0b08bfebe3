"""Queries that are written once: whom one is written for, and what none of them may stand in for."""

from __future__ import annotations

import pytest

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.models import Business
from dashboard.access.roles import Role
from dashboard.mirror.cached_responses import stored_text
from dashboard.mirror.written_queries import ANY_LIST, RowScope

CARDS = (operations.READ_CARD, operations.LIST_ACCOUNTS)


def actor(role: Role, employee_id: str, *grants: tuple[str, str]) -> Actor:
    return Actor(None, Business(pk=1), role, employee_id, frozenset({"t1"}), grants=frozenset(grants))


def test_all_whose_role_reaches_all_rows_share_one() -> None:
    ada, abel = (actor(Role.ADMIN, name, ("WALLET_VIEW", f"w-{name}")) for name in ("ada", "abel"))
    assert RowScope.of(ada, *CARDS) == RowScope.of(abel, *CARDS) == (Role.ADMIN, "", frozenset(), frozenset())
    assert RowScope.of(ada, *CARDS) != RowScope.of(actor(Role.APPROVER, "ada"), *CARDS)


@pytest.mark.parametrize("role", [Role.CARD_USER, Role.REVIEWER])
def test_who_is_held_to_rows_has_their_own(role: Role) -> None:
    granted = ("WALLET_VIEW", "w1")
    assert RowScope.of(actor(role, "carla", granted), *CARDS) == (role, "carla", {"t1"}, {granted})


def test_nobody_who_has_a_stand_in_among_their_rights_is_written_for() -> None:
    for one in (actor(Role.CARD_USER, ANY_LIST), actor(Role.CARD_USER, "carla", ("WALLET_VIEW", ANY_LIST))):
        with pytest.raises(ValueError, match="stand-in"):
            RowScope.of(one, *CARDS)


def test_the_text_of_a_stored_answer_is_given_where_it_is_the_same_for_all_who_may_read_it() -> None:
    with pytest.raises(TypeError, match="not the same for everybody"):
        stored_text(actor(Role.CARD_USER, "carla"), operations.READ_CARD, fresh_s=60)
