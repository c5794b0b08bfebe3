"""What stands behind the addresses that are looked at: a row of each kind, and the parts of an address filled in."""

import uuid
from typing import Any

from django.utils import timezone

from dashboard.access_reviews.models import AccessReview, ReviewedPerson
from dashboard.mirror.apply import upsert, upsert_expenses
from dashboard.mirror.models import ApprovalRequest, Customer, Origin, Wallet
from dashboard.mirror.schedule import today
from dashboard.proposals.models import Proposal
from tests.dashboard.bills import upstream
from tests.dashboard.conftest import World
from tests.dashboard.decisions import service_requests
from tests.dashboard.decisions.service_requests import ask
from tests.dashboard.decisions.test_real_payments import requested
from tests.dashboard.policies.conftest import create_policy, create_workflow

ASKED = ("card_order", "card_request", "fund_opt_in", "hand_transaction")


def filled(world: World, whole: str, name: str, ids: dict[str, Any]) -> str:
    """The address with a thing of this world in it."""
    kind = next(
        (
            noun
            for noun in (
                "bills",
                "payouts",
                *ASKED,
                "cards",
                "payment",
                "customer",
                "vendor",
                "subscription",
                "treasury",
            )
            if noun in name
        ),
        "expense",
    )
    values = {
        "<slug:business>": world.business.slug,
        "<slug:slug>": world.business.slug,
        "<remote:remote_id>": ids[kind],
        "<word:kind>": "expense",
        "<word:list_name>": "audit",  # a list that not everybody opens
        "<word:report_name>": "general_ledger",
        "<number:view_id>": "1",
        "<number:sample_id>": "1",
        "<number:session_id>": "1",
        "<number:run_id>": "1",
        "<number:review_id>": str(ids["review"]),
        "<number:person_id>": str(ids["reviewed"]),
        "<number:columns_id>": "1",
        "<number:step_number>": "1",
        "<number:job_id>": "1",
        "<number:page_number>": "1",
        "<number:rule_id>": "1",
        "<number:file_id>": "1",
        "<word:source>": "account",
        "<remote:receipt_id>": ids["receipt"],
        "<remote:file_id>": "none",
        "<remote:contact_id>": "none",
        "<remote:match_id>": "none",
        "<remote:rule_id>": "none",
        "<remote:statement_id>": "none",
        "<remote:note_id>": ids["credit_note"],
        "<remote:schedule_id>": ids["bill_schedule"],
        "<remote:ref>": ids["bill_payment"],
        "<remote:account_id>": ids["account"],
        "<number:business_id>": str(world.business.pk),
        "<number:member_id>": str(ids["member"]),
        "<number:reset_id>": "1",
        "<word:part>": "team",
        "<remote:resource_id>": "1",
        "<remote:name>": "User",
        "<slug:provider_id>": world.business.slug,
        "<word:step>": "none",
        "<remote:tax_id>": ids["tax"],
        "<remote:vendor_id>": ids["vendor"],
        "<remote:duplicate_id>": ids["duplicate"],
        "<remote:policy_id>": ids[governed(name)],
        "<remote:group_id>": ids["group"],
        "<remote:workflow_id>": ids["bill_workflow" if name.endswith("_bills") else "policy_workflow"],
        "<word:type_name>": "CATEGORY" if name == "policies_set_category" else "CHANNEL",
        "<number:version>": "1",
        "<word:code>": "KES",
        "<remote:wallet_id>": ids["treasury"],
        "<remote:employee_id>": ids["employee"],
        # One decided at the desk is not decided on its own page again.
        "<number:proposal_id>": str(ids["change" if name.startswith("approvals") else "proposal"]),
        "<remote:mandate_id>": ids["mandate"],
        "<remote:period>": ids["period"],
        "<remote:budget_id>": ids["budget"],
        "<number:posting_id>": ids["posting"],
        "<remote:approver_id>": ids["approver"],
        "<remote:role_id>": "REVIEWER",
        "<remote:category_id>": ids["category"],
        "<remote:subcategory_id>": ids["subcategory"],
        "<key:key>": "a-form-that-nobody-sent",
    }
    for given, value in values.items():
        whole = whole.replace(given, value)
    while "<uuid:" in whole:
        start = whole.index("<uuid:")
        whole = whole.replace(whole[start : whole.index(">", start) + 1], str(uuid.UUID(int=7)))
    assert "<" not in whole, whole
    return f"/{whole}"


