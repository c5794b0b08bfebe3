"""Subcategories moved to another category after their plan was seen; what uses one, and what keeps it from being deleted."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.categorisation.models import CategoryRule
from dashboard.journal_exports.models import Mapping
from dashboard.mirror.apply import upsert
from dashboard.mirror.category_labels import relabel_expenses
from dashboard.mirror.category_sums import sums_by_category
from dashboard.mirror.models import Category, Expense, Origin, Transaction
from dashboard.pages.categories.presenters.moves import plan_digest
from dashboard.proposals.apply import apply_proposal
from dashboard.proposals.models import FourEyes, Proposal, ProposalState
from dashboard.proposals.targets import read_move
from tests.dashboard.categories.test_chart import made, names, page, upstream, with_subcategory
from tests.dashboard.conftest import World
from tests.dashboard.treasury.test_exchange import proven


def used(world: World) -> tuple[str, str, Expense]:
    """The category, a subcategory of it and an expense that is filed there."""
    world.sandbox("expenses", count=1)
    world.sync("hot")
    expense = Expense.objects.filter(business=world.business).exclude(subcategory_id="").first()
    assert expense is not None
    parent = Category.objects.get(business=world.business, remote_id=expense.subcategory_id).category_id
    return parent, expense.subcategory_id, expense


def show(world: World, rows: list[str], to: str, **more: str) -> Any:
    return world.client("Ada").get(world.address("categories/move/"), {"row": rows, "to": to, **more})


def seen(body: str) -> str:
    [digest] = re.findall(r'name="seen" value="(\w+)"', body)
    return str(digest)


def move(world: World, rows: list[str], to: str, digest: str, person: str = "Ada") -> Any:
    return proven(world, person).post(world.address("categories/move/"), {"row": rows, "to": to, "seen": digest})


def test_a_move_is_seen_first_and_then_counted_in_the_other_category_everywhere(world: World) -> None:
    parent, row, expense = used(world)
    name, target = Category.objects.get(business=world.business, remote_id=row).name, made(world)["_id"]
    rule = CategoryRule.objects.create(
        business=world.business, position=1, merchant="Shell", subcategory_id=row, category_label=expense.category_name
    )
    Mapping.objects.create(business=world.business, source="category", source_id=row, code="4711")
    listed = page(world.client("Ada").get(world.address(f"categories/{parent}/")))
    assert f'form="move" name="row" value="{row}"' in listed
    assert "Show what changes" in page(show(world, [row], ""))
    plan = page(show(world, [row], target))
    assert re.search(r"1 expense</a>, <a[^>]*>1 transaction</a>, 1 rule, the accountant.s account 4711", plan)
    assert "Move 1 subcategory" in plan
    answer = move(world, [row], target, seen(plan))
    assert answer.status_code == 302, page(answer)
    assert any(child["_id"] == row for child in upstream(world, target)["subcategories"])
    assert AuditEntry.objects.filter(chain=world.business.pk, sentence=f"moved {name} into Fleet costs").exists()
    # Without reading anything again: the choices, the rules, and, by a worker, the expenses.
    assert f"Fleet costs · {name}" in names(world)
    assert relabel_expenses(world.business) >= 1
    assert relabel_expenses(world.business) == 0
    expense.refresh_from_db()
    rule.refresh_from_db()
    assert (expense.category_name, rule.category_label) == (f"Fleet costs · {name}",) * 2
    category_id = Category.objects.get(business=world.business, remote_id=row).category_id
    assert category_id == target
    assert expense.remote_id in page(world.client("Ada").get(world.address(f"expenses/?category={target}")))


def test_what_changed_after_it_was_seen_is_looked_at_again(world: World) -> None:
    _, row = with_subcategory(world)
    target = made(world, "Vehicles", code="VEHICLES")["_id"]
    plan = page(show(world, [row["_id"]], target))
    world.send("PUT", f"/categories/{target}", {"name": "Cars"})
    answer = move(world, [row["_id"]], target, seen(plan))
    assert answer.status_code == 409
    assert "Nothing was moved: look again" in page(answer)
    assert upstream(world, target)["subcategories"] == []
    assert move(world, [row["_id"]], target, seen(page(answer))).status_code == 302


def test_what_cannot_move_says_why_in_the_plan_and_when_it_is_moved_all_the_same(world: World) -> None:
    _, row = with_subcategory(world)
    target = made(world, "Vehicles", code="VEHICLES")["_id"]
    world.send("POST", f"/categories/{target}/subcategories", {"name": "tyres", "code": "T-1"})
    plan = page(show(world, [row["_id"]], target))
    assert "Vehicles has a subcategory Tyres: rename one of them first." in plan
    answer = move(world, [row["_id"]], target, seen(plan))
    assert answer.status_code == 409
    assert page(answer).count("rename one of them first") == 2
    assert len(upstream(world, target)["subcategories"]) == 1


def guarded(world: World, category_id: str) -> None:
    """A policy on the category, in a business that asks for a second admin."""
    world.send(
        "PUT", "/business-policies/category-policies", {"type": "CATEGORY", "target": category_id, "action": "BLOCK"},
        headers={"X-Acting-Employee": world.employee("Ada")["employee_id"]},
    )  # fmt: skip
    FourEyes.objects.create(business=world.business, is_on=True)


@pytest.mark.parametrize("of", ["source", "target"])
def test_where_a_policy_counts_what_moves_a_second_admin_confirms_it(world: World, of: str) -> None:
    parent, row = with_subcategory(world)
    target = made(world, "Vehicles", code="VEHICLES")["_id"]
    guarded(world, parent["_id"] if of == "source" else target)
    plan = page(show(world, [row["_id"]], target))
    assert "Propose to move 1 subcategory" in plan
    answer = move(world, [row["_id"]], target, seen(plan))
    proposal = Proposal.objects.get(business=world.business)
    assert answer["Location"].endswith(f"proposals/{proposal.pk}/")
    assert upstream(world, target)["subcategories"] == []
    assert proposal.headline == f"{row['name']} into Vehicles: Out of {parent['name']}: {row['name']}"
    shown = page(world.client("Abel").get(world.address(f"wallet-policies/proposals/{proposal.pk}/")))
    assert ("No longer counts it" if of == "source" else "Counts it from now on") in shown
    assert "View category" in shown
    confirm = world.address(f"wallet-policies/proposals/{proposal.pk}/confirm/")
    assert proven(world, "Ada").post(confirm).status_code == 403
    assert proven(world, "Abel").post(confirm).status_code in {200, 302}
    apply_proposal(proposal.pk)
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.APPLIED, proposal.outcome
    assert [child["_id"] for child in upstream(world, target)["subcategories"]] == [row["_id"]]
    assert Category.objects.get(business=world.business, remote_id=row["_id"]).category_id == target


def test_what_changed_after_a_move_was_proposed_ends_it(world: World) -> None:
    parent, row = with_subcategory(world)
    target = made(world, "Vehicles", code="VEHICLES")["_id"]
    guarded(world, parent["_id"])
    move(world, [row["_id"]], target, seen(page(show(world, [row["_id"]], target))))
    proposal = Proposal.objects.get(business=world.business)
    world.send("PUT", f"/categories/{target}", {"name": "Cars"})
    proven(world, "Abel").post(world.address(f"wallet-policies/proposals/{proposal.pk}/confirm/"))
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.STALE
    assert upstream(world, target)["subcategories"] == []


def test_without_a_policy_there_one_admin_moves_it_at_once(world: World) -> None:
    _, row = with_subcategory(world)
    target = made(world, "Vehicles", code="VEHICLES")["_id"]
    FourEyes.objects.create(business=world.business, is_on=True)
    plan = page(show(world, [row["_id"]], target))
    assert "Propose" not in plan
    assert move(world, [row["_id"]], target, seen(plan)).status_code == 302
    assert not Proposal.objects.filter(business=world.business).exists()
    assert len(upstream(world, target)["subcategories"]) == 1


def test_who_has_not_just_shown_that_it_is_them_does_so_before_anything_moves(world: World) -> None:
    _, row = with_subcategory(world)
    target = made(world, "Vehicles", code="VEHICLES")["_id"]
    form = {"row": [row["_id"]], "to": target, "seen": seen(page(show(world, [row["_id"]], target))), "key": "move-1"}
    ada = world.client("Ada")
    answer = ada.post(world.address("categories/move/"), form)
    assert answer.status_code == 302
    assert "reauthenticate" in answer["Location"]
    assert upstream(world, target)["subcategories"] == []
    assert not AuditEntry.objects.filter(chain=world.business.pk, operation="move_subcategories").exists()
    # The form waits unsent meanwhile, all of it.
    stored = ada.session["kept_form"]["fields"]
    assert ["row", row["_id"]] in stored
    assert ["seen", form["seen"]] in stored


def test_what_is_there_already_is_not_said_to_have_moved(world: World) -> None:
    parent, row = with_subcategory(world)
    target = made(world, "Vehicles", code="VEHICLES")["_id"]
    there = world.send("POST", f"/categories/{target}/subcategories", {"name": "Fuel cards", "code": "F-1"})
    rows = [row["_id"], str((there.json() if hasattr(there, "json") else there)["_id"])]
    digest = seen(page(show(world, rows, target)))
    address, form = world.address("categories/move/"), {"row": rows, "to": target, "seen": digest, "key": "move-1"}
    ada = proven(world, "Ada")
    shown = page(ada.post(address, form, follow=True))
    assert f"{row['name']} was moved to Vehicles." in shown
    assert "Fuel cards was" not in shown
    assert "Fuel cards, " not in shown
    # Moved back by somebody, the same form is not said to have moved it once more.
    back = page(show(world, [row["_id"]], parent["_id"]))
    move(world, [row["_id"]], parent["_id"], seen(back))
    again = page(ada.post(address, form, follow=True))
    assert "was moved to Vehicles" not in again
    assert f"Not in Vehicles: {row['name']}." in again
    lines = AuditEntry.objects.filter(chain=world.business.pk, sentence=f"moved {row['name']} into Vehicles")
    assert lines.filter(outcome="DONE").count() == 1
    digest = seen_in_plan(world, [rows[1]], target)
    assert "Nothing was moved: all of it is in Vehicles already." in page(
        ada.post(address, {"row": [rows[1]], "to": target, "seen": digest, "key": "move-2"}, follow=True)
    )


def seen_in_plan(world: World, rows: list[str], target: str) -> str:
    """What the page would compare, of a plan in which nothing moves and which has no form."""
    actor = world.actor("Ada")
    return plan_digest(read_move(actor, target, rows))


def test_a_category_that_cannot_be_moved_into_is_told_beside_the_choice(world: World) -> None:
    _, row = with_subcategory(world)
    target = made(world, "Vehicles", code="VEHICLES")["_id"]
    digest = seen(page(show(world, [row["_id"]], target)))
    world.send("PUT", f"/categories/{target}", {"status": "ARCHIVED"})
    answer = move(world, [row["_id"]], target, digest)
    assert answer.status_code == 422
    assert "is not one of the available choices" in page(answer)


@pytest.mark.parametrize(("rows", "to"), [([], "x"), (["0192f0c0ffee000012345678"], ""), ([], "")])
def test_nothing_chosen_and_what_is_not_there_is_told(world: World, rows: list[str], to: str) -> None:
    answer = move(world, rows, to, "")
    assert answer.status_code == 422
    assert re.search("Tick the subcategories|not in the chart any more", page(answer))


@pytest.mark.parametrize("person", ["Apollo", "Rita", "Carla"])
def test_only_who_configures_moves_and_sees_what_uses_one(world: World, person: str) -> None:
    category, row = with_subcategory(world)
    client = world.client(person)
    assert client.get(world.address("categories/move/"), {"row": row["_id"]}).status_code == 403
    assert client.get(world.address(f"categories/{category['_id']}/uses/")).status_code == 403
    assert "Move to another category" not in page(client.get(world.address(f"categories/{category['_id']}/")))


def test_a_refused_deletion_leads_to_exactly_what_uses_it(world: World) -> None:
    parent, row, expense = used(world)
    ada = world.client("Ada")
    shown = page(ada.post(world.address(f"categories/{parent}/{row}/delete/"), follow=True))
    assert "in use: 1 expense, 1 transaction" in shown
    uses = world.address(f"categories/{parent}/{row}/uses/")
    assert f'href="{uses}?kind=expense"' in shown
    listed = page(ada.get(uses, {"kind": "expense"}))
    assert re.findall(r'/expenses/(\w+)/"><bdi>', listed) == [expense.remote_id]
    assert "Archive subcategory" in listed
    assert "1 expense" in page(ada.get(world.address(f"categories/{parent}/uses/")))
    assert 'id="rows"' not in page(ada.get(uses, {"kind": "nothing"}))


def test_a_rule_keeps_its_category_from_being_deleted(world: World) -> None:
    category, row = with_subcategory(world)
    rule = CategoryRule.objects.create(
        business=world.business, position=1, merchant="Shell", subcategory_id=row["_id"], category_label="x"
    )
    for address in (f"categories/{category['_id']}/{row['_id']}/delete/", f"categories/{category['_id']}/delete/"):
        shown = page(world.client("Ada").post(world.address(address), follow=True))
        assert "a rule files under it" in shown
        assert world.address(f"category-rules/{rule.pk}/") in shown or f"rules/{rule.pk}/" in shown
    assert len(upstream(world, category["_id"])["subcategories"]) == 1


def test_a_split_expense_is_called_by_what_its_categories_are_called_now(world: World) -> None:
    _, row, expense = used(world)
    other = Category.objects.filter(business=world.business).exclude(remote_id=row).first()
    assert other is not None
    parts = [
        {"subcategory_id": row, "name": "Old", "category_name": "Old", "amount_minor": 1},
        {"subcategory_id": other.remote_id, "name": other.name, "category_name": "Old", "amount_minor": 2},
    ]
    Expense.objects.filter(pk=expense.pk).update(part_count=2, payload={**expense.payload, "parts": parts})
    moved = {"_id": row, "name": "Petrol", "code": "P", "status": "ACTIVE", "category": {"_id": "c", "name": "Fleet"}}
    upsert("category", world.business, [{**moved, "version": 99, "updatedAt": timezone.now().isoformat()}], Origin.POLL)
    assert relabel_expenses(world.business) >= 1
    expense.refresh_from_db()
    assert expense.category_name == "Fleet · Petrol and 1 more"
    sums = {total.category: total.minor for total in sums_by_category(Expense.objects.filter(pk=expense.pk))}
    assert sums == {"Fleet · Petrol": 1, f"{other.category_name} · {other.name}": 2}


def test_a_transaction_is_called_by_what_its_subcategory_is_called_now(world: World) -> None:
    _, row, _ = used(world)
    rows = [entry for entry in world.upstream("/transactions", limit=50)["docs"] if entry.get("subcategory")]
    filed = [entry for entry in rows if entry["subcategory"]["_id"] == row]
    assert filed
    upsert("transaction", world.business, filed, Origin.POLL)
    relabel_expenses(world.business)
    renamed = {"_id": row, "name": "Petrol", "code": "P", "status": "ACTIVE", "category": {"_id": "c", "name": "Fleet"}}
    upsert(
        "category", world.business, [{**renamed, "version": 99, "updatedAt": timezone.now().isoformat()}], Origin.POLL
    )
    assert relabel_expenses(world.business) >= 2
    named = Transaction.objects.filter(business=world.business, remote_id__in=[entry["_id"] for entry in filed])
    assert set(named.values_list("category_name", flat=True)) == {"Petrol"}
    assert relabel_expenses(world.business) == 0
