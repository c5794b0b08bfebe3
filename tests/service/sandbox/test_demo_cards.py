"""The demo's cards: what was spent with them is what their expenses say, as real uses would have left it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, get_args

import pytest
from django.db import connection
from django.db.models import Count, F, Max, Q, Sum

from service.auth import system_caller
from service.businesses.models import Business, Employee, Role
from service.cards import funding
from service.cards.authorizations import Swipe, authorize
from service.cards.models import Authorization, Capture, Card, CardStatus
from service.cards.schemas_controls import CardChannel
from service.cards.spend import balance_of, spend_of
from service.expenses.models import Expense, ExpenseStatus
from service.ids import object_id
from service.journal.models import Transaction
from service.ledger.invariants import breaches_seen_by
from service.money import to_minor
from service.sandbox import clock, demo, demo_cards
from service.sandbox.demo_plan import PLANS, ago, caller_of_role
from tests.service.sandbox.conftest import NOW, ON_ONE_WORKER

MONTH = datetime(2026, 2, 28, 21, 0, tzinfo=UTC)  # its beginning in Nairobi


pytestmark = ON_ONE_WORKER


@pytest.fixture(autouse=True)
def at_the_end_of_the_year() -> Iterator[None]:
    with clock.at(NOW):
        yield


def test_each_expense_with_a_card_is_one_use_that_was_taken(kifaru: Business) -> None:
    paid = Expense.objects.filter(business=kifaru).exclude(card_id="")
    captured = Capture.objects.filter(authorization__business=kifaru)
    assert set(captured.values_list("expense_id", flat=True)) == set(paid.values_list("id", flat=True))
    assert captured.count() == paid.count() > 200
    same = captured.filter(
        amount_minor=F("expense__amount_minor"),
        ledger_transaction_id=F("expense__ledger_transaction_id"),
        created_at=F("expense__transaction_date"),
        authorization__status=Authorization.Status.CAPTURED,
        authorization__card_id=F("expense__card_id"),
        authorization__expense_id=F("expense_id"),
        authorization__captured_minor=F("expense__amount_minor"),
        authorization__amount_minor=F("expense__amount_minor"),
        authorization__currency=F("expense__currency"),
        authorization__merchant=F("expense__receiver"),
        authorization__mcc=F("expense__mcc"),
        authorization__channel=F("expense__channel"),
        authorization__created_at=F("expense__transaction_date"),
        authorization__card__employee_id=F("expense__employee_id"),
        authorization__card__currency=F("expense__currency"),
    )
    assert same.count() == captured.count()
    assert set(paid.values_list("channel", flat=True)) <= set(get_args(CardChannel))


def test_a_use_of_the_history_looks_like_a_real_one(kifaru: Business) -> None:
    history = Authorization.objects.filter(business=kifaru, card__controls={}, ledger_hold_id=None)
    played = history.order_by("created_at")[0]
    real = authorize(system_caller(kifaru), played.card_id, Swipe(120_00, "Kahawa Corner", mcc="5812"))
    real.refresh_from_db()
    assert shape(played) == shape(real)


def shape(row: Authorization) -> dict[str, Any]:
    """What is the same for any use that was let through and taken at once."""
    assert row.expires_at is not None
    return {
        **{name: getattr(row, name) for name in ("status", "code", "checks", "merchant_id", "country", "version")},
        "lives": row.expires_at - row.created_at,
        "untouched": row.updated_at == row.created_at,
        "captures": row.captures.count(),
    }


def test_cards_say_what_was_spent_with_them(kifaru: Business) -> None:
    cards = list(Card.objects.filter(business=kifaru).select_related("business"))
    sums = Expense.objects.filter(business=kifaru).values("card_id")
    sums = sums.annotate(
        month=Sum("amount_minor", filter=Q(transaction_date__gte=MONTH), default=0), ever=Sum("amount_minor")
    )
    paid = {row["card_id"]: (row["month"], row["ever"]) for row in sums}
    said = spend_of(cards)
    for card in cards:
        _, month, ever = said[card.id]
        assert (to_minor(month, card.currency), to_minor(ever, card.currency)) == paid.get(card.id, (0, 0))
    # Money that was taken counts, whatever reviewers say of the expense afterwards.
    assert Authorization.objects.filter(business=kifaru, expense__status=ExpenseStatus.REJECTED).exists()


def test_gauges_stand_at_different_heights(kifaru: Business) -> None:
    caller, heights = system_caller(kifaru), []
    active = Card.objects.filter(business=kifaru, status=CardStatus.ACTIVE)
    used = {card_id for card_id, (_, month, _) in spend_of(list(active.select_related("business"))).items() if month}
    limited = by_month(active)
    for card in limited:
        (line,) = balance_of(caller, card, funding.paying(card))["limits"]
        assert len(str(card.controls["limits"][0]["amount"]).rstrip("0")) <= 3
        heights.append(round(100 * line["spent"] / line["amount"]))
    assert len(heights) >= 12
    others = [card for card in limited if card.funding == "ALLOCATION"]
    assert len(used) / 4 < len(others) <= len(used) / 2 + 1
    assert {
        card.id
        for card in active.filter(funding="BUSINESS_WALLET", id__in=used).exclude(
            employee=caller_of_role(kifaru, Role.ADMIN).employee
        )
    } <= {card.id for card in limited}, "each that spends a wallet says of how much"
    assert max(heights) <= 100
    bands = Counter(round(height / 10) for height in heights if height < 95)
    assert sum(bands[band] for band in (3, 6, 8, 9)) == len(heights) - 1
    assert all(bands[band] for band in (3, 6))
    assert bands[8] + bands[9]
    assert [height for height in heights if height > 95] == [pytest.approx(demo_cards.NEARLY_ALL, abs=1)]


def test_nothing_was_bought_beyond_what_the_card_allowed(kifaru: Business) -> None:
    cards = Card.objects.filter(business=kifaru).annotate(last=Max("authorizations__created_at"))
    since_known = {card.id for card in by_month(cards)} | set(
        cards.filter(status=CardStatus.BLOCKED).values_list("id", flat=True)
    )
    for card in cards.filter(id__in=since_known):
        assert card.last is None or card.last <= card.updated_at <= NOW
    for card in cards.filter(funding="BUSINESS_WALLET").exclude(id__in=since_known):
        (limit,) = card.controls["limits"]
        _, _, ever = spend_of([card])[card.id]
        assert to_minor(ever, card.currency) < limit["amount"]
    single = cards.filter(controls__has_key="per_transaction_limit").annotate(uses=Count("authorizations"))
    assert single.count() >= 3
    for card in single:
        since = card.authorizations.filter(created_at__gte=card.updated_at, status=Authorization.Status.CAPTURED)
        assert all(use.amount_minor <= card.controls["per_transaction_limit"] for use in since)


def test_where_every_card_paid_dearly_any_is_limited(kifaru: Business, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(demo_cards.LIMIT, "KE", 1)
    used = Authorization.objects.filter(
        business=kifaru, created_at__gte=ago(NOW, 4), card__employee__role=Role.CARD_USER
    )
    cards = [each.card for each in used.filter(card__controls={}).distinct("card")]
    assert cards
    assert demo_cards.limit_purchases(caller_of_role(kifaru, Role.ADMIN), cards[:2], NOW) == cards[:2]


def test_on_the_first_of_a_month_there_is_little_to_limit(db: None) -> None:
    first = datetime(2026, 3, 1, 5, 0, tzinfo=UTC)
    with clock.at(first):
        tulp = demo.play(PLANS[1], replace(demo.order_of(PLANS[1]), business_id=object_id()), 120, 1, first)
        cards = list(Card.objects.filter(business=tulp).select_related("business"))
        used = {card_id for card_id, (_, month, _) in spend_of(cards).items() if month}
    limited = {card.id for card in by_month(cards)}
    assert limited <= used
    assert len(limited) >= -(-len(used) // 2)


def by_month(cards: Iterable[Card]) -> list[Card]:
    """Those whose limit was chosen by what they were used for."""
    return [card for card in cards if any(each["interval"] == "PER_MONTH" for each in card.controls.get("limits", []))]


def test_some_spend_allocations_and_some_wallets_and_all_of_them_have_something_left(kifaru: Business) -> None:
    cards = list(Card.objects.filter(business=kifaru, status=CardStatus.ACTIVE).select_related("employee", "business"))
    by_funding = Counter((card.funding, card.employee.role) for card in cards)
    assert by_funding["ALLOCATION", "CARD_USER"] > 10
    assert by_funding["BUSINESS_WALLET", "APPROVER"]
    assert by_funding["BUSINESS_WALLET", "ADMIN"]
    assert by_funding["BUSINESS_WALLET", "CARD_USER"], "they pay the business's subscriptions abroad"
    for card in cards:
        if card.funding == "BUSINESS_WALLET":
            assert card.created_by != card.employee_id
            assert card.created_by in Employee.objects.filter(role="ADMIN").values_list("id", flat=True)
        assert funding.remaining(funding.paying(card)) > 0 or card.employee.role == "REVIEWER"
    left = {each.available_minor for each in funding.allocations(cards).values()}
    assert len(left) > 5


def test_somebody_has_used_an_allocation_up_and_was_declined(kifaru: Business) -> None:
    row = Authorization.objects.get(business=kifaru, code="insufficient_allocation")
    assert row.remaining_minor == demo_cards.NEXT_TO_NOTHING["KE"] * 100
    assert funding.remaining(funding.paying(row.card)) == row.remaining_minor


def test_what_was_spent_from_allocations_was_allocated_before(kifaru: Business) -> None:
    with connection.cursor() as cursor:
        assert breaches_seen_by(cursor, sealed=False) == []
    given = Transaction.objects.filter(business=kifaru, ref__startswith="allocation:")
    assert given.count() > 30
    spent = Expense.objects.filter(business=kifaru, funding="ALLOCATION")
    assert spent.count() > 100
    allocated = given.aggregate(sum=Sum("amount_minor"))["sum"]
    used = spent.aggregate(sum=Sum("amount_minor"))["sum"]
    # The purchases of the last days, which were decided on like real ones, are among them.
    assert used < allocated