def governed(name: str) -> str:
    """Which policy an address is about: a wallet's, or one on spending, of which those on categories have their own."""
    if not name.startswith("policies"):
        return "policy"
    return "category_policy" if name.startswith("policies_category") else "spend_policy"


def staged(world: World, other: World) -> tuple[World, World, dict[str, Any]]:
    """Puts something of each kind into a business; both businesses, and the ids of what is there."""
    carla = world.employee("Carla")["employee_id"]
    made = world.sandbox("expenses", count=1, employee_ids=[carla])["expenses"]
    upsert_expenses(world.business, made, "FEED")
    ids = ids_of_requests(world) | {
        "expense": made[0]["_id"],
        "receipt": made[0]["receipts"][0]["_id"] if made[0]["receipts"] else "none",
        "payment": requested(world).remote_id,
        "customer": customer_of(world),
        "treasury": Wallet.objects.filter(business=world.business).order_by("org_wallet_ref")[0].remote_id,
        "cards": card_of(world, carla),
        "member": world.people["Zawadi"].pk,
        "employee": carla,
    }
    mandate = world.send("PUT", "/permissions/mandates")["docs"][0]
    ids |= {"mandate": mandate["_id"], "approver": mandate["approvers"][0]["approver_id"]}
    # One that an expense is filed under: nobody can delete it, so that whoever asks next finds it, too.
    filed = world.upstream("/expenses")["docs"][0]["subcategory"]["_id"]
    parents = world.upstream("/categories", limit=500)["docs"]
    category = next(row for row in parents if any(child["_id"] == filed for child in row["subcategories"]))
    ids |= {"category": category["_id"], "subcategory": filed}
    ids["policy"], ids["proposal"] = policy_of(world, ids["treasury"], carla)
    ids["change"] = change_of(world, ids["treasury"])
    ids |= spending_of(world, category["_id"])
    ids["vendor"], ids["account"] = vendor_of(world)
    ids["duplicate"] = duplicate_of(world)
    ids["payouts"] = payout_of(world)
    ids["subscription"] = subscription_of(world)
    ids["tax"] = world.upstream("/taxes")["docs"][0]["_id"]
    ids["bills"], ids["bill_payment"] = bill_of(world)
    ids |= beside_bills(world, ids["bills"])
    ids["review"], ids["reviewed"] = review_of(world)
    return world, other, ids | books_of(world)


def review_of(world: World) -> tuple[int, int]:
    """An open access review of a quarter long ago, and Carla's row of it."""
    ada, carla, now = world.people["Ada"], world.people["Carla"], timezone.now()
    review = AccessReview.objects.create(
        business=world.business, year=2020, quarter=1, opened_by=ada, opened_name="Ada"
    )
    row = ReviewedPerson.objects.create(review=review, membership=carla, name="Carla", role=carla.role, joined_at=now)
    return review.pk, row.pk


def books_of(world: World) -> dict[str, str]:
    """The period of now, a posting in it, and a budget."""
    period = world.upstream("/accounting/periods")["docs"][0]["period"]
    account = world.upstream(f"/accounting/periods/{period}/trial-balance")["accounts"][0]["account_id"]
    entry = world.upstream(f"/accounting/periods/{period}/accounts/{account}")["docs"][0]
    budget = world.send("POST", "/bills/budgets", {"name": "Office", "currency": "KES", "amount": 1000})
    return {"period": period, "posting": str(entry["ledger_transaction_id"]), "budget": budget["_id"]}


def card_of(world: World, employee_id: str) -> str:
    made = world.send("POST", "/cards", {"employee_id": employee_id, "name": "Fuel"})
    upsert("card", world.business, [made], Origin.POLL)
    return str(made["_id"])


def policy_of(world: World, wallet_id: str, employee_id: str) -> tuple[str, int]:
    """A wallet policy, and Abel's proposal to suspend it."""
    given = {"wallet_id": wallet_id, "employee_id": employee_id, "permissions": ["WALLET_VIEW"]}
    made = world.send("POST", "/wallet-policies", given)
    upsert("wallet_policy", world.business, [made], Origin.POLL)
    proposal = Proposal.objects.create(
        business=world.business,
        operation="suspend_wallet_policy",
        path={"policyId": made["_id"]},
        policy_id=made["_id"],
        seen_version=made["version"],
        title="Carla Kamau",
        key="a",
        proposed_by=world.people["Abel"],
        wallet_id=wallet_id,
        employee_id=employee_id,
    )
    return made["_id"], proposal.pk


