"""Cards of the demo: one of each spender on the first wallet, more on the others for those who travel, and what is asked."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from service.auth import Caller, system_caller
from service.businesses.models import Business, Role
from service.cards import making, moving, ordering, single_use
from service.cards.authorizations import Swipe, authorize
from service.cards.models import Card
from service.cards.schemas import CardChange, ShippingAddress
from service.cards.schemas_orders import WantedOrder
from service.cards.schemas_single_use import NewRequest
from service.money import to_minor
from service.sandbox import clock
from service.sandbox.cast import WALLETS
from service.sandbox.demo_plan import acting, ago, one_acting, persons
from service.sandbox.play import card_of

CARRIERS = (1, 3, 6)  # one of so many people has a card on the first, second, third wallet


def make(caller: Caller, since: datetime) -> Mapping[tuple[str, int], Card]:
    """The cards by holder and wallet (from 0), made one after the other from that day on."""
    made: dict[tuple[str, int], Card] = {}
    people = [each for each in persons(caller.business) if each.role != Role.SUPER_ADMIN]
    for place, _ in enumerate(WALLETS[caller.business.country]):
        for number, person in enumerate(people):
            if number % CARRIERS[place] == 0:
                with clock.at(since + timedelta(minutes=len(made))):
                    made[person.id, place] = card_of(caller, person, str(place + 1))
    return made


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
LIMIT = {"KE": 6_000_000, "NL": 75_000}  # minor units
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
    """Limits and uses of some cards, two that are blocked, two physical ones asked for, and wishes for one purchase."""
    admin = one_acting(business, Role.ADMIN)
    people = [each for each in persons(business, Role.CARD_USER) if each.team_id][3:]
    cards = list(Card.objects.filter(business=business, employee__in=people, org_wallet_ref="1").order_by("id"))
    with clock.at(ago(now, 60)):
        for card in cards[::4]:
            month = {"interval": "PER_MONTH", "amount": 2 * LIMIT[business.country]}
            controls = {"per_transaction_limit": LIMIT[business.country], "limits": [month]}
            change = {"controls": controls, "version": card.version}
            making.update(admin, card.id, CardChange.model_validate(change))
    with clock.at(ago(now, 3)):
        moving.block(admin, cards[1].id, "The number was seen at a merchant that lost its data.")
        moving.block(acting(business, cards[2].employee), cards[2].id, "I cannot find it.")
    use(business, cards[::4], now)
    street, city, country = STREETS[business.country]
    for place, person in enumerate(people[:2]):
        with clock.at(ago(now, 2 - place)):
            home = ShippingAddress(name=person.name, street=street, city=city, country=country)
            wanted = WantedOrder(name=f"{person.name}, on the road", org_wallet_ref="1", shipping=home)
            ordering.ask(acting(business, person), wanted)
    for place, (purpose, amount) in enumerate(WISHES[business.country]):
        with clock.at(ago(now, 1.5 - place / 4)):
            new = NewRequest(amount=Decimal(amount), purpose=purpose, org_wallet_ref="1")
            single_use.ask(acting(business, people[place + 2]), new)


def use(business: Business, cards: Sequence[Card], now: datetime) -> None:
    """Purchases with cards that have limits: all but the last are let through."""
    for number, (merchant, mcc, amount) in enumerate(USES[business.country]):
        card = cards[number // 2 % len(cards)]
        swipe = Swipe(to_minor(amount, card.currency), merchant, mcc=mcc, country=business.country)
        with clock.at(ago(now, 3 - number // 2).replace(hour=9 + number, minute=20)):
            authorize(system_caller(business), card.id, swipe)
