"""Where the demo businesses spend: invented merchants, what each usually costs, on which wallets and at which hours."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from service import money


@dataclass(frozen=True, slots=True)
class Merchant:
    """`typical` in whole units of the business's first currency; `places` are wallets, from 0; hours of the day."""

    name: str
    mcc: str
    subcategory: str
    typical: int
    hours: tuple[int, int] = (8, 18)
    places: tuple[int, ...] = (0,)
    weight: int = 4


KENYA = (
    Merchant("Twiga Energies Westlands", "5541", "Fuel", 6_500, (6, 19), weight=9),
    Merchant("Ridge Hill Station Mombasa Road", "5541", "Fuel", 9_800, (5, 20), weight=8),
    Merchant("Savanna Fuels Voi", "5541", "Fuel", 12_400, (5, 21), weight=6),
    Merchant("Pata Cab", "4121", "Taxi", 850, (6, 22), weight=9),
    Merchant("Haraka Rides", "4121", "Taxi", 620, (6, 22), weight=9),
    Merchant("Coast Line Shuttle", "4131", "Taxi", 1_800, (5, 17), weight=4),
    Merchant("Swala Airways", "4511", "Flights", 24_500, (7, 19), (0, 1), 3),
    Merchant("Bahari Hotel Mombasa", "7011", "Hotel", 18_900, (7, 11), (0, 1), 3),
    Merchant("Lakeview Inn Kisumu", "7011", "Hotel", 11_200, (7, 11), weight=3),
    Merchant("Kalamu Books and Paper", "5942", "Stationery", 1_450, (9, 17), weight=5),
    Merchant("Ofisi Direct", "5943", "Stationery", 7_300, (9, 17), weight=3),
    Merchant("Mnara Broadband", "4814", "Internet", 5_999, (8, 12), weight=2),
    Merchant("Kahawa Corner", "5812", "Client lunch", 2_350, (12, 15), weight=7),
    Merchant("Tamarindi Grill", "5812", "Client lunch", 5_100, (12, 22), weight=4),
    Merchant("Soko Fresh Market", "5411", "Team meal", 4_200, (10, 19), weight=5),
    Merchant("Mama Ashura Caterers", "5811", "Team meal", 9_600, (11, 14), weight=3),
    Merchant("Cloudberry Hosting", "7372", "Software", 31_000, (0, 23), (1,), 2),
    Merchant("Routewise Telematics", "7372", "Software", 14_500, (0, 23), (0, 1), 2),
)
NETHERLANDS = (
    Merchant("Spoorlijn Reizen", "4112", "Taxi", 38, (6, 21), weight=9),
    Merchant("Taxi Centrale Delft", "4121", "Taxi", 31, (7, 23), weight=6),
    Merchant("Tankstation De Veluwe", "5541", "Fuel", 82, (6, 20), weight=6),
    Merchant("Laadpunt Nederland", "5552", "Fuel", 27, (7, 21), weight=5),
    Merchant("Polder Air", "4511", "Flights", 412, (7, 20), (0, 1, 2), 3),
    Merchant("Hotel De Gouden Zwaan", "7011", "Hotel", 149, (7, 11), weight=4),
    Merchant("Sakura Business Hotel Osaka", "7011", "Hotel", 118, (7, 11), (2,), 3),
    Merchant("Kawa Taxi Osaka", "4121", "Taxi", 22, (7, 22), (2,), 4),
    Merchant("Kantoor en Papier", "5942", "Stationery", 24, (9, 17), weight=5),
    Merchant("Beeldscherm Direct", "5732", "Stationery", 240, (9, 20), weight=2),
    Merchant("Glasvezel Zakelijk", "4814", "Internet", 65, (8, 12), weight=2),
    Merchant("Restaurant De Kromme Haring", "5812", "Client lunch", 118, (12, 22), weight=4),
    Merchant("Lunchroom Noord", "5812", "Client lunch", 42, (12, 15), weight=6),
    Merchant("Buurtsuper De Molen", "5411", "Team meal", 47, (10, 19), weight=6),
    Merchant("Bakkerij Het Stoepje", "5462", "Team meal", 29, (8, 12), weight=5),
    Merchant("Lasergrid Design Tools", "7372", "Software", 90, (0, 23), (0, 1), 3),
    Merchant("Torque Simulation Cloud", "7372", "Software", 260, (0, 23), (1,), 2),
)


@dataclass(frozen=True, slots=True)
class Regular:
    """Somebody who charges the same card again and again: `every` in months, on a day of the month."""

    name: str
    subcategory: str
    amount: int
    day: int
    every: int = 1
    place: int = 0


REGULARS_KE = (
    Regular("Mnara Fibre Head Office", "Internet", 24_900, 3),
    Regular("Ledgerleaf Accounting", "Software", 11_500, 5),
    Regular("Routewise Fleet Tracking", "Software", 58_000, 8),
    Regular("Cloudberry Servers", "Software", 690, 12, place=1),
    Regular("Papyrus Document Signing", "Software", 4_200, 15),
    Regular("Drip Coffee Service", "Team meal", 8_750, 18),
    Regular("Mapstack Pro", "Software", 120, 21, place=1),
    Regular("Ofisi Water Refill", "Team meal", 3_600, 24),
    Regular("Harbour Insurance Portal", "Internet", 31_000, 10, every=3),
)
REGULARS_NL = (
    Regular("Glasvezel Zakelijk Lab", "Internet", 89, 2),
    Regular("Torque Simulation Seats", "Software", 1_240, 4, place=1),
    Regular("Lasergrid Team Plan", "Software", 312, 9),
    Regular("Boekhoudblad Online", "Software", 59, 11),
    Regular("Partkeeper Inventory", "Software", 145, 16),
    Regular("Fruit op Kantoor", "Team meal", 74, 19),
    Regular("Kawa Mobile Data", "Internet", 6_400, 22, place=2),
    Regular("Safety Audit Library", "Software", 420, 7, every=3),
)
# How many units of a wallet's currency buy as much as one of the business's first.
WORTH = {"KES": 1.0, "EUR": 1.0, "JPY": 163.0, ("KES", "USD"): 0.0077, ("EUR", "USD"): 1.08}
POINTS = 20


@cache
def prices(merchant: Merchant, first: str, currency: str) -> Sequence[int]:
    """What is usually paid there, in minor units: a score of prices, so that equal ones may share a receipt."""
    rate = 1.0 if first == currency else WORTH.get((first, currency), WORTH.get(currency, 1.0))
    minors = []
    for place in range(POINTS):
        major = merchant.typical * rate * math.exp(-0.8 + 1.45 * place / (POINTS - 1))
        minors.append(_tidy(round(major * 10 ** money.exponent(currency)), currency))
    return tuple(dict.fromkeys(minors))


def _tidy(minor: int, currency: str) -> int:
    """Rounded as prices are: to ten shillings or yen, to five cents."""
    step = {"KES": 10_00, "JPY": 10}.get(currency, 5)
    return max(step, round(minor / step) * step)
