"""A payout pays expenses back to the people who paid them, each once: chosen from the expenses, or named in a table."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.mirror.models import ApprovalRequest, Expense
from tests.dashboard.conftest import World
from tests.dashboard.expenses.conftest import brought
from tests.dashboard.expenses.conftest import spend as spent
from tests.dashboard.payouts.test_payouts import make, meant, only, page, post, signed_in, table, upstream
from tests.dashboard.payouts.test_sources import choose, draft_of, filled, shown

PHONE = {"channel": "MPESA_SEND_MONEY", "account": "0712 345 678"}


def approved(world: World, name: str = "Carla") -> Expense:
    """An expense of somebody that Rita approved."""
    row = spent(world, name)
    acting = {"X-Acting-Employee": world.employee("Apollo")["employee_id"]}
    world.send("POST", f"/expenses/approve/{row.remote_id}", {}, acting)
    return brought(world, row)


def typed(row: Expense, **given: str) -> dict[str, str]:
    return {f"{name}-{row.remote_id}": value for name, value in {**PHONE, **given}.items()}


def item_page(world: World, row: Expense, who: str = "Ada") -> str:
    answer = world.client(who).get(world.address(f"expenses/{row.remote_id}/"))
    assert answer.status_code == 200
    return str(answer.content.decode())


def test_chosen_expenses_of_a_person_are_one_payment_that_names_them(world: World) -> None:
    first, second, other = approved(world), approved(world), approved(world, "Rita")
    listed = shown(world, "expenses")
    for row in (first, second, other):
        assert row.transaction_ref in listed
    assert 'name="amount-' not in listed
    answer = choose(
        world, "expenses", first.remote_id, second.remote_id, other.remote_id, **typed(first), **typed(other)
    )
    assert answer.status_code == 200
    items = {row["receiver_name"]: row for row in draft_of(world, filled(answer))}
    carla, rita = items[first.employee_name], items[other.employee_name]
    assert set(carla["expense_ids"]) == {first.remote_id, second.remote_id}
    assert carla["amount_minor"] == first.amount_minor + second.amount_minor
    assert (rita["expense_ids"], rita["account"]) == ([other.remote_id], "254712345678")


def test_without_an_account_a_person_is_left_out_and_that_is_said(world: World) -> None:
    first, other = approved(world), approved(world, "Rita")
    alone = choose(world, "expenses", first.remote_id)
    assert alone.status_code == 422
    assert f"{first.employee_name}: say where it is paid" in alone.content.decode()
    both = choose(world, "expenses", first.remote_id, other.remote_id, **typed(other))
    assert f"Left out: {first.employee_name}: say where it is paid" in both.content.decode()
    assert first.transaction_ref not in filled(both)


def test_what_a_payout_pays_back_is_said_on_both_pages_and_not_offered_again(world: World) -> None:
    row = approved(world)
    assert "Reimbursement</h2>" not in item_page(world, row)
    [item] = draft_of(world, filled(choose(world, "expenses", row.remote_id, **typed(row))))
    assert item["expense_ids"] == [row.remote_id]
    payout = only(world)
    brought(world, row)
    text = item_page(world, row)
    assert (
        f'<a href="{world.address(f"payouts/{payout.remote_id}/")}">Payout {payout.ref}</a> is to pay it back' in text
    )
    # Who does not see payouts reads the number alone.
    own = item_page(world, row, "Carla")
    assert f"Payout {payout.ref} pays it back, or has done so." in own
    assert f"payouts/{payout.remote_id}/" not in own
    assert f'<a href="{world.address(f"expenses/{row.remote_id}/")}">{row.transaction_ref}</a>' in page(
        world, "Ada", f"{payout.remote_id}/"
    )
    assert row.transaction_ref not in shown(world, "expenses")
    ApprovalRequest.objects.filter(pk=payout.pk).update(status="COMPLETED")
    assert "has paid it back." in item_page(world, row)


def payback(row: Expense, *, expenses: str = "", amount: str = "") -> str:
    """A table whose only row pays an expense back."""
    cells = (
        row.employee_name, "MPESA_SEND_MONEY", "0712345678", "", "", amount or f"{row.amount_minor / 100:.2f}", "",
        expenses or row.transaction_ref,
    )  # fmt: skip
    return "receiver\tchannel\taccount\tbank\treference\tamount\tnote\texpenses\n" + "\t".join(cells)


def anyway(world: World, rows: str, **form: Any) -> Any:
    """What becomes of a table whose payment is a duplicate, once that is acknowledged."""
    answer = make(world, rows, **form)
    return make(world, rows, **form, meant=meant(answer)) if answer.status_code == 409 else answer


def test_a_second_payout_with_the_expense_is_refused_at_its_row(world: World) -> None:
    row = approved(world)
    assert make(world, payback(row)).status_code == 302
    payout = only(world)
    again = anyway(world, payback(row), name="Again")
    assert again.status_code == 422
    text = again.content.decode()
    assert f"The expense {row.transaction_ref} is paid back by the payout {payout.ref} already." in text
    assert 'name="cell-2-expenses"' in text
    assert ApprovalRequest.objects.filter(business=world.business, kind="payout").count() == 1
    # The same payments again are refused alike, by the row and its receiver.
    copied = post(world, "Ada", f"{payout.remote_id}/again")
    assert f"Row 1, {row.employee_name}: The expense {row.transaction_ref} is paid back" in copied.content.decode()


def test_a_cancelled_payout_leaves_the_expense_to_another(world: World) -> None:
    row = approved(world)
    assert make(world, payback(row)).status_code == 302
    first = only(world)
    assert post(world, "Ada", f"{first.remote_id}/cancel", reason="Wrong account").status_code == 302
    brought(world, row)
    assert "Reimbursement</h2>" not in item_page(world, row)
    assert row.transaction_ref in shown(world, "expenses")
    assert make(world, payback(row), name="Again").status_code == 302


@pytest.mark.parametrize(
    ("expenses", "sentence"),
    [
        ("EXP-NOBODY-KNOWS", "no expense EXP-NOBODY-KNOWS that you can see"),
        ("x" * 400, "no expense " + "x" * 40 + " that you can see"),
        ("<script>", "no expense &lt;script&gt; that you can see"),
    ],
)
def test_what_is_no_expense_is_said_at_its_cell_and_is_corrected_there(
    world: World, expenses: str, sentence: str
) -> None:
    row = approved(world)
    answer = make(world, payback(row, expenses=expenses))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert make(world, payback(row, expenses=expenses), **{"cell-2-expenses": row.transaction_ref}).status_code == 302
    [item] = upstream(world, only(world))["items"]
    assert item["expense_ids"] == [row.remote_id]


def test_more_than_the_expenses_cost_is_refused_at_the_amount(world: World) -> None:
    row = approved(world)
    answer = make(world, payback(row, amount=f"{row.amount_minor / 100 + 1000:.2f}"))
    assert answer.status_code == 422
    assert "It is more than its expenses come to" in answer.content.decode()


def test_a_table_without_expenses_has_no_column_for_them(world: World) -> None:
    answer = make(world, table("Nobody\t\t\t\t\t\t"))
    assert answer.status_code == 422
    assert "cell-2-expenses" not in answer.content.decode()


def test_who_makes_no_payouts_does_not_see_whose_expenses_there_are(world: World) -> None:
    row = approved(world)
    for who in ("Rita", "Carla", "Selma"):
        answer = signed_in(world, who).get(world.address("payouts/new/from/expenses/"))
        assert answer.status_code == 403
        assert row.transaction_ref not in answer.content.decode()
