"""The demo data: two businesses with months of expenses, made by the service's own actions, the same from the same seed."""

import hashlib
import itertools
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.utils import timezone

from service import money
from service.auth import Caller, system_caller
from service.businesses.models import ApiKey, Business, Client, Role, api_key_hash
from service.businesses.secrets import random_secret
from service.categories.models import Subcategory
from service.employees.models import Employee
from service.expenses import actions, posting
from service.expenses.models import Expense, Receipt
from service.sandbox import demo_payouts, demo_policies, people
from service.sandbox.businesses import Order, Secrets, make
from service.sandbox.cast import WALLETS, Person
from service.sandbox.play import receipt_for
from service.teams.models import TeamReviewer
from service.webhooks.models import WebhookEndpoint
from service.webhooks.signing import new_endpoint, new_secret, unseal

DAYS_BACK = 120
UNDECIDED_DAYS = 9

# Name, merchant category code, subcategory, a typical amount in major units of the business's first currency.
KENYA = (
    ("Shell Westlands", "5541", "Fuel", 6_500),
    ("TotalEnergies Mombasa Road", "5541", "Fuel", 9_800),
    ("Uber Kenya", "4121", "Taxi", 850),
    ("Bolt Nairobi", "4121", "Taxi", 620),
    ("Kenya Airways", "4511", "Flights", 24_500),
    ("Sarova Whitesands", "7011", "Hotel", 18_900),
    ("Text Book Centre", "5942", "Stationery", 1_450),
    ("Safaricom Business", "4814", "Internet", 5_999),
    ("Java House", "5812", "Client lunch", 2_350),
    ("Artcaffe", "5812", "Client lunch", 3_100),
    ("Naivas Supermarket", "5411", "Team meal", 4_200),
    ("Amazon Web Services", "7372", "Software", 31_000),
)
NETHERLANDS = (
    ("NS Reizigers", "4112", "Taxi", 38),
    ("Shell Station A4", "5541", "Fuel", 82),
    ("KLM", "4511", "Flights", 412),
    ("Van der Valk Hotel", "7011", "Hotel", 149),
    ("Bruna", "5942", "Stationery", 24),
    ("KPN Zakelijk", "4814", "Internet", 65),
    ("Restaurant De Kas", "5812", "Client lunch", 118),
    ("Albert Heijn", "5411", "Team meal", 47),
    ("Figma", "7372", "Software", 90),
    ("Coolblue", "5732", "Stationery", 240),
)
# How many units of a currency buy as much as one of the business's first.
WORTH = {"KE": {"KES": 1.0, "USD": 0.0077}, "NL": {"EUR": 1.0, "USD": 1.08, "JPY": 163.0}}
NOTES = ("", "", "", "Client visit", "Quarterly review", "For the whole team", "Urgent delivery")


@dataclass(frozen=True, slots=True)
class Plan:
    """One demo business."""

    name: str
    country: str
    teams: dict[str, str]
    staff: Sequence[Person]
    domain: str
    merchants: Sequence[tuple[str, str, str, int]]
    share: float


PLANS = (
    Plan("Kifaru Logistics", "KE", people.KIFARU_TEAMS, people.KIFARU, "kifaru.example", KENYA, 0.6),
    Plan("Tulp Robotics", "NL", people.TULP_TEAMS, people.TULP, "tulp.example", NETHERLANDS, 0.4),
)


def build(*, expenses: int, seed: int, known: dict[str, Any] | None = None, webhooks: str = "") -> dict[str, Any]:
    """Makes what is missing of both businesses; their credentials.

    `known` is what an earlier run wrote: its secrets are kept. `webhooks` is the address events go to, in which
    {number} is 1 for the first business and {business_id} its id.
    """
    before = {each["business_id"]: each for each in (known or {}).get("businesses", [])}
    told = []
    for number, plan in enumerate(PLANS, start=1):
        business_id = hashlib.sha256(f"demo:{seed}:{plan.name}".encode()).hexdigest()[:24]
        url = webhooks.format(number=number, business_id=business_id)
        kept = before.get(business_id, {})
        with transaction.atomic():
            if not Business.objects.filter(id=business_id).exists():
                _make(plan, business_id, kept, url, round(expenses * plan.share), random.Random(f"{seed}:{plan.name}"))  # noqa: S311
            told.append(_credentials(business_id, kept, url))
    return {"businesses": told}