def spending_of(world: World, category_id: str) -> dict[str, str]:
    """A policy on a channel and one on a category, the group of the first, and a workflow of each kind."""
    made = create_policy(world, "CHANNEL", "ATM", action="FLAG")
    return {
        "group": made["policy_id"],
        "spend_policy": made["_id"],
        "category_policy": create_policy(world, "CATEGORY", category_id, action="FLAG")["_id"],
        "bill_workflow": create_workflow(world, "bills")["_id"],
        "policy_workflow": create_workflow(world)["_id"],
    }


def change_of(world: World, wallet_id: str) -> int:
    """Abel's proposal to give Rita access, for the desk."""
    about = {"wallet_id": wallet_id, "employee_id": world.employee("Rita")["employee_id"], "title": "Rita"}
    by = world.people["Abel"]
    row = Proposal(business=world.business, operation="grant_wallet_access", key="b", proposed_by=by, **about)
    row.save()
    return row.pk


def ids_of_requests(world: World) -> dict[str, Any]:
    """What waits for one person's word, one of each kind."""
    for noun in ASKED:
        found = getattr(service_requests, noun)(world)
        upsert(noun, world.business, [{"_id": found.get("ref"), **found}], Origin.POLL)
    rows = ApprovalRequest.objects.filter(business=world.business)
    return {row.kind: row.remote_id for row in rows}


def vendor_of(world: World) -> tuple[str, str]:
    """A vendor, and an account of it that Abel proposed."""
    vendor = world.send("POST", "/vendors", {"name": "Acacia Supplies"})
    account, abel = {"channel": "MPESA_TILL", "account": "512345"}, world.employee("Abel")["employee_id"]
    path, headers = f"/vendors/{vendor['_id']}/payment-instruction/add", {"X-Acting-Employee": abel}
    vendor = world.send("POST", path, account, headers=headers)
    upsert("vendor", world.business, [vendor], Origin.POLL)
    return vendor["_id"], vendor["payment_instructions"][0]["_id"]


def duplicate_of(world: World) -> str:
    """Another vendor, of nearly the same name."""
    vendor = world.send("POST", "/vendors", {"name": "Acacia Supplies Ltd"})
    upsert("vendor", world.business, [vendor], Origin.POLL)
    return str(vendor["_id"])


def subscription_of(world: World) -> str:
    """A subscription of nobody in particular."""
    body = {"name": "Drive", "vendor": "Cloud Co", "currency": "KES", "amount": 1500}
    made = world.send("POST", "/subscriptions/create", body)
    upsert("subscription", world.business, [made], "FEED")
    return str(made["_id"])


def payout_of(world: World) -> str:
    """A draft of a payout that Ada made."""
    item = {"receiver_name": "Grace Achieng", "channel": "MPESA_TILL", "account": "612345", "amount": 300}
    headers = {"X-Acting-Employee": world.employee("Ada")["employee_id"]}
    draft = world.send("POST", "/payments", {"name": "Wages", "org_wallet_ref": "1", "items": [item]}, headers=headers)
    upsert("payout", world.business, [draft], Origin.POLL)
    return str(draft["_id"])


def bill_of(world: World) -> tuple[str, str]:
    """A bill that Ada entered, and the reference of a payment of it that is still a draft."""
    bill = upstream.bill(world)
    payment = upstream.payment(world, bill, request=False)
    upsert("bill", world.business, [{**bill, "payments": [payment["payment_ref"]]}], Origin.POLL)
    upsert("bill_payment", world.business, [payment], Origin.POLL)
    return bill["_id"], payment["payment_ref"]


def beside_bills(world: World, bill_id: str) -> dict[str, str]:
    """A credit note that lowers no bill, as a payment claims all of its own; and a recurring bill of the same vendor."""
    day, vendor_id = today(world.business).isoformat(), world.upstream(f"/bills/{bill_id}")["vendor_id"]
    credit = {"credit_no": "CN-1", "bill_id": bill_id, "amount": 5, "issued_at": day, "reason": "Came back."}
    rent = {"number_prefix": "RENT", "vendor_id": vendor_id, "interval": "MONTHLY", "starts_on": day}
    lines = {"line_items": [{"description": "Rent", "unit_price": 100}]}
    return {
        "credit_note": ask(world, "Ada", "POST", "/credit-notes", credit)["_id"],
        "bill_schedule": ask(world, "Ada", "POST", "/bill-schedules", rent | lines)["_id"],
    }


def customer_of(world: World) -> str:
    upsert("customer", world.business, [world.send("POST", "/customers", {"name": "Mary Otieno"})], Origin.POLL)
    return Customer.objects.get(business=world.business).remote_id
