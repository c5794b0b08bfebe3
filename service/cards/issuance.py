"""Making cards, changing what they may be used for, and giving a new one in the place of an old one."""

from django.db import transaction
from django.utils import timezone

from service import errors
from service.accounts.wallets import usable_wallet
from service.auth import Caller
from service.businesses.models import Employee
from service.cards import funding, hooks, orders, selectors, services
from service.cards.lifecycle import check_lifts, check_virtual
from service.cards.models import Card, CardStatus
from service.cards.schemas import CardChange, Controls, NewCard
from service.cards.services import carry_out
from service.cards.transitions import RETIRE
from service.events.audit import record_audit
from service.events.outbox import record_event
from service.respond import ColumnValue

REISSUED = "REISSUED"


def create(caller: Caller, new: NewCard) -> Card:
    """A new card, or for a physical one its order.

    Nobody makes one for themselves (403), and only an admin one that spends from a wallet of the business (403, 422
    without a limit over time); 422 for an employee who is not active, 404 for an unknown wallet, 409 for a closed one.
    """
    if caller.employee_id == new.employee_id:
        raise errors.self_approval_forbidden("Nobody makes a card for themselves.")
    with transaction.atomic():
        if (done := selectors.earlier_card(caller)) is not None:
            return done
        person = selectors.get_holder(caller, new.employee_id)
        paying = usable_wallet(caller.business, new.org_wallet_ref, locked=True)
        row = services.blank(caller, person, paying.org_wallet_ref, paying.currency, new.name)
        row.type, row.controls, row.funding = new.type, stored_controls(new.controls), new.funding
        funding.check(caller, row.funding, row.controls, set_now=True)
        if new.type == Card.Type.PHYSICAL:
            orders.place(caller, row, new.shipping)
        else:
            services.add_card(caller, row)
    return row


def stored_controls(card_controls: Controls, standing: Controls | None = None) -> dict[str, object]:
    """The controls as they are kept. 422 for a temporary rise that is over already, unless it stood there before."""
    rise = card_controls.temporary
    if rise is not None and rise.until <= timezone.now():
        if standing is None or standing.temporary != rise:
            raise errors.validation_failed("controls.temporary.until", "That moment is over.", "past")
        card_controls = card_controls.model_copy(update={"temporary": None})
    return card_controls.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def update(caller: Caller, card_id: str, change: CardChange) -> Card:
    """Changes name, controls or funding; 403 for the holder and for a funding that is an admin's to give, 422 where
    no limit bounds it, 409 for another version or a card that has ended."""
    with transaction.atomic():
        row = selectors.lock_card(caller, card_id)
        if caller.employee_id == row.employee_id:
            raise errors.self_approval_forbidden("Nobody changes the spending controls of their own card.")
        if change.version is not None and change.version != row.version:
            raise errors.concurrent_update()
        if row.status in (CardStatus.RETIRED, CardStatus.EXPIRED, CardStatus.REJECTED):
            raise errors.invalid_state(f"The card is {row.status}: there is nothing to change any more.")
        before: dict[str, ColumnValue] = {}
        if change.name is not None and change.name != row.name:
            before["name"], row.name = row.name, change.name
        if change.controls is not None:
            controls = stored_controls(change.controls, Controls.model_validate(row.controls))
            if controls != row.controls:
                before["controls"], row.controls = row.controls, controls
        if change.funding is not None and change.funding != row.funding:
            before["funding"], row.funding = row.funding, change.funding
        if before:
            funding.check(caller, row.funding, row.controls, set_now="funding" in before)
            services.save_card(caller, row, "card.updated", "card.update", before)
    return row


def reissue(caller: Caller, card_id: str, reason: str = "") -> Card:
    """A new virtual card with the same controls in the place of an old one, which is retired with it.

    What was spent with the old one counts on: the limits of the new one are what remains of them. Money that is held
    stays held for the old one; funding and subscriptions pass over to the new one. 403 for a card user whose own
    virtual card it is not, and for who could not lift the block of a blocked one; 409 for what is not virtual, has ended, or belongs to somebody who is not active.
    """
    with transaction.atomic():
        old = selectors.lock_card(caller, card_id)
        check_virtual(caller, old)
        if (done := selectors.earlier_card(caller)) is not None:
            return done
        if old.type != Card.Type.VIRTUAL:
            raise errors.invalid_state("Only virtual cards are reissued.")
        if old.status not in (CardStatus.ACTIVE, CardStatus.BLOCKED):
            raise errors.invalid_state(f"A card that is {old.status} cannot be reissued.")
        if old.employee.status != Employee.Status.ACTIVE:
            raise errors.invalid_state("Its holder's account is not active.")
        # A new card would be no longer blocked.
        check_lifts(caller, old)
        row = services.blank(caller, old.employee, old.org_wallet_ref, old.currency, old.name)
        row.controls, row.replaces, row.lineage = old.controls, old, old.lineage or old.id
        row.funding = old.funding
        carry_out(caller, old, RETIRE, reason=REISSUED, replaced_by=row.id)
        payload = services.add_card(caller, row)
        hooks.notify_ended(caller, old, row)
        record_event(caller.business, "card.reissued", payload, previous={"replaces": None}, actor=caller)
        record_audit(
            caller, "card.reissue", "card", row.id, {"replaces": old.id, "reason": reason}, {"status": row.status}
        )
    return row
