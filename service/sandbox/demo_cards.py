"""Cards of the demo: one of each spender on the first wallet, more on the others for those who travel."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from service.auth import Caller
from service.businesses.models import Role
from service.cards.models import Card
from service.sandbox import clock
from service.sandbox.cast import WALLETS
from service.sandbox.demo_plan import persons
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
