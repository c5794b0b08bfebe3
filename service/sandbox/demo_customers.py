"""Customers of the demo businesses: regular ones, walk-in ones, and a few that were deleted."""

import random
from datetime import datetime, timedelta

from service.businesses.models import Business, Role
from service.customers import services
from service.customers.schemas import NewCustomer
from service.sandbox import clock
from service.sandbox.demo_plan import ago, caller_of_role

FIRST = {
    "KE": ("Mary", "Joseph", "Achieng", "Wanjala", "Fatuma", "Kiprono", "Njeri", "Otieno", "Halima", "Mutiso", "Grace", "Omondi"),
    "NL": ("Anna", "Pieter", "Marijke", "Joris", "Sofie", "Willem", "Yara", "Bas", "Hanna", "Luuk", "Fenna", "Dirk"),
}  # fmt: skip
LAST = {
    "KE": ("Wekesa", "Mumbi", "Barasa", "Cherono", "Nzioka", "Abdalla", "Kirui", "Moraa", "Gathoni", "Ouma", "Kilonzo"),
    "NL": (
        "van Leeuwen",
        "de Groot",
        "Brouwer",
        "Dijkstra",
        "Hofman",
        "Kramer",
        "Verbeek",
        "Maas",
        "Schipper",
        "Koning",
    ),
}
FIRMS = {
    "KE": ("Tana Hardware", "Simba Poultry Farm", "Kilimo Fresh Exports", "Jambo Furniture", "Nyota Pharmacy", "Mlima Quarries"),
    "NL": ("Tuinbouw Westland", "Scheepswerf Noord", "Verpakking Oost", "Zuivel De Weide", "Fietsfabriek Zwolle", "Drukkerij Kort"),
}  # fmt: skip
MANY, WALK_IN, DELETED = 60, 6, 4


def create_customers(business: Business, chance: random.Random, now: datetime) -> None:
    """Sixty customers over the year, each with what one knows of them."""
    caller, country = caller_of_role(business, Role.ADMIN), business.country
    customers = []
    for place in range(MANY):
        with clock.at(ago(now, 350 - 5.5 * place)):
            customers.append(services.create(caller, NewCustomer.model_validate(_body(country, place, chance))))
    for customer in customers[3 : 3 + 9 * DELETED : 9]:
        with clock.at(now - timedelta(days=20)):
            services.delete(caller, customer.id)


def _body(country: str, place: int, chance: random.Random) -> dict[str, str]:
    if place % 10 == 9 and place // 10 < WALK_IN:
        return {"type": "walkIn"}
    person = f"{FIRST[country][place % len(FIRST[country])]} {chance.choice(LAST[country])}"
    name = FIRMS[country][place // 10] if place % 10 == 4 else person
    prefix = "2547" if country == "KE" else "316"
    return {
        "name": name,
        "email": f"{person.split()[0].lower()}{place}@customers.example",
        "phone": f"{prefix}{chance.randrange(10_000_000, 99_999_999)}",
        **({"person": person, "taxPin": f"P05{chance.randrange(1_000_000, 9_999_999)}K"} if name != person else {}),
    }
