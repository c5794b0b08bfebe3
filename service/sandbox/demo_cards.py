"""Cards of the demo: one of each spender on the first wallet, more for those who travel, their uses, and what is asked."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from django.db import connection

from service.accounts.wallets import Funding
from service.auth import Caller, system_caller
from service.businesses.models import Business, Employee, Role
from service.cards import funding, issuance, lifecycle, orders, services, single_use
from service.cards.authorizations import Swipe, authorize
from service.cards.controls import Check
from service.cards.decisions import HOLD_LIFE
from service.cards.models import Authorization, Capture, Card, CardStatus
from service.cards.schemas import CardChange, ShippingAddress
from service.cards.schemas_orders import WantedOrder
from service.cards.schemas_single_use import NewRequest
from service.cards.spend import spend_of
from service.expenses.models import Expense
from service.money import exponent, to_minor
from service.sandbox import clock
from service.sandbox.bulk_copy import copy
from service.sandbox.cast import WALLETS
from service.sandbox.demo_plan import acting, ago, caller_of_role, persons

CARRIERS = (1, 3, 6)  # one of so many people has a card on the first, second, third wallet


# What a card that spends a wallet may take in a year, in minor units, until it is limited by what it was used for.
YEARLY, OTHER_YEARLY = {"KES": 25_000_000_00, "JPY": 30_000_000}, 250_000_00


def create_cards(business: Business, since: datetime) -> Mapping[tuple[str, int], Card]:
    """The cards by holder and wallet (from 0), made by an admin one after the other from that day on.

    Card users and reviewers spend what is allocated to them; the office, and those who pay the business's subscriptions
    abroad, spend the wallet itself.
    """
    cards: dict[tuple[str, int], Card] = {}
    admins = persons(business, Role.ADMIN)
    people = [person for person in persons(business) if person.role != Role.SUPER_ADMIN]
    for place, (currency, _) in enumerate(WALLETS[business.country]):
        for number, person in enumerate(people):
            if number % CARRIERS[place] == 0:
                maker = next(admin for admin in admins if admin != person)
                with clock.at(since + timedelta(minutes=len(cards))):
                    cards[person.id, place] = _card(acting(business, maker), person, place, currency)
    return cards


def first_cards(business: Business, before: datetime) -> Mapping[tuple[str, int], Card]:
    """Those of `create_cards` by holder and wallet (from 0): the cards made before a moment."""
    rows = Card.objects.filter(business=business, created_at__lt=before).order_by("-id")
    return {(card.employee_id, int(card.org_wallet_ref) - 1): card for card in rows}


def _card(maker: Caller, person: Employee, place: int, currency: str) -> Card:
    card = services.blank(maker, person, str(place + 1), currency, f"{person.name} {currency}")
    if place > 0 or person.role not in (Role.CARD_USER, Role.REVIEWER):
        limit = {"interval": "PER_YEAR", "amount": YEARLY.get(currency, OTHER_YEARLY)}
        card.funding, card.controls = Funding.BUSINESS_WALLET, {"limits": [limit]}
    card.save(force_insert=True)
    return card


# What is asked of a use of a card without controls (service/cards/decisions.py), all of it answered well.
QUESTIONS = (
    "card_state", "employee_status", "wallet_state", "business_policies", "wallet_policy", "available_balance", "risk",
)  # fmt: skip
PASSED = [Check(name, passed=True).as_dict() for name in QUESTIONS]


def record_uses(business: Business, spent: Sequence[Expense]) -> None:
    """Writes what the card network did for expenses that are posted already: each is one use, let through and taken.

    No hold is kept, since all the expenses of a day are one posting; and nothing is told.
    """
    paid = [expense for expense in spent if expense.card_id]
    uses = [_use_behind(business, expense) for expense in paid]
    copy(Authorization, uses)
    numbered = zip(_capture_ids(len(paid)), uses, paid, strict=True)
    copy(Capture, [_capture(number, row, expense) for number, row, expense in numbered])


def _use_behind(business: Business, expense: Expense) -> Authorization:
    return Authorization(
        business_id=business.id,
        card_id=expense.card_id,
        status=Authorization.Status.CAPTURED,
        checks=PASSED,
        amount_minor=expense.amount_minor,
        captured_minor=expense.amount_minor,
        currency=expense.currency,
        funding=expense.funding or Funding.BUSINESS_WALLET,
        merchant=expense.receiver,
        merchant_id=expense.merchant_id,
        mcc=expense.mcc,
        country=business.country,
        channel=expense.channel,
        expires_at=expense.transaction_date + HOLD_LIFE,
        expense_id=expense.id,
        version=2,  # decided on, then taken
        created_at=expense.transaction_date,
        updated_at=expense.transaction_date,
    )


def _capture(number: int, row: Authorization, expense: Expense) -> Capture:
    assert expense.ledger_transaction_id is not None
    return Capture(
        id=number,
        authorization_id=row.id,
        expense_id=expense.id,
        amount_minor=row.captured_minor,
        ledger_transaction_id=expense.ledger_transaction_id,
        created_at=row.created_at,
    )


def _capture_ids(many: int) -> list[int]:
    """So many of the numbers that the database gives out: COPY writes every column, the key with the others."""
    with connection.cursor() as cursor:
        cursor.execute(
            "select nextval(pg_get_serial_sequence('cards_capture', 'id')) from generate_series(1, %s)", [many]
        )
        return [number for (number,) in cursor.fetchall()]


# What somebody wants a card for once, and for how much in whole units of the first currency.
WISHES = {
    "KE": (
        ("Conference tickets, Kisumu", 18_500),
        ("Replacement tyre on the road", 14_200),
        ("Software for route planning, one year", 46_000),
        ("Team dinner after the audit", 27_500),
    ),
    "NL": (
        ("Trade fair entry, Hannover", 145),
        ("Test licence for a simulator", 390),
        ("Farewell present", 85),
        ("Measuring instrument, second hand", 720),
    ),
}
STREETS = {"KE": ("Moi Avenue 14", "Mombasa", "KE"), "NL": ("Oude Delft 81", "Delft", "NL")}
LIMIT = {"KE": 6_000_000, "NL": 75_000}  # of one purchase, in minor units
NEXT_TO_NOTHING = {"KE": 1_250, "NL": 12}  # of an allocation, in whole units
# How much of their limits a month's spending takes, in per cent: of one card nearly all, of the others in turn.
NEARLY_ALL, SHARES = 98, (30, 60, 85)
# Whose allocation is used up: the card's place among those of the card users.
USED_UP = 3
# What cards were used for in the last days, in whole units of the first currency: the last of each is too dear.
USES = {
    "KE": (
        ("Java House Nyali", "5812", 3_450),
        ("TotalEnergies Changamwe", "5541", 12_800),
        ("Naivas Likoni", "5411", 6_120),
        ("Bolt", "4121", 940),
        ("Text Book Centre", "5943", 8_700),
        ("Samsung Brand Shop", "5732", 96_000),
    ),
    "NL": (
        ("Broodje Bertram", "5812", 34),
        ("Shell Rotterdamseweg", "5541", 92),
        ("Albert Heijn", "5411", 58),
        ("NS International", "4112", 129),
        ("Conrad", "5732", 249),
        ("Coolblue", "5732", 1_450),
    ),
}


def follow_up(business: Business, now: datetime) -> None:
    """Uses of cards with limits, two that are blocked, two physical ones asked for, wishes for one purchase; gauges."""
    admin = caller_of_role(business, Role.ADMIN)
    people, cards = _card_users(business), _cards_of_users(business)
    use(business, limit_purchases(admin, cards[::4], now), now)
    with clock.at(_unused_from(cards[1], ago(now, 3), now)):
        lifecycle.block(admin, cards[1].id, "The number was seen at a merchant that lost its data.")
    with clock.at(_unused_from(cards[2], ago(now, 3), now)):
        lifecycle.block(acting(business, cards[2].employee), cards[2].id, "I cannot find it.")
    street, city, country = STREETS[business.country]
    for place, person in enumerate(people[:2]):
        with clock.at(ago(now, 2 - place)):
            home = ShippingAddress(name=person.name, street=street, city=city, country=country)
            order = WantedOrder(name=f"{person.name}, on the road", org_wallet_ref="1", shipping=home)
            orders.request_order(acting(business, person), order)
    for place, (purpose, amount) in enumerate(WISHES[business.country]):
        with clock.at(ago(now, 1.5 - place / 4)):
            new = NewRequest(amount=Decimal(amount), purpose=purpose, org_wallet_ref="1")
            single_use.request_card(acting(business, people[place + 2]), new)
    limit_months(admin, now, but=cards[USED_UP])


def use_up(business: Business, now: datetime) -> None:
    """Of one card the allocation is used up: once all that its holder was ever allocated is there."""
    overspend(business, _cards_of_users(business)[USED_UP], now)


def _cards_of_users(business: Business) -> list[Card]:
    """The cards of these card users on the first wallet, in the order in which they were made."""
    people = _card_users(business)
    return list(Card.objects.filter(business=business, employee__in=people, org_wallet_ref="1").order_by("id"))


def _card_users(business: Business) -> list[Employee]:
    return [person for person in persons(business, Role.CARD_USER) if person.team_id][3:]


def limit_purchases(admin: Caller, cards: Sequence[Card], now: datetime) -> list[Card]:
    """Limits what one purchase may cost, on those cards that paid nothing dearer since; these."""
    since, most = ago(now, 4), LIMIT[admin.business.country]
    dearer = Authorization.objects.filter(card__in=cards, created_at__gte=since, amount_minor__gt=most)
    beyond = set(dearer.values_list("card_id", flat=True))
    # In a demo of very many expenses every card paid something dearer: then it is any of them.
    fitting = [card for card in cards if card.id not in beyond] or list(cards)
    with clock.at(since):
        for card in fitting:
            _control(admin, card, {"per_transaction_limit": most})
    return fitting


def limit_months(admin: Caller, now: datetime, but: Card) -> None:
    """Limits every second card that was used this month, and each that spends a wallet, to a round sum a month, into
    which all of its spending fits; leaving out one that is still to be used."""
    rows = Card.objects.filter(business=admin.business, status=CardStatus.ACTIVE).exclude(employee=admin.employee)
    cards = list(rows.select_related("business").order_by("id"))
    with clock.at(now):
        spent = {card_id: month for card_id, (_, month, _) in spend_of(cards).items()}
    used = [card for card in cards if spent[card.id] and card != but]
    limited = [card for place, card in enumerate(used) if place % 2 == 0 or card.funding == Funding.BUSINESS_WALLET]
    for place, card in enumerate(limited):
        share = NEARLY_ALL if place == 0 else SHARES[place % len(SHARES)]
        month = {"interval": "PER_MONTH", "amount": _limit(to_minor(spent[card.id], card.currency), share)}
        with clock.at(_unused_from(card, ago(now, 1) + timedelta(minutes=place), now)):
            _control(admin, card, {"limits": [month]})


def _control(admin: Caller, card: Card, more: Mapping[str, object]) -> None:
    change = {"controls": {**card.controls, **more}, "version": card.version}
    issuance.update(admin, card.id, CardChange.model_validate(change))


def _limit(spent_minor: int, share: int) -> int:
    """A round sum of which so many per cent are spent: two digits and noughts, or three where it is nearly all spent."""
    digits = 3 if share == NEARLY_ALL else 2
    exact = spent_minor * 100 // share
    step: int = 10 ** max(0, len(str(exact)) - digits)
    return max(spent_minor, round(exact / step) * step)


def _unused_from(card: Card, wished: datetime, now: datetime) -> datetime:
    """That moment, or one after the card's last use: what comes then was not asked when it was used."""
    last = card.authorizations.order_by("-created_at").values_list("created_at", flat=True).first()
    return wished if last is None or last < wished else min(now, last + timedelta(minutes=5))


