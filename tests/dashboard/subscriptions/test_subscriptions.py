"""Subscriptions: added, changed part by part, what was charged for one, proposals added, what needs attention; by whom."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils import timezone

from dashboard.audit.models import AuditEntry
from dashboard.mirror.models import Card, Employee, Subscription
from dashboard.pages.subscriptions import selectors
from dashboard.pages.subscriptions.presenters.subscriptions import charge_lines, proposal_rows
from dashboard.pages.subscriptions.selectors import attention_of
from dashboard.pages.subscriptions.services import add_proposals
from dashboard.schemas.expenses import Expense
from dashboard.schemas.subscriptions import Evidence, SubscriptionProposal
from tests.dashboard.cards.conftest import give_card
from tests.dashboard.conftest import World

NEW = {
    "name": "Drive", "vendor": "Cloud Co", "currency": "kes", "amount": "1,500.00", "billing_frequency": "MONTHLY",
    "limit": "", "employee_id": "", "card_id": "", "team_id": "", "subcategory_id": "",
}  # fmt: skip


def page(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode()).replace("\xa0", " ")


def words(answer: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page(answer)))


def add(world: World, who: str = "Ada", **more: str) -> Any:
    return world.client(who).post(world.address("subscriptions/new/"), NEW | more)


def added(world: World, **more: str) -> Subscription:
    answer = add(world, **more)
    assert answer.status_code == 302, page(answer)
    remote_id = answer["Location"].rstrip("/").rsplit("/", 1)[1]
    return Subscription.objects.get(business=world.business, remote_id=remote_id)


def upstream(world: World, row: Subscription) -> dict[str, Any]:
    rows = world.upstream("/subscriptions", limit=200)["docs"]
    return next(one for one in rows if one["_id"] == row.remote_id)


def change(world: World, row: Subscription, part: str, who: str = "Ada", **fields: str) -> Any:
    address = world.address(f"subscriptions/{row.remote_id}/change/{part}/")
    return world.client(who).post(address, {f"{part}-{name}": value for name, value in fields.items()})


def test_one_that_is_added_is_at_the_service_in_the_list_and_in_the_audit(world: World) -> None:
    row = added(world, employee_id=world.employee("Carla")["employee_id"], limit="2000")
    found = upstream(world, row)
    assert (found["amount_minor"], found["limit_minor"], found["currency"]) == (150_000, 200_000, "KES")
    assert "Drive" in page(world.client("Selma").get(world.address("subscriptions/")))
    item = page(world.client("Selma").get(world.address(f"subscriptions/{row.remote_id}/")))
    assert "KES 2,000.00" in item
    assert "Carla" in item
    assert AuditEntry.objects.filter(chain=world.business.pk, operation="create_subscription", outcome="DONE").exists()


def test_each_part_is_changed_at_the_service_and_here_at_once(world: World) -> None:
    row, team = added(world), world.made["teams"][0]["team_id"]
    category = world.made["categories"][0]["subcategories"][0]["subcategory_id"]
    person = world.employee("Rita")["employee_id"]
    assert change(world, row, "team", team_id=team).status_code == 302
    assert change(world, row, "owner", employee_id=person, card_id="").status_code == 302
    assert change(world, row, "limits", limit="3,000", billing_frequency="ANNUAL").status_code == 302
    assert change(world, row, "category", subcategory_id=category).status_code == 302
    found = upstream(world, row)
    assert (found["team_id"], found["employee_id"], found["subcategory_id"]) == (team, person, category)
    assert (found["limit_minor"], found["billing_frequency"]) == (300_000, "ANNUAL")
    row.refresh_from_db()
    assert (row.team_id, row.employee_id, row.limit_minor, row.subcategory_id) == (team, person, 300_000, category)
    assert change(world, row, "limits", limit="", billing_frequency="ANNUAL").status_code == 302
    assert change(world, row, "team", team_id="").status_code == 302
    found = upstream(world, row)
    assert (found["limit"], found["team_id"]) == (None, None)


@pytest.mark.parametrize(
    ("part", "field", "typed"),
    [
        ("team", "team_id", "nowhere"), ("owner", "employee_id", ""), ("owner", "card_id", "nowhere"),
        ("limits", "limit", "-1"), ("limits", "limit", "1e3"), ("limits", "billing_frequency", "DAILY"),
        ("category", "subcategory_id", ""),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_at_its_field(world: World, part: str, field: str, typed: str) -> None:
    row = added(world)
    answer = change(world, row, part, **{"billing_frequency": "MONTHLY", field: typed})
    assert answer.status_code == 422
    assert f'id="id_{part}-{field}_error"' in page(answer)
    assert upstream(world, row)["version"] == 1


@pytest.mark.parametrize(
    ("field", "typed"),
    [("name", "\u200b"), ("vendor", ""), ("amount", "0,5,0x"), ("amount", "٥"), ("currency", "KE"), ("limit", "-1")],
)
def test_a_new_one_that_is_wrong_is_refused_at_its_field(world: World, field: str, typed: str) -> None:
    answer = add(world, **{field: typed})
    assert answer.status_code == 422
    assert f'id="id_{field}_error"' in page(answer)
    assert world.upstream("/subscriptions")["docs"] == []


def test_the_same_vendor_twice_is_refused_in_words_and_nothing_typed_is_lost(world: World) -> None:
    added(world)
    answer = add(world, name="Other drive")
    assert answer.status_code == 409
    assert "Other drive" in page(answer)


def test_it_is_paused_and_resumed(world: World) -> None:
    row, ada = added(world), world.client("Ada")
    address = world.address(f"subscriptions/{row.remote_id}/status/")
    assert ada.post(address, {"to": "pause"}).status_code == 302
    assert upstream(world, row)["status"] == "PAUSED"
    assert "Resume subscription" in page(ada.get(world.address(f"subscriptions/{row.remote_id}/")))
    assert ada.post(address, {"to": "resume"}).status_code == 302
    assert upstream(world, row)["status"] == "ACTIVE"
    assert ada.post(address, {"to": "end"}).status_code == 404


def test_whoever_may_not_change_them_sees_no_form_and_is_refused(world: World) -> None:
    row = added(world, employee_id=world.employee("Rita")["employee_id"])
    for who in ("Rita", "Selma"):
        item = page(world.client(who).get(world.address(f"subscriptions/{row.remote_id}/")))
        assert "Pause subscription" not in item
        assert "Save team" not in item
        assert change(world, row, "team", who, team_id="").status_code == 403
        assert add(world, who).status_code == 403
        assert world.client(who).post(world.address("subscriptions/find/")).status_code == 403
    assert world.client("Carla").get(world.address("subscriptions/attention/")).status_code == 403
    assert upstream(world, row)["version"] == 1


def test_what_was_charged_stands_by_month_and_charge(world: World) -> None:
    world.sandbox(
        "swipe", employee_id=world.employee("Carla")["employee_id"], amount=1500, merchant="Cloud Co", settle=True
    )
    row = added(world)
    item = words(world.client("Ada").get(world.address(f"subscriptions/{row.remote_id}/")))
    assert "Charged in the last 12 months KES 1,500.00" in item
    assert "Charges" in item


def test_a_price_that_changed_is_marked(world: World) -> None:
    def expense(amount: str, days: int) -> Expense:
        at = datetime(2026, 6, 1, 9, tzinfo=UTC) - timedelta(days=days)
        return Expense.model_validate(
            {"_id": str(days), "amount": Decimal(amount), "currency": "KES", "transaction_date": at}
        )

    shown = charge_lines([expense("1800", 0), expense("1500", 30), expense("1500", 60)], world.actor("Ada"))
    assert [charge.before.replace("\xa0", " ") for charge in shown] == ["KES 1,500.00", "", ""]
    # The oldest of a page is compared with the first of the next one.
    shown = charge_lines([expense("1800", 0)], world.actor("Ada"), before=expense("1500", 30))
    assert [charge.before.replace("\xa0", " ") for charge in shown] == ["KES 1,500.00"]
    assert charge_lines([], world.actor("Ada"), before=None) == []


def test_every_charge_is_reached_a_page_after_the_other(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "MAX_CHARGES", 2)
    carla = world.employee("Carla")["employee_id"]
    for amount in (1100, 1200, 1300):
        world.sandbox("swipe", employee_id=carla, amount=amount, merchant="Cloud Co", settle=True)
    row, ada = added(world), world.client("Ada")
    address = world.address(f"subscriptions/{row.remote_id}/")
    newest = ada.get(address).content.decode()
    amounts = re.findall(r'<span class="fig">KES\xa0([\d,]+)', newest)
    assert len(amounts) == 2
    assert "Charges · 3" in newest
    assert newest.count("Price changed") == 2
    older = re.search(r'rel="next" href="[^"?]*(\?charges_after=[\w-]+)', newest)
    assert older is not None
    oldest = ada.get(address + older[1]).content.decode()
    amounts += re.findall(r'<span class="fig">KES\xa0([\d,]+)', oldest)
    assert sorted(amounts) == ["1,100", "1,200", "1,300"]
    assert 'rel="next"' not in oldest
    assert 'rel="prev"' in oldest
    assert "Price changed" not in oldest


def test_a_search_that_finds_nothing_says_so_and_adds_nothing(world: World) -> None:
    answer = world.client("Ada").post(world.address("subscriptions/find/"))
    assert "Nothing new was found" in page(answer)
    assert world.upstream("/subscriptions")["docs"] == []


def proposal(vendor: str, amount: str = "900") -> SubscriptionProposal:
    evidence = Evidence(
        charges=4, first_at=datetime(2026, 1, 5, tzinfo=UTC), last_at=datetime(2026, 4, 5, tzinfo=UTC),
        interval_days=Decimal("30.2"), interval_deviation=Decimal("0.03"), amount_deviation=Decimal("0.1"),
    )  # fmt: skip
    return SubscriptionProposal(
        name=vendor, vendor=vendor, amount=Decimal(amount), amount_minor=int(Decimal(amount) * 100), currency="KES",
        billing_frequency="MONTHLY", confidence=Decimal("0.82"), evidence=evidence,
    )  # fmt: skip


def test_a_proposal_says_its_evidence_in_words(world: World) -> None:
    [found] = proposal_rows([proposal("Figma")], world.actor("Ada"))
    assert found.evidence.replace("\xa0", " ") == (
        "4 charges from 5 Jan 2026 to 5 Apr 2026, 30 days apart, give or take 3 %; amounts within 10 %"
    )
    assert found.confidence.replace("\xa0", " ") == "82 %"


def test_those_that_were_chosen_are_added_once_and_what_is_refused_says_why(world: World) -> None:
    actor = world.actor("Ada")
    added(world, vendor="Figma", name="Figma")
    new, problems = add_proposals(actor, [proposal("Figma"), proposal("Notion")], key="one-form")
    assert new == ["Notion"]
    assert [problem.partition(":")[0] for problem in problems] == ["Figma"]
    again, _ = add_proposals(actor, [proposal("Notion")], key="one-form")
    assert again == ["Notion"]
    assert len(world.upstream("/subscriptions")["docs"]) == 2


def test_one_whose_answer_was_lost_is_not_said_to_be_absent(proxied_world: World) -> None:
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("lost reply", method="POST", path="/subscriptions/create")
    new, problems = add_proposals(proxied_world.actor("Ada"), [proposal("Notion")], key="one-form")
    proxied_world.proxy.heal()
    assert [row["name"] for row in proxied_world.upstream("/subscriptions")["docs"]] == ["Notion"]
    assert new == []
    assert "no answer came back" in problems[0]
    assert not re.search(r"not added|nothing was", problems[0], re.IGNORECASE)


def test_what_may_be_paid_for_unused_is_listed_with_the_reason(world: World) -> None:
    carla, ada = world.employee("Carla")["employee_id"], world.actor("Ada")
    fine = added(world, vendor="Fine", employee_id=carla)
    left, orphan, quiet = (
        added(world, vendor=name, name=name, employee_id=carla) for name in ("Left", "Orphan", "Quiet")
    )
    Subscription.objects.filter(pk=fine.pk).update(last_charge_at=timezone.now() - timedelta(days=40))
    Subscription.objects.filter(pk=left.pk).update(employee_id=world.employee("Rita")["employee_id"])
    Employee.objects.filter(business=world.business, remote_id=world.employee("Rita")["employee_id"]).update(
        status="SUSPENDED"
    )
    Subscription.objects.filter(pk=orphan.pk).update(employee_id="")
    Subscription.objects.filter(pk=quiet.pk).update(last_charge_at=timezone.now() - timedelta(days=70))
    never, new = (added(world, vendor=name, name=name, employee_id=carla) for name in ("Never", "New"))
    for row, days in ((never, 70), (new, 50)):
        created = (timezone.now() - timedelta(days=days)).isoformat().replace("+00:00", "Z")
        Subscription.objects.filter(pk=row.pk).update(
            last_charge_at=None, payload={**row.payload, "createdAt": created}
        )
    reasons = {found.row.name: "; ".join(found.reasons) for found in attention_of(ada)[0]}
    assert reasons["Left"] == "Its owner is no longer active"
    assert reasons["Orphan"] == "Nobody owns it"
    assert reasons["Quiet"].startswith("Not charged since ")
    assert reasons["Never"].startswith("Never charged since it was added on ")
    assert set(reasons) == {"Left", "Orphan", "Quiet", "Never"}
    shown = words(world.client("Ada").get(world.address("subscriptions/attention/")))
    assert "Its owner is no longer active" in shown


def test_a_blocked_card_is_a_reason(world: World) -> None:
    card = give_card(world)
    row = added(world, employee_id=card.employee_id)
    assert change(world, row, "owner", employee_id=card.employee_id, card_id=card.remote_id).status_code == 302
    assert attention_of(world.actor("Ada")) == ([], True)
    Card.objects.filter(pk=card.pk).update(status="BLOCKED")
    assert [found.reasons for found in attention_of(world.actor("Ada"))[0]] == [["Its card is blocked"]]


def test_without_the_service_what_could_not_be_read_is_named(proxied_world: World) -> None:
    row = added(proxied_world)
    assert proxied_world.proxy is not None
    proxied_world.proxy.fail("500", path="/v2/subscriptions")
    item = words(proxied_world.client("Ada").get(proxied_world.address(f"subscriptions/{row.remote_id}/")))
    assert "The charges and the amount spent could not be read." in item
    assert "No charges in these months" not in item
