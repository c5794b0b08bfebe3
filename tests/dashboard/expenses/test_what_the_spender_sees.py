"""What made others look twice is theirs to know: of one's own expense there is nothing of risk, on the server."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict

from dashboard.conversation.dismissals import DISMISS, dismiss
from dashboard.decisions.desk_items import desk_item_of
from dashboard.lists.query import Query
from dashboard.mirror.models import Expense
from dashboard.pages.expenses.tables import EXPENSES
from tests.dashboard.pages.conftest import House

SIGNS = ("critical", "Why you", "If approved", "Checks", "Card-testing", "policy flag", 'class="flag')


def risky(house: House, who: str = "Carla", **given: Any) -> Expense:
    """An expense that everything speaks against."""
    payload = {
        "risk_notes": "Card-testing pattern: nine small uses before it", "policy_flags": ["LIMIT_EXCEEDED"],
        "receipt_required": True,
    }  # fmt: skip
    expense = house.expense(employee_id=house.employee_id(who), employee_name=who, merchant="Kiosk", risk=90, **given)
    expense.payload = payload
    expense.save()
    return expense


def seen(house: House, who: str, path: str) -> str:
    """A page as somebody of the cast is shown it."""
    answer = house.browser(who).get(house.address(path))
    assert answer.status_code == 200, path
    return answer.content.decode()


@pytest.mark.parametrize("who", ["Carla", "Rita", "Apollo"])
def test_the_spender_is_shown_nothing_of_risk_whatever_their_role(house: House, who: str) -> None:
    expense = risky(house, who)
    pages = [f"expenses/{expense.remote_id}/", f"conversation/expense/{expense.remote_id}/"]
    if who != "Carla":
        pages.append(f"approvals/expense/{expense.remote_id}/?show=others")
    for path in pages:
        body = seen(house, who, path)
        body = body[body.index("<main") : body.index("</main>")]
        for sign in SIGNS:
            assert sign not in body, (path, sign)
    item = desk_item_of(house.actor(who), expense)
    assert (item.level, item.risk, item.flags) == ("", 0, [])


def test_whoever_decides_is_shown_all_of_it(house: House) -> None:
    body = seen(house, "Apollo", f"expenses/{risky(house).remote_id}/")
    for sign in ("critical 90", "Checks", "Card-testing pattern"):
        assert sign in body, sign


def test_a_dismissed_flag_is_no_news_for_the_spender(house: House) -> None:
    expense = risky(house)
    actor = house.actor("Apollo")
    red = next(flag for flag in desk_item_of(actor, expense).flags if flag.red)
    dismiss(actor, "expense", expense, red.key, "Called Carla: it was a kiosk")
    assert "dismissed the flag" in seen(house, "Apollo", f"expenses/{expense.remote_id}/")
    own = seen(house, "Carla", f"expenses/{expense.remote_id}/")
    assert "dismissed" not in own
    assert "Called Carla" not in own
    assert DISMISS not in own


def test_the_lists_hold_back_the_risk_of_ones_own_rows(house: House) -> None:
    risky(house, "Rita", team_id="fleet")
    risky(house, "Carla", team_id="fleet")
    columns = "expenses/?cols=merchant,who,risk,amount"
    assert "critical 90" not in seen(house, "Carla", columns)
    assert seen(house, "Rita", columns).count("critical 90") == 1, "of Carla alone"
    others = seen(house, "Rita", "approvals/?show=others")
    assert "critical" not in others[others.index('id="rows"') : others.index("</tbody>")]


def test_a_file_of_the_list_holds_it_back_too(house: House) -> None:
    risky(house, "Rita", team_id="fleet")
    risky(house, "Carla", team_id="fleet")
    actor = house.actor("Rita")
    column = next(one for one in EXPENSES.columns if one.name == "risk")
    rows = Query.read(EXPENSES, QueryDict()).rows(actor).annotate(cell=column.in_file(actor))
    cells = dict(rows.values_list("employee_name", "cell"))
    assert cells == {"Rita": None, "Carla": 90}
