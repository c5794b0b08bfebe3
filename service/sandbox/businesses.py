"""A fresh business with its cast, in a few statements and without a password hash: for tests and demos."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

from django.contrib.auth.hashers import make_password
from django.db import transaction

from service.accounts.wallets import NewWallet, Wallet, open_wallets
from service.approvals.mandates import usual_mandates
from service.businesses.models import (
    PRIVATE_LABEL,
    ApiKey,
    Business,
    Client,
    Employee,
    RatePlan,
    Role,
    Team,
    TeamReviewer,
    api_key_hash,
)
from service.businesses.secrets import random_secret
from service.categories.models import Category, Subcategory
from service.ids import object_id
from service.sandbox.cast import CAST, CATEGORIES, TEAMS, WALLETS, Person
from service.scopes import ALL_SCOPES
from service.taxes.defaults import usual_taxes
from service.text import code_from
from service.webhooks.models import WebhookEndpoint
from service.webhooks.signatures import new_endpoint, new_secret

ZONES = {"KE": "Africa/Nairobi", "NL": "Europe/Amsterdam"}


@dataclass(frozen=True, slots=True)
class Secrets:
    """What a client proves itself with. Given, so that a demo keeps its own over a second run; else made."""

    client_secret: str = field(default_factory=lambda: random_secret("cs_"))
    api_key: str = field(default_factory=lambda: random_secret("ak_"))
    webhook_secret: str = field(default_factory=new_secret)


@dataclass(frozen=True, slots=True)
class BusinessSpec:
    """What kind of business is wanted."""

    name: str = "Sandbox Ltd"
    country: str = "KE"
    entitled: bool = True
    webhook_url: str = ""
    rate_plan: str = RatePlan.HIGH
    scopes: Sequence[str] = ALL_SCOPES
    teams: Mapping[str, str] = field(default_factory=lambda: TEAMS)
    people: Sequence[Person] = CAST
    email_domain: str = "example.com"
    business_id: str = ""
    secrets: Secrets = field(default_factory=Secrets)
    # Whether the wallets hold something from the beginning.
    funded: bool = True


class EmployeeRefShape(TypedDict):
    """An employee of a sandbox business, by whom a test acts."""

    employee_id: str
    role: str
    name: str
    email: str
    team_id: str | None


class TeamRefShape(TypedDict):
    """A team of a sandbox business, by its ids and code."""

    team_id: str
    name: str
    code: str


class WalletRefShape(TypedDict):
    """A wallet of a sandbox business, by its ids and currency."""

    wallet_id: str
    org_wallet_ref: str
    currency: str
    name: str


class SubcategoryRefShape(TypedDict):
    """A subcategory of a sandbox business, under which a test files."""

    subcategory_id: str
    name: str


class CategoryRefShape(TypedDict):
    """A category with its subcategories."""

    category_id: str
    name: str
    subcategories: list[SubcategoryRefShape]


class NewlyOpenedShape(TypedDict):
    """The answer of POST /sandbox/businesses; its secrets are said this once."""

    business_id: str
    name: str
    country: str
    time_zone: str
    client_id: str
    client_secret: str
    api_key: str
    webhook_secret: str | None
    employees: list[EmployeeRefShape]
    teams: list[TeamRefShape]
    wallets: list[WalletRefShape]
    categories: list[CategoryRefShape]


@dataclass(slots=True)
class NewlyOpened:
    """A business that was made, with the secrets that are known this once."""

    business: Business
    client: Client
    client_secret: str
    api_key: str
    webhook_secret: str
    teams: dict[str, Team]
    employees: list[Employee]
    categories: list[Category]
    subcategories: list[Subcategory]
    wallets: list[Wallet]

    def credentials(self) -> NewlyOpenedShape:
        """The answer of POST /sandbox/businesses."""
        children: dict[str, list[Subcategory]] = {}
        for subcategory in self.subcategories:
            children.setdefault(subcategory.category_id, []).append(subcategory)
        return {
            "business_id": self.business.id,
            "name": self.business.name,
            "country": self.business.country,
            "time_zone": self.business.time_zone,
            "client_id": self.client.client_id,
            "client_secret": self.client_secret,
            "api_key": self.api_key,
            "webhook_secret": self.webhook_secret or None,
            "employees": [
                {
                    "employee_id": employee.id,
                    "role": employee.role,
                    "name": employee.name,
                    "email": employee.email,
                    "team_id": employee.team_id,
                }
                for employee in self.employees
            ],
            "teams": [{"team_id": team.id, "name": team.name, "code": team.code} for team in self.teams.values()],
            "wallets": [
                {
                    "wallet_id": wallet.id,
                    "org_wallet_ref": wallet.org_wallet_ref,
                    "currency": wallet.currency,
                    "name": wallet.name,
                }
                for wallet in self.wallets
            ],
            "categories": [
                {
                    "category_id": category.id,
                    "name": category.name,
                    "subcategories": [
                        {"subcategory_id": child.id, "name": child.name} for child in children.get(category.id, [])
                    ],
                }
                for category in self.categories
            ],
        }


def open_business(business_spec: BusinessSpec) -> NewlyOpened:
    """The business with all it needs to work, in one transaction."""
    with transaction.atomic():
        country = business_spec.country
        business = Business.objects.create(
            id=business_spec.business_id or object_id(),
            name=business_spec.name,
            country=country,
            time_zone=ZONES.get(country, "UTC"),
            currency=WALLETS.get(country, WALLETS["KE"])[0][0],
        )
        teams = _teams(business, business_spec)
        employees = _employees(business, business_spec, teams)
        categories, subcategories = _categories(business)
        client = _client(business, business_spec)
        ApiKey.objects.create(
            business=business,
            name="sandbox",
            key_hash=api_key_hash(business_spec.secrets.api_key),
            rate_plan=business_spec.rate_plan,
        )
        hook = _webhook(business, business_spec)
        wallets = _wallets(business, funded=business_spec.funded)
        approvers = [employee for employee in employees if employee.role == Role.APPROVER]
        usual_mandates(business, approvers, [wallet.currency for wallet in wallets])
        usual_taxes(business)
    return NewlyOpened(
        business=business,
        client=client,
        client_secret=business_spec.secrets.client_secret,
        api_key=business_spec.secrets.api_key,
        webhook_secret=hook,
        teams=teams,
        employees=employees,
        categories=categories,
        subcategories=subcategories,
        wallets=wallets,
    )


def _teams(business: Business, business_spec: BusinessSpec) -> dict[str, Team]:
    rows = [Team(business=business, code=code, name=name, version=1) for code, name in business_spec.teams.items()]
    return {team.code: team for team in Team.objects.bulk_create(rows)}


def _employees(business: Business, business_spec: BusinessSpec, teams: Mapping[str, Team]) -> list[Employee]:
    rows = [
        Employee(
            business=business,
            team=teams[person.team],
            name=person.name,
            email=f"{person.name.lower().replace(' ', '.').replace(chr(39), '')}@{business_spec.email_domain}",
            phone=f"2547{position:08d}",
            role=person.role,
        )
        for position, person in enumerate(business_spec.people, start=1)
    ]
    employees = Employee.objects.bulk_create(rows)
    TeamReviewer.objects.bulk_create(
        TeamReviewer(team=teams[code.rstrip("?")], employee=row, read_only=code.endswith("?"))
        for row, person in zip(employees, business_spec.people, strict=True)
        for code in person.reviews
    )
    return employees


def _categories(business: Business) -> tuple[list[Category], list[Subcategory]]:
    parents = Category.objects.bulk_create(
        Category(business=business, name=name, code=code_from(name), group="Spending") for name in CATEGORIES
    )
    children = Subcategory.objects.bulk_create(
        Subcategory(business=business, category=parent, name=name, code=code_from(name))
        for parent in parents
        for name in CATEGORIES[parent.name]
    )
    return parents, children


def _client(business: Business, business_spec: BusinessSpec) -> Client:
    return Client.objects.create(
        business=business,
        name=f"{business.name} client",
        client_id=f"cl_{business.id}",
        client_secret=make_password(business_spec.secrets.client_secret),
        client_type=Client.CLIENT_CONFIDENTIAL,
        authorization_grant_type=Client.GRANT_CLIENT_CREDENTIALS,
        caller_role=Role.ADMIN,
        entitlements=[PRIVATE_LABEL] if business_spec.entitled else [],
        allowed_scopes=list(business_spec.scopes),
        default_scopes=list(business_spec.scopes),
        rate_plan=business_spec.rate_plan,
    )


def _wallets(business: Business, *, funded: bool) -> list[Wallet]:
    plan = WALLETS.get(business.country, WALLETS["KE"])
    new_wallets = [NewWallet(currency, opening_minor=minor if funded else 0) for currency, minor in plan]
    return open_wallets(business, new_wallets)


def _webhook(business: Business, business_spec: BusinessSpec) -> str:
    if not business_spec.webhook_url:
        return ""
    secret = business_spec.secrets.webhook_secret
    WebhookEndpoint.objects.bulk_create([new_endpoint(business, business_spec.webhook_url, secret)])
    return secret
