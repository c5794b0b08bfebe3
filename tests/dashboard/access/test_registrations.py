"""What higher floors tell the lower ones at start-up is told; and where it were not, nobody would get in by that."""

import pytest
from django.http import HttpRequest, HttpResponse

from dashboard import operations
from dashboard.access import decorators, standing
from dashboard.access.actor import Actor, ActorRequest
from dashboard.access.decorators import needs
from dashboard.access.models import Business
from dashboard.access.roles import Role
from dashboard.access.subject import subject_of
from dashboard.audit import naming
from dashboard.decisions.desk_items import PRESENTERS, desk_item_of, register_presenter
from dashboard.lists.imports import IMPORTERS
from dashboard.lists.registry import REGISTRY
from dashboard.mirror import events
from dashboard.mirror.mappers import MAPPERS
from dashboard.mirror.models import Approval, ApprovalRequest, Employee, Expense, Vendor
from dashboard.notifications import digest
from dashboard.notifications.budgets import notify_of_budget
from dashboard.notifications.decided import notify_of_answer, notify_of_decision
from dashboard.notifications.payments import notify_of_failure


def test_all_that_is_asked_for_is_registered_at_start_up() -> None:
    assert standing.READERS.keys() == standing.NEEDED
    assert len(decorators._denial_recorders) == 1
    assert (
        set(naming._tables) == {mapper.model for mapper in MAPPERS.values() if mapper.names_ids} >= {Employee, Vendor}
    )
    assert events._listeners == [notify_of_decision, notify_of_answer, notify_of_budget, notify_of_failure]
    assert len(digest._waiting_readers) == len(digest._stuck_readers) == 1
    assert PRESENTERS.keys() == {Expense, Approval, ApprovalRequest}
    assert {"expenses", "cards", "approvals", "card_orders", "card_requests", "audit"} <= REGISTRY.keys()
    assert "customers" in IMPORTERS


@pytest.mark.parametrize("part", sorted(standing.NEEDED))
def test_nobody_s_standing_is_known_while_a_part_of_it_has_no_reader(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(standing.READERS, part)
    with pytest.raises(LookupError, match=part):
        standing.standing_of(1, "507f1f77bcf86cd799439011", fresh=True)


def test_a_part_of_the_standing_that_nobody_asks_for_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="weather"):
        standing.register_reader("weather", lambda *known: known[0])


def test_where_nobody_writes_denials_down_a_view_that_is_not_allowed_does_not_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ran = []

    @needs(operations.APPROVE_EXPENSE)
    def view(request: ActorRequest) -> HttpResponse:
        ran.append(request)
        return HttpResponse()

    monkeypatch.setattr(decorators, "_denial_recorders", [])
    request = HttpRequest()
    request.actor = Actor(user=None, business=Business(pk=1, slug="acme"), role=Role.CARD_USER)  # type: ignore[attr-defined]
    with pytest.raises(LookupError):
        view(request)
    assert not ran


def test_a_kind_that_nobody_has_described_or_presents_is_a_mistake() -> None:
    actor = Actor(user=None, business=Business(pk=1, slug="acme"), role=Role.ADMIN)
    with pytest.raises(TypeError, match="Business"):
        subject_of(actor.business)
    with pytest.raises(TypeError, match="Business"):
        desk_item_of(actor, actor.business)


def test_a_class_of_rows_has_one_presenter() -> None:
    with pytest.raises(TypeError, match="Expense"):
        register_presenter(Expense, lambda actor, thing: PRESENTERS[Expense](actor, thing))
