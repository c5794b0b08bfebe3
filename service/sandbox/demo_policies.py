"""Policies for the demo: what may be spent how, on what and when, and a few people who may use a wallet beyond their role."""

import random
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from django.utils import timezone

from service.accounts.models import Wallet
from service.approvals import workflows
from service.approvals.models import ActionType
from service.approvals.schemas_workflows import NewWorkflow
from service.auth import Caller, system_caller
from service.business_policies import groups, services
from service.business_policies.schemas import NewBusinessPolicy
from service.businesses.models import Business, Employee, Role, Team
from service.categories.models import Category, Subcategory
from service.wallet_policies import services as wallet_policies
from service.wallet_policies.schemas import NewWalletPolicy

CHEAP_TIMES = 100  # what a unit of the Kenyan business is in the Dutch one
SEEING = ("WALLET_VIEW", "WALLET_VIEW_BALANCE", "WALLET_VIEW_TRANSACTIONS")


def create_policies(business: Business, chance: random.Random) -> None:
    """A dozen policies of every type and action, a workflow, and wallet policies in several states."""
    _spend_policies(_as(business, Role.SUPER_ADMIN))
    _wallet_policies(_as(business, Role.ADMIN), chance)


def _as(business: Business, role: Role) -> Caller:
    person = Employee.objects.filter(business=business, role=role).order_by("id").first()
    return replace(system_caller(business), employee=person, role=role)


def _spend_policies(caller: Caller) -> None:
    business = caller.business
    flow = workflows.create(
        caller,
        ActionType.POLICY_BASED,
        NewWorkflow.model_validate({"name": "Single approver", "steps": [{"order": 1, "role": "APPROVER"}]}),
    )
    filed = {row.name: row.id for row in Subcategory.objects.filter(business=business)}
    parents = {row.name: row.id for row in Category.objects.filter(business=business)}
    exempt = {"team_ids": list(Team.objects.filter(business=business).order_by("id").values_list("id", flat=True)[:1])}
    scale = 1 if business.currency == "KES" else CHEAP_TIMES

    def limit(amount: int, period: str) -> dict[str, object]:
        return {"limit": Decimal(amount) / scale, "currency": business.currency, "period": period}

    bodies: list[dict[str, object]] = [
        {"type": "CHANNEL", "target": "ATM", "name": "No ATM withdrawals", "action": "BLOCK"},
        {
            "type": "CHANNEL",
            "target": "CARD",
            "name": "Annual card limit",
            "action": "FLAG",
            **limit(90_000_000, "YEAR"),
        },
        {"type": "VENDOR", "target": "SELF", "name": "No payments to own phone", "action": "BLOCK"},
        {
            "type": "DAY_TIME",
            "name": "Night-time spending",
            "action": "FLAG",
            "window": {"from": "06:00", "to": "22:00"},
        },
    ]
    if "Travel" in parents:
        bodies.append(
            {"type": "CATEGORY", "target": parents["Travel"], "name": "Monthly travel limit", "action": "FLAG"}
            | limit(2_500_000, "MONTH")
        )
    if "Software" in filed:
        bodies.append(
            {"type": "SUBCATEGORY", "target": filed["Software"], "name": "Software approval"}
            | {"action": "REQUIRE_APPROVAL", "workflow_id": flow.id, "exempt": exempt}
            | limit(250_000, "MONTH")
        )
    if "Client lunch" in filed:
        bodies.append(
            {
                "type": "SUBCATEGORY",
                "target": filed["Client lunch"],
                "name": "Weekly client lunch limit",
                "action": "FLAG",
            }
            | limit(120_000, "WEEK")
        )
    for body in bodies:
        group = groups.of_type(business, str(body["type"]))
        services.create(caller, group.id, NewBusinessPolicy.model_validate(body))


def _wallet_policies(caller: Caller, chance: random.Random) -> None:
    purse = Wallet.objects.filter(business=caller.business, holder_id="").order_by("org_wallet_ref").first()
    people = list(
        Employee.objects.filter(business=caller.business, role__in=(Role.CARD_USER, Role.REVIEWER)).order_by("id")
    )
    if purse is None:
        return
    now, scale = timezone.now(), 1 if purse.currency == "KES" else CHEAP_TIMES
    for place, person in enumerate(chance.sample(people, min(4, len(people)))):
        new = NewWalletPolicy.model_validate(
            {
                "wallet_id": purse.id,
                "employee_id": person.id,
                "permissions": [*SEEING, *(["WALLET_PAY_VENDOR"] if place % 2 else [])],
                "limits": {"per_transaction": Decimal(20_000) / scale, "monthly": Decimal(200_000) / scale},
                "expires_at": now + timedelta(days=90) if place else None,
                "reason": ("Keeps the books", "Pays the workshop", "Audits until spring", "Covers for a colleague")[
                    place
                ],
            }
        )
        row = wallet_policies.grant(caller, new)
        if place == 2:
            wallet_policies.move(caller, row.id, "suspend")
