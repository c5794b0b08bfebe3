"""A rule is tried on the last 90 days before it is on: what it fits, what people did with that, and who takes it first."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from dashboard.audit.models import AuditEntry
from dashboard.categorisation.conditions import is_shadowed, sentence_of
from dashboard.categorisation.models import CategoryRule
from dashboard.categorisation.rules import RuleFields, change_rule, earlier_rules, move_up, problems_for, switch_on
from dashboard.categorisation.trials import try_rule
from dashboard.errors import NotAllowed, Rejected
from dashboard.mirror.models import Category, Expense, Origin, Vendor
from tests.dashboard.category_rules.conftest import put_on, unsaved, write
from tests.dashboard.pages.conftest import House
from tests.dashboard.uncategorised.conftest import choose, transaction


def test_the_trial_counts_what_people_did_and_names_what_they_filed_otherwise(house: House) -> None:
    choose(house, "Meals", 4, merchant="Java House")
    choose(house, "Travel", 2, merchant="java house")
    house.expense(merchant="Java House")
    house.expense(merchant="Java House", status="REJECTED")
    house.expense(merchant="Java House Karen")
    house.expense(merchant="Java House", transaction_date=timezone.now() - timedelta(days=95))
    transaction(house, counterparty="Java House")
    ada = house.actor("Ada")
    trial = try_rule(ada, write(ada, merchant="Java House"), [])
    assert (trial.matched, trial.uncategorised, trial.same, trial.otherwise, trial.by_rules) == (8, 2, 4, 2, 0)
    assert [example[3] for example in trial.examples] == ["Costs · Travel"] * 2
    page = house.browser("Apollo").get(house.address(f"category-rules/{trial.rule_id}/")).content.decode()
    assert all(f"/expenses/{example[1]}/" in page for example in trial.examples)
    assert Expense.objects.filter(business=house.business, subcategory_id="").count() == 4


def test_it_says_which_earlier_rule_takes_how_many_first(house: House) -> None:
    for merchant in ("Java House", "Java Express", "Naivas"):
        house.expense(merchant=merchant, amount_minor=50_000)
    ada = house.actor("Ada")
    first = put_on(ada, write(ada, merchant="Java House"))
    write(ada, merchant="Java Express")  # off: it takes nothing
    later = write(ada, text="java")
    trial = try_rule(ada, later, earlier_rules(later))
    assert (trial.matched, trial.by_earlier) == (2, [[first.pk, 1]])


@pytest.mark.parametrize(
    ("asked", "matched"),
    [
        ({"merchant": "shell"}, {"a"}),
        ({"text": "fuel"}, {"b"}),
        ({"card_id": "c1", "card_token": "tok"}, {"c"}),
        ({"vendor_id": "v", "vendor_name": "Shell"}, {"a"}),
        ({"currency": "KES", "least_minor": 5000}, {"b", "t"}),
        ({"currency": "KES", "least_minor": 100, "most_minor": 4000}, {"a"}),
        ({"currency": "USD"}, {"c"}),
        ({"text": "100%_"}, set()),
    ],
)
def test_each_condition_fits_what_it_says(house: House, asked: dict[str, object], matched: set[str]) -> None:
    house.expense(remote_id="a", merchant="Shell", amount_minor=1000)
    house.expense(remote_id="b", merchant="Total", amount_minor=5000, payload={"description": "Fuel for KDA"})
    house.expense(remote_id="c", merchant="AWS", amount_minor=10, currency="USD", payload={"card_vcn": "tok"})
    transaction(house, remote_id="t", direction="OUT", amount_minor=-7000, counterparty="Savanna Farms")
    ada = house.actor("Ada")
    trial = try_rule(ada, write(ada, **asked), [])  # type: ignore[arg-type]
    assert trial.matched == len(matched)
    choose_all = Expense.objects.filter(business=house.business)
    choose_all.update(subcategory_id="cat-travel", category_name="Travel", status="APPROVED")
    again = try_rule(ada, trial.rule, [])
    assert {example[1] for example in again.examples} == matched - {"t"}


def test_a_rule_that_was_not_tried_as_it_is_stays_off(house: House) -> None:
    ada = house.actor("Ada")
    rule = write(ada, merchant="Java House")
    with pytest.raises(Rejected, match="Try the rule"):
        switch_on(ada, rule)
    try_rule(ada, rule, [])
    change_rule(ada, rule, RuleFields("cat-travel", "Costs · Travel", merchant="Java House"))
    with pytest.raises(Rejected, match="Try the rule"):
        switch_on(ada, rule)
    rule.refresh_from_db()
    trial = try_rule(ada, rule, [])
    type(trial).objects.update(created_at=timezone.now() - timedelta(days=8))
    with pytest.raises(Rejected, match="Try the rule"):
        switch_on(ada, rule)
    put_on(ada, rule)
    line = AuditEntry.objects.filter(chain=house.business.pk).latest("id")
    assert line.sentence == "switched on the rule: If merchant is Java House, then Costs · Travel"
    assert line.user_id == house.people["Ada"].user_id
    # Saving it unchanged leaves it on; changing what it asks does not.
    change_rule(ada, rule, RuleFields("cat-travel", "Costs · Travel", merchant="Java House"))
    assert CategoryRule.objects.get(pk=rule.pk).is_on
    change_rule(ada, rule, RuleFields("cat-travel", "Costs · Travel", merchant="Java"))
    assert not CategoryRule.objects.get(pk=rule.pk).is_on


def test_saved_again_after_its_vendor_was_renamed_it_asks_for_the_new_name_and_is_tried_anew(house: House) -> None:
    ada, now = house.actor("Ada"), timezone.now()
    Vendor.objects.create(
        business=house.business, remote_id="v9", name="Old Ltd", status="ACTIVE", created_at=now, first_seen=now,
        last_seen=now, source=Origin.POLL,
    )  # fmt: skip
    rule = put_on(ada, write(ada, vendor_id="v9", vendor_name="Old Ltd"))
    change_rule(ada, rule, RuleFields("cat-meals", "Costs · Meals", vendor_id="v9", vendor_name="New Ltd"))
    rule.refresh_from_db()
    assert (rule.vendor_name, rule.is_on) == ("New Ltd", False)
    assert "vendor is New Ltd" in sentence_of(rule, house.business.locale)


def test_rules_that_can_never_file_are_named_and_stay_off(house: House) -> None:
    ada = house.actor("Ada")
    broad = put_on(ada, write(ada, text="java"))
    shadowed = write(ada, merchant="Java House")
    gone = write(ada, vendor_id="v9", vendor_name="Gone Ltd")
    closed = write(ada, card_id="c9", card_token="t", card_name="Old card")
    at_odds = write(ada, merchant="Java House", vendor_id="v9", vendor_name="Gone Ltd")
    problems = problems_for(ada, [broad, shadowed, gone, closed, at_odds])
    assert problems[broad.pk] == []
    assert problems[shadowed.pk] == ["It never gets to file anything: rule 1 before it fits all that it fits."]
    assert problems[gone.pk] == ["Its vendor is no longer active."]
    assert problems[closed.pk] == ["Its card is closed: no purchase is made with it any more."]
    assert "It can never match: its merchant and its vendor have different names." in problems[at_odds.pk]
    with pytest.raises(Rejected, match="rule 1 before it"):
        put_on(ada, shadowed)
    Category.objects.filter(business=house.business, remote_id="cat-meals").update(status="ARCHIVED")
    assert "Its category is archived or no longer exists." in problems_for(ada, [broad])[broad.pk]
    assert "rule 1 before it" in house.browser("Apollo").get(house.address("category-rules/")).content.decode()


def test_a_rule_that_moves_up_goes_first(house: House) -> None:
    ada = house.actor("Ada")
    first, second, third = (write(ada, merchant=name) for name in "ABC")
    assert move_up(ada, third)
    assert not move_up(ada, first)
    order = CategoryRule.objects.filter(business=house.business).order_by("position").values_list("merchant", flat=True)
    assert list(order) == ["A", "C", "B"]
    assert second.pk


def test_only_admins_change_rules_and_finance_reads_them(house: House) -> None:
    rule = write(house.actor("Ada"), merchant="Java House")
    for name, status in (("Carla", 403), ("Rita", 403), ("Apollo", 200), ("Ada", 200), ("Sam", 200)):
        assert house.browser(name).get(house.address("category-rules/")).status_code == status
    for verb in ("try", "on", "off", "up", "delete"):
        answer = house.browser("Apollo").post(house.address(f"category-rules/{rule.pk}/{verb}/"), {"key": "k"})
        assert answer.status_code == 403
    with pytest.raises(NotAllowed):
        write(house.actor("Apollo"), merchant="B")
    page = house.browser("Apollo").get(house.address(f"category-rules/{rule.pk}/")).content.decode()
    assert "Try on the last 90 days</button>" not in page


def test_the_way_in_the_browser_write_try_switch_on(house: House) -> None:
    house.expense(merchant="Java House")
    browser = house.browser("Ada")
    new = house.address("category-rules/new/")
    assert 'value="Java House"' in browser.get(f"{new}?merchant=Java+House").content.decode()
    answer = browser.post(new, {"merchant": "Java House", "category": "cat-meals", "key": "k"})
    rule = CategoryRule.objects.get(business=house.business)
    item = house.address(f"category-rules/{rule.pk}/")
    assert answer["Location"] == item
    refused = browser.post(f"{item}on/", {"key": "k"})
    assert refused.status_code in {400, 409, 422}
    assert "Try the rule on the last 90 days first." in refused.content.decode()
    assert "1" in browser.post(f"{item}try/", {"key": "k"}, follow=True).content.decode()
    page = browser.post(f"{item}on/", {"key": "k"}, follow=True).content.decode()
    assert "Rule switched on." in page
    assert "Rule switched off." in browser.post(f"{item}off/", {"key": "k"}, follow=True).content.decode()
    assert "Rule deleted." in browser.post(f"{item}delete/", {"key": "k"}, follow=True).content.decode()
    assert "No rules yet" in browser.get(house.address("category-rules/")).content.decode()


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({}, "Fill in at least one condition."),
        ({"merchant": "Java", "category": "none"}, "Select a valid choice"),
        ({"least": "100"}, "Choose the currency of the amounts."),
        ({"vendor": "nobody"}, "Select a valid choice"),
        ({"merchant": "x" * 301}, "300"),
        ({"least": "-1", "merchant": "A"}, "greater than or equal"),
    ],
)
def test_what_is_typed_wrong_stands_beside_its_field(house: House, typed: dict[str, str], said: str) -> None:
    answer = house.browser("Ada").post(
        house.address("category-rules/new/"), {"category": "cat-meals", "key": "k"} | typed
    )
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not CategoryRule.objects.filter(business=house.business).exists()


def test_a_list_of_many_rules_takes_as_many_queries_as_of_one(house: House) -> None:
    ada, browser, address = house.actor("Ada"), house.browser("Ada"), house.address("category-rules/")
    write(ada, merchant="A")
    browser.get(address)
    with CaptureQueriesContext(connection) as few:
        browser.get(address)
    for number in range(30):
        write(ada, merchant=f"Shop {number}")
    with CaptureQueriesContext(connection) as many:
        browser.get(address)
    assert len(many) == len(few)


NAMES = st.sampled_from(["", "Java", "Java House", "Shell"])
BOUNDS = st.one_of(st.none(), st.integers(0, 3))


@st.composite
def rules(draw: st.DrawFn) -> CategoryRule:
    currency = draw(st.sampled_from(["", "KES"]))
    return unsaved(
        merchant=draw(NAMES), text=draw(st.sampled_from(["", "java", "house"])), currency=currency,
        least_minor=draw(BOUNDS) if currency else None, most_minor=draw(BOUNDS) if currency else None,
    )  # fmt: skip


def fits(rule: CategoryRule, merchant: str, currency: str, minor: int) -> bool:
    """What the rule fits, said once more in Python."""
    return (
        (not rule.merchant or rule.merchant.casefold() == merchant.casefold())
        and rule.text in merchant.casefold()
        and rule.currency in ("", currency)
        and (rule.least_minor is None or minor >= rule.least_minor)
        and (rule.most_minor is None or minor <= rule.most_minor)
    )


@given(rules(), rules(), NAMES, st.sampled_from(["KES", "USD"]), st.integers(0, 4))
def test_what_a_shadowed_rule_fits_the_earlier_one_fits_too(
    rule: CategoryRule, earlier: CategoryRule, merchant: str, currency: str, minor: int
) -> None:
    if is_shadowed(rule, earlier) and fits(rule, merchant, currency, minor):
        assert fits(earlier, merchant, currency, minor)


def test_a_rule_is_one_sentence() -> None:
    rule = unsaved(merchant="Java", text="tea", currency="KES", least_minor=100_000, most_minor=250_000)
    assert sentence_of(rule, "en_KE").replace("\xa0", " ") == (
        "If merchant is Java and text contains “tea” and amount is KES 1,000.00 to KES 2,500.00, then Costs · Meals"
    )
