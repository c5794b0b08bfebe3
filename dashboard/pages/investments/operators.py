"""Who operates a fund account: the form of a new set, and how things stand where somebody was faster."""

from typing import Any

from django.db.models import Case, IntegerField, Value, When
from django.http import QueryDict

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.access.check import can
from dashboard.access.scopes import visible_employees
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.client.errors import FinanceError
from dashboard.client.gateway import send
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import FundAccount, Source
from dashboard.pages.investments.forms import OperatorsForm

LIVE_S = 2.0
MOST_PEOPLE = 200


def operators_form(actor: Actor, found: FundAccount, given: QueryDict | None = None) -> OperatorsForm | None:
    """The form with those who operate it now, or with what was chosen; None for who may not, or without an answer."""
    if not can(actor, operations.REPLACE_TREASURY_OPERATORS, found):
        return None
    if given is not None:
        return OperatorsForm(given, people=_people(actor, [*given.getlist("invest"), *given.getlist("withdraw")]))
    try:
        told = _now(actor, found)
    except FinanceError:
        return None
    now = {
        name: [one["employee_id"] for one in told["operators"] if one[f"can_{name}"]] for name in ("invest", "withdraw")
    }
    people = _people(actor, [one["employee_id"] for one in told["operators"]])
    return OperatorsForm(people=people, initial=now | {"version": told["version"]})


def _people(actor: Actor, chosen: list[str]) -> list[tuple[str, str]]:
    """Who may be chosen, those who are first: however many people there are, replacing the set drops nobody unseen."""
    ids = [one for one in chosen if one.isalnum()]
    first = Case(When(remote_id__in=ids, then=Value(0)), default=Value(1), output_field=IntegerField())
    people = visible_employees(actor).filter(status="ACTIVE").order_by(first, "sort_name", "pk")
    return list(people.values_list("remote_id", "name")[:MOST_PEOPLE])


def _now(actor: Actor, found: FundAccount) -> Any:
    path = {"fundAccountId": found.remote_id}
    return send(actor, operations.READ_TREASURY_OPERATORS, path=path, subject=found, deadline=LIVE_S).data


def overtaken(actor: Actor, found: FundAccount, given: QueryDict) -> OperatorsForm | None:
    """What was chosen stays, with who operates it by now and who changed that: sent again, it is meant."""
    try:
        told = _now(actor, found)
    except FinanceError:
        form = operators_form(actor, found, given)
        said = "Somebody replaced the operators since you looked, so nothing was done. Reload the page to see them."
    else:
        upsert("fund_account", actor.business, [found.payload | {"operators": told["operators"]}], Source.POLL)
        found.refresh_from_db()
        fresh = given.copy()
        fresh["version"] = str(told["version"])
        form = operators_form(actor, found, fresh)
        said = (
            f"{_who(actor, found)} replaced the operators since you looked, so nothing was done. Above are those of now; "
            "what you chose is kept below, and takes their place if you send it again."
        )
    if form is not None:
        form.add_error(None, said)
    return form


def _who(actor: Actor, found: FundAccount) -> str:
    done = AuditEntry.objects.filter(
        chain=actor.business.pk, object_type="fund_account", object_id=found.remote_id, outcome=Outcome.DONE,
        operation=operations.REPLACE_TREASURY_OPERATORS.name,
    )  # fmt: skip
    last = done.order_by("-id").values_list("actor_name", flat=True).first()
    return last or "Somebody outside this dashboard"
