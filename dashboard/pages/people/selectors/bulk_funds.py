"""What is read of money for many people that is only planned: the people, and the plan anew with an amount and a wallet."""

from dataclasses import dataclass
from uuid import UUID

from dashboard.access.actor import Actor
from dashboard.bulk.actions import action_of
from dashboard.bulk.models import Batch
from dashboard.bulk.plans import plan, store_plan
from dashboard.bulk.results import own_batch
from dashboard.errors import NotFound
from dashboard.mirror.models import Employee
from dashboard.pages.people.services import FundsShare, MoveFunds


@dataclass(frozen=True, slots=True)
class PlannedFunds:
    """A planned bulk action on the money of these people, in their order; `action` has what was chosen before."""

    batch: Batch
    action: MoveFunds
    people: list[Employee]


def planned_funds(actor: Actor, batch_id: UUID) -> PlannedFunds:
    """One of the actor's own plans that was not begun yet; NotFound otherwise."""
    batch = own_batch(actor, batch_id)
    action = action_of(batch)
    if not batch.planned or batch.retry_of_id or not isinstance(action, MoveFunds):
        raise NotFound
    ids = list(batch.rows.order_by("number").values_list("remote_id", flat=True))
    visible = {person.remote_id: person for person in action.visible(actor, ids)}
    return PlannedFunds(batch, action, [visible[remote_id] for remote_id in ids if remote_id in visible])


def plan_funds(actor: Actor, planned_funds: PlannedFunds, share: FundsShare) -> Batch:
    """The same people, planned with this amount and wallet: stored as another plan, since what was shown stays as it was."""
    action, batch = MoveFunds(planned_funds.action.of, planned_funds.action.action, share), planned_funds.batch
    return store_plan(
        plan(actor, action, planned_funds.people), query=batch.query, whole=batch.whole,
        chosen=len(planned_funds.people) + batch.unseen,
    )  # fmt: skip
