"""Tags in bulk, on expenses and on what they stand behind, and undone: a tag or a category goes back to what it was, and
what somebody changed since stays."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.bulk.models import Batch
from dashboard.lists.registry import REGISTRY
from dashboard.mirror.apply import upsert_expenses
from dashboard.mirror.models import Category, Expense, Transaction
from tests.dashboard.bulk.conftest import batch_page, plan, planned
from tests.dashboard.bulk.test_lists import carried_out, spent
from tests.dashboard.conftest import World


def tagged(world: World, remote_id: str) -> list[str]:
    docs = world.upstream("/expenses", limit=100)["docs"]
    return list(next(row["tag"] for row in docs if row["_id"] == remote_id))


def with_tags(world: World, *names: str) -> None:
    for name in names:
        world.send("POST", "/expenses/tags", {"name": name})


def give(world: World, remote_id: str, *names: str) -> None:
    row = world.send("PUT", f"/expenses/{remote_id}/tags", {"tags": list(names)})
    upsert_expenses(world.business, [row], "FEED")


def undo(world: World, who: str, batch: Batch) -> Any:
    return world.client(who).post(world.address(f"bulk/{batch.pk}/undo/"))


def undo_plan(world: World, who: str, batch: Batch) -> Batch:
    answer = undo(world, who, batch)
    assert answer.status_code == 302
    return Batch.objects.get(pk=answer["Location"].rstrip("/").rsplit("/", 1)[-1])


def test_a_tag_is_added_to_several_and_undone_only_where_it_was_new(world: World) -> None:
    with_tags(world, "Trip", "Client")
    rows = [row["_id"] for row in spent(world, "Carla", 3)]
    give(world, rows[0], "Trip")
    give(world, rows[1], "Client")
    batch = planned(world, "Ada", "expenses", "tag", ids=rows)
    refused = world.client("Ada").post(world.address(f"bulk/{batch.pk}/begin/"), {"given": "No such tag"})
    assert refused.status_code == 422
    carried_out(world, "Ada", batch, given="Trip")
    assert [tagged(world, remote_id) for remote_id in rows] == [["Trip"], ["Client", "Trip"], ["Trip"]]
    assert "Review undo" in batch_page(world, "Ada", batch)
    listed = world.client("Ada").get(world.address("expenses/?cols=tags")).content.decode()
    assert "Client, Trip" in listed
    again = undo_plan(world, "Ada", batch)
    assert sorted(again.rows.values_list("state", "why")) == [
        ("LEFT_OUT", "nothing to undo"), ("WAITING", ""), ("WAITING", "")
    ]  # fmt: skip
    carried_out(world, "Ada", again)
    assert [tagged(world, remote_id) for remote_id in rows] == [["Trip"], ["Client"], []]
    batch.refresh_from_db()
    assert "Review undo" not in batch_page(world, "Ada", batch)
    assert "View undo" in batch_page(world, "Ada", batch)
    # Undone once: the same form again plans nothing.
    assert undo_plan(world, "Ada", batch).pk == batch.pk


def test_a_tag_is_removed_and_given_back(world: World) -> None:
    with_tags(world, "Trip")
    rows = [row["_id"] for row in spent(world, "Carla", 2)]
    give(world, rows[0], "Trip")
    batch = planned(world, "Carla", "expenses", "untag", ids=rows)
    carried_out(world, "Carla", batch, given="Trip")
    assert [tagged(world, remote_id) for remote_id in rows] == [[], []]
    carried_out(world, "Carla", undo_plan(world, "Carla", batch))
    assert [tagged(world, remote_id) for remote_id in rows] == [["Trip"], []]


def test_only_what_one_sees_is_tagged_and_another_persons_batch_is_not_undone(world: World) -> None:
    with_tags(world, "Trip")
    mine, others = spent(world, "Carla", 1), spent(world, "Juma", 1)
    batch = planned(world, "Carla", "expenses", "tag", ids=[row["_id"] for row in mine + others])
    assert batch.rows.count() == 1
    carried_out(world, "Carla", batch, given="Trip")
    assert tagged(world, others[0]["_id"]) == []
    assert undo(world, "Ada", batch).status_code == 404
    assert plan(world, "Carla", "expenses", "undo:nothing", ids=[mine[0]["_id"]]).status_code == 422


def test_a_category_goes_back_to_what_it_was_unless_somebody_changed_it_since(world: World) -> None:
    first, second = Category.objects.filter(business=world.business, status="ACTIVE").order_by("name")[:2]
    rows = [row["_id"] for row in spent(world, "Carla", 3)]
    for remote_id in rows[:2]:
        body = {"subcategory_id": first.remote_id}
        done = world.send("POST", f"/expenses/changeSubCategory/{remote_id}", body)
        upsert_expenses(world.business, [done], "FEED")
    Expense.objects.filter(business=world.business, remote_id=rows[2]).update(subcategory_id="")
    batch = carried_out(world, "Ada", planned(world, "Ada", "expenses", "file", ids=rows), given=second.remote_id)
    done = world.send("POST", f"/expenses/changeSubCategory/{rows[1]}", {"subcategory_id": first.remote_id})
    upsert_expenses(world.business, [done], "FEED")
    again = undo_plan(world, "Ada", batch)
    assert dict(again.rows.values_list("remote_id", "why")) == {
        rows[0]: "", rows[1]: "categorised again since", rows[2]: "had no category before",
    }  # fmt: skip
    carried_out(world, "Ada", again)
    docs = {row["_id"]: row for row in world.upstream("/expenses", limit=100)["docs"]}
    assert docs[rows[0]]["subcategory"]["_id"] == first.remote_id
    assert docs[rows[2]]["subcategory"]["_id"] == second.remote_id


def test_a_transaction_is_tagged_by_the_expense_behind_it(world: World) -> None:
    with_tags(world, "Trip")
    expense_id = spent(world, "Carla", 1)[0]["_id"]
    rows = Transaction.objects.filter(business=world.business)
    topup = rows.filter(type="TOPUP")[0]
    Transaction.objects.create(
        business=world.business, remote_id="e" * 24, payload={}, payload_hash="-", source="POLL",
        first_seen=topup.first_seen, last_seen=topup.last_seen, type="EXPENSE", status="POSTED", direction="OUT",
        org_wallet_ref="1", currency="KES", amount_minor=-1, amount_text="-KES 0.01", occurred_at=topup.occurred_at,
        expense_id=expense_id,
    )  # fmt: skip
    batch = planned(world, "Ada", "transactions", "tag", ids=["e" * 24, topup.remote_id])
    assert "Only what an expense stands behind has tags." in batch_page(world, "Ada", batch)
    carried_out(world, "Ada", batch, given="Trip")
    assert tagged(world, expense_id) == ["Trip"]
    listed = world.client("Ada").get(world.address("transactions/?cols=tags")).content.decode()
    assert "Trip" in listed
    carried_out(world, "Ada", undo_plan(world, "Ada", batch))
    assert tagged(world, expense_id) == []


@pytest.mark.parametrize("list_name", ["expenses", "transactions"])
def test_tags_stand_in_the_file(world: World, list_name: str) -> None:
    of = REGISTRY[list_name].declared
    assert of is not None
    actor = world.actor("Ada")
    spent(world, "Carla", 1)
    column = next(column for column in of.columns if column.name == "tags")
    with_tags(world, "Trip", "Client")
    give(world, Expense.objects.filter(business=world.business)[0].remote_id, "Trip", "Client")
    values = set(of.with_computed(of.rows(actor), actor).values_list(column.in_file(actor), flat=True))
    assert values <= {"", None, "Trip, Client"}
    assert ("Trip, Client" in values) is (list_name == "expenses")


@pytest.mark.parametrize("chosen", ["ticked", "matching"])
def test_an_undo_is_planned_from_its_own_page_alone(world: World, chosen: str) -> None:
    rows = [row["_id"] for row in spent(world, "Carla", 1)]
    answer = plan(
        world, "Ada", "expenses", "undo:tag", ids=rows, **({"all": "matching"} if chosen == "matching" else {})
    )
    assert answer.status_code == 422
    assert "A bulk action is undone from its own page" in answer.content.decode()
    assert not Batch.objects.filter(business=world.business).exists()


def test_tags_are_removed_from_all_that_match(world: World) -> None:
    with_tags(world, "Trip")
    rows = [row["_id"] for row in spent(world, "Carla", 2)]
    give(world, rows[0], "Trip")
    answer = plan(world, "Carla", "expenses", "untag", all="matching")
    assert answer.status_code == 302
    batch = Batch.objects.get(business=world.business)
    assert set(batch.rows.filter(state="WAITING").values_list("remote_id", flat=True)) <= set(rows)
    assert batch.rows.get(remote_id=rows[0]).seen["was_tags"] == "Trip"
