"""The cards of one employee, read from the service when somebody looks at the employee: those that are new too."""

from __future__ import annotations

from django.utils import timezone

from dashboard import operations
from dashboard.access.actor import Actor
from dashboard.client.page import Page, every_row, read_page
from dashboard.client.reads import read_live
from dashboard.errors import FinanceError
from dashboard.mirror.apply import upsert
from dashboard.mirror.models import Employee, Origin

READ_S = 2.0


def refresh_employee_cards(actor: Actor, employee: Employee) -> str:
    """Reads an employee's cards into the copy. Why the service does not give them, as a sentence; "" where it does.

    What the copy has of them stays where it does not answer.
    """
    began = timezone.now()

    def fetch(number: int, limit: int) -> Page:
        answer = read_live(
            actor, operations.LIST_EMPLOYEE_CARDS, path={"employeeId": employee.remote_id},
            query={"page": number, "limit": limit}, subject=employee, deadline=READ_S,
        )  # fmt: skip
        return read_page(answer.data)

    try:
        rows = list(every_row(fetch))
    except FinanceError as trouble:
        return trouble.user_message
    upsert("card", actor.business, rows, Origin.POLL, read_at=began)
    return ""
