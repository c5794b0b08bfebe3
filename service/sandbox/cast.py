"""The cast of a sandbox business: who there is, in which role and team, and what the business files expenses under."""

from dataclasses import dataclass

from service.businesses.models import Role


@dataclass(frozen=True, slots=True)
class Person:
    """One person of the cast. `reviews` names teams; a name with "?" is reviewed read-only."""

    name: str
    role: str
    team: str
    reviews: tuple[str, ...] = ()


TEAMS = {"FIELD": "Field sales", "OFFICE": "Head office"}

CAST = (
    Person("Carla Kamau", Role.CARD_USER, "FIELD"),
    Person("Cyrus Kiptoo", Role.CARD_USER, "OFFICE"),
    Person("Chebet Langat", Role.CARD_USER, "OFFICE"),
    Person("Rita Wanjiru", Role.REVIEWER, "FIELD", ("FIELD",)),
    Person("Rex Otieno", Role.REVIEWER, "FIELD", ("FIELD?",)),
    Person("Apollo Mutua", Role.APPROVER, "OFFICE"),
    Person("Zawadi Njeri", Role.APPROVER, "OFFICE"),
    Person("Juma Hassan", Role.APPROVER, "OFFICE"),
    Person("Ada Achieng", Role.ADMIN, "OFFICE"),
    Person("Abel Kariuki", Role.ADMIN, "OFFICE"),
    Person("Sam Mwangi", Role.SUPER_ADMIN, "OFFICE"),
    Person("Selma Abdi", Role.SUPER_ADMIN, "OFFICE"),
)

CATEGORIES: dict[str, tuple[str, ...]] = {
    "Travel": ("Fuel", "Taxi", "Flights", "Hotel"),
    "Office": ("Stationery", "Software", "Internet"),
    "Meals": ("Client lunch", "Team meal"),
}

WALLETS: dict[str, tuple[tuple[str, int], ...]] = {
    "KE": (("KES", 50_000_000_00), ("USD", 400_000_00)),
    "NL": (("EUR", 2_000_000_00), ("USD", 400_000_00), ("JPY", 300_000_000)),
}
