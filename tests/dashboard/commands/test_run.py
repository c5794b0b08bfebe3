"""What every command does, seen at real ones: the gate, the key, the call, the copy, and a refusal beside its field."""

from typing import Any

import pytest
from django import forms

from dashboard import operations, operations_extra
from dashboard.access.operation import Operation
from dashboard.audit.models import AuditEntry
from dashboard.client.models import OutboundOperation
from dashboard.client.reads import ReadCall, read_live, read_together
from dashboard.commands import cards, customers, treasury
from dashboard.commands.run import FormKey, run
from dashboard.errors import KeyReused, NotAllowed, Rejected, TooMany
from dashboard.mirror.models import Customer, Origin, Wallet
from tests.dashboard.cards.conftest import Give
from tests.dashboard.conftest import World
from tests.faults import Sent


class PersonForm(forms.Form):
    """Fields by the names that a page gives them."""

    name = forms.CharField(required=False)
    tax_pin = forms.CharField(required=False)


def changes(world: World) -> list[Sent]:
    """What was sent to change something."""
    assert world.proxy is not None
    return [one for one in world.proxy.sent() if "Idempotency-Key" in one.headers]


def last_line(world: World) -> AuditEntry:
    return AuditEntry.objects.filter(chain=world.business.pk).latest("id")


def test_the_answer_is_in_the_copy_when_the_command_returns(world: World, give: Give) -> None:
    card = give()
    done = cards.block(world.actor("Ada"), card, "Seen at a bad merchant", key=FormKey("k1"))
    card.refresh_from_db()
    assert (done.id, done.text("status")) == (card.remote_id, "BLOCKED")
    assert (card.status, card.source) == ("BLOCKED", Origin.WRITE)
    assert world.upstream(f"/cards/{card.remote_id}")["status"] == "BLOCKED"
    line = last_line(world)
    assert (line.operation, line.outcome, line.request_id) == ("block_card", "DONE", done.request_id)


def test_who_may_not_sends_nothing_and_leaves_a_denial(world: World, give: Give) -> None:
    card = give()
    with pytest.raises(NotAllowed):
        cards.save_controls(
            world.actor("Rita"),
            card,
            name="Mine",
            controls={},
            version=1,
            current_funding="",
            funding="",
            key=FormKey("k1"),
        )
    assert changes(world) == []
    assert not OutboundOperation.objects.filter(business=world.business).exists()
    line = last_line(world)
    assert (line.operation, line.outcome, line.object_id) == ("update_card", "DENIED", card.remote_id)
    card.refresh_from_db()
    assert card.name == "Fuel"


def test_a_refusal_stands_beside_the_field_that_the_form_names(world: World) -> None:
    form = PersonForm({"name": "Mary Otieno", "tax_pin": "?"})
    assert form.is_valid()
    with pytest.raises(Rejected):
        customers.create_customer(
            world.actor("Ada"), {"name": "Mary Otieno", "taxPin": "?"}, key=FormKey("k1"), form=form
        )
    assert len(changes(world)) == 1, "the service itself refused it"
    assert list(form.errors) == ["tax_pin"]
    assert not Customer.objects.filter(business=world.business).exists()


def test_a_refusal_without_a_field_stands_above_the_form_with_its_request(world: World) -> None:
    assert world.proxy is not None
    world.proxy.fail("429", path="/customers", method="POST")
    form = PersonForm({"name": "Mary Otieno"})
    assert form.is_valid()
    with pytest.raises(TooMany) as refused:
        customers.create_customer(world.actor("Ada"), {"name": "Mary Otieno"}, key=FormKey("k1"), form=form)
    assert form.non_field_errors() == [refused.value.on_form]
    assert "Nothing was changed." in refused.value.on_form


@pytest.mark.parametrize(
    ("operation", "sent"),
    [
        (operations.BLOCK_CARD, "block_card-k1"),
        (operations.UPDATE_CARD, "update_card-k1"),
        (operations.TRANSFER_FX, "transfer_fx-k1"),
        (operations.GRANT_WALLET_ACCESS, "grant_wallet_access-k1"),
        (operations_extra.REQUEST_SINGLE_USE_CARD, "request_single_use_card-k1"),
        (operations.START_RECEIPTS_EXPORT, "receipts-k1"),
        (operations.SYNC_WALLET_PERMISSIONS, "sync-k1"),
        (operations_extra.TAG_EXPENSE, "tags-k1"),
        (operations_extra.CREATE_EXPENSE_TAG, "new-tag-k1"),
    ],
)
def test_a_key_is_made_of_the_operation_and_the_form_as_it_always_was(operation: Operation, sent: str) -> None:
    assert FormKey("k1").of(operation) == sent


def test_the_same_form_does_it_once_and_a_workers_key_is_sent_as_it_is(world: World, give: Give) -> None:
    card, ada = give(), world.actor("Ada")
    first = cards.block(ada, card, "Lost", key=FormKey("k1"))
    again = cards.block(ada, card, "Lost", key=FormKey("k1"))
    assert again.data == first.data
    card.refresh_from_db()
    cards.unblock(ada, card, key="bulk-7-3")
    assert [one.headers["Idempotency-Key"] for one in changes(world)] == ["block_card-k1", "block_card-k1", "bulk-7-3"]
    with pytest.raises(KeyReused):
        cards.block(ada, card, "For another reason", key=FormKey("k1"))


def test_a_wallet_that_is_suspended_is_so_in_the_copy(world: World) -> None:
    wallet = Wallet.objects.filter(business=world.business, status="ACTIVE").order_by("pk").last()
    assert wallet is not None
    treasury.suspend_wallet(world.actor("Ada"), wallet, key=FormKey("k1"))
    wallet.refresh_from_db()
    assert wallet.status == "SUSPENDED"


@pytest.mark.parametrize("operation", [operations.READ_CARD, operations.APPROVE_EXPENSE])
def test_a_read_and_a_decision_are_no_commands(world: World, operation: Operation) -> None:
    with pytest.raises(TypeError, match=operation.name):
        run(world.actor("Ada"), operation, key=FormKey("k1"))
    assert not OutboundOperation.objects.filter(business=world.business).exists()


def test_what_changes_something_is_no_read(world: World, give: Give) -> None:
    card, ada = give(), world.actor("Ada")
    path: dict[str, Any] = {"path": {"id": card.remote_id}, "subject": card}
    with pytest.raises(TypeError, match="block_card"):
        read_live(ada, operations.BLOCK_CARD, **path)
    with pytest.raises(TypeError, match="block_card"):
        read_together(
            ada, {"it": ReadCall(operations.BLOCK_CARD, **path), "card": ReadCall(operations.READ_CARD, **path)}
        )
    assert changes(world) == []