def overspend(business: Business, card: Card, now: datetime) -> None:
    """A purchase that leaves next to nothing of its holder's allocation, and one that is declined, saying what is left."""
    left = NEXT_TO_NOTHING[business.country] * 10 ** exponent(card.currency)
    (first, code, _), (second, other, _) = USES[business.country][-2:]
    spent = funding.remaining(funding.paying(card)) - left
    if spent <= 0:  # in a demo of very few expenses nothing was allocated
        return
    at = _unused_from(card, ago(now, 1.2), now)
    for minor, merchant, mcc in ((spent, first, code), (5 * left, second, other)):
        with clock.at(at):
            authorize(system_caller(business), card.id, Swipe(minor, merchant, mcc=mcc, country=business.country))
        at = min(now, at + timedelta(hours=3))


def use(business: Business, cards: Sequence[Card], now: datetime) -> None:
    """Purchases with cards that have limits: all but the last are let through."""
    for number, (merchant, mcc, amount) in enumerate(USES[business.country]):
        card = cards[number // 2 % len(cards)]
        swipe = Swipe(to_minor(amount, card.currency), merchant, mcc=mcc, country=business.country)
        with clock.at(ago(now, 3 - number // 2).replace(hour=9 + number, minute=20)):
            authorize(system_caller(business), card.id, swipe)