def _make(plan: Plan, business_id: str, kept: dict[str, Any], url: str, count: int, chance: random.Random) -> None:
    order = Order(
        name=plan.name,
        country=plan.country,
        teams=plan.teams,
        people=plan.staff,
        email_domain=plan.domain,
        business_id=business_id,
        webhook_url=url,
    )
    made = make(replace(order, secrets=_secrets(kept)))
    spent = _spend(system_caller(made.business), plan, count, chance)
    _decide(made.business, spent, chance)
    demo_payouts.make(made.business, chance)
    demo_policies.make(made.business, chance)


def _secrets(kept: dict[str, Any]) -> Secrets:
    wanted = {name: kept[name] for name in ("client_secret", "api_key", "webhook_secret") if kept.get(name)}
    return Secrets(**wanted)


def _spend(caller: Caller, plan: Plan, count: int, chance: random.Random) -> list[Expense]:
    """The expenses, one posting per day and wallet, oldest first; most with a receipt."""
    spenders = list(Employee.objects.filter(business=caller.business).exclude(role=Role.SUPER_ADMIN).order_by("id"))
    weights = [6 if person.role == Role.CARD_USER else 1 for person in spenders]
    filed = {row.name: row for row in Subcategory.objects.filter(business=caller.business)}
    days: dict[tuple[int, int], list[posting.NewExpense]] = {}
    for serial in range(count):
        # More of late than long ago, and something on the desk today.
        back = int(DAYS_BACK * chance.random() ** 1.7)
        place = chance.choices(range(len(WALLETS[plan.country])), weights=(8, 2, 1)[: len(WALLETS[plan.country])])[0]
        person = chance.choices(spenders, weights)[0]
        new = _expense(plan, chance, person, filed, place, back, f"{caller.business.id[:6].upper()}{serial:06d}")
        days.setdefault((back, place), []).append(new)
    made: list[Expense] = []
    serials = itertools.count()

    def prove(rows: Sequence[Expense]) -> list[Receipt]:
        return [receipt_for(row, serial) for row, serial in zip(rows, serials, strict=False) if chance.random() < 0.86]

    for (back, place), batch in sorted(days.items(), reverse=True):
        made += posting.spend_many(caller, batch, f"demo-{back}-{place}", prove)
    return made


def _expense(
    plan: Plan,
    chance: random.Random,
    person: Employee,
    filed: dict[str, Subcategory],
    place: int,
    back: int,
    reference: str,
) -> posting.NewExpense:
    merchant, mcc, subcategory, typical = chance.choice(plan.merchants)
    currency = WALLETS[plan.country][place][0]
    major = typical * WORTH[plan.country][currency] * chance.uniform(0.45, 1.9)
    minor = max(1, round(major * 10 ** money.exponent(currency)))
    flagged = chance.random() < 0.07
    return posting.NewExpense(
        employee=person,
        org_wallet_ref=str(place + 1),
        currency=currency,
        amount_minor=minor * (6 if flagged else 1),
        transaction_ref=reference,
        transaction_date=_moment(chance, back),
        receiver=merchant,
        mcc=mcc,
        channel=chance.choice(("CARD_PRESENT", "ECOMMERCE", "CONTACTLESS")),
        subcategory=filed.get(subcategory),
        notes=chance.choice(NOTES),
        risk=chance.randrange(55, 90) if flagged else chance.randrange(0, 25),
        risk_notes="Far above what is usual for this merchant" if flagged else "",
        policy_flags=("amount_outlier",) if flagged else (),
        receipt_required=True,
    )


