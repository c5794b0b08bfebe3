"""What stands behind the codes of a card's controls: kinds of merchants, channels, windows, weekdays, countries."""

from functools import lru_cache

from babel import Locale

# The kinds of merchants that companies most often name, each by its four-digit codes. Any other code can be typed.
MERCHANT_KINDS: dict[str, tuple[str, frozenset[str]]] = {
    "fuel": ("Fuel", frozenset({"5541", "5542", "5172"})),
    "restaurants": ("Restaurants, cafés and bars", frozenset({"5811", "5812", "5813", "5814"})),
    "groceries": ("Groceries", frozenset({"5411", "5422", "5441", "5451", "5462", "5499"})),
    "hotels": ("Hotels", frozenset({"7011", "7012"})),
    "flights": ("Flights", frozenset({"4511", "4582"})),
    "taxis": ("Taxis, buses and trains", frozenset({"4111", "4112", "4121", "4131"})),
    "cars": ("Car hire, parking and repairs", frozenset({"7512", "7513", "7523", "7531", "7538", "5533"})),
    "travel": ("Travel agencies", frozenset({"4722", "4723"})),
    "freight": ("Couriers and freight", frozenset({"4214", "4215", "9402"})),
    "phones": ("Telephone and internet", frozenset({"4812", "4814", "4816"})),
    "software": ("Software and online services", frozenset({"5734", "5817", "5818", "7372", "7379"})),
    "advertising": ("Advertising", frozenset({"7311"})),
    "office": ("Office supplies", frozenset({"5111", "5943", "5044"})),
    "electronics": ("Computers and electronics", frozenset({"5045", "5732"})),
    "utilities": ("Electricity, gas and water", frozenset({"4900"})),
    "hardware": ("Building materials and tools", frozenset({"5200", "5211", "5251"})),
    "pharmacies": ("Pharmacies and doctors", frozenset({"5912", "8011", "8062", "8099"})),
    "clothes": ("Clothes", frozenset({"5611", "5621", "5651", "5691"})),
    "cash": ("Cash", frozenset({"6010", "6011"})),
    "alcohol": ("Alcohol", frozenset({"5921"})),
    "gambling": ("Gambling", frozenset({"7800", "7801", "7802", "7995"})),
}
CHANNELS = {
    "CARD_PRESENT": "in store",
    "CONTACTLESS": "contactless",
    "ECOMMERCE": "online",
    "RECURRING": "for subscriptions",
    "ATM": "ATM",
}
LIMIT_INTERVALS = {
    "PER_DAY": "Daily",
    "PER_WEEK": "Weekly",
    "PER_MONTH": "Monthly",
    "PER_YEAR": "Yearly",
    "ALL_TIME": "Total",
}
WEEKDAYS = {1: "Mon", 2: "Tue", 3: "Wed", 4: "Thu", 5: "Fri", 6: "Sat", 7: "Sun"}


def kinds_in(codes: list[str]) -> tuple[list[str], list[str]]:
    """The kinds of which every code is among these, and the codes that belong to none of them."""
    kinds = [name for name, (_, own) in MERCHANT_KINDS.items() if own <= set(codes)]
    covered = {code for name in kinds for code in MERCHANT_KINDS[name][1]}
    return kinds, [code for code in codes if code not in covered]


def named_kinds(codes: list[str]) -> str:
    """The codes by their names where they have one: "Fuel, Hotels and 5999"."""
    kinds, rest = kinds_in(codes)
    return listed_words([*(MERCHANT_KINDS[name][0] for name in kinds), *rest])


def merchant_kind_of(code: str) -> str:
    """What a merchant with that code sells; "" where we have no name for it."""
    return next((label for label, own in MERCHANT_KINDS.values() if code in own), "")


def listed_words(words: list[str]) -> str:
    """The words as one text: "a, b and c"."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""


@lru_cache(maxsize=16)
def countries(locale: str) -> dict[str, str]:
    """The countries by their code, as the locale names them."""
    names = Locale.parse(locale).territories
    return {code: name for code, name in names.items() if len(code) == 2 and code.isalpha() and code not in NO_COUNTRY}


# What the locale's table has beside countries.
NO_COUNTRY = frozenset({"EU", "EZ", "UN", "XA", "XB", "ZZ", "QO"})


def country_of(text: str, locale: str) -> str:
    """The code of a country that was typed as its code or its name; "" for none that is known."""
    known, typed = countries(locale), text.strip()
    if typed.upper() in known:
        return typed.upper()
    return next((code for code, name in known.items() if name.casefold() == typed.casefold()), "")
