"""What the home page shows of the newest expenses, from the copy."""

from dashboard.access.actor import Actor
from dashboard.decisions.items import EXPENSE_STATES
from dashboard.mirror.scopes import visible_expenses
from dashboard.times import day

RECENT = 6


def recent_of(actor: Actor) -> list[dict[str, str]]:
    """The newest expenses that one may see."""
    columns = ("remote_id", "merchant", "employee_name", "transaction_date", "status", "amount_text")
    rows = visible_expenses(actor).order_by("-transaction_date", "-id").values_list(*columns)[:RECENT]
    return [
        {
            "id": remote_id,
            "title": merchant or "Expense",
            "who": who,
            "date": day(when, actor.business),
            "state": EXPENSE_STATES.get(status, (status.capitalize(), ""))[0],
            "tone": EXPENSE_STATES.get(status, ("", ""))[1],
            "amount": amount,
        }
        for remote_id, merchant, who, when, status, amount in rows
    ]