def _moment(chance: random.Random, back: int) -> datetime:
    now = timezone.now()
    moment = now.replace(hour=5, minute=0, second=0, microsecond=0) - timedelta(days=back)
    moment += timedelta(minutes=chance.randrange(0, 12 * 60))
    return min(moment, now - timedelta(minutes=chance.randrange(1, 50)))


def _decide(business: Business, spent: Sequence[Expense], chance: random.Random) -> None:
    """Reviewers decide on what is older than some days, and on some of the rest: by the actions that people use."""
    deciders = _deciders(business)
    recent = timezone.now() - timedelta(days=UNDECIDED_DAYS)
    piles: dict[tuple[str, str], list[str]] = {}
    for expense in spent:
        old = expense.transaction_date < recent
        move = chance.choices(("approve", "reject", "request_details", ""), (90, 7, 2, 1) if old else (45, 4, 6, 45))[0]
        able = [each for each in deciders if each.id != expense.employee_id and _reviews(each, expense)]
        if move and able:
            piles.setdefault((chance.choice(able).id, move), []).append(expense.id)
    people_by_id = {each.id: each for each in deciders}
    for (person_id, move), ids in piles.items():
        _carry_out(_as(business, people_by_id[person_id]), move, ids)


def _carry_out(caller: Caller, move: str, ids: Sequence[str]) -> None:
    if move == "approve":
        actions.approve_many(caller, ids)
    elif move == "reject":
        actions.reject_many(caller, ids, reason="This is not a business expense.")
    else:
        for expense_id in ids:
            actions.request_details(caller, expense_id, reason="Who took part, and what was it for?")


def _deciders(business: Business) -> list[Employee]:
    roles = (Role.REVIEWER, Role.APPROVER, Role.ADMIN)
    return list(Employee.objects.filter(business=business, role__in=roles).prefetch_related("reviews").order_by("id"))


def _reviews(person: Employee, expense: Expense) -> bool:
    if person.role != Role.REVIEWER:
        return True
    reviews: Sequence[TeamReviewer] = list(person.reviews.all())
    return any(each.team_id == expense.team_id and not each.read_only for each in reviews)


def _as(business: Business, person: Employee) -> Caller:
    return replace(system_caller(business), employee=person, role=person.role)


def _credentials(business_id: str, kept: dict[str, Any], url: str) -> dict[str, Any]:
    business = Business.objects.get(id=business_id)
    client = Client.objects.get(business=business)
    return {
        "business_id": business.id,
        "name": business.name,
        "slug": business.name.lower().replace(" ", "-"),
        "country": business.country,
        "client_id": client.client_id,
        "client_secret": _client_secret(client, kept.get("client_secret", "")),
        "api_key": _api_key(business, kept.get("api_key", "")),
        "webhook_secret": _webhook_secret(business, url),
        "employees": [
            {
                "employee_id": each.id,
                "role": each.role,
                "name": each.name,
                "email": each.email,
                "team_id": each.team_id,
                "signs_in": each.name in people.SIGN_IN,
            }
            for each in Employee.objects.filter(business=business).order_by("id")
        ],
    }


def _client_secret(client: Client, kept: str) -> str:
    """The secret that an earlier run told if it still works, else a new one: what is stored cannot be read back."""
    if kept and make_password(kept) in (client.client_secret, client.second_secret):
        return kept
    return client.rotate_secret()


def _api_key(business: Business, kept: str) -> str:
    if kept and ApiKey.objects.filter(business=business, key_hash=api_key_hash(kept), revoked_at=None).exists():
        return kept
    fresh = random_secret("ak_")
    ApiKey.objects.filter(business=business).update(key_hash=api_key_hash(fresh))
    return fresh


def _webhook_secret(business: Business, url: str) -> str | None:
    known = WebhookEndpoint.objects.filter(business=business).first()
    if known is None and not url:
        return None
    if known is None:
        known = new_endpoint(business, url, new_secret())
        known.save(force_insert=True)
    elif url and known.url != url:
        known.url = url
        known.save(update_fields=["url", "updated_at"])
    return unseal(known.secret)


def read(text: str) -> dict[str, Any]:
    """What an earlier run wrote; nothing when it cannot be read."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
