"""Who operates a fund account: who was named, what still waits for another admin, and the form that names a new set.

Naming and confirming are never about oneself (decisions F.4): one's own seat is shown and stays as it is.
"""

from dataclasses import dataclass
from typing import Any

from django.db.models import Case, IntegerField, Value, When
from django.http import QueryDict

from dashboard import operations, operations_extra
from dashboard.access.actor import Actor
from dashboard.access.check import Verdict, can
from dashboard.audit.models import AuditEntry, Outcome
from dashboard.commands.investments import about, operators_of
from dashboard.errors import FinanceError
from dashboard.mirror.models import FundAccount
from dashboard.mirror.scopes import visible_employees
from dashboard.pages.investments.forms import OperatorsForm
from dashboard.schemas.investments import Operator, Operators

MOST_PEOPLE = 200


@dataclass(frozen=True)
class Seat:
    """An operator as the page shows them: what they may do by now, and what waits for whom.

    `may` and `named` are verbs ("invest and withdraw"); `named` is empty where nothing waits. `confirm` says whether
    the actor confirms it, None where nothing waits or it is not known who named them.
    """

    employee_id: str
    name: str
    may: str
    named: str = ""
    named_by: str = ""
    confirm: Verdict | None = None


def current(actor: Actor, found: FundAccount) -> Operators | None:
    """The operators of now with their version, for those who name or confirm them; None without an answer."""
    if not can(actor, operations.REPLACE_TREASURY_OPERATORS, about(found)):
        return None
    try:
        return operators_of(actor, found)
    except FinanceError:
        return None


def seats(actor: Actor, found: FundAccount, now: Operators | None) -> list[Seat]:
    """Everybody who was named: of now, or of the copy, in which nothing is confirmed."""
    if now is None:
        return [_copied(one) for one in found.operators]
    named_by = {one.named_by for one in now.operators if one.named_by}
    names = dict(visible_employees(actor).filter(remote_id__in=named_by).values_list("remote_id", "name"))
    return [_seat(actor, found, one, names) for one in now.operators]


def _copied(one: dict[str, Any]) -> Seat:
    may = _verbs(one.get("may_invest", one["can_invest"]), one.get("may_withdraw", one["can_withdraw"]))
    named = _verbs(one["can_invest"], one["can_withdraw"]) if one.get("waits") else ""
    return Seat(one["employee_id"], one["name"], may if one.get("counts", True) else "", named)


def _seat(actor: Actor, found: FundAccount, one: Operator, names: dict[str, str]) -> Seat:
    waits = one.status == "PENDING"
    invest = one.can_invest if one.may_invest is None else one.may_invest
    withdraw = one.can_withdraw if one.may_withdraw is None else one.may_withdraw
    may = _verbs(invest, withdraw) if one.confirmed_at or not waits else ""
    if not waits:
        return Seat(one.employee_id, one.name, may)
    by = one.named_by or ""
    verdict = None
    if by:
        verdict = can(actor, operations_extra.CONFIRM_TREASURY_OPERATOR, about(found, one.employee_id, by))
    return Seat(one.employee_id, one.name, may, _verbs(one.can_invest, one.can_withdraw), names.get(by, by), verdict)


def _verbs(invest: bool, withdraw: bool) -> str:
    return " and ".join(verb for verb, may in (("invest", invest), ("withdraw", withdraw)) if may) or "view"


def operators_form(
    actor: Actor, found: FundAccount, now: Operators | None, given: QueryDict | None = None
) -> OperatorsForm | None:
    """The form with those who operate it now, or with what was chosen; None for who may not, or without an answer."""
    if not can(actor, operations.REPLACE_TREASURY_OPERATORS, about(found)):
        return None
    if given is not None:
        return OperatorsForm(given, people=_people(actor, [*given.getlist("invest"), *given.getlist("withdraw")]))
    if now is None:
        return None
    chosen = {
        "invest": [one.employee_id for one in now.operators if one.can_invest],
        "withdraw": [one.employee_id for one in now.operators if one.can_withdraw],
    }
    listed = _people(actor, [one.employee_id for one in now.operators])
    return OperatorsForm(people=listed, initial=chosen | {"version": now.version})


def _people(actor: Actor, chosen: list[str]) -> list[tuple[str, str]]:
    """Who may be chosen, those who are first: however many people there are, replacing the set drops nobody unseen.

    The actor is not among them: nobody names themselves.
    """
    ids = [one for one in chosen if one.isalnum()]
    first = Case(When(remote_id__in=ids, then=Value(0)), default=Value(1), output_field=IntegerField())
    rows = visible_employees(actor).filter(status="ACTIVE").exclude(remote_id=actor.employee_id)
    return list(rows.order_by(first, "sort_name", "pk").values_list("remote_id", "name")[:MOST_PEOPLE])


def overtaken(actor: Actor, found: FundAccount, given: QueryDict) -> OperatorsForm | None:
    """What was chosen stays, with who operates it by now and who changed that: sent again, it is meant."""
    try:
        now = operators_of(actor, found)
    except FinanceError:
        form = operators_form(actor, found, None, given)
        said = "Somebody replaced the operators since you looked, so nothing was done. Reload the page to see them."
    else:
        fresh = given.copy()
        fresh["version"] = str(now.version)
        form = operators_form(actor, found, now, fresh)
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
